#include "tests/support/command_line.h"

#include "tests/support/temporary_folder.h"
#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <fcntl.h>
#include <fstream>
#include <iterator>
#include <sys/wait.h>
#include <system_error>
#include <unistd.h>

namespace headroom {
namespace {

std::string text_of(const std::filesystem::path& path)
{
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

int run(const std::filesystem::path& path, const std::vector<std::string>& arguments,
        const std::filesystem::path& folder, const std::string& in, const std::string& out, const std::string& err)
{
    std::string command = "cd " + shell_word(folder) + " && " + shell_word(path);
    for (const std::string& argument : arguments) command += " " + shell_word(argument);
    command += (in.empty() ? " <&-" : " <" + shell_word(in)) + " >" + shell_word(out) + " 2>" + shell_word(err);
    const int status = std::system(command.c_str());
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

} // namespace

Ran program(const std::filesystem::path& path, const std::vector<std::string>& arguments,
            const std::filesystem::path& folder, const std::filesystem::path& printing_to, const std::string& typed)
{
    const TemporaryFolder printed;
    const std::string in = printed.path() / "in", out = printed.path() / "out", err = printed.path() / "err";
    std::ofstream(in, std::ios::binary) << typed;
    const int code = run(path, arguments, folder, in, printing_to.empty() ? out : printing_to.string(), err);
    return {code, printing_to.empty() ? text_of(out) : "", text_of(err)};
}

Ran headroom_program(const std::vector<std::string>& arguments, const std::filesystem::path& folder,
                     const std::filesystem::path& printing_to, const std::string& typed)
{
    return program(HEADROOM_PROGRAM, arguments, folder, printing_to, typed);
}

Ran headroom_program_reading(const std::filesystem::path& from, const std::vector<std::string>& arguments)
{
    const TemporaryFolder printed;
    const std::string out = printed.path() / "out", err = printed.path() / "err";
    const int code = run(HEADROOM_PROGRAM, arguments, ".", from, out, err);
    return {code, text_of(out), text_of(err)};
}

Ran headroom_program_with_terminal(const std::vector<std::string>& arguments)
{
    const TemporaryFolder printed;
    const std::string out = printed.path() / "out";
    const int terminal = ::posix_openpt(O_RDWR | O_NOCTTY | O_NONBLOCK);
    if (terminal < 0 || ::grantpt(terminal) != 0 || ::unlockpt(terminal) != 0)
        throw std::system_error(errno, std::generic_category(), "a terminal for a test");
    const std::string name = ::ptsname(terminal);
    const int kept_open = ::open(name.c_str(), O_RDWR | O_NOCTTY); // or what it printed is lost when it ends
    Ran ran{run(HEADROOM_PROGRAM, arguments, ".", "/dev/null", out, name), text_of(out), ""};
    char piece[4096];
    for (ssize_t n; (n = ::read(terminal, piece, sizeof piece)) > 0;)
        ran.err.append(piece, static_cast<std::size_t>(n));
    ::close(kept_open), ::close(terminal);
    return ran;
}

bool is_refusal(const Ran& ran)
{
    return ran.exit_code == 2 && ran.out.empty() && ran.err.size() > 1 && ran.err.back() == '\n' &&
           std::ranges::count(ran.err, '\n') == 1;
}

} // namespace headroom
