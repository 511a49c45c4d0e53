// headroom trace: what kernels do to memory. The kernels that tell stand in a program of their own, headroom-traced, which
// is started in place of this one.
#include "cli/command.h"
#include "cli/trace_options.h"

#include "reference/tensor/this_program.h"
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <memory>
#include <stdexcept>
#include <unistd.h>

namespace headroom {
namespace {

namespace fs = std::filesystem;

// The options that were given, as they would be typed again.
std::vector<std::string> given(const CLI::App& app)
{
    std::vector<std::string> words;
    for (const CLI::Option* option : app.get_options()) {
        if (option->count() == 0) continue;
        const std::string name =
            option->get_lnames().empty() ? "-" + option->get_snames()[0] : "--" + option->get_lnames()[0];
        if (option->get_items_expected() == 0) {
            words.push_back(name); // a flag
            continue;
        }
        for (const std::string& value : option->results()) words.push_back(name + "=" + value);
    }
    return words;
}

int start_traced(const CLI::App& app)
{
    std::error_code unknown;
    const fs::path program = this_program().parent_path() / "headroom-traced";
    if (!fs::exists(program, unknown))
        throw std::runtime_error(program.string() +
                                 " is missing: it is built and installed together with headroom, except "
                                 "under a sanitizer");
    std::vector<std::string> words = given(app);
    words.insert(words.begin(), "headroom trace");
    std::vector<char*> arguments;
    for (std::string& word : words) arguments.push_back(word.data());
    arguments.push_back(nullptr);
    execv(program.c_str(), arguments.data());
    throw std::runtime_error("cannot start " + program.string() + ": " + std::strerror(errno));
}

} // namespace

Action declare_trace(CLI::App& app)
{
    auto options = std::make_shared<TraceOptions>();
    declare_trace_options(app, *options);
    return [options, &app] { return start_traced(app); };
}

} // namespace headroom
