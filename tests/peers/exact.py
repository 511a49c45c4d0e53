"""What is right, in float64, and how far from it a plain version in the peer's own precision may be."""
import numpy

import bf16


def attention(q, k, v, keep=lambda x: x):
    """Causal attention of q [B, H, L, D] on k and v [B, Hkv, S, D], in their type; `keep` rounds what a step would store."""
    group, (L, D), S = q.shape[1] // k.shape[1], q.shape[2:], k.shape[2]
    hidden = numpy.arange(S)[None, :] > numpy.arange(S - L, S)[:, None]  # [L, S]
    output = numpy.empty_like(q)
    for b in range(q.shape[0]):
        for h in range(q.shape[1]):
            scores = keep(keep(q[b, h] @ k[b, h // group].T) * q.dtype.type(D ** -0.5))
            scores[hidden] = -numpy.inf
            weights = numpy.exp(scores - scores.max(axis=1, keepdims=True))
            weights = keep(weights / weights.sum(axis=1, keepdims=True))
            output[b, h] = keep(weights @ v[b, h // group])
    return output


class Expected:
    """The exact output, and for each precision how wrong an output may be: at its worst twice as wrong as plain attention in
    that precision, and 1e-5; in relative RMS twice as wrong, and 2e-6. Others add in another order and may be unlucky where
    plain is lucky (reference/verification/bounds.h says more)."""

    def __init__(self, data):
        widen = bf16.to_f32 if data.type == "bf16" else (lambda x: x)
        q, k, v = (widen(x) for x in (data.q, data.k[0], data.v[0]))
        self.output = attention(*(x.astype(numpy.float64) for x in (q, k, v)))
        plain = {"f32": attention(q, k, v)}
        if data.type == "bf16":
            plain["bf16"] = attention(q, k, v, bf16.rounded)
        self.bounds = {}
        for precision, output in plain.items():
            worst, rms = self._errors(output)
            self.bounds[precision] = 2 * worst + 1e-5, 2 * rms + 2e-6

    def _errors(self, output):
        error = output.astype(numpy.float64) - self.output
        return float(numpy.max(numpy.abs(error))), float(numpy.linalg.norm(error) / numpy.linalg.norm(self.output))

    def objection(self, output, precision):
        """Empty if the output is right. Written so that NaN is not."""
        if output.shape != self.output.shape:
            return f"shape {output.shape}, not {self.output.shape}"
        for name, error, bound in zip(("", "in relative RMS "), self._errors(output), self.bounds[precision]):
            if not error <= bound:
                return f"off by {name}{error:.3g}, more than {bound:.3g}"
        return ""
