#include "cuda/executor/tracer/source_lines.h"

#include "reference/tensor/shell_word.h"
#include "reference/tensor/this_program.h"
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <dlfcn.h>
#include <filesystem>
#include <fmt/format.h>
#include <string_view>
#include <system_error>

namespace headroom::cuda::tracer {
namespace {

// The program itself goes by the name that it was called by, which need not be a path.
std::string path_of(const char* module)
{
    std::error_code error;
    if (std::filesystem::exists(module, error)) return module;
    const std::filesystem::path program = this_program();
    return program.empty() ? std::string(module) : program.string();
}

bool is_kernel_file(const Line& line) { return line.file.find(".cu") != line.file.npos; }

} // namespace

bool parse_line(std::string_view text, Line& line)
{
    const auto colon = text.rfind(':');
    if (colon == text.npos || text.substr(0, 2) == "??") return false;
    std::string_view file = text.substr(0, colon);
    file = file.substr(file.rfind('/') + 1);
    line = {std::string(file), std::atoi(std::string(text.substr(colon + 1)).c_str())};
    return line.number > 0;
}

std::map<const void*, Line> source_lines(const std::vector<const void*>& code)
{
    // One command for each program or library: its addresses, relative to where it was loaded.
    std::map<std::string, std::map<std::uintptr_t, const void*>> modules;
    for (const void* address : code) {
        Dl_info info = {};
        if (!dladdr(address, &info) || !info.dli_fname) continue;
        // A call's return address lies behind it: one byte back is inside.
        modules[path_of(info.dli_fname)][reinterpret_cast<std::uintptr_t>(address) -
                                         reinterpret_cast<std::uintptr_t>(info.dli_fbase) - 1] = address;
    }
    std::map<const void*, Line> lines;
    for (const auto& [file, addresses] : modules) {
        std::string command = "addr2line -a -i -e " + shell_word(file);
        for (const auto& [offset, address] : addresses) command += fmt::format(" {:#x}", offset);
        std::FILE* pipe = popen((command + " 2>/dev/null").c_str(), "r");
        if (!pipe) continue;
        char text[1024];
        const void* address = nullptr;
        while (std::fgets(text, sizeof text, pipe)) {
            if (std::string_view(text).substr(0, 2) == "0x") { // the next address; its lines follow, innermost first
                address = addresses.at(std::strtoull(text, nullptr, 16));
                continue;
            }
            Line line;
            if (!parse_line(text, line)) continue;
            const auto it = lines.find(address);
            if (it == lines.end() || (!is_kernel_file(it->second) && is_kernel_file(line))) lines[address] = line;
        }
        pclose(pipe);
    }
    return lines;
}

} // namespace headroom::cuda::tracer
