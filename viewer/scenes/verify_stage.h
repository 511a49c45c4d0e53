// One stage of a recorded check: how far an answer lies from the right one, cell by cell, as a matrix.
#pragma once
#include "reference/recording/recording.h"

namespace headroom {

struct StageErrors {
    const RecordedStage* stage = nullptr;
    double bound = 0, mean_bound = 0; // the checker's, or the part of them that the reader allows
    Index rows = 0, columns = 0;      // of [B, H, L, S|Dv]: B·H·L rows; of [B, H, L]: B·H rows; 0: not kept
    Index worst_row = 0, worst_column = 0;
    double worst = 0, mean = 0; // infinite: NaN, or an infinity that differs
    Index equal = 0, over = 0;  // cells equal to the reference rounded to f32, and over the bound
    bool diverges = false;      // the checker complained, or it is over the part of the bound that is allowed
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
// `part`: of the bound, that is allowed.
StageErrors errors_of(const RecordedStage& stage, double part = 1);

// Of a check, with the errors of its stages: the worst over what is allowed; infinite: no answer to compare.
double part_of_bound(const RecordedCheck& check, const std::vector<StageErrors>& errors);

} // namespace headroom
