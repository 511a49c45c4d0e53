// Runs the program `headroom` as a user does. A test program that includes this needs the program to be built first:
// add_dependencies(test_NAME headroom).
#pragma once
#include "reference/tensor/shell_word.h"
#include <filesystem>
#include <string>
#include <vector>

namespace headroom {

struct Ran {
    int exit_code;
    std::string out, err;
};
// With `printing_to`, stdout goes there instead and `out` stays empty; `typed` is what stands on stdin.
Ran program(const std::filesystem::path& path, const std::vector<std::string>& arguments,
            const std::filesystem::path& folder = ".", const std::filesystem::path& printing_to = {},
            const std::string& typed = {});
Ran headroom_program(const std::vector<std::string>& arguments, const std::filesystem::path& folder = ".",
                     const std::filesystem::path& printing_to = {}, const std::string& typed = {});
// stdin comes from there, be it a folder; where `from` is empty it is closed.
Ran headroom_program_reading(const std::filesystem::path& from, const std::vector<std::string>& arguments);
Ran headroom_program_with_terminal(const std::vector<std::string>& arguments); // stderr is one; a few lines fit

// Bad input as the project promises it: exit code 2, exactly one line on stderr, nothing on stdout.
bool is_refusal(const Ran& ran);

} // namespace headroom
