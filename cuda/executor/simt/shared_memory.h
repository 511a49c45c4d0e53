// The shared memory of one block: dynamic memory first, then the variables in order of their first use; full of NaN.
#pragma once
#include <cstddef>
#include <string>
#include <vector>

namespace headroom::cuda::simt {

class SharedMemory {
public:
    static constexpr std::size_t limit = 227 * 1024; // what one block of an H200 can have
    static constexpr std::size_t alignment = 1024;   // of the dynamic memory: what TMA's swizzle asks for

    SharedMemory();
    SharedMemory(const SharedMemory&) = delete;
    SharedMemory& operator=(const SharedMemory&) = delete;
    ~SharedMemory();

    void clear(std::size_t dynamic_bytes); // poisons what the last block used
    std::byte* dynamic() const { return base_; }
    std::byte* variable(const void* key, const char* name, std::size_t bytes); // null: no room

    bool contains(const void* address) const { return address >= base_ && address < base_ + limit; }
    bool holds(const void* address, std::size_t bytes) const; // inside one variable or the dynamic memory
    std::size_t offset(const void* address) const
    {
        return static_cast<std::size_t>(static_cast<const std::byte*>(address) - base_);
    }
    std::string describe(const void* address) const; // "tile + 12"

private:
    struct Variable {
        const void* key;
        const char* name;
        std::size_t begin, end;
    };
    std::vector<std::byte> storage_;
    std::byte* base_;
    std::size_t dynamic_bytes_ = 0, used_ = 0;
    std::vector<Variable> variables_;
};

} // namespace headroom::cuda::simt
