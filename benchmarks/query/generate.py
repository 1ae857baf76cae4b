"""Write vertical text of any size with a million word types: the same text for the same seed.

    python benchmarks/query/generate.py /tmp/10m.vert --tokens 10000000

Lines are word, lemma, tag; structures are doc (id, date, source), p and s. Lemmas are made of syllables and
inflected by class; ranks follow Zipf's law with a long tail, so that most types are rare, as on the web.
"""

import argparse
import itertools
import random
from pathlib import Path

import numpy as np

FIXED = {
    "DT": [("the", 35), ("a", 26), ("an", 4), ("this", 5), ("that", 4), ("every", 1)],
    "IN": [("of", 30), ("in", 20), ("to", 12), ("for", 10), ("at", 6), ("with", 7), ("on", 7)],
    "CC": [("and", 30), ("or", 5), ("but", 6)],
    "PR": [("it", 12), ("he", 9), ("they", 7), ("we", 5), ("she", 5)],
    ".": [(".", 30), ("!", 1), ("?", 2)],
    ",": [(",", 1)],
}
# How often each class of word follows another; rows are drawn as a chain, sentence by sentence.
NEXT = {
    "start": "DT:40 PR:30 N:10 J:8 IN:12",
    "DT": "N:60 J:38 R:2",
    "J": "N:72 J:12 CC:6 ,:5 .:5",
    "N": "IN:28 V:26 .:16 ,:10 N:10 CC:8 PR:2",
    "V": "DT:36 IN:20 PR:8 R:12 J:10 N:8 .:6",
    "R": "V:35 J:25 .:15 ,:10 IN:15",
    "IN": "DT:52 N:22 J:14 PR:12",
    "CC": "DT:30 N:25 J:15 V:20 PR:10",
    "PR": "V:78 R:12 .:6 ,:4",
    ",": "CC:25 DT:25 PR:20 N:12 IN:18",
}
ENDINGS = {
    "N": (("NN", ""), ("NNS", "s")),
    "V": (("VB", ""), ("VBZ", "s"), ("VBD", "ed"), ("VBG", "ing")),
    "J": (("JJ", ""), ("JJR", "er"), ("JJS", "est")),
    "R": (("RB", "ly"),),
}
SHARES = {"N": (0.7, 0.3), "V": (0.4, 0.2, 0.25, 0.15), "J": (0.85, 0.1, 0.05), "R": (1.0,)}
# Lemmas of each class; with their endings they make some 1.3 million possible forms.
SIZES = {"N": 420_000, "V": 60_000, "J": 90_000, "R": 20_000}
DERIVED = {
    "N": ("ation", *("ness", "er", "ism", "ity") * 2, *("",) * 40),
    "V": ("", "ise", "ate"), "J": ("", "al", "ive", "ous"), "R": ("",),
}  # fmt: skip
# In English text some 0.4 % of the tokens end in -ation and 0.05 % are un-...-ed.
PREFIXES = (*("",) * 40, "un", "re", "over", "dis", "pre")
KNOWN = {
    "N": ("end", "time", "house", "water"),
    "V": ("make", "say", "take"),
    "J": ("new", "old"),
    "R": ("quick",),
}
PARAGRAPH, DOCUMENT = 5, 25
BLOCK = 200_000


def stems(chance: random.Random, count: int, word_class: str) -> list[str]:
    onsets = [
        "b",
        "c",
        "d",
        "f",
        "g",
        "h",
        "j",
        "k",
        "l",
        "m",
        "n",
        "p",
        "r",
        "s",
        "t",
        "v",
        "w",
        "z",
        "br",
        "cl",
        "dr",
        "gr",
        "pl",
        "st",
        "tr",
        "th",
        "sh",
        "ch",
        "é",
        "ö",
    ]
    vowels = ["a", "e", "i", "o", "u", "ai", "ou", "ea"]
    codas = ["", "", "", "n", "r", "s", "t", "l", "m", "ck", "nd"]
    syllables = ["".join(parts) for parts in itertools.product(onsets, vowels, codas)]
    found = dict.fromkeys(KNOWN[word_class])
    while len(found) < count:
        inner = "".join(chance.choices(syllables, k=chance.choice((1, 2, 2, 3))))
        found[chance.choice(PREFIXES) + inner + chance.choice(DERIVED[word_class])] = None
    return list(found)


def zipf_tables(count: int) -> np.ndarray:
    """Return the cumulative shares of ranks; flatter than 1/r at the head, so that the tail is long."""
    weights = 1.0 / (np.arange(count) + 8.0) ** 1.05
    return np.cumsum(weights / weights.sum())


class Text:
    """Lines to draw from, and the chain of classes."""

    def __init__(self, seed: int) -> None:
        self.rng = np.random.default_rng(seed)
        chance = random.Random(seed)
        self.lines: list[bytes] = []
        self.tables: dict[str, tuple[np.ndarray, np.ndarray]] = {}
        for name, words in FIXED.items():
            self.tables[name] = self._fixed(name, words)
        for name, count in SIZES.items():
            self.tables[name] = self._open(name, stems(chance, count, name))
        self.classes = list(self.tables)
        self.following = {name: self._shares(text) for name, text in NEXT.items()}

    def _fixed(self, tag: str, words: list[tuple[str, int]]) -> tuple[np.ndarray, np.ndarray]:
        first = len(self.lines)
        self.lines += [f"{word}\t{word}\t{tag}".encode() for word, _ in words]
        shares = np.cumsum([share for _, share in words], dtype=float)
        return shares / shares[-1], np.arange(first, len(self.lines))

    def _open(self, name: str, lemmas: list[str]) -> tuple[np.ndarray, np.ndarray]:
        first = len(self.lines)
        self.lines += [
            f"{lemma}{ending}\t{lemma}\t{tag}".encode()
            for lemma in lemmas
            for tag, ending in ENDINGS[name]
        ]
        return zipf_tables(len(lemmas)), np.arange(first, len(self.lines)).reshape(len(lemmas), -1)

    def _shares(self, text: str) -> tuple[np.ndarray, np.ndarray]:
        pairs = [part.rsplit(":", 1) for part in text.split()]
        shares = np.cumsum([float(share) for _, share in pairs])
        return shares / shares[-1], np.array([self.classes.index(name) for name, _ in pairs])

    def block(self, sentences: int) -> list[np.ndarray]:
        """Return sentences as arrays of line numbers, drawn all at once, place by place."""
        stop = self.classes.index(".")
        state = np.full(sentences, -1)
        steps = []
        for place in range(40):
            state = self._next(state, stop, is_last=place == 39)
            steps.append(state.copy())
            if (state == stop).all() or (state == -2).all():
                break
        classes = np.stack(steps, 1)
        lines = np.full(classes.shape, -1, np.int64)
        for number, name in enumerate(self.classes):
            here = classes == number
            lines[here] = self._draw(name, int(here.sum()))
        lengths = (classes >= 0).sum(1)
        return np.split(lines[classes >= 0], np.cumsum(lengths)[:-1])

    def _next(self, state: np.ndarray, stop: int, *, is_last: bool) -> np.ndarray:
        following = np.full(len(state), -2)
        going = (state != stop) & (state != -2)
        if is_last:
            following[going] = stop
            return following
        for number, name in [(-1, "start"), *enumerate(self.classes)]:
            here = state == number
            if name == "." or not here.any():
                continue
            shares, targets = self.following[name]
            following[here] = targets[np.searchsorted(shares, self.rng.random(int(here.sum())))]
        return following

    def _draw(self, name: str, count: int) -> np.ndarray:
        shares, lines = self.tables[name]
        ranks = np.searchsorted(shares, self.rng.random(count))
        if lines.ndim == 1:
            return lines[ranks]
        forms = np.searchsorted(np.cumsum(SHARES[name])[:-1], self.rng.random(count))
        return lines[ranks, forms]


def generate(path: Path, tokens: int, seed: int = 1, document: int = DOCUMENT) -> None:
    """Write at least so many tokens, in documents of so many sentences."""
    text = Text(seed)
    written, sentence = 0, 0
    with path.open("wb") as file:
        while written < tokens:
            parts: list[bytes] = []
            for numbers in text.block(BLOCK // 10):
                parts += opening(sentence, document)
                parts.append(b"<s>")
                parts += [text.lines[number] for number in numbers.tolist()]
                parts.append(b"</s>")
                sentence += 1
                parts += closing(sentence, document)
                written += len(numbers)
                if written >= tokens:
                    break
            file.write(b"\n".join(itertools.chain(parts, [b""])))
        if sentence % document:
            file.write(b"</p>\n</doc>\n" if sentence % PARAGRAPH else b"</doc>\n")


def opening(sentence: int, document: int) -> list[bytes]:
    number = sentence // document
    day = f"{2005 + number % 20}-{number // 7 % 12 + 1:02d}-{number % 28 + 1:02d}"
    doc = f'<doc id="d{number}" date="{day}" source="site{number % 40}">'.encode()
    found = [doc] if sentence % document == 0 else []
    return [*found, b"<p>"] if sentence % PARAGRAPH == 0 else found


def closing(sentence: int, document: int) -> list[bytes]:
    found = [b"</p>"] if sentence % PARAGRAPH == 0 else []
    return [*found, b"</doc>"] if sentence % document == 0 else found


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("path", type=Path)
    parser.add_argument("--tokens", type=int, default=10_000_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument(
        "--document",
        type=int,
        default=DOCUMENT,
        help="sentences of a document (15 of them: 225 tokens)",
    )
    asked = parser.parse_args()
    generate(asked.path, asked.tokens, asked.seed, asked.document)
