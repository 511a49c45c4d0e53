"""Every number in prose that comes from a run is marked with the words in front of it there, and is that number:

    `saves 87.5<!-- = H=32, Hkv=4 saves --> %`      the output has: H=32, Hkv=4 saves 87.5 %
    `<!-- = total [2] -->`                          the second number behind the word total
    `<!-- = head 0 … red -->`                       the number behind the first "red" in the line that has "head 0"
    `513<!-- given -->`                             no run's result, but what a run was asked for or a claim says
"""
import re

from markdown import COMMENT, MARKED, NUMBER, plain_number
from project import split_marker

RUN = re.compile(r"^<!-- run: (.*) -->$")
# A number of three digits or more that an output shows too can hardly be a coincidence.
STRIKING = re.compile(rf"(?<![\w.,/#-])(?:\d[\d,]*\.\d{{2,}}|\d{{1,3}}(?:,\d{{3}})+|\d{{3,}}|\d+\.\d)(?![\w/]|\.\d)")


def lines_of_runs(project, page):
    """What the runs printed that this page shows or only names (`<!-- run: COMMAND -->`), and the chapter's whole output."""
    commands = ["main"] if project.is_chapter(page.path) else []
    commands += [split_marker(block.source)[0] for block in page.blocks if block.kind == "output"]
    named = {match[1]: at for at, text in page.prose if (match := RUN.match(text))}
    lines = []
    for command in dict.fromkeys([*commands, *named]):
        try:
            lines += project.output_of(page.path, command)
        except RuntimeError as error:  # of a command that the page shows: `outputs` objects to it
            if command in named:
                project.object(page.path, named[command], str(error))
    return lines


def value(lines, label):
    """The number that follows the words of a mark; ValueError if they do not name exactly one."""
    match = re.fullmatch(r"(.+?)(?: \[(\d+)\])?", label)
    words, nth = match[1], int(match[2] or 1)
    pattern = re.compile(r"\s+".join(re.escape(word) for word in words.split()).replace(r"\s+…\s+", ".*?"))
    found = [(line, hit) for line in lines for hit in pattern.finditer(line)]
    if len(found) != 1:
        raise ValueError(f"the words '{words}' stand {len(found)} times in the output, not once")
    line, hit = found[0]
    numbers = re.findall(NUMBER, line[hit.end():])
    if len(numbers) < nth:
        raise ValueError(f"no number {nth} follows '{words}' in the output")
    return numbers[nth - 1]


def update_text(text, lines):
    """The line with every marked number replaced by the run's, in the way in which it was written."""
    def renewed(match):
        try:
            now = value(lines, match[2])
        except ValueError:
            return match[0]
        if plain_number(now) == plain_number(match[1]):
            return match[0]
        if "," in match[1] and "." not in now:
            now = f"{int(plain_number(now)):,}"
        return match[0].replace(match[1], now, 1)
    return MARKED.sub(renewed, text)


def numbers(project, update=False):
    for page in project.pages:
        marked = list(page.numbers())
        if not marked and not project.is_chapter(page.path):
            continue
        lines = lines_of_runs(project, page)
        if update and marked:
            for at in {at for at, _, _ in marked}:
                page.lines[at] = update_text(page.lines[at], lines)
            page.path.write_text("\n".join(page.lines), encoding="utf-8")
            continue
        for at, written, label in marked:
            try:
                printed = value(lines, label)
            except ValueError as error:
                project.object(page.path, at, str(error))
                continue
            if plain_number(printed) != plain_number(written):
                project.object(page.path, at, f"the text says {written} where the run says {printed} ({label})")
        if project.is_chapter(page.path) or any(RUN.match(text) for _, text in page.prose):  # a page that names its runs
            unmarked(project, page, lines)


def unmarked(project, page, lines):
    printed = {plain_number(n) for line in lines for n in re.findall(NUMBER, line)}
    for at, text in page.prose:
        if text.startswith(("<!--", "    ")):  # marks, and commands to type
            continue
        row_of_figures = text.startswith("|") and MARKED.search(text)  # every figure of such a row is marked
        text = re.sub(rf"{NUMBER}(?:\*\*|`)?<!-- (?:= .+?|given) -->", "", text)
        text = COMMENT.sub("", re.sub(r"`[^`]*`|\]\([^)]*\)", " ", text))
        for match in STRIKING.finditer(text):
            if plain_number(match[0]) in printed:
                project.object(page.path, at, f"{match[0]} stands in the output too, but is not marked")
            elif row_of_figures:
                project.object(page.path, at, f"{match[0]} stands in a row of figures, but is not marked")
