"""Golden values for attention, computed with NumPy in double, independently of the C++ code.

Writes pairs of safetensors files beside this script: NAME.problem.safetensors is a problem file, and
NAME.expected.safetensors holds every stage, with the options as metadata under the names of `headroom attend`.

    python3 make_golden.py        needs NumPy (made with 2.4)
"""
import json
import pathlib
import struct
import sys

try:
    import numpy as np
except ImportError as missing:
    print(f"{missing}: python3 -m pip install numpy installs it", file=sys.stderr)
    sys.exit(2)

HERE = pathlib.Path(__file__).parent
TYPES = {"float64": "F64", "float32": "F32", "float16": "F16", "bool": "BOOL", "int64": "I64"}


def write(path, tensors, metadata=None):
    header, data = {}, b""
    if metadata:
        header["__metadata__"] = metadata
    for name in sorted(tensors):
        array = np.ascontiguousarray(tensors[name])
        header[name] = {"dtype": TYPES[str(array.dtype)], "shape": list(array.shape),
                        "data_offsets": [len(data), len(data) + array.nbytes]}
        data += array.tobytes()
    text = json.dumps(header).encode()
    text += b" " * (-len(text) % 8)
    path.write_bytes(struct.pack("<Q", len(text)) + text + data)


def attention(q, k, v, causal=None, window=0, sinks=0, softcap=0.0, scale=None, bias=None, mask=None,
              kv_lengths=None, query_lengths=None, sink_logits=None):
    q, k, v = (x.astype(np.float64) for x in (q, k, v))
    B, H, L, D = q.shape
    S = k.shape[2]
    k, v = (np.repeat(x, H // x.shape[1], axis=1) for x in (k, v))  # NumPy's repeat is repeat_interleave
    n = np.full(B, S) if kv_lengths is None else np.asarray(kv_lengths)
    queries = np.full(B, L) if query_lengths is None else np.asarray(query_lengths)
    i, j = np.arange(L)[None, None, :, None], np.arange(S)[None, None, None, :]
    n, queries = n[:, None, None, None], queries[:, None, None, None]

    real = i < queries
    seen = (j < n) & real
    if causal:
        p = i if causal == "top-left" else n - queries + i
        seen = seen & (j <= p)
        if window:
            seen = seen & ((j > p - window) | (j < sinks))
    seen = np.broadcast_to(seen, (B, H, L, S)).copy()
    if mask is not None:
        seen &= np.broadcast_to(mask, seen.shape)

    stored = np.broadcast_to((j < n) & real, seen.shape)
    scores = np.where(stored, (1 / np.sqrt(D) if scale is None else scale) * (q @ np.swapaxes(k, 2, 3)), 0)
    masked = softcap * np.tanh(scores / softcap) if softcap else scores
    if bias is not None:
        masked = masked + bias
    masked = np.where(seen, masked, -np.inf)
    sink = np.full((1, H, 1), -np.inf) if sink_logits is None else np.asarray(sink_logits, np.float64)[None, :, None]
    row_max = np.maximum(masked.max(axis=3, initial=-np.inf), sink)
    safe = np.where(np.isfinite(row_max), row_max, 0)
    row_sum = np.exp(masked - safe[..., None]).sum(axis=3) + np.exp(sink - safe)
    weights = np.exp(masked - safe[..., None]) / np.where(row_sum > 0, row_sum, 1)[..., None]
    with np.errstate(divide="ignore"):
        lse = row_max + np.log(row_sum)
    return {"scores": scores, "masked_scores": masked, "row_max": row_max, "row_sum": row_sum, "weights": weights,
            "output": weights @ v, "lse": lse}


def numbers(seed, *shape):
    return np.random.default_rng(seed).uniform(-4, 4, shape)


def case(name, q, k, v, options=None, **tensors):
    options = options or {}
    tensors = {key: np.asarray(value) for key, value in tensors.items()}
    expected = attention(q, k, v, **options, **tensors)
    write(HERE / f"{name}.problem.safetensors", {"q": q, "k": k, "v": v, **tensors})
    write(HERE / f"{name}.expected.safetensors", expected, {key: str(value) for key, value in options.items()})


causal = {"causal": "bottom-right"}
case("mha_full", numbers(1, 1, 2, 3, 4), numbers(2, 1, 2, 5, 4), numbers(3, 1, 2, 5, 4))
case("gqa_causal", numbers(4, 2, 4, 3, 5), numbers(5, 2, 2, 6, 5), numbers(6, 2, 2, 6, 5), causal)
case("mqa_decode", numbers(7, 2, 4, 1, 3), numbers(8, 2, 1, 9, 3), numbers(9, 2, 1, 9, 7), causal,
     kv_lengths=np.array([9, 4]))
case("gqa_top_left", numbers(10, 1, 4, 3, 4), numbers(11, 1, 2, 5, 4), numbers(12, 1, 2, 5, 4), {"causal": "top-left"})
case("window_sinks", numbers(13, 1, 2, 9, 4), numbers(14, 1, 1, 9, 4), numbers(15, 1, 1, 9, 3),
     {**causal, "window": 3, "sinks": 2})
case("cap_bias_mask", numbers(16, 2, 2, 3, 4), numbers(17, 2, 1, 5, 4), numbers(18, 2, 1, 5, 4),
     {"softcap": 2.5, "scale": 0.3}, bias=np.where(numbers(19, 1, 2, 3, 5) < -2, -np.inf, numbers(20, 1, 2, 3, 5)),
     mask=numbers(21, 2, 1, 3, 5) < 1)
case("ragged_sink_logits", numbers(22, 3, 4, 2, 4), numbers(23, 3, 2, 5, 4), numbers(24, 3, 2, 5, 4), causal,
     kv_lengths=np.array([5, 0, 3]), query_lengths=np.array([2, 1, 2]), sink_logits=numbers(25, 4))
case("f16", numbers(26, 1, 4, 2, 37).astype(np.float16), numbers(27, 1, 2, 5, 37).astype(np.float16),
     numbers(28, 1, 2, 5, 3).astype(np.float16), causal)
