// The options of attention itself, which attend and verify share.
#pragma once
#include "reference/contract/options.h"
#include <string>
#include <vector>

namespace CLI {
class App;
class Option;
} // namespace CLI

namespace headroom {

struct AttentionChoice {
    bool causal = false;
    std::string align = "bottom-right";
    AttentionOptions rest;

    // Returns what it declared. --align says nothing without --causal, and is refused then.
    std::vector<CLI::Option*> declare(CLI::App& app);
    AttentionOptions options() const;
};

} // namespace headroom
