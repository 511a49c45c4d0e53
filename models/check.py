"""The shipped files against what is said about them: `python3 models/check.py` (needs NumPy, nothing else).

Prints one line per check and exits with 1 if one fails.
"""

import json
import math
import sys
from pathlib import Path

try:
    import numpy as np
except ImportError:
    print("models: skipped, NumPy is not installed")
    sys.exit(0)

from training import checkpoint, corpus, numpy_decoder, report
from training.config import POOLED, TRAINED
from training.tokenizer import Tokenizer

HERE = Path(__file__).parent
NAMES = [*TRAINED, *(f"{name}-{kind}" for kind in ("pooled", "uptrained") for name in POOLED)]
failures = 0


def check(what, holds):
    global failures
    print(f"{'ok    ' if holds else 'FAILED'}  {what}")
    failures += not holds


def close(a, b, relative):
    return abs(a - b) <= relative * abs(b)  # NaN fails


def check_texts():
    """The tokenizer takes the held-out text apart and puts it together again, without byte fallback."""
    tokenizer = Tokenizer.load(HERE / "tokenizer.bin")
    text = (HERE / "heldout.txt").read_text()
    lines = text.splitlines()
    stories = corpus.held_out_ids(tokenizer, HERE / "heldout.txt")
    check("tokenizer.bin has 512 different entries", len(tokenizer.pieces) == len(set(tokenizer.pieces)) == 512)
    check("heldout.txt is below 100 kB, all stories differ", len(text) < 100_000 and len(set(lines)) == len(lines))
    check("every held-out story survives encoding", all(tokenizer.decode(ids[1:-1]) == line for ids, line in zip(stories, lines)))
    check("no held-out story needs byte fallback", all(not 3 <= id < 259 for ids in stories for id in ids))
    check("every held-out story fits into the context", max(map(len, stories)) <= TRAINED["mha"].max_length)
    return stories


def check_sizes(models):
    sizes = {name: (HERE / f"{name}.safetensors").stat().st_size for name in NAMES}
    parameters = [models[name][0].parameters() for name in TRAINED]
    check(f"all files together are below 6 MB ({sum(sizes.values()):,} bytes)", sum(sizes.values()) < 6_000_000)
    check("the four trained models have equally many parameters within 2 %", max(parameters) <= 1.02 * min(parameters))
    return sizes


def check_table(models, sizes):
    """README, results.json and the files say the same."""
    results = json.loads((HERE / "results.json").read_text())
    check("results.json names every model", list(results) == NAMES)
    readme = (HERE / "README.md").read_text()
    check("the README's table and verdicts are those of results.json",
          report.table(results, sizes) in readme and report.verdicts(results) in readme)
    golden = json.loads((HERE.parent / "tests" / "data" / "models_golden.json").read_text())["models"]
    check("the README's samples are those of the golden file", report.samples(golden, results) in readme)
    for name in NAMES:
        config, _, training = models[name]
        check(f"{name}: the file says what results.json says", training == results[name][0])
        check(f"{name}: has the shape that its name promises", config == report.configuration(name))
        check(f"{name}: at least two seeds", len({run['seed'] for run in results[name]}) >= 2)
        check(f"{name}: 16 bits cost nothing", all(close(run["heldout_nll"], run["heldout_nll_in_f32"], 1e-3) for run in results[name]))


def check_golden(models, stories):
    """The stored perplexity (JAX, float32) against NumPy in double precision, here and in the golden file."""
    golden = json.loads((HERE.parent / "tests" / "data" / "models_golden.json").read_text())["models"]
    check("the golden file has every model", sorted(golden) == sorted(NAMES))
    for name in NAMES:
        config, weights, training = models[name]
        values = golden[name]
        check(f"{name}: held-out nll of the golden file agrees with the training framework",
              close(values["heldout_nll"], training["heldout_nll"], 1e-4)
              and close(math.exp(training["heldout_nll"]), training["heldout_perplexity"], 1e-9))
        check(f"{name}: the first story's nll is that of the weights",
              close(numpy_decoder.story_nll(config, weights, stories[0]), values["first_story_nll"], 1e-9))
        ids = values["prompt_ids"] + values["greedy_ids"]
        scores = numpy_decoder.logits(config, weights, ids[:-1])
        check(f"{name}: the golden ids are greedy", list(np.argmax(scores, 1)[len(values["prompt_ids"]) - 1 :]) == values["greedy_ids"])


def main():
    missing = [name for name in NAMES if not (HERE / f"{name}.safetensors").exists()]
    if missing:
        print(f"models: {len(missing)} files are missing ({', '.join(missing)}); python3 models/train.py all makes them")
        sys.exit(1)
    models = {name: checkpoint.read_model(HERE / f"{name}.safetensors") for name in NAMES}
    stories = check_texts()
    sizes = check_sizes(models)
    check_table(models, sizes)
    check_golden(models, stories)
    print(f"models: {failures} failed" if failures else "models: everything agrees")
    sys.exit(1 if failures else 0)


if __name__ == "__main__":
    main()
