"""The held-out stories as the training framework sees them: JAX, float32, attention spelled out."""

import math
from functools import partial

import jax
import jax.numpy as jnp
import numpy as np

from . import corpus, decoder
from .tokenizer import EOS

AT_ONCE = 8


@partial(jax.jit, static_argnums=0)
def predictions(config, weights, ids):
    """nll of every id after the first, and whether it was the most probable one: both [B, L]."""
    scores = decoder.logits(config, weights, ids[:, :-1])
    right = jnp.take_along_axis(scores, ids[:, 1:, None], -1)[..., 0]
    return jax.nn.logsumexp(scores, -1) - right, right >= scores.max(-1)


def held_out(config, weights, tokenizer, lines):
    """Facts for `headroom.training`; every story starts at position 0.

    heldout_tokens (predicted ids), heldout_nll (mean per id), heldout_perplexity, and heldout_recall: of the names that
    the story has told before, the share whose first token is guessed right."""
    weights = {name: np.asarray(weight, np.float32) for name, weight in weights.items()}
    stories = [corpus.story_ids(tokenizer, line) for line in lines]
    recalls = [corpus.names_told_before(tokenizer, line) for line in lines]
    padded = np.full((len(stories), max(map(len, stories))), EOS, np.int32)
    for row, ids in zip(padded, stories):
        row[: len(ids)] = ids

    nlls, hits = [], []
    for first in range(0, len(stories), AT_ONCE):
        nll, best = map(np.asarray, predictions(config, weights, padded[first : first + AT_ONCE]))
        for story, row in enumerate(range(first, min(first + AT_ONCE, len(stories)))):
            nlls.append(nll[story, : len(stories[row]) - 1].astype(np.float64))
            hits.append(best[story, np.array(recalls[row]) - 1])
    mean = float(np.concatenate(nlls).mean())
    return {"heldout_tokens": sum(map(len, nlls)), "heldout_nll": mean, "heldout_perplexity": math.exp(mean),
            "heldout_recall": float(np.concatenate(hits).mean())}
