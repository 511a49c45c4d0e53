"""What the models are trained and tested on: rows of tokens, and stories that are kept back."""

import numpy as np

from . import plots, stories, words
from .tokenizer import BOS, EOS, WORD, Tokenizer, train

HELD_OUT = 64             # stories number 0 … 63
FIRST_TRAINING = 1000     # and the training stories from here on
FOR_TOKENIZER = 3000


def write_held_out(path):
    path.write_text("".join(text + "\n" for text in stories.stories(0, HELD_OUT)))


def write_tokenizer(path):
    train(stories.stories(FIRST_TRAINING, FOR_TOKENIZER)).save(path)


def story_ids(tokenizer, text):
    return [BOS] + tokenizer.encode(text) + [EOS]


def names_told_before(tokenizer, text):
    """Where in `story_ids` a name begins that the story has named before."""
    names, told, positions, position = {*words.GIRLS, *words.BOYS}, set(), [], 1
    for word in WORD.findall(" " + text):
        name = word.strip()
        if name in told:
            positions.append(position)
        if name in names:
            told.add(name)
        position += len(tokenizer.merge(word))
    return positions


def held_out_ids(tokenizer, path):
    return [story_ids(tokenizer, line) for line in path.read_text().splitlines()]


def rows(tokenizer, count, length, kept_back=(), among=plots.PLOTS):
    """[count, length + 1] ids: each row begins with a story and goes on with the next, up to its end.

    No token is ever seen twice, and no story that is kept back is among them."""
    rows, number = [], FIRST_TRAINING
    while len(rows) < count:
        row = []
        while len(row) <= length:
            text = stories.story(number, among)
            number += 1
            if text not in kept_back:
                row += story_ids(tokenizer, text)
        rows.append(row[: length + 1])
    return np.array(rows, np.int32)
