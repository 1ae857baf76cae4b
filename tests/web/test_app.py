import os

import pytest

from izwi.cases import all_cases
from izwi.model.errors import ConfigError
from izwi.web.app import create_app, from_environment


def routes(app):
    return {
        f"{method.upper()} {path}"
        for path, operations in app.openapi()["paths"].items()
        for method in operations
    }


def test_every_use_case_has_its_route(corpus_folder):
    app = create_app([corpus_folder])

    assert {case.route for case in all_cases().values()} <= routes(app)


def test_two_corpora_of_one_name_are_refused(corpus_folder, own_folder):
    with pytest.raises(ConfigError, match="both named 'tiny'"):
        create_app([corpus_folder, own_folder])


def test_a_folder_given_twice_is_served_once(corpus_folder):
    app = create_app([corpus_folder, corpus_folder])

    assert list(app.state.site.corpora) == ["tiny"]


def test_a_folder_without_a_corpus_is_refused(tmp_path):
    with pytest.raises(ConfigError, match="izwi init"):
        create_app([tmp_path])


def test_folders_and_token_come_from_the_environment(corpus_folder, own_folder, monkeypatch):
    settings = own_folder / "corpus.toml"
    settings.write_text(settings.read_text().replace('name = "tiny"', 'name = "other"', 1))
    monkeypatch.setenv("IZWI_CORPORA", f"{corpus_folder}{os.pathsep}{own_folder}")
    monkeypatch.setenv("IZWI_CURATOR_TOKEN", "secret")

    site = from_environment().state.site

    assert set(site.corpora) == {"tiny", "other"}
    assert site.curator_token == "secret"


def test_an_environment_without_folders_is_refused(monkeypatch):
    monkeypatch.setenv("IZWI_CORPORA", "")

    with pytest.raises(ConfigError, match="izwi serve FOLDER"):
        from_environment()
