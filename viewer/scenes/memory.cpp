// Memory: what the cache of real models costs as the context grows, and what fits on a GPU beside the weights.
#include "viewer/picture/paragraph.h"
#include "viewer/scenes/chart.h"
#include "viewer/scenes/magnitudes.h"
#include "viewer/scenes/memory_page.h"
#include <algorithm>
#include <array>
#include <cmath>

namespace headroom {
namespace {

class MemoryScene {
public:
    MemoryScene(Picture& picture, const Recording& recording, const View& view, Rect at)
        : picture_(picture), view_(view), seen_(overview(recording, view)), models_(seen_->models),
          choice_(memory_choice(view)),
          page_(page(picture, recording, view, Words::memory_title, models_.empty() ? 0 : context_steps, at)),
          em_(page_.em), chosen_(models_.empty() ? 0 : chosen_model(recording, view))
    {}

    void draw()
    {
        if (models_.empty()) {
            paragraph(picture_, panel(picture_, page_.body, em_), words(Words::nothing_recorded, view_.language),
                      page_.text);
            return;
        }
        const MemoryPicture on{picture_, view_, page_, models_, choice_, chosen_};
        Rect body = page_.body;
        Rect below =
            body.cut_bottom(std::min(body.height() * 0.46f, (4.2f + 1.55f * static_cast<float>(models_.size())) * em_));
        body.cut_bottom(0.8f * em_);
        chart(body);
        draw_what_fits(on, below.cut_right(0.31f * below.width()));
        below.cut_right(0.8f * em_);
        draw_memory_table(on, below);
        commentary();
        draw_model_inspector(on, page_.inspector);
    }

private:
    void chart(Rect at)
    {
        Rect room = panel(picture_, at, em_);
        const std::string_view title =
            words(choice_.weights ? Words::bytes_with_weights : Words::bytes_of_cache, view_.language);
        picture_.words({room.x0, room.y0 + 0.9f * em_}, title, page_.small,
                       {{.what = "sequences", .number = static_cast<double>(choice_.plan.batch), .unit = Unit::count}});
        room.cut_top(2 * em_);
        room.cut_bottom(2.4f * em_);
        room.cut_left(5 * em_);
        room.cut_right(1.5f * em_);
        const double usable = static_cast<double>(choice_.usable());
        double least = usable, most = usable;
        for (const PlannedModel& model : models_)
            for (const Index context : {shortest_context, longest_context})
                if (const auto bytes = bytes_at(model, choice_, context, choice_.plan.batch);
                    bytes && *bytes > 0 && model.problem.empty()) {
                    least = std::min(least, *bytes);
                    most = std::max(most, *bytes);
                }
        const bool logarithmic = view_.logarithmic;
        const Scale x{.least = static_cast<double>(shortest_context),
                      .most = static_cast<double>(longest_context),
                      .logarithmic = true,
                      .from = room.x0,
                      .to = room.x1},
            y{.least = logarithmic ? std::exp2(std::floor(std::log2(least))) : 0,
              .most = logarithmic ? std::exp2(std::ceil(std::log2(most))) : 1.25 * usable,
              .logarithmic = logarithmic,
              .from = room.y1,
              .to = room.y0};
        rules_of_y(picture_, room, y, Unit::bytes, em_);
        rules_of_x(picture_, room, x, Unit::count, em_);
        picture_.words({room.x1, room.y1 + 2.4f * em_}, words(Words::tokens_of_each, view_.language),
                       {.ink = Ink::muted, .size = 0.8f * em_, .align = Align::right});
        for (std::size_t i = 0; i < models_.size(); ++i) curve(i, x, y);
        gpu_line(room, y);

        // The context that the timeline has reached.
        const float now = x.at(static_cast<double>(choice_.context));
        picture_.line({now, room.y0}, {now, room.y1}, Ink::ink, 1.5f);
        for (std::size_t i = 0; i < models_.size(); ++i) {
            const auto bytes = models_[i].problem.empty()
                                   ? bytes_at(models_[i], choice_, choice_.context, choice_.plan.batch)
                                   : std::nullopt;
            if (!bytes || y.at(*bytes) < room.y0) continue;
            const Point p{now, y.at(*bytes)};
            const float r = (i == chosen_ ? 0.38f : 0.28f) * em_;
            Mark& dot = picture_.fill({p.x - r, p.y - r, p.x + r, p.y + r}, look_of(i).ink, r);
            dot.cell = {Part::model, static_cast<std::int32_t>(i), 0, 0, 0};
            if (i == chosen_)
                picture_.frame({p.x - r - 1, p.y - r - 1, p.x + r + 1, p.y + r + 1}, Ink::ink, 1.5f, r + 1);
        }
    }

    void curve(std::size_t i, const Scale& x, const Scale& y)
    {
        if (!models_[i].problem.empty()) return;
        std::vector<Point> points;
        constexpr int per_doubling = 3;
        for (int s = 0; s <= per_doubling * static_cast<int>(context_steps - 1); ++s) {
            const Index context =
                std::llround(static_cast<double>(shortest_context) * std::exp2(static_cast<double>(s) / per_doubling));
            const auto bytes = bytes_at(models_[i], choice_, context, choice_.plan.batch);
            if (!bytes) break;
            Point p{x.at(static_cast<double>(context)), y.at(*bytes)};
            if (p.y < y.to) { // it leaves the chart at its upper edge
                if (!points.empty()) {
                    const Point before = points.back();
                    points.push_back({before.x + (p.x - before.x) * (before.y - y.to) / (before.y - p.y), y.to});
                }
                break;
            }
            points.push_back(p);
        }
        curve_through(picture_, points, look_of(i), i == chosen_ ? 3.5f : 2);
    }

    void gpu_line(Rect room, const Scale& y)
    {
        const float at = y.at(static_cast<double>(choice_.usable()));
        picture_.line({room.x0, at}, {room.x1, at}, Ink::warning, 2);
        const TextStyle style{.ink = Ink::warning, .size = 0.8f * em_};
        const bool above = at - room.y0 > 1.4f * em_;
        picture_.words({room.x0 + 0.5f * em_, above ? at - 0.4f * em_ : at + 1.1f * em_},
                       choice_.gpu + ": " + std::string(words(Words::usable_of, view_.language)), style,
                       {bytes_of("usable on " + choice_.gpu, choice_.usable()),
                        bytes_of("memory of " + choice_.gpu, choice_.plan.memory->bytes)});
    }

    void commentary()
    {
        Rect room = words_panel(picture_, page_, words(Words::what_happens, view_.language), "15_sizing_a_model");
        const auto say = [&](Words text, const std::vector<Fact>& facts) {
            room.y0 =
                paragraph(picture_, room, words(text, view_.language), {.size = 0.92f * em_}, facts) + 0.45f * em_;
        };
        say(Words::memory_text,
            {count_of("tokens of each sequence", choice_.context), count_of("sequences", choice_.plan.batch)});
        const PlannedModel& model = models_[chosen_];
        if (model.problem.empty() && model.facts.geometry.kind == "GQA") {
            const Index own = bytes_per_token(model.facts.geometry, choice_.plan.cache),
                        mha = bytes_per_token(as_mha(model.facts.geometry), choice_.plan.cache);
            say(Words::gqa_saves_text, {bytes_of("bytes per token, " + model.name, own),
                                        bytes_of("bytes per token as MHA, " + model.name, mha)});
        }
        say(Words::reserve_text,
            {bytes_of("kept free on " + choice_.gpu, choice_.plan.memory->bytes - choice_.usable())});
    }

    Picture& picture_;
    const View& view_;
    std::shared_ptr<const Overview> seen_;
    const std::vector<PlannedModel>& models_;
    MemoryChoice choice_;
    Page page_;
    float em_;
    std::size_t chosen_;
};

} // namespace

void layout_memory(Picture& picture, const Recording& recording, const View& view, Rect at)
{
    MemoryScene(picture, recording, view, at).draw();
}

std::size_t steps_of_memory(const Recording& recording, const View&)
{
    return recording.models.empty() ? 0 : context_steps;
}

std::span<const Phase> phases_of_memory()
{
    static constexpr std::array list{Phase{Words::phase_grow, 1}};
    return list;
}

bool memory_has(const Recording& recording, const View&, const Cell& cell)
{
    return cell.part == Part::model && cell.lane >= 0 && cell.lane < static_cast<std::int32_t>(recording.models.size());
}

} // namespace headroom
