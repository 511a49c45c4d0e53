// The field of cells of the Kernel scene: a cell is what one lane reads at once, in the colour of the block that read it.
#include "viewer/scenes/kernel_page.h"

#include <algorithm>
#include <array>
#include <limits>

namespace headroom {

// Neighbours differ for colour-blind readers too: v and output, which look alike to many, stand apart.
Ink ink_of_block(std::int32_t block)
{
    static constexpr std::array inks{Ink::k, Ink::v, Ink::q, Ink::output};
    return inks[static_cast<std::size_t>(std::max(0, block)) % inks.size()];
}

namespace {

class ReadCells {
public:
    ReadCells(const KernelPicture& on, Rect grid, Index together)
        : on_(on), picture_(on.picture), reads_(on.reads), em_(on.page.em), grid_(grid), together_(together)
    {}

    // Neighbouring cells of one look are one rectangle, and the gaps between all cells are laid over them: hundreds of
    // shapes instead of two for each cell. The empty map below answers what lies under the pointer.
    void draw()
    {
        const auto rows = static_cast<std::int32_t>((reads_.keys + together_ - 1) / together_),
                   units = static_cast<std::int32_t>(reads_.units);
        Heatmap nothing{.first = {Part::access, static_cast<std::int32_t>(on_.choice.kernel),
                                  static_cast<std::int32_t>(on_.choice.kv_head), 0, 0},
                        .rows = rows,
                        .columns = units,
                        .position = {},
                        .gap = 0,
                        .row_stride = static_cast<std::int32_t>(together_)};
        nothing.position.assign(static_cast<std::size_t>(rows) * static_cast<std::size_t>(units),
                                std::numeric_limits<float>::quiet_NaN());
        const Heatmap grid = nothing;
        picture_.heatmap(grid_, std::move(nothing));
        std::vector<const Touch*> drawn;
        for (std::int32_t r = 0; r < rows; ++r)
            for (std::int32_t u = 0; u < units; ++u) drawn.push_back(&touch(r, u));
        areas(grid, drawn);
        gaps(rows, units);
        read_now(grid, drawn);
    }

private:
    // The cell of a drawn row: of the keys in it, the one that was read last.
    const Touch& touch(std::int32_t row, std::int32_t unit) const
    {
        Index shown = row * together_;
        for (Index j = shown; j < std::min(reads_.keys, (row + 1) * together_); ++j)
            if (reads_.at(j, unit).now || (reads_.at(j, unit).block >= 0 && reads_.at(shown, unit).block < 0))
                shown = j;
        return reads_.at(shown, unit);
    }

    struct Look {
        Ink ink = Ink::sunken;
        float opacity = 0; // none: not read yet
        bool operator==(const Look&) const = default;
    };
    static Look look_of(const Touch& t)
    {
        if (t.block < 0) return {};
        return {ink_of_block(t.block), t.now ? 1.0f : (t.warp % 2 ? 0.38f : 0.58f)}; // neighbouring warps differ
    }

    // Each rectangle grows to the right while cells look alike, then downwards while whole runs do.
    void areas(const Heatmap& grid, const std::vector<const Touch*>& drawn)
    {
        const auto at = [&](std::int32_t r, std::int32_t u) {
            return static_cast<std::size_t>(r) * static_cast<std::size_t>(grid.columns) + static_cast<std::size_t>(u);
        };
        std::vector<bool> done(drawn.size());
        for (std::int32_t r = 0; r < grid.rows; ++r)
            for (std::int32_t u = 0; u < grid.columns; ++u) {
                const Look look = look_of(*drawn[at(r, u)]);
                if (done[at(r, u)] || look.opacity <= 0) continue;
                const auto alike = [&](std::int32_t row, std::int32_t unit) {
                    return !done[at(row, unit)] && look_of(*drawn[at(row, unit)]) == look;
                };
                std::int32_t right = u + 1, below = r + 1;
                while (right < grid.columns && alike(r, right)) ++right;
                const auto run_is_alike = [&](std::int32_t row) {
                    for (std::int32_t unit = u; unit < right; ++unit)
                        if (!alike(row, unit)) return false;
                    return true;
                };
                while (below < grid.rows && run_is_alike(below)) ++below;
                for (std::int32_t row = r; row < below; ++row)
                    for (std::int32_t unit = u; unit < right; ++unit) done[at(row, unit)] = true;
                const Rect first = cell_rect(grid_, grid, r, u), last = cell_rect(grid_, grid, below - 1, right - 1);
                picture_.fill({first.x0, first.y0, last.x1, last.y1}, look.ink).opacity =
                    look.opacity * on_.strength(Part::k);
            }
    }

    float gap(std::int32_t rows, std::int32_t units) const
    {
        return std::min(1.0f, 0.15f * std::min(grid_.width() / static_cast<float>(units),
                                               grid_.height() / static_cast<float>(rows)));
    }

    void gaps(std::int32_t rows, std::int32_t units)
    {
        const float wide = gap(rows, units);
        for (std::int32_t u = 1; u <= units; ++u) {
            const float x = grid_.x0 + grid_.width() * static_cast<float>(u) / static_cast<float>(units);
            picture_.fill({x - wide, grid_.y0, x, grid_.y1}, Ink::panel);
        }
        for (std::int32_t r = 1; r <= rows; ++r) {
            const float y = grid_.y0 + grid_.height() * static_cast<float>(r) / static_cast<float>(rows);
            picture_.fill({grid_.x0, y - wide, grid_.x1, y}, Ink::panel);
        }
    }

    // A frame around each cell of this step, and the lane that reads it.
    void read_now(const Heatmap& grid, const std::vector<const Touch*>& drawn)
    {
        if (on_.strength(Part::k) < 1) return;
        const float free = gap(grid.rows, grid.columns);
        std::vector<Rect> now;
        for (std::int32_t r = 0; r < grid.rows; ++r)
            for (std::int32_t u = 0; u < grid.columns; ++u) {
                const Touch& t = *drawn[static_cast<std::size_t>(r) * static_cast<std::size_t>(grid.columns) +
                                        static_cast<std::size_t>(u)];
                if (!t.now) continue;
                const Rect tile = cell_rect(grid_, grid, r, u);
                now.push_back(tile);
                const Rect cell{tile.x0, tile.y0, tile.x1 - free, tile.y1 - free};
                const float size = std::min(0.62f * em_, std::min(cell.height() * 0.75f, cell.width() * 0.62f));
                if (size >= 6.5f)
                    picture_.words({cell.centre().x, cell.centre().y + 0.35f * size}, "{}",
                                   {.ink = Ink::on_area, .size = size, .face = Face::mono, .align = Align::centre},
                                   {{.what = "lane",
                                     .number = static_cast<double>(t.lane),
                                     .unit = Unit::index,
                                     .origin = Fact::Origin::measured}});
            }
        if (now.size() <= 256)
            for (const Rect& tile : now)
                picture_.frame({tile.x0 - 0.5f, tile.y0 - 0.5f, tile.x1, tile.y1}, Ink::ink, 1);
    }

    const KernelPicture& on_;
    Picture& picture_;
    const KernelReads& reads_;
    float em_;
    Rect grid_;
    Index together_;
};

} // namespace

void draw_read_cells(const KernelPicture& on, Rect grid, Index together) { ReadCells(on, grid, together).draw(); }

} // namespace headroom
