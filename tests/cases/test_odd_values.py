"""Whatever a method or function is given, it answers, or says in one sentence why not."""

import inspect
import os
import shutil
from datetime import date, datetime

import numpy as np
import pytest

import izwi
from izwi.model.errors import IzwiError, QueryError

from ..service import tiny

ODD = (
    None, True, -1, 10**30, 1.5, float("nan"), "", "\0", "\ud800", "\u202e", "x" * 9000, b"bytes",
    [], {}, {"a": 1}, [1], ["a"], {"x"}, object(), object, repr, date(2020, 1, 1), "2020-13-40",
    "[word=", "(" * 999, "nowhere", "/nonexistent/x",
)  # fmt: skip
# They go on until they are stopped, or ask the web.
LASTING = {"watch", "gather", "run"}
GOOD = {"query": "bakkie", "size": 2, "n": 2}
FUNCTIONS = sorted(name for name in izwi.__all__ if not isinstance(getattr(izwi, name), type))
METHODS = sorted(
    name
    for name, found in inspect.getmembers(izwi.Corpus)
    if not name.startswith("_") and callable(found) and name not in LASTING
)
# Every value meets every kind of parameter; IZWI_REQUESTS asks for all of each.
EACH = len(ODD) if os.environ.get("IZWI_REQUESTS") else 3


@pytest.fixture(scope="module")
def built(tmp_path_factory):
    folder = tmp_path_factory.mktemp("odd") / "tiny"
    tiny.make(folder)
    tiny.gather(folder)
    izwi.open(folder).build(workers=1)
    return folder


@pytest.fixture
def here(built, tmp_path, monkeypatch):
    shutil.copytree(built, tmp_path / "tiny")
    monkeypatch.chdir(tmp_path)
    for name in ("HOME", "IZWI_WORKSPACE", "IZWI_CACHE"):
        monkeypatch.setenv(name, str(tmp_path / name.lower()))
    monkeypatch.setenv("IZWI_PROXY", "http://127.0.0.1:9")
    return tmp_path


def odd_calls(function):
    """Yield values for every parameter, one of them odd."""
    known = [
        each
        for each in inspect.signature(function).parameters.values()
        if each.kind not in (each.VAR_KEYWORD, each.VAR_POSITIONAL)
    ]
    for number, wrong in enumerate(known):
        for step in range(EACH):
            value = ODD[(number * EACH + step * 10 + len(wrong.name)) % len(ODD)]
            given = {
                each.name: GOOD.get(each.name, "x") for each in known if each.default is each.empty
            } | {wrong.name: value}
            yield [given.pop(each.name) for each in known
                   if each.kind == each.POSITIONAL_ONLY and each.name in given], given  # fmt: skip


def falls_over(function):
    for places, given in odd_calls(function):
        try:
            function(*places, **given)
        except IzwiError as error:
            if not 0 < len(str(error)) < 2500:
                yield given, f"{len(str(error))} characters"
        except Exception as error:  # what a user would see a traceback of
            yield given, repr(error)[:300]


@pytest.mark.parametrize("name", METHODS)
def test_no_method_falls_over_what_it_is_given(name, here):
    with izwi.open(here / "tiny") as corpus:
        assert list(falls_over(getattr(corpus, name))) == []


@pytest.mark.parametrize("name", FUNCTIONS)
def test_no_function_falls_over_what_it_is_given(name, here):
    assert list(falls_over(getattr(izwi, name))) == []


def test_values_that_mean_the_same_are_taken(here):
    with izwi.open(here / "tiny") as corpus:
        plain = corpus.concordance("the", size=3, since=date(2001, 1, 1), copies=True)
        other = corpus.concordance(
            "the", size=np.int64(3), since=datetime(2001, 1, 1, 9), copies=np.True_
        )

    assert [line.id for line in plain.lines] == [line.id for line in other.lines]


def test_the_sentence_names_the_parameter_and_its_type(here):
    with (
        izwi.open(here / "tiny") as corpus,
        pytest.raises(QueryError, match=r"^size is of the type int, which 'many' is not\.$"),
    ):
        corpus.concordance("the", size="many")
