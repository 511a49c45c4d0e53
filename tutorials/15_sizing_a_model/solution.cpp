#include "tutorials/15_sizing_a_model/exercise.h"

headroom::Index bytes_per_token(const Model& model, headroom::Index bytes_per_number)
{
    const headroom::Index head_dim = model.head_dim > 0 ? model.head_dim : model.hidden_size / model.q_heads;
    return 2 * model.layers * model.kv_heads * head_dim * bytes_per_number; // K and V
}
