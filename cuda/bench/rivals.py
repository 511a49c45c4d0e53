"""PyTorch's scaled_dot_product_attention on the shapes of gpu_bench, timed the same way: one JSON object on stdout.

    gpu_bench shapes | python3 rivals.py [--seconds 60]     begins no further shape after so long

Backends: flash, cudnn, efficient, and math for what none of them takes. `folded` puts the query heads of a group into the
query length of their KV head: one causal-free call with as many heads as KV heads, the strongest form of decode.
Shapes in 8 bits are left out: SDPA has no such cache.
"""
import argparse
import json
import statistics
import sys
import time


def median_us(torch, launches, call):
    begin, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))
    times = []
    for sample in range(3 + 15):
        begin.record()
        for n in range(launches):
            call(n)
        end.record()
        end.synchronize()
        if sample >= 3:
            times.append(1000 * begin.elapsed_time(end) / launches)
    return statistics.median(times)


def variants(torch, F, backends, shape):
    """Yields (name, call(n)) for every way in which SDPA can compute the shape."""
    B, H, Hkv, L, S, D = (shape[x] for x in ("B", "H", "Hkv", "L", "S", "D"))
    dtype = {"f16": torch.float16, "bf16": torch.bfloat16}[shape["type"]]
    copies = max(1, min(64, -(-(1200 << 20) // (4 * B * Hkv * S * D))))
    make = lambda *size: torch.rand(*size, device="cuda", dtype=dtype) - 0.5
    q = make(B, H, L, D)
    kv = [(make(B, Hkv, S, D), make(B, Hkv, S, D)) for _ in range(copies)]
    causal = bool(shape["causal"]) and L == S  # SDPA's is_causal is top-left: right only where L == S, or L == 1
    if shape["causal"] and 1 < L < S:
        return
    for name, backend in backends:
        def plain(n):
            k, v = kv[n % copies]
            with torch.nn.attention.sdpa_kernel(backend):
                return F.scaled_dot_product_attention(q, k, v, is_causal=causal, enable_gqa=H != Hkv)

        yield name, copies, plain
        if L == 1 and H != Hkv:
            folded_q = q.view(B, Hkv, H // Hkv, D)

            def folded(n):
                k, v = kv[n % copies]
                with torch.nn.attention.sdpa_kernel(backend):
                    return F.scaled_dot_product_attention(folded_q, k, v)

            yield name + ", folded", copies, folded


def main(seconds):
    begin = time.monotonic()
    shapes = json.load(sys.stdin)
    try:
        import torch
        import torch.nn.functional as F
    except ImportError:
        return {"skipped": "PyTorch is not installed"}
    if not torch.cuda.is_available():
        return {"skipped": f"PyTorch {torch.__version__} sees no GPU"}
    from torch.nn.attention import SDPBackend

    backends = [("flash", SDPBackend.FLASH_ATTENTION), ("cudnn", SDPBackend.CUDNN_ATTENTION),
                ("efficient", SDPBackend.EFFICIENT_ATTENTION), ("math", SDPBackend.MATH)]
    rows, left_out = [], []
    for shape in shapes["decode"] + shapes["prefill"]:
        if shape["type"] not in ("f16", "bf16"):
            continue
        if time.monotonic() - begin > seconds:
            left_out.append({"shape": shape["shape"], "reason": "out of time"})
            continue
        for name, copies, call in variants(torch, F, backends, shape):
            row = {"impl": "sdpa " + name, **shape}
            try:
                call(0)
                us = median_us(torch, max(8, copies) if shape["L"] == 1 else 2, call)
                row.update(us=us, tb_per_s=shape["bytes"] / us / 1e6, tflop_per_s=shape["flop"] / us / 1e6)
            except RuntimeError as refusal:  # the backend does not take the shape, or memory is too small
                row["failed"] = str(refusal).splitlines()[0]
                torch.cuda.empty_cache()
            rows.append(row)
    return {"torch": torch.__version__, "gpu": torch.cuda.get_device_name(), "rows": rows, "left_out": left_out}


parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
parser.add_argument("--seconds", type=float, default=60)
print(json.dumps(main(parser.parse_args().seconds), indent=1))
