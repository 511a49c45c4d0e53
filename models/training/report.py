"""What the README says about the results, written from the results of all runs."""

from statistics import mean

from .config import POOLED, TRAINED

BEGIN, END = "<!-- table: written by train.py report -->", "<!-- end of table -->"


def configuration(name):
    base = name.partition("-")[0]
    return TRAINED[base] if name == base else POOLED[base]


def row(name, runs, size):
    """One model: what it is, perplexity per seed (seed 1 is the file that ships), mean and half the range."""
    config = configuration(name)
    value, spread = spread_of(runs)
    recall = mean(run["heldout_recall"] for run in runs)
    seeds = ", ".join(f"{run['heldout_perplexity']:.4f}" for run in runs)
    return (f"| `{name}` | {config.kv_heads} | {config.hidden} | {config.parameters():,} | {config.cache_bytes_per_token()} | "
            f"{value:.3f} ± {spread:.3f} | {seeds} | {recall:.1%} | {size:,} |")


def table(results, sizes):
    """results: name -> training facts of each seed; sizes: name -> bytes of the file."""
    lines = ["| model | KV heads | feed-forward | parameters | cache bytes per token (f16) | held-out perplexity | per seed (the first ships) | names recalled | file bytes |",
             "|---|--:|--:|--:|--:|--:|--:|--:|--:|"]
    return "\n".join(lines + [row(name, runs, sizes[name]) for name, runs in results.items()])


def spread_of(runs):
    perplexities = [run["heldout_perplexity"] for run in runs]
    return mean(perplexities), (max(perplexities) - min(perplexities)) / 2


def verdicts(results):
    """A sentence for every model: is its distance from `mha` more than the seeds alone would make?"""
    reference, reference_spread = spread_of(results["mha"])
    lines = []
    for name, runs in results.items():
        if name == "mha":
            continue
        value, spread = spread_of(runs)
        apart, within = value - reference, spread + reference_spread
        words = "within the spread of the seeds, so nothing is shown" if abs(apart) <= within else "more than the spread of the seeds"
        lines.append(f"- `{name}` is {apart:+.3f} from `mha` ({within:.3f} by seeds alone): {words}.")
    return "\n".join(lines)


def samples(golden, names):
    """The first 100 tokens that each model writes, always taking the most probable one."""
    return "\n\n".join(f"`{name}`: {golden[name]['text']} …" for name in names)


def summary(results, sizes, golden):
    return (f"{table(results, sizes)}\n\nSpread: half the distance between the seeds. Distances in perplexity:\n\n{verdicts(results)}\n\n"
            f"{samples(golden, results)}")


def between_marks(text, new):
    """`text` with what stands between the two marks replaced."""
    before, _, rest = text.partition(BEGIN)
    _, _, after = rest.partition(END)
    return f"{before}{BEGIN}\n{new}\n{END}{after}"
