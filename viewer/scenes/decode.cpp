// Decode: query heads wired to the KV heads that they share, one panel for each of MHA, GQA and MQA, in lockstep.
#include "viewer/picture/paragraph.h"
#include "viewer/scenes/explain.h"
#include "viewer/scenes/page.h"
#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <stdexcept>

namespace headroom {
namespace {

float progress_of(double progress, double from, double to)
{
    return static_cast<float>(std::clamp((progress - from) / (to - from), 0.0, 1.0));
}

// The largest magnitude of a tensor over the whole recording: one scale for all panels and all steps.
template <class Select> double largest(const Recording& recording, Select select)
{
    double most = 0;
    for (const Lane& lane : recording.lanes)
        for (const RecordedStep& step : lane.steps)
            for (const RecordedLayer& layer : step.layers)
                for (const double x : select(layer).values()) most = std::max(most, std::fabs(x));
    return most > 0 ? most : 1;
}

class DecodeScene {
public:
    DecodeScene(Picture& picture, const Recording& recording, const View& view, Rect at)
        : picture_(picture), recording_(recording), view_(view),
          page_(page(picture, recording, view, Words::decode_title, at)), em_(page_.em), now_(moment(recording, view))
    {
        if (choosing() && !exists(view_.chosen())) view_.hover = view_.pinned = {}; // of another recording
        q_scale_ = largest(recording, [](const RecordedLayer& l) -> const Tensor& { return l.q; });
        k_scale_ = largest(recording, [](const RecordedLayer& l) -> const Tensor& { return l.new_k; });
        v_scale_ = largest(recording, [](const RecordedLayer& l) -> const Tensor& { return l.new_v; });
        output_scale_ = largest(recording, [](const RecordedLayer& l) -> const Tensor& { return l.stages.output; });
        for (const Lane& lane : recording.lanes)
            if (!lane.steps.empty() && !step_of(lane).layers.empty())
                for (const double w : step_of(lane).layers[0].stages.weights.values())
                    weight_scale_ = std::max(weight_scale_, w);
    }

    void draw()
    {
        Rect body = page_.body;
        const Rect chart = body.cut_bottom(std::min(11 * em_, body.height() * 0.24f));
        body.cut_bottom(0.8f * em_);
        const int lanes = static_cast<int>(recording_.lanes.size());
        for (int i = 0; i < lanes; ++i) lane(body.column(i, lanes, 0.8f * em_), i);
        bytes_per_step(chart);
        commentary();
        inspector();
    }

private:
    const RecordedStep& step_of(const Lane& lane) const
    {
        return lane.steps.at(std::min(now_.step, lane.steps.size() - 1));
    }
    bool exists(const Cell& cell) const
    {
        try {
            explain(recording_, now_.step, cell);
            return true;
        } catch (const std::out_of_range&) {
            return false;
        }
    }
    bool choosing() const { return view_.chosen().part != Part::none; }

    void lane(Rect at, int index)
    {
        const Lane& lane = recording_.lanes[static_cast<std::size_t>(index)];
        const RecordedStep& step = step_of(lane);
        if (step.layers.empty()) return;
        const RecordedLayer& layer = step.layers[0];
        Rect room = panel(picture_, at, em_);
        const Rect title = room.cut_top(1.7f * em_);
        std::string name = lane.name;
        std::ranges::transform(name, name.begin(), [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
        picture_.words({title.x0, title.y0 + 1.1f * em_}, name, page_.heading);
        const double group = static_cast<double>(lane.q_heads) / static_cast<double>(lane.geometry.kv_heads);
        heads_line(title, lane, group);

        // From left to right: queries, wires, the K cache, the V cache. Below: weights and output.
        const Rect footer = room.cut_bottom(1.5f * em_);
        Rect results = room.cut_bottom(std::min(8.2f * em_, room.height() * 0.27f));
        room.cut_bottom(0.6f * em_);
        const Rect labels = room.cut_top(1.5f * em_);
        const Rect q_column = room.cut_left(0.13f * room.width()), wires = room.cut_left(0.1f * room.width());
        const float gap = 0.05f * room.width();
        const Rect k_column = room.column(0, 2, gap), v_column = room.column(1, 2, gap);

        const Tensor keys = keys_until(lane, step_index(lane), 0), values = values_until(lane, step_index(lane), 0);
        const Index capacity = total_tokens(lane);
        label(labels, q_column.x0, Words::queries, Ink::q, layer.q.extent(1), step.added, layer.q.extent(3),
              q_column.width() + wires.width() - em_);
        label(labels, k_column.x0, Words::k_cache, Ink::k, keys.extent(1), keys.extent(2), keys.extent(3),
              k_column.width() + gap * 0.8f);
        label(labels, v_column.x0, Words::v_cache, Ink::v, values.extent(1), values.extent(2), values.extent(3),
              v_column.width());

        const int H = static_cast<int>(lane.q_heads), Hkv = static_cast<int>(lane.geometry.kv_heads), G = H / Hkv;
        const float row_gap = std::min(0.45f * em_, room.height() / static_cast<float>(H) * 0.2f);
        for (int hkv = 0; hkv < Hkv; ++hkv) {
            const Rect top = room.row(hkv * G, H, row_gap), bottom = room.row(hkv * G + G - 1, H, row_gap);
            const float middle = (top.y0 + bottom.y1) / 2, half = top.height() / 2;
            const Rect k_block{k_column.x0, middle - half, k_column.x1, middle + half},
                v_block{v_column.x0, middle - half, v_column.x1, middle + half};
            for (int g = 0; g < G; ++g) {
                const int h = hkv * G + g;
                const Rect row = room.row(h, H, row_gap);
                query(q_column, row, layer, index, h);
                wire({q_column.x1, row.centre().y}, {wires.x1, middle}, index, h, hkv);
            }
            stored(k_block, keys, capacity, step, k_scale_, Ink::k, Part::k, index, hkv);
            stored(v_block, values, capacity, step, v_scale_, Ink::v, Part::v, index, hkv);
        }
        weights_and_output(results, layer, step, lane, index, capacity);
        bytes_line(footer, lane, step);
    }

    std::size_t step_index(const Lane& lane) const { return std::min(now_.step, lane.steps.size() - 1); }
    static Index total_tokens(const Lane& lane)
    {
        Index tokens = 0;
        for (const RecordedStep& step : lane.steps) tokens += step.added;
        return tokens;
    }

    void heads_line(Rect title, const Lane& lane, double group)
    {
        const std::vector<Fact> facts{
            {.what = "query heads, " + lane.name, .number = static_cast<double>(lane.q_heads), .unit = Unit::index},
            {.what = "KV heads, " + lane.name,
             .number = static_cast<double>(lane.geometry.kv_heads),
             .unit = Unit::index},
            {.what = "group size, " + lane.name, .number = group, .unit = Unit::index}};
        TextStyle style = page_.small;
        style.align = Align::right;
        const std::string_view full = words(Words::heads, view_.language);
        const float room = title.width() - 4.2f * em_;
        std::string_view pattern = full;
        if (text_width(full, style.face, style.size) > room) pattern = "H {} · Hkv {} · G {}";
        picture_.words({title.x1, title.y0 + 1.1f * em_}, pattern, style, facts);
    }

    // "K cache [8, 18, 4]" where there is room, else the shape alone.
    void label(Rect at, float x, Words name, Ink ink, Index a, Index b, Index c, float room)
    {
        const std::string_view what = words(name, view_.language);
        const std::vector<Fact> facts{
            {.what = std::string(what) + " heads", .number = static_cast<double>(a), .unit = Unit::index},
            {.what = std::string(what) + " tokens", .number = static_cast<double>(b), .unit = Unit::index},
            {.what = std::string(what) + " width", .number = static_cast<double>(c), .unit = Unit::index}};
        TextStyle style{.ink = ink, .size = 0.8f * em_, .face = Face::mono};
        const std::string shape = fmt::format("[{}, {}, {}]", a, b, c);
        const bool fits = text_width(std::string(what) + " " + shape, style.face, style.size) <= room;
        if (!fits) style.size = std::min(style.size, style.size * room / text_width(shape, style.face, style.size));
        picture_.words({x, at.y0 + 0.85f * em_}, (fits ? std::string(what) + " " : "") + "[{}, {}, {}]", style, facts);
    }

    // Cells that do not belong to what is chosen step back.
    void map(Rect at, Heatmap heat, bool chosen)
    {
        picture_.heatmap(at, std::move(heat)).opacity = choosing() && !chosen ? 0.25f : 1.0f;
    }

    void query(Rect column, Rect row, const RecordedLayer& layer, int lane, int h)
    {
        const auto D = static_cast<std::int32_t>(layer.q.extent(3)),
                   last = static_cast<std::int32_t>(layer.q.extent(2)) - 1;
        Heatmap heat{.first = {Part::q, lane, h, last, 0}, .rows = 1, .columns = D, .ink = Ink::q, .position = {}};
        for (std::int32_t d = 0; d < D; ++d)
            heat.position.push_back(static_cast<float>(std::fabs(layer.q(0, h, last, d)) / q_scale_));
        const float height = std::min(row.height(), column.width() / static_cast<float>(D) * 1.2f);
        const Rect at{column.x0, row.centre().y - height / 2, column.x1, row.centre().y + height / 2};
        const bool chosen = lights_up(recording_, view_.chosen(), heat.first) ||
                            lights_up(recording_, view_.chosen(), {Part::q, lane, h, last, view_.chosen().column});
        map(at, std::move(heat), chosen);
        if (chosen) picture_.frame(at, Ink::ink, 1.5f);
    }

    void wire(Point from, Point to, int lane, int h, int hkv)
    {
        const Cell c = view_.chosen();
        const bool stored = c.part == Part::k || c.part == Part::v;
        const bool chosen = choosing() && c.lane == lane && (stored ? c.head == hkv : c.head == h);
        Mark& wire =
            picture_.curve({from.x + 0.2f * em_, from.y}, {to.x - 0.2f * em_, to.y}, Ink::q, chosen ? 2.5f : 1.5f);
        wire.opacity = choosing() ? (chosen ? 1.0f : 0.2f) : 0.7f;
    }

    // Tokens run to the right, the head's dimensions downwards; room for all tokens of the run is drawn from the start.
    void stored(Rect at, const Tensor& tensor, Index capacity, const RecordedStep& step, double scale, Ink ink,
                Part part, int lane, int hkv)
    {
        const auto D = static_cast<std::int32_t>(tensor.extent(3)), S = static_cast<std::int32_t>(tensor.extent(2));
        const auto fresh = static_cast<std::int32_t>(step.added);
        const float each = at.width() / static_cast<float>(capacity);
        const Rect free{at.x0 + each * static_cast<float>(S), at.y0, at.x1, at.y1};
        if (free.width() > 0.5f) picture_.fill(free, Ink::sunken);

        const auto part_of = [&](std::int32_t from, std::int32_t n, Rect where, bool dim) {
            Heatmap heat{.first = {part, lane, hkv, from, 0},
                         .rows = D,
                         .columns = n,
                         .transposed = true,
                         .ink = ink,
                         .position = {}};
            bool chosen = false;
            for (std::int32_t d = 0; d < D; ++d)
                for (std::int32_t j = from; j < from + n; ++j) {
                    heat.position.push_back(static_cast<float>(std::fabs(tensor(0, hkv, j, d)) / scale));
                    chosen = chosen || lights_up(recording_, view_.chosen(), {part, lane, hkv, j, d});
                }
            const Heatmap drawn = heat;
            map(where, std::move(heat), chosen || !dim);
            mark_chosen(where, drawn);
        };
        const std::int32_t old = S - fresh;
        if (old > 0) part_of(0, old, {at.x0, at.y0, at.x0 + each * static_cast<float>(old), at.y1}, true);

        // The new column slides in from the right end of the free room; at rest it stands framed at its place.
        const float arrived = progress_of(now_.progress, 0.1, 0.5), eased = arrived * arrived * (3 - 2 * arrived);
        const float rest = at.x0 + each * static_cast<float>(old), start = at.x1 - each * static_cast<float>(fresh);
        const float x = start + (rest - start) * eased;
        const Rect where{x, at.y0, x + each * static_cast<float>(fresh), at.y1};
        part_of(old, fresh, where, true);
        if (step.past > 0) picture_.frame(where.inset(-1.5f, -1.5f), Ink::ink, 1.5f);
    }

    void mark_chosen(Rect at, const Heatmap& heat)
    {
        if (!choosing()) return;
        for (std::int32_t r = 0; r < heat.rows; ++r)
            for (std::int32_t c = 0; c < heat.columns; ++c)
                if (lights_up(recording_, view_.chosen(), cell_of(heat, r, c)) && heat.rows * heat.columns < 4000)
                    picture_.frame(cell_rect(at, heat, r, c), Ink::ink, 1);
    }

    void weights_and_output(Rect at, const RecordedLayer& layer, const RecordedStep& step, const Lane& lane, int index,
                            Index capacity)
    {
        const Rect labels = at.cut_top(1.5f * em_);
        const Tensor &weights = layer.stages.weights, &output = layer.stages.output;
        const int H = static_cast<int>(lane.q_heads);
        Rect out = at.cut_right(0.31f * at.width());
        at.cut_right(0.06f * at.width());
        label(labels, at.x0, Words::softmax_weights, Ink::weights, weights.extent(1), weights.extent(2),
              weights.extent(3), at.width());
        label(labels, out.x0, Words::output, Ink::output, output.extent(1), output.extent(2), output.extent(3),
              out.width());
        const bool ready = progress_of(now_.progress, 0.5, 0.75) >= 1, finished = now_.progress >= 1;
        const auto L = static_cast<std::int32_t>(weights.extent(2)), S = static_cast<std::int32_t>(weights.extent(3)),
                   Dv = static_cast<std::int32_t>(output.extent(3));
        for (int h = 0; h < H; ++h) {
            // Prefill: a square per head, in a grid. Decode: a row per head, all tokens of the run wide.
            Rect where = at.row(h, H, 1);
            if (step.added > 1) {
                const int columns = std::max(
                    1, static_cast<int>(std::ceil(std::sqrt(static_cast<double>(H) * at.width() / at.height() * 0.8))));
                const int rows = (H + columns - 1) / columns;
                where = at.row(h / columns, rows, 0.3f * em_).column(h % columns, columns, 0.3f * em_);
                const float side = std::min(where.width(), where.height());
                where = {where.x0, where.y0, where.x0 + side, where.y0 + side};
            } else {
                picture_.fill(where, Ink::sunken);
                where.x1 = where.x0 + where.width() * static_cast<float>(S) / static_cast<float>(capacity);
            }
            if (ready) {
                Heatmap heat{.first = {Part::weights, index, h, 0, 0},
                             .rows = L,
                             .columns = S,
                             .ramp = Ramp::magnitude,
                             .position = {}};
                bool chosen = false;
                for (std::int32_t i = 0; i < L; ++i)
                    for (std::int32_t j = 0; j < S; ++j) {
                        const bool seen = !std::isinf(layer.stages.masked_scores(0, h, i, j));
                        heat.position.push_back(seen ? static_cast<float>(weights(0, h, i, j) / weight_scale_)
                                                     : std::nanf(""));
                        chosen = chosen || lights_up(recording_, view_.chosen(), {Part::weights, index, h, i, j});
                    }
                const Heatmap drawn = heat;
                map(where, std::move(heat), chosen);
                mark_chosen(where, drawn);
            }
            const Rect row = out.row(h, H, 1);
            if (finished) {
                Heatmap heat{.first = {Part::output, index, h, L - 1, 0},
                             .rows = 1,
                             .columns = Dv,
                             .ink = Ink::output,
                             .position = {}};
                for (std::int32_t d = 0; d < Dv; ++d)
                    heat.position.push_back(static_cast<float>(std::fabs(output(0, h, L - 1, d)) / output_scale_));
                const Cell c = view_.chosen();
                const bool chosen = c.part == Part::output && c.lane == index && c.head == h;
                const Heatmap drawn = heat;
                map(row, std::move(heat), chosen);
                mark_chosen(row, drawn);
            } else {
                picture_.fill(row, Ink::sunken);
            }
        }
    }

    void bytes_line(Rect at, const Lane& lane, const RecordedStep& step)
    {
        const double live = static_cast<double>(step.counters.live);
        const float base_line = at.y1 - 0.1f * em_;
        picture_.words({at.x0, base_line}, words(Words::cache_bytes, view_.language), {.size = 0.9f * em_},
                       {{.what = "live bytes, " + lane.name,
                         .number = live,
                         .unit = Unit::bytes,
                         .origin = Fact::Origin::measured}});
        const double mha = static_cast<double>(step_of(recording_.lanes.front()).counters.live);
        if (mha > 0)
            picture_.words({at.x1, base_line}, words(Words::of_mha, view_.language),
                           {.ink = Ink::muted, .size = 0.9f * em_, .align = Align::right},
                           {{.what = "live bytes of " + lane.name + " in percent of " + recording_.lanes.front().name,
                             .number = 100 * live / mha,
                             .unit = Unit::percent}});
    }

    // The bytes that each step reads: the whole cache, once per step.
    void bytes_per_step(Rect at)
    {
        Rect room = panel(picture_, at, em_);
        picture_.words({room.x0, room.y0 + 0.8f * em_},
                       view_.language == Language::zh ? "每步读取的缓存字节" : "cache bytes that each step reads",
                       page_.small);
        room.cut_top(1.6f * em_);
        Rect legend = room.cut_right(11 * em_);
        double most = 1;
        std::size_t steps = 1;
        for (const Lane& lane : recording_.lanes) {
            steps = std::max(steps, lane.steps.size());
            for (const RecordedStep& step : lane.steps) most = std::max(most, static_cast<double>(step.counters.live));
        }
        const Rect axis = room.cut_left(4.6f * em_);
        for (const double part : {0.0, 0.5, 1.0}) {
            const float y = room.y1 - static_cast<float>(part) * room.height();
            picture_.line({room.x0, y}, {room.x1, y}, Ink::rule, 1);
            picture_.words({axis.x1 - 0.5f * em_, y + 0.3f * em_}, "{}",
                           {.ink = Ink::muted, .size = 0.8f * em_, .align = Align::right},
                           {{.what = "axis", .number = part * most, .unit = Unit::bytes}});
        }
        const float each = room.width() / static_cast<float>(steps);
        const std::array inks{Ink::k, Ink::q, Ink::v, Ink::output};
        const int lanes = static_cast<int>(recording_.lanes.size());
        for (int i = 0; i < lanes; ++i) {
            const Lane& lane = recording_.lanes[static_cast<std::size_t>(i)];
            const Ink ink = inks[static_cast<std::size_t>(i) % inks.size()];
            const float bar = each * 0.8f / static_cast<float>(lanes);
            for (std::size_t s = 0; s < lane.steps.size(); ++s) {
                const float x = room.x0 + each * (static_cast<float>(s) + 0.1f) + bar * static_cast<float>(i);
                const float height =
                    room.height() * static_cast<float>(static_cast<double>(lane.steps[s].counters.live) / most);
                Mark& mark = picture_.fill({x, room.y1 - height, x + bar - 1, room.y1}, ink);
                mark.opacity = s == now_.step ? 1.0f : s < now_.step ? 0.45f : 0.18f;
            }
            const float y = legend.y0 + (static_cast<float>(i) + 0.8f) * 1.5f * em_;
            picture_.fill({legend.x0 + 1.2f * em_, y - 0.6f * em_, legend.x0 + 1.9f * em_, y + 0.1f * em_}, ink, 2);
            picture_.words({legend.x0 + 2.4f * em_, y}, lane.name, {.size = 0.85f * em_});
            picture_.words({legend.x1, y}, "{}", {.ink = Ink::muted, .size = 0.85f * em_, .align = Align::right},
                           {{.what = "bytes read in this step, " + lane.name,
                             .number = static_cast<double>(step_of(lane).counters.live),
                             .unit = Unit::bytes}});
        }
    }

    void commentary()
    {
        Rect room = panel(picture_, page_.commentary, em_);
        picture_.words({room.x0, room.y0 + 0.9f * em_}, words(Words::what_happens, view_.language), page_.heading);
        room.cut_top(2 * em_);
        if (recording_.lanes.empty()) return;
        const RecordedStep& step = step_of(recording_.lanes.front());
        const bool prefill = step.added > 1;
        if (prefill)
            room.y0 = paragraph(
                picture_, room, words(Words::prefill_text, view_.language), page_.text,
                {{.what = "tokens of the prompt", .number = static_cast<double>(step.added), .unit = Unit::index}});
        else
            room.y0 = paragraph(
                picture_, room, words(Words::decode_text, view_.language), page_.text,
                {{.what = "token", .number = static_cast<double>(step.past), .unit = Unit::index},
                 {.what = "keys seen", .number = static_cast<double>(step.past + step.added), .unit = Unit::index}});
        room.cut_top(0.6f * em_);
        if (recording_.lanes.size() == 3) {
            std::vector<Fact> facts;
            for (const Lane& lane : recording_.lanes)
                facts.push_back({.what = "live bytes, " + lane.name,
                                 .number = static_cast<double>(step_of(lane).counters.live),
                                 .unit = Unit::bytes,
                                 .origin = Fact::Origin::measured});
            room.y0 = paragraph(picture_, room, words(Words::sharing_text, view_.language), page_.text, facts);
            room.cut_top(0.6f * em_);
        }
        TextStyle small = page_.small;
        small.size = 0.85f * em_;
        paragraph(picture_, room, words(Words::legend_text, view_.language), small);
    }

    void inspector()
    {
        Rect room = panel(picture_, page_.inspector, em_);
        picture_.words({room.x0, room.y0 + 0.9f * em_}, words(Words::inspector, view_.language), page_.heading);
        room.cut_top(2 * em_);
        const Cell chosen = view_.chosen();
        if (chosen.part == Part::none) {
            paragraph(picture_, room, words(Words::inspector_hint, view_.language), {.ink = Ink::muted, .size = em_});
            return;
        }
        const Lane& lane = recording_.lanes.at(static_cast<std::size_t>(chosen.lane));
        const Explanation e = explain(recording_, step_index(lane), chosen);
        const TextStyle mono{.size = 0.85f * em_, .face = Face::mono},
            quiet{.ink = Ink::muted, .size = 0.85f * em_, .face = Face::mono};
        float y = room.y0 + 0.8f * em_;
        const auto line = [&](std::string_view pattern, const TextStyle& style, const std::vector<Fact>& facts = {}) {
            picture_.words({room.x0, y}, pattern, style, facts);
            y += 1.35f * em_;
        };
        line(shorten(lane.name + "  " + e.name, Face::mono, 0.85f * em_, room.width()), mono);
        line("= {}", {.size = 1.2f * em_, .face = Face::mono}, {{.what = e.name, .number = e.number}});
        if (e.formula.empty()) {
            line(words(Words::stored_number, view_.language), page_.small);
            if (e.shared_by)
                line(words(Words::shared_by, view_.language), page_.small,
                     {{.what = "query heads that read it",
                       .number = static_cast<double>(e.shared_by),
                       .unit = Unit::index}});
            return;
        }
        line(shorten("= " + e.formula, Face::mono, 0.85f * em_, room.width()), quiet);
        for (const Fact& fact : e.details) line(fact.what + " {}", quiet, {fact});
        const int fitting = std::max(1, static_cast<int>((room.y1 - y) / (1.35f * em_)) - 2);
        double shown = 0;
        int n = 0;
        for (const Term& term : e.terms) {
            if (n == fitting && static_cast<int>(e.terms.size()) > fitting + 1) break;
            line(fmt::format("{} {:>3}  {{}} × {{}}", chosen.part == Part::output ? "token" : "d",
                             chosen.part == Part::output ? term.cell.row : term.cell.column),
                 mono, {{.what = "factor", .number = term.factor}, {.what = "value", .number = term.value}});
            shown += term.factor * term.value;
            ++n;
        }
        const int rest = static_cast<int>(e.terms.size()) - n;
        if (rest > 0)
            line(words(Words::more_terms, view_.language), page_.small,
                 {{.what = "terms not listed", .number = static_cast<double>(rest), .unit = Unit::index},
                  {.what = "their sum", .number = e.sum - shown}});
        line("Σ = {}", mono, {{.what = "sum of the terms", .number = e.sum}});
    }

    Picture& picture_;
    const Recording& recording_;
    View view_;
    Page page_;
    float em_;
    Moment now_;
    double q_scale_ = 1, k_scale_ = 1, v_scale_ = 1, output_scale_ = 1, weight_scale_ = 1e-9;
};

} // namespace

void layout_decode(Picture& picture, const Recording& recording, const View& view, Rect at)
{
    DecodeScene(picture, recording, view, at).draw();
}

} // namespace headroom
