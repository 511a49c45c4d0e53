// Whatever the bytes, a safetensors file is read whole or refused with one line; what was read can be written again.
#include "reference/tensor/safetensors.h"

#include <cstdlib>
#include <stdexcept>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    using namespace headroom;
    try {
        const NamedTensors contents = parse_safetensors(std::as_bytes(std::span(data, size)));
        if (parse_safetensors(format_safetensors(contents)).tensors.size() != contents.tensors.size()) std::abort();
    } catch (const std::invalid_argument& refusal) {
        const std::string_view line = refusal.what();
        if (line.empty() || line.find('\n') != std::string_view::npos) std::abort();
    }
    return 0;
}
