// Memory for caches under test: counts what is really taken, fills it with NaN, and fails when told to.
#pragma once
#include "reference/tensor/tensor.h"
#include <algorithm>
#include <cstring>
#include <memory_resource>
#include <new>

namespace headroom {

class TestMemory : public std::pmr::memory_resource {
public:
    Index reserved = 0, peak = 0, allocations = 0;
    Index fail_after = -1; // so many allocations succeed, the next one fails; -1: none fails

private:
    void* do_allocate(std::size_t bytes, std::size_t alignment) override
    {
        if (fail_after >= 0 && fail_after-- == 0) throw std::bad_alloc();
        void* memory = std::pmr::new_delete_resource()->allocate(bytes, alignment);
        std::memset(memory, 0xff, bytes); // a NaN in every floating type
        reserved += static_cast<Index>(bytes);
        peak = std::max(peak, reserved);
        ++allocations;
        return memory;
    }
    void do_deallocate(void* memory, std::size_t bytes, std::size_t alignment) override
    {
        std::pmr::new_delete_resource()->deallocate(memory, bytes, alignment);
        reserved -= static_cast<Index>(bytes);
    }
    bool do_is_equal(const memory_resource& other) const noexcept override { return this == &other; }
};

// All other memory of the program: so many calls of operator new succeed, the next one throws; -1: none.
void fail_new_after(Index calls);

} // namespace headroom
