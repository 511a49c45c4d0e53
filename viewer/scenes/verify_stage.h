// One stage of a recorded check: how far an answer lies from the right one, cell by cell, as a matrix.
#pragma once
#include "viewer/scenes/scene.h"

namespace headroom {

struct StageErrors {
    const RecordedStage* stage = nullptr;
    Index rows = 0, columns = 0; // of [B, H, L, S|Dv]: B·H·L rows; of [B, H, L]: B·H rows
    Index worst_row = 0, worst_column = 0;
    double worst = 0, mean = 0; // infinite: NaN, or an infinity that differs
    Index equal = 0, over = 0;  // cells equal to the reference rounded to f32, and over the bound
    double got(Index row, Index column) const { return at(stage->got, row, column); }
    double expected(Index row, Index column) const { return at(stage->expected, row, column); }
    double error(Index row, Index column) const;
    bool is_equal(Index row, Index column) const;
    std::vector<Index> index_of(Index row, Index column) const; // in the tensor

private:
    double at(const Tensor& t, Index row, Index column) const
    {
        return t.values()[static_cast<std::size_t>(row * columns + column)];
    }
};
StageErrors errors_of(const RecordedStage& stage); // rows 0: its tensors were not kept

double part_of_bound(
    const RecordedCheck& check); // the worst stage's error over what is allowed; infinite: no answer to compare

// Of a check's stages: the first that did not pass; none: stages.size().
std::size_t first_diverging(const RecordedCheck& check);
// The stage that the reader chose, else the first to diverge, else the output.
std::size_t shown_stage(const RecordedCheck& check, const View& view);

} // namespace headroom
