// Where the running program lies: what belongs to it is looked for beside it.
#pragma once
#include <filesystem>
#include <system_error>

namespace headroom {

inline std::filesystem::path this_program() // empty where the system does not tell
{
    std::error_code error;
    return std::filesystem::read_symlink("/proc/self/exe", error);
}

} // namespace headroom
