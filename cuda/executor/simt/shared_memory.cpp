#include "cuda/executor/simt/shared_memory.h"

#include "cuda/executor/sanitizer.h"

#include <cstdint>
#include <cstring>

namespace headroom::cuda::simt {
namespace {

std::size_t aligned(std::size_t n, std::size_t to) { return (n + to - 1) / to * to; }

} // namespace

SharedMemory::SharedMemory() : storage_(limit + alignment)
{
    base_ = reinterpret_cast<std::byte*>(aligned(reinterpret_cast<std::uintptr_t>(storage_.data()), alignment));
    used_ = limit;
}

SharedMemory::~SharedMemory() { sanitizer::unpoison(storage_.data(), storage_.size()); }

void SharedMemory::clear(std::size_t dynamic_bytes)
{
    sanitizer::unpoison(base_, limit);
    std::memset(base_, 0xff, used_ > dynamic_bytes ? used_ : dynamic_bytes);
    sanitizer::poison(base_ + dynamic_bytes, limit - dynamic_bytes);
    dynamic_bytes_ = used_ = dynamic_bytes;
    variables_.clear();
}

std::byte* SharedMemory::variable(const void* key, const char* name, std::size_t bytes)
{
    for (const Variable& v : variables_)
        if (v.key == key) return base_ + v.begin;
    const std::size_t red_zone = sanitizer::present() ? 64 : 0;
    const std::size_t begin = aligned(used_ + red_zone, 16);
    if (begin + bytes > limit) return nullptr;
    used_ = begin + bytes;
    variables_.push_back({key, name, begin, used_});
    sanitizer::unpoison(base_ + begin, bytes);
    return base_ + begin;
}

bool SharedMemory::holds(const void* address, std::size_t bytes) const
{
    if (!contains(address)) return false;
    const std::size_t begin = offset(address), end = begin + bytes;
    if (end <= dynamic_bytes_) return true;
    for (const Variable& v : variables_)
        if (begin >= v.begin && end <= v.end) return true;
    return false;
}

std::string SharedMemory::describe(const void* address) const
{
    const std::size_t at = offset(address);
    for (const Variable& v : variables_)
        if (at >= v.begin && at < v.end) return "shared " + std::string(v.name) + " + " + std::to_string(at - v.begin);
    if (at < dynamic_bytes_) return "dynamic shared memory + " + std::to_string(at);
    return "shared memory + " + std::to_string(at) + ", outside every array";
}

} // namespace headroom::cuda::simt
