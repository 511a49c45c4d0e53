#!/usr/bin/env python3
"""Checks PyTorch's own attention, on the GPU where there is one: `headroom verify` judges it by the precision of its inputs.

    python3 tutorials/python/torch_kernel.py build/release/headroom
"""
import shutil
import subprocess
import sys
import tempfile

try:
    import torch
    from safetensors.torch import save_file
    from torch.nn.functional import scaled_dot_product_attention
except ImportError as missing:
    print(f"{missing}: python3 -m pip install torch safetensors installs it", file=sys.stderr)
    sys.exit(2)

headroom = sys.argv[1] if len(sys.argv) > 1 else "headroom"
if shutil.which(headroom) is None:
    print(f"there is no program {headroom}: build it, and name it in the command", file=sys.stderr)
    sys.exit(2)
device = "cuda" if torch.cuda.is_available() else "cpu"
B, H, Hkv, S, D = 2, 8, 2, 300, 64
torch.manual_seed(0)
q, k, v = ((8 * torch.rand(shape, device=device) - 4).to(torch.bfloat16)
           for shape in ((B, H, S, D), (B, Hkv, S, D), (B, Hkv, S, D)))

# The kernel under test: put yours here. Query head h reads KV head h // (H // Hkv): repeat_interleave, not repeat.
k_all, v_all = (x.repeat_interleave(H // Hkv, dim=1) for x in (k, v))
output = scaled_dot_product_attention(q, k_all, v_all, is_causal=True)

with tempfile.TemporaryDirectory() as folder:
    problem, outputs = f"{folder}/problem.safetensors", f"{folder}/outputs.safetensors"
    save_file({"q": q.cpu(), "k": k.cpu(), "v": v.cpu()}, problem)
    save_file({"output": output.cpu().contiguous()}, outputs)
    sys.exit(subprocess.run([headroom, "verify", "--problem", problem, "--outputs", outputs, "--causal"]).returncode)
