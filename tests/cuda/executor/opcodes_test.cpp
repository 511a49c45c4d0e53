// Every instruction that the PTX interpreter knows, against values worked out by hand or by the ISA's words.
#include "cuda/executor/fault.h"
#include "cuda/executor/ptx/ptx_executor.h"
#include "tests/support/catch.h"

#include <bit>
#include <cmath>
#include <sstream>

using namespace headroom::cuda;

namespace {

struct Params {
    const std::uint64_t* in; // [8]
    std::uint64_t* out;      // [32]
};

// Runs `body` in one warp: %a0-%a3 are 64-bit inputs, %r0-%r3 their lower words, %f0-%f3 the same bits as floats,
// %d0-%d3 as doubles, %h0-%h3 the lower halves; the result is taken from %result (64 bits), lane by lane.
std::vector<std::uint64_t> run(const std::string& body, std::vector<std::uint64_t> in)
{
    std::ostringstream ptx;
    ptx << ".version 9.0\n.target sm_80\n.address_size 64\n.visible .entry k(.param .align 8 .b8 p[16])\n{\n"
        << ".reg .pred %p<4>;\n.reg .b16 %h<8>;\n.reg .b32 %r<16>;\n.reg .f32 %f<8>;\n.reg .b64 %a<8>;\n.reg .f64 "
           "%d<8>;\n"
        << ".reg .b64 %result, %from, %to;\n.reg .b32 %lane;\n.shared .align 16 .b8 tile[1024];\n"
        << "ld.param.u64 %from, [p];\nld.param.u64 %to, [p+8];\nmov.u32 %lane, %laneid;\nmov.u64 %result, 0;\n";
    for (int i = 0; i < 4; ++i)
        ptx << "ld.global.u64 %a" << i << ", [%from+" << 8 * i << "];\ncvt.u32.u64 %r" << i << ", %a" << i
            << ";\nmov.b32 %f" << i << ", %r" << i << ";\nmov.b64 %d" << i << ", %a" << i << ";\ncvt.u16.u32 %h" << i
            << ", %r" << i << ";\n";
    ptx << body << "\nmul.wide.u32 %a7, %lane, 8;\nadd.s64 %to, %to, %a7;\nst.global.u64 [%to], %result;\nret;\n}\n";
    PtxExecutor executor(ptx.str());
    in.resize(8);
    Buffer<std::uint64_t> from(executor, in, "in");
    Buffer<std::uint64_t> to(executor, 32, "out");
    const Params params{from.data(), to.data()};
    executor.launch({.name = "k"}, {.block = {32}}, &params, sizeof params);
    return to.read();
}

std::uint64_t f(float x) { return std::bit_cast<std::uint32_t>(x); }
std::uint64_t d(double x) { return std::bit_cast<std::uint64_t>(x); }

struct Case {
    const char* instruction; // writes %r9, %f7, %a6, %d7, %h7 or %p1
    std::vector<std::uint64_t> in;
    std::uint64_t expected;
};

std::string finish(const std::string& instruction)
{
    const auto writes = [&](const char* name) { return instruction.find(name) != std::string::npos; };
    if (writes("%r9")) return "cvt.u64.u32 %result, %r9;";
    if (writes("%f7")) return "mov.b32 %r9, %f7;\ncvt.u64.u32 %result, %r9;";
    if (writes("%d7")) return "mov.b64 %result, %d7;";
    if (writes("%h7")) return "cvt.u64.u16 %result, %h7;";
    if (writes("%p1")) return "selp.u64 %result, 1, 0, %p1;";
    return "mov.u64 %result, %a6;";
}

void check(const std::vector<Case>& cases)
{
    for (const Case& c : cases) {
        INFO(c.instruction);
        const auto out = run(std::string(c.instruction) + "\n" + finish(c.instruction), c.in);
        CHECK(out[0] == c.expected);
        CHECK(out[31] == c.expected);
    }
}

constexpr std::uint64_t m1 = 0xffffffff; // -1 in 32 bits

} // namespace

TEST_CASE("ptx: integer arithmetic")
{
    check({{"add.s32 %r9, %r0, %r1;", {m1, 3}, 2},
           {"add.s64 %a6, %a0, -1;", {1ull << 40}, (1ull << 40) - 1},
           {"sub.u32 %r9, %r0, %r1;", {2, 3}, m1},
           {"sub.s16 %h7, %h0, %h1;", {2, 3}, 0xffff},
           {"mul.lo.s32 %r9, %r0, %r1;", {0x10001, 0x10001}, 0x20001},
           {"mul.hi.u32 %r9, %r0, %r1;", {m1, m1}, 0xfffffffe},
           {"mul.hi.s32 %r9, %r0, %r1;", {m1, m1}, 0},
           {"mul.hi.s64 %a6, %a0, %a1;", {1ull << 63, 4}, ~1ull},
           {"mul.wide.s32 %a6, %r0, %r1;", {m1, 5}, ~4ull},
           {"mul.wide.u32 %a6, %r0, %r1;", {m1, 5}, 5 * m1},
           {"mul.wide.u16 %r9, %h0, %h1;", {0xffff, 0xffff}, 0xfffe0001},
           {"mad.lo.s32 %r9, %r0, %r1, %r2;", {7, 6, m1}, 41},
           {"mad.hi.u32 %r9, %r0, %r1, %r2;", {m1, 2, 5}, 6},
           {"mad.wide.s32 %a6, %r0, %r1, %a2;", {m1, 5, 1ull << 40}, (1ull << 40) - 5},
           {"mad.wide.u32 %a6, %r0, 3, %a2;", {m1, 0, 1}, 3 * m1 + 1},
           {"div.s32 %r9, %r0, %r1;", {m1 - 6, 2}, m1 - 2},
           {"div.u64 %a6, %a0, %a1;", {1ull << 63, 3}, (1ull << 63) / 3},
           {"div.u32 %r9, %r0, %r1;", {5, 0}, m1},
           {"rem.s32 %r9, %r0, %r1;", {m1 - 6, 2}, m1},
           {"rem.u32 %r9, %r0, %r1;", {17, 5}, 2},
           {"min.s32 %r9, %r0, %r1;", {m1, 3}, m1},
           {"min.u32 %r9, %r0, %r1;", {m1, 3}, 3},
           {"max.s64 %a6, %a0, %a1;", {~0ull, 3}, 3},
           {"max.u32 %r9, %r0, %r1;", {m1, 3}, m1},
           {"neg.s32 %r9, %r0;", {5}, m1 - 4},
           {"abs.s32 %r9, %r0;", {m1 - 4}, 5},
           {"abs.s64 %a6, %a0;", {~0ull}, 1}});
}

TEST_CASE("ptx: bits")
{
    check({{"and.b32 %r9, %r0, %r1;", {0xff0, 0x0ff}, 0x0f0},
           {"or.b64 %a6, %a0, %a1;", {1ull << 40, 1}, (1ull << 40) | 1},
           {"xor.b32 %r9, %r0, %r1;", {0xff0, 0x0ff}, 0xf0f},
           {"not.b32 %r9, %r0;", {0xff}, 0xffffff00},
           {"cnot.b32 %r9, %r0;", {0}, 1},
           {"cnot.b32 %r9, %r0;", {7}, 0},
           {"shl.b32 %r9, %r0, 4;", {0xf000000f}, 0xf0},
           {"shl.b32 %r9, %r0, %r1;", {1, 32}, 0},
           {"shl.b64 %a6, %a0, 40;", {1}, 1ull << 40},
           {"shr.u32 %r9, %r0, 4;", {0xf000000f}, 0x0f000000},
           {"shr.s32 %r9, %r0, 4;", {0xf0000000}, 0xff000000},
           {"shr.s32 %r9, %r0, 99;", {0xf0000000}, m1},
           {"shr.u64 %a6, %a0, 63;", {1ull << 63}, 1},
           {"shf.l.wrap.b32 %r9, %r0, %r1, 8;", {0xaabbccdd, 0x11223344}, 0x223344aa},
           {"shf.r.wrap.b32 %r9, %r0, %r1, 8;", {0xaabbccdd, 0x11223344}, 0x44aabbcc},
           {"shf.l.clamp.b32 %r9, %r0, %r1, 40;", {0xaabbccdd, 0x11223344}, 0xaabbccdd},
           {"shf.r.clamp.b32 %r9, %r0, %r1, 40;", {0xaabbccdd, 0x11223344}, 0x11223344},
           {"lop3.b32 %r9, %r0, %r1, %r2, 0xe8;", {0xf0, 0xcc, 0xaa}, 0xe8},
           {"lop3.b32 %r9, %r0, %r1, %r2, 0x96;", {0xf0, 0xcc, 0xaa}, 0x96},
           {"prmt.b32 %r9, %r0, %r1, 0x7531;", {0x33221100, 0x77665544}, 0x77553311},
           {"bfe.u32 %r9, %r0, 4, 8;", {0xabcd}, 0xbc},
           {"bfe.s32 %r9, %r0, 4, 8;", {0xabcd}, 0xffffffbc},
           {"bfe.u64 %a6, %a0, 36, 8;", {0xabull << 36}, 0xab},
           {"bfi.b32 %r9, %r0, %r1, 8, 4;", {0xf5, 0xaaaaaaaa}, 0xaaaaa5aa},
           {"popc.b32 %r9, %r0;", {0xf0f}, 8},
           {"popc.b64 %r9, %a0;", {~0ull}, 64},
           {"clz.b32 %r9, %r0;", {1}, 31},
           {"clz.b64 %r9, %a0;", {0}, 64},
           {"bfind.u32 %r9, %r0;", {0x100}, 8},
           {"bfind.shiftamt.u32 %r9, %r0;", {0x100}, 23},
           {"bfind.s32 %r9, %r0;", {m1}, m1},
           {"brev.b32 %r9, %r0;", {1}, 0x80000000}});
}

TEST_CASE("ptx: floats, in all rounding modes")
{
    const float third = 1.0f / 3, big = 16777216.0f; // 2^24: adding 1 is a tie
    check({{"add.f32 %f7, %f0, %f1;", {f(big), f(1)}, f(big)},
           {"add.rp.f32 %f7, %f0, %f1;", {f(big), f(1)}, f(big + 2)},
           {"add.rz.f32 %f7, %f0, %f1;", {f(big + 2), f(1)}, f(big + 2)},
           {"sub.rm.f32 %f7, %f0, %f1;", {f(-big), f(1)}, f(-big - 2)},
           {"sub.f32 %f7, %f0, %f1;", {f(3), f(5)}, f(-2)},
           {"mul.f32 %f7, %f0, %f1;", {f(3), f(5)}, f(15)},
           {"mul.rz.f32 %f7, %f0, %f1;",
            {f(third), f(third)},
            f(std::nextafter(third * third, third * third * double(1) > double(third) * third ? 0.0f : third * third))},
           {"mul.ftz.f32 %f7, %f0, %f1;", {f(1e-30f), f(1e-10f)}, f(0)},
           {"mul.sat.f32 %f7, %f0, %f1;", {f(3), f(5)}, f(1)},
           {"fma.rn.f32 %f7, %f0, %f1, %f2;", {f(third), f(3), f(-1)}, f(std::fma(third, 3.0f, -1.0f))},
           {"fma.rn.f64 %d7, %d0, %d1, %d2;", {d(0.1), d(10), d(-1)}, d(std::fma(0.1, 10.0, -1.0))},
           {"div.rn.f32 %f7, %f0, %f1;", {f(1), f(3)}, f(third)},
           {"div.full.f32 %f7, %f0, %f1;", {f(1), f(4)}, f(0.25f)},
           {"div.rp.f32 %f7, %f0, %f1;", {f(1), f(3)}, f(third)}, // 1/3 rounds up to nearest
           {"div.rm.f32 %f7, %f0, %f1;", {f(1), f(3)}, f(std::nextafter(third, 0.0f))},
           {"neg.f32 %f7, %f0;", {f(0)}, f(-0.0f)},
           {"abs.f32 %f7, %f0;", {f(-2)}, f(2)},
           {"min.f32 %f7, %f0, %f1;", {f(NAN), f(2)}, f(2)},
           {"min.f32 %f7, %f0, %f1;", {f(0), f(-0.0f)}, f(-0.0f)},
           {"max.f32 %f7, %f0, %f1;", {f(-INFINITY), f(-5)}, f(-5)},
           {"max.NaN.f32 %f7, %f0, %f1;", {f(NAN), f(2)}, f(NAN)},
           {"copysign.f32 %f7, %f0, %f1;", {f(-1), f(3)}, f(-3)},
           {"rcp.rn.f32 %f7, %f0;", {f(4)}, f(0.25f)},
           {"sqrt.rn.f32 %f7, %f0;", {f(2)}, f(std::sqrt(2.0f))},
           {"sqrt.rp.f32 %f7, %f0;",
            {f(2)},
            f(std::nextafter(std::sqrt(2.0f), double(std::sqrt(2.0f)) * std::sqrt(2.0f) < 2 ? 9.0f : std::sqrt(2.0f)))},
           {"rsqrt.approx.f32 %f7, %f0;", {f(16)}, f(0.25f)},
           {"ex2.approx.ftz.f32 %f7, %f0;", {f(-INFINITY)}, f(0)},
           {"ex2.approx.f32 %f7, %f0;", {f(5)}, f(32)},
           {"lg2.approx.f32 %f7, %f0;", {f(32)}, f(5)},
           {"sin.approx.f32 %f7, %f0;", {f(0)}, f(0)},
           {"cos.approx.f32 %f7, %f0;", {f(0)}, f(1)},
           {"tanh.approx.f32 %f7, %f0;", {f(0)}, f(0)},
           {"add.rn.f64 %d7, %d0, %d1;", {d(0.1), d(0.2)}, d(0.1 + 0.2)},
           {"add.rn.f16x2 %r9, %r0, %r1;", {0x3c003c00, 0x40003c00}, 0x42004000},
           {"sub.rn.f16x2 %r9, %r0, %r1;", {0x64806500, 0x64806480}, 0x00005800},
           {"mul.rn.f16x2 %r9, %r0, %r1;", {0x40003c00, 0x40004000}, 0x44004000},
           {"fma.rn.f16x2 %r9, %r0, %r1, %r2;", {0x40003c00, 0x40004000, 0x3c003c00}, 0x45004200},
           {"fma.rn.bf16x2 %r9, %r0, %r1, %r2;", {0x40003f80, 0x40004000, 0x3f803f80}, 0x40a04040},
           {"max.f16x2 %r9, %r0, %r1;", {0x40003c00, 0x3c004000}, 0x40004000},
           {"neg.bf16x2 %r9, %r0;", {0x3f803f80}, 0xbf80bf80},
           {"add.f16 %h7, %h0, %h1;", {0x3c00, 0x3c00}, 0x4000}});
}

TEST_CASE("ptx: comparisons and selections")
{
    check({{"setp.lt.s32 %p1, %r0, %r1;", {m1, 1}, 1},
           {"setp.lt.u32 %p1, %r0, %r1;", {m1, 1}, 0},
           {"setp.hi.u32 %p1, %r0, %r1;", {m1, 1}, 1},
           {"setp.ne.s64 %p1, %a0, %a1;", {1ull << 40, 0}, 1},
           {"setp.eq.b16 %p1, %h0, %h1;", {0x10005, 5}, 1},
           {"setp.ge.f32 %p1, %f0, %f1;", {f(NAN), f(1)}, 0},
           {"setp.geu.f32 %p1, %f0, %f1;", {f(NAN), f(1)}, 1},
           {"setp.ne.f32 %p1, %f0, %f1;", {f(NAN), f(1)}, 0},
           {"setp.neu.f32 %p1, %f0, %f1;", {f(NAN), f(1)}, 1},
           {"setp.nan.f32 %p1, %f0, %f0;", {f(NAN)}, 1},
           {"setp.num.f32 %p1, %f0, %f0;", {f(1)}, 1},
           {"setp.gt.f64 %p1, %d0, %d1;", {d(2), d(1)}, 1},
           {"setp.eq.s32 %p0, %r0, %r1;\nsetp.lt.and.s32 %p1, %r0, 9, %p0;", {5, 5}, 1},
           {"setp.eq.s32 %p0, %r0, %r1;\nsetp.lt.or.s32 %p1, %r0, 2, %p0;", {5, 6}, 0},
           {"setp.eq.s32 %p0, %r0, %r1;\nsetp.lt.xor.s32 %p1, %r0, 9, %p0;", {5, 5}, 0},
           {"setp.lt.s32 %p0|%p1, %r0, %r1;", {1, 2}, 0},
           {"setp.eq.s32 %p0, %r0, 5;\nnot.pred %p1, %p0;", {5}, 0},
           {"setp.eq.s32 %p0, %r0, 5;\nsetp.eq.s32 %p2, %r1, 5;\nand.pred %p1, %p0, %p2;", {5, 5}, 1},
           {"mov.pred %p1, 1;", {}, 1},
           {"set.lt.u32.s32 %r9, %r0, %r1;", {1, 2}, m1},
           {"set.lt.f32.f32 %f7, %f0, %f1;", {f(1), f(2)}, f(1)},
           {"setp.lt.s32 %p0, %r0, %r1;\nselp.b32 %r9, %r2, %r3, %p0;", {1, 2, 30, 40}, 30},
           {"setp.gt.s32 %p0, %r0, %r1;\nselp.f32 %f7, %f2, %f3, %p0;", {1, 2, f(30), f(40)}, f(40)}});
}

TEST_CASE("ptx: conversions")
{
    check({{"cvt.s64.s32 %a6, %r0;", {m1}, ~0ull},
           {"cvt.s64.s32 %a6, %a0;", {7ull << 32 | m1}, ~0ull}, // the source may be wider than its type
           {"cvt.u32.u16 %r9, %a0;", {0x5001ffff}, 0xffff},
           {"cvt.u64.u32 %a6, %r0;", {m1}, m1},
           {"cvt.s32.s8 %r9, %r0;", {0x80}, 0xffffff80},
           {"cvt.u32.u16 %r9, %h0;", {0x1ffff}, 0xffff},
           {"cvt.sat.s8.s32 %r9, %r0;", {300}, 127},
           {"cvt.rn.f32.s32 %f7, %r0;", {m1}, f(-1)},
           {"cvt.rn.f32.u32 %f7, %r0;", {m1}, f(4294967296.0f)},
           {"cvt.rz.f32.u32 %f7, %r0;", {m1}, f(4294967040.0f)},
           {"cvt.rn.f64.s64 %d7, %a0;", {~0ull}, d(-1)},
           {"cvt.rzi.s32.f32 %r9, %f0;", {f(-1.7f)}, m1},
           {"cvt.rni.s32.f32 %r9, %f0;", {f(2.5f)}, 2},
           {"cvt.rmi.s32.f32 %r9, %f0;", {f(-1.2f)}, m1 - 1},
           {"cvt.rpi.s32.f32 %r9, %f0;", {f(1.2f)}, 2},
           {"cvt.rzi.u32.f32 %r9, %f0;", {f(-5)}, 0},
           {"cvt.rzi.s32.f32 %r9, %f0;", {f(1e20f)}, 0x7fffffff},
           {"cvt.rzi.s32.f32 %r9, %f0;", {f(NAN)}, 0},
           {"cvt.rni.f32.f32 %f7, %f0;", {f(2.5f)}, f(2)},
           {"cvt.sat.f32.f32 %f7, %f0;", {f(2.5f)}, f(1)},
           {"cvt.f64.f32 %d7, %f0;", {f(0.1f)}, d(0.1f)},
           {"cvt.rn.f32.f64 %f7, %d0;", {d(0.1)}, f(0.1f)},
           {"cvt.rn.f16.f32 %h7, %f0;", {f(1.0f + 0x1p-11f)}, 0x3c00},
           {"cvt.rn.bf16.f32 %h7, %f0;", {f(1.0f + 0x1p-8f)}, 0x3f80},
           {"cvt.f32.f16 %f7, %h0;", {0x0001}, f(0x1p-24f)},
           {"cvt.f32.bf16 %f7, %h0;", {0x4049}, f(3.140625f)},
           {"cvt.rn.f16x2.f32 %r9, %f0, %f1;", {f(2), f(1)}, 0x40003c00},
           {"cvt.rn.bf16x2.f32 %r9, %f0, %f1;", {f(2), f(1)}, 0x40003f80},
           {"cvt.rn.f16x2.e4m3x2 %r9, %h0;", {0x7e38}, 0x5f003c00},
           {"cvt.rn.satfinite.e4m3x2.f32 %h7, %f0, %f1;", {f(1000), f(1)}, 0x7e38}});
}

TEST_CASE("ptx: moves and memory")
{
    check(
        {{"mov.b64 {%r8, %r9}, %a0;", {0x1122334455667788}, 0x11223344},
         {"mov.b64 %a6, {%r0, %r1};", {0x55667788, 0x11223344}, 0x1122334455667788},
         {"mov.b32 {%h6, %h7}, %r0;", {0xaaaabbbb}, 0xaaaa},
         {"mov.b32 %r9, {%h0, %h1};", {0xbbbb, 0xaaaa}, 0xaaaabbbb},
         {"ld.global.s8 %r9, [%from+8];", {0, 0x80}, 0xffffff80},
         {"ld.global.nc.u16 %r9, [%from+8];", {0, 0x18000}, 0x8000},
         {"ld.global.v2.u32 {%r8, %r9}, [%from+8];", {0, 0x1122334455667788}, 0x11223344},
         {"ld.volatile.global.u64 %a6, [%from];", {99}, 99},
         {"mov.u32 %r8, tile;\nst.shared.v4.u32 [%r8+16], {%r0, %r1, %r2, %r3};\nld.shared.u64 %a6, [%r8+24];",
          {1, 2, 3, 4},
          0x400000003},
         {"mov.u64 %a5, tile;\ncvta.shared.u64 %a4, %a5;\nst.u32 [%a4], %r0;\nld.shared.u32 %r9, [tile];", {77}, 77},
         {"mov.u64 %a5, tile;\ncvta.shared.u64 %a4, %a5;\ncvta.to.shared.u64 %a6, %a4;\nsub.s64 %a6, %a6, %a5;", {}, 0},
         {"mov.u32 %r8, tile;\nst.shared.u32 [%r8], 5;\nbar.warp.sync 0xffffffff;\n"
          "setp.eq.s32 %p0, %lane, 0;\n@%p0 atom.shared.add.u32 %r7, [%r8], 3;\nbar.warp.sync "
          "0xffffffff;\nld.shared.u32 %r9, [%r8];",
          {},
          8},
         {"mov.u32 %r8, tile;\nst.shared.u32 [%r8], 5;\nbar.sync 0;\nred.shared.max.s32 [%r8], %lane;\nbar.sync "
          "0;\nld.shared.u32 %r9, [%r8];",
          {},
          31},
         {"mov.u32 %r8, tile;\nst.shared.f32 [%r8], 0f00000000;\nbar.sync 0;\nred.shared.add.f32 [%r8], "
          "0f3f000000;\nbar.sync 0;\nld.shared.f32 %f7, [%r8];",
          {},
          f(16)},
         {"mov.u32 %r8, tile;\nst.shared.u32 [%r8], 1;\nbar.sync 0;\nred.shared.inc.u32 [%r8], 4;\nbar.sync "
          "0;\nld.shared.u32 %r9, [%r8];",
          {},
          3},
         {"mov.u32 %r8, tile;\nst.shared.u32 [%r8], 0;\nbar.sync 0;\nred.shared.or.b32 [%r8], %lane;\nbar.sync "
          "0;\nld.shared.u32 %r9, [%r8];",
          {},
          31},
         {"mov.u32 %r8, tile;\nst.shared.u32 [%r8], 9;\nbar.sync 0;\natom.shared.cas.b32 %r7, [%r8], 9, 4;\nbar.sync "
          "0;\nld.shared.u32 %r9, [%r8];",
          {},
          4},
         {"mov.u32 %r8, tile;\ncp.async.ca.shared.global [%r8], [%from+8], 8, 4;\ncp.async.wait_all;\nld.shared.u64 "
          "%a6, [%r8];",
          {0, 0x1122334455667788},
          0x55667788}});
}

TEST_CASE("ptx: lanes that part and meet, votes, shuffles, reductions")
{
    const auto out = run("and.b32 %r8, %lane, 1;\nsetp.eq.s32 %p0, %r8, 1;\nmov.u32 %r9, 0;\n@%p0 bra odd;\nadd.s32 "
                         "%r9, %lane, 100;\nbra.uni done;\n"
                         "odd: add.s32 %r9, %lane, 200;\ndone: bar.warp.sync 0xffffffff;\nshfl.sync.bfly.b32 %r7|%p1, "
                         "%r9, 1, 31, 0xffffffff;\n"
                         "cvt.u64.u32 %result, %r7;",
                         {});
    for (std::uint64_t l = 0; l < 32; ++l) CHECK(out[l] == (l % 2 ? 99 + l : 201 + l));
    check({{"setp.lt.u32 %p0, %lane, 5;\nvote.sync.ballot.b32 %r9, %p0, 0xffffffff;", {}, 31},
           {"setp.lt.u32 %p0, %lane, 5;\nvote.sync.any.pred %p1, %p0, 0xffffffff;", {}, 1},
           {"setp.lt.u32 %p0, %lane, 5;\nvote.sync.all.pred %p1, %p0, 0xffffffff;", {}, 0},
           {"setp.lt.u32 %p0, %lane, 5;\nvote.sync.uni.pred %p1, %p0, 0xffffffff;", {}, 0},
           {"redux.sync.add.u32 %r9, %lane, 0xffffffff;", {}, 496},
           {"redux.sync.max.s32 %r9, %lane, 0xffffffff;", {}, 31},
           {"redux.sync.min.u32 %r9, %lane, 0xffffffff;", {}, 0},
           {"redux.sync.or.b32 %r9, %lane, 0xffffffff;", {}, 31},
           {"redux.sync.xor.b32 %r9, %lane, 0xffffffff;", {}, 0},
           {"activemask.b32 %r9;", {}, m1},
           {"membar.gl;\nfence.acq_rel.gpu;\nprefetch.global.L2 [%from];\nnanosleep.u32 5;\nmov.u32 %r9, 3;", {}, 3}});
}

TEST_CASE("ptx: an unknown instruction is an error that names it")
{
    const auto message = [](const std::string& body) -> std::string {
        try {
            run(body, {});
        } catch (const std::exception& e) {
            return e.what();
        }
        return "none";
    };
    CHECK(message("frobnicate.u32 %r9, %r0;").find("unknown instruction frobnicate.u32") != std::string::npos);
    CHECK(message("add.cc.u32 %r9, %r0, %r1;").find("unknown instruction add.cc.u32") != std::string::npos);
    CHECK(message("mbarrier.init.shared.b64 [%r0], 1;").find("unknown instruction mbarrier.init") != std::string::npos);
    CHECK(message("mov.u32 %r9, %nosuch;").find("unknown name %nosuch") != std::string::npos);
    CHECK(message("trap;").find("trap") != std::string::npos);
}
