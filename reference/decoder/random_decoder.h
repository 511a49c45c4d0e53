// A decoder with seeded random weights: the shapes and bytes of a trained one, without its knowledge.
#pragma once
#include "reference/decoder/decoder.h"

namespace headroom {

Decoder random_decoder(const DecoderConfig& config, std::uint64_t seed, bool shared_classifier = true);

} // namespace headroom
