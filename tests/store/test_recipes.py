import json
from dataclasses import asdict, replace

import pytest

from izwi.config.fingerprint import Recipe, fingerprint
from izwi.store.layout import Layout, read_recipe, write_recipe

RECIPE = Recipe("language", 1, {"language.method": "büro"}, {"pycld2": "0.42"}, ("3f9a2c0011",))


@pytest.fixture
def layout(tmp_path):
    return Layout(tmp_path)


def test_recipe_comes_back_as_plain_data(layout):
    write_recipe(layout, "lang", "abc", RECIPE)

    assert read_recipe(layout, "lang", "abc") == json.loads(json.dumps(asdict(RECIPE))) | {
        "fingerprint": 1
    }


def test_recipe_makes_its_folders_fingerprint_again(layout):
    name = fingerprint(RECIPE)
    write_recipe(layout, "lang", name, RECIPE)

    read = read_recipe(layout, "lang", name)

    read.pop("fingerprint")
    assert fingerprint(Recipe(**read)) == name


def test_recipe_that_is_there_is_left_alone(layout):
    write_recipe(layout, "lang", "abc", RECIPE)

    write_recipe(layout, "lang", "abc", replace(RECIPE, version=2))

    assert read_recipe(layout, "lang", "abc")["version"] == 1


@pytest.mark.parametrize(
    "raw", [None, b"", b"{", b"\xff"], ids=["absent", "empty", "torn", "bytes"]
)
def test_recipe_that_cannot_be_read_is_empty(layout, raw):
    if raw is not None:
        layout.layer("lang", "abc").mkdir(parents=True)
        (layout.layer("lang", "abc") / "recipe.json").write_bytes(raw)

    assert read_recipe(layout, "lang", "abc") == {}
