// Memory accesses that primitives make for the current thread: checked for alignment, bounds and copies under way, and
// told to whoever observes. Ordinary loads and stores of kernels do not pass here; the tracer sees those.
#pragma once
#include "cuda/executor/simt/site.h"
#include <cstddef>

namespace headroom::cuda::simt {

enum class Access : std::uint8_t { read, write, shared_read, shared_write, atomic }; // shared_: must be shared memory

void check_access(const void* address, std::size_t bytes, std::size_t alignment, Access access, Site site);
void load(void* value, const void* address, std::size_t bytes, Site site);
void store(void* address, const void* value, std::size_t bytes, Site site);
void read_atomic(void* value, const void* address, std::size_t bytes, Site site); // write_atomic must follow
void write_atomic(void* address, const void* value, std::size_t bytes);

} // namespace headroom::cuda::simt
