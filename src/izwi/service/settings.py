"""corpus.toml changed key by key; every other line and comment stays as the user wrote it.

A key is written as in the documentation: `language.minimum`, `extract.options.cutoff`, or
`source.NAME.every` for a source.
"""

from collections.abc import Mapping, Sequence
from typing import Any

import tomlkit
from tomlkit import TOMLDocument
from tomlkit.exceptions import TOMLKitError
from tomlkit.items import InlineTable

from izwi.config.load import load, parse
from izwi.config.schema import CorpusConfig
from izwi.model.curation import Change
from izwi.model.errors import ConfigError, LaterChange, QueryError
from izwi.model.notation import now_text
from izwi.store.curation import Desk, changing
from izwi.store.files import disk_errors, replacing
from izwi.store.layout import Layout

# Nothing: the key is taken out, and its default counts again.
Settings = Mapping[str, Any]


def change_settings(
    layout: Layout, settings: Settings, *, who: str, comment: str = ""
) -> CorpusConfig:
    """Write keys into corpus.toml with a comment and a record, if the result makes sense."""
    if not settings:
        raise QueryError("No key was given to be changed.")
    with changing(layout, who) as desk:
        before = _text(layout)
        document = _document(before, layout)
        old = {key: _value(document, key) for key in settings}
        text = tomlkit.dumps(_changed(document, settings, _remark(who, comment)))
        config = parse(text, str(layout.config))
        # The record first: if it cannot be written, nothing was changed.
        desk.record("settings", ", ".join(settings), old, dict(settings), comment=comment)
        _write(layout, text)
    return config


def with_settings(layout: Layout, settings: Settings) -> CorpusConfig:
    """Return the configuration as it would be with some keys changed; nothing is written."""
    document = _document(_text(layout), layout)
    return parse(tomlkit.dumps(_changed(document, settings, "")), str(layout.config))


def remove_sources(layout: Layout, names: Sequence[str], *, who: str) -> CorpusConfig:
    """Take sources out of corpus.toml, all or none; what was gathered of them stays."""
    with changing(layout, who) as desk:
        document = _document(_text(layout), layout)
        for key in (f"source.{name}" for name in names):
            old = _value(document, key)
            if old is None:
                raise QueryError(f"There is no source '{key.removeprefix('source.')}'.")
            _put_source(document, old["name"], None)
            desk.record("settings", key, {key: old}, {key: None})
        text = tomlkit.dumps(document)
        config = parse(text, str(layout.config))
        _write(layout, text)
    return config


def record_source(desk: Desk, layout: Layout, text: str, name: str) -> None:
    """Write down that a source is added, as it stands in the new text of corpus.toml."""
    key = f"source.{name}"
    made = _value(_document(text.removeprefix("\ufeff"), layout), key)
    desk.record("settings", key, {key: None}, {key: made})


def put_settings_back(layout: Layout, change: Change) -> None:
    """Give keys the values they had before a change, unless they were changed again since."""
    document = _document(_text(layout), layout)
    for key, value in change.after.items():
        if _value(document, key) != value:
            raise LaterChange(f"{key} was changed again since; change it by hand.")
    text = tomlkit.dumps(_changed(document, change.before, ""))
    parse(text, str(layout.config))
    _write(layout, text)


def _changed(document: TOMLDocument, settings: Settings, remark: str) -> TOMLDocument:
    for key, value in settings.items():
        try:
            _change(document, key, value, remark)
        except (TOMLKitError, TypeError, UnicodeError):
            raise ConfigError(f"corpus.toml: {key} cannot have such a value.") from None
    return document


def _change(document: TOMLDocument, key: str, value: Any, remark: str) -> None:
    *path, last = _path(key)
    table = _table(document, path, key) if path[0] != "source" or len(path) > 1 else None
    if table is None:
        _put_source(document, last, value)
    elif value is None:
        table.pop(last, None)
    else:
        _put(table, last, value, remark)


def _put(table: Any, key: str, value: Any, remark: str) -> None:
    """Write one key; the remark follows what the user wrote behind it."""
    trivia = getattr(table.get(key), "trivia", None)
    before = trivia.comment.lstrip("# ") if trivia else ""
    table[key] = value
    # Inside braces nothing can be remarked.
    place = table if isinstance(table, InlineTable) else table[key]
    words = "; ".join(part for part in (before, remark) if part)
    if words and hasattr(place, "comment"):
        place.comment(words)


def _path(key: str) -> list[str]:
    parts = key.split(".")
    if len(parts) < 2 or not all(parts):
        raise QueryError(f"'{key}' is not a setting; write for example language.minimum.")
    return parts


def _table(document: TOMLDocument, path: list[str], key: str) -> Any:
    """Return the table a key stands in, made if it is not there."""
    place: Any = document
    if path[0] == "source":
        sources = document.get("source", [])
        place = next((each for each in sources if each.get("name") == path[1]), None)
        if place is None:
            raise QueryError(f"There is no source '{path[1]}'.")
        path = path[2:]
    for name in path:
        if name not in place:
            place[name] = tomlkit.inline_table() if name == "options" else tomlkit.table()
        place = place[name]
        if not isinstance(place, dict):
            raise ConfigError(f"corpus.toml: {key}: '{name}' is not a table.")
    return place


def _put_source(document: TOMLDocument, name: str, table: Any) -> None:
    """Put a whole source in, or take it out."""
    sources = document.get("source")
    if table is None:
        kept = [each for each in sources or [] if each.get("name") != name]
        document.pop("source", None)
        if not kept:
            return
        rest = tomlkit.aot()
        for each in kept:
            rest.append(each)
        document.append("source", rest)
        return
    if not isinstance(table, Mapping) or table.get("name") != name:
        raise ConfigError(f"corpus.toml: source.{name} must be a table whose name is '{name}'.")
    if sources is None:
        sources = tomlkit.aot()
        document.append("source", sources)
    made = tomlkit.table()
    made.update(table)
    document["source"].append(made)


def _value(document: TOMLDocument, key: str) -> Any:
    """Return what a key has now; None if it is not there."""
    *path, last = _path(key)
    if path == ["source"]:
        found = next((s for s in document.get("source", []) if s.get("name") == last), None)
        return _plain(found) if found is not None else None
    place: Any = document
    if path[0] == "source":
        place = next((s for s in document.get("source", []) if s.get("name") == path[1]), {})
        path = path[2:]
    for name in path:
        place = place.get(name, {}) if isinstance(place, dict) else {}
    found = place.get(last) if isinstance(place, dict) else None
    return _plain(found)


def _plain(value: Any) -> Any:
    return value.unwrap() if hasattr(value, "unwrap") else value


def _remark(who: str, comment: str) -> str:
    words = " ".join(part for part in (now_text()[:10], who, comment) if part)
    return " ".join(words.split())


def _text(layout: Layout) -> str:
    load(layout.config)
    with disk_errors():
        return layout.config.read_bytes().decode("utf-8-sig")


def _document(text: str, layout: Layout) -> TOMLDocument:
    try:
        return tomlkit.parse(text)
    except TOMLKitError as error:
        raise ConfigError(f"{layout.config}: not valid TOML: {error}.") from None


def _write(layout: Layout, text: str) -> None:
    with disk_errors(), replacing(layout.config) as temporary:
        temporary.write_bytes(text.encode())
