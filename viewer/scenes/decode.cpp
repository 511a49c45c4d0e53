// Decode: query heads wired to the KV heads that they share, one panel for each of MHA, GQA and MQA, in lockstep.
#include "viewer/picture/paragraph.h"
#include "viewer/scenes/chart.h"
#include "viewer/scenes/decode_panel.h"
#include "viewer/scenes/explain.h"
#include <algorithm>
#include <array>
#include <stdexcept>

namespace headroom {

std::size_t steps_of_decode(const Recording& recording, const View& view);

namespace {

const Control cached{.key = "cached", .label = Words::with_cache, .kind = Control::Kind::toggle, .initial = 1};

bool has_numbers(const Recording& recording)
{
    return std::ranges::any_of(recording.lanes, [](const Lane& lane) {
        return std::ranges::any_of(lane.steps, [](const RecordedStep& step) { return !step.layers.empty(); });
    });
}

// Of the products q k and p v, all heads, over the rows that a step computes.
Index multiply_adds(const Lane& lane, Index rows, Index keys)
{
    return lane.q_heads * rows * keys * (lane.geometry.head_dim + lane.geometry.value_dim);
}

// What a tensor is, for who points at its name.
Words about(Part tensor)
{
    switch (tensor) {
    case Part::q: return Words::about_q;
    case Part::k: return Words::about_k;
    case Part::v: return Words::about_v;
    case Part::weights: return Words::about_weights;
    default: return Words::about_output;
    }
}

class DecodeScene {
public:
    DecodeScene(Picture& picture, const Recording& recording, const View& view, Rect at)
        : picture_(picture), recording_(recording), view_(view), steps_(steps_of_decode(recording, view)),
          page_(page(picture, recording, view, Words::decode_title, steps_, at)), em_(page_.em),
          now_(moment(steps_, view))
    {}

    void draw()
    {
        Rect body = page_.body;
        const Rect chart = body.cut_bottom(std::min(11 * em_, body.height() * 0.24f));
        body.cut_bottom(0.8f * em_);
        if (!has_numbers(recording_)) {
            paragraph(picture_, panel(picture_, page_.body, em_), words(Words::nothing_recorded, view_.language),
                      page_.text);
            return;
        }
        const std::shared_ptr<const Overview> seen = overview(recording_, view_);
        const DecodePicture on{picture_, recording_, view_, *seen, page_, now_, setting(view_.settings, cached) > 0};
        const int lanes = static_cast<int>(recording_.lanes.size());
        Index coarsest = 1;
        for (int i = 0; i < lanes; ++i)
            coarsest = std::max(coarsest,
                                draw_decode_panel(on, body.column(i, lanes, 0.8f * em_), static_cast<std::size_t>(i)));
        bytes_per_step(chart);
        commentary(coarsest, on.cached);
        Rect room = panel(picture_, page_.inspector, page_, words(Words::inspector, view_.language));
        const Cell chosen = view_.chosen();
        if (chosen.part == Part::none)
            paragraph(picture_, room, words(Words::inspector_hint, view_.language), {.ink = Ink::muted, .size = em_});
        else if (names_tensor(chosen))
            paragraph(picture_, room, words(about(chosen.part), view_.language), {.size = 0.92f * em_});
        else
            inspect(picture_, room, recording_, now_.step, chosen, view_.language, em_);
    }

private:
    // The bytes that each step reads: the whole cache, once per step.
    void bytes_per_step(Rect at)
    {
        Rect room = panel(picture_, at, em_);
        picture_.words({room.x0, room.y0 + 0.8f * em_}, words(Words::read_over_steps, view_.language), page_.small);
        room.cut_top(1.6f * em_);
        Rect legend = room.cut_right(12 * em_);
        legend.cut_left(1.2f * em_);
        room.cut_left(4.6f * em_);
        double most = 1, least = 1e300;
        for (const Lane& lane : recording_.lanes)
            for (const RecordedStep& step : lane.steps) {
                most = std::max(most, static_cast<double>(step.counters.live));
                if (step.counters.live > 0) least = std::min(least, static_cast<double>(step.counters.live));
            }
        Scale y{.least = 0, .most = most, .from = room.y1, .to = room.y0};
        if (view_.logarithmic) // by powers of two, from half of the least
            y = {.least = std::exp2(std::floor(std::log2(std::min(least, most))) - 1),
                 .most = std::exp2(std::ceil(std::log2(most))),
                 .logarithmic = true,
                 .from = room.y1,
                 .to = room.y0};
        rules_of_y(picture_, room, y, Unit::bytes, em_);
        const float each = room.width() / static_cast<float>(std::max<std::size_t>(1, steps_));
        const std::size_t lanes = recording_.lanes.size();
        for (std::size_t i = 0; i < lanes; ++i) {
            const Lane& lane = recording_.lanes[i];
            const float bar = each * 0.8f / static_cast<float>(lanes), gap = std::min(1.0f, 0.2f * bar);
            for (std::size_t s = 0; s < lane.steps.size(); ++s) {
                const float x = room.x0 + each * (static_cast<float>(s) + 0.1f) + bar * static_cast<float>(i);
                const float top = y.at(static_cast<double>(lane.steps[s].counters.live));
                Mark& mark = picture_.fill({x, top, x + bar - gap, room.y1}, look_of(i).ink);
                mark.opacity = s == now_.step ? 1.0f : s < now_.step ? 0.45f : 0.18f;
            }
            if (!lane.steps.empty())
                legend_line(picture_, legend.cut_top(1.5f * em_), {look_of(i).ink, 0}, lane.name, em_,
                            {bytes_of("bytes read in this step, " + lane.name, step_of(lane, now_).counters.live)});
        }
    }

    // In letters small enough for all of it.
    void commentary(Index coarsest, bool with_cache)
    {
        const Lane& lane = recording_.lanes.front();
        const bool shared = recording_.lanes.size() > 1, prefill = !lane.steps.empty() && step_of(lane, now_).added > 1;
        const Rect room = words_panel(picture_, page_, words(Words::what_happens, view_.language),
                                      prefill                  ? "02_many_heads"
                                      : !with_cache || !shared ? "03_why_a_cache"
                                                               : "05_sharing_heads");
        float size = 0.92f * em_;
        for (Picture trial; size > 0.5f * em_; size *= 0.94f)
            if (say_all(trial, room, size, coarsest, with_cache) <= room.y1) break;
        say_all(picture_, room, size, coarsest, with_cache);
    }

    float say_all(Picture& picture, Rect room, float size, Index coarsest, bool with_cache) const
    {
        const auto say = [&](Words text, const std::vector<Fact>& facts) {
            room.y0 = paragraph(picture, room, words(text, view_.language), {.size = size}, facts) + 0.45f * size;
        };
        const Lane& first = recording_.lanes.front();
        if (first.steps.empty()) return room.y0;
        const RecordedStep& step = step_of(first, now_);
        const Index seen = step.past + step.added;
        const Index queries = queries_of(step);
        if (queries < step.added) // of a check: all its keys at once, and only the last queries
            say(Words::case_text, {index_fact("queries", queries), index_fact("keys seen", seen)});
        else if (step.added > 1)
            say(Words::prefill_text, {index_fact("tokens of the prompt", step.added)});
        else if (with_cache)
            say(Words::decode_text, {index_fact("token", step.past), index_fact("keys seen", seen)});
        else
            say(Words::uncached_text, {index_fact("token", step.past), index_fact("keys computed again", seen)});
        say(Words::multiply_adds_text,
            {count_of("multiply-adds of this step with the cache", multiply_adds(first, queries, seen)),
             count_of("multiply-adds of this step without a cache", multiply_adds(first, seen, seen))});
        if (recording_.lanes.size() == 3) {
            std::vector<Fact> facts;
            for (const Lane& lane : recording_.lanes)
                facts.push_back(
                    bytes_of("live bytes, " + lane.name, step_of(lane, now_).counters.live, Fact::Origin::measured));
            say(Words::sharing_text, facts);
        }
        TextStyle small = page_.small;
        small.size = 0.92f * size;
        if (coarsest > 1)
            return paragraph(picture, room, words(Words::together_text, view_.language), small,
                             {count_of("numbers behind one drawn cell, at most", coarsest)});
        return paragraph(picture, room, words(Words::legend_text, view_.language), small);
    }

    Picture& picture_;
    const Recording& recording_;
    const View& view_;
    std::size_t steps_;
    Page page_;
    float em_;
    Moment now_;
};

} // namespace

void layout_decode(Picture& picture, const Recording& recording, const View& view, Rect at)
{
    DecodeScene(picture, recording, view, at).draw();
}

std::size_t steps_of_decode(const Recording& recording, const View&)
{
    std::size_t steps = 0;
    for (const Lane& lane : recording.lanes) steps = std::max(steps, lane.steps.size());
    return steps;
}

// GQA has at most as many KV heads as there are query heads.
std::vector<Control> controls_of_decode(const Recording& recording)
{
    using enum Control::Kind;
    const double q_heads = recording.lanes.empty() ? 64 : static_cast<double>(recording.lanes.front().q_heads);
    return {
        cached,
        {.key = "q_heads",
         .label = Words::query_heads,
         .kind = number,
         .least = 1,
         .most = 64,
         .doubles = true,
         .initial = 8,
         .remakes = true,
         .only_with = "source"},
        {.key = "kv_heads",
         .label = Words::kv_heads_of_gqa,
         .kind = number,
         .least = 1,
         .most = q_heads,
         .doubles = true,
         .initial = 2,
         .remakes = true,
         .only_with = "source"},
        {.key = "source", .label = Words::where_from, .kind = choice, .choices = {"random", "model"}, .remakes = true},
        {.key = "seed",
         .label = Words::seed,
         .kind = number,
         .least = 1,
         .most = 999,
         .initial = 1,
         .remakes = true,
         .only_with = "source"}};
}

std::span<const Phase> phases_of_decode()
{
    static constexpr std::array list{Phase{Words::phase_project, 0.1}, Phase{Words::phase_append, 0.5},
                                     Phase{Words::phase_score, 0.75}, Phase{Words::phase_output, 1}};
    return list;
}

bool decode_has(const Recording& recording, const View& view, const Cell& cell)
{
    if (names_tensor(cell)) {
        static constexpr std::array drawn{Part::q, Part::k, Part::v, Part::weights, Part::output};
        return std::ranges::find(drawn, cell.part) != drawn.end() && cell.lane == -1;
    }
    try {
        explain(recording, moment(steps_of_decode(recording, view), view).step, cell);
        return true;
    } catch (const std::out_of_range&) {
        return false;
    }
}

} // namespace headroom
