// What of a verification is shown: which checks, which stage, how much of the bounds, and the cell in question.
#pragma once
#include "viewer/scenes/magnitudes.h"
#include "viewer/scenes/scene.h"
#include <optional>

namespace headroom {

// The checks of the kernel that the reader chose, all of them where none is chosen; the steps of the timeline.
std::vector<std::size_t> shown_checks(const Recording& recording, const View& view);

struct VerifyChoice {
    std::size_t check = 0;           // of the recording
    std::vector<StageErrors> errors; // of its stages, with the part of the bound that the reader allows
    std::size_t diverging = 0;       // the first stage that does; none: as many as there are
    std::size_t stage = 0;           // the one that the reader chose, else the first to diverge, else the output
};
// Only where a check is shown.
VerifyChoice verify_choice(const Recording& recording, const Overview& seen, const View& view);

struct PointedError { // the cell pointed at in the shown stage, else its worst one
    std::size_t check, stage;
    Index row, column;
    bool by_hand;
    std::vector<Index> index; // in the tensor: sequence, head, …
};
std::optional<PointedError> pointed_error(const VerifyChoice& choice, const View& view); // none: the stage was not kept
std::optional<PointedError> pointed_error(const Recording& recording, const View& view);

Cell decode_cell(std::string_view stage, const std::vector<Index>& index); // where Decode shows it, in its first lane

} // namespace headroom
