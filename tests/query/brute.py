"""The same answers by looking at every token: what the engine is measured against."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from izwi.model.document import Document
from izwi.query.concordance import Filter


@dataclass(frozen=True, slots=True)
class Found:
    """A hit: its document and the number of its first token there."""

    document: Document
    token: int
    width: int

    def neighbour(self, place: int) -> str:
        """Return the token at a distance in lower case, empty outside the document."""
        words, number = self.document.annotation.words, self.token + place
        return words[number].lower() if 0 <= number < len(words) else ""

    @property
    def words(self) -> tuple[str, ...]:
        return self.document.annotation.words[self.token : self.token + self.width]

    @property
    def offset(self) -> int:
        return self.document.annotation.starts[self.token]

    @property
    def match(self) -> str:
        tokens = self.document.annotation
        return folded(
            self.document.text[self.offset : tokens.ends[self.token + self.width - 1]]
        ).strip()

    def left(self, context: int) -> str:
        first = max(0, self.token - context)
        return folded(self.document.text[self.document.annotation.starts[first] : self.offset])

    def right(self, context: int) -> str:
        tokens = self.document.annotation
        last = min(len(tokens.words), self.token + self.width + context)
        begin, end = tokens.ends[self.token + self.width - 1], tokens.ends[last - 1]
        return folded(self.document.text[begin:end])


def folded(text: str) -> str:
    """Return a text with each stretch of white space as one space, also at its ends."""
    inner = " ".join(text.split())
    begins, ends = text[:1].isspace(), text[-1:].isspace()
    return f"{' ' * begins}{inner}{' ' * (ends and bool(inner))}"


def search(
    documents: Sequence[Document], phrase: Sequence[str], *, is_exact_case: bool
) -> list[Found]:
    """Return the hits of a phrase in corpus order."""
    same: Callable[[str], str] = str if is_exact_case else str.lower
    wanted = [same(token) for token in phrase]
    return [
        Found(each, place, len(phrase))
        for each in documents
        for words in [[same(word) for word in each.annotation.words]]
        for place in range(len(words) - len(wanted) + 1)
        if words[place : place + len(wanted)] == wanted
    ]


def passes(each: Document, chosen: Filter) -> bool:
    """Return whether a filter lets a document through; one without a date passes no bound."""
    when = each.metadata.date
    return (
        (chosen.since is None or (when is not None and when.value >= chosen.since))
        and (chosen.until is None or (when is not None and when.value <= chosen.until))
        and (not chosen.sources or each.source in chosen.sources)
    )


def _text(text: str) -> tuple[str, str]:
    return text.casefold(), text


def _day(hit: Found, sign: int) -> tuple[bool, int]:
    when = hit.document.metadata.date
    return when is None, sign * when.value.toordinal() if when else 0


KEYS: dict[str, Callable[[Found], object]] = {
    "date": lambda hit: _day(hit, 1),
    "newest": lambda hit: _day(hit, -1),
    "left": lambda hit: [_text(hit.neighbour(-step)) for step in (1, 2, 3)],
    "node": lambda hit: [_text(word) for word in hit.words],
    "right": lambda hit: [_text(hit.neighbour(hit.width + step)) for step in range(3)],
    "source": lambda hit: _text(hit.document.source),
}
