"""The README's table, written from the results of all runs."""

from statistics import mean

from .config import POOLED, TRAINED

BEGIN, END = "<!-- table: written by train.py report -->", "<!-- end of table -->"


def configuration(name):
    base = name.partition("-")[0]
    return TRAINED[base] if name == base else POOLED[base]


def row(name, runs, size):
    """One model: what it is, perplexity per seed (seed 1 is the file that ships), mean and half the range."""
    config = configuration(name)
    perplexities = [run["heldout_perplexity"] for run in runs]
    spread = (max(perplexities) - min(perplexities)) / 2
    recall = mean(run["heldout_recall"] for run in runs)
    seeds = ", ".join(f"{perplexity:.4f}" for perplexity in perplexities)
    return (f"| `{name}` | {config.kv_heads} | {config.hidden} | {config.parameters():,} | {config.cache_bytes_per_token()} | "
            f"{mean(perplexities):.3f} ± {spread:.3f} | {seeds} | {recall:.1%} | {size:,} |")


def table(results, sizes):
    """results: name -> training facts of each seed; sizes: name -> bytes of the file."""
    lines = ["| model | KV heads | feed-forward | parameters | cache bytes per token (f16) | held-out perplexity | per seed (the first ships) | names recalled | file bytes |",
             "|---|--:|--:|--:|--:|--:|--:|--:|--:|"]
    return "\n".join(lines + [row(name, runs, sizes[name]) for name, runs in results.items()])


def between_marks(text, new):
    """`text` with what stands between the two marks replaced."""
    before, _, rest = text.partition(BEGIN)
    _, _, after = rest.partition(END)
    return f"{before}{BEGIN}\n{new}\n{END}{after}"
