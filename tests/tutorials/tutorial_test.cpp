// The command that lists, runs and checks the chapters, on chapter 1. Its build runs inside this test's.
#include "tests/support/catch.h"
#include "tests/support/command_line.h"
#include "tests/support/temporary_folder.h"
#include <fstream>
#include <iterator>

using namespace headroom;

namespace {

const std::filesystem::path folder = std::filesystem::path(HEADROOM_SOURCE_FOLDER) / "tutorials/01_one_query";

std::string text_of(const std::filesystem::path& path)
{
    std::ifstream file(path);
    return {std::istreambuf_iterator<char>(file), {}};
}

bool has(const std::string& text, const std::string& words) { return text.find(words) != std::string::npos; }

// Checks a file of the reader's, so that the exercise in the checkout stays as it is.
Ran check(const std::string& text, const std::vector<std::string>& more = {})
{
    const TemporaryFolder mine;
    const std::string file = mine.path() / "mine.cpp";
    std::ofstream(file) << text;
    std::vector<std::string> words{"tutorial", "1", "--check", "--file", file};
    words.insert(words.end(), more.begin(), more.end());
    return headroom_program(words, mine.path());
}

} // namespace

TEST_CASE("the list has every chapter with its title, its question and the reader's progress")
{
    const Ran english = headroom_program({"tutorial"}), chinese = headroom_program({"tutorial", "--lang", "zh"});
    CHECK(english.exit_code == 0);
    CHECK(has(english.out, "One query by hand"));
    CHECK(has(english.out, "?"));
    CHECK(has(english.out, "exercises solved"));
    CHECK(has(chinese.out, "手算一个查询"));
    CHECK(has(headroom_program({"tutorial", "--json"}).out, "\"headroom.tutorial/1\""));
}

TEST_CASE("a chapter shows its question, runs its program and says what to do next")
{
    const Ran ran = headroom_program({"tutorial", "1"});
    CHECK(ran.exit_code == 0);
    CHECK(has(ran.out, text_of(folder / "output.txt")));
    CHECK(has(ran.out, "headroom tutorial 1 --check"));
    const Ran text = headroom_program({"tutorial", "1", "--text", "--lang", "zh"});
    CHECK(has(text.out, "# 1. 手算一个查询"));
    CHECK(!has(text.out, "<!--"));
}

TEST_CASE("an exercise is red with a hint before it is solved, green after, and says where it does not compile")
{
    const std::string given = text_of(folder / "exercise.cpp"), solved = text_of(folder / "solution.cpp");
    const Ran after = check(solved);
    CHECK(after.exit_code == 0);
    CHECK(has(after.out, "solves chapter 1"));

    std::string wrong = solved;
    wrong.replace(wrong.find("score - max"), 11, "score"); // as in the exercise that is given
    const Ran before = check(wrong);
    CHECK(before.exit_code == 1);
    CHECK(has(before.out, "Hint: "));

    const Ran chinese = check(wrong, {"--lang", "zh"});
    CHECK(chinese.exit_code == 1);
    CHECK(has(chinese.out, "还没有完成"));

    const Ran broken = check(solved + "\nint main() { return nothing; }\n");
    CHECK(broken.exit_code == 1);
    CHECK(has(broken.out, "mine.cpp"));
    CHECK(has(broken.out, "nothing"));

    const Ran crashing = check("#include <cstdlib>\n" + solved + "\nstatic const int now = (std::abort(), 0);\n");
    CHECK(crashing.exit_code == 1);
    CHECK(has(crashing.out, "signal"));
    CHECK(has(given, "softmax"));
}

TEST_CASE("bad input to the tutorial is refused in one line")
{
    CHECK(is_refusal(headroom_program({"tutorial", "99"})));
    CHECK(is_refusal(headroom_program({"tutorial", "--check"})));
    CHECK(is_refusal(headroom_program({"tutorial", "1", "--file", "mine.cpp"})));
    CHECK(is_refusal(headroom_program({"tutorial", "1", "--check", "--file", "no_such_file.cpp"})));
    CHECK(is_refusal(headroom_program({"tutorial", "one"})));
    CHECK(is_refusal(headroom_program({"tutorial", "1", "--json"})));
    CHECK(is_refusal(headroom_program({"tutorial", "1", "--check", "--json"})));
    CHECK(is_refusal(headroom_program({"tutorial", "1", "--check", "--text"})));
    CHECK(is_refusal(headroom_program({"tutorial", "museum", "--pictures", ""})));
    CHECK(is_refusal(headroom_program({"tutorial", "1", "--pictures", ""})));
}

TEST_CASE("a program that ends before its checks, or writes without end, solves nothing")
{
    const std::string head = "#include \"tutorials/01_one_query/exercise.h\"\n#include <cstdio>\n#include <cstdlib>\n"
                             "std::vector<double> softmax(const std::vector<double>& scores)\n{\n";
    const Ran early = check(head + "    std::_Exit(static_cast<int>(scores.size()) - 3);\n}\n");
    CHECK(early.exit_code == 1);
    CHECK(has(early.out, "ended before its checks did"));
    const Ran code = check(head + "    std::_Exit(static_cast<int>(scores.size()));\n}\n");
    CHECK(code.exit_code == 1);
    CHECK(has(code.out, "exit code 3"));
    const Ran flood = check(head + "    for (;;) std::puts(\"a line\");\n    return scores;\n}\n");
    CHECK(flood.exit_code == 1);
    CHECK(has(flood.out, "writes without end"));
}
