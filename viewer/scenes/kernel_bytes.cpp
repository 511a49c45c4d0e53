// The rows of K as bytes: their names, their lines of memory and the cells of who read them.
#include "viewer/scenes/kernel_page.h"

#include <algorithm>

namespace headroom {

namespace {

class ByteMap {
public:
    ByteMap(const KernelPicture& on, Rect at)
        : on_(on), picture_(on.picture), reads_(on.reads), em_(on.page.em), room_(panel(on.picture, at, em_))
    {}

    void draw()
    {
        title(room_.cut_top(1.9f * em_));
        const Rect key = room_.cut_bottom(1.6f * em_);
        const Rect names = room_.cut_left(4.2f * em_);
        if (reads_.keys == 0) return;
        // Rows that would be below three pixels are drawn several to one.
        together_ = 1;
        while (room_.height() / static_cast<float>((reads_.keys + together_ - 1) / together_) < 3 &&
               together_ < reads_.keys)
            together_ *= 2;
        const auto rows = static_cast<std::int32_t>((reads_.keys + together_ - 1) / together_),
                   units = static_cast<std::int32_t>(reads_.units);
        const float high = std::min(room_.height() / static_cast<float>(rows), 1.5f * em_),
                    wide = std::min(room_.width() / static_cast<float>(units), 4.6f * em_);
        grid_ = {room_.x0, room_.y0, room_.x0 + wide * static_cast<float>(units),
                 room_.y0 + high * static_cast<float>(rows)};
        draw_read_cells(on_, grid_, together_);
        lines_of_memory(rows, units);
        names_of_rows(names, rows, high);
        legend(key);
    }

private:
    void title(Rect at)
    {
        const auto index = [](const char* what, Index n) {
            return Fact{.what = what, .number = static_cast<double>(n), .unit = Unit::index};
        };
        const std::vector<Fact> facts{index("KV head", on_.choice.kv_head), index("keys", reads_.keys),
                                      index("bytes of a key", reads_.row_bytes),
                                      index("bytes that one lane reads at once, at least", reads_.unit_bytes)};
        picture_.words({at.x0, at.y0 + 0.9f * em_}, words(Words::bytes_of_k, on_.view.language),
                       {.size = em_, .face = Face::bold}, facts);
    }

    // Where a line of 128 bytes begins.
    void lines_of_memory(std::int32_t rows, std::int32_t units)
    {
        for (std::int32_t u = 0; u < units; ++u) {
            bool everywhere = true;
            for (std::int32_t r = 0; r < rows; ++r) everywhere = everywhere && reads_.begins_line(r * together_, u);
            const float x = grid_.x0 + grid_.width() * static_cast<float>(u) / static_cast<float>(units) - 0.5f;
            if (everywhere) picture_.line({x, grid_.y0 - 0.35f * em_}, {x, grid_.y1}, Ink::ink, 1.5f);
        }
        if (reads_.row_bytes >= 128 || together_ > 1) return;
        for (std::int32_t r = 0; r < rows; ++r)
            if (reads_.begins_line(r, 0)) {
                const float y = grid_.y0 + grid_.height() * static_cast<float>(r) / static_cast<float>(rows) - 0.5f;
                picture_.line({grid_.x0 - 0.35f * em_, y}, {grid_.x1, y}, Ink::ink, 1);
            }
    }

    void names_of_rows(Rect names, std::int32_t rows, float high)
    {
        std::int32_t every = 1;
        while (high * static_cast<float>(every) < 1.1f * em_) every *= 2;
        for (std::int32_t r = 0; r < rows; r += every) {
            const float y = grid_.y0 + high * (static_cast<float>(r) + 0.5f);
            picture_.words({names.x1 - 0.6f * em_, y + 0.25f * em_}, "K[{}]",
                           {.ink = Ink::muted, .size = 0.72f * em_, .face = Face::mono, .align = Align::right},
                           {{.what = "key", .number = static_cast<double>(r * together_), .unit = Unit::index}});
        }
    }

    void legend(Rect at)
    {
        const float y = at.y1 - 0.3f * em_;
        const TextStyle small{.ink = Ink::muted, .size = 0.8f * em_};
        picture_.line({at.x0, y - 0.9f * em_}, {at.x0, y + 0.1f * em_}, Ink::ink, 1.5f);
        const Rect box = picture_.words({at.x0 + 0.6f * em_, y}, words(Words::line_begins, on_.view.language), small);
        if (!reads_.is_recorded)
            picture_.words({box.x1 + 1.6f * em_, y}, words(Words::head_not_recorded, on_.view.language),
                           {.ink = Ink::warning, .size = 0.8f * em_});
        else if (together_ > 1)
            picture_.words({box.x1 + 1.6f * em_, y}, words(Words::keys_together, on_.view.language), small,
                           {count_of("keys drawn as one row", together_)});
    }

    const KernelPicture& on_;
    Picture& picture_;
    const KernelReads& reads_;
    float em_;
    Rect room_, grid_ = {};
    Index together_ = 1;
};

} // namespace

void draw_k_bytes(const KernelPicture& on, Rect at) { ByteMap(on, at).draw(); }

} // namespace headroom
