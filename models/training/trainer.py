"""One training run: seeded, resumable, with a progress bar."""

import os
import pickle

import jax
import numpy as np
from tqdm import tqdm

from . import attention, decoder, optimizer

SAVE_EVERY = 50


def schedule(step, steps, warm_up):
    """Up in a straight line, flat, and down to zero over the last two fifths."""
    return min(1.0, step / max(1, warm_up), 2.5 * (1 - (step - 1) / steps))


def batches(rows, at_once, seed):
    """[steps, at_once, length + 1] ids: the rows in the order of this seed."""
    order = np.random.default_rng([seed, 1]).permutation(len(rows))
    return rows[order].reshape(-1, at_once, rows.shape[1])


def compile_step(config):
    def loss(weights, ids):
        return decoder.negative_log_likelihood(config, weights, ids, attention.fast).mean()

    @jax.jit
    def step(weights, state, ids, number, rate):
        nll, gradients = jax.value_and_grad(loss)(weights, ids)
        weights, state = optimizer.update(weights, gradients, state, number, rate)
        return weights, state, nll

    return step


def train(config, weights, lessons, peak, warm_up, state_path, title):
    """(weights, training nll per step). `lessons` is what to learn, one after the other: arrays of batches, a step for each batch.

    An interrupted run goes on from `state_path`."""
    attention.load_kernel()
    step = compile_step(config)
    state, losses = optimizer.initial_state(weights), []
    if state_path.exists():
        weights, state, losses = pickle.loads(state_path.read_bytes())
    batches = [batch for lesson in lessons for batch in lesson]
    steps = len(batches)

    def save():
        new = state_path.with_suffix(".new")
        new.write_bytes(pickle.dumps(jax.device_get((weights, state, losses))))
        os.replace(new, state_path)

    with tqdm(total=steps, initial=len(losses), desc=title, mininterval=2) as bar:
        while len(losses) < steps:
            number = len(losses) + 1
            rate = peak * schedule(number, steps, warm_up)
            weights, state, nll = step(weights, state, batches[number - 1], float(number), rate)
            losses.append(float(nll))
            bar.set_postfix(nll=f"{np.mean(losses[-20:]):.4f}", refresh=False)
            bar.update()
            if number % SAVE_EVERY == 0 or number == steps:
                save()
    return {name: np.asarray(weight) for name, weight in weights.items()}, losses
