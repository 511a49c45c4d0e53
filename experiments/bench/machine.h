// The machine that a benchmark runs on, and the two limits that it sets: how fast memory is read, how fast numbers are
// multiplied and added.
#pragma once
#include "reference/tensor/tensor.h"

namespace headroom {

struct Machine {
    std::string cpu, instruction_set;
    int cores = 1, threads = 1;
    Index last_level_cache_bytes = 0; // 0: unknown
};
Machine machine(int threads); // 0: one for each core

Index peak_memory_bytes(); // of this process, resident, since reset_peak_memory()
void reset_peak_memory();  // where the system lets us

// Milliseconds in which the threads read these pieces of memory, each once.
double read_ms(std::span<const std::span<const std::byte>> pieces, int threads);

// Milliseconds in which the threads do so many multiplications and additions, with all operands in registers.
double arithmetic_ms(double flops, int threads);

} // namespace headroom
