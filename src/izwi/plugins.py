"""Which parts are installed, by name: sources, extractors, languages, annotators, and more.

Built-in parts are registered as entry points in pyproject.toml, like anyone else's.
"""

import difflib
import os
import sys
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from importlib import import_module
from operator import attrgetter
from pathlib import Path
from typing import Any

from izwi.model.errors import PluginError
from izwi.model.records import dataclass

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


@dataclass(frozen=True, slots=True)
class _Entry:
    """A line of a package's entry points, and the folder that describes the package."""

    name: str
    target: str
    folder: Path

    def load(self) -> Any:
        """Return what the line names."""
        module, _, attribute = self.target.partition(":")
        found = import_module(module)
        return attrgetter(attribute)(found) if attribute else found


@cache
def _found() -> dict[str, dict[str, _Entry]]:
    """Return the parts of each group by name, looked up once: that goes through all packages."""
    found: dict[str, dict[str, _Entry]] = {group: {} for group in GROUPS}
    for folder in _packages().values():
        for group, name, target in _entry_lines(folder / "entry_points.txt"):
            if group in found:
                # Extras in brackets after it are no part of a name.
                target = target.partition("[")[0].rstrip()
                found[group].setdefault(name, _Entry(name, target, folder))
    return found


def _packages() -> dict[str, Path]:
    """Return the folder that describes each installed package, by its name; the first one counts.

    As the standard library finds them, in a third of its time: `importlib.metadata` reads what
    describes a package as mail, and each command would load that.
    """
    found: dict[str, Path] = {}
    for place in sys.path:
        try:
            with os.scandir(place or ".") as entries:
                names = sorted(entry.name for entry in entries)
        except OSError:
            continue  # an archive, or nothing at all
        for name in names:
            if name.endswith((".dist-info", ".egg-info")):
                package = _plain(name.rpartition(".")[0].partition("-")[0])
                found.setdefault(package, Path(place) / name)
    return found


def _plain(name: str) -> str:
    return name.lower().replace("-", "_").replace(".", "_")


def _entry_lines(path: Path) -> Iterator[tuple[str, str, str]]:
    """Yield group, name and target of each entry point in a package's file."""
    try:
        lines = path.read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        return
    group = ""
    for line in map(str.strip, lines):
        if line.startswith("["):
            group = line[1:].partition("]")[0].strip()
        elif "=" in line and not line.startswith(("#", ";")):
            name, _, target = line.partition("=")
            yield group, name.strip(), target.strip()


@cache
def _packages_at(places: tuple[str, ...]) -> dict[str, Path]:
    """Return the same as `_packages`, looked up once for a path."""
    return _packages()


def version(package: str) -> str:
    """Return the version of an installed package."""
    folder = _packages_at(tuple(sys.path)).get(_plain(package))
    found = _described(folder)[1] if folder else ""
    if not found:
        from importlib.metadata import version as version_of

        return version_of(package)
    return found


def _described(folder: Path) -> tuple[str, str]:
    """Return the name and version of a package, by the head of the file that describes it."""
    known = {"name": "", "version": ""}
    for name in ("METADATA", "PKG-INFO"):
        try:
            text = (folder / name).read_text(encoding="utf-8", errors="replace")
        except OSError:
            continue
        for line in text.partition("\n\n")[0].splitlines():
            key, _, value = line.partition(":")
            if not known.get(key.lower(), "."):
                known[key.lower()] = value.strip()
        break
    return known["name"], known["version"]


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
    own = _OWN_PACKAGES.get(_entry(group, name).target)
    found: tuple[str, ...] = load(group, name).depends_on if own is None else own
    return found


def load(group: str, name: str) -> Any:
    """Return the class or function registered under that name."""
    entry = _entry(group, name)
    try:
        return entry.load()
    except (ImportError, AttributeError) as error:
        raise PluginError(f"The {_noun(group)} '{name}' cannot be loaded: {error}.") from error


def _entry(group: str, name: str) -> _Entry:
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


def _describe(group: str, entry: _Entry) -> Plugin:
    name, version = _described(entry.folder)
    return Plugin(group, entry.name, name, version, entry.target, str(entry.folder.parent))
