// The command line: finds the subcommand, turns every error into one line and an exit code.
#include "cli/command.h"
#include "cli/numbers.h"

#include <array>
#include <iostream>
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

int run(int argc, char** argv)
{
    CLI::App app{"Headroom: what attention costs at inference time, and what sharing heads and keeping a cache save"};
    app.name("headroom");
    app.set_version_flag("--version", "0.1.0");
    app.require_subcommand(1);

    std::vector<std::pair<CLI::App*, Action>> actions;
    for (const Command& command : commands()) {
        CLI::App* sub = app.add_subcommand(std::string(command.name), std::string(command.summary));
        actions.emplace_back(sub, command.declare(*sub));
        refuse_odd_numbers(*sub);
    }
    try {
        app.parse(argc, argv);
        for (const auto& [sub, action] : actions)
            if (sub->parsed()) return action();
    } catch (const CLI::Success& wanted) { // --help, --version
        return app.exit(wanted);
    } catch (const std::exception& error) {
        std::cerr << "headroom: " << error.what() << '\n';
        return 2;
    }
    return 2;
}

} // namespace
} // namespace headroom

int main(int argc, char** argv) { return headroom::run(argc, argv); }
