// What the reader may change in the scene: numbers with − and +, choices to go through, switches.
#include "viewer/app/bars.h"

#include <algorithm>
#include <cmath>

namespace headroom {
namespace {

constexpr float value_size = 0.9f, label_size = 0.82f;

// What a file or a check holds is shown as it is: a control that would run it again could only show other numbers.
bool is_fixed(const Desk& desk) { return desk.from_file || desk.of_case; }

// Not where the recording lacks what it chooses from, nor where it would change nothing.
bool is_shown(const Control& c, const std::vector<Control>& all, const Desk& desk)
{
    if (c.kind == Control::Kind::choice && c.choices.empty()) return false;
    return (!c.remakes || !is_fixed(desk)) && matters(c, all, desk.settings);
}

class ControlsRow {
public:
    ControlsRow(BarPainter& bar, const std::vector<Control>& controls) : bar_(bar), controls_(controls) {}

    // Left to right, then the next row. Returns the rows it took; paints only if told so.
    int flow(Rect at, float row_height, bool paints)
    {
        float x = at.x0;
        int rows = 1;
        const auto next = [&](float wide) { // where the next one lies
            if (x > at.x0 && x + wide > at.x1) {
                x = at.x0;
                ++rows;
            }
            const float left = x, top = at.y0 + static_cast<float>(rows - 1) * row_height;
            x += wide + 1.6f * bar_.em;
            return Rect{left, top, left + wide, top + row_height - 0.5f * bar_.em};
        };
        const Desk& desk = bar_.state.desk();
        for (std::size_t i = 0; i < controls_.size(); ++i) {
            if (!is_shown(controls_[i], controls_, desk)) continue;
            const Rect place = next(width_of(controls_[i]));
            if (paints) paint(i, place);
        }
        if (is_fixed(desk) && std::ranges::any_of(controls_, &Control::remakes)) {
            const std::string_view reason = bar_.say(desk.of_case ? Words::not_posed_again : Words::not_run_again);
            const float size = label_size * bar_.em;
            const Rect place = next(text_width(reason, Face::sans, size));
            if (paints)
                bar_.picture.words({place.x0, bar_.base_line(place, size)}, reason, {.ink = Ink::muted, .size = size});
        }
        return rows;
    }

private:
    float label_width(const Control& c) const
    {
        return text_width(bar_.say(c.label), Face::sans, label_size * bar_.em) + 0.7f * bar_.em;
    }
    float value_width(const Control& c) const
    {
        if (c.kind == Control::Kind::toggle) return 2.6f * bar_.em;
        float widest = 0;
        for (const std::string& choice : c.choices)
            widest = std::max(widest, text_width(choice, Face::sans, value_size * bar_.em));
        if (c.kind == Control::Kind::number)
            for (const double limit : {c.least, c.most})
                widest = std::max(widest, text_width(to_text({.what = "", .number = limit, .unit = Unit::index}),
                                                     Face::mono, value_size * bar_.em));
        return widest + 1.2f * bar_.em;
    }
    float width_of(const Control& c) const
    {
        return label_width(c) + value_width(c) + (c.kind == Control::Kind::toggle ? 0 : 4 * bar_.em);
    }

    void paint(std::size_t index, Rect row)
    {
        const Control& c = controls_[index];
        const float em = bar_.em;
        const double now = setting(bar_.state.desk().settings, c);
        bar_.picture.words({row.x0, bar_.base_line(row, label_size * em)}, bar_.say(c.label),
                           {.ink = Ink::muted, .size = label_size * em});
        row.cut_left(label_width(c));
        if (c.kind == Control::Kind::toggle) return toggle(index, row.cut_left(value_width(c)), now != 0);
        const double most = c.kind == Control::Kind::choice ? static_cast<double>(c.choices.size()) - 1 : c.most,
                     least = c.kind == Control::Kind::choice ? 0 : c.least;
        const double below = c.doubles ? std::max(least, std::floor(now / 2)) : now - 1,
                     above = c.doubles ? std::min(most, now * 2) : now + 1;
        const bool words = c.kind == Control::Kind::choice;
        const BarPainter::Look look{.face = Face::mono, .size = words ? 0.7f : 0.95f};
        BarPainter::Look less = look, more = look;
        less.enabled = now > least;
        more.enabled = now < most;
        bar_.button(row.cut_left(2 * em), words ? "◀" : "−", {Act::control, below, index}, less);
        const Rect value = row.cut_left(value_width(c));
        const TextStyle style{.size = value_size * em, .face = words ? Face::sans : Face::mono, .align = Align::centre};
        const Point at{value.centre().x, bar_.base_line(value, value_size * em)};
        if (words)
            bar_.picture.words(at, c.choices[static_cast<std::size_t>(now)], style);
        else
            bar_.picture.words(at, "{}", style, {{.what = std::string(c.key), .number = now, .unit = Unit::index}});
        bar_.button(row.cut_left(2 * em), words ? "▶" : "+", {Act::control, above, index}, more);
    }

    void toggle(std::size_t index, Rect at, bool on)
    {
        const float em = bar_.em, r = 0.5f * em;
        const Rect track{at.x0, at.centre().y - r, at.x0 + 2.1f * em, at.centre().y + r};
        bar_.picture.fill(track, on ? Ink::accent : Ink::sunken, r);
        bar_.picture.frame(track, on ? Ink::accent : Ink::faint, 1, r);
        const float x = on ? track.x1 - r : track.x0 + r, knob = r - 0.14f * em;
        bar_.picture.fill({x - knob, at.centre().y - knob, x + knob, at.centre().y + knob},
                          on ? Ink::panel : Ink::faint, knob);
        bar_.spots.push_back({at, {Act::control, on ? 0.0 : 1.0, index}});
    }

    BarPainter& bar_;
    const std::vector<Control>& controls_;
};

} // namespace

void controls_bar(BarPainter& bar, Rect& room)
{
    const Desk& desk = bar.state.desk();
    if (!desk.recording) return;
    const std::vector<Control> controls = bar.state.shown().controls(*desk.recording);
    if (std::ranges::none_of(
            controls, [&](const Control& c) { return is_shown(c, controls, desk) || (c.remakes && is_fixed(desk)); }))
        return;
    const float em = bar.em, row_height = 2.3f * em;
    ControlsRow row(bar, controls);
    const Rect across{room.x0 + 1.5f * em, 0, room.x1 - 1.5f * em, 0};
    const int rows = row.flow(across, row_height, false);
    const Rect strip = room.cut_top(static_cast<float>(rows) * row_height + 0.5f * em);
    row.flow({across.x0, strip.y0 + 0.5f * em, across.x1, strip.y1}, row_height, true);
}

} // namespace headroom
