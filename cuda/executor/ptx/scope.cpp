#include "cuda/executor/ptx/scope.h"

#include <cstdlib>

namespace headroom::cuda::ptx {
namespace {

const std::map<std::string_view, Special> special_registers = {{"%tid.x", Special::tid_x},
                                                               {"%tid.y", Special::tid_y},
                                                               {"%tid.z", Special::tid_z},
                                                               {"%ntid.x", Special::ntid_x},
                                                               {"%ntid.y", Special::ntid_y},
                                                               {"%ntid.z", Special::ntid_z},
                                                               {"%ctaid.x", Special::ctaid_x},
                                                               {"%ctaid.y", Special::ctaid_y},
                                                               {"%ctaid.z", Special::ctaid_z},
                                                               {"%nctaid.x", Special::nctaid_x},
                                                               {"%nctaid.y", Special::nctaid_y},
                                                               {"%nctaid.z", Special::nctaid_z},
                                                               {"%laneid", Special::laneid},
                                                               {"%warpid", Special::warpid},
                                                               {"%nwarpid", Special::nwarpid},
                                                               {"%lanemask_lt", Special::lanemask_lt},
                                                               {"%lanemask_le", Special::lanemask_le},
                                                               {"%lanemask_eq", Special::lanemask_eq},
                                                               {"%lanemask_ge", Special::lanemask_ge},
                                                               {"%lanemask_gt", Special::lanemask_gt},
                                                               {"%clock", Special::clock},
                                                               {"%smid", Special::smid}};

} // namespace

int bits_of(std::string_view type)
{
    static const std::map<std::string_view, int> widths = {
        {"pred", 1}, {"b8", 8},     {"u8", 8},      {"s8", 8},      {"b16", 16}, {"u16", 16},
        {"s16", 16}, {"f16", 16},   {"bf16", 16},   {"b32", 32},    {"u32", 32}, {"s32", 32},
        {"f32", 32}, {"f16x2", 32}, {"bf16x2", 32}, {"b64", 64},    {"u64", 64}, {"s64", 64},
        {"f64", 64}, {"b128", 128}, {"e4m3x2", 16}, {"e5m2x2", 16}, {"tf32", 32}};
    const auto it = widths.find(type);
    return it == widths.end() ? 0 : it->second;
}

u32 Scope::allocate(int bits)
{
    const u32 bytes = bits == 1 ? 64 : bits == 64 ? 256 : 128; // a predicate is one mask, but keeps others aligned
    const u32 offset = function_.register_bytes;
    function_.register_bytes += bytes;
    return offset;
}

void Scope::declare_registers(std::string_view declaration)
{
    const auto names_at = declaration.find_first_of(" \t", declaration.find('.', 4));
    const std::string_view type =
        trim(declaration.substr(declaration.find('.', 4) + 1, names_at - declaration.find('.', 4) - 1));
    const int bits = bits_of(type);
    if (!bits || bits > 64) throw SyntaxError("PTX: registers of type " + std::string(type));
    for (const auto name : split(declaration.substr(names_at), ',')) {
        const auto range = name.find('<');
        if (range == name.npos) {
            scopes_.back()[std::string(name)] = {allocate(bits), bits};
            continue;
        }
        const int count = std::atoi(std::string(name.substr(range + 1)).c_str());
        for (int i = 0; i < count; ++i)
            scopes_.back()[std::string(name.substr(0, range)) + std::to_string(i)] = {allocate(bits), bits};
    }
}

const Scope::Register* Scope::find_register(std::string_view name) const
{
    for (auto scope = scopes_.rbegin(); scope != scopes_.rend(); ++scope)
        if (const auto it = scope->find(name); it != scope->end()) return &it->second;
    return nullptr;
}

const u64* Scope::find_symbol(std::string_view name) const
{
    const auto it = symbols_.find(name);
    return it == symbols_.end() ? nullptr : &it->second;
}

bool Scope::is_wide(const Operand& operand) const
{
    const Register* r = find_register(operand.name);
    return r && r->bits == 64;
}

u32 Scope::constant(u64 value, int bits)
{
    const bool wide = bits == 64;
    if (bits == 1) value = value ? ~u64{0} : 0; // a predicate of all lanes
    const auto [it, fresh] = constants_.try_emplace({wide ? value : value & 0xffffffff, wide}, 0);
    if (fresh) {
        it->second = allocate(wide ? 64 : 32);
        function_.constants.push_back({it->second, it->first.first, wide});
    }
    return it->second;
}

u32 Scope::source(const Operand& operand, int bits)
{
    if (operand.kind == Operand::Kind::number) return constant(operand.number, bits);
    if (operand.kind != Operand::Kind::name && operand.kind != Operand::Kind::address)
        throw SyntaxError("PTX: a register, a symbol or a number was expected");
    if (operand.name.empty()) return constant(0, bits);
    if (const Register* r = find_register(operand.name)) return r->offset;
    if (const u64* symbol = find_symbol(operand.name)) return constant(*symbol, bits);
    if (const auto it = specials_.find(operand.name); it != specials_.end()) return it->second;
    if (operand.name == "WARP_SZ") return constant(32, bits);
    const auto special = special_registers.find(operand.name);
    if (special == special_registers.end()) throw SyntaxError("PTX: unknown name " + operand.name);
    const u32 offset = allocate(32);
    function_.specials.push_back({offset, special->second});
    return specials_[operand.name] = offset;
}

u32 Scope::destination(const Operand& operand)
{
    if (operand.kind == Operand::Kind::nothing) {
        if (sink_ == nowhere) sink_ = allocate(64);
        return sink_;
    }
    const Register* r = operand.kind == Operand::Kind::name ? find_register(operand.name) : nullptr;
    if (!r) throw SyntaxError("PTX: " + operand.name + " is no register");
    return r->offset;
}

} // namespace headroom::cuda::ptx
