"""Training losses as one SVG picture, drawn by hand so that nothing needs to be installed."""

import math

WIDTH, HEIGHT, LEFT, RIGHT, TOP, BOTTOM = 720, 400, 56, 90, 36, 44
COLOURS = {"mha": "#1b6ca8", "gqa4": "#2a9d5c", "gqa2": "#d98a00", "mqa": "#c0392b"}


def smooth(values, span=15):
    """The mean of the `span` values around each one."""
    half = span // 2
    return [sum(near) / len(near) for near in (values[max(0, i - half) : i + half + 1] for i in range(len(values)))]


def draw(losses, path):
    """losses: model name -> one list of training nll per step and seed; a logarithmic scale from 0.3 to 6."""
    steps = max(len(run) for runs in losses.values() for run in runs)
    low, high = math.log(0.3), math.log(6.5)

    def x(step):
        return LEFT + (WIDTH - LEFT - RIGHT) * step / steps

    def y(nll):
        return TOP + (HEIGHT - TOP - BOTTOM) * (high - math.log(nll)) / (high - low)

    parts = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" font-family="sans-serif" font-size="13">',
             f'<rect width="{WIDTH}" height="{HEIGHT}" fill="white"/>',
             f'<text x="{LEFT}" y="20" font-size="15">Training loss: nll per token, mean of 15 steps, one line per seed</text>']
    for nll in (0.3, 0.5, 1, 2, 4, 6):
        parts.append(f'<path d="M{LEFT} {y(nll):.1f}H{WIDTH - RIGHT}" stroke="#ddd"/>')
        parts.append(f'<text x="{LEFT - 8}" y="{y(nll) + 4:.1f}" text-anchor="end">{nll}</text>')
    for step in range(0, steps + 1, 500):
        parts.append(f'<text x="{x(step):.1f}" y="{HEIGHT - BOTTOM + 18}" text-anchor="middle">{step}</text>')
    parts.append(f'<text x="{x(steps / 2):.1f}" y="{HEIGHT - 8}" text-anchor="middle">step</text>')
    for row, (name, runs) in enumerate(losses.items()):
        for run in runs:
            points = " ".join(f"{x(i + 1):.1f},{y(nll):.1f}" for i, nll in enumerate(smooth(run)) if i % 2 == 0)
            parts.append(f'<polyline points="{points}" fill="none" stroke="{COLOURS[name]}" stroke-width="1.4"/>')
        height = TOP + 20 + 20 * row
        parts.append(f'<path d="M{WIDTH - RIGHT + 12} {height - 4}h20" stroke="{COLOURS[name]}" stroke-width="3"/>')
        parts.append(f'<text x="{WIDTH - RIGHT + 38}" y="{height}">{name}</text>')
    path.write_text("\n".join(parts + ["</svg>"]) + "\n")
