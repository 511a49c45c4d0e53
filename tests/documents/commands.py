"""Every command of every page parses; those of the program that are fast also run, in the order in which they stand.

A page's commands share one empty folder, so that `record -o run.safetensors` can be followed by `view run.safetensors`.
A command is only parsed if it is slow, waits for a reader, or has a placeholder (IN, N, "…", <file>) or a file that is
not there.
"""
import json
import re
import shlex
import shutil
import tempfile
from pathlib import Path

SHELL = {"", "sh", "bash", "console", "shell"}
OURS = {"./headroom", "headroom", "build/release/headroom"}
OTHERS = ("cmake", "ctest", "cpack", "python3", "pip", "git", "bash", "cd", "export", ".ci/run", "mpirun")
PARSE_ONLY = {"tour", "test", "install", "verify", "convert", "bench", "chat", "trace", "models", "score"}
PLACEHOLDER = re.compile(r"…|\.\.\.|<[^>]*>|[\[\]|]|^[A-Z][A-Z_]*$|\b[A-Z]{2,}\b(?!.)|FILE|FOLDER")


def commands(page):
    """(line, words, whether it is an example to type): shell blocks, indented blocks and code spans."""
    lines = [(b.first + i, line) for b in page.blocks if b.language in SHELL and not b.kind
             for i, line in enumerate(b.content)]
    lines += [(at, text) for at, text in page.prose if text.startswith("    ")]
    for at, text in sorted(lines):
        text = text.strip().removeprefix("$ ")
        if text.split(" ")[0] in OURS or text.startswith(tuple(o + " " for o in OTHERS)):
            yield at, text, True
    for at, text in page.prose:
        if not text.startswith("    "):
            for span in re.findall(r"`((?:\./)?headroom [^`]+)`", text):
                yield at, span, False


def words_of(text):
    try:
        return shlex.split(text, comments=True)
    except ValueError:
        return text.split()


class Program:
    """What the program says about itself: its commands and their options."""

    def __init__(self, project):
        self.project, self.help = project, {}

    def text(self, *command):
        if command not in self.help:
            done = self.project.run(["headroom", *command, "--help"], self.project.root)
            self.help[command] = done.stdout if done.returncode == 0 else ""
        return self.help[command]

    def objection(self, words):
        if not words or words[0].startswith("-"):
            return ""
        name, *arguments = words
        if name in ("test", "install", "help"):
            return ""  # of the shell script
        if PLACEHOLDER.search(name):
            return ""
        if not re.search(rf"^  {re.escape(name)}\b", self.text(), re.M):
            return f"the program has no command '{name}'"
        for word in arguments:
            for option in re.findall(r"(?<![\w-])--?[A-Za-z][\w-]*", word.split("=")[0]):
                if not re.search(rf"(?<![\w-]){re.escape(option)}(?![\w-])", self.text(name)):
                    return f"headroom {name} has no option {option}"
        return ""


def objection_to_others(project, words):
    """Presets that exist, scripts that exist: as far as a command can be read without being run."""
    known = set()
    if (presets := project.root / "CMakePresets.json").is_file():
        known = {p["name"] for p in json.loads(presets.read_text())["configurePresets"]}
    for option, value in zip(words, words[1:]):
        if option == "--preset" and value not in known:
            return f"there is no preset {value}"
    for word in words:
        if re.search(r"\.(py|sh)$", word) and "/" in word and not PLACEHOLDER.search(word) and \
                not (project.root / word).exists():
            return f"there is no script {word}"
    if words[0] == "cd" and len(words) > 1 and not PLACEHOLDER.search(words[1]) and \
            words[1] != "headroom" and not (project.root / words[1]).exists():
        return f"there is no folder {words[1]}"
    return ""


def can_run(words, folder):
    """In the common folder, fast, and with all its input at hand."""
    if len(words) < 2 or words[1] in PARSE_ONLY or words[1].startswith("-"):
        return False
    if words[1] == "tutorial" and len(words) > 2 and "--text" not in words:
        return False  # it builds
    outputs = {"-o", "--output", "--export", "--all"}
    for before, word in zip(words[1:], words[2:]):
        if PLACEHOLDER.search(word):
            return False
        is_file = re.search(r"\.(json|safetensors|bin|so|txt)$", word)
        if is_file and before not in outputs and not (folder / word).exists():
            return False
    return True


def unexplained(project, program):
    """Commands of the program that the front page's table leaves out."""
    front = project.page(project.root / "README.md")
    names = re.findall(r"^  ([a-z]+)\b", program.text().partition("Subcommands:")[2], re.M)
    rows = "\n".join(text for _, text in front.prose if text.startswith("|")) if front else ""
    for name in names:
        if front and f"`{name}`" not in rows:
            project.object(front.path, None, f"the table of commands has no row for '{name}'")


def check_commands(project, update=False):
    program = Program(project)
    unexplained(project, program)
    for page in project.pages:
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            for at, text, typed in commands(page):
                words = words_of(text)
                if words[0] not in OURS:
                    if words[0] in OTHERS[:2] and not shutil.which(words[0]):
                        project.object(page.path, at, f"{words[0]} is not installed")
                    elif why := objection_to_others(project, words):
                        project.object(page.path, at, f"{text}: {why}")
                    continue
                why = program.objection(words[1:])
                if not why and typed and can_run(words, folder):
                    done = project.run(words, folder)
                    if done.returncode != 0:
                        why = f"exit code {done.returncode}: {done.stderr.strip()[-200:]}"
                if why:
                    project.object(page.path, at, f"{text}: {why}")
