// The command that lists, runs and checks the chapters, on chapter 1. Its build runs inside this test's.
#include "tests/support/catch.h"
#include "tests/support/command_line.h"
#include "tests/support/temporary_folder.h"
#include "tutorials/workshop.h"
#include <chrono>
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

TEST_CASE("a solution that sleeps is ended, and the next check does not wait for it")
{
    const TemporaryFolder mine;
    const std::filesystem::path file = mine.path() / "mine.cpp";
    const std::string solved = text_of(folder / "solution.cpp");
    std::ofstream(file) << "#include <unistd.h>\n" << solved << "\nstatic const int now = ::pause();\n";
    const Verdict asleep = check_exercise(chapter(1), file, 1);
    CHECK(asleep.compiled);
    CHECK_FALSE(asleep.passed);
    CHECK(asleep.words == "the program did not end within 1 s\n");
    std::ofstream(file) << solved << "\nstatic const int now = [] { for (volatile int i = 0;;) i = 1; return 0; }();\n";
    CHECK(check_exercise(chapter(1), file, 1).words == asleep.words);
    CHECK(check(solved).exit_code == 0);
}

TEST_CASE("a file that lacks the function, or has a main of its own, is told so in one line")
{
    for (const auto& [text, words] :
         {std::pair<std::string, std::string>{"", "softmax is missing"},
          {text_of(folder / "solution.cpp") + "\nint main() {}\n", "main is there twice"}}) {
        const Ran ran = check(text);
        INFO(ran.out << ran.err);
        CHECK(ran.exit_code == 1);
        CHECK(has(ran.out, "It does not compile yet: " + words));
        CHECK(std::ranges::count(ran.out, '\n') == 2); // and what to do next
    }
}

TEST_CASE("of a file that is no program the first error is said, and the compiler does not go on to write all of them")
{
    const Ran ran = check(std::string(50'000, '@'));
    CHECK(ran.exit_code == 1);
    CHECK(has(ran.out, "mine.cpp:1:1"));
    const auto log = std::filesystem::path(HEADROOM_PROGRAM).parent_path() / "tutorials/01_one_query_reader.log";
    CHECK(text_of(log).size() < 500'000); // the line itself may be quoted
}

TEST_CASE("any name of the file is one that the compiler can repeat")
{
    const TemporaryFolder mine;
    const std::filesystem::path file = mine.path() / "mine\\\"s.cpp";
    std::ofstream(file) << text_of(folder / "solution.cpp");
    CHECK(headroom_program({"tutorial", "1", "--check", "--file", file}).exit_code == 0);
    std::ofstream(file) << "nothing;\n";
    const Ran broken = headroom_program({"tutorial", "1", "--check", "--file", file});
    CHECK(broken.exit_code == 1);
    CHECK(has(broken.out, "mine\\\"s.cpp:1:"));
}

TEST_CASE("a reader who has seen enough of a chapter closes the pipe, and nothing is said of it")
{
    const Ran ran = program("/bin/sh", {"-c", shell_word(HEADROOM_PROGRAM) + " tutorial 1 | head -1"});
    INFO(ran.err);
    CHECK(ran.exit_code == 0);
    CHECK(ran.err.empty());
}
