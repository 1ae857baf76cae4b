"""Words cut into the pieces they are built of, learnt from plain text alone.

The pieces are found by Morfessor Baseline (Creutz and Lagus 2002, 2007): the fewest and shortest
pieces that spell all words of a text. Cutting a word needs only the pieces and how often each
was used, so a corpus is annotated without that package.
"""

import json
import math
import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path

from izwi.model.errors import ConfigError, PluginError

FORMAT = 1
# Letters of a word, as far as pieces are learnt: no digits, no marks.
_WORD = re.compile(r"[^\W\d_]+")
# An unknown letter costs more than any piece, so it is only used where nothing else fits.
_UNKNOWN = 100.0
_MOST_REMEMBERED = 200_000


class Segments:
    """Cuts words into pieces and names the piece that tells most."""

    def __init__(self, times_by_piece: Mapping[str, int]) -> None:
        total = sum(times_by_piece.values())
        self._cost = {piece: math.log(total / n) for piece, n in times_by_piece.items()}
        self._longest = max(map(len, self._cost), default=1)
        self._stem_by_word: dict[str, str] = {}

    def cut(self, word: str) -> list[str]:
        """Return the pieces of a word in lower case, the cheapest way to spell it."""
        letters = word.lower()
        costs, begins = [0.0], [0]
        for end in range(1, len(letters) + 1):
            first = max(0, end - self._longest)
            cost, begin = min(
                (costs[at] + self._cost_of(letters[at:end]), at) for at in range(first, end)
            )
            costs.append(cost)
            begins.append(begin)
        return _walked_back(letters, begins)

    def stem(self, word: str) -> str:
        """Return the rarest piece of a word: prefixes and suffixes are shared by many words.

        >>> Segments({"ama": 50, "aba": 40, "hora": 1, "ntu": 2}).stem("amahora")
        'hora'
        """
        if len(self._stem_by_word) > _MOST_REMEMBERED:
            self._stem_by_word.clear()
        if word not in self._stem_by_word:
            pieces = self.cut(word)
            self._stem_by_word[word] = max(pieces, key=self._cost_of, default="")
        return self._stem_by_word[word]

    def _cost_of(self, piece: str) -> float:
        return self._cost.get(piece, _UNKNOWN * len(piece))


def _walked_back(letters: str, begins: Sequence[int]) -> list[str]:
    pieces = []
    end = len(letters)
    while end:
        pieces.append(letters[begins[end] : end])
        end = begins[end]
    return pieces[::-1]


def count_words(lines: Iterable[str], *, most: int) -> list[str]:
    """Return the most frequent words of a text in lower case, letters only."""
    counts: Counter[str] = Counter()
    for line in lines:
        counts.update(_WORD.findall(line.lower()))
    return [word for word, _ in counts.most_common(most)]


def learn_pieces(
    words: Sequence[str], *, rounds: int = 5, progress: Callable[[int], None] = lambda _: None
) -> Counter[str]:
    """Return the pieces that words are built of, with the number of words each is used in."""
    try:
        from morfessor import BaselineModel, utils
    except ImportError as error:
        raise PluginError(
            "Learning segments needs the package Morfessor: pip install 'izwi[segments]'"
        ) from error
    # Progress is shown by whoever asked for it.
    utils.show_progress_bar = False
    model = BaselineModel()
    model.load_data([(1, word) for word in words])
    for number in range(rounds):
        model.train_batch(max_epochs=1)
        progress(number + 1)
    return Counter(piece for _, _, pieces in model.get_segmentations() for piece in pieces)


def write_segments(path: Path, pieces: Mapping[str, int], *, language: str) -> int:
    """Write learnt pieces as JSON and return the size of the file."""
    content = {"format": FORMAT, "language": language, "pieces": dict(sorted(pieces.items()))}
    return path.write_text(json.dumps(content, ensure_ascii=False), encoding="utf-8")


def read_segments(path: Path) -> Segments:
    """Return the pieces in a file, ready to cut words."""
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
        if content.get("format") == FORMAT:
            return Segments({str(piece): int(n) for piece, n in content["pieces"].items() if n > 0})
    except (OSError, ValueError, AttributeError, KeyError, TypeError) as error:
        raise ConfigError(f"{path} does not hold segments that can be read ({error}).") from error
    raise ConfigError(f"{path} was made by another version of izwi; train it again.")
