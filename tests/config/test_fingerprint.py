import json
from dataclasses import dataclass, field, replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from izwi.config.fingerprint import Recipe, canonical, changed_settings, fingerprint, settings


@dataclass(frozen=True)
class Options:
    length: int = 70
    share: float = 0.3


@dataclass(frozen=True)
class Section:
    method: str = "plain"
    exact: bool = True
    words: tuple[str, ...] = ("a", "b")
    limit: int | None = 5
    options: Options | None = None
    names: list[str] = field(default_factory=list)


# Values a user can write in corpus.toml.
VALUES = st.recursive(
    st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(),
    lambda inner: st.lists(inner, max_size=3),
    max_leaves=4,
)
SETTINGS = st.dictionaries(st.text(min_size=1), VALUES, max_size=5)
SECTIONS = st.builds(
    Section,
    method=st.sampled_from(["plain", "fancy"]),
    exact=st.booleans(),
    words=st.lists(st.sampled_from("abc"), max_size=3).map(tuple),
    limit=st.none() | st.integers(0, 9),
    options=st.none() | st.builds(Options, length=st.integers(69, 71)),
    names=st.lists(st.sampled_from("xy"), max_size=2),
)


def recipe(**changes):
    return replace(Recipe("language", 1, {}), **changes)


@given(SETTINGS)
def test_fingerprint_is_the_same_each_time(found):
    assert fingerprint(recipe(settings=found)) == fingerprint(recipe(settings=dict(found)))


@given(SETTINGS, st.randoms())
def test_order_of_settings_does_not_matter(found, random):
    shuffled = list(found.items())
    random.shuffle(shuffled)

    assert fingerprint(recipe(settings=dict(shuffled))) == fingerprint(recipe(settings=found))


@given(SETTINGS, SETTINGS)
def test_other_settings_have_another_fingerprint(one, other):
    is_same = json.dumps(one, sort_keys=True) == json.dumps(other, sort_keys=True)

    assert (fingerprint(recipe(settings=one)) == fingerprint(recipe(settings=other))) == is_same


@pytest.mark.parametrize(
    "changed",
    [
        recipe(stage="sign"),
        recipe(version=2),
        recipe(settings={"language.minimum": 0.8}),
        recipe(depends_on={"pycld2": "0.42"}),
        recipe(upstream=["3f9a2c0011"]),
    ],
    ids=["stage", "version", "settings", "library", "upstream"],
)
def test_each_part_of_a_recipe_changes_the_fingerprint(changed):
    assert fingerprint(changed) != fingerprint(recipe())


def test_order_of_upstream_matters():
    one, other = recipe(upstream=["a", "b"]), recipe(upstream=["b", "a"])

    assert fingerprint(one) != fingerprint(other)


def test_fingerprint_does_not_change_between_releases():
    # Were this to change, every corpus would be built anew: raise _VERSION and say so.
    made = fingerprint(recipe(settings={"language.minimum": 0.8}, upstream=["3f9a2c0011"]))

    assert made == "fe51af1257"


def test_canonical_form_reads_back_as_the_recipe():
    wanted = recipe(settings={"b": [1], "a": "ö"}, depends_on={"x": "1"}, upstream=("u",))

    read = json.loads(canonical(wanted))

    assert read == {
        "fingerprint": 1,
        "stage": "language",
        "version": 1,
        "settings": {"a": "ö", "b": [1]},
        "depends_on": {"x": "1"},
        "upstream": ["u"],
    }


def test_defaults_are_left_out():
    assert settings(extract=Section()) == {}


def test_what_differs_is_named_with_its_section():
    found = settings(extract=Section(method="fancy", options=Options(length=50)))

    assert found == {"extract.method": "fancy", "extract.options.length": 50}


def test_options_at_their_defaults_are_left_out():
    assert settings(extract=Section(options=Options())) == {}


@pytest.mark.parametrize("nothing", [None, ()], ids=["none", "empty"])
def test_a_bare_setting_that_is_nothing_is_left_out(nothing):
    assert settings(**{"corpus.languages": nothing}) == {}


@given(SECTIONS, SECTIONS)
def test_sections_that_mean_something_else_have_other_settings(one, other):
    def meaning(section):
        return replace(section, options=section.options or Options())

    assert (settings(s=one) == settings(s=other)) == (meaning(one) == meaning(other))


@given(SECTIONS)
def test_settings_can_be_written_and_read_as_json(section):
    found = settings(s=section)

    assert json.loads(json.dumps(found)) == found


@pytest.mark.parametrize(
    ("before", "after", "changed"),
    [
        ({}, {}, []),
        ({"a": 1}, {"a": 1}, []),
        ({"a": 1}, {"a": 2}, ["a"]),
        ({"a": 1}, {}, ["a"]),
        ({}, {"b": None}, ["b"]),
        ({"b": 1, "a": 1}, {"b": 2, "c": 3}, ["a", "b", "c"]),
    ],
    ids=["both empty", "same", "value", "gone", "new, and none", "several, sorted"],
)
def test_changed_settings_are_named(before, after, changed):
    assert changed_settings(before, after) == changed


@given(SETTINGS, SETTINGS)
def test_nothing_changed_means_equal(one, other):
    assert (changed_settings(one, other) == []) == (one == other)
    assert changed_settings(one, other) == changed_settings(other, one)
