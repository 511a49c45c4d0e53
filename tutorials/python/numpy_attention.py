#!/usr/bin/env python3
"""Attention in NumPy against the reference: writes a problem file, lets `headroom attend` solve it, reads every stage.

    python3 tutorials/python/numpy_attention.py build/release/headroom
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
    from safetensors.numpy import load_file, save_file
except ImportError:
    from safetensors_file import load_file, save_file

headroom = sys.argv[1] if len(sys.argv) > 1 else "headroom"
if shutil.which(headroom) is None:
    print(f"there is no program {headroom}: build it, and name it in the command", file=sys.stderr)
    sys.exit(2)
B, H, Hkv, L, S, D = 2, 8, 2, 3, 20, 16
random = np.random.default_rng(0)
q = random.uniform(-4, 4, (B, H, L, D))
k = random.uniform(-4, 4, (B, Hkv, S, D))
v = random.uniform(-4, 4, (B, Hkv, S, D))

# Headroom's answer: f64 in, f64 out.
with tempfile.TemporaryDirectory() as folder:
    problem, result = f"{folder}/problem.safetensors", f"{folder}/result.safetensors"
    save_file({"q": q, "k": k, "v": v}, problem)
    subprocess.run([headroom, "attend", problem, "-o", result, "--causal", "--stages"], check=True)
    theirs = load_file(result)

# Ours: query head h reads KV head h // (H // Hkv), which is what repeat does, and tile does not.
k_all, v_all = (np.repeat(x, H // Hkv, axis=1) for x in (k, v))  # [B, H, S, D]
scores = q @ k_all.swapaxes(2, 3) / np.sqrt(D)  # [B, H, L, S]
visible = np.arange(S) <= np.arange(L)[:, None] + S - L  # the last query stands at the last key
masked_scores = np.where(visible, scores, -np.inf)
row_max = masked_scores.max(axis=3)
weights = np.exp(masked_scores - row_max[..., None])
row_sum = weights.sum(axis=3)
weights /= row_sum[..., None]
output = weights @ v_all  # [B, H, L, D]
lse = row_max + np.log(row_sum)

# The first stage that differs is where to look.
for name in ("scores", "masked_scores", "row_max", "row_sum", "weights", "output", "lse"):
    ours = globals()[name]
    same = np.allclose(ours, theirs[name], rtol=0, atol=1e-12)  # nan is near nothing
    print(f"{name:13} {list(ours.shape)} {'agrees to 12 digits' if same else 'DIFFERS'}")
    if not same:
        sys.exit(1)
