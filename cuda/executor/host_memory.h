// Kernel memory on the host, for the executors without a GPU: labelled, poisoned, guarded on both sides.
#pragma once
#include "cuda/executor/executor.h"
#include <map>
#include <string>

namespace headroom::cuda {

class HostMemory {
public:
    static constexpr std::size_t guard_bytes = 4096;
    struct Block {
        std::size_t bytes;
        std::string label;
    };

    ~HostMemory();
    void* allocate(std::size_t bytes, std::string_view label);
    void release(void* memory) noexcept;
    void check_guards() const; // throws Fault when a kernel wrote beside a block

    // The block that holds [address, address + bytes), or null; and where the block at an address begins.
    const Block* find(const void* address, std::size_t bytes) const;
    const std::byte* begin_of(const void* address) const
    {
        return std::prev(blocks_.upper_bound(static_cast<const std::byte*>(address)))->first;
    }
    // "byte 12 of 'output' (64 bytes)", or "no buffer": the block that the address lies in or beside.
    std::string describe(const void* address) const;
    const std::map<const std::byte*, Block>& blocks() const { return blocks_; }

private:
    std::map<const std::byte*, Block> blocks_;
    mutable std::map<const std::byte*, Block>::const_iterator recent_ = blocks_.end();
};

} // namespace headroom::cuda
