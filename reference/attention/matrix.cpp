#include "reference/attention/matrix.h"

namespace headroom {
namespace {

// The fourth axis of `part` at three indices, decoded.
void decode_row(const StoredView& part, Index i0, Index i1, Index i2, Matrix& into, Index row)
{
    for (Index d = 0; d < into.cols(); ++d) into(row, d) = value(part, i0, i1, i2, d);
}

} // namespace

Matrix queries(const StoredView& q, Index b, Index h)
{
    Matrix Q(q.extent[2], q.extent[3]);
    for (Index i = 0; i < Q.rows(); ++i) decode_row(q, b, h, i, Q, i);
    return Q;
}

Matrix rows(const KvView& kv, const StoredView& part, Index b, Index hkv)
{
    Matrix X(kv.length[b], part.extent[3]);
    for (Index j = 0; j < X.rows(); ++j) {
        const Place at = place(kv, b, j);
        decode_row(part, at.block, hkv, at.slot, X, j);
    }
    return X;
}

} // namespace headroom
