"""Is it said that a source seeks languages whose pages the corpus drops?"""

import pytest

from izwi.cases.doctor import examine
from izwi.config.load import load
from izwi.service.gathering import unkept_languages

CORPUS = """
[corpus]
name = "news"
languages = {kept}

[gather]
contact = "https://izwi.example/bot"

[[source]]
name = "zulu"
type = "focused"
seeds = ["http://izwilomphakathi.example/"]
languages = {sought}
"""


def configured(folder, kept, sought):
    path = folder / "corpus.toml"
    path.write_text(CORPUS.format(kept=kept, sought=sought), encoding="utf-8")
    return load(path)


def test_a_source_in_another_language_is_warned_of(tmp_path):
    (words,) = unkept_languages(configured(tmp_path, '["en"]', '["eng", "zu", "xho"]'))

    assert "'zulu' seeks pages in zu, xho," in words
    assert words.endswith("[corpus] languages has only en.")
    (found,) = [each for each in examine(tmp_path, scrubbed=None) if each.check == "languages"]
    assert (found.is_well, found.message) == (False, words)


@pytest.mark.parametrize("kept", ['["en", "zul"]', '["zu"]', "[]"])
def test_a_source_in_a_language_that_is_kept_is_not(tmp_path, kept):
    assert not list(unkept_languages(configured(tmp_path, kept, '["zu"]')))
    assert all(each.check != "languages" for each in examine(tmp_path, scrubbed=None))
