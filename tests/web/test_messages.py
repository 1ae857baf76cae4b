import importlib.util
import re
from pathlib import Path

import httpx
import pytest

from izwi.presentation.catalogues import Catalogue, catalogue, read_messages

TOOLS = Path(__file__).parents[2] / "tools"
FILLED = re.compile(r"%\(\w+\)s|%%|\{\d\}")


def test_a_message_over_several_lines_is_read_as_one():
    text = 'msgid ""\n"two "\n"lines"\nmsgstr ""\n"twee "\n"re\\u00ebls"\n'

    assert list(read_messages(text)) == [("two lines", ("twee reëls",))]


def test_what_is_not_translated_stays_english():
    assert catalogue("af").one("no such message") == "no such message"
    assert Catalogue("af", {"a": ("",)}).one("a") == "a"


@pytest.mark.parametrize(("language", "count", "form"), [("af", 0, 1), ("zu", 0, 0), ("zu", 2, 1)])
def test_a_number_takes_the_plural_of_its_language(language, count, form):
    forms = ("een", "baie")

    known = Catalogue(language, {"hit": forms}, catalogue(language).plural)

    assert known.many("hit", "hits", count) == forms[form]


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


# Names, signs and examples, which are the same in every language.
PLAIN = re.compile(
    r"^(izwi|CSV|OPML|CQL|UTC|JSON|KWIC|Atom|URL|HTTP|logDice|OpenAPI|robots\.txt|corpus\.toml|"
    r"h|min|min min|s|\.warc\.gz|nbsp)$"
)
JINJA = re.compile(r"\{#.*?#\}|\{\{.*?\}\}(?!\})|\{%.*?%\}", re.DOTALL)
TAGS = re.compile(r"<(code|kbd|script|style|pre)\b.*?</\1>|<[^>]*>", re.DOTALL)


def unwrapped(template):
    """Return the texts of a template that no catalogue can know."""
    for text in TAGS.sub("\n", JINJA.sub("", template)).split("\n"):
        for part in re.split(r"[–,;:&]|  +|\bdata-key=.*", text):
            if re.search("[A-Za-z]{3}", part) and not PLAIN.match(part.strip()):
                yield part.strip()


def test_no_text_of_a_page_is_outside_the_catalogues(made):
    left = [
        (path.name, text)
        for path in sorted((made.WEB / "templates").rglob("*.html"))
        # The reference of the interface is for programmers, and is English as OpenAPI is.
        if path.name != "docs.html"
        for text in unwrapped(path.read_text(encoding="utf-8"))
    ]

    assert left == [], "write {{ _(...) }} round them"
    assert list(unwrapped("<p>Plain words</p>")) == ["Plain words"]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("The query is empty: type a word or a phrase.",
         "Die navraag is leeg: tik 'n woord of 'n frase."),
        ("At character 3: expected a number, found the end.\n[a\n  ^",
         "By karakter 3: verwag 'n getal, gevind die einde.\n[a\n  ^"),
        ("Bars are per million tokens; the longest is news (3). Thin lines are 95 % intervals, "
         "cut where there is an arrow.",
         "Stawe is per miljoen tokens; die langste is news (3). Dun lyne is intervalle van 95 %, "
         "afgesny waar daar 'n pyl is."),
        ("No words of ours.", "No words of ours."),
        ("Hits per million tokens, 2010 to 2020; highest in 2015 (8.1). Shaded: 95 % interval.",
         "Treffers per miljoen tokens, 2010 tot 2020; die hoogste in 2015 (8.1). "
         "Ingekleur: interval van 95 %."),
    ],
)  # fmt: skip
def test_finished_sentences_are_known_again_by_their_patterns(text, said):
    assert catalogue("af").sentence(text) == said
    assert catalogue("en").sentence(text) == text


def test_errors_notes_and_charts_speak_the_readers_language(client):
    headers = {"Accept-Language": "af"}
    mistake = client.get("/c/tiny/conc?q=[word%3D&mode=cql", headers=headers).text
    nowhere = client.get("/c/tiny/nowhere", headers=headers).text
    out_of_bounds = client.get("/c/tiny/docs?page=x", headers=headers).text
    note = client.get("/c/tiny/freq?q=zzzz", headers=headers).text
    chart = client.get("/c/tiny/freq?q=bakkie", headers=headers).text

    assert "By karakter" in mistake
    assert "Hier is geen bladsy" in nowhere
    assert "Die parameter" in out_of_bounds
    assert "Die navraag kom nie in die gekose dokumente voor nie." in note
    assert "Stawe is per miljoen tokens" in chart
    assert "per million tokens" not in chart
    # Programs get the same words in every language.
    assert (
        "At character" in client.get("/c/tiny/conc.json?q=[word%3D&mode=cql", headers=headers).text
    )


def test_one_command_begins_a_new_language(made, tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(made, "LOCALE", tmp_path)
    monkeypatch.setattr("sys.argv", ["x", "--new", "fr", "--name", "français", "--plural", "n > 1"])
    made.main()
    table = tmp_path / "fr.tsv"
    table.write_text("text\tfr\nSearch\tChercher\n", encoding="utf-8")
    monkeypatch.setattr("sys.argv", ["x", str(table)])
    made.main()
    entries = dict(read_messages((tmp_path / "fr.po").read_text(encoding="utf-8")))

    assert entries["Search"] == ("Chercher",)
    assert set(made.messages()) < set(entries)
    assert "nplurals=2; plural=(n > 1)" in entries[""][0]
    monkeypatch.setattr("sys.argv", ["x", "--todo", "fr"])
    capsys.readouterr()
    made.main()
    left = capsys.readouterr().out.splitlines()
    assert left[0] == "text\tfr"
    assert len(left) == len(made.messages())
