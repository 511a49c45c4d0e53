#!/usr/bin/env python3
"""Checks a kernel of one's own: `headroom verify` judges what it gave, by the precision of its inputs.

The kernel here is an online softmax in float32, tile by tile. With the word `tiled`, it takes the wrong KV heads.

    python3 tutorials/python/numpy_kernel.py build/release/headroom
    python3 tutorials/python/numpy_kernel.py build/release/headroom tiled      # exit code 1
"""
import shutil
import subprocess
import sys
import tempfile

try:
    import numpy as np
except ImportError as missing:
    print(f"{missing}: python3 -m pip install numpy installs it", file=sys.stderr)
    sys.exit(2)

try:
    from safetensors.numpy import save_file
except ImportError:
    from safetensors_file import save_file


def kernel(q, k, v, tile=64):
    """One query per head: q [B, H, 1, D], k and v [B, H, S, D]. Never holds more than a tile of scores."""
    largest = np.full(q.shape[:3] + (1,), -np.inf, np.float32)
    total, output = np.zeros_like(largest), np.zeros_like(q)
    for j in range(0, k.shape[2], tile):
        scores = q @ k[:, :, j:j + tile].swapaxes(2, 3) * np.float32(q.shape[3] ** -0.5)
        before, largest = largest, np.maximum(largest, scores.max(axis=3, keepdims=True))
        weights, shrink = np.exp(scores - largest), np.exp(before - largest)
        total = total * shrink + weights.sum(axis=3, keepdims=True)
        output = output * shrink + weights @ v[:, :, j:j + tile]
    return output / total, (largest + np.log(total))[..., 0]


headroom = sys.argv[1] if len(sys.argv) > 1 else "headroom"
if shutil.which(headroom) is None:
    print(f"there is no program {headroom}: build it, and name it in the command", file=sys.stderr)
    sys.exit(2)
B, H, Hkv, S, D = 2, 8, 2, 300, 64
random = np.random.default_rng(0)
q, k, v = (random.uniform(-4, 4, shape).astype(np.float32) for shape in ((B, H, 1, D), (B, Hkv, S, D), (B, Hkv, S, D)))

if "tiled" in sys.argv:
    output, lse = kernel(q, np.tile(k, (1, H // Hkv, 1, 1)), np.tile(v, (1, H // Hkv, 1, 1)))
else:
    output, lse = kernel(q, np.repeat(k, H // Hkv, axis=1), np.repeat(v, H // Hkv, axis=1))

with tempfile.TemporaryDirectory() as folder:
    problem, outputs = f"{folder}/problem.safetensors", f"{folder}/outputs.safetensors"
    save_file({"q": q, "k": k, "v": v}, problem)
    save_file({"output": output, "lse": lse}, outputs)
    sys.exit(subprocess.run([headroom, "verify", "--problem", problem, "--outputs", outputs, "--causal"]).returncode)
