"""Seeds by search: random tuples of words sent to a search service, its results as pages.

The way of BootCaT (Baroni and Bernardini 2004). With `words_from = "corpus"` the words are the
corpus's own of middle frequency, so that each version of it brings the next round of seeds.
"""

import random
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import timedelta
from typing import Any, ClassVar, Literal
from urllib.parse import urlencode

from izwi.config.schema import STRICT, check_name
from izwi.gather.scope import Scope
from izwi.gather.sources.base import check_address, trail_of, trail_text
from izwi.gather.urls import canonical, may_be_text
from izwi.model.capture import Capture, Hints, Lead
from izwi.model.errors import SourceError
from izwi.model.notation import read_json

# So many draws for one tuple that is new; a short list has no more.
_MOST_DRAWS = 50


@dataclass(frozen=True, slots=True)
class SearchTrail:
    """Which page of a search's results a lead asks for."""

    query: str = ""
    page: int = 1


@dataclass(frozen=True, slots=True)
class SearchSource:
    """Pages that a search service finds for tuples of words."""

    __pydantic_config__: ClassVar[Mapping[str, Any]] = STRICT
    type: ClassVar[str] = "search"
    # Its name, used in every ledger line.
    name: str
    # Address of a search service that answers as SearXNG does (/search?q=...&format=json).
    url: str
    # The words tuples are made of.
    words: tuple[str, ...] = ()
    # Where the words come from: list (the key `words`), corpus (its own of middle frequency), or
    # keywords (those of what earlier rounds brought; `words` make the first round).
    words_from: Literal["list", "corpus", "keywords"] = "list"
    # corpus: the first and last rank of the words.
    ranks: tuple[int, int] = (1001, 6000)
    # corpus, keywords: how many letters a word has at least.
    letters: int = 5
    # Words in a tuple.
    tuple_size: int = 3
    # Tuples in a round.
    tuples: int = 100
    # corpus, keywords: a round for each version of the corpus, up to so many.
    rounds: int = 3
    # Pages of results asked for each tuple.
    pages: int = 1
    # The language the service is told to search in, such as zu; empty tells none.
    language: str = ""
    # Only results on these domains, each with all hosts below it, or a whole ending (".za").
    domains: tuple[str, ...] = ()
    # No result like one of these; * stands for any text.
    exclude: tuple[str, ...] = ()
    # Draws the same tuples again; another number draws others.
    seed: int = 1
    # Another extractor for its pages.
    method: str = ""
    # Whether articles in parts (next pages, frames) are asked for whole and become one document.
    parts: bool = True

    def __post_init__(self) -> None:
        check_name(self.name)
        check_address(self.url, example="https://search.example.org/search")
        for key in ("tuple_size", "tuples", "rounds", "pages", "letters"):
            if getattr(self, key) < 1:
                raise ValueError(f"{key} = {getattr(self, key)} is below 1")
        if self.words_from == "list" and len(set(self.words)) < self.tuple_size:
            raise ValueError(f"words has fewer than {self.tuple_size} different words for a tuple")
        if not 1 <= self.ranks[0] <= self.ranks[1]:
            raise ValueError(f"ranks = {list(self.ranks)} are not a first and a last rank")

    @property
    def address(self) -> str:
        """The search service."""
        return self.url

    @property
    def interval(self) -> timedelta | None:
        """A tuple is asked once."""
        return None

    def first_leads(self) -> Iterable[Lead]:
        """Yield a search for every tuple."""
        return [self._lead(SearchTrail(query)) for query in self.queries()]

    def leads_from(self, capture: Capture, body: bytes) -> Iterable[Lead]:
        """Yield the results of a search as pages, and its next page of results."""
        lead = capture.lead
        if lead.kind != "list":
            return []
        results, trail = self._results(lead, body), trail_of(SearchTrail, lead)
        scope = Scope(self.domains, (), self.exclude)
        found = [
            Lead(url, self.name, referrer=lead.url, hints=Hints(title=title[:500]))
            for url, title in results
            if not scope.refusal(url, 0)
        ]
        if results and trail.page < self.pages:
            found.append(self._lead(SearchTrail(trail.query, trail.page + 1)))
        return found

    def queries(self) -> list[str]:
        """Return the tuples of this round, each once, the same for the same words and seed.

        >>> SearchSource("s", "http://a.example/", ("a", "b"), tuple_size=2, tuples=9).queries()
        ['a b']
        """
        words = sorted(set(self.words))
        if len(words) < self.tuple_size:
            return []
        chance = random.Random(self.seed)
        found: dict[str, None] = {}
        for _ in range(self.tuples * _MOST_DRAWS):
            if len(found) >= self.tuples:
                break
            found[" ".join(sorted(chance.sample(words, self.tuple_size)))] = None
        return list(found)

    def _lead(self, trail: SearchTrail) -> Lead:
        asked = {"q": trail.query, "format": "json"}
        asked |= {"language": self.language} if self.language else {}
        asked |= {"pageno": str(trail.page)} if trail.page > 1 else {}
        url = f"{self.url}{'&' if '?' in self.url else '?'}{urlencode(asked)}"
        hints = Hints(trail=trail_text(trail))
        return Lead(canonical(url) or url, self.name, kind="list", hints=hints)

    def _results(self, lead: Lead, body: bytes) -> list[tuple[str, str]]:
        try:
            rows = read_json(body)["results"]
            found = [(canonical(str(row["url"])), str(row.get("title") or "")) for row in rows]
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            raise SourceError(
                f"Source '{self.name}': {lead.url} does not answer with results as SearXNG does "
                f"({type(error).__name__}: {error}). Look at `url`, and whether the service allows "
                "format=json."
            ) from None
        return [(url, title) for url, title in found if url and may_be_text(url)]
