// Options that would be ignored are refused: a reader must not believe that they did something.
#pragma once
#include <initializer_list>
#include <string>
#include <string_view>

namespace CLI {
class App;
}

namespace headroom {

// Unless `holds`, none of these may have been given: "--threads needs --impl parallel".
void need(const CLI::App& app, std::initializer_list<const char*> options, bool holds, const std::string& what);

// What only some kinds of cache read, after `kind_option` (--kind or --cache) has chosen one.
void need_kinds(const CLI::App& app, const std::string& kind_option, std::string_view kind);

} // namespace headroom
