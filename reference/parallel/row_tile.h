// Rows of keys or values as the kernels want them: pointers to where a cache stores them, whatever its blocks. Nothing is
// copied, except from storage that no kernel reads: columns that lie apart, widths that fill no vector, scales per column.
#pragma once
#include "reference/contract/kv_view.h"
#include "reference/parallel/kernels/kernels.h"

namespace headroom::parallel {

// few_queries: rows are multiplied where they lie, and those some kilobytes later come into the cache meanwhile. many_queries:
// there is a pointer to each row, and to each of the next tile.
enum class Use : std::uint8_t { few_queries, many_queries };

struct RowTile {
    Stored type;
    Index rows = 0;
    const void* first = nullptr; // of rows that all lie evenly apart, else null
    Index stride = 0;            // in bytes, if they do at least four by four, else 0
    Index ahead = 0;
    Index row_bytes = 0;
    bool scaled = false;
    const void* row[2 * tile_keys + 4]; // to each row and `ahead` more; not set for few_queries where there is a first
    alignas(64) float scale[tile_keys];

    StoredRows stored_rows() const { return {.first = first, .row = row, .stride = stride, .ahead = ahead}; }

    // Whether the rows are a matrix of floats where they are stored: then one with this stride, in floats.
    bool is_matrix() const { return type == Stored::f32 && first && stride % Index{sizeof(float)} == 0; }
    const float* matrix() const { return static_cast<const float*>(first); }
    Index matrix_stride() const { return stride / Index{sizeof(float)}; }
};

class RowSource {
public:
    // columns_apart: scales that differ by column alone are none of ours, the caller applies them (keys: to the query)
    RowSource(const KvView& kv, const StoredView& part, Index lanes, bool column_scales_elsewhere);

    Index dim() const { return dim_; } // of a row, a multiple of lanes
    Stored stored_type() const;        // of located rows

    // Rows of slots [first, first + rows), and behind them, up to slot `end`, where the next tile lies.
    void locate(Index b, Index hkv, Index first, Index rows, Index end, Use use, RowTile& tile, float* copies) const;

private:
    template <class Run> void in_blocks(Index b, Index first, Index rows, Run run) const;
    void copy(Index b, Index hkv, Index first, RowTile& tile, float* to) const;

    KvView kv_;
    StoredView part_;
    Index dim_, row_bytes_, ahead_;
    bool direct_;
};

// How many rows later comes into the cache while a row is multiplied: into L1, if rows lie so near that many find room there
// (fetch.h), else into L2, where twice as many do.
Index rows_ahead(Index row_bytes, Index stride);

// Whether a key's scales depend on head and column alone, so that a query can take them over.
bool scales_belong_to_columns(const StoredView& part);

} // namespace headroom::parallel
