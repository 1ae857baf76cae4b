import socket

import pytest

from izwi.cases.corpus import create_corpus
from izwi.cases.demo import create_large_demo, fill_large_demo
from izwi.cli import serving
from izwi.cli.serving import listen_from
from izwi.config.schema import SelectSection
from izwi.demoweb.generated import DOCUMENTS, generated_texts
from izwi.model.errors import IzwiError


def test_the_demo_corpus_has_no_rules_of_its_own(tmp_path):
    corpus = serving.demo_corpus(tmp_path / "demo")

    assert not corpus.config.portals
    assert corpus.config.select == SelectSection()
    assert serving.demo_corpus(tmp_path / "demo").name == "demo"


def test_the_demo_leaves_other_corpora_alone(tmp_path):
    create_corpus(tmp_path / "mine", contact="https://izwi.example/mine", name="demo")

    with pytest.raises(IzwiError, match="a corpus of yours"):
        serving.demo_corpus(tmp_path / "mine")


def test_a_port_that_is_taken_is_said_before_anything_is_built(tmp_path):
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        with pytest.raises(IzwiError, match=f"{port} cannot be used"):
            serving.run_demo(
                tmp_path / "demo", is_served=True, is_shown=False, port=port, as_json=True
            )

    assert list(tmp_path.iterdir()) == []


def test_the_next_free_port_is_taken():
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        with listen_from("127.0.0.1", port) as found:
            assert port < found.getsockname()[1] < port + 20


def test_the_large_demo_is_the_same_every_time_and_has_what_sketches_need(tmp_path):
    corpus = create_large_demo(tmp_path / "large")
    fill_large_demo(corpus, documents=60)
    again = fill_large_demo(corpus, documents=60)

    assert [text.id for text in generated_texts(5)] == [f"g{number:05}" for number in range(5)]
    assert list(generated_texts(5)) == list(generated_texts(5))
    summary = corpus.summary()
    assert summary.documents == 60
    assert summary.tokens / 60 > 450
    assert again.snapshot == 1
    company = {
        each.name: {row.word for row in each.collocates}
        for each in corpus.word_sketch("bakkie").relations
    }
    assert {"drive", "park"} <= company["verb with it as object"]
    assert "white" in company["adjective"]
    assert "back" in company["… of"]
    assert len({each.document.site for each in corpus.concordance("bakkie", size=200).lines}) > 3


def test_two_thousand_generated_texts_hold_a_million_words_over_twenty_years():
    some = list(generated_texts(40))
    words = sum(len(each.text.split()) for each in some) / len(some)

    assert 900_000 < DOCUMENTS * words * 1.15 < 1_200_000  # with its punctuation
    assert (some[0].date[:4], some[-1].date[:4]) == ("2005", "2026")
    paragraphs = [part for each in some for part in each.text.split("\n\n")]
    assert len(set(paragraphs)) == len(paragraphs)
