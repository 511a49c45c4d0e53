#include "cuda/executor/ptx/machine.h"

#include "cuda/executor/fault.h"
#include "cuda/executor/ptx/meetings.h"

#include <algorithm>
#include <fmt/format.h>

namespace headroom::cuda::ptx {

Machine::Machine(const Function& function, const HostMemory& memory) : function_(function), memory_(memory) {}

void Machine::run(const LaunchShape& shape, std::span<const std::byte> parameters)
{
    if (parameters.size() != function_.parameter_bytes)
        throw Fault(fmt::format("{}: {} bytes of parameters, but its PTX takes {}", function_.name, parameters.size(),
                                function_.parameter_bytes));
    shape_ = shape;
    parameters_.assign(parameters.begin(), parameters.end());
    threads_ = shape.block.x * shape.block.y * shape.block.z;
    shared_.resize(function_.shared_bytes + shape.dynamic_shared);
    warps_.resize((threads_ + 31) / 32);
    registers_.resize(std::size_t{function_.register_bytes} * warps_.size() + 64);
    for (unsigned z = 0; z < shape.grid.z; ++z)
        for (unsigned y = 0; y < shape.grid.y; ++y)
            for (unsigned x = 0; x < shape.grid.x; ++x) run_block({x, y, z});
}

void Machine::start(Dim index)
{
    index_ = index;
    std::fill(shared_.begin(), shared_.end(), std::byte{0xff});
    local_.assign(std::size_t{function_.local_bytes} * threads_, std::byte{0xff});
    std::fill(registers_.begin(), registers_.end(), std::byte{0xad}); // no number that a test expects
    barriers_.fill({});
    copies_.assign(threads_, {});
    auto base = reinterpret_cast<std::uintptr_t>(registers_.data());
    base = (base + 63) / 64 * 64;
    for (u32 w = 0; w < warps_.size(); ++w) {
        Warp& warp = warps_[w];
        warp = {};
        warp.machine = this;
        warp.number = w;
        warp.registers = reinterpret_cast<std::byte*>(base) + std::size_t{w} * function_.register_bytes;
        warp.existing = warp.running = threads_ - 32 * w >= 32 ? ~0u : (1u << (threads_ - 32 * w)) - 1;
        for (const Constant& c : function_.constants)
            for (u32 lane = 0; lane < 32; ++lane)
                if (c.wide)
                    warp.set<u64>(c.offset, lane, c.value);
                else
                    warp.set<u32>(c.offset, lane, static_cast<u32>(c.value));
        for (const SpecialRegister& s : function_.specials)
            for (u32 lane = 0; lane < 32; ++lane)
                warp.set<u32>(s.offset, lane, static_cast<u32>(special(s.which, warp, lane)));
    }
}

void Machine::run_block(Dim index)
{
    start(index);
    for (;;) {
        bool progress = false, alive = false;
        for (Warp& warp : warps_) {
            while (step(warp)) progress = true;
            alive |= warp.alive() != 0;
        }
        if (!alive) break;
        if (!progress) throw Fault(function_.name + ": deadlock, no lane can go on" + who_waits_where());
    }
    for (u32 thread = 0; thread < threads_; ++thread)
        if (!copies_[thread].pending.empty())
            throw Fault(fmt::format("{}: thread {} ended with cp.async copies that it never waited for", function_.name,
                                    thread));
}

// Runs one instruction for those lanes that are furthest behind.
bool Machine::step(Warp& warp)
{
    if (!warp.running) return false;
    u32 pc = warp.pc[static_cast<u32>(std::countr_zero(warp.running))], here = warp.running;
    if (!warp.together) {
        each_lane(warp.running, [&](u32 lane) { pc = std::min(pc, warp.pc[lane]); });
        here = 0;
        each_lane(warp.running, [&](u32 lane) { here |= u32{warp.pc[lane] == pc} << lane; });
        warp.together = here == warp.running;
    }
    if (pc >= function_.code.size()) throw Fault(function_.name + ": ran past the last instruction");
    const Instruction& i = function_.code[pc];
    u32 go = here;
    if (i.guard != nowhere) go &= i.guard_negated ? ~warp.predicate(i.guard) : warp.predicate(i.guard);

    switch (i.flow) {
    case Flow::next:
        if (go) i.run(warp, i, go);
        advance(warp, here, pc + 1);
        break;
    case Flow::branch:
        if (go) advance(warp, go, i.target);
        if (go != here) {
            advance(warp, here & ~go, pc + 1);
            if (go) warp.together = false;
        }
        break;
    case Flow::leave:
        warp.running &= ~go;
        advance(warp, here & ~go, pc + 1);
        if (go) left(warp);
        break;
    case Flow::meeting:
        advance(warp, here & ~go, pc + 1);
        if (go != here) warp.together = false;
        if (go) meet(warp, pc, go);
        break;
    case Flow::barrier:
        advance(warp, here & ~go, pc + 1);
        if (go != here) warp.together = false;
        warp.running &= ~go;
        warp.at_barrier |= go;
        each_lane(go, [&](u32 lane) { warp.pc[lane] = pc; });
        if (go) arrive_at_barrier(warp, pc);
        break;
    }
    return true;
}

void Machine::left(Warp& warp)
{
    for (u32 left = warp.waiting; left;) {
        const u32 pc = warp.pc[static_cast<u32>(std::countr_zero(left))];
        u32 same = 0;
        each_lane(left, [&](u32 lane) { same |= u32{warp.pc[lane] == pc} << lane; });
        left &= ~same;
        meet(warp, pc, same);
    }
    if (warp.at_barrier && warp.at_barrier == warp.alive())
        arrive_at_barrier(warp, warp.pc[static_cast<u32>(std::countr_zero(warp.at_barrier))]);
    if (!warp.alive()) open_barriers();
}

void Machine::advance(Warp& warp, u32 lanes, u32 pc)
{
    each_lane(lanes, [&](u32 lane) { warp.pc[lane] = pc; });
}

// Lanes wait until all that the mask names are at this instruction.
void Machine::meet(Warp& warp, u32 pc, u32 arrived)
{
    const Instruction& i = function_.code[pc];
    warp.running &= ~arrived;
    warp.waiting |= arrived;
    each_lane(arrived, [&](u32 lane) { warp.pc[lane] = pc; });
    u32 here = 0;
    each_lane(warp.waiting, [&](u32 lane) { here |= u32{warp.pc[lane] == pc} << lane; });

    each_lane(arrived, [&](u32 lane) {
        const u32 mask = i.mask == nowhere ? ~0u : warp.get<u32>(i.mask, lane);
        if (!(here >> lane & 1)) return; // has gone on already
        if (!(mask >> lane & 1)) fail(warp, i, lane, "the mask does not name the lane that calls");
        const bool forgives = i.run == sync_lanes;
        const u32 gone = mask & ~warp.alive();
        if (gone && !forgives)
            fail(warp, i, lane,
                 fmt::format("the mask {:08x} names lanes {:08x} that exited or do not exist", mask, gone));
        if ((here & mask) != (mask & ~(forgives ? gone : 0))) return;
        const u32 who = here & mask;
        i.run(warp, i, who);
        here &= ~who;
        warp.waiting &= ~who;
        if (warp.running) warp.together = false;
        warp.running |= who;
        advance(warp, who, pc + 1);
    });
}

std::string Machine::place(const Instruction& at) const
{
    const std::string file = at.file < function_.files.size() ? function_.files[at.file] : "";
    return fmt::format("`{}`{}", function_.text[at.text], at.line ? fmt::format(" of {}:{}", file, at.line) : "");
}

void Machine::fail(const Warp& warp, const Instruction& at, u32 lane, const std::string& what) const
{
    throw Fault(fmt::format("{}, block ({},{},{}), thread {} (warp {}, lane {}), {}: {}", function_.name, index_.x,
                            index_.y, index_.z, warp.number * 32 + lane, warp.number, lane, place(at), what));
}

std::string Machine::who_waits_where() const
{
    std::string text;
    for (const Warp& warp : warps_) {
        u32 left = warp.alive();
        while (left) {
            const u32 pc = warp.pc[static_cast<u32>(std::countr_zero(left))];
            u32 same = 0;
            each_lane(left, [&](u32 lane) { same |= u32{warp.pc[lane] == pc} << lane; });
            text += fmt::format("\n  warp {}, lanes {:08x}: {}", warp.number, same, place(function_.code[pc]));
            left &= ~same;
        }
    }
    return text;
}

u64 Machine::special(Special which, const Warp& warp, u32 lane) const
{
    const Dim b = shape_.block, g = shape_.grid;
    const u32 thread = warp.number * 32 + lane;
    switch (which) {
    case Special::tid_x: return thread % b.x;
    case Special::tid_y: return thread / b.x % b.y;
    case Special::tid_z: return thread / (b.x * b.y);
    case Special::ntid_x: return b.x;
    case Special::ntid_y: return b.y;
    case Special::ntid_z: return b.z;
    case Special::ctaid_x: return index_.x;
    case Special::ctaid_y: return index_.y;
    case Special::ctaid_z: return index_.z;
    case Special::nctaid_x: return g.x;
    case Special::nctaid_y: return g.y;
    case Special::nctaid_z: return g.z;
    case Special::laneid: return lane;
    case Special::warpid: return warp.number;
    case Special::nwarpid: return warps_.size();
    case Special::lanemask_lt: return (1u << lane) - 1;
    case Special::lanemask_le: return (2u << lane) - 1;
    case Special::lanemask_eq: return 1u << lane;
    case Special::lanemask_ge: return ~((1u << lane) - 1);
    case Special::lanemask_gt: return ~((2u << lane) - 1);
    case Special::clock:
    case Special::smid: return 0;
    }
    return 0;
}

} // namespace headroom::cuda::ptx
