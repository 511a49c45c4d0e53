// The models that come with the program, measured: each on the held-out stories that lie beside it, which none has been trained on.
#pragma once
#include "experiments/models.h"
#include <filesystem>
#include <optional>

namespace headroom {

struct TrainingFacts {  // what the training program wrote into the file (models/README.md)
    std::string origin; // "trained from random weights", …
    Index seed = 0, steps = 0, tokens = 0;
    double perplexity = 0, recall = 0; // on the same stories; recall: share of the names told before that are guessed
};

struct ShippedModel {
    std::string name; // the file's, without its ending
    DecoderConfig config;
    Index file_bytes = 0, parameters = 0;
    Index cache_bytes_per_token = 0;       // f16, all layers
    Index predicted = 0;                   // tokens
    double nll = 0, perplexity = 0;        // mean per predicted token, natural logarithm; exp(nll)
    std::optional<TrainingFacts> training; // none: the file says nothing of it
};

// The models of models_folder(), the trained ones first, from most KV heads to fewest. Throws std::invalid_argument where there are none.
std::vector<std::string> shipped_models();
bool is_shipped(const std::string& name); // there is such a file; whether it can be read, measure() says

// The first `stories` lines of heldout.txt: [BOS] + text + [EOS], each from position 0. Fewer are there: all of them.
struct HeldOut {
    std::vector<std::string> stories;
};
HeldOut held_out(Index stories);

ShippedModel measure(const std::string& name, const HeldOut& text);

} // namespace headroom
