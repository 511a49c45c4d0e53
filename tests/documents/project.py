"""The repository under test: its pages, its chapters, its program, and how commands are run."""
import os
import re
import shlex
import subprocess
import sys
import tempfile
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

import markdown


@dataclass
class Project:
    root: Path
    build: Path  # holds the program `headroom` and tutorials/NN_name
    objections: list[str] = field(default_factory=list)
    ran: dict = field(default_factory=dict)

    def object(self, path, line, words):
        where = path.relative_to(self.root)
        self.objections.append(f"{where}:{line + 1}: {words}" if line is not None else f"{where}: {words}")

    @cached_property
    def pages(self):
        """Every Markdown page that belongs to the project."""
        found = []
        for folder, folders, files in os.walk(self.root):
            top = Path(folder) == self.root
            folders[:] = sorted(f for f in folders if not f.startswith(".") or f == ".github")
            folders[:] = [f for f in folders if not (top and f in ("build", "tour"))]
            found += [Path(folder) / f for f in sorted(files) if f.endswith(".md")]
        return [markdown.read(path) for path in found]

    @cached_property
    def chapters(self):
        return sorted(p for p in (self.root / "tutorials").glob("[0-9][0-9]_*") if p.is_dir())

    @cached_property
    def translated(self):
        """(English page, Chinese page): of the front page and the tutorials, which exist in both languages, and of every
        page that has a translation beside it."""
        both = [self.root, self.root / "tutorials", *self.chapters]
        english = [folder / "README.md" for folder in both if folder.is_dir()]
        english += [page.path.with_name(page.path.name.replace(".zh.md", ".md")) for page in self.pages
                    if page.path.name.endswith(".zh.md")]
        return [(path, path.with_suffix(".zh.md")) for path in dict.fromkeys(english)]

    def page(self, path):
        return next((page for page in self.pages if page.path == path), None)

    def is_chapter(self, path):
        return path.parent in self.chapters

    def expand(self, words):
        """./headroom and headroom are the program that was built; a script of ours lies in the repository."""
        if words[0] in ("./headroom", "headroom", "build/release/headroom"):
            return [str(self.build / "headroom"), *words[1:]]
        if words[0] == "python3" and len(words) > 1 and (self.root / words[1]).is_file():
            return [sys.executable, "-B", str(self.root / words[1]), *words[2:]]
        return words

    def run(self, words, folder, seconds=300):
        environment = dict(os.environ, NO_COLOR="1", LC_ALL="C.UTF-8")
        try:
            return subprocess.run(self.expand(words), cwd=folder, env=environment, stdin=subprocess.DEVNULL, text=True,
                                  stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=seconds)
        except subprocess.TimeoutExpired:
            return subprocess.CompletedProcess(words, 124, "", f"it took more than {seconds} s")

    def output_of(self, page_path, command):
        """Lines that a command prints; `main` is the program of the page's chapter, `chapter NN_name` that of another.
        Raises RuntimeError where it fails."""
        key = (page_path.parent if command == "main" else None, command)
        if key not in self.ran:
            words = shlex.split(command)
            if command == "main":
                words = [str(self.build / "tutorials" / page_path.parent.name)]
            elif words[0] == "chapter":
                words = [str(self.build / "tutorials" / words[1])]
            with tempfile.TemporaryDirectory() as folder:
                try:
                    done = self.run(words, folder)
                except OSError as error:
                    raise RuntimeError(f"{words[0]} cannot be run: {error.strerror}") from error
            if done.returncode != 0:
                raise RuntimeError(f"{command} ends with exit code {done.returncode}: {done.stderr.strip()[-200:]}")
            self.ran[key] = done.stdout.rstrip("\n").split("\n")
        return self.ran[key]


def part(lines, marker):
    """`from "A" to "B"` of some lines: from the one line that contains A to the next that contains B, or to the next
    empty line. Without `from`: all. Raises ValueError."""
    match = re.fullmatch(r'\s*(?:from "(.+?)")?(?: to "(.+?)")?\s*', marker)
    if not match:
        raise ValueError(f'the marker ends in {marker!r}, not in from "…" to "…"')
    begin, end = match.groups()
    if not begin:
        return lines
    starts = [i for i, line in enumerate(lines) if begin in line]
    if len(starts) != 1:
        raise ValueError(f'"{begin}" stands in {len(starts)} lines, not in one')
    first = starts[0]
    for last in range(first, len(lines)):
        if end is not None and end in lines[last]:
            return lines[first:last + 1]
        if end is None and not lines[last].strip():
            return lines[first:last]
    if end is not None:
        raise ValueError(f'"{end}" does not follow "{begin}"')
    return lines[first:]


def split_marker(source):
    """'main.cpp from "a" to "b"' -> ('main.cpp', 'from "a" to "b"')"""
    at = source.find(' from "')
    return (source, "") if at < 0 else (source[:at], source[at + 1:])
