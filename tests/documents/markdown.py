"""A Markdown page as the checks see it: headings, code blocks with their markers, links, marked numbers, paragraphs."""
import re
from dataclasses import dataclass, field
from pathlib import Path

COMMENT = re.compile(r"<!--.*?-->", re.S)
MARKER = re.compile(r"^<!-- (listing|output): (.*) -->$")
NUMBER = r"[-−]?\d[\d,]*(?:\.\d+)?(?:e[-+]?\d+)?"
MARKED = re.compile(rf"({NUMBER})(?:\*\*|`)?<!-- = (.+?) -->")
LINK = re.compile(r"!?\[[^\]]*\]\(([^)\s]+)(?:\s+\"[^\"]*\")?\)|<img[^>]*\bsrc=\"([^\"]+)\"|<a[^>]*\bhref=\"([^\"]+)\"")

ANCHOR = re.compile(r'<a id="([^"]+)"></a>')


@dataclass
class Block:
    """A fenced block: lines[first:last] are its content, and the marker line above it says where it comes from."""
    first: int
    last: int
    language: str
    content: list[str]
    kind: str = ""    # "listing", "output" or ""
    source: str = ""  # the rest of the marker


@dataclass
class Page:
    path: Path
    lines: list[str]
    blocks: list[Block] = field(default_factory=list)
    prose: list[tuple[int, str]] = field(default_factory=list)  # (line number from 0, text) outside fenced blocks

    def headings(self):
        for _, text in self.prose:
            if match := re.match(r"(#{1,6}) +(.*)", text):
                yield len(match[1]), COMMENT.sub("", match[2]).strip()

    def anchors(self):
        """Names given to a place by hand, as to each row of the glossary."""
        for _, text in self.prose:
            yield from ANCHOR.findall(text)

    def links(self):
        for at, text in self.prose:
            for match in LINK.finditer(re.sub(r"`[^`]*`", "", text)):
                yield at, next(each for each in match.groups() if each)

    def numbers(self):
        """(line, the number as it is written, the words that name it)"""
        for at, text in self.prose:
            for match in MARKED.finditer(re.sub(r"`[^`]*<!--[^`]*`", "", text)):  # not where a mark is quoted
                yield at, match[1], match[2]

    def paragraphs(self):
        """Prose without comments, code, headings and table rules, each paragraph in one string."""
        words, last = [], -2
        for at, text in self.prose + [(10**9, "")]:
            text = "" if text.startswith("    ") else COMMENT.sub("", text).strip()
            if (not text or at != last + 1 or text.startswith("#")) and words:
                yield " ".join(words)
                words = []
            if text and not text.startswith("#") and not re.fullmatch(r"[|:\- ]+", text):
                words.append(text)
            last = at


def read(path):
    page = Page(path, path.read_text(encoding="utf-8").split("\n"))
    at = 0
    while at < len(page.lines):
        line = page.lines[at]
        if line.startswith("```"):
            first = at + 1
            last = first
            while last < len(page.lines) and not page.lines[last].startswith("```"):
                last += 1
            block = Block(first, last, line[3:].strip(), page.lines[first:last])
            if at and (marker := MARKER.match(page.lines[at - 1])):
                block.kind, block.source = marker[1], marker[2]
            page.blocks.append(block)
            at = last + 1
        else:
            page.prose.append((at, line))
            at += 1
    return page


def slug(heading):
    """GitHub's anchor of a heading."""
    text = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading).replace("`", "").replace("*", "").strip().lower()
    return re.sub(r"[^\w\- ]", "", text).replace(" ", "-")


def plain_number(text):
    return text.replace(",", "").replace("−", "-")
