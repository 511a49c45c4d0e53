// The command line: finds the subcommand, turns every error into one line and an exit code.
#include "cli/command.h"
#include "cli/odd_values.h"
#include "cli/refuse.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <iostream>
#include <new>
#include <system_error>
#include <vector>

namespace headroom {

#define COMMAND(name, summary) Action declare_##name(CLI::App& app);
#include "cli/commands.inc"
#undef COMMAND

std::span<const Command> commands()
{
#define COMMAND(name, summary) Command{#name, summary, declare_##name},
    static constexpr std::array list{
#include "cli/commands.inc"
    };
#undef COMMAND
    return list;
}

namespace {

bool is_command(std::string_view word)
{
    return std::ranges::find(commands(), word, &Command::name) != commands().end();
}

int run(int argc, char** argv)
{
    if (argc < 2) return refuse("a command is needed; 'headroom --help' lists them");
    if (argv[1][0] != '-' && !is_command(argv[1]))
        return refuse("there is no command '" + std::string(argv[1]) + "'; 'headroom --help' lists them");

    CLI::App app{"Headroom: what attention costs at inference time, and what sharing heads and keeping a cache save"};
    app.name("headroom");
    app.set_version_flag("--version", "0.1.0");
    app.require_subcommand(1);

    std::vector<std::pair<CLI::App*, Action>> actions;
    for (const Command& command : commands()) {
        CLI::App* sub = app.add_subcommand(std::string(command.name), std::string(command.summary));
        actions.emplace_back(sub, command.declare(*sub));
        refuse_odd_values(*sub);
    }
    try {
        app.parse(argc, argv);
        for (const auto& [sub, action] : actions) {
            if (!sub->parsed()) continue;
            const int code = action();
            if (!std::cout.flush()) return refuse("cannot write to standard output");
            return code;
        }
    } catch (const CLI::Success& wanted) { // --help, --version
        const int code = app.exit(wanted);
        return std::cout.flush() ? code : refuse("cannot write to standard output");
    } catch (const std::bad_alloc&) {
        return refuse("this does not fit into memory");
    } catch (const std::filesystem::filesystem_error& error) { // a folder that cannot be made or read
        return refuse("cannot use " + error.path1().string() + ": " + error.code().message());
    } catch (const std::system_error& error) {
        const std::string what = error.what(); // fmt's words, which do not say where
        return refuse(what.starts_with("cannot write to file")
                          ? "cannot write to standard output: " + error.code().message()
                          : what);
    } catch (const std::exception& error) {
        return refuse(error.what());
    }
    return 2;
}

} // namespace
} // namespace headroom

int main(int argc, char** argv) { return headroom::run(argc, argv); }
