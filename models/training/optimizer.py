"""Muon for the matrices, Adam for the embedding and the norms: few steps to a good model.

Muon (Jordan 2024) takes the momentum of a matrix and replaces its singular values by ones, so that one step moves
every direction equally far.
"""

import jax
import jax.numpy as jnp

MUON_RATE, ADAM_RATE = 0.01, 0.005
MOMENTUM, BETA1, BETA2 = 0.95, 0.9, 0.98


def is_matrix(name):
    return "proj" in name


def initial_state(weights):
    zeros = {name: jnp.zeros_like(weight) for name, weight in weights.items()}
    squares = {name: zero for name, zero in zeros.items() if not is_matrix(name)}
    return {"mean": zeros, "square": squares}


def orthogonal(matrix):
    """The nearest matrix with singular values near one: five steps of a quintic Newton–Schulz iteration."""
    wide = matrix.shape[0] <= matrix.shape[1]
    x = matrix if wide else matrix.T
    x = x / (jnp.linalg.norm(x) + 1e-7)
    for _ in range(5):
        square = x @ x.T
        x = 3.4445 * x + (-4.7750 * square + 2.0315 * square @ square) @ x
    return x if wide else x.T


def update(weights, gradients, state, step, rate):
    """Weights and state after step 1, 2, …; `rate` in 0 … 1 is the schedule."""
    mean, square, moved = {}, {}, {}
    for name, weight in weights.items():
        gradient = gradients[name]
        if is_matrix(name):
            mean[name] = MOMENTUM * state["mean"][name] + gradient
            direction = orthogonal(gradient + MOMENTUM * mean[name])
            rows, columns = weight.shape
            moved[name] = weight - rate * MUON_RATE * max(1.0, rows / columns) ** 0.5 * direction
        else:
            mean[name] = BETA1 * state["mean"][name] + (1 - BETA1) * gradient
            square[name] = BETA2 * state["square"][name] + (1 - BETA2) * gradient**2
            direction = mean[name] / (1 - BETA1**step) / (jnp.sqrt(square[name] / (1 - BETA2**step)) + 1e-8)
            moved[name] = weight - rate * ADAM_RATE * direction
    return moved, {"mean": mean, "square": square}
