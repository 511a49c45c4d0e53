// The README's table names every command that there is, and none that there is not.
#include "reference/tensor/files.h"
#include "tests/support/catch.h"
#include "tests/support/command_line.h"
#include <algorithm>
#include <sstream>
#include <string_view>

using namespace headroom;

namespace {

// The words in backticks in the first column of the table that begins with "| command |".
std::vector<std::string> commands_of_table(const std::string& page)
{
    std::istringstream lines(page);
    std::vector<std::string> names;
    bool inside = false;
    for (std::string line; std::getline(lines, line);) {
        if (!line.starts_with("|")) inside = false;
        if (line.starts_with("| command |")) inside = true;
        if (!inside) continue;
        const std::string first = line.substr(1, line.find('|', 1) - 1);
        for (std::size_t at = first.find('`'); at != std::string::npos;) {
            const std::size_t end = first.find('`', at + 1);
            names.push_back(first.substr(at + 1, end - at - 1));
            at = end == std::string::npos ? end : first.find('`', end + 1);
        }
    }
    std::ranges::sort(names);
    return names;
}

} // namespace

TEST_CASE("the README's table names every command that there is, and none that there is not")
{
    std::vector<std::string> commands{
#define COMMAND(name, summary) #name,
#include "cli/commands.inc"
#undef COMMAND
    };
    std::ranges::sort(commands);
    const std::vector<std::byte> page = read_file(std::filesystem::path(HEADROOM_SOURCE_FOLDER) / "README.md");
    CHECK(commands_of_table({reinterpret_cast<const char*>(page.data()), page.size()}) == commands);
}

TEST_CASE("the set-up script refuses in one line before it installs or builds anything")
{
    const std::filesystem::path script = std::filesystem::path(HEADROOM_SOURCE_FOLDER) / "headroom";
    CHECK(is_refusal(program(script, {})));
    CHECK(is_refusal(program(script, {"install", "moon"})));
    CHECK(is_refusal(program(script, {"install", "ci", "fresh"})));
    const Ran help = program(script, {"--help"}, "/");
    CHECK((help.exit_code == 0 && help.err.empty()));
    CHECK_THAT(help.out, containing("  tour "));
    CHECK_THAT(help.out, containing("  test "));
}

TEST_CASE("commands are found in the first column of their own table")
{
    CHECK(commands_of_table(
              "| option | |\n|---|---|\n| `a` | |\n\n"
              "| command | does |\n|---|---|\n| `two`, `one` | like `cat` |\n| `three` | |\n\n| `b` | |\n") ==
          std::vector<std::string>{"one", "three", "two"});
}
