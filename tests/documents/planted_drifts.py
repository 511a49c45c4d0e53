#!/usr/bin/env python3
"""The checks are checked: a small project whose pages are right, then one planted mistake at a time, each found by name."""
import shutil
import stat
import sys
import tempfile
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
sys.dont_write_bytecode = True

from check import CHECKS, UPDATES  # noqa: E402
from pictures import differences  # noqa: E402
from project import Project  # noqa: E402

ENGLISH = """# 1. One thing

Is it **one**?

![a picture](picture.svg)

<!-- listing: main.cpp from "// Add" -->
```cpp
// Add.
int sum = 1 + 2;
```

    ./headroom tutorial 1
    ./headroom cache --kind growing

<!-- output: main -->
```text
sum 3 of 2,048
bytes 1024
```

It is 3<!-- = sum --> and takes 1,024<!-- = bytes --> bytes; see [the list](../README.md#chapters).

The [total](../glossary.md#total) is kept in [octets](../glossary.md#byte).

| a | b |
|---|---|
| 1 | 2 |

## Exercise

    ./headroom tutorial 1 --check
"""
CHINESE = (ENGLISH.replace("One thing", "一件事").replace("Is it **one**?", "是**一**吗？").replace("a picture", "图")
           .replace("picture.svg", "picture.zh.svg").replace("It is", "它是").replace("and takes", "占")
           .replace(" bytes; see", " 字节；见").replace("[the list](../README.md", "[目录](../README.zh.md")
           .replace("The [total]", "这个[总和]").replace("is kept in [octets]", "存放为[八位组]").replace("glossary.md", "glossary.zh.md")
           .replace("## Exercise", "## 练习"))
MAIN = """int main()
{
    // Add.
    int sum = 1 + 2;

    return sum;
}
"""
GLOSSARY = '# Words\n\n| term | meaning |\n|---|---|\n| <a id="total"></a>total | x |\n| <a id="byte"></a>byte | y |\n'
CHAPTERS = "# Tutorials\n\n## Chapters\n\nOne.\n"
PROGRAM = """#!/bin/sh
case "$*" in
--help) printf 'Subcommands:\\n  tutorial  x\\n  cache  x\\n' ;;
"cache --help") echo "  --kind TEXT" ;;
"tutorial --help") echo "  --check" ;;
"cache --kind growing") echo fine ;;
*) echo bad >&2; exit 2 ;;
esac
"""


class PlantedDrifts(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.root = Path(self.folder.name)
        self.build = self.root / "build"
        one = "tutorials/01_one/"
        for name, text in {
                "README.md": "# Front\n\n[Tutorials](tutorials/README.md)\n\n| `tutorial` | x |\n|---|---|\n| `cache` | y |\n",
                "README.zh.md": "# 首页\n\n[教程](tutorials/README.zh.md)\n\n| `tutorial` | x |\n|---|---|\n| `cache` | y |\n",
                "tutorials/README.md": CHAPTERS,
                "tutorials/README.zh.md": "# 教程\n\n## Chapters 章节\n\n一。\n".replace("Chapters 章节", "chapters 章"),
                "tutorials/glossary.md": GLOSSARY,
                "tutorials/glossary.zh.md": GLOSSARY.replace("# Words", "# 词"),
                "tutorials/CMakeLists.txt": "headroom_chapter(01_one)\n",
                one + "README.md": ENGLISH, one + "README.zh.md": CHINESE.replace("#chapters", "#chapters-章"),
                one + "main.cpp": MAIN, one + "output.txt": "sum 3 of 2,048\nbytes 1024\n",
                one + "picture.svg": "", one + "picture.zh.svg": "",
                one + "exercise.cpp": "// TODO\n", one + "solution.cpp": "", one + "exercise_test.cpp": ""}.items():
            self.write(name, text)
        self.program("headroom", PROGRAM)
        self.program("tutorials/01_one", "#!/bin/sh\nprintf 'sum 3 of 2,048\\nbytes 1024\\n'\n")

    def tearDown(self):
        self.folder.cleanup()

    def write(self, name, text):
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")

    def program(self, name, text):
        self.write("build/" + name, text)
        (self.build / name).chmod(stat.S_IRWXU)

    def objections(self):
        project = Project(self.root, self.build)
        for check in CHECKS.values():
            check(project)
        return project.objections

    def finds(self, name, old, new, *words):
        """Plants a mistake and expects objections, one of which has all these words; then takes it back."""
        path = self.root / name
        right = path.read_text(encoding="utf-8")
        self.assertIn(old, right)
        path.write_text(right.replace(old, new, 1), encoding="utf-8")
        found = self.objections()
        path.write_text(right, encoding="utf-8")
        self.assertTrue(any(all(word in each for word in words) for each in found), f"{words} not in {found}")

    def test_no_mistake_no_objection(self):
        self.assertEqual(self.objections(), [])

    def test_a_listing_that_drifted(self):
        self.finds("tutorials/01_one/main.cpp", "1 + 2", "1 + 3", "01_one/README.md", "this listing says")
        self.finds("tutorials/01_one/README.md", "int sum = 1 + 2;", "int sum = 2 + 1;", "this listing says")
        self.finds("tutorials/01_one/main.cpp", "// Add.", "// Sum.", "stands in 0 lines")
        self.finds("tutorials/01_one/README.md", '<!-- listing: main.cpp from "// Add" -->\n', "", "without a marker")
        self.finds("tutorials/01_one/README.md", "listing: main.cpp", "listing: other.cpp", "no file other.cpp")

    def test_an_output_that_drifted(self):
        self.finds("build/tutorials/01_one", "sum 3", "sum 4", "this output says")
        self.finds("build/tutorials/01_one", "sum 3", "sum 4", "output.txt", "differs")
        self.finds("tutorials/01_one/README.md", "sum 3 of", "sum 3 off", "this output says")
        self.finds("build/tutorials/01_one", "printf", "exit 3; printf", "exit code 3")

    def test_a_number_that_drifted(self):
        self.finds("tutorials/01_one/README.md", "1,024<!--", "1,025<!--", "1,025", "1024")
        self.finds("tutorials/01_one/README.md", "= bytes -->", "= octets -->", "stand 0 times")
        self.finds("tutorials/01_one/README.md", "1,024<!-- = bytes -->", "1,024", "is not marked")

    def test_a_number_from_a_run_that_is_not_shown(self):
        self.program("tutorials/02_two", "#!/bin/sh\nprintf 'rows 7\\n'\n")
        self.program("headroom", PROGRAM.replace("echo fine", "echo stored 5"))
        self.write("claims.md", "# Claims\n\n<!-- run: headroom cache --kind growing -->\n<!-- run: chapter 02_two -->\n\n"
                   "5<!-- = stored --> and 7<!-- = rows -->\n")
        self.assertEqual(self.objections(), [])
        self.finds("claims.md", "5<!--", "6<!--", "claims.md", "6 where the run says 5")
        self.finds("claims.md", "7<!--", "8<!--", "claims.md", "8 where the run says 7")
        self.finds("claims.md", "chapter 02_two", "chapter 03_three", "claims.md", "cannot be run")

    def test_a_figure_without_a_mark(self):
        self.program("headroom", PROGRAM.replace("echo fine", "echo stored 512 of 1024"))
        self.write("claims.md", "# Claims\n\n<!-- run: headroom cache --kind growing -->\n\n"
                   "| 512<!-- = stored --> of 1024<!-- given --> and 2048<!-- given --> |\n|---|\n")
        self.assertEqual(self.objections(), [])
        self.finds("claims.md", "1024<!-- given -->", "1024", "claims.md", "1024 stands in the output too")
        self.finds("claims.md", "2048<!-- given -->", "2048", "claims.md", "2048 stands in a row of figures")

    def test_a_link_that_leads_nowhere(self):
        self.finds("README.md", "tutorials/README.md", "tutorial/README.md", "leads nowhere")
        self.finds("tutorials/01_one/README.md", "#chapters", "#chapter", "no heading #chapter")
        self.finds("README.md", "(tutorials/README.md)", "(http://example.org/)", "neither relative nor https")
        self.finds("README.md", "(tutorials/README.md)", "(../outside.md)", "leads nowhere")

    def test_a_word_of_the_glossary(self):
        one = "tutorials/01_one/README.md"
        self.finds(one, "[total](../glossary.md#total)", "total", one, "links 1 words of the glossary")
        self.finds(one, "#total)", "#totals)", one, "no heading #totals")
        self.finds(one, "#total)", "#byte)", "links #byte of the glossary 2 times")
        self.finds(one, "#total)", "#byte)", "links and pictures differ")
        self.finds(one, "It is 3", "The total is 3", one, "'total' stands further up already")
        self.finds("tutorials/glossary.md", '<a id="total"></a>', "", "glossary.md", "a row without a name")
        self.finds("tutorials/glossary.md", '<a id="total"></a>', "", "glossary.zh.md", "anchors differ")
        self.finds("tutorials/glossary.md", 'id="byte"', 'id="total"', "glossary.md", "2 rows are named total")

    def test_a_command_that_is_none(self):
        self.finds("tutorials/01_one/README.md", "headroom cache", "headroom cash", "no command 'cash'")
        self.finds("tutorials/01_one/README.md", "--kind growing", "--sort growing", "no option --sort")
        self.finds("tutorials/01_one/README.md", "--kind growing", "--kind shrinking", "exit code 2")
        self.finds("README.md", "| `cache` |", "| `cash` |", "no row for 'cache'")
        self.finds("README.md", "# Front", "# Front\n\n    python3 tools/none.py\n", "no script tools/none.py")

    def test_a_language_that_is_out_of_step(self):
        chinese = "tutorials/01_one/README.zh.md"
        self.finds(chinese, "## 练习", "### 练习", "headings differ")
        self.finds(chinese, "int sum = 1 + 2;", "int sum = 1 + 2; ", "listings and outputs differ")
        self.finds(chinese, "它是 3<!-- = sum -->", "它是 3", "marked numbers differ")
        self.finds(chinese, "![图](picture.zh.svg)", "图", "links and pictures differ")
        self.finds(chinese, "    ./headroom cache --kind growing\n", "", "commands differ")
        self.finds(chinese, "| 1 | 2 |\n", "", "tables differ")
        self.finds(chinese, "是**一**吗？", "Is it one? " + "One two three four five six seven eight nine. " * 2,
                   "not translated")
        self.write("tutorials/words.zh.md", "# 词汇\n")
        self.assertTrue(any("tutorials/words.md: is missing" in each for each in self.objections()))
        (self.root / "README.zh.md").unlink()
        self.assertTrue(any("README.zh.md: is missing" in each for each in self.objections()))

    def test_a_chapter_without_its_parts(self):
        self.finds("tutorials/CMakeLists.txt", "01_one", "02_two", "has no line")
        self.finds("tutorials/01_one/main.cpp", "int main", "\n" * 100 + "int main", "100 are the most")
        self.finds("tutorials/01_one/README.md", "Is it **one**?", "It is one.", "opens with a question")
        self.finds("tutorials/01_one/README.md", "## Exercise", "## Homework", "ends with the exercise")
        self.finds("tutorials/01_one/README.md", "tutorial 1 --check", "tutorial 2 --check", "does not name")
        self.finds("tutorials/01_one/README.md", "![a picture](picture.svg)", "", "has no picture")
        (self.root / "tutorials/01_one/solution.cpp").unlink()
        self.assertTrue(any("solution.cpp: is missing" in each for each in self.objections()))

    def test_a_way_on_that_leads_elsewhere(self):
        one, two = self.root / "tutorials/01_one", self.root / "tutorials/02_two"
        shutil.copytree(one, two)
        shutil.copy(self.build / "tutorials/01_one", self.build / "tutorials/02_two")
        self.write("tutorials/CMakeLists.txt", "headroom_chapter(01_one)\nheadroom_chapter(02_two)\n")
        for name in ("README.md", "README.zh.md"):
            text = (two / name).read_text(encoding="utf-8").replace("# 1.", "# 2.")
            (two / name).write_text(text.replace("tutorial 1", "tutorial 2"), encoding="utf-8")
            words = "\nNext: [two](../02_two/README.md).\n" if name == "README.md" else "\n下一章：[二](../02_two/README.zh.md)。\n"
            with open(one / name, "a", encoding="utf-8") as page:
                page.write(words)
        self.assertEqual(self.objections(), [])
        self.finds("tutorials/01_one/README.md", "(../02_two/README.md)", "(../01_one/README.md)", "01_one", "../02_two")
        self.finds("tutorials/01_one/README.md", "Next: ", "See ", "01_one/README.md", "ends with 'Next: '")
        self.finds("tutorials/01_one/README.zh.md", "(../02_two/README.zh.md)", "(../README.zh.md)", "README.zh.md", "../02_two")

    def test_a_picture_that_drifted(self):
        kept, fresh = self.root / "tutorials", self.root / "fresh"
        for name in ("picture.svg", "picture.zh.svg"):
            self.write("fresh/01_one/" + name, "")
        self.assertEqual(list(differences(kept, fresh)), [])
        self.write("fresh/01_one/picture.svg", "<svg/>")
        self.write("fresh/02_two/picture.svg", "<svg/>")
        (fresh / "01_one/picture.zh.svg").unlink()
        self.assertEqual([line.split(":")[0] for line in differences(kept, fresh)],
                         ["01_one/picture.svg", "01_one/picture.zh.svg", "02_two/picture.svg"])

    def test_update_repairs_listings_outputs_and_numbers(self):
        self.write("tutorials/01_one/main.cpp", MAIN.replace("1 + 2", "2 + 2"))
        self.program("tutorials/01_one", "#!/bin/sh\nprintf 'sum 4 of 2,048\\nbytes 4096\\n'\n")
        self.assertNotEqual(self.objections(), [])
        for name in UPDATES:
            CHECKS[name](Project(self.root, self.build), update=True)
        self.assertEqual(self.objections(), [])
        text = (self.root / "tutorials/01_one/README.zh.md").read_text(encoding="utf-8")
        self.assertIn("它是 4<!-- = sum --> 占 4,096<!-- = bytes --> 字节", text)


if __name__ == "__main__":
    unittest.main()
