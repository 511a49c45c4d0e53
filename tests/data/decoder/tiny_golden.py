#!/usr/bin/env python3
"""Golden numbers for tests/decoder: a tiny Llama-style decoder with seeded random weights, in plain Python doubles.

Shares no code with the project: the generator (SplitMix64), the model and the search for the likeliest token are
written out again here. Writes tiny_golden.json beside itself.
"""
import json
import math
import os
import struct

WIDTH, LAYERS, Q_HEADS, KV_HEADS, HEAD_DIM, HIDDEN, VOCABULARY, MAX_LENGTH = 16, 2, 4, 2, 4, 24, 40, 64
BASE, EPSILON, SEED = 10000.0, 1e-5, 7


class SplitMix64:
    def __init__(self, seed):
        self.state = seed

    def bits(self):
        mask = (1 << 64) - 1
        self.state = (self.state + 0x9E3779B97F4A7C15) & mask
        z = self.state
        z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & mask
        z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & mask
        return z ^ (z >> 31)

    def normal(self):
        return sum(((self.bits() >> 11) * 2.0**-53 for _ in range(12)), -6.0)


def f32(x):
    return struct.unpack("f", struct.pack("f", x))[0]


def weights():
    random = SplitMix64(SEED)

    def matrix(rows, columns):
        scale = 1 / math.sqrt(columns)
        return [[f32(random.normal() * scale) for _ in range(columns)] for _ in range(rows)]

    embedding = matrix(VOCABULARY, WIDTH)
    layers = []
    for _ in range(LAYERS):  # the order of a llama2.c file; norms are all ones and take no random numbers
        layers.append({
            "q": matrix(Q_HEADS * HEAD_DIM, WIDTH), "k": matrix(KV_HEADS * HEAD_DIM, WIDTH),
            "v": matrix(KV_HEADS * HEAD_DIM, WIDTH), "o": matrix(WIDTH, Q_HEADS * HEAD_DIM),
            "gate": matrix(HIDDEN, WIDTH), "down": matrix(WIDTH, HIDDEN), "up": matrix(HIDDEN, WIDTH)})
    return embedding, layers, matrix(VOCABULARY, WIDTH)


def apply(matrix, x):
    return [math.fsum(a * b for a, b in zip(row, x)) for row in matrix]


def norm(x):
    scale = 1 / math.sqrt(sum(a * a for a in x) / len(x) + EPSILON)
    return [a * scale for a in x]


def rope(x, position):
    out = list(x)
    for at in range(0, len(x), 2):
        angle = position * BASE ** (-(at % HEAD_DIM) / HEAD_DIM)
        out[at] = x[at] * math.cos(angle) - x[at + 1] * math.sin(angle)
        out[at + 1] = x[at] * math.sin(angle) + x[at + 1] * math.cos(angle)
    return out


def logits(model, tokens):
    """The logits behind every token, everything recomputed."""
    embedding, layers, classifier = model
    stream = [list(embedding[token]) for token in tokens]
    for layer in layers:
        normed = [norm(x) for x in stream]
        q = [rope(apply(layer["q"], x), p) for p, x in enumerate(normed)]
        k = [[f32(a) for a in rope(apply(layer["k"], x), p)] for p, x in enumerate(normed)]  # stored as f32
        v = [[f32(a) for a in apply(layer["v"], x)] for x in normed]
        for i, x in enumerate(stream):
            heads = []
            for h in range(Q_HEADS):
                mine = slice(h * HEAD_DIM, (h + 1) * HEAD_DIM)
                kv = h // (Q_HEADS // KV_HEADS)
                shared = slice(kv * HEAD_DIM, (kv + 1) * HEAD_DIM)
                scores = [sum(a * b for a, b in zip(q[i][mine], k[j][shared])) / math.sqrt(HEAD_DIM)
                          for j in range(i + 1)]
                powers = [math.exp(s - max(scores)) for s in scores]
                heads += [sum(w * v[j][shared][d] for j, w in enumerate(powers)) / sum(powers)
                          for d in range(HEAD_DIM)]
            x[:] = [a + b for a, b in zip(x, apply(layer["o"], heads))]
        for x in stream:
            y = norm(x)
            gated = [g / (1 + math.exp(-g)) * u for g, u in zip(apply(layer["gate"], y), apply(layer["up"], y))]
            x[:] = [a + b for a, b in zip(x, apply(layer["down"], gated))]
    return [apply(classifier, norm(x)) for x in stream]


def main():
    model = weights()
    sentence = [1, 5, 39, 8, 17, 22, 3, 3, 30, 11, 12]
    rows = logits(model, sentence)
    nll = 0.0
    for row, token in zip(rows, sentence[1:]):
        nll -= row[token] - max(row) - math.log(sum(math.exp(a - max(row)) for a in row))
    greedy = [1]
    while len(greedy) < 33:
        row = logits(model, greedy)[-1]
        greedy.append(row.index(max(row)))
    golden = {"sentence": sentence, "nll": nll, "last_logits": rows[-1], "greedy": greedy}
    path = os.path.join(os.path.dirname(os.path.abspath(__file__)), "tiny_golden.json")
    with open(path, "w") as file:
        json.dump(golden, file, indent=1)
        file.write("\n")


if __name__ == "__main__":
    main()
