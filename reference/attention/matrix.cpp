#include "reference/attention/matrix.h"

namespace headroom {
namespace {

std::span<double> row(Matrix& X, Index i) { return {X.data() + i * X.cols(), static_cast<std::size_t>(X.cols())}; }

} // namespace

Matrix queries(const StoredView& q, Index b, Index h)
{
    Matrix Q(q.extent[2], q.extent[3]);
    for (Index i = 0; i < Q.rows(); ++i) read_row(q, b, h, i, row(Q, i));
    return Q;
}

Matrix rows(const KvView& kv, const StoredView& part, Index b, Index hkv)
{
    Matrix X(kv.length[b], part.extent[3]);
    for (Index j = 0; j < X.rows(); ++j) {
        const Place at = place(kv, b, j);
        read_row(part, at.block, hkv, at.slot, row(X, j));
    }
    return X;
}

} // namespace headroom
