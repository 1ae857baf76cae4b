"""Sentences and tokens for any language, by character class."""

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from typing import ClassVar

from izwi.model.document import Annotation

# Scripts written without spaces: each character is a token of its own.
_SPACELESS = (
    "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff"
    "\U00020000-\U0003ffff"
)
_LETTER = rf"[^\W_{_SPACELESS}]"
_MARK = "[\u0300-\u036f\u200c\u200d]"
TOKEN = re.compile(
    rf"""
    (?:https?://|www\.)[^\s<>"]+[^\s<>".,;:!?)\]}}'’”]  # web addresses, not the point after them
  | [\w.+-]{{1,64}}+@[\w-]{{1,63}}(?:\.[\w-]{{1,63}})+  # e-mail addresses, bounded
  | [@\#]\w+                                               # handles and hash tags
  | \d+(?:[.,:]\d+)+%?                                     # 1,500.25 10:30
  | {_LETTER}(?:{_LETTER}|{_MARK})*  # a word ...
    (?:[-\u2010\u2011'’](?:{_LETTER}|{_MARK})+)*  # ... with hyphens, apostrophes
  | ['’]n\b                                                # the Afrikaans article
  | [{_SPACELESS}]{_MARK}*
  | \.{{2,}} | [-–—]{{2,}}                                 # runs that mean one thing
  | \S
    """,
    re.VERBOSE,
)
# A sentence ends at a mark, with its closing quotes, before a space and what can begin the next.
# An Afrikaans sentence may begin with the article 'n, and then its second word has the capital.
# (The look-behind tries a run of marks once, not once per mark: linear time.)
_END = re.compile(
    r"""(?:(?<![.!?…])[.!?…]++["'”’»)\]]*(?=\s+["'“‘«(\[]*(?:['’]n\s+)?[^\W_a-z])|[。！？]+["”’」』]*)"""
)
_ABBREVIATION = re.compile(
    r"(?:^|[\s(\"“‘])(?:Mr|Mrs|Ms|Dr|Prof|Rev|St|Adv|Gen|Col|Capt|Sgt|Lt|Hon|No|Nr|[Mm]nr|[Mm]ev|[Dd]s|bv|vs|etc|e\.g|i\.e|[A-Z])\.$"
)


class Tokeniser:
    """The annotator for any language: words, punctuation, sentences; nothing is lost but spaces."""

    depends_on: ClassVar[tuple[str, ...]] = ()

    def __call__(self, paragraphs: Sequence[str]) -> Annotation:
        """Return the tokens of the paragraphs."""
        words: list[str] = []
        starts: list[int] = []
        sentences: list[int] = []
        first_tokens: list[int] = []
        base = 0
        for text in paragraphs:
            first = len(words)
            begins = [base + begin for begin in sentence_starts(text)]
            for match in TOKEN.finditer(text):
                words.append(match[0])
                starts.append(base + match.start())
            if len(words) > first:
                first_tokens.append(first)
                sentences.extend(_first_token_of_each(begins, starts, first))
            base += len(text) + 1
        ends = [start + len(word) for start, word in zip(starts, words, strict=True)]
        return Annotation(
            tuple(words), tuple(starts), tuple(ends), tuple(sentences), tuple(first_tokens)
        )


def words_of(text: str) -> list[str]:
    """Return the tokens of a text, as the index knows them.

    >>> words_of("The blue-light brigade didn't stop.")
    ['The', 'blue-light', 'brigade', "didn't", 'stop', '.']
    """
    return TOKEN.findall(text)


def sentence_starts(text: str) -> list[int]:
    """Return the offsets at which the sentences of a paragraph begin."""
    starts = [0]
    for end in _END.finditer(text):
        if end[0] == "." and _ABBREVIATION.search(text, max(starts[-1], end.end() - 12), end.end()):
            continue
        starts.append(end.end())
    return starts


def _first_token_of_each(begins: list[int], starts: list[int], first: int) -> Iterator[int]:
    """Yield the number of the token that begins each sentence, leaving out empty sentences."""
    last = -1
    for token in range(first, len(starts)):
        sentence = bisect_right(begins, starts[token]) - 1
        if sentence != last:
            yield token
            last = sentence
