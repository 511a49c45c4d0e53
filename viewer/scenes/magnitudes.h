// The largest magnitude in any block of a matrix without looking at all of it: what is smaller than a pixel is drawn
// together, and a recording's scales are known at once.
#pragma once
#include "reference/recording/recording.h"
#include "viewer/scenes/kernel_reads.h"
#include "viewer/scenes/memory_model.h"
#include "viewer/scenes/verify_stage.h"
#include <functional>
#include <memory>

namespace headroom {

class Magnitudes {
public:
    Magnitudes(Index rows, Index columns, const std::function<double(Index row, Index column)>& number);
    Index rows() const { return rows_; }
    Index columns() const { return columns_; }
    float largest(Index row0, Index row1, Index column0, Index column1) const; // -1: all hidden, they are NaN

private:
    struct Level { // blocks of 2^n x 2^n
        Index rows, columns;
        std::vector<float> largest;
    };
    float within(std::size_t level, Index row0, Index row1, Index column0, Index column1) const;
    Index rows_, columns_;
    std::vector<Level> levels_;
};

// What would cost too much to find out again for every picture of a recording.
struct Overview {
    struct OfLane {
        std::vector<Magnitudes> keys, values;         // [Hkv], tokens x width, of the whole run
        std::vector<std::vector<Magnitudes>> weights; // [steps][H], queries x keys; hidden: -1
    };
    const Recording* of = nullptr;
    std::vector<OfLane> lanes;
    double q = 1, k = 1, v = 1, output = 1; // the largest of each: one scale for all panels and steps
    std::vector<double> weights;            // likewise, step by step
    std::vector<PlannedModel> models;       // of Memory
    // Of each check of Verify: its stages' errors, their cells (those equal to the reference hidden), and its worst error
    // over what is allowed.
    std::vector<std::vector<StageErrors>> errors;
    std::vector<std::vector<Magnitudes>> error_maps;
    std::vector<double> nearness;
    std::vector<KernelIndex> kernels; // of Kernel
};
std::shared_ptr<const Overview> overview(const Recording& recording);
std::shared_ptr<const Overview> overview(const Recording& recording,
                                         const View& view); // the view's, if it is of this one

} // namespace headroom
