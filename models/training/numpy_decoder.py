"""The decoder once more, in NumPy and double precision, sharing no line with the one that is trained."""

import numpy as np


def rms_norm(x, weight, epsilon):
    return x / np.sqrt((x * x).mean(1, keepdims=True) + epsilon) * weight


def rotate(head, base):
    """head [L, D], row p at position p: components 2i and 2i+1 as one complex number, turned by p / base^(2i/D)."""
    L, D = head.shape
    angles = np.arange(L)[:, None] * base ** (-np.arange(0, D, 2) / D)
    turned = (head[:, 0::2] + 1j * head[:, 1::2]) * np.exp(1j * angles)
    return np.stack([turned.real, turned.imag], 2).reshape(L, D)


def softmax(scores):
    weights = np.exp(scores - scores.max(1, keepdims=True))
    return weights / weights.sum(1, keepdims=True)


def logits(config, weights, ids):
    """ids [L] -> logits [L, vocabulary], everything computed anew."""
    L, D = len(ids), config.head_dim
    hidden_keys = np.triu(np.full((L, L), -np.inf), 1)
    x = weights["model.embed_tokens.weight"][ids]
    for layer in range(config.layers):
        def w(name):
            return weights[f"model.layers.{layer}.{name}.weight"]

        y = rms_norm(x, w("input_layernorm"), config.norm_epsilon)
        q, k, v = (y @ w(f"self_attn.{name}_proj").T for name in "qkv")
        heads = []
        for h in range(config.q_heads):
            hkv = h // config.group_size
            Q = rotate(q[:, h * D : (h + 1) * D], config.rope_base)
            K = rotate(k[:, hkv * D : (hkv + 1) * D], config.rope_base)
            V = v[:, hkv * D : (hkv + 1) * D]
            heads.append(softmax(Q @ K.T / np.sqrt(D) + hidden_keys) @ V)
        x = x + np.concatenate(heads, 1) @ w("self_attn.o_proj").T

        y = rms_norm(x, w("post_attention_layernorm"), config.norm_epsilon)
        gate = y @ w("mlp.gate_proj").T
        x = x + (gate / (1 + np.exp(-gate)) * (y @ w("mlp.up_proj").T)) @ w("mlp.down_proj").T
    return rms_norm(x, weights["model.norm.weight"], config.norm_epsilon) @ weights["model.embed_tokens.weight"].T


def greedy(config, weights, prompt, count, stop=None):
    """(the next `count` ids, the smallest lead of a chosen logit over the second best)."""
    ids, lead = list(prompt), np.inf
    while len(ids) < len(prompt) + count and ids[-1] != stop:
        scores = logits(config, weights, ids)[-1]
        second, best = np.sort(scores)[-2:]
        lead = min(lead, best - second)
        ids.append(int(np.argmax(scores)))
    return ids[len(prompt) :], float(lead)


def story_nll(config, weights, ids):
    """Sum over all ids after the first of −log p(id | those before it)."""
    scores = logits(config, weights, ids[:-1])
    row_max = scores.max(1)
    lse = row_max + np.log(np.exp(scores - row_max[:, None]).sum(1))
    return float((lse - scores[np.arange(len(ids) - 1), ids[1:]]).sum())
