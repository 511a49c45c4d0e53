// ldmatrix, movmatrix, mma: by the layouts of the PTX ISA, with g = lane / 4 and t = lane % 4.
#include "cuda/executor/ptx/addresses.h"
#include "cuda/executor/ptx/arithmetic.h"

#include <cstring>

namespace headroom::cuda::ptx {
namespace {

// r: count results, then the address
template <bool transposed> void load_matrices(Warp& w, const Instruction& i, u32)
{
    for (u32 m = 0; m < i.count; ++m) {
        u16 matrix[8][8];
        for (u32 row = 0; row < 8; ++row) std::memcpy(matrix[row], locate(w, i, i.count, 8 * m + row, 16), 16);
        for (u32 lane = 0; lane < 32; ++lane) {
            const u32 g = lane / 4, t = lane % 4;
            const u32 low = transposed ? matrix[2 * t][g] : matrix[g][2 * t];
            const u32 high = transposed ? matrix[2 * t + 1][g] : matrix[g][2 * t + 1];
            w.set<u32>(i.r[m], lane, high << 16 | low);
        }
    }
}
Instruction load_statement(const Statement& s, Scope& scope)
{
    check_operands(s, 2);
    if (!s.has("m8n8") || !s.has("b16") || s.operands[0].kind != Operand::Kind::vector) unknown(s);
    Instruction i;
    i.flow = Flow::meeting;
    i.run = s.has("trans") ? load_matrices<true> : load_matrices<false>;
    i.space = static_cast<u8>(space_of(s));
    i.count = static_cast<u8>(s.operands[0].elements.size());
    for (std::size_t m = 0; m < i.count; ++m) i.r[m] = scope.destination(s.operands[0].elements[m]);
    set_address(i, i.count, s.operands[1], s, scope);
    return i;
}

void transpose(Warp& w, const Instruction& i, u32)
{
    u16 matrix[8][8];
    for (u32 lane = 0; lane < 32; ++lane) {
        const u32 pair = w.get<u32>(i.r[1], lane);
        std::memcpy(&matrix[lane / 4][2 * (lane % 4)], &pair, 4);
    }
    for (u32 lane = 0; lane < 32; ++lane) {
        const u32 g = lane / 4, t = lane % 4;
        w.set<u32>(i.r[0], lane, u32{matrix[2 * t + 1][g]} << 16 | matrix[2 * t][g]);
    }
}

// r: d[4], a[4], b[2], c[4]. Products are exact; sums are kept in double and rounded once.
template <class H> void multiply(Warp& w, const Instruction& i, u32)
{
    double A[16][16], B[16][8];
    for (u32 lane = 0; lane < 32; ++lane) {
        const u32 g = lane / 4, t = lane % 4;
        for (u32 n = 0; n < 4; ++n) {
            const auto pair = w.get<Pair<H>>(i.r[4 + n], lane);
            A[g + 8 * (n % 2)][2 * t + 8 * (n / 2)] = widen(pair.low);
            A[g + 8 * (n % 2)][2 * t + 1 + 8 * (n / 2)] = widen(pair.high);
        }
        for (u32 n = 0; n < 2; ++n) {
            const auto pair = w.get<Pair<H>>(i.r[8 + n], lane);
            B[2 * t + 8 * n][g] = widen(pair.low);
            B[2 * t + 1 + 8 * n][g] = widen(pair.high);
        }
    }
    for (u32 lane = 0; lane < 32; ++lane) {
        const u32 g = lane / 4, t = lane % 4;
        float d[4];
        for (u32 n = 0; n < 4; ++n) {
            double sum = w.get<float>(i.r[10 + n], lane);
            for (u32 k = 0; k < 16; ++k) sum += A[g + 8 * (n / 2)][k] * B[k][2 * t + n % 2];
            d[n] = static_cast<float>(sum);
        }
        for (u32 n = 0; n < 4; ++n) w.set<float>(i.r[n], lane, d[n]);
    }
}
Instruction multiply_statement(const Statement& s, Scope& scope)
{
    check_operands(s, 4);
    Instruction i;
    i.flow = Flow::meeting;
    const auto ends_with = [&](std::string_view types) {
        std::string text;
        for (const std::string& part : s.parts) text += "." + part;
        return text == ".sync.aligned.m16n8k16.row.col" + std::string(types);
    };
    i.run = ends_with(".f32.f16.f16.f32")     ? multiply<Half>
            : ends_with(".f32.bf16.bf16.f32") ? multiply<BFloat>
                                              : nullptr;
    if (!i.run) unknown(s);
    std::size_t at = 0;
    for (std::size_t operand = 0; operand < 4; ++operand) {
        const std::size_t count = operand == 2 ? 2 : 4;
        if (s.operands[operand].elements.size() != count) unknown(s, "operands");
        for (const Operand& e : s.operands[operand].elements)
            i.r[at++] = operand ? scope.source(e, 32) : scope.destination(e);
    }
    return i;
}

} // namespace

void add_matrices(Table& table)
{
    table["ldmatrix"] = load_statement;
    table["mma"] = multiply_statement;
    table["movmatrix"] = [](const Statement& s, Scope& scope) {
        if (!s.has("m8n8") || !s.has("trans") || !s.has("b16")) unknown(s);
        Instruction i = plain(s, scope, transpose, 32, 1);
        i.flow = Flow::meeting;
        return i;
    };
}

} // namespace headroom::cuda::ptx
