import pytest

from izwi.cases.corpus import Corpus
from izwi.model.errors import ConfigError, QueryError


def test_lines_are_counted_by_publication_and_not_by_the_ways_they_were_found(built):
    found = built.concordance("robots")

    assert (found.publications, found.sources) == (1, 2)
    assert {line.document.publication for line in found.lines} == {"courant.example"}
    assert [line.values for line in built.frequencies("robots").lines] == [("courant.example",)]
    assert [each.name for each in built.summary().publications] == ["courant.example"]
    assert built.summary().publications[0].sources == ("feed", "pages")


def test_a_curator_names_the_publication_of_a_source(own_folder):
    with Corpus(own_folder) as corpus:
        every = corpus.concordance("robots").hits
        corpus.change_settings({"source.feed.publication": "The Karoo Courant"})

        named = corpus.concordance("robots", publications=("the karoo courant",))

    assert 0 < named.hits < every
    assert {line.document.source for line in named.lines} == {"feed"}
    assert {line.document.publication for line in named.lines} == {"The Karoo Courant"}


def test_what_is_counted_in_a_publication_opens_its_lines(own_folder):
    with Corpus(own_folder) as corpus:
        corpus.change_settings({"source.feed.publication": 'The "Karoo" Courant'})
        lines = corpus.frequencies("robots", by="publication").lines
        opened = [
            corpus.concordance(line.opens.query, mode="cql", where=line.opens.where)
            for line in lines
        ]
        listed = corpus.documents(publications=('The "Karoo" Courant',))
        words = corpus.wordlist(publications=('The "Karoo" Courant',))

    assert [line.hits for line in lines] == [found.hits for found in opened]
    assert [card.source for card in listed.documents] == ["feed"]
    assert 0 < words.tokens < sum(found.corpus_tokens for found in opened)


def test_a_publication_that_is_not_there_is_said_with_those_that_are(built):
    with pytest.raises(QueryError, match=r"no publication 'courant\.exampel'\. Did you mean"):
        built.concordance("robots", publications=("courant.exampel",))


def test_a_name_that_is_none_is_refused(own_folder):
    with Corpus(own_folder) as corpus, pytest.raises(ConfigError, match="is no name"):
        corpus.change_settings({"source.feed.publication": 3})


def test_exports_have_the_publication_as_site(own_folder, tmp_path):
    import json

    with Corpus(own_folder) as corpus:
        corpus.change_settings({"source.feed.publication": "The Karoo Courant"})
        corpus.export("jsonl", tmp_path / "out", publications=("The Karoo Courant",))

    [file] = (tmp_path / "out").glob("*.jsonl*")
    rows = [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]
    assert [(row["source"], row["site"]) for row in rows] == [("feed", "The Karoo Courant")]
