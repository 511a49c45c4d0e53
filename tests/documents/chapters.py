"""What every chapter has: its files, their size, a question at the beginning, an exercise and the way on at the end."""
import re

FILES = ("README.md", "README.zh.md", "main.cpp", "output.txt", "exercise.cpp", "exercise_test.cpp", "solution.cpp")
MOST_LINES = 100
NEXT = {"README.md": "Next: ", "README.zh.md": "下一章："}


def reading_order(project):
    """Each chapter's last words lead to the chapter that follows it."""
    for folder, following in zip(project.chapters, project.chapters[1:]):
        for name, words in NEXT.items():
            page = project.page(folder / name)
            if page and not re.search(rf"{words}\[[^\]]+\]\(\.\./{following.name}/{re.escape(name)}\)[.。]?$",
                                      "\n".join(page.lines).rstrip()):
                project.object(page.path, len(page.lines) - 1,
                               f"ends with '{words}' and a link to ../{following.name}/{name}")


def chapters(project, update=False):
    reading_order(project)
    registered = set()
    listed = project.root / "tutorials" / "CMakeLists.txt"
    if listed.is_file():
        registered = set(re.findall(r"^headroom_chapter\((\w+)", listed.read_text(), re.M))
    for folder in project.chapters:
        if folder.name not in registered:
            project.object(folder, None, "has no line in tutorials/CMakeLists.txt")
        for name in FILES:
            path = folder / name
            if not path.is_file():
                project.object(path, None, "is missing")
                continue
            if (length := len(path.read_text(encoding="utf-8").splitlines())) > MOST_LINES:
                project.object(path, None, f"has {length} lines; {MOST_LINES} are the most")
        for name in ("README.md", "README.zh.md"):
            if (page := project.page(folder / name)) is None:
                continue
            headings = list(page.headings())
            if not headings or not re.match(rf"{int(folder.name[:2])}\. ", headings[0][1]) or headings[0][0] != 1:
                project.object(page.path, 0, f"begins with '# {int(folder.name[:2])}. ' and the chapter's title")
            first = next(page.paragraphs(), "")
            if not re.search(r"[?？]", first):
                project.object(page.path, 1, "opens with a question, in its first paragraph")
            if not headings or not re.match(r"(Exercise|练习)", headings[-1][1]):
                project.object(page.path, len(page.lines) - 1, "ends with the exercise")
            if not any(link.endswith(".svg") for _, link in page.links()):
                project.object(page.path, None, "has no picture")
            if f"headroom tutorial {int(folder.name[:2])} --check" not in "\n".join(page.lines):
                project.object(page.path, None, f"does not name ./headroom tutorial {int(folder.name[:2])} --check")
        todo = {name: "TODO" in (folder / name).read_text() for name in ("exercise.cpp", "solution.cpp")
                if (folder / name).is_file()}
        if todo.get("solution.cpp"):
            project.object(folder / "solution.cpp", None, "still has a TODO")
