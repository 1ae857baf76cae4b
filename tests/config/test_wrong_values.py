"""Every key of corpus.toml with values of every other kind: right, or one short sentence."""

import dataclasses
from typing import get_type_hints

import pytest

from izwi import plugins
from izwi.config import schema
from izwi.config.load import load
from izwi.model.errors import ConfigError

LONG = "x" * 5000
ODD = (
    '""', '"x"', '"0"', '"\\u0000"', '"\\uFFFE"', f'"{LONG}"', '"../../etc/passwd"', '"/"',
    '"/dev/zero"', "-1", "0", "1e400", "nan", "-inf", "9223372036854775807", "true", "[]", "{}",
    "[1]", '["", "x"]', "[[]]", "{a = 1}", '{"" = "x"}', "2026-11-17", "07:30:00",
)  # fmt: skip
RIGHT = {"corpus": {"name": '"n"'}, "gather": {"contact": '"https://example.org"'}}
SECTIONS = {
    name: kind
    for name, kind in get_type_hints(schema.CorpusConfig).items()
    if dataclasses.is_dataclass(kind)
}
SOURCES = [plugin.name for plugin in plugins.installed("izwi.sources")]
# A sentence has the name of the file, too.
MOST_LETTERS = 1_500


def written(tables, *, more=""):
    lines = [
        f"[{name}]\n" + "".join(f"{key} = {value}\n" for key, value in table.items())
        for name, table in tables.items()
    ]
    return "".join(lines) + more


def said(folder, text):
    """Return what is said of a corpus.toml, nothing if it is right; other errors are failures."""
    path = folder / "corpus.toml"
    path.write_text(text, encoding="utf-8")
    try:
        load(path)
    except ConfigError as error:
        return str(error)
    return ""


def wrongly_said(folder, texts):
    """Return the files of which too much is said, or nothing that ends as a sentence does."""
    found = [(text, said(folder, text)) for text in texts]
    assert any(words for _, words in found), "nothing was refused: the test tests nothing"
    return [
        (text[-200:], words)
        for text, words in found
        if "\n" in words or len(words) > MOST_LETTERS or (words and words[-1] not in ".?)")
    ]


@pytest.mark.parametrize("section", SECTIONS)
def test_every_key_of_a_section(tmp_path, section):
    kept = RIGHT.get(section, {})
    keys = [each.name for each in dataclasses.fields(SECTIONS[section])]
    inside = [
        written(RIGHT | {section: kept | {key: value}}) for key in (*keys, "odd") for value in ODD
    ]
    others = {name: table for name, table in RIGHT.items() if name != section}
    instead = [f"{section} = {value}\n{written(others)}" for value in ODD]

    assert wrongly_said(tmp_path, [*inside, *instead]) == []


def test_every_key_of_a_language(tmp_path):
    keys = [each.name for each in dataclasses.fields(schema.AnnotateLanguage)]
    texts = [written(RIGHT | {"annotate.eng": {key: value}}) for key in keys for value in ODD]

    assert wrongly_said(tmp_path, texts) == []


@pytest.mark.parametrize("kind", SOURCES)
def test_every_key_of_a_source(tmp_path, kind):
    keys = [each.name for each in dataclasses.fields(plugins.load("izwi.sources", kind))]
    usual = {"url": '"http://a.example/"', "urls": '["http://a.example/"]'}
    right = {key: value for key, value in usual.items() if key in keys}
    right |= {"type": f'"{kind}"', "name": '"s"'}
    texts = [
        written(RIGHT, more=written({"[source]": right | {key: value}}))
        for key in {*keys, "type", "paused", "publication"}
        for value in ODD
    ]

    assert wrongly_said(tmp_path, texts) == []
