"""Language packs: folders with all that is known of a language, named by a corpus or installed.

A pack holds `card.json` (what it is and how good) and some of `identifier.npz`, `profile.json`,
`tagger.npz`, `lexicon.tsv`, `abbreviations.txt` and `clitics.txt`. An installed one is an entry
point of the group `izwi.language_packs`: a package whose folder is the pack.
"""

import dataclasses
import hashlib
import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from shutil import copyfile
from typing import Any

from izwi import plugins
from izwi.config.schema import AnnotateLanguage, CorpusConfig
from izwi.model.errors import ConfigError
from izwi.model.languages import code_of_name

GROUP = "izwi.language_packs"
CARD = "card.json"
TEXTS = ("abbreviations.txt", "clitics.txt")
PARTS = ("identifier.npz", "profile.json", "tagger.npz", "lexicon.tsv", *TEXTS)


@dataclass(frozen=True, slots=True)
class Pack:
    """A language in a folder; the card says where it comes from and how good it is."""

    code: str
    folder: Path
    card: Mapping[str, Any]

    def part(self, name: str) -> Path | None:
        """Return the file of a part, None if the pack lacks it."""
        path = self.folder / name
        return path if path.is_file() else None

    def copy_to(self, folder: Path) -> None:
        """Copy the parts and the card, and nothing else that lies beside them."""
        folder.mkdir(parents=True, exist_ok=True)
        for name in (*PARTS, CARD):
            if path := self.part(name):
                copyfile(path, folder / name)

    def lines(self, name: str) -> tuple[str, ...]:
        """Return the lines of a part, none if the pack lacks it."""
        path = self.part(name)
        if path is None:
            return ()
        try:
            return tuple(path.read_text(encoding="utf-8-sig").splitlines())
        except UnicodeDecodeError as error:
            raise ConfigError(f"{path} is not UTF-8 text.") from error

    @property
    def figures(self) -> dict[str, float]:
        """How good its parts are, as its card says."""
        found = self.card.get("figures") or {}
        return {str(key): float(value) for key, value in found.items()}

    def words(self, name: str) -> tuple[str, ...]:
        """Return the words of a part, one a line."""
        return tuple(line.strip() for line in self.lines(name) if line.strip())

    def digest(self, name: str) -> str:
        """Return a hash of what a part holds."""
        path = self.part(name)
        return hashlib.blake2b(path.read_bytes(), digest_size=8).hexdigest() if path else ""


def check_code(code: str) -> str:
    """Return an ISO 639-3 code, a sentence for anything else: folders are named by it.

    >>> check_code("bem")
    'bem'
    """
    if not re.fullmatch("[a-z]{3}", str(code)):
        named = code_of_name(str(code))
        known = f" The code of {code} is {named}." if named else ""
        raise ConfigError(
            f"'{code}' is not an ISO 639-3 code; write three letters, e.g. xyz.{known}"
        )
    return code


def open_pack(folder: Path) -> Pack:
    """Return the pack in a folder; a sentence if it is none."""
    try:
        card = json.loads((folder / CARD).read_text(encoding="utf-8"))
        found = Pack(check_code(card["code"]), folder.resolve(), card)
        _ = found.figures  # which may be no numbers
        return found
    except (
        ConfigError, OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError,
    ) as error:  # fmt: skip
        raise ConfigError(
            f"{folder} is no language pack: its {CARD} cannot be read ({error})."
        ) from error


def find_pack(name: str, folder: Path) -> Pack:
    """Return the pack in a folder of that name, or the one installed under it."""
    if (folder / name).is_dir():
        return open_pack(folder / name)
    installed = {plugin.name for plugin in plugins.installed(GROUP)}
    if name not in installed:
        known = f" Installed: {', '.join(sorted(installed))}." if installed else ""
        raise ConfigError(
            f"'{name}' is neither a folder in {folder} nor an installed language pack.{known} "
            "Make one: izwi language make CODE --text sample.txt"
        )
    found = plugins.load(GROUP, name)
    return open_pack(Path(getattr(found, "__file__", None) or found).parent)


def installed_packs() -> Iterator[Pack]:
    """Yield the packs that are installed, by name."""
    for plugin in plugins.installed(GROUP):
        yield find_pack(plugin.name, Path("/"))


def with_packs(config: CorpusConfig, filename: str) -> CorpusConfig:
    """Return the configuration with what its packs bring; what the user says stands over it."""
    packs = []
    for name in config.corpus.language_packs:
        try:
            packs.append(find_pack(name, Path(filename).parent))
        except ConfigError as error:
            raise ConfigError(f"{filename}: [corpus] language_packs: {error}") from error
    if not packs:
        return config
    digests = {
        f"{pack.code}.{name}": pack.digest(name)
        for pack in packs
        for name in ("identifier.npz", "profile.json")
        if pack.part(name)
    }
    language = dataclasses.replace(
        config.language,
        packs={pack.code: str(pack.folder) for pack in packs},
        digests={**config.language.digests, **digests},
    )
    own = config.annotate.languages
    brought = {
        pack.code: _annotating(pack, own.get(pack.code, AnnotateLanguage())) for pack in packs
    }
    annotate = dataclasses.replace(config.annotate, languages={**own, **brought})
    return dataclasses.replace(config, language=language, annotate=annotate)


def _annotating(pack: Pack, own: AnnotateLanguage) -> AnnotateLanguage:
    """Return how a language is annotated: by the user's own files, else by the pack's."""
    tagger = pack.part("tagger.npz")
    is_given = bool(own.model or own.method or tagger is None)
    return dataclasses.replace(
        own,
        model=own.model if is_given else str(tagger),
        digests=own.digests if is_given else {**own.digests, "model": pack.digest("tagger.npz")},
        # Of two lines for a word the later one counts.
        lexicon_lines=(*pack.lines("lexicon.tsv"), *own.lexicon_lines),
        abbreviations=pack.words("abbreviations.txt"),
        clitics=pack.words("clitics.txt"),
    )
