// The numbers of the chosen stage beside what is allowed, and the cell in question: kernel − reference = difference.
#include "viewer/picture/paragraph.h"
#include "viewer/scenes/verify_page.h"

namespace headroom {
namespace {

class Inspector {
public:
    Inspector(const VerifyPicture& on, Rect room)
        : on_(on), e_(on.choice.errors[on.choice.stage]), room_(room), em_(on.page.em), y_(room.y0 + 0.7f * on.page.em)
    {}

    void numbers()
    {
        const std::string& stage = e_.stage->stage;
        const auto exact = [&](const char* what, double x) { return Fact{.what = what + (", " + stage), .number = x}; };
        const Ink if_over = e_.over ? Ink::warning : Ink::ink;
        row(Words::worst_error, "{}", {exact("worst error", e_.worst)}, if_over);
        row(Words::allowed, "{}", {exact("bound", e_.bound)});
        row(Words::mean_error, "{}", {exact("mean error", e_.mean)},
            e_.mean <= e_.mean_bound ? Ink::ink : Ink::warning);
        row(Words::allowed, "{}", {exact("bound of the mean", e_.mean_bound)});
        row(Words::bit_equal, words(Words::of_count, on_.view.language),
            {count_of("cells equal to the reference, " + stage, e_.equal),
             count_of("cells, " + stage, e_.rows * e_.columns)});
        row(Words::cells_over, "{}", {count_of("cells over the bound, " + stage, e_.over)}, if_over);
    }

    void cell(const PointedError& pointed)
    {
        y_ += 0.5f * em_;
        Picture& picture = on_.picture;
        picture.words({room_.x0, y_}, say(pointed.by_hand ? Words::this_cell : Words::worst_cell), on_.page.small);
        if (on_.check.own_problem) {
            picture.words({room_.x1, y_}, say(Words::problem_not_kept),
                          {.ink = Ink::muted, .size = 0.8f * em_, .align = Align::right});
        } else if (on_.page.in_window) {
            picture.words({room_.x1, y_}, say(Words::open_in_decode),
                          {.ink = Ink::accent, .size = 0.9f * em_, .align = Align::right});
            picture.texts.back().link = "#decode";
        }
        y_ += 1.35f * em_;
        std::string name = e_.stage->stage + "[";
        std::vector<Fact> index;
        for (const Index i : pointed.index) {
            name += index.empty() ? "{}" : ", {}";
            index.push_back(index_fact("index of the cell", i));
        }
        picture.words({room_.x0, y_}, name + "]", {.size = 0.9f * em_, .face = Face::mono}, index);
        y_ += 1.5f * em_;
        const Index r = pointed.row, c = pointed.column;
        const double got = e_.got(r, c), expected = e_.expected(r, c);
        row(Words::got, "{}", {{.what = "kernel's number", .number = got}});
        row(Words::expected, "− {}", {{.what = "reference's number", .number = expected}});
        row(Words::difference, "= {}", {{.what = "their difference", .number = got - expected}},
            e_.error(r, c) <= e_.bound ? Ink::ink : Ink::warning);
    }

private:
    std::string_view say(Words key) const { return words(key, on_.view.language); }

    void row(Words name, std::string_view pattern, const std::vector<Fact>& facts, Ink ink = Ink::ink)
    {
        on_.picture.words({room_.x0, y_}, say(name), on_.page.small);
        on_.picture.words({room_.x1, y_}, pattern,
                          {.ink = ink, .size = 0.9f * em_, .face = Face::mono, .align = Align::right}, facts);
        y_ += 1.42f * em_;
    }

    const VerifyPicture& on_;
    const StageErrors& e_;
    Rect room_;
    float em_, y_;
};

} // namespace

void draw_verify_inspector(const VerifyPicture& on, Rect at)
{
    const Rect room = panel(on.picture, at, on.page, words(Words::inspector, on.view.language));
    const std::optional<PointedError> pointed = pointed_error(on.choice, on.view);
    if (!pointed) {
        quotation(on.picture, room, translated(on.choice.errors[on.choice.stage].stage->complaint, on.view.language),
                  on.page.text);
        return;
    }
    Inspector inspector(on, room);
    inspector.numbers();
    inspector.cell(*pointed);
}

} // namespace headroom
