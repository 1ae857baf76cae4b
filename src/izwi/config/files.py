"""Files of the corpus folder that corpus.toml names: found, read or hashed with it."""

import dataclasses
import hashlib
from pathlib import Path

from izwi.config.schema import AnnotateLanguage, LanguageSection, VarietySection
from izwi.model.errors import ConfigError

# What `izwi train language --method` knows.
_TRAINABLE = ("izwi", "profile-distance", "kneser-ney")
_LISTS = ("words", "spellings", "other_spellings")


def with_models(section: LanguageSection, filename: str) -> LanguageSection:
    """Return the section with its files by their whole path, and hashes of what they hold."""
    named = {name: getattr(section, name) for name in ("model", "profiles")}
    if section.model and section.method not in _TRAINABLE:
        raise ConfigError(
            f"{filename}: [language] model goes with a method one can train "
            f"({', '.join(_TRAINABLE)}), not '{section.method}'."
        )
    paths = {name: _found("language", name, value, filename) for name, value in named.items()}
    digests = {name: _digest(path.read_bytes()) for name, path in paths.items() if path}
    whole = {name: str(path.resolve()) for name, path in paths.items() if path}
    return dataclasses.replace(section, digests=digests, **whole)  # type: ignore[arg-type]


def with_files(language: AnnotateLanguage, folder: Path) -> AnnotateLanguage:
    """Return the settings with files of the corpus folder by their whole path and content.

    A model may also be a name that only its annotator understands.
    """
    files = {name: folder / getattr(language, name) for name in ("model", "segments")}
    found = {name: path for name, path in files.items() if path.is_file()}
    digests = {name: _digest(path.read_bytes()) for name, path in found.items()}
    whole = {name: str(path.resolve()) for name, path in found.items()}
    return dataclasses.replace(language, digests=digests, **whole)  # type: ignore[arg-type]


def with_lists(section: VarietySection, filename: str) -> VarietySection:
    """Return the section with the words of its lists, one a line in their files."""
    lists = {}
    for name in _LISTS:
        path = _found("variety", name, getattr(section, name), filename)
        if path:
            lists[name] = _lines(path, f"{filename}: [variety] {name}")
    return dataclasses.replace(section, lists=lists)


def _found(section: str, key: str, value: str, filename: str) -> Path | None:
    if not value:
        return None
    path = Path(filename).parent / value
    if not path.is_file():
        raise ConfigError(
            f"{filename}: [{section}] {key} = '{value}' is not a file in the corpus folder."
        )
    return path


def _lines(path: Path, place: str) -> tuple[str, ...]:
    try:
        text = path.read_text(encoding="utf-8-sig")
    except UnicodeDecodeError as error:
        raise ConfigError(f"{place} = '{path.name}' is not UTF-8 text.") from error
    return tuple(line.strip() for line in text.splitlines() if line.strip())


def _digest(content: bytes) -> str:
    return hashlib.blake2b(content, digest_size=8).hexdigest()
