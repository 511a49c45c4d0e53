"""The decoder in JAX, as it is trained: RMSNorm, RoPE on neighbouring pairs, shared KV heads, SwiGLU."""

import jax
import jax.numpy as jnp
import numpy as np


def initial_weights(config, seed):
    """Normal weights; the two projections that write into the residual stream start smaller."""
    random = np.random.default_rng(seed)
    weights = {}
    for name, shape in config.shapes().items():
        if len(shape) == 1:
            weights[name] = np.ones(shape, np.float32)
            continue
        scale = 0.02 if "embed" in name else shape[1] ** -0.5
        if "o_proj" in name or "down_proj" in name:
            scale /= (2 * config.layers) ** 0.5
        weights[name] = (scale * random.standard_normal(shape)).astype(np.float32)
    return weights


def rms_norm(x, weight, epsilon):
    return x * jax.lax.rsqrt(jnp.mean(x * x, -1, keepdims=True) + epsilon) * weight


def rotate(x, cosine, sine):
    """x [B, L, heads, D]: the pair (2i, 2i+1) of the token at position p turns by p / base^(2i/D)."""
    even, odd = x[..., 0::2], x[..., 1::2]
    turned = (even * cosine - odd * sine, even * sine + odd * cosine)
    return jnp.stack(turned, -1).reshape(x.shape)
