// What a run leaves behind: the only thing that pictures see. In a file it is safetensors: the tensors are named like
// step0003/gqa/layer0/scores, the rest is JSON under the metadata key "headroom.recording".
#pragma once
#include "reference/contract/problem.h"
#include "reference/kv_cache/kv_cache.h"
#include "reference/recording/kernels.h"
#include <filesystem>

namespace headroom {

// One attention of one step, every number of it.
struct RecordedLayer {
    Index layer = 0;
    Tensor q = {};                 // [B, H, L, D]
    Tensor new_k = {}, new_v = {}; // [B, Hkv, L, D|Dv] as stored: rounded, quantised
    Tensor key_position = {};      // [B, S] of each column of scores: a ring has gaps; -1 behind a sequence's end
    AttentionStages stages = {};
};

struct RecordedStep {
    Index past = 0, added = 0; // tokens before this step, tokens in it
    std::string token;         // the text of its last token, if there is a model
    std::vector<RecordedLayer> layers;
    KvCounters counters;
    std::vector<CacheEvent> events;
    Tensor slot;     // [B, S] where in memory each stored row lies: block * block_size + place in it; -1 behind the end
    Tensor position; // [B, S] the position of each
    Index slots = 0; // rows for which memory is reserved now
    Index block = 0; // rows of a block, where a table leads to blocks; 0: no table
    double ms = 0;   // measured; 0: not measured
    double storage_error = 0; // relative RMS of what is stored beside what came in; measured
};

struct Lane {           // one panel of Decode, one lane of Cache
    std::string name;   // "gqa", "paged"
    std::string cache;  // its kind
    std::string detail; // "block 16"
    Index q_heads = 0;
    KvGeometry geometry;
    std::vector<RecordedStep> steps;
};

struct RecordedModel {        // a curve of Memory
    std::string name, source; // "Llama 3 8B", where its numbers were published
    std::string config;       // the text of its config.json: all else is planning's arithmetic on it
};

struct RecordedStage { // of an implementation's answer, beside the right one
    std::string stage; // a name of stages()
    Tensor got = {}, expected = {};
    double bound = 0, mean_bound = 0; // what is allowed: of the largest error, of the mean
    std::string reason = {};          // of the bound
    std::string complaint = {};       // empty: passed
};
struct RecordedCheck { // one implementation on one problem, judged
    std::string implementation, executor, case_name, dtype;
    std::string status, reason; // passed, failed, skipped
    std::vector<RecordedStage> stages;
    bool own_problem = false; // somebody's file, not a case of the list: nobody can pose it again
};

struct Recording {
    std::string title, command;    // how to make it again
    std::vector<Lane> lanes;       // Decode: in lockstep, step n of each saw the same token
    std::vector<Lane> caches = {}; // Cache: the same tokens through every kind
    std::vector<RecordedModel> models = {};
    std::vector<RecordedCheck> checks = {};
    std::vector<TracedStep> kernels = {};
};

void write_recording(const Recording& recording, const std::filesystem::path& path);
Recording read_recording(const std::filesystem::path& path); // throws std::invalid_argument in one line

// The key and value of each token of a lane's layer, where the step that added it keeps them.
class StoredTokens {
public:
    StoredTokens(const Lane& lane, std::size_t layer, std::size_t last_step);
    Index tokens() const { return static_cast<Index>(where_.size()); }
    std::span<const double> key(Index b, Index hkv, Index token) const { return at(b, hkv, token).first; }
    std::span<const double> value(Index b, Index hkv, Index token) const { return at(b, hkv, token).second; }

private:
    std::pair<std::span<const double>, std::span<const double>> at(Index b, Index hkv, Index token) const;
    struct Where {
        const RecordedLayer* layer;
        Index row;
    };
    std::vector<Where> where_; // [tokens]
};

// The same, put together: [B, Hkv, tokens, D|Dv].
Tensor keys_until(const Lane& lane, std::size_t step, std::size_t layer);
Tensor values_until(const Lane& lane, std::size_t step, std::size_t layer);

} // namespace headroom
