// The kernels, seen from above: the ladder as implementations of attention. No CUDA type appears here.
#pragma once
#include "reference/contract/implementation.h"
#include <filesystem>
#include <string>

namespace headroom::cuda {

// Every step of the ladder on one executor ("simt", "ptx", "device"), in teaching order: the lines of ladder.inc.
// Each keeps its executor alive. Throws std::runtime_error where the executor is missing here.
std::vector<Implementation> ladder(std::string_view executor);

// As ladder("simt"), but each launch runs under every schedule of threads and both timings of asynchronous copies, and
// throws unless all give the same bits: what verification asks for.
std::vector<Implementation> ladder_under_every_schedule();

struct StepInfo {
    std::string name, idea;
};
std::vector<StepInfo> steps();
std::string why_executor_is_absent(std::string_view executor); // empty: it can run here

// A user's kernel (plugin.h); a call that takes more than `patience` seconds is ended and has failed; 0: never. Throws
// std::invalid_argument if the shared object is none.
Implementation plugin(const std::filesystem::path& library, int patience = 60);

} // namespace headroom::cuda
