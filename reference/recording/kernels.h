// A step of the ladder on one problem, as the tracer saw it: what the Kernel scene draws. In a recording's file the small
// things stand in the manifest under "kernels"; the tensors of the n-th step are, all of them whole numbers or f64,
//
//     kernel0000/k_row, v_row               [B, Hkv, S]  where in buffer "k" ("v") the row of key j begins; -1: no key
//     kernel0000/output, lse                [B, H, L, Dv], [B, H, L]
//     kernel0000/part_max, part_sum, part_share   [parts, group_size, L]
//     kernel0000/part_output                [parts, group_size, L, Dv]  not yet divided by part_sum
//     kernel0000/launch0/blocks             [n, 7]   block, buffer, bytes read, bytes written, sectors, first, end
//     kernel0000/launch0/events             [n, 7]   block, warp, site, lanes (mask), bytes of a lane, cost, ideal
//     kernel0000/launch0/event_offsets      [n, 32]  bytes into the buffer or shared memory; -1: lane absent
#pragma once
#include "reference/contract/kernel_trace.h"
#include "reference/contract/problem.h"

namespace headroom {

struct TracedStep {
    std::string step = {}, idea = {}; // "decode/04_split_combine"
    AttentionShape shape = {};        // B, H, Hkv, L, S, D, Dv
    DType type = DType::f32;          // of k and v
    std::vector<Index> lengths = {};  // [B] keys of each sequence
    Tensor k_row = {}, v_row = {};
    std::vector<KernelTrace> launches = {}; // in order
    // Split keys: the parts of a row merge to output = sum of part_share * part_output / part_sum.
    std::vector<KernelPart> parts = {}; // empty: no two blocks share a row
    Tensor part_max = {}, part_sum = {}, part_share = {}, part_output = {};
    Tensor output = {}, lse = {};
};

Index bytes_read(const TracedStep& step, std::string_view buffer); // by all launches
double bytes_read_per_kv_byte(const TracedStep& step); // of k and v together, over the bytes that hold their keys

} // namespace headroom
