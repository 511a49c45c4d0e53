#include "tutorials/workshop.h"

#include <csignal>
#include <cstdlib>
#include <fcntl.h>
#include <fstream>
#include <iterator>
#include <sstream>
#include <stdexcept>
#include <sys/file.h>
#include <sys/wait.h>
#include <unistd.h>

namespace headroom {
namespace {

namespace fs = std::filesystem;
const fs::path workshop = fs::path(HEADROOM_BUILD) / "tutorials";

// One build at a time in this folder, whoever starts it; the kernel gives the lock back with the process.
class OneAtATime {
public:
    OneAtATime() : file_(::open((workshop / "lock").c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666))
    {
        if (file_ >= 0) ::flock(file_, LOCK_EX);
    }
    ~OneAtATime()
    {
        if (file_ >= 0) ::close(file_);
    }
    OneAtATime(const OneAtATime&) = delete;
    OneAtATime& operator=(const OneAtATime&) = delete;

private:
    int file_;
};

std::string read(const fs::path& path)
{
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

std::string quoted(const fs::path& path)
{
    std::string text = "'";
    for (const char c : path.string()) text += c == '\'' ? std::string("'\\''") : std::string(1, c);
    return text + "'";
}

int shell(const std::string& command)
{
    const int status = std::system(command.c_str());
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

fs::path log_of(const std::string& target) { return workshop / (target + ".log"); }

bool build(const std::string& target)
{
    return shell(quoted(HEADROOM_CMAKE) + " --build " + quoted(HEADROOM_BUILD) + " --target " + target + " >" +
                 quoted(log_of(target)) + " 2>&1 </dev/null") == 0;
}

std::string first_error(const std::string& target) // the compiler's, else the last line of the log
{
    std::istringstream log(read(log_of(target)));
    std::string line, last;
    while (std::getline(log, line)) {
        if (line.find("error:") != std::string::npos) return line;
        if (!line.empty()) last = line;
    }
    return last;
}

// The build knows only its copy, so that any file can be checked; the compiler still names the reader's lines.
void copy_for_build(const fs::path& file, const fs::path& copy)
{
    const std::string text = "#line 1 \"" + fs::absolute(file).generic_string() + "\"\n" + read(file);
    if (text != read(copy)) std::ofstream(copy, std::ios::binary) << text;
}

} // namespace

void run_program(const Chapter& chapter)
{
    const OneAtATime turn;
    if (!build(chapter.name))
        throw std::runtime_error(chapter.name + " could not be built: " + first_error(chapter.name));
    if (shell(quoted(workshop / chapter.name)) != 0) throw std::runtime_error(chapter.name + " failed");
}

Verdict check_exercise(const Chapter& chapter, const fs::path& file)
{
    if (!fs::is_regular_file(file)) throw std::invalid_argument("there is no file " + file.string());
    const OneAtATime turn;
    const std::string target = chapter.name + "_reader";
    copy_for_build(file, workshop / (target + ".cpp"));
    if (!build(target)) return {false, false, first_error(target) + "\n"};
    const fs::path said = workshop / (target + ".said");
    // 20 s of computing and 1 MiB of words (2048 blocks of 512 bytes) are more than any exercise takes.
    const int code = shell("ulimit -S -t 20; ulimit -f 2048; " + quoted(workshop / target) + " >" + quoted(said) +
                           " 2>&1 </dev/null");
    if (code == 0 || code == 1) {
        const std::string words = read(said);
        if (code == 1 || words.ends_with("checks hold. ")) return {true, code == 0, words};
        return {true, false, "the program ended before its checks did\n"};
    }
    if (code == 128 + SIGXCPU) return {true, false, "the program did not end within 20 seconds\n"};
    if (code == 128 + SIGXFSZ) return {true, false, "the program writes without end\n"};
    const std::string how = code > 128 ? "was stopped by signal " + std::to_string(code - 128)
                                       : "ended by itself, with exit code " + std::to_string(code);
    return {true, false, "the program " + how + "\n"};
}

} // namespace headroom
