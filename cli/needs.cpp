#include "cli/needs.h"

#include "reference/kv_cache/kv_cache.h"
#include <CLI/CLI.hpp>
#include <algorithm>
#include <stdexcept>
#include <vector>

namespace headroom {

void need(const CLI::App& app, std::initializer_list<const char*> options, bool holds, const std::string& what)
{
    for (const char* option : options)
        if (!holds && app.count(option) > 0) throw std::invalid_argument(std::string(option) + " needs " + what);
}

void need_kinds(const CLI::App& app, const std::string& kind_option, std::string_view kind)
{
    struct Readers {
        const char* option;
        std::vector<std::string_view> kinds;
    };
    static const Readers list[] = {{"--max", {"preallocated", "growing", "paged"}},
                                   {"--initial", {"growing"}},
                                   {"--factor", {"growing"}},
                                   {"--block", {"paged"}},
                                   {"--pool", {"paged"}}};
    cache_kind(kind); // an unknown kind is worse than an option that it would not read
    for (const auto& [option, kinds] : list) {
        if (!app.get_option_no_throw(option)) continue;
        std::string known;
        for (const std::string_view each : kinds) known += (known.empty() ? "" : ", ") + std::string(each);
        need(app, {option}, std::ranges::count(kinds, kind) > 0, kind_option + " " + known);
    }
}

} // namespace headroom
