"""Every listing equals its source, and every output block equals the run; with update, they are made equal."""
import textwrap

from project import part, split_marker


def expected(project, page, block):
    what, where = split_marker(block.source)
    if block.kind == "output":
        return part(project.output_of(page.path, what), where)
    path = project.root / what[1:] if what.startswith("/") else page.path.parent / what
    if not path.is_file():
        raise ValueError(f"there is no file {what}")
    lines = part(path.read_text(encoding="utf-8").rstrip("\n").split("\n"), where)
    return textwrap.dedent("\n".join(lines)).split("\n")


def check(project, kind, update=False):
    for page in project.pages:
        changed = False
        for block in reversed(page.blocks):  # from the end, so that line numbers stay right
            if block.kind != kind:
                if kind == "listing" and not block.kind and block.language in ("cpp", "cuda") and \
                        project.is_chapter(page.path):
                    project.object(page.path, block.first, "a listing without a marker that names its source")
                continue
            try:
                wanted = expected(project, page, block)
            except (ValueError, RuntimeError) as error:
                project.object(page.path, block.first, str(error))
                continue
            if block.content == wanted:
                continue
            if update:
                page.lines[block.first:block.last] = wanted
                changed = True
                continue
            differs = next((i for i, pair in enumerate(zip(block.content, wanted)) if pair[0] != pair[1]),
                           min(len(block.content), len(wanted)))
            shown = [lines[differs] if differs < len(lines) else "(nothing)" for lines in (block.content, wanted)]
            project.object(page.path, block.first + differs,
                           f"this {kind} says {shown[0]!r}, its source ({block.source}) {shown[1]!r}")
        if changed:
            page.path.write_text("\n".join(page.lines), encoding="utf-8")


def listings(project, update=False):
    check(project, "listing", update)


def outputs(project, update=False):
    """A chapter also keeps what its program prints in output.txt."""
    check(project, "output", update)
    for chapter in project.chapters:
        try:
            wanted = "\n".join(project.output_of(chapter / "README.md", "main")) + "\n"
        except RuntimeError as error:
            project.object(chapter / "main.cpp", None, str(error))
            continue
        kept = chapter / "output.txt"
        if update:
            kept.write_text(wanted, encoding="utf-8")
        elif not kept.is_file() or kept.read_text(encoding="utf-8") != wanted:
            project.object(kept, None, "differs from what the program prints")
