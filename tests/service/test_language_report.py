"""Languages of a corpus: reported, told by a model of one's own, scored for a variety."""

import json
import random

import pytest
from typer.testing import CliRunner

from izwi.cases.corpus import create_corpus, open_corpus
from izwi.cases.language_tools import Samples, make_pack
from izwi.cli.main import app
from izwi.index.reader import Segment
from izwi.store.layout import Layout
from tests.pipeline.pages import ENGLISH, html
from tests.store.samples import capture, later, write_shard

AFRIKAANS = (
    "Die kinders loop elke oggend skool toe, want die bus kom nooit betyds by hulle aan nie. "
    "Hulle ma het gesê dat sy volgende jaar 'n motor wil koop, maar nou is daar nie geld nie. "
    "In die winter is dit donker as hulle vertrek, en dan vat die oudste een 'n flits saam."
)


def made_up_sentences(count):
    """Return sentences of a language that nobody speaks."""
    chance = random.Random(5)
    syllables = ["qvu", "zxe", "wlo", "xqi", "vva", "jzu", "kxo", "qqe"]
    words = ["".join(chance.choices(syllables, k=chance.randint(1, 4))) for _ in range(300)]
    return [
        " ".join(chance.choices(words, k=chance.randint(8, 14))).capitalize() + "."
        for _ in range(count)
    ]


def make_corpus(folder, settings=""):
    with create_corpus(folder, contact="x", name="news", languages=()):
        pages = [
            capture("http://a.example.co.za/owls", html("owls", ENGLISH + " It was lekker.")),
            later(capture("http://b.example/bats", html("bats", AFRIKAANS)), 1),
            later(capture("http://c.example/x", html("x", " ".join(made_up_sentences(12)))), 2),
        ]
        write_shard(Layout(folder), "2026-11-15-0001", pages)
    toml = folder / "corpus.toml"
    toml.write_text(_without_language(toml.read_text("utf-8")) + settings, encoding="utf-8")
    return folder


def _without_language(toml):
    return toml.replace("[language]\nminimum = 0.5", "")


def built(folder):
    with open_corpus(folder) as corpus:
        corpus.build(workers=1)
        return {one.language: one for one in corpus.languages()}


def test_the_languages_of_a_corpus_are_counted(tmp_path):
    found = built(make_corpus(tmp_path / "news"))

    assert (found["eng"].documents, found["eng"].kept, found["eng"].variety) == (1, 1, None)
    assert found["afr"].certainty > 0.9


def test_a_build_uses_the_language_pack_that_the_corpus_names(tmp_path):
    folder = make_corpus(tmp_path / "news")
    sample = tmp_path / "sample.txt"
    sample.write_text("\n".join(made_up_sentences(300)), encoding="utf-8")
    make_pack("qvx", folder / "qvx", Samples((sample,)))
    settings = folder / "corpus.toml"
    named = settings.read_text().replace("[corpus]", '[corpus]\nlanguage_packs = ["qvx"]', 1)
    settings.write_text(named)

    found = built(folder)

    assert (found["qvx"].documents, found["qvx"].not_connected) == (1, 0)
    assert found["eng"].documents == 1


def test_a_variety_is_scored_and_what_scores_low_is_dropped_with_its_parts(tmp_path):
    settings = '[variety]\nwords = "words.txt"\nhosts = [".za"]\nminimum = 0.5\n'
    folder = make_corpus(tmp_path / "news", settings)
    (folder / "words.txt").write_text("lekker\nbakkie\n", encoding="utf-8")

    found = built(folder)
    with open_corpus(folder) as corpus:
        lines = corpus.drops(reason="other-variety").lines

    assert (found["eng"].kept, found["afr"].kept) == (1, 0)
    assert found["eng"].variety == pytest.approx(0.8)
    assert {(line.value, line.threshold) for line in lines} == {(0.0, 0.5)}
    assert lines[0].detail == "lexicon 0.00, spelling 0.00, host 0.00"


def test_other_lists_make_the_layer_stale(tmp_path):
    folder = make_corpus(tmp_path / "news", '[variety]\nwords = "words.txt"\n')
    (folder / "words.txt").write_text("lekker\n", encoding="utf-8")
    before = built(folder)
    (folder / "words.txt").write_text("bakkie\n", encoding="utf-8")

    after = built(folder)

    assert (before["eng"].variety, after["eng"].variety) == (0.5, 0.0)


def test_words_in_another_language_are_found_by_it(tmp_path):
    folder = tmp_path / "mixed"
    quotation = "Abantwana baya esikoleni nsuku zonke ekuseni ngoba bafuna ukufunda."
    text = f"{ENGLISH} {quotation} Then they all went home to the farm in the valley."
    with create_corpus(folder, contact="x", name="mixed", languages=()):
        write_shard(
            Layout(folder), "2026-11-15-0001", [capture("http://a.example/1", html("x", text))]
        )
    with (folder / "corpus.toml").open("a", encoding="utf-8") as file:
        file.write('[index]\nattributes = ["word", "lc", "lang"]\n')

    with open_corpus(folder) as corpus:
        corpus.build(workers=1)
    (path,) = (folder / "index" / "segments").glob("*-*")
    segment = Segment(path)

    lang = segment.attribute("lang")
    zulu = segment.word.values(segment.word.column[lang.positions(lang.number("zul"))])
    assert zulu == quotation.removesuffix(".").split()


def test_a_file_that_is_no_model_is_named(tmp_path):
    folder = make_corpus(tmp_path / "news", '[language]\nmodel = "own.npz"\n')
    (folder / "own.npz").write_bytes(b"no model")

    with open_corpus(folder) as corpus:
        report = corpus.build(workers=1)

    assert "own.npz is not a language model" in report.failures[0]


def test_the_command_reports_languages(tmp_path):
    folder = make_corpus(tmp_path / "news")
    built(folder)

    shown = CliRunner().invoke(app, ["report", "languages", str(folder), "--json"])

    assert {row["language"] for row in json.loads(shown.stdout)} >= {"eng", "afr"}
    assert "eng" in CliRunner().invoke(app, ["report", "languages", str(folder)]).stdout


def test_the_command_scores_a_variety_by_the_lists_given(tmp_path):
    words = tmp_path / "words.txt"
    words.write_text("bakkie\n", encoding="utf-8")

    shown = CliRunner().invoke(app, ["variety", "The bakkie broke.", "--words", str(words)])

    assert "0.50 of 1: lexicon 1.00" in shown.stdout
    assert "not a verdict" in shown.stdout
