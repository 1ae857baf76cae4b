"""Files that corpus.toml names: missing ones are named, contents are hashed."""

import pytest

from izwi.config.load import load
from izwi.model.errors import ConfigError

MINIMAL = '[corpus]\nname = "news"\n[gather]\ncontact = "x"\n'


def given(folder, settings):
    path = folder / "corpus.toml"
    path.write_text(MINIMAL + settings, encoding="utf-8")
    return path


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        pytest.param('[language]\nmodel = "none.npz"\n', "none.npz", id="no-model"),
        pytest.param('[language]\nprofiles = "none.json"\n', "none.json", id="no-profiles"),
        pytest.param('[variety]\nwords = "none.txt"\n', r"\[variety\] words", id="no-words"),
        pytest.param("[variety]\nminimum = 2\n", "between 0 and 1", id="minimum"),
        pytest.param(
            '[language]\nmethod = "pycld2"\nmodel = "a"\n', "goes with", id="other-method"
        ),
    ],
)
def test_what_cannot_be_is_named(tmp_path, settings, words):
    with pytest.raises(ConfigError, match=words):
        load(given(tmp_path, settings))


def test_a_model_is_known_by_its_content(tmp_path):
    path = given(tmp_path, '[language]\nmodel = "own.npz"\n')
    (tmp_path / "own.npz").write_bytes(b"one")
    before = load(path).language
    (tmp_path / "own.npz").write_bytes(b"two")

    after = load(path).language

    assert before.model == after.model == str((tmp_path / "own.npz").resolve())
    assert before.digests != after.digests


def test_word_lists_are_read_with_the_file(tmp_path):
    (tmp_path / "words.txt").write_text("\ufeffbakkie\n\n braai \n", encoding="utf-8")

    found = load(given(tmp_path, '[variety]\nwords = "words.txt"\n')).variety

    assert found.lists == {"words": ("bakkie", "braai")}
