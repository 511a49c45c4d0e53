// Memory that counts: the bytes of a cache come from here, so its counts are what really happened.
#pragma once
#include "reference/tensor/tensor.h"
#include <algorithm>
#include <memory_resource>

namespace headroom {

class MeteredMemory : public std::pmr::memory_resource {
public:
    explicit MeteredMemory(std::pmr::memory_resource* source)
        : source_(source ? source : std::pmr::new_delete_resource())
    {}
    Index reserved = 0, peak = 0, allocations = 0;

private:
    void* do_allocate(std::size_t bytes, std::size_t alignment) override
    {
        void* memory = source_->allocate(bytes, alignment);
        reserved += static_cast<Index>(bytes);
        peak = std::max(peak, reserved);
        ++allocations;
        return memory;
    }
    void do_deallocate(void* memory, std::size_t bytes, std::size_t alignment) override
    {
        source_->deallocate(memory, bytes, alignment);
        reserved -= static_cast<Index>(bytes);
    }
    bool do_is_equal(const memory_resource& other) const noexcept override { return this == &other; }

    std::pmr::memory_resource* source_;
};

} // namespace headroom
