#include "reference/recording/kernels.h"

namespace headroom {

Index bytes_read(const TracedStep& step, std::string_view buffer)
{
    Index bytes = 0;
    for (const KernelTrace& launch : step.launches) bytes += bytes_read(launch, buffer);
    return bytes;
}

double bytes_read_per_kv_byte(const TracedStep& step)
{
    Index keys = 0;
    for (const Index length : step.lengths) keys += length;
    const Index stored = keys * step.shape.Hkv * (step.shape.D + step.shape.Dv) * byte_size(step.type);
    return stored ? static_cast<double>(bytes_read(step, "k") + bytes_read(step, "v")) / static_cast<double>(stored)
                  : 0;
}

} // namespace headroom
