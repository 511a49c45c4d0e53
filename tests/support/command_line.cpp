#include "tests/support/command_line.h"

#include "tests/support/temporary_folder.h"
#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <sys/wait.h>

namespace headroom {
namespace {

std::string quoted(const std::string& word)
{
    std::string text = "'";
    for (const char c : word) text += c == '\'' ? std::string("'\\''") : std::string(1, c);
    return text + "'";
}

std::string text_of(const std::filesystem::path& path)
{
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

} // namespace

Ran program(const std::filesystem::path& path, const std::vector<std::string>& arguments,
            const std::filesystem::path& folder, const std::filesystem::path& printing_to, const std::string& typed)
{
    const TemporaryFolder printed;
    const std::string in = printed.path() / "in", out = printed.path() / "out", err = printed.path() / "err";
    std::ofstream(in, std::ios::binary) << typed;
    std::string command = "cd " + quoted(folder) + " && " + quoted(path);
    for (const std::string& argument : arguments) command += " " + quoted(argument);
    const int status = std::system((command + " <" + quoted(in) + " >" +
                                    quoted(printing_to.empty() ? out : printing_to.string()) + " 2>" + quoted(err))
                                       .c_str());
    return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, printing_to.empty() ? text_of(out) : "", text_of(err)};
}

Ran headroom_program(const std::vector<std::string>& arguments, const std::filesystem::path& folder,
                     const std::filesystem::path& printing_to, const std::string& typed)
{
    return program(HEADROOM_PROGRAM, arguments, folder, printing_to, typed);
}

bool is_refusal(const Ran& ran)
{
    return ran.exit_code == 2 && ran.out.empty() && ran.err.size() > 1 && ran.err.back() == '\n' &&
           std::ranges::count(ran.err, '\n') == 1;
}

} // namespace headroom
