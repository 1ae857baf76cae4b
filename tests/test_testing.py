"""The built-in parts pass the checks that plug-in authors run."""

import dataclasses
import types
from importlib.metadata import PackageNotFoundError, distribution

import pytest

from izwi import plugins
from izwi.model.document import Annotation, LanguageGuess, Paragraph
from izwi.pipeline.runners import Processes, Serial
from izwi.testing import (
    check_annotator,
    check_extractor,
    check_language,
    check_runner,
    check_source,
)

SOURCES = {
    "seeds": {"name": "a", "urls": ("http://example.org/",), "depth": 1},
    "feed": {"name": "a", "url": "http://example.org/feed"},
    "crawl": {"name": "a", "seeds": ("http://example.org/",), "depth": 2},
    "sitemap": {"name": "a", "url": "http://example.org/sitemap.xml"},
    "portal": {"name": "a", "archive": "http://example.org/archive?page={page}"},
    "comments": {"name": "a", "of": ("b",), "forum": "f"},
    "focused": {"name": "a", "seeds": ("http://example.org/",), "languages": ("zu",)},
    "search": {"name": "a", "url": "http://example.org/search", "words": ("x", "y", "z")},
    "archive": {"name": "a", "url": "example.org/*"},
}
# Checked in tests/annotate/test_foreign.py, with models made there.
NEED_A_MODEL = ("spacy", "udpipe")
CHECKS = {
    "izwi.extractors": check_extractor,
    "izwi.languages": check_language,
    "izwi.annotators": check_annotator,
}


@pytest.mark.parametrize("name", [plugin.name for plugin in plugins.installed("izwi.sources")])
def test_built_in_sources_conform(name):
    source = plugins.load("izwi.sources", name)(**SOURCES[name])

    check_source(source)

    assert source.type == name


def _installed_or_skip(package):
    try:
        distribution(package)
    except PackageNotFoundError:
        pytest.skip(f"the extra {package} is not installed")


def _with_few_languages(monkeypatch):
    """Spare a test the 0.8 GB of all 75 languages; tests/service/test_languages.py asks them."""
    lingua = pytest.importorskip("lingua")
    few = (lingua.Language.ENGLISH, lingua.Language.AFRIKAANS, lingua.Language.ZULU)
    made = lingua.LanguageDetectorBuilder.from_languages(*few)
    builder = types.SimpleNamespace(from_all_languages=lambda: made)
    monkeypatch.setattr(lingua, "LanguageDetectorBuilder", builder)


@pytest.mark.parametrize(
    ("group", "name"),
    [
        (group, plugin.name)
        for group in CHECKS
        for plugin in plugins.installed(group)
        if plugin.name not in NEED_A_MODEL
    ],
)
def test_built_in_parts_conform(group, name, monkeypatch):
    if name == "lingua":
        _with_few_languages(monkeypatch)
    part = plugins.load(group, name)
    for package in part.depends_on:
        _installed_or_skip(package)

    CHECKS[group](part)

    assert isinstance(part.depends_on, tuple)


@pytest.mark.parametrize("runner", [Serial(), Processes(2)], ids=["serial", "processes"])
def test_built_in_runners_conform(runner):
    assert check_runner(runner) is None


class LosesText:
    depends_on = ()

    def __call__(self, paragraphs):
        return Annotation(("One",), (0,), (3,), (0,), (0,)) if paragraphs else Annotation(*[()] * 5)


class TwoLetters:
    depends_on = ()

    def __call__(self, text):
        return LanguageGuess("en", 1.0)


@dataclasses.dataclass(frozen=True)
class NoOptions:
    pass


class Untrimmed:
    Options = NoOptions
    depends_on = ()

    def __init__(self, options):
        pass

    def __call__(self, html):
        return [Paragraph(" text ")]


@pytest.mark.parametrize(
    ("check", "part", "words"),
    [
        (check_annotator, LosesText, "white space"),
        (check_language, TwoLetters, "ISO 639-3"),
        (check_extractor, Untrimmed, "trimmed"),
    ],
    ids=["text lost", "wrong code", "untrimmed block"],
)
def test_parts_that_do_not_conform_are_told_why(check, part, words):
    with pytest.raises(AssertionError, match=words):
        check(part)
