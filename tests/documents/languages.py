"""English and Chinese in step: the same structure, listings, outputs, links and numbers; the words differ."""
import re
from collections import Counter

import markdown

HAN = re.compile(r"[\u4e00-\u9fff]")


def neutral(link):
    """README.zh.md and README.md are the same page, picture.zh.svg and picture.svg the same picture. Headings are translated, the
    names of the glossary's rows are not."""
    path, _, anchor = link.partition("#")
    path = path.replace(".zh.", ".")
    return path + ("#" if anchor else "") + (anchor if path.endswith("glossary.md") else "")


def structure(page):
    return [level for level, _ in page.headings()]


def code(page):
    return [(b.language, b.kind, b.source, b.content) for b in page.blocks]


def commands(page):
    """Indented commands, whose comments are translated."""
    return [re.split(r"\s+# ", text.strip())[0] for _, text in page.prose if re.match(r"    \S", text)]


def pictures_and_links(page):
    return [neutral(link) for _, link in page.links()]


def numbers(page):
    return sorted((label, markdown.plain_number(number)) for _, number, label in page.numbers())


def tables(page):
    """Rows with their number of cells."""
    return [len(re.findall(r"(?<!\\)\|", re.sub(r"`[^`]*`", "", text))) for _, text in page.prose
            if text.startswith("|")]


def difference(name, english, chinese):
    ours, theirs = list(map(repr, english)), list(map(repr, chinese))
    missing = list((Counter(ours) - Counter(theirs)).elements())
    added = list((Counter(theirs) - Counter(ours)).elements())
    if missing or added:
        shown = "; ".join([f"missing {m[:120]}" for m in missing[:3]] + [f"only here {a[:120]}" for a in added[:3]])
        return f"{name} differ from the English page: {shown}"
    return f"{name} differ from the English page in their order"


def languages(project, update=False):
    for english_path, chinese_path in project.translated:
        english, chinese = project.page(english_path), project.page(chinese_path)
        if english is None or chinese is None:
            missing = english_path if english is None else chinese_path
            project.object(missing, None, "is missing: every chapter and the front page exist in English and Chinese")
            continue
        for name, of in [("headings", structure), ("anchors", lambda page: list(page.anchors())), ("listings and outputs", code), ("commands", commands),
                         ("links and pictures", pictures_and_links), ("marked numbers", numbers),
                         ("tables", tables)]:
            if of(english) != of(chinese):
                project.object(chinese_path, None, difference(name, of(english), of(chinese)))
        for level, heading in chinese.headings():
            if not HAN.search(heading) and re.search(r"[a-z]{4}", heading) and heading != "Headroom":
                project.object(chinese_path, None, f"the heading '{heading}' is not translated")
        for paragraph in chinese.paragraphs():
            bare = re.sub(r"`[^`]*`|\]\([^)]*\)", "", paragraph)
            if len(re.findall(r"[A-Za-z]{3,}", bare)) > 12 and not HAN.search(bare):
                project.object(chinese_path, None, f"not translated: {paragraph[:60]}…")
        for paragraph in english.paragraphs():
            if HAN.search(paragraph) and "[" not in paragraph:
                project.object(english_path, None, f"Chinese in the English page: {paragraph[:60]}…")
