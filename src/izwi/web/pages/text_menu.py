"""Which texts a reader may choose to compare: by name instead of by a condition."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from izwi.cases.corpus import Corpus
from izwi.model.analyses import SUBCORPUS, WHERE, escaped
from izwi.model.errors import IzwiError, QueryError
from izwi.model.reading import Part
from izwi.web.pages.addresses import Here
from izwi.web.session.reader import gettext as _
from izwi.web.site import Site

CORPUS = "corpus:"
# The other documents of the same corpus.
REST = "rest"
_MOST_A_GROUP = 40
# Words to begin with: frequent, but not those that every text has. Scripts without capitals count.
_SAYING, _SHORTER, _MOST_EXAMPLES = r"[\p{Ll}\p{Lo}]{9,}", r"[\p{Ll}\p{Lo}]{4,}", 4
# Nobody waits for an example: a page of a large corpus does without those that take longer.
_EXAMPLE_SECONDS = 2.0
_YEARS = re.compile(r"(\d{4})(?:\s*(?:-|–|to)\s*(\d{4}))?", re.ASCII)


@dataclass(frozen=True, slots=True)
class TextChoice:
    """A text one may choose: its value in an address, and what it is called."""

    value: str
    name: str


@dataclass(frozen=True, slots=True)
class ChoiceGroup:
    """Texts of one kind."""

    name: str
    choices: tuple[TextChoice, ...]


@dataclass(frozen=True, slots=True)
class Contrast:
    """Two texts worth comparing, as an example: what it is called, and the two conditions."""

    name: str
    first: str
    second: str


def parts_of(corpus: Corpus) -> tuple[ChoiceGroup, ...]:
    """Return the parts of a corpus by kind; values are conditions on documents."""
    parts = corpus.parts
    years = [TextChoice(where, name) for name, where in _long_periods(parts["year"])]
    own = [TextChoice(each.where, each.name) for each in corpus.subcorpora()]
    found = (
        ChoiceGroup(_("Saved subcorpora"), tuple(own)),
        ChoiceGroup(_("Publications"), _choices(parts["publication"])),
        ChoiceGroup(_("Sources"), _choices(parts["source"])),
        ChoiceGroup(_("Sections"), _choices(parts["section"])),
        ChoiceGroup(_("Time"), (*years, *reversed(_choices(parts["year"])))),
    )
    return tuple(group for group in found if group.choices)


def texts_of(site: Site, corpus: Corpus) -> tuple[ChoiceGroup, ...]:
    """Return everything a text may be compared with; values are as the analyses take them."""
    groups = [
        ChoiceGroup(
            group.name, tuple(replace(each, value=f"{WHERE}{each.value}") for each in group.choices)
        )
        for group in parts_of(corpus)
    ]
    others = [TextChoice(f"{CORPUS}{name}", name) for name in site.corpora if name != corpus.name]
    lists = [TextChoice(name, name) for name in corpus.lists["references"]]
    groups.append(ChoiceGroup(_("Other corpora"), tuple(others)))
    groups.append(ChoiceGroup(_("Frequency lists"), tuple(lists)))
    return tuple(group for group in groups if group.choices)


def name_among(groups: Sequence[ChoiceGroup], value: str) -> str:
    """Return what a chosen text is called; empty if it is none of the choices."""
    every = (each for group in groups for each in group.choices)
    return next((each.name for each in every if each.value == value), "")


def contrasts(corpus: Corpus) -> tuple[Contrast, ...]:
    """Return examples of what one might compare in a corpus."""
    return tuple(_contrasts(corpus.parts))


def _contrasts(parts: dict[str, tuple[Part, ...]]) -> Iterator[Contrast]:
    for name in ("publication", "section"):
        for part in parts[name][: 2 if len(parts[name]) > 1 else 0]:
            words = _("%(part)s against the rest") % {"part": part.value}
            yield Contrast(words, part.where, f"!({part.where})")
    halves = list(_long_periods(parts["year"]))
    if len(halves) == 2:
        (early, before), (late, after) = halves
        words = _("%(first)s against %(second)s") % {"first": late, "second": early}
        yield Contrast(words, after, before)


def example_words(corpus: Corpus, version: int | None = None) -> tuple[str, ...]:
    """Return some words that a corpus has, long enough to say something."""
    try:
        found = corpus.wordlist(
            pattern=_SAYING, most=_MOST_EXAMPLES, version=version, timeout=_EXAMPLE_SECONDS
        )
    except IzwiError:
        return ()
    return tuple(line.value for line in found.lines)


def example_phrase(corpus: Corpus, version: int | None = None) -> str:
    """Return two words that often follow each other in a corpus; empty if there are none."""
    try:
        found = corpus.ngrams(
            2, pattern=_SHORTER, most=1, version=version, timeout=_EXAMPLE_SECONDS
        )
    except IzwiError:
        return ""
    return found.lines[0].value if found.lines else ""


def _choices(parts: Sequence[Part]) -> tuple[TextChoice, ...]:
    return tuple(TextChoice(part.where, part.value) for part in parts[:_MOST_A_GROUP])


def _long_periods(years: Sequence[Part]) -> Iterator[tuple[str, str]]:
    """Yield the first and the second half of the years, if there are enough."""
    names = [part.value for part in years]
    if len(names) < 4:
        return
    middle = len(names) // 2
    for own in (names[:middle], names[middle:]):
        yield f"{own[0]}–{own[-1]}", _in_years(int(own[0]), int(own[-1]))


def _in_years(first: int, last: int) -> str:
    return f'date="({"|".join(_year_prefixes(first, last))}).*"'


def _year_prefixes(first: int, last: int) -> Iterator[str]:
    """Yield what the years of a span begin with: a whole decade or century is one piece.

    >>> list(_year_prefixes(1799, 2011))
    ['1799', '18', '19', '200', '2010', '2011']
    """
    year = first
    while year <= last:
        wide = next(n for n in (1000, 100, 10, 1) if year % n == 0 and year + n - 1 <= last)
        yield f"{year:04d}"[: 5 - len(str(wide))]
        year += wide


def text_here(site: Site, corpus: Corpus, named: str) -> str:
    """Return a text that readers may name, also by a plain name; no other files of the server's."""
    if not named or named.startswith((SUBCORPUS, WHERE)):
        return named
    if named.startswith(CORPUS):
        return str(site.corpus(named.removeprefix(CORPUS)).path)
    if named in corpus.lists["references"]:
        return named
    return _by_plain_name(site, corpus, named.strip())


def _by_plain_name(site: Site, corpus: Corpus, name: str) -> str:
    years = _YEARS.fullmatch(name)
    if years:
        first, last = int(years[1]), int(years[2] or years[1])
        if last < first:
            raise QueryError(f"'{name}' ends before it begins; write {last}-{first}.")
        return f"{WHERE}{_in_years(first, last)}"
    if name in {source.name for source in corpus.config.sources}:
        return f'{WHERE}source="{escaped(name)}"'
    if name in {each.name for each in corpus.subcorpora()}:
        return f"{SUBCORPUS}{name}"
    for kind in ("publication", "host", "section"):
        for part in corpus.parts[kind]:
            if part.value.casefold() == name.casefold():
                return f"{WHERE}{part.where}"
    if name in site.corpora:
        return str(site.corpora[name].path)
    raise _unknown(corpus, name)


def _unknown(corpus: Corpus, name: str) -> QueryError:
    sources = ", ".join(source.name for source in corpus.config.sources[:12]) or "none"
    lists = ", ".join(corpus.lists["references"]) or "none"
    return QueryError(
        f"There is no text '{name}' here. Name a publication, a source ({sources}), a section, "
        "a year or years (2010-2019), a subcorpus, another corpus, a frequency list of the corpus "
        f"({lists}), or a condition after where:"
    )


def rest_beside(corpus: Corpus, first: str) -> str:
    """Return the text that is all of the corpus but another."""
    if first.startswith(WHERE):
        return f"{WHERE}!({first.removeprefix(WHERE)})"
    if first.startswith(SUBCORPUS):
        name = first.removeprefix(SUBCORPUS)
        saved = {each.name: each.where for each in corpus.subcorpora()}
        if name not in saved:
            known = ", ".join(sorted(saved)) or "none"
            raise QueryError(f"There is no subcorpus '{name}'. Saved subcorpora: {known}.")
        return f"{WHERE}!({saved[name]})"
    return ""


def with_text(place: Here, name: str, value: str, *typed: str) -> Here:
    """Return an address in which one parameter names a text, and those it was typed in are gone."""
    gone = (name, *typed)
    kept = tuple(pair for pair in place.parameters if pair[0] not in gone)
    return Here(place.path, (*kept, (name, value)) if value else kept)
