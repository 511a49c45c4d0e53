// Caches whose neighbouring rows lie 16 gigabytes apart, further than 32 bits count in bytes or in numbers of any type
// (fault 22). They are address space: memory is taken only where a row lies.
#pragma once
#include "cuda/executor/executor.h"
#include "reference/verification/recipe.h"

namespace headroom {

// Bytes. What 32 bits keep of it is 4096, or 4096 over the size of a number: in the buffer, where nothing is stored.
constexpr Index far_apart = (Index{1} << 34) + 4096;

class AddressSpace { // zeros
public:
    explicit AddressSpace(Index bytes);
    AddressSpace(AddressSpace&& other) noexcept;
    AddressSpace& operator=(AddressSpace&&) = delete;
    ~AddressSpace();
    std::byte* data() const { return data_; }

private:
    std::size_t bytes_;
    std::byte* data_;
};

// Two of everything that an offset counts: sequences (or pages), KV heads, keys.
Recipe two_of_each(DType type, DType q_type);

// The problem with its rows, and where it has them their scales, far apart along one axis of k and v.
enum class FarAxis { sequence, head, key };
class FarRows {
public:
    FarRows(const AttentionProblem& compact, FarAxis axis);
    const AttentionProblem& problem() const { return problem_; }

private:
    void stretch(StoredView& part, int axis);
    AttentionProblem problem_;
    std::vector<AddressSpace> memory_;
};

// Any executor on the host. Of what is this large only the beginning and the end hold anything, so only they are copied.
template <class Base> class FarExecutor : public Base {
public:
    using Base::Base;
    void copy_in(void* to, const void* from, std::size_t bytes) override
    {
        constexpr std::size_t page = 4096;
        if (bytes < std::size_t{far_apart}) return Base::copy_in(to, from, bytes);
        for (const std::size_t at : {std::size_t{0}, bytes - page})
            Base::copy_in(static_cast<std::byte*>(to) + at, static_cast<const std::byte*>(from) + at, page);
    }
};

} // namespace headroom
