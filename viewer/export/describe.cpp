#include "viewer/export/describe.h"

#include <fmt/format.h>
#include <set>

namespace headroom {

std::string describe(const Picture& picture)
{
    std::string out;
    for (const Text& text : picture.texts)
        if (text.facts.empty()) out += text.words + '\n';
    out += '\n';
    std::set<std::string> said; // a fact that stands in two places is said once
    for (const Fact& fact : picture.facts) {
        const std::string line =
            fmt::format("{} = {} ({:.17g}, {})\n", fact.what, to_text(fact), fact.number, origin_name(fact.origin));
        if (said.insert(line).second) out += line;
    }
    return out;
}

} // namespace headroom
