"""Which parts are installed, by name: sources, extractors, languages, annotators, and more.

Built-in parts are registered as entry points in pyproject.toml, like anyone else's.
"""

import difflib
from dataclasses import replace
from functools import cache
from typing import TYPE_CHECKING, Any

from izwi.model.errors import PluginError
from izwi.model.records import dataclass

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

GROUPS = (
    "izwi.sources",
    "izwi.extractors",
    "izwi.languages",
    "izwi.language_packs",
    "izwi.annotators",
    "izwi.exporters",
    "izwi.runners",
    "izwi.cases",
)


@dataclass(frozen=True, slots=True)
class Plugin:
    """A named part and the distribution it came with."""

    group: str
    name: str
    distribution: str
    version: str
    # What is loaded (module:name), and the folder it is installed in.
    target: str = ""
    place: str = ""
    # Why it cannot be loaded, where somebody tried.
    problem: str = ""


# What the parts that are there by default stand on, as their classes say it too: what is planned
# with them need not load them.
_OWN_PACKAGES = {
    "izwi.text.extract.learnt:Izwi": ("selectolax",),
    "izwi.text.language.ngrams:Izwi": (),
    "izwi.annotate.izwi:Izwi": (),
}


@cache
def _found() -> "dict[str, dict[str, EntryPoint]]":
    """Return the parts of each group by name, looked up once: that goes through all packages."""
    from importlib.metadata import entry_points

    installed = entry_points()
    return {group: {each.name: each for each in installed.select(group=group)} for group in GROUPS}


def installed(group: str) -> list[Plugin]:
    """Return the parts of a group, by name."""
    return [_describe(group, entry) for _, entry in sorted(_found()[group].items())]


def overview(*, is_tried: bool = False) -> list[Plugin]:
    """Return all parts of all groups; if they are tried, with what keeps one from being loaded."""
    found = [part for group in GROUPS for part in installed(group)]
    return [replace(part, problem=_problem(part)) for part in found] if is_tried else found


def _problem(part: Plugin) -> str:
    try:
        _found()[part.group][part.name].load()
    except Exception as error:  # whatever another's package does while it is imported
        return f"{type(error).__name__}: {error}"
    return ""


def describe(group: str, name: str) -> Plugin:
    """Return one part's name and version, for fingerprints and reports."""
    return _describe(group, _entry(group, name))


def check(group: str, name: str) -> None:
    """Raise PluginError unless there is a part of that name."""
    _entry(group, name)


def depends_on(group: str, name: str) -> tuple[str, ...]:
    """Return the distributions whose versions change what a part gives."""
    own = _OWN_PACKAGES.get(_entry(group, name).value)
    found: tuple[str, ...] = load(group, name).depends_on if own is None else own
    return found


def load(group: str, name: str) -> Any:
    """Return the class or function registered under that name."""
    entry = _entry(group, name)
    try:
        return entry.load()
    except (ImportError, AttributeError) as error:
        raise PluginError(f"The {_noun(group)} '{name}' cannot be loaded: {error}.") from error


def _entry(group: str, name: str) -> "EntryPoint":
    found = _found()[group]
    if name not in found:
        raise PluginError(_unknown(group, name, sorted(found)))
    return found[name]


def _unknown(group: str, name: str, known: list[str]) -> str:
    close = difflib.get_close_matches(name, known, n=1)
    suggestion = f" Did you mean '{close[0]}'?" if close else ""
    listing = ", ".join(known) or "none"
    return f"There is no {_noun(group)} '{name}'.{suggestion} Installed: {listing}."


def _noun(group: str) -> str:
    return group.removeprefix("izwi.").removesuffix("s")


def _describe(group: str, entry: "EntryPoint") -> Plugin:
    distribution = entry.dist
    if distribution is None:
        return Plugin(group, entry.name, "", "", entry.value)
    place = str(distribution.locate_file(""))
    return Plugin(group, entry.name, distribution.name, distribution.version, entry.value, place)
