"""Every chapter leads to the glossary: two to six of its words, each linked once, behind the opening question, where it first stands.

That the rows exist is `links`' matter; that both languages link the same ones, `languages`'.
"""
import re
from collections import Counter

from markdown import COMMENT

FEWEST, MOST = 2, 6
RULE = re.compile(r"\|[|:\- ]+")
TERM = re.compile(r"(!?)\[([^\]]*)\]\(\.\./glossary(?:\.zh)?\.md#([\w-]+)\)")


def behind_the_question(page):
    """(line number, text) of the prose from the second paragraph on, as a reader sees it: no headings, comments or pictures' words."""
    started = ended = False
    for at, text in page.prose:
        bare = COMMENT.sub("", text).strip()
        if bare.startswith("#") or text.startswith("    "):
            continue
        if ended:
            yield at, re.sub(r"!\[[^\]]*\]\([^)]*\)", "", COMMENT.sub("", text))
        started, ended = started or bool(bare), ended or (started and not bare)


def stands_in(words, text):
    text = re.sub(r"`[^`]*`", "", text)
    pattern = re.escape(words) if re.search(r"[\u4e00-\u9fff]", words) else rf"\b{re.escape(words)}\b"
    return re.search(pattern, text, re.I)


def terms(project, page):
    """The rows that a chapter links; objects to a word that stood there before without its link."""
    before, linked = "", []
    for at, text in behind_the_question(page):
        for match in TERM.finditer(text):
            words = match[2].strip("*`")
            if stands_in(words, before + text[:match.start()]):
                project.object(page.path, at, f"'{words}' stands further up already: its link belongs there")
            linked.append(match[3])
        before += text + "\n"
    return linked


def glossary(project, update=False):
    for path in {page.path for page in project.pages if re.fullmatch(r"glossary(\.zh)?\.md", page.path.name)}:
        page = project.page(path)
        for name, times in Counter(page.anchors()).items():
            if times > 1:
                project.object(path, None, f"{times} rows are named {name}")
        for at, text in page.prose:
            header_or_rule = RULE.fullmatch(text) or RULE.fullmatch(page.lines[min(at + 1, len(page.lines) - 1)])
            if text.startswith("|") and not header_or_rule and not text.startswith('| <a id="'):
                project.object(path, at, "a row without a name that chapters can link")
    for folder in project.chapters:
        for name in ("README.md", "README.zh.md"):
            if (page := project.page(folder / name)) is None:
                continue
            linked = terms(project, page)
            if not FEWEST <= len(linked) <= MOST:
                project.object(page.path, None, f"links {len(linked)} words of the glossary; {FEWEST} to {MOST} are right")
            for row, times in Counter(linked).items():
                if times > 1:
                    project.object(page.path, None, f"links #{row} of the glossary {times} times")
