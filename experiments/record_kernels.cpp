#include "experiments/record_kernels.h"

#include "reference/tensor/files.h"
#include "reference/tensor/this_program.h"
#include <cstdlib>
#include <fcntl.h>
#include <spawn.h>
#include <stdexcept>
#include <sys/wait.h>
#include <system_error>
#include <unistd.h>

extern char** environ;

namespace headroom {
namespace {

namespace fs = std::filesystem;

// A folder that goes when it is no longer needed.
class Scratch {
public:
    Scratch()
    {
        std::string name = (fs::temp_directory_path() / "headroom-XXXXXX").string();
        if (!mkdtemp(name.data()))
            throw std::runtime_error("no folder can be made in " + fs::temp_directory_path().string());
        path_ = name;
    }
    ~Scratch()
    {
        std::error_code ignored;
        fs::remove_all(path_, ignored);
    }
    const fs::path& path() const { return path_; }

private:
    fs::path path_;
};

// HEADROOM_TRACED names another one, e.g. for tests, which lie elsewhere.
fs::path traced_program()
{
    if (const char* chosen = std::getenv("HEADROOM_TRACED")) return chosen;
    return this_program().parent_path() / "headroom-traced";
}

int run(const fs::path& program, std::vector<std::string> words, const fs::path& errors)
{
    std::vector<char*> arguments;
    for (std::string& word : words) arguments.push_back(word.data());
    arguments.push_back(nullptr);
    posix_spawn_file_actions_t files;
    posix_spawn_file_actions_init(&files);
    posix_spawn_file_actions_addopen(&files, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
    posix_spawn_file_actions_addopen(&files, STDERR_FILENO, errors.c_str(), O_WRONLY | O_CREAT, 0600);
    pid_t child = 0;
    const int failed = posix_spawn(&child, program.c_str(), &files, nullptr, arguments.data(), environ);
    posix_spawn_file_actions_destroy(&files);
    int status = 0;
    if (failed || waitpid(child, &status, 0) < 0 || !WIFEXITED(status)) return -1;
    return WEXITSTATUS(status);
}

} // namespace

std::vector<TracedStep> record_kernels(const RecordKernelsSettings& s)
{
    const fs::path program = traced_program();
    std::error_code unknown;
    if (!fs::exists(program, unknown))
        throw std::runtime_error(
            program.filename().string() +
            " is missing: it is built and installed together with headroom, except under a sanitizer");
    const Scratch scratch;
    const fs::path out = scratch.path() / "traced", errors = scratch.path() / "errors";
    const int code = run(program,
                         {"headroom trace", "--impl=" + s.implementations, "--q-heads=" + std::to_string(s.q_heads),
                          "--kv-heads=" + std::to_string(s.kv_heads), "--keys=" + std::to_string(s.keys),
                          "--head-dim=" + std::to_string(s.head_dim), "--kv-dtype=" + s.kv_type,
                          "--seed=" + std::to_string(s.seed), "--output=" + out.string()},
                         errors);
    if (code != 0) {
        std::string said = "it could not be run";
        if (fs::exists(errors, unknown)) {
            const std::vector<std::byte> bytes = read_file(errors);
            said.assign(reinterpret_cast<const char*>(bytes.data()), bytes.size());
            said = said.substr(0, said.find('\n'));
        }
        throw std::runtime_error(program.filename().string() + ": " + said);
    }
    return read_recording(out).kernels;
}

} // namespace headroom
