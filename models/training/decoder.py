"""The decoder in JAX, as it is trained: RMSNorm, RoPE on neighbouring pairs, shared KV heads, SwiGLU."""

import jax
import jax.numpy as jnp
import numpy as np

from .attention import plain

# Sizes of the first weights: the embedding, the last norm, and how strongly a head adds what it looks at.
EMBEDDING, LAST_NORM, COPYING = 0.5, 0.2, 0.5


def initial_weights(config, seed):
    """Normal weights, arranged so that heads soon learn where to look.

    The embedding is large and the last norm small: every layer still sees which token stands where, and the first logits
    are near zero. The output projection of a head starts as its value projection transposed, so that it copies what it
    looks at, and looking at the right token pays at once (after the mimetic initialisation of Trockman and Kolter 2023)."""
    random = np.random.default_rng(seed)
    weights = {}
    for name, shape in config.shapes().items():
        if len(shape) == 1:
            weights[name] = np.full(shape, LAST_NORM if name == "model.norm.weight" else 1.0, np.float32)
            continue
        scale = EMBEDDING if "embed" in name else shape[1] ** -0.5
        if "down_proj" in name:
            scale /= (2 * config.layers) ** 0.5
        weights[name] = (scale * random.standard_normal(shape)).astype(np.float32)
        if "o_proj" in name:
            values = weights[name.replace("o_proj", "v_proj")].reshape(config.kv_heads, config.head_dim, config.width)
            copies = np.repeat(values, config.group_size, 0).reshape(-1, config.width).T
            weights[name] = (COPYING / config.group_size * copies).astype(np.float32)
    return weights


def rms_norm(x, weight, epsilon):
    return x * jax.lax.rsqrt(jnp.mean(x * x, -1, keepdims=True) + epsilon) * weight


def rotation(config, length):
    """cosine and sine [length, 1, D/2] of position / base^(2i/D)."""
    speeds = config.rope_base ** (-np.arange(0, config.head_dim, 2) / config.head_dim)
    angles = np.outer(np.arange(length), speeds)[:, None, :]
    return np.cos(angles).astype(np.float32), np.sin(angles).astype(np.float32)


def rotate(x, cosine, sine):
    """x [B, L, heads, D]: the pair (2i, 2i+1) turns."""
    even, odd = x[..., 0::2], x[..., 1::2]
    return jnp.stack((even * cosine - odd * sine, even * sine + odd * cosine), -1).reshape(x.shape)


def one_hot(config, ids):
    return (ids[..., None] == np.arange(config.vocabulary)).astype(np.float32)


def logits(config, weights, ids, attention=plain):
    """ids [B, L] -> logits [B, L, vocabulary]; in between all tokens stand in one matrix [B·L, width]."""
    B, L = ids.shape
    cosine, sine = rotation(config, L)
    embedding = weights["model.embed_tokens.weight"]
    x = one_hot(config, ids.reshape(-1)) @ embedding  # a product: its gradient is far cheaper than a scatter
    for layer in range(config.layers):
        def w(name):
            return weights[f"model.layers.{layer}.{name}.weight"]

        y = rms_norm(x, w("input_layernorm"), config.norm_epsilon)
        q = (y @ w("self_attn.q_proj").T).reshape(B, L, config.q_heads, config.head_dim)
        k = (y @ w("self_attn.k_proj").T).reshape(B, L, config.kv_heads, config.head_dim)
        v = (y @ w("self_attn.v_proj").T).reshape(B, L, config.kv_heads, config.head_dim)
        y = attention(rotate(q, cosine, sine), rotate(k, cosine, sine), v)
        x = x + y.reshape(B * L, -1) @ w("self_attn.o_proj").T

        y = rms_norm(x, w("post_attention_layernorm"), config.norm_epsilon)
        x = x + (jax.nn.silu(y @ w("mlp.gate_proj").T) * (y @ w("mlp.up_proj").T)) @ w("mlp.down_proj").T
    y = rms_norm(x, weights["model.norm.weight"], config.norm_epsilon) @ embedding.T
    return y.reshape(B, L, -1)


def negative_log_likelihood(config, weights, ids, attention=plain):
    """ids [B, L+1] -> nll [B, L] of each id after the first, given those before it."""
    scores = logits(config, weights, ids[:, :-1], attention)
    right = (scores * one_hot(config, ids[:, 1:])).sum(-1)
    return jax.nn.logsumexp(scores, -1) - right
