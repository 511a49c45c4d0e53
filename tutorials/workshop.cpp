#include "tutorials/workshop.h"

#include "reference/tensor/shell_word.h"
#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <fcntl.h>
#include <fstream>
#include <iterator>
#include <optional>
#include <sstream>
#include <stdexcept>
#include <sys/file.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <thread>
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

int exit_code(int status) { return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status); }
int shell(const std::string& command) { return exit_code(std::system(command.c_str())); }

// In the child: no input, at most 1 MiB of words, and no more computing than time, should nobody be left to end it.
[[noreturn]] void become(const char* program, const char* said, rlim_t seconds)
{
    const rlimit computing{seconds, seconds + 1}, words{1 << 20, 1 << 20};
    const int in = ::open("/dev/null", O_RDONLY), out = ::open(said, O_WRONLY | O_CREAT | O_TRUNC, 0666);
    if (::dup2(in, 0) == 0 && ::dup2(out, 1) == 1 && ::dup2(out, 2) == 2 && ::setrlimit(RLIMIT_CPU, &computing) == 0 &&
        ::setrlimit(RLIMIT_FSIZE, &words) == 0)
        ::execl(program, program, static_cast<char*>(nullptr));
    ::_exit(127);
}

// The exit code of a program whose words go to a file; nothing if it had to be ended after so many seconds.
std::optional<int> run_for(int seconds, const fs::path& program, const fs::path& said)
{
    const pid_t child = ::fork();
    if (child < 0) throw std::runtime_error("cannot start " + program.string());
    if (child == 0) become(program.c_str(), said.c_str(), static_cast<rlim_t>(seconds));
    const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(seconds);
    int status = 0;
    while (::waitpid(child, &status, WNOHANG) == 0) {
        if (std::chrono::steady_clock::now() > end) {
            ::kill(child, SIGKILL);
            ::waitpid(child, &status, 0);
            return {};
        }
        std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
    if (exit_code(status) == 128 + SIGXCPU) return {};
    return exit_code(status);
}

fs::path log_of(const std::string& target) { return workshop / (target + ".log"); }

bool build(const std::string& target)
{
    return shell(shell_word(HEADROOM_CMAKE) + " --build " + shell_word(HEADROOM_BUILD) + " --target " + target + " >" +
                 shell_word(log_of(target)) + " 2>&1 </dev/null") == 0;
}

// What a linker says of a symbol, in words for who wrote only the exercise; empty where it says nothing of one.
std::string linker_error(const std::string& line)
{
    const auto symbol_behind = [&](std::initializer_list<std::string_view> words) -> std::string {
        for (const std::string_view said : words) // GNU ld's, then lld's and mold's
            if (const std::size_t at = line.find(said); at != std::string::npos) {
                const std::string rest = line.substr(at + said.size());
                return rest.substr(0, rest.find_first_of("('"));
            }
        return {};
    };
    if (const std::string name = symbol_behind({"undefined reference to `", "undefined symbol: "}); !name.empty())
        return name + " is missing, which the exercise's test calls";
    if (const std::string name = symbol_behind({"multiple definition of `", "duplicate symbol: "}); !name.empty())
        return name + " is there twice: the exercise's test has one already";
    return {};
}

std::string first_error(const std::string& target) // the compiler's or the linker's, else the last line of the log
{
    std::istringstream log(read(log_of(target)));
    std::string line, last;
    while (std::getline(log, line)) {
        if (std::string said = linker_error(line); !said.empty()) return said;
        if (line.find("error:") != std::string::npos) return line;
        if (!line.empty()) last = line;
    }
    return last;
}

// The build knows only its copy, so that any file can be checked; the compiler still names the reader's lines.
void copy_for_build(const fs::path& file, const fs::path& copy)
{
    std::string name;
    for (const char c : fs::absolute(file).string())
        name += c == '\n' ? "\\n" : c == '"' || c == '\\' ? std::string("\\") + c : std::string(1, c);
    const std::string text = "#line 1 \"" + name + "\"\n" + read(file);
    if (text != read(copy)) std::ofstream(copy, std::ios::binary) << text;
}

} // namespace

void run_program(const Chapter& chapter)
{
    const OneAtATime turn;
    if (!build(chapter.name))
        throw std::runtime_error(chapter.name + " could not be built: " + first_error(chapter.name));
    const int code = shell(shell_word(workshop / chapter.name));
    if (code == 128 + SIGPIPE) std::raise(SIGPIPE); // the reader has seen enough: the end of this program, too
    if (code != 0) throw std::runtime_error(chapter.name + " failed");
}

Verdict check_exercise(const Chapter& chapter, const fs::path& file, int seconds)
{
    if (!fs::is_regular_file(file)) throw std::invalid_argument("there is no file " + file.string());
    const OneAtATime turn;
    const std::string target = chapter.name + "_reader";
    copy_for_build(file, workshop / (target + ".cpp"));
    if (!build(target)) return {false, false, first_error(target) + "\n"};
    const fs::path said = workshop / (target + ".said");
    const std::optional<int> ended = run_for(seconds, workshop / target, said);
    if (!ended) return {true, false, "the program did not end within " + std::to_string(seconds) + " s\n"};
    const int code = *ended;
    if (code == 0 || code == 1) {
        const std::string words = read(said);
        if (code == 1 || words.ends_with("checks hold. ")) return {true, code == 0, words};
        return {true, false, "the program ended before its checks did\n"};
    }
    if (code == 128 + SIGXFSZ) return {true, false, "the program writes without end\n"};
    const std::string how = code > 128 ? "was stopped by signal " + std::to_string(code - 128)
                                       : "ended by itself, with exit code " + std::to_string(code);
    return {true, false, "the program " + how + "\n"};
}

} // namespace headroom
