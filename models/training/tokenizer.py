"""A byte-pair tokenizer of 512 entries, trained here and stored in llama2.c's format."""

import re
import struct
from collections import Counter
from pathlib import Path

BOS, EOS = 1, 2
FIRST_BYTE = 3  # entries 3 .. 258 stand for the bytes 0 .. 255
SPECIAL = [b"<unk>", b"\n<s>\n", b"\n</s>\n"]

# A piece never crosses these borders: a word or another character, each with the space before it.
WORD = re.compile(r" ?[A-Za-z]+| ?[^A-Za-z ]| ")


class Tokenizer:
    def __init__(self, pieces, scores):
        self.pieces = pieces
        self.scores = scores
        self.id_of = {piece: id for id, piece in enumerate(pieces)}
        self.encoded_words = {}

    @staticmethod
    def load(path):
        data = Path(path).read_bytes()
        pieces, scores, offset = [], [], 4
        while offset < len(data):
            score, length = struct.unpack_from("<fi", data, offset)
            offset += 8
            pieces.append(data[offset : offset + length])
            scores.append(score)
            offset += length
        return Tokenizer(pieces, scores)

    def save(self, path):
        """int32 longest piece, then per entry: float32 score, int32 length, the bytes."""
        with open(path, "wb") as file:
            file.write(struct.pack("<i", max(len(piece) for piece in self.pieces)))
            for piece, score in zip(self.pieces, self.scores):
                file.write(struct.pack("<fi", score, len(piece)) + piece)

    def encode(self, text):
        """llama2.c's rule: a space in front, characters, then the best-scored merge until none is left.

        No piece crosses a border of WORD, so each word can be merged by itself (and only once)."""
        ids = []
        for word in WORD.findall(" " + text if text else ""):
            if word not in self.encoded_words:
                self.encoded_words[word] = self.merge(word)
            ids += self.encoded_words[word]
        return ids

    def merge(self, word):
        ids = []
        for character in word:
            piece = character.encode()
            if piece in self.id_of:
                ids.append(self.id_of[piece])
            else:
                ids += [FIRST_BYTE + byte for byte in piece]
        while True:
            best = None
            for i in range(len(ids) - 1):
                merged = self.id_of.get(self.pieces[ids[i]] + self.pieces[ids[i + 1]])
                if merged is not None and (best is None or self.scores[merged] > best[0]):
                    best = (self.scores[merged], i, merged)
            if best is None:
                return ids
            _, i, merged = best
            ids[i : i + 2] = [merged]

    def decode(self, ids):
        """The text of ids that follow BOS: the space that `encode` put in front is taken off."""
        data = b""
        for id in ids:
            is_byte = FIRST_BYTE <= id < FIRST_BYTE + 256
            data += bytes([id - FIRST_BYTE]) if is_byte else self.pieces[id]
        return data.decode(errors="replace").removeprefix(" ")


def train(texts, entries=512):
    """Merge the most frequent neighbours (ties: the alphabetically first) until all entries are used."""
    words = Counter()
    for text in texts:
        words.update(WORD.findall(" " + text))
    splits = {word: [character.encode() for character in word] for word in words}

    # Characters rank below every merge, the most frequent ones first, as SentencePiece has them.
    characters = Counter()
    for word, count in words.items():
        for character in word:
            characters[character.encode()] += count
    alphabet = sorted(characters, key=lambda piece: (-characters[piece], piece))

    merges = []
    while len(SPECIAL) + 256 + len(merges) + len(alphabet) < entries:
        pairs = Counter()
        for word, count in words.items():
            split = splits[word]
            for left, right in zip(split, split[1:]):
                pairs[left + right] += count
        best = min(pairs, key=lambda piece: (-pairs[piece], piece))
        merges.append(best)
        for split in splits.values():
            i = 0
            while i < len(split) - 1:
                if split[i] + split[i + 1] == best:
                    split[i : i + 2] = [best]
                i += 1

    learned = merges + alphabet
    pieces = SPECIAL + [b"<0x%02X>" % byte for byte in range(256)] + learned
    scores = [0.0] * (len(SPECIAL) + 256) + [-float(rank) for rank in range(len(learned))]
    return Tokenizer(pieces, scores)
