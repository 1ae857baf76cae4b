"""Which tag patterns make the relations of a word sketch: data of a language, not code."""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any

from izwi.model.errors import ConfigError, QueryError
from izwi.model.languages import iso639_3
from izwi.model.notation import read_toml

# A corpus may have a grammar of its own, for another tag set or language.
OWN_GRAMMAR = "sketches.toml"
_LONGEST_GAP = 12
# The grammar for tags of Universal Dependencies, of whatever language.
UNIVERSAL = "ud"


@dataclass(frozen=True, slots=True)
class TokenClass:
    """Tokens with a tag that an expression matches, and with or without certain lemmas."""

    name: str
    tag: str
    lemmas: tuple[str, ...] = ()
    other_lemmas: tuple[str, ...] = ()

    def cql(self, tags: str) -> str:
        """Return the class as a condition of CQL, given the name of the tags."""
        parts = [f'{tags}="{self.tag}"']
        if self.lemmas:
            parts.append(f'lemma="{"|".join(self.lemmas)}"')
        if self.other_lemmas:
            parts.append(f'lemma!="{"|".join(self.other_lemmas)}"')
        return " & ".join(parts)


@dataclass(frozen=True, slots=True)
class Step:
    """From an origin over a gap to an aim: the nearest that nothing of some classes follows."""

    origin: TokenClass
    gap: tuple[TokenClass, ...]
    most: int
    aim: TokenClass
    not_before: tuple[TokenClass, ...] = ()


@dataclass(frozen=True, slots=True)
class Pattern:
    """A relation of two words, perhaps by way of a third, and its names from either end."""

    steps: tuple[Step, ...]
    source_sees: str
    target_sees: str

    @property
    def source(self) -> TokenClass:
        """The first word."""
        return self.steps[0].origin

    @property
    def target(self) -> TokenClass:
        """The last word."""
        return self.steps[-1].aim

    @property
    def has_link(self) -> bool:
        """Whether a third word stands between."""
        return len(self.steps) > 1


@dataclass(frozen=True, slots=True)
class Grammar:
    """The patterns of a language, its classes that people name, and words that point back."""

    language: str
    patterns: tuple[Pattern, ...]
    class_by_pos: tuple[tuple[str, TokenClass], ...]
    anaphora: frozenset[str] = frozenset()
    # Where its tags are; the language's own if it names none.
    tags: tuple[str, ...] = ()

    def class_of(self, pos: str) -> TokenClass:
        """Return the class people call by a name such as noun."""
        known = dict(self.class_by_pos)
        if pos not in known:
            raise QueryError(f"'{pos}' is not a part of speech here; known are {', '.join(known)}.")
        return known[pos]


def grammar_for(language: str, folder: Path | None = None, *, has_ud: bool = False) -> Grammar:
    """Return the grammar of a language, or the one a corpus folder brings along.

    A language without one has that of Universal Dependencies, if the corpus has such tags.
    """
    own = folder / OWN_GRAMMAR if folder else None
    if own is not None and own.exists():
        return read_grammar(own.read_text(encoding="utf-8"), str(own))
    code = iso639_3(language)
    if code not in languages() and has_ud:
        return replace(_built_in(UNIVERSAL), language=code)
    if code not in languages():
        known = ", ".join(languages())
        raise QueryError(
            f"There is no sketch grammar for '{language}'; there are some for {known}. "
            f"Put one into the corpus folder as {OWN_GRAMMAR} "
            "(docs/explanation/lexicography.md says how)."
        )
    return _built_in(code)


@cache
def languages() -> tuple[str, ...]:
    """Return the languages that have a grammar."""
    names = (file.name for file in files("izwi.analyse").joinpath("grammars").iterdir())
    found = (name.removesuffix(".toml") for name in names if name.endswith(".toml"))
    return tuple(sorted(name for name in found if name != UNIVERSAL))


@cache
def _built_in(code: str) -> Grammar:
    file = files("izwi.analyse").joinpath("grammars", f"{code}.toml")
    return read_grammar(file.read_text(encoding="utf-8"), file.name)


def read_grammar(text: str, name: str) -> Grammar:
    """Return the grammar written in a TOML text; errors say what is wrong in which file."""
    try:
        given = read_toml(text)
        classes = {key: _class(key, value) for key, value in given["classes"].items()}
        return Grammar(
            language=given["language"],
            patterns=tuple(_pattern(row, classes) for row in given["pattern"]),
            class_by_pos=tuple((pos, classes[key]) for pos, key in given["pos"].items()),
            anaphora=frozenset(given.get("examples", {}).get("anaphora", ())),
            tags=tuple(given.get("tags", ())),
        )
    except tomllib.TOMLDecodeError as error:
        raise ConfigError(f"{name} is not TOML: {error}.") from error
    except KeyError as error:
        raise ConfigError(f"{name}: {error} is missing, or is no class of [classes].") from error
    except (TypeError, AttributeError, ValueError) as error:
        raise ConfigError(f"{name}: {error}.") from error


def _class(name: str, given: Mapping[str, Any]) -> TokenClass:
    return TokenClass(
        name, given["tag"], tuple(given.get("lemma", ())), tuple(given.get("not_lemma", ()))
    )


def _pattern(given: Mapping[str, Any], classes: Mapping[str, TokenClass]) -> Pattern:
    most = int(given["most"])
    if not 0 <= most <= _LONGEST_GAP:
        raise ValueError(f"most = {most}: a gap has 0 to {_LONGEST_GAP} tokens")
    source, target = classes[given["source"]], classes[given["target"]]
    gap = tuple(classes[key] for key in given["gap"])
    not_before = tuple(classes[key] for key in given.get("not_before", ()))
    if "link" not in given:
        steps: tuple[Step, ...] = (Step(source, gap, most, target, not_before),)
    else:
        link, before = classes[given["link"]], tuple(classes[key] for key in given["link_gap"])
        first = Step(source, before, 3 if before else 0, link)
        steps = (first, Step(link, gap, most, target, not_before))
    return Pattern(steps, given["source_sees"], given["target_sees"])
