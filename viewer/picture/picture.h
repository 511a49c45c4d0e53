// A picture as data: marks in painting order, texts, the tensor cell behind a rectangle and the facts behind a number.
// No window, no ImGui, no font: a picture is made, tested, written to a file and painted by different people.
#pragma once
#include "viewer/picture/fact.h"
#include "viewer/picture/geometry.h"
#include "viewer/picture/text.h"
#include <string>
#include <vector>

namespace headroom {

// What something is painted with; a theme turns it into a colour (texts get a darker or lighter variant where needed).
enum class Ink : std::uint8_t {
    paper,
    panel,
    sunken,
    ink,
    muted,
    faint,
    rule,
    q,
    k,
    v,
    output,
    weights,
    warning,
    accent,
    on_area
};

// One stored element, as the reader points at it.
enum class Part : std::uint8_t { none, q, k, v, scores, weights, output, slot, error, model, access };
struct Cell {
    Part part = Part::none; // none: nothing stored lies there
    std::int32_t lane = -1, head = -1, row = -1, column = -1;
    bool operator==(const Cell&) const = default;
};
std::string_view part_name(Part part); // "weights"
// A part without a place in it: all of that tensor, as words name it.
constexpr bool names_tensor(const Cell& cell) { return cell.part != Part::none && cell.lane < 0; }

// How a value becomes a colour: tinted from the panel's colour to a tensor's ink, cividis, or blue–white–orange.
enum class Ramp : std::uint8_t { tint, magnitude, diverging };

// A slice of a tensor is one mark: its cells tile by construction, and two million of them cost one entry.
// Row r, column c lies at the r-th, c-th part of the rectangle. NaN: an empty slot.
struct Heatmap {
    Cell first; // of row 0, column 0
    std::int32_t rows = 0, columns = 0;
    bool transposed = false; // true: a step right is the next row of the tensor (tokens run to the right)
    Ramp ramp = Ramp::tint;
    Ink ink = Ink::ink;
    std::vector<float> position;                    // of each cell on the ramp, 0 … 1, row by row as drawn
    float gap = 1;                                  // pixels left free between cells, painted only: hits tile
    std::int32_t row_stride = 1, column_stride = 1; // elements behind each drawn cell, where one would be below a pixel
};

struct Mark {
    enum class Kind : std::uint8_t { fill, frame, line, curve, hatch, cross, text, heatmap } kind = Kind::fill;
    Rect at; // line, curve: from (x0, y0) to (x1, y1); text: the box it occupies
    Ink ink = Ink::ink;
    float width = 1;  // of a stroke; of a text: its size
    float radius = 0; // of a fill's or frame's corners
    float opacity = 1;
    float dash = 0;   // length of dashes; 0: solid
    int text = -1;    // into texts
    int heatmap = -1; // into heatmaps
    Cell cell;
};

struct Text {
    std::string words;
    Face face = Face::sans;
    std::vector<int> facts = {}; // the numbers in it, in order
    std::string link = {};       // in the window: a file of the project, or "#scene"; empty: nothing
};

struct TextStyle {
    Ink ink = Ink::ink;
    float size = 15;
    Face face = Face::sans;
    Align align = Align::left;
};

struct Picture {
    Rect size;
    std::vector<Mark> marks; // in painting order
    std::vector<Text> texts;
    std::vector<Fact> facts;
    std::vector<Heatmap> heatmaps;

    Mark& fill(Rect at, Ink ink, float radius = 0);
    Mark& frame(Rect at, Ink ink, float width = 1, float radius = 0);
    Mark& line(Point from, Point to, Ink ink, float width = 1);
    Mark& curve(Point from, Point to, Ink ink, float width = 1); // leaves and arrives horizontally
    Mark& hatch(Rect at, Ink ink);
    Mark& cross(Rect at, Ink ink, float width = 1);
    Mark& heatmap(Rect at, Heatmap map);

    // Words with numbers in them: each "{}" is the next fact, printed by to_text; without facts they stand as they are.
    // `at` is the left, middle or right end of the base line. Returns the box that the words occupy.
    Rect words(Point at, std::string_view pattern, TextStyle style, const std::vector<Fact>& facts = {});

    Cell hit(Point at) const; // of the topmost mark with a cell there
};

Rect cell_rect(const Rect& map_at, const Heatmap& map, std::int32_t drawn_row,
               std::int32_t drawn_column); // tiles, no gap
Cell cell_of(const Heatmap& map, std::int32_t drawn_row, std::int32_t drawn_column);

} // namespace headroom
