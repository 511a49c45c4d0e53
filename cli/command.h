// A subcommand: declares its options, calls an experiment, prints. Exit codes: 0 done, 1 a check failed, 2 bad input.
#pragma once
#include <CLI/CLI.hpp>
#include <functional>
#include <span>
#include <string_view>

namespace headroom {

using Action = std::function<int()>; // runs the command with the options that were parsed; returns the exit code

struct Command {
    std::string_view name, summary;
    Action (*declare)(CLI::App& app); // adds the options to app; they live as long as the action
};
std::span<const Command> commands(); // the lines of commands.inc

} // namespace headroom
