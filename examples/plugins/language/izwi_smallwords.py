"""A language identifier that counts the small words of a few languages."""

import re
from typing import ClassVar

from izwi.model.document import LanguageGuess

# Three-letter codes (ISO 639-3).
LISTS = {
    "eng": "the of and to in is that it was for on with as at by have has",
    "afr": "die en van het is nie in wat om te vir met op sy aan dat was",
    "nld": "de het een en van in is dat niet te zijn op aan met voor als er",
}
SMALL = {code: frozenset(words.split()) for code, words in LISTS.items()}


class SmallWords:
    """Made once a shard, called for every text and for its paragraphs."""

    depends_on: ClassVar[tuple[str, ...]] = ("izwi-smallwords",)

    def __call__(self, text: str) -> LanguageGuess:
        """Return a language and how sure one is, from 0 to 1; `und` if none can be named."""
        words = re.findall(r"[^\W\d_]+", text.lower())
        hits = {code: sum(word in small for word in words) for code, small in SMALL.items()}
        best = max(hits, key=lambda code: hits[code])
        if not hits[best]:
            return LanguageGuess("und", 0.0, "no small word is known")
        return LanguageGuess(best, hits[best] / sum(hits.values()))
