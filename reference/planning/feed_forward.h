// The weights of the feed-forward part of all layers: dense, or experts of which a token visits a few.
#pragma once
#include "reference/planning/anatomy.h"
#include "reference/planning/config_part.h"
#include "reference/planning/geometry.h"
#include <stdexcept>

namespace headroom {

struct NotStated : std::runtime_error { // a size that only the weights depend on: the cache is known without it
    explicit NotStated(const std::string& key) : runtime_error(key + " is not stated") {}
};

struct FeedForward {
    Index total = 0, active = 0; // all layers; active: what one token uses
    std::string sentence;
};
FeedForward feed_forward(const ConfigPart& config, const Anatomy& anatomy, const Geometry& geometry);

} // namespace headroom
