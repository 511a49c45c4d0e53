#include "tutorials/15_sizing_a_model/exercise.h"

headroom::Index bytes_per_token(const Model& model, headroom::Index bytes_per_number)
{
    // TODO: a formula that many pages repeat. For which models does it hold?
    return 2 * model.layers * model.hidden_size * bytes_per_number;
}
