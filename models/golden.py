"""Golden values for the C++ decoder, from the shipped files: `python3 models/golden.py` writes tests/data/models_golden.json.

Computed in NumPy and double precision from the weights as they are stored; shares only the reader of the files and the
tokenizer with the training program.
"""

import json
from pathlib import Path

from training import checkpoint, corpus, numpy_decoder
from training.tokenizer import BOS, Tokenizer

HERE = Path(__file__).parent
TARGET = HERE.parent / "tests" / "data" / "models_golden.json"
PROMPT = "Once upon a time"
STEPS = 100


def golden(path, tokenizer, stories):
    config, weights, _ = checkpoint.read_model(path)
    prompt = [BOS] + tokenizer.encode(PROMPT)
    ids, lead = numpy_decoder.greedy(config, weights, prompt, STEPS)
    nll = sum(numpy_decoder.story_nll(config, weights, story) for story in stories)
    tokens = sum(len(story) - 1 for story in stories)
    return {
        "prompt_ids": prompt,
        "greedy_ids": ids,
        "smallest_lead": lead,
        "text": tokenizer.decode((prompt + ids)[1:]),
        "heldout_tokens": tokens,
        "heldout_nll": nll / tokens,
        "first_story_nll": numpy_decoder.story_nll(config, weights, stories[0]),
    }


def main():
    tokenizer = Tokenizer.load(HERE / "tokenizer.bin")
    stories = corpus.held_out_ids(tokenizer, HERE / "heldout.txt")
    models = {path.stem: golden(path, tokenizer, stories) for path in sorted(HERE.glob("*.safetensors"))}
    TARGET.parent.mkdir(parents=True, exist_ok=True)
    entries = ",\n".join(f" {json.dumps(name)}: {json.dumps(values)}" for name, values in models.items())
    TARGET.write_text(
        "{\n"
        f' "prompt": {json.dumps(PROMPT)},\n'
        f' "heldout_first_story_ids": {json.dumps(stories[0])},\n'
        f' "models": {{\n{entries}\n}}\n}}\n'
    )
    json.loads(TARGET.read_text())
    print(f"{TARGET.name}: {len(models)} models")
    return models


if __name__ == "__main__":
    main()
