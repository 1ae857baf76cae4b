"""Reading corpus.toml and what it names: errors say the file, the key, the value, what is right.

Which tables of corpus.toml are right as they stand, so that no validator need be loaded. Loading
pydantic and having it make a checker for each kind of table takes a tenth of a second, a fifth of a
short command. Words, numbers and lists that are plainly of the kind asked for pass here; whatever
is not is pydantic's to judge, in its words.
"""

import dataclasses
import difflib
import hashlib
import re
import tomllib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from types import NoneType, UnionType
from typing import TYPE_CHECKING, Any, Literal, get_args, get_origin

from izwi import plugins
from izwi.config import schema
from izwi.config.language_packs import with_packs
from izwi.config.schema import (
    AnnotateLanguage,
    CorpusConfig,
    LanguageSection,
    Source,
    VarietySection,
)
from izwi.model.errors import ConfigError, PluginError, no_corpus
from izwi.model.languages import iso639_3
from izwi.model.notation import read_toml
from izwi.model.portal import Portal

if TYPE_CHECKING:
    from pydantic import TypeAdapter
    from pydantic_core import ErrorDetails


SECTIONS: Mapping[str, type] = {
    "corpus": schema.CorpusSection,
    "gather": schema.GatherSection,
    "extract": schema.ExtractSection,
    "language": schema.LanguageSection,
    "dedup": schema.DedupSection,
    "select": schema.SelectSection,
    "annotate": schema.AnnotateSection,
    "index": schema.IndexSection,
    "variety": schema.VarietySection,
    "build": schema.BuildSection,
    "store": schema.StoreSection,
    "search": schema.SearchSection,
    "schedule": schema.ScheduleSection,
    "alerts": schema.AlertsSection,
}
_REQUIRED = ("corpus", "gather")
# Of one word in a sentence; a longer one, such as a picture pasted into a key, is cut.
_LONG_WORD = re.compile(r"(\S{200})\S{300,}(\S{20})")
_USUAL_EXTRACTOR = schema.ExtractSection().method


def load(path: Path) -> CorpusConfig:
    """Return the checked configuration in a file."""
    try:
        text = path.read_text(encoding="utf-8")
    except FileNotFoundError:
        raise no_corpus(path.parent) from None
    except UnicodeDecodeError as error:
        raise ConfigError(
            f"{path}: the file is not UTF-8 (byte {error.start}). Save it as UTF-8."
        ) from None
    except OSError as error:
        raise ConfigError(f"{path} cannot be read: {error.strerror or error}.") from error
    return parse(text, str(path))


def parse(text: str, filename: str = "corpus.toml") -> CorpusConfig:
    """Return the checked configuration in a text."""
    try:
        # Some editors on Windows begin a file with a byte-order mark.
        tables = read_toml(text.removeprefix("\ufeff"))
    except tomllib.TOMLDecodeError as error:
        raise ConfigError(f"{filename}: not valid TOML: {error}.") from None
    try:
        return _config(tables, filename)
    except ConfigError as error:
        raise ConfigError(_LONG_WORD.sub(r"\1…\2", str(error))) from error


def _config(tables: dict[str, Any], filename: str) -> CorpusConfig:
    _refuse_unknown(tables, [*SECTIONS, "source"], filename)
    if isinstance(tables.get("annotate"), dict):
        tables["annotate"] = _annotate_table(tables["annotate"], filename)
    sections = {name: _section(name, tables.get(name), filename) for name in SECTIONS}
    listed, portals, options = _without_extras(tables.get("source", []), filename)
    sources = _sources(listed, filename)
    paused = _paused(tables.get("source", []), filename)
    config = CorpusConfig(
        sources=sources, paused=paused, portals=portals, source_options=options,
        publications=_publications(tables.get("source", []), filename), **sections,
    )  # fmt: skip
    config = dataclasses.replace(
        config,
        extract=_with_options(config, filename),
        language=with_models(config.language, filename),
        variety=with_lists(config.variety, filename),
    )
    config = with_packs(config, filename)
    return _with_models(config, filename)


def _section(name: str, table: object, filename: str) -> Any:
    if table is None and name in _REQUIRED:
        raise ConfigError(f"{filename}: the table [{name}] is missing.")
    return _checked(SECTIONS[name], {} if table is None else table, f"[{name}]", filename)


def _annotate_table(table: Mapping[str, Any], filename: str) -> dict[str, Any]:
    """Return the table with those of single languages gathered, and their lexicons read."""
    keys = {key: value for key, value in table.items() if not isinstance(value, dict)}
    languages = {
        iso639_3(code): _annotate_language(code, value, filename)
        for code, value in table.items()
        if isinstance(value, dict)
    }
    return {**keys, "languages": languages} if languages else keys


def _annotate_language(code: str, table: Mapping[str, Any], filename: str) -> Any:
    place = f"[annotate.{code}]"
    found = _checked(schema.AnnotateLanguage, table, place, filename)
    if found.method:
        with _naming(f"{place} method", filename):
            plugins.check("izwi.annotators", found.method)
    found = with_files(found, Path(filename).parent)
    path = _found(f"annotate.{code}", "lexicon", found.lexicon, filename)
    if path is None:
        return found
    try:
        text = path.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigError(
            f"{filename}: {place} lexicon = '{found.lexicon}' cannot be read: {error}."
        ) from error
    return dataclasses.replace(found, lexicon_lines=tuple(text.splitlines()))


def _sources(tables: object, filename: str) -> tuple[Source, ...]:
    if not isinstance(tables, list):
        raise ConfigError(f"{filename}: write each source as its own table, headed [[source]].")
    sources = tuple(_source(number, table, filename) for number, table in enumerate(tables, 1))
    names = [source.name for source in sources]
    twice = next((name for name in names if names.count(name) > 1), None)
    if twice is not None:
        raise ConfigError(f"{filename}: two sources are named '{twice}'; give each its own name.")
    return sources


def _source(number: int, table: object, filename: str) -> Source:
    place = f"[[source]] number {number}"
    if not isinstance(table, dict) or "type" not in table:
        raise ConfigError(f'{filename}: {place} has no type, for example type = "feed".')
    place = f"[[source]] '{table.get('name', number)}'"
    with _naming(f"{place} type", filename):
        kind = plugins.load("izwi.sources", str(table["type"]))
    rest = {key: value for key, value in table.items() if key != "type"}
    source: Source = _checked(kind, rest, place, filename)
    return source


def _with_options(config: CorpusConfig, filename: str) -> schema.ExtractSection:
    """Return the extract section with its options checked against the extractor's own."""
    with _naming("[extract] method", filename):
        plugins.check("izwi.extractors", config.extract.method)
    for source in config.sources:
        with _naming(f"[[source]] '{source.name}' method", filename):
            plugins.check("izwi.extractors", source.method or config.extract.method)
    with _naming("[language] method", filename):
        plugins.check("izwi.languages", config.language.method)
    with _naming("[annotate] method", filename):
        plugins.check("izwi.annotators", config.annotate.method)
    if config.extract.options is None and config.extract.method == _USUAL_EXTRACTOR:
        return config.extract  # it comes along and has options of its own: it need not be loaded
    with _naming("[extract] method", filename):
        options = plugins.load("izwi.extractors", config.extract.method).Options
    checked = _checked(options, config.extract.options or {}, "[extract] options", filename)
    return dataclasses.replace(config.extract, options=checked)


def _without_extras(
    tables: object, filename: str
) -> tuple[object, dict[str, Portal], dict[str, Any]]:
    """Return the sources without what all kinds share: their portal's rules and their options."""
    if not isinstance(tables, list) or not all(isinstance(table, dict) for table in tables):
        return tables, {}, {}
    portals: dict[str, Portal] = {}
    options: dict[str, Any] = {}
    for table in tables:
        name = str(table.get("name", ""))
        if "portal" in table:
            portals[name] = _portal(table["portal"], f"[[source]] '{name}' portal", filename)
        if "options" in table:
            place = f"[[source]] '{name}' options"
            if not table.get("method"):
                raise ConfigError(f"{filename}: {place} needs the method they belong to.")
            options[name] = checked_options(str(table["method"]), table["options"], place, filename)
    extras = {"portal", "options", "paused", "publication"}
    listed = [{k: v for k, v in table.items() if k not in extras} for table in tables]
    return listed, portals, options


def _paused(tables: list[dict[str, Any]], filename: str) -> frozenset[str]:
    """Return the names of the sources that rest; any kind of source can."""
    for table in tables:
        if not isinstance(table.get("paused", False), bool):
            place = f"[[source]] '{table['name']}'"
            raise ConfigError(
                f"{filename}: {place} paused = {table['paused']!r} is neither true nor false."
            )
    return frozenset(table["name"] for table in tables if table.get("paused"))


def _publications(tables: list[dict[str, Any]], filename: str) -> dict[str, str]:
    """Return what the publications of single sources are called, by source."""
    named = {table["name"]: table["publication"] for table in tables if "publication" in table}
    for name, said in named.items():
        if not isinstance(said, str) or not said.strip():
            raise ConfigError(
                f"{filename}: [[source]] '{name}' publication = {said!r} is no name, such as "
                '"The Herald".'
            )
    return {name: said.strip() for name, said in named.items()}


def _with_models(config: CorpusConfig, filename: str) -> CorpusConfig:
    """Return the configuration with extractors' model files found, and their content noted."""
    given = {"": config.extract.options, **config.source_options}
    named = {key: own for key, own in given.items() if getattr(own, "model", "")}
    digests, found = {}, dict(given)
    for key, own in named.items():
        path = Path(filename).parent / own.model
        if not _is_file(path):
            raise ConfigError(f"{filename}: options: there is no model '{own.model}'.")
        digests[key] = hashlib.blake2b(path.read_bytes(), digest_size=8).hexdigest()
        found[key] = dataclasses.replace(own, model=str(path.resolve()))
    extract = dataclasses.replace(config.extract, options=found.pop(""))
    return dataclasses.replace(config, extract=extract, source_options=found, model_digests=digests)


def checked_options(method: str, table: object, place: str, filename: str) -> Any:
    """Return the options of an extractor made from a table."""
    with _naming(f"{place}, method", filename):
        kind = plugins.load("izwi.extractors", method).Options
    return _checked(kind, table, place, filename)


def _portal(table: object, place: str, filename: str) -> Portal:
    found: Portal = _checked(Portal, table, place, filename)
    # Only corpora with such rules need the parser here.
    from selectolax.lexbor import LexborHTMLParser, SelectolaxError

    page = LexborHTMLParser("<p>")
    for selector in found.selectors:
        try:
            page.css(selector)
        except (SelectolaxError, ValueError) as error:
            raise ConfigError(f"{filename}: {place}: '{selector}' is no CSS selector.") from error
    return found


@contextmanager
def _naming(place: str, filename: str) -> Iterator[None]:
    """Turn an unknown part into an error that says where it is asked for."""
    try:
        yield
    except PluginError as error:
        raise ConfigError(f"{filename}: {place}: {error}") from error


def _checked(kind: type, table: object, place: str, filename: str) -> Any:
    if not isinstance(table, dict):
        raise ConfigError(f"{filename}: {place} should be a table of keys, not {table!r}.")
    _refuse_unknown(
        table, [field.name for field in dataclasses.fields(kind)], f"{filename}: {place}"
    )
    plain = plain_record(kind, table)
    return _validated(kind, table, place, filename) if plain is NOT_PLAIN else plain


def _validated(kind: type, table: object, place: str, filename: str) -> Any:
    from pydantic import ValidationError

    try:
        return _adapter(kind).validate_python(table)
    except ValidationError as error:
        raise ConfigError(f"{filename}: {place} {_sentence(error.errors()[0])}") from None


@cache
def _adapter(kind: type) -> "TypeAdapter[Any]":
    """Return what checks tables of a kind, made once for all sources of it."""
    from pydantic import TypeAdapter

    return TypeAdapter(kind)


def _refuse_unknown(table: Mapping[str, object], known: list[str], place: str) -> None:
    for key in table:
        if key in known:
            continue
        close = difflib.get_close_matches(key, known, n=1, cutoff=0.5)
        hint = f"did you mean '{close[0]}'?" if close else f"known keys: {', '.join(known)}."
        raise ConfigError(f"{place}: unknown key '{key}'; {hint}")


def _sentence(error: "ErrorDetails") -> str:
    keys = ".".join(str(part) for part in error["loc"])
    if error["type"] in ("missing", "missing_argument"):
        return f"lacks the key '{keys}'."
    if error["type"] == "value_error":
        return f"{error['msg'].removeprefix('Value error, ')}."
    return f"{keys} = {error['input']!r}: {error['msg'][0].lower()}{error['msg'][1:]}."


NOT_PLAIN = object()


def plain_record(kind: type, table: dict[str, Any]) -> Any:
    """Return the record that a table stands for, or NOT_PLAIN if something must be looked at.

    >>> from izwi.config.schema import CorpusSection
    >>> plain_record(CorpusSection, {"name": "news", "languages": ["en"]}).languages
    ('en',)
    >>> plain_record(CorpusSection, {"name": 7}) is NOT_PLAIN
    True
    """
    fields = {each.name: each for each in dataclasses.fields(kind) if each.init}
    lacks = any(_is_required(each) and each.name not in table for each in fields.values())
    if lacks or _has_validators(kind):
        return NOT_PLAIN
    values = {
        key: _plain(value, fields[key].type) if key in fields else NOT_PLAIN
        for key, value in table.items()
    }
    if any(value is NOT_PLAIN for value in values.values()):
        return NOT_PLAIN
    try:
        return kind(**values)
    except ValueError:  # what the record itself refuses is worded where all errors are
        return NOT_PLAIN


def _has_validators(kind: type) -> bool:
    """Say whether a class has functions that pydantic calls, as somebody's own source may."""
    named = (value for each in kind.__mro__ for value in vars(each).values())
    return any(type(value).__module__.startswith("pydantic") for value in named)


def _is_required(each: "dataclasses.Field[Any]") -> bool:
    absent = dataclasses.MISSING
    return each.default is absent and each.default_factory is absent


def _plain(value: Any, kind: Any) -> Any:
    if kind is Any:
        return value
    if kind in (str, int, bool, float):
        return _plain_one(value, kind)
    origin, parts = get_origin(kind), get_args(kind)
    if origin is Literal:
        return value if type(value) is str and value in parts else NOT_PLAIN
    if origin is tuple and parts[1:] == (...,) and type(value) is list:
        found = tuple(_plain(each, parts[0]) for each in value)
        return NOT_PLAIN if NOT_PLAIN in found else found
    if origin is UnionType and len(parts) == 2 and NoneType in parts:
        return _plain(value, next(part for part in parts if part is not NoneType))
    return NOT_PLAIN


def _plain_one(value: Any, kind: type) -> Any:
    if kind is float and type(value) is int:
        return float(value)
    return value if type(value) is kind else NOT_PLAIN


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
    found = {name: path for name, path in files.items() if _is_file(path)}
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
    if not _is_file(path):
        raise ConfigError(
            f"{filename}: [{section}] {key} = '{value}' is not a file in the corpus folder."
        )
    return path


def _is_file(path: Path) -> bool:
    """Return whether a file can be read to its end: /dev/zero cannot."""
    try:
        return path.is_file()
    except OSError:  # a name that is too long
        return False


def _lines(path: Path, place: str) -> tuple[str, ...]:
    try:
        text = path.read_text(encoding="utf-8-sig")
    except UnicodeDecodeError as error:
        raise ConfigError(f"{place} = '{path.name}' is not UTF-8 text.") from error
    return tuple(line.strip() for line in text.splitlines() if line.strip())


def _digest(content: bytes) -> str:
    return hashlib.blake2b(content, digest_size=8).hexdigest()
