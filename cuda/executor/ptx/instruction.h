// One decoded instruction: a function to run for the lanes of a warp, and where its operands lie. Constants and special
// registers lie in the register file like all others, so a function knows only offsets.
#pragma once
#include "cuda/executor/ptx/numbers.h"
#include <array>
#include <string>
#include <vector>

namespace headroom::cuda::ptx {

class Warp;
struct Instruction;
using Run = void (*)(Warp&, const Instruction&, u32 lanes);

enum class Flow : u8 {
    next,    // run for each lane that comes by
    branch,  // to `target` for the lanes that the guard allows
    leave,   // ret, exit
    meeting, // waits for all lanes of a mask, then runs once: shuffles, votes, matrices
    barrier  // of the block
};

constexpr u32 nowhere = ~0u;

struct Instruction {
    Run run = nullptr;
    Flow flow = Flow::next;
    std::array<u32, 20> r = {}; // operands: offsets into the register file, destinations first
    u8 operands = 0;
    u8 count = 1;        // of vector elements
    u8 space = 0;        // of an address: Space
    u32 guard = nowhere; // a predicate
    bool guard_negated = false;
    i64 offset = 0;           // added to the address
    bool wide_address = true; // its register has 64 bits
    bool wide_result = false; // the destination has 64 bits, whatever the type
    bool ftz = false, saturate = false;
    u32 mask = nowhere;     // a register that holds the mask of a meeting; nowhere: all lanes
    u32 target = 0;         // of a branch
    u32 number = 0;         // an immediate: lop3's table, cp.async's size, wait_group's count
    u32 line = 0, file = 0; // of the kernel's source
    u32 text = 0;           // of itself, in Function::text
};

enum class Special : u8 {
    tid_x,
    tid_y,
    tid_z,
    ntid_x,
    ntid_y,
    ntid_z,
    ctaid_x,
    ctaid_y,
    ctaid_z,
    nctaid_x,
    nctaid_y,
    nctaid_z,
    laneid,
    warpid,
    nwarpid,
    lanemask_lt,
    lanemask_le,
    lanemask_eq,
    lanemask_ge,
    lanemask_gt,
    clock,
    smid
};
struct Constant {
    u32 offset;
    u64 value;
    bool wide;
};
struct SpecialRegister {
    u32 offset;
    Special which;
};

struct Function {
    std::string name;
    std::vector<Instruction> code;
    std::vector<std::string> text;  // each instruction as it is written
    std::vector<std::string> files; // of source, by number
    std::vector<Constant> constants;
    std::vector<SpecialRegister> specials;
    u32 register_bytes = 0; // of one warp
    u32 parameter_bytes = 0;
    u32 shared_bytes = 0; // static; dynamic memory follows
    u32 local_bytes = 0;  // of one thread
};

} // namespace headroom::cuda::ptx
