#include "reference/parallel/row_tile.h"

#include "reference/parallel/rounding.h"
#include <algorithm>

namespace headroom::parallel {
namespace {

bool has_kernel(DType type) { return type != DType::f64; }

} // namespace

Index rows_ahead(Index row_bytes, Index stride)
{
    constexpr Index bytes = 8192, near_stride = 1024;
    const Index rows = stride <= std::max(row_bytes, near_stride)
                           ? std::min(bytes / row_bytes, 2 * bytes / std::max<Index>(stride, 1))
                           : 2 * bytes / row_bytes;
    return std::clamp<Index>(rows / 4 * 4, 4, tile_keys);
}

bool scales_belong_to_columns(const StoredView& part)
{
    return part.scale && part.scale_stride[0] == 0 && part.scale_stride[2] == 0;
}

RowSource::RowSource(const KvView& kv, const StoredView& part, Index lanes, bool column_scales_elsewhere)
    : kv_(kv), part_(part), dim_(rounded_up(part.extent[3], lanes))
{
    if (column_scales_elsewhere) part_.scale = nullptr;
    direct_ = has_kernel(part.type) && part.byte_stride[3] == byte_size(part.type) && dim_ == part.extent[3] &&
              (!part_.scale || part_.scale_stride[3] == 0);
    row_bytes_ = dim_ * (direct_ ? byte_size(part_.type) : Index{sizeof(float)});
    ahead_ = direct_ ? rows_ahead(row_bytes_, part_.byte_stride[2]) : 0;
}

Stored RowSource::stored_type() const
{
    switch (direct_ ? part_.type : DType::f32) {
    case DType::f16: return Stored::f16;
    case DType::bf16: return Stored::bf16;
    case DType::f8e4m3: return Stored::f8e4m3;
    case DType::i8: return Stored::i8;
    default: return Stored::f32;
    }
}

void RowSource::locate(Index b, Index hkv, Index first, Index rows, Index end, Use use, RowTile& tile,
                       float* copies) const
{
    tile.rows = rows;
    tile.scaled = direct_ && part_.scale;
    tile.type = stored_type();
    tile.row_bytes = row_bytes_;
    if (!direct_) return copy(b, hkv, first, tile, copies);

    const Index block_size = part_.extent[2], stride = part_.byte_stride[2];
    const Place at = place(kv_, b, first);
    const bool evenly = at.slot + rows <= block_size && stride > 0;
    tile.first = evenly ? part_.data + byte_offset(part_, at.block, hkv, at.slot) : nullptr;
    tile.stride = evenly || (stride > 0 && at.slot % 4 == 0 && block_size % 4 == 0) ? stride : 0;
    tile.ahead = use == Use::few_queries ? ahead_ : tile_keys;
    if (!evenly || use == Use::many_queries) {
        const Index wanted = std::min(rows + tile.ahead, end - first);
        in_blocks(b, first, wanted, [&](Index n, Index count, const Place& from) {
            const std::byte* const row = part_.data + byte_offset(part_, from.block, hkv, from.slot);
            for (Index i = 0; i < count; ++i) tile.row[n + i] = row + i * stride;
        });
        std::fill(tile.row + wanted, tile.row + rows + tile.ahead + 4, tile.row[wanted - 1]);
        if (use == Use::many_queries) tile.ahead = wanted - rows;
    }
    if (!tile.scaled) return;
    in_blocks(b, first, rows, [&](Index n, Index count, const Place& from) {
        const float* const scale = part_.scale + scale_offset(part_, from.block, hkv, from.slot);
        for (Index i = 0; i < count; ++i) tile.scale[n + i] = scale[i * part_.scale_stride[2]];
    });
    std::fill(tile.scale + rows, tile.scale + tile_keys, 1.0f);
}

// Of each block that holds some of the rows: run(how many came before, how many are there, where the first of them lies)
template <class Run> void RowSource::in_blocks(Index b, Index first, Index rows, Run run) const
{
    for (Index n = 0, count = 0; n < rows; n += count) {
        const Place at = place(kv_, b, first + n);
        count = std::min(rows - n, part_.extent[2] - at.slot);
        run(n, count, at);
    }
}

void RowSource::copy(Index b, Index hkv, Index first, RowTile& tile, float* to) const
{
    thread_local std::vector<double> exact;
    exact.resize(static_cast<std::size_t>(part_.extent[3]));
    tile.first = to;
    tile.stride = dim_ * Index{sizeof(float)};
    tile.ahead = 0;
    for (Index n = 0; n < tile.rows; ++n, to += dim_) {
        const Place at = place(kv_, b, first + n);
        read_row(part_, at.block, hkv, at.slot, exact);
        for (Index d = 0; d < dim_; ++d)
            to[d] = d < part_.extent[3] ? static_cast<float>(exact[static_cast<std::size_t>(d)]) : 0;
        tile.row[n] = to;
    }
    std::fill(tile.row + tile.rows, tile.row + tile.rows + 4, tile.row[tile.rows - 1]);
}

} // namespace headroom::parallel
