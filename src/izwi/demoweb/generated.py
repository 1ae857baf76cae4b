"""Two thousand texts made from a small grammar, for a demonstration in which sketches show much.

The words are in `lexicon.toml`; the same number always gives the same texts. They mean little, but
words keep company in them as words do: some verbs take some objects, some words come up one year.
"""

import random
import re
import tomllib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from functools import cache
from importlib import resources
from itertools import accumulate
from typing import Any

DOCUMENTS = 2000
# Sentences of a document, cut into paragraphs: about 500 tokens.
_SENTENCES, _PARAGRAPH = 42, 6
_FIRST, _LAST = date(2005, 1, 3), date(2026, 10, 30)
_DAYS = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"]
_MONTHS = ["January", "March", "April", "June", "July", "September", "November"]
_NUMBERS = ["Two", "Three", "Four", "Five", "Seven", "Ten", "Twelve", "Twenty", "Forty"]
_PLACE = re.compile(r"\{(\w+)\}")
# So often a sentence is about what is in fashion, and a noun has an adjective.
_FASHIONABLE, _DESCRIBED = 0.12, 0.4
_VOWELS = tuple("aeiou")


@dataclass(frozen=True, slots=True)
class GeneratedText:
    """A text with what is known of it, as `izwi import texts` reads it."""

    id: str
    url: str
    title: str
    author: str
    date: str
    section: str
    site: str
    text: str
    language: str = "en"
    date_evidence: str = "JSON-LD"


def generated_texts(documents: int = DOCUMENTS, seed: int = 1) -> Iterator[GeneratedText]:
    """Yield the texts, the oldest first."""
    span = (_LAST - _FIRST).days
    for number in range(documents):
        day = _FIRST + timedelta(days=span * number // max(1, documents))
        yield _Writer(random.Random(f"{seed} {number}"), day).document(number)


@cache
def _lexicon() -> Mapping[str, Any]:
    text = (resources.files("izwi.demoweb") / "lexicon.toml").read_text("utf-8")
    return tomllib.loads(text)


class _Writer:
    """Writes one document of a day."""

    def __init__(self, chance: random.Random, day: date) -> None:
        self._chance, self._day = chance, day
        self._words = _lexicon()

    def document(self, number: int) -> GeneratedText:
        site = self._chance.choice(list(self._words["publications"]))
        host, *topics = self._words["publications"][site].split()
        topic = self._often(topics)
        sentences = [self._sentence(topic, site) for _ in range(_SENTENCES)]
        cut = range(0, len(sentences), _PARAGRAPH)
        name = f"{self._day:%Y/%m/%d}/{topic}-{number}"
        return GeneratedText(
            f"g{number:05}", f"http://{host}/{name}", self._title(topic, site), self._name(),
            f"{self._day}", topic, site,
            "\n\n".join(" ".join(sentences[first : first + _PARAGRAPH]) for first in cut),
        )  # fmt: skip

    def _title(self, topic: str, site: str) -> str:
        form = self._chance.choice(self._words["sentences"]["titles"])
        return _begun(self._filled(form, topic, site))

    def _sentence(self, topic: str, site: str) -> str:
        fashions = [each for each in self._words["fashion"] if self._is_in(each, topic)]
        if fashions and self._chance.random() < _FASHIONABLE:
            said = self._chance.choice(self._chance.choice(fashions)["says"])
            return _begun(self._filled(said, topic, site)) + "."
        return _begun(self._filled(self._often(self._words["sentences"]["forms"]), topic, site))

    def _is_in(self, fashion: Mapping[str, Any], topic: str) -> bool:
        first, last = fashion["first"], fashion["last"]
        grown = (self._day.year - first + 1) / (last - first + 1)
        is_now = first <= self._day.year <= last and fashion["topic"] == topic
        return bool(is_now and self._chance.random() < grown)

    def _filled(self, form: str, topic: str, site: str) -> str:
        deeds = [each for each in self._words["deed"] if each["topic"] == topic]
        deed = self._chance.choice(deeds)
        known: dict[str, str] = {"paper": site}

        def fill(found: re.Match[str]) -> str:
            key = found[1]
            made = known[key] if key in known else self._part(key, deed, known)
            return made[:1].upper() + made[1:] if key[0].isupper() else made

        return _PLACE.sub(fill, form)

    def _part(self, key: str, deed: Mapping[str, str], known: dict[str, str]) -> str:
        """Return what a place is filled with; what belongs together is chosen together."""
        kind = key.rstrip("2").lower()
        if kind in ("past", "done", "base"):
            verb = known.setdefault(f"verb{key[-1:] == '2'}", self._often(deed["verbs"].split()))
            past, done = self._words["verbs"][verb].split()
            return str({"past": past, "done": done, "base": verb}[kind])
        if kind in ("part", "whole"):
            return self._whole(kind, known)
        makers: dict[str, Callable[[], str]] = {
            "actor": lambda: self._noun(self._often(deed["actors"].split())),
            "object": lambda: self._noun(self._often(deed["objects"].split())),
            "actors": lambda: self._plural(deed["actors"]),
            "objects": lambda: self._plural(deed["objects"]),
            "n": lambda: self._often(deed["actors"].split()),
            "adjective": lambda: self._often(
                self._adjectives(self._often(deed["objects"].split()))
            ),
            "place": lambda: self._filled_from("places"),
            "time": lambda: self._filled_from("times"),
            "town": lambda: self._often(self._words["sentences"]["towns"].split()),
            "thing": lambda: self._often(self._words["sentences"]["things"].split()),
            "name": self._name,
            "number": lambda: self._often(_NUMBERS),
            "day": lambda: self._chance.choice(_DAYS),
            "month": lambda: self._chance.choice(_MONTHS),
            "hour": lambda: f"{self._chance.randint(1, 11)} o'clock",
        }
        return makers[kind]()

    def _filled_from(self, name: str) -> str:
        form = self._often(self._words["sentences"][name])
        return _PLACE.sub(lambda found: self._part(found[1], {}, {}), form)

    def _whole(self, kind: str, known: dict[str, str]) -> str:
        """Return a thing, or the part of it that was chosen with it."""
        whole = known.setdefault("whole", self._often(list(self._words["parts"])))
        known.setdefault("part", self._often(self._words["parts"][whole].split()))
        return known[kind]

    def _noun(self, noun: str) -> str:
        described = noun
        if self._chance.random() < _DESCRIBED:
            described = f"{self._often(self._adjectives(noun))} {noun}"
        if self._chance.random() < 0.6:
            return f"the {described}"
        return f"{'an' if described.startswith(_VOWELS) else 'a'} {described}"

    def _plural(self, nouns: str) -> str:
        noun = self._often(nouns.split())
        plural = self._words["nouns"][noun].split()[0]
        if self._chance.random() < _DESCRIBED:
            return f"{self._often(self._adjectives(noun))} {plural}"
        return str(plural)

    def _adjectives(self, noun: str) -> Sequence[str]:
        return self._words["nouns"][noun].split()[1:] or ("good",)

    def _name(self) -> str:
        return self._often(self._words["sentences"]["names"].split("|"))

    def _often(self, words: Sequence[str]) -> str:
        """Return one of some words: the first most often, the next half, the third a third."""
        sums = list(accumulate(1 / place for place in range(1, len(words) + 1)))
        return self._chance.choices(words, cum_weights=sums)[0]


def _begun(text: str) -> str:
    return text[:1].upper() + text[1:]
