// One head of a tensor as an Eigen matrix of double. The only header that names Eigen.
#pragma once
#include "reference/contract/problem.h"
#include <Eigen/Dense>

namespace headroom {

using Matrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

inline Matrix queries(const StoredView& q, Index b, Index h) // [L, D]
{
    Matrix m(q.extent[2], q.extent[3]);
    for (Index i = 0; i < m.rows(); ++i)
        for (Index d = 0; d < m.cols(); ++d) m(i, d) = value(q, b, h, i, d);
    return m;
}

// The rows that a cache stores for one head, decoded, in order of position.
inline Matrix rows(const KvView& kv, const StoredView& part, Index b, Index hkv) // [S, D] or [S, Dv]
{
    Matrix m(kv.length[b], part.extent[3]);
    for (Index j = 0; j < m.rows(); ++j) {
        const Place at = place(kv, b, j);
        for (Index d = 0; d < m.cols(); ++d) m(j, d) = value(part, at.block, hkv, at.slot, d);
    }
    return m;
}

} // namespace headroom
