"""Reading corpus.toml: every error names the file, the key, the value and what was expected."""

import dataclasses
import difflib
import hashlib
import tomllib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from izwi import plugins
from izwi.config import schema
from izwi.config.files import with_files, with_lists, with_models
from izwi.config.language_packs import with_packs
from izwi.config.plain_tables import NOT_PLAIN, plain_record
from izwi.config.schema import CorpusConfig, Source
from izwi.model.errors import ConfigError, PluginError, no_corpus
from izwi.model.languages import iso639_3
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
    "search": schema.SearchSection,
    "schedule": schema.ScheduleSection,
}
_REQUIRED = ("corpus", "gather")
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
        tables = tomllib.loads(text.removeprefix("\ufeff"))
    except tomllib.TOMLDecodeError as error:
        raise ConfigError(f"{filename}: not valid TOML: {error}.") from None
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
    if not found.lexicon:
        return found
    path = Path(filename).parent / found.lexicon
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
        if not path.is_file():
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
