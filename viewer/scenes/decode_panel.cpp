#include "viewer/scenes/decode_panel.h"

#include "viewer/scenes/decode_labels.h"
#include "viewer/scenes/decode_maps.h"
#include "viewer/scenes/heat.h"
#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>

namespace headroom {

namespace {

class DecodePanel {
public:
    DecodePanel(const DecodePicture& on, std::size_t lane)
        : on_(on), picture_(on.picture), of_(panel_lane(on, lane)), lane_(of_.lane), step_(of_.step), maps_(on),
          em_(on.page.em), chosen_(on.view.chosen())
    {}

    Index draw(Rect at)
    {
        Rect room = panel(picture_, at, em_);
        title(room.cut_top(1.7f * em_));
        bytes_line(room.cut_bottom(1.5f * em_));

        // From left to right: queries, wires, the K cache, the V cache. Below: weights and output.
        Rect results = room.cut_bottom(std::min(8.2f * em_, room.height() * 0.27f));
        room.cut_bottom(0.6f * em_);
        const Rect labels = room.cut_top(1.5f * em_);
        const Rect q_column = room.cut_left(0.13f * room.width()), wires = room.cut_left(0.1f * room.width());
        const float gap = 0.05f * room.width();
        const Rect k_column = room.column(0, 2, gap), v_column = room.column(1, 2, gap);
        const Index H = lane_.q_heads, Hkv = lane_.geometry.kv_heads, S = step_.past + step_.added;
        label({{{labels.x0, labels.y0, wires.x1 - 0.4f * em_, labels.y1},
                Words::queries,
                "q",
                Ink::q,
                {{"H", H}, {"L", of_.queries}, {"D", of_.layer.q.extent(3)}}}});
        label({{{k_column.x0, labels.y0, k_column.x1 + 0.5f * gap, labels.y1},
                Words::k_cache,
                "K",
                Ink::k,
                {{"Hkv", Hkv}, {"S", S}, {"D", lane_.geometry.head_dim}}},
               {{v_column.x0, labels.y0, v_column.x1, labels.y1},
                Words::v_cache,
                "V",
                Ink::v,
                {{"Hkv", Hkv}, {"S", S}, {"Dv", lane_.geometry.value_dim}}}});
        heads(room, q_column, wires, k_column, v_column);
        draw_decode_results(on_, of_, maps_, results);
        return maps_.coarsest();
    }

private:
    void title(Rect at)
    {
        std::string name = lane_.name;
        std::ranges::transform(name, name.begin(), [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
        const float base_line = at.y0 + 1.1f * em_;
        const Rect box = picture_.words(
            {at.x0, base_line}, shorten(name, Face::bold, on_.page.heading.size, 0.6f * at.width()), on_.page.heading);
        TextStyle style = on_.page.small;
        style.align = Align::right;
        std::string_view pattern = words(Words::heads, on_.view.language);
        if (text_width(pattern, style.face, style.size) > at.x1 - box.x1 - 0.5f * em_) pattern = "H {} · Hkv {} · G {}";
        picture_.words({at.x1, base_line}, pattern, style,
                       {index_fact("query heads, " + lane_.name, lane_.q_heads),
                        index_fact("KV heads, " + lane_.name, lane_.geometry.kv_heads),
                        index_fact("group size, " + lane_.name, lane_.q_heads / lane_.geometry.kv_heads)});
    }

    void label(const std::vector<TensorLabel>& labels)
    {
        draw_labels(picture_, labels, lane_.name, on_.view.language, em_);
    }

    void heads(Rect room, Rect q_column, Rect wires, Rect k_column, Rect v_column)
    {
        const int H = static_cast<int>(lane_.q_heads), Hkv = static_cast<int>(lane_.geometry.kv_heads), G = H / Hkv;
        const float gap = std::min(0.45f * em_, room.height() / static_cast<float>(H) * 0.2f);
        for (int hkv = 0; hkv < Hkv; ++hkv) {
            const Rect top = room.row(hkv * G, H, gap), bottom = room.row(hkv * G + G - 1, H, gap);
            const float middle = (top.y0 + bottom.y1) / 2, half = top.height() / 2;
            for (int h = hkv * G; h < hkv * G + G; ++h) {
                const Rect row = room.row(h, H, gap);
                query(q_column, row, h);
                wire({q_column.x1, row.centre().y}, {wires.x1, middle}, h, hkv);
            }
            stored({k_column.x0, middle - half, k_column.x1, middle + half}, of_.seen.keys, on_.overview.k, Ink::k,
                   Part::k, hkv);
            stored({v_column.x0, middle - half, v_column.x1, middle + half}, of_.seen.values, on_.overview.v, Ink::v,
                   Part::v, hkv);
        }
    }

    void query(Rect column, Rect row, std::int32_t h)
    {
        const std::span<const double> numbers = of_.layer.q.row(0, h, of_.shown_row);
        const float height =
            std::min(row.height(), std::max(3.0f, column.width() / static_cast<float>(numbers.size()) * 1.2f));
        const Rect at{column.x0, row.centre().y - height / 2, column.x1, row.centre().y + height / 2};
        maps_.put(at, heat_row(numbers, at, on_.overview.q), {Part::q, of_.number, h, of_.shown_row, 0}, Ink::q);
    }

    void wire(Point from, Point to, std::int32_t h, std::int32_t hkv)
    {
        const bool of_stored = chosen_.part == Part::k || chosen_.part == Part::v,
                   choosing = chosen_.part != Part::none;
        const bool lit_up = names_tensor(chosen_) ? chosen_.part == Part::q
                                                  : chosen_.lane == of_.number && chosen_.head == (of_stored ? hkv : h);
        Mark& wire =
            picture_.curve({from.x + 0.2f * em_, from.y}, {to.x - 0.2f * em_, to.y}, Ink::q, lit_up ? 2.5f : 1.5f);
        wire.opacity = choosing ? (lit_up ? 1.0f : 0.2f) : 0.7f;
    }

    // Tokens run to the right, the head's dimensions downwards; room for all tokens of the run is drawn from the start.
    void stored(Rect at, const std::vector<Magnitudes>& heads, double scale, Ink ink, Part part, std::int32_t hkv)
    {
        const Magnitudes& numbers = heads[static_cast<std::size_t>(hkv)];
        const Index all = step_.past + step_.added, fresh = on_.cached ? step_.added : all, old = all - fresh;
        const float each = at.width() / static_cast<float>(of_.capacity);
        const auto x_of = [&](Index token) { return at.x0 + each * static_cast<float>(token); };
        const Rect free{x_of(all), at.y0, at.x1, at.y1};
        if (free.width() > 0.5f) picture_.fill(free, Ink::sunken);
        const auto tokens = [&](Index from, Index n, Rect where) {
            maps_.put(where, heat(numbers, {from, n, true}, where, scale),
                      {part, of_.number, hkv, static_cast<std::int32_t>(from), 0}, ink);
        };
        if (old > 0) tokens(0, old, {at.x0, at.y0, x_of(old), at.y1});

        // The new column slides in from the right end of the free room; at rest it stands framed at its place.
        const float arrived = part_of_progress(on_.now.progress, 0.1, 0.5),
                    eased = arrived * arrived * (3 - 2 * arrived);
        const float rest = x_of(old), start = at.x1 - each * static_cast<float>(fresh),
                    x = start + (rest - start) * eased;
        const Rect where{x, at.y0, x + std::max(1.0f, each * static_cast<float>(fresh)), at.y1};
        tokens(old, fresh, where);
        if (step_.past > 0)
            picture_.frame(where.inset(-1.5f, -1.5f), Ink::ink, 1.5f).opacity = chosen_.part == Part::none ? 1 : 0.3f;
    }

    void bytes_line(Rect at)
    {
        const Lane& first = on_.recording.lanes.front();
        const double live = static_cast<double>(step_.counters.live),
                     mha = static_cast<double>(step_of(first, on_.now).counters.live);
        const float base_line = at.y1 - 0.1f * em_;
        picture_.words({at.x0, base_line}, words(Words::cache_bytes, on_.view.language), {.size = 0.9f * em_},
                       {bytes_of("live bytes, " + lane_.name, step_.counters.live, Fact::Origin::measured)});
        if (mha > 0 && first.q_heads == first.geometry.kv_heads)
            picture_.words({at.x1, base_line}, words(Words::of_mha, on_.view.language),
                           {.ink = Ink::muted, .size = 0.9f * em_, .align = Align::right},
                           {{.what = "live bytes of " + lane_.name + " in percent of " + first.name,
                             .number = 100 * live / mha,
                             .unit = Unit::percent}});
    }

    const DecodePicture& on_;
    Picture& picture_;
    PanelLane of_;
    const Lane& lane_;
    const RecordedStep& step_;
    LaneMaps maps_;
    float em_;
    Cell chosen_;
};

} // namespace

Index draw_decode_panel(const DecodePicture& on, Rect at, std::size_t lane)
{
    if (on.overview.lanes[lane].keys.empty()) return 1; // no numbers, or not of every step
    return DecodePanel(on, lane).draw(at);
}

} // namespace headroom
