// Where a number comes from: the cells behind it and the terms that add up to it.
#pragma once
#include "viewer/scenes/heat.h"
#include "viewer/scenes/scene.h"
#include <optional>

namespace headroom {

struct Term {
    Cell cell;            // the element that this term brings in, e.g. of V
    double factor, value; // the term is factor * value
};
struct Explanation {
    double number = 0;         // as recorded
    std::string name;          // "output[h 2, token 17, d 1]"
    std::string formula;       // empty: a stored number, not computed in this step
    std::vector<Term> terms;   // their sum is `sum`
    double sum = 0;            // of the terms; equals number, or leads to it as the formula says
    std::vector<Fact> details; // what else the formula needs: maximum, sum, scale
    Index shared_by = 0;       // query heads that read a stored key or value
};

// Of a cell of the shown step. Throws std::out_of_range if the recording has no such cell.
Explanation explain(const Recording& recording, std::size_t step, const Cell& cell);

// What lights up with a cell, in one head's map of a tensor: for an output its weights, the values, the keys and the query
// behind them; for a key or value the queries that share it. Empty: nothing.
std::optional<CellRange> lit(const Recording& recording, const Cell& chosen, Part part, std::int32_t lane,
                             std::int32_t head);
bool lights_up(const Recording& recording, const Cell& chosen, const Cell& other);

// The same as text, with the terms that there is room for; their sum equals the number.
void inspect(Picture& picture, Rect room, const Recording& recording, std::size_t step, const Cell& cell,
             Language language, float em);

} // namespace headroom
