#include "reference/parallel/row_tile.h"

#include <algorithm>

namespace headroom::parallel {
namespace {

bool has_kernel(DType type) { return type != DType::f64; }

} // namespace

bool scales_belong_to_columns(const StoredView& part)
{
    return part.scale && part.scale_stride[0] == 0 && part.scale_stride[2] == 0;
}

RowSource::RowSource(const KvView& kv, const StoredView& part, Index lanes, bool column_scales_elsewhere)
    : kv_(kv), part_(part), dim_((part.extent[3] + lanes - 1) / lanes * lanes)
{
    if (column_scales_elsewhere) part_.scale = nullptr;
    direct_ = has_kernel(part.type) && part.byte_stride[3] == byte_size(part.type) && dim_ == part.extent[3] &&
              (!part_.scale || part_.scale_stride[3] == 0);
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

void RowSource::locate(Index b, Index hkv, Index first, Index rows, Index end, RowTile& tile, float* copies) const
{
    tile.rows = rows;
    tile.scaled = direct_ && part_.scale;
    tile.type = stored_type();
    tile.row_bytes = dim_ * (direct_ ? byte_size(part_.type) : Index{sizeof(float)});
    tile.more = direct_ && end - first > rows;
    if (!direct_) return copy(b, hkv, first, tile, copies);

    // Block by block, as far as rows are wanted or fetched ahead.
    const Index block_size = part_.extent[2], stride = part_.byte_stride[2], wanted = std::min(2 * rows, end - first);
    Index slot = first % block_size;
    for (Index n = 0, entry = first / block_size; n < wanted; ++entry, slot = 0) {
        const Index block = kv_.block_table ? kv_.block_table[b * kv_.blocks_per_sequence + entry] : b;
        const Index until = std::min(wanted, n + block_size - slot);
        if (tile.scaled) {
            const float* scale = part_.scale + scale_offset(part_, block, hkv, slot);
            for (Index i = n; i < std::min(until, rows); ++i, scale += part_.scale_stride[2]) tile.scale[i] = *scale;
        }
        for (const std::byte* row = part_.data + byte_offset(part_, block, hkv, slot); n < until; row += stride)
            tile.row[n++] = row;
    }
    std::fill(tile.row + wanted, tile.row + (tile.more ? 2 * rows : rows) + 4, tile.row[wanted - 1]);
    if (tile.scaled) std::fill(tile.scale + rows, tile.scale + tile_keys, 1.0f);
    tile.stride = first % block_size + rows <= block_size ? part_.byte_stride[2] : 0;
}

void RowSource::copy(Index b, Index hkv, Index first, RowTile& tile, float* to) const
{
    thread_local std::vector<double> exact;
    exact.resize(static_cast<std::size_t>(part_.extent[3]));
    for (Index n = 0; n < tile.rows; ++n, to += dim_) {
        const Place at = place(kv_, b, first + n);
        read_row(part_, at.block, hkv, at.slot, exact);
        for (Index d = 0; d < dim_; ++d)
            to[d] = d < part_.extent[3] ? static_cast<float>(exact[static_cast<std::size_t>(d)]) : 0;
        tile.row[n] = to;
    }
    std::fill(tile.row + tile.rows, tile.row + tile.rows + 4, tile.row[tile.rows - 1]);
    tile.stride = dim_ * Index{sizeof(float)};
}

} // namespace headroom::parallel
