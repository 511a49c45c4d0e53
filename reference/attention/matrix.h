// One head of a tensor as an Eigen matrix of double. The only header that names Eigen.
#pragma once
#include "reference/contract/problem.h"
#include <Eigen/Core>

namespace headroom {

using Matrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
using Vector = Eigen::VectorXd;

Matrix queries(const StoredView& q, Index b, Index h); // [L, D]

// The rows that a cache stores for one head, decoded, in order of position.
Matrix rows(const KvView& kv, const StoredView& part, Index b, Index hkv); // [length, D] or [length, Dv]

} // namespace headroom
