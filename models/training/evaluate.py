"""Held-out perplexity as the training framework computes it: JAX, float32, attention spelled out."""

import math
from functools import partial

import jax
import numpy as np

from . import decoder
from .tokenizer import EOS

AT_ONCE = 8


@partial(jax.jit, static_argnums=0)
def story_nlls(config, weights, ids):
    return decoder.negative_log_likelihood(config, weights, ids)


def held_out(config, weights, stories):
    """Facts for `headroom.training`: tokens predicted, mean nll, perplexity; every story starts at position 0."""
    weights = {name: np.asarray(weight, np.float32) for name, weight in weights.items()}
    longest = max(len(ids) for ids in stories)
    padded = np.full((len(stories), longest), EOS, np.int32)
    for row, ids in zip(padded, stories):
        row[: len(ids)] = ids
    total, count = 0.0, 0
    for first in range(0, len(stories), AT_ONCE):
        nlls = np.asarray(story_nlls(config, weights, padded[first : first + AT_ONCE]), np.float64)
        for row, ids in zip(nlls, stories[first : first + AT_ONCE]):
            total += row[: len(ids) - 1].sum()
            count += len(ids) - 1
    return {"heldout_tokens": count, "heldout_nll": total / count, "heldout_perplexity": math.exp(total / count)}
