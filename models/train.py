"""Everything about the models from scratch: `python3 models/train.py all`.

    all              corpus, all models with all seeds, the files that ship, golden values, picture and table;
                     `--processes 2` trains two at a time
    corpus           tokenizer.bin and heldout.txt
    run NAME SEED    one training (mha, gqa4, gqa2, mqa), for running several at once; finished ones are kept
    ship             what needs no further training: files, golden values, picture and table
    report           the README's table, verdicts and samples again, from the files that ship

Runs in progress and finished runs lie in models/work, in a folder for each recipe; an interrupted command goes on where it stopped.
"""

import os

# One thread per process: several trainings side by side fill the cores better than one with threads.
os.environ.setdefault("OMP_NUM_THREADS", "1")
os.environ.setdefault("XLA_FLAGS", "--xla_cpu_multi_thread_eigen=false intra_op_parallelism_threads=1")

import argparse
import hashlib
import json
import sys
from concurrent.futures import ProcessPoolExecutor
from itertools import product
from multiprocessing import get_context
from pathlib import Path

try:
    import jax
    import numpy as np

    import golden
    from training import attention, checkpoint, corpus, decoder, evaluate, plot, plots, pooling, report, trainer
    from training.config import POOLED, TRAINED
    from training.tokenizer import Tokenizer
except ImportError as missing:
    print(f"{missing}: README.md beside this script says what the training needs", file=sys.stderr)
    sys.exit(2)

HERE = Path(__file__).parent
WORK = HERE / "work"
TOKENIZER, HELD_OUT = HERE / "tokenizer.bin", HERE / "heldout.txt"
RESULTS = HERE / "results.json"

SEEDS = (1, 2)
# First a short time on very short stories, from which looking back is learned at once; a step is about 1,000 tokens in both.
LESSON_STEPS, LESSON_LENGTH, LESSON_ROWS = 300, 128, 8
STEPS, LENGTH, ROWS = 2000, 512, 2
UPTRAINING_STEPS = (LESSON_STEPS + STEPS) // 20  # 5 %
UPTRAINING_PEAK = 0.3           # of the first training's rate
WARM_UP, UPTRAINING_WARM_UP = 30, 5

def recipe():
    """A fingerprint of everything that a run depends on: runs of another recipe are not mistaken for this one's."""
    text = repr((LESSON_STEPS, LESSON_LENGTH, LESSON_ROWS, STEPS, LENGTH, ROWS, UPTRAINING_STEPS, UPTRAINING_PEAK, WARM_UP, UPTRAINING_WARM_UP)).encode()
    for name in ("words", "plots", "stories", "tokenizer", "corpus", "config", "decoder", "optimizer", "trainer", "pooling"):
        text += (HERE / "training" / f"{name}.py").read_bytes()
    return hashlib.sha256(text).hexdigest()[:12]


RUNS = WORK / recipe()


def kept(name, make):
    """Rows that are made once and kept with the runs."""
    path = RUNS / f"{name}.npy"
    if not path.exists():
        new = path.with_suffix(f".{os.getpid()}.npy")
        np.save(new, make())
        os.replace(new, path)
    return np.load(path)


def first_lessons():
    return kept("lessons", lambda: corpus.rows(
        Tokenizer.load(TOKENIZER), LESSON_STEPS * LESSON_ROWS, LESSON_LENGTH, among=plots.FIRST_LESSONS))


def rows():
    """Rows for one training, and behind them fresh ones for the 5 % further training."""
    return kept("rows", lambda: corpus.rows(
        Tokenizer.load(TOKENIZER), (STEPS + UPTRAINING_STEPS) * ROWS, LENGTH, set(HELD_OUT.read_text().splitlines())))


def tokens_in(lessons):
    """What is predicted: each row's ids but the first."""
    return sum(int(np.prod(lesson[..., 1:].shape)) for lesson in lessons)


def finish(name, seed, config, weights, tokens, losses, origin):
    """Measure the weights as they will be stored (f16) and as they are, and keep the run in models/work."""
    held_out = Tokenizer.load(TOKENIZER), HELD_OUT.read_text().splitlines()
    stored = {key: np.asarray(weight).astype("<f2") for key, weight in weights.items()}
    training = {
        "name": name, "seed": seed, "origin": origin, "steps": len(losses), "tokens": tokens,
        "framework": f"jax {jax.__version__}", **evaluate.held_out(config, stored, *held_out),
        "heldout_nll_in_f32": evaluate.held_out(config, weights, *held_out)["heldout_nll"],
    }
    (RUNS / f"{name}-seed{seed}.losses.json").write_text(json.dumps(losses))
    checkpoint.write_model(RUNS / f"{name}-seed{seed}.safetensors", config, weights, training, "<f4")
    print(f"{name} seed {seed}: held-out perplexity {training['heldout_perplexity']:.4f}, "
          f"names recalled {training['heldout_recall']:.1%}", flush=True)


def run(name, seed):
    """One model from random weights, unless it is there already."""
    if (RUNS / f"{name}-seed{seed}.safetensors").exists():
        return
    config = TRAINED[name]
    lessons = [trainer.batches(first_lessons(), LESSON_ROWS, seed), trainer.batches(rows()[: STEPS * ROWS], ROWS, seed)]
    weights, losses = trainer.train(
        config, decoder.initial_weights(config, seed), lessons, 1.0, WARM_UP,
        RUNS / f"{name}-seed{seed}.state", f"{name} seed {seed}")
    finish(name, seed, config, weights, tokens_in(lessons), losses, "trained from random weights")


def derive(name, seed):
    """`NAME-pooled` and `NAME-uptrained` from the MHA model of the same seed."""
    if (RUNS / f"{name}-uptrained-seed{seed}.safetensors").exists():
        return
    mha, weights, _ = checkpoint.read_model(RUNS / f"mha-seed{seed}.safetensors", np.float32)
    config = POOLED[name]
    weights = pooling.pool(mha, config, weights)
    finish(f"{name}-pooled", seed, config, weights, 0, [], "mha with K and V heads averaged")
    lessons = [trainer.batches(rows()[STEPS * ROWS :], ROWS, seed)]
    weights, losses = trainer.train(
        config, weights, lessons, UPTRAINING_PEAK, UPTRAINING_WARM_UP,
        RUNS / f"{name}-uptrained-seed{seed}.state", f"{name}-uptrained seed {seed}")
    finish(f"{name}-uptrained", seed, config, weights, tokens_in(lessons), losses, f"{name}-pooled, trained further")


def ship():
    """Seed 1 of every model in f16, and everything that is said about all of them."""
    results = {}
    derived = [f"{name}-{kind}" for kind in ("pooled", "uptrained") for name in POOLED]
    for name in [*TRAINED, *derived]:
        runs = [checkpoint.read_model(RUNS / f"{name}-seed{seed}.safetensors") for seed in SEEDS]
        config, weights, training = runs[0]
        checkpoint.write_model(HERE / f"{name}.safetensors", config, weights, training, "<f2")
        results[name] = [facts for _, _, facts in runs]
    RESULTS.write_text(json.dumps(results, indent=1) + "\n")

    plot.draw({name: [json.loads((RUNS / f"{name}-seed{seed}.losses.json").read_text()) for seed in SEEDS]
               for name in TRAINED}, HERE / "loss.svg")
    golden.main()
    write_report()


def write_report():
    results = json.loads(RESULTS.read_text())
    sizes = {name: (HERE / f"{name}.safetensors").stat().st_size for name in results}
    texts = json.loads(golden.TARGET.read_text())["models"]
    readme = HERE / "README.md"
    readme.write_text(report.between_marks(readme.read_text(), report.summary(results, sizes, texts)))


def prepare_corpus():
    corpus.write_held_out(HELD_OUT)
    corpus.write_tokenizer(TOKENIZER)


def everything(processes):
    prepare_corpus()
    first_lessons()
    rows()
    attention.load_kernel()
    with ProcessPoolExecutor(processes, get_context("spawn"), keep_compiled) as pool:
        for work, names in ((run, TRAINED), (derive, POOLED)):
            list(pool.map(work, *zip(*product(names, SEEDS))))  # waits, and raises what a run has raised
    ship()


def keep_compiled():
    jax.config.update("jax_compilation_cache_dir", str(WORK / "compiled"))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(dest="command", required=True)
    commands.add_parser("all").add_argument("--processes", type=int, default=2, help="trainings side by side (2)")
    commands.add_parser("corpus")
    commands.add_parser("ship")
    commands.add_parser("report")
    one = commands.add_parser("run")
    one.add_argument("name", choices=TRAINED)
    one.add_argument("seed", type=int)
    arguments = parser.parse_args()
    if arguments.command == "report":
        return write_report()
    RUNS.mkdir(parents=True, exist_ok=True)
    keep_compiled()
    if arguments.command == "all":
        everything(arguments.processes)
    elif arguments.command == "corpus":
        prepare_corpus()
    elif arguments.command == "run":
        run(arguments.name, arguments.seed)
    else:
        ship()


if __name__ == "__main__":
    main()
