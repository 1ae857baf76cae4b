import importlib.util
import re
from pathlib import Path

import httpx
import pytest

from izwi.config.catalogues import Catalogue, catalogue, read_messages

TOOLS = Path(__file__).parents[2] / "tools"
FILLED = re.compile(r"%\(\w+\)s|%%")


def test_a_message_over_several_lines_is_read_as_one():
    text = 'msgid ""\n"two "\n"lines"\nmsgstr ""\n"twee "\n"re\\u00ebls"\n'

    assert list(read_messages(text)) == [("two lines", ("twee reëls",))]


def test_what_is_not_translated_stays_english():
    assert catalogue("af").one("no such message") == "no such message"
    assert Catalogue("af", {"a": ("",)}).one("a") == "a"


@pytest.mark.parametrize(("language", "count", "form"), [("af", 0, 1), ("zu", 0, 0), ("zu", 2, 1)])
def test_a_number_takes_the_plural_of_its_language(language, count, form):
    forms = ("een", "baie")

    assert Catalogue(language, {"hit": forms}).many("hit", "hits", count) == forms[form]


def test_pages_speak_the_browsers_language_or_the_one_chosen(address):
    with httpx.Client(base_url=address, trust_env=False, timeout=60) as client:
        spoken = client.get("/", headers={"Accept-Language": "af-ZA, en;q=0.5"}).text
        client.get("/preferences/set?language=zu&theme=dark&back=/c/tiny")
        chosen = client.get("/", headers={"Accept-Language": "af"}).text

    assert '<html lang="af">' in spoken
    assert "Korpora" in spoken
    assert '<html lang="zu" data-theme="dark">' in chosen


def test_choosing_leads_back_to_a_page_of_this_site_only(client):
    for back, where in (("/c/tiny?v=1", "/c/tiny?v=1"), ("//evil.example/", "/"), ("x:y", "/")):
        answer = client.get("/preferences/set", params={"back": back})
        assert answer.headers["location"] == where


@pytest.fixture(scope="module")
def made():
    """The script that gathers the messages of templates and code."""
    spec = importlib.util.spec_from_file_location("make_messages", TOOLS / "make_messages.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize("language", ["af", "zu"])
def test_all_messages_are_translated(made, language):
    known = catalogue(language).texts

    missing = [message for message in made.messages() if not any(known.get(message, ()))]

    assert missing == [], "translate them: tools/make_messages.py TABLE.tsv"


@pytest.mark.parametrize("language", ["af", "zu"])
def test_translations_keep_what_is_filled_in(language):
    for message, forms in catalogue(language).texts.items():
        for form in forms:
            assert set(FILLED.findall(form)) == set(FILLED.findall(message)) or not form, message


@pytest.mark.parametrize("language", ["af", "zu"])
def test_every_page_can_be_read_in_every_language(client, language):
    headers = {"Accept-Language": language}
    for path in ("/", "/c/tiny", "/c/tiny/conc?q=bakkie", "/c/tiny/freq?q=bakkie", "/help"):
        answer = client.get(path, headers=headers)
        assert answer.status_code == 200
        assert f'<html lang="{language}">' in answer.text
