"""What may have been meant is said wherever a query is asked: pages, command line, Python."""

import pickle
import sys
import traceback

import pytest

from izwi.cases.corpus import Corpus
from izwi.cli import main
from izwi.model.errors import CqlSyntaxError, QueryError


def test_an_error_in_python_says_what_may_be_meant(corpus_folder):
    with pytest.raises(CqlSyntaxError) as raised:
        Corpus(corpus_folder).concordance('[word="bakkie"')

    assert raised.value.proposals == ('[word="bakkie"]',)
    assert 'Perhaps: [word="bakkie"]' in "".join(traceback.format_exception(raised.value))
    assert pickle.loads(pickle.dumps(raised.value)).proposals == raised.value.proposals


def test_an_analysis_proposes_as_the_lines_do(corpus_folder):
    with pytest.raises(QueryError) as raised:
        Corpus(corpus_folder).frequencies('[tag="NN"]')

    assert raised.value.proposals == ('[pos="NN"]',)


def test_the_command_line_shows_what_may_be_meant(corpus_folder, monkeypatch, capsys):
    monkeypatch.setattr(sys, "argv", ["izwi", "query", str(corpus_folder), '[word="bakkie"'])

    with pytest.raises(SystemExit) as ended:
        main.main()

    said = capsys.readouterr().err.splitlines()
    assert ended.value.code == 2
    assert said[1:] == ['[word="bakkie"', " " * 14 + "^", 'Perhaps: [word="bakkie"]']


def test_a_fault_elsewhere_proposes_no_other_query(corpus_folder):
    with pytest.raises(QueryError) as raised:
        Corpus(corpus_folder).concordance('[word="bakkie"] []', sort="nonsense")

    assert raised.value.proposals == ()


@pytest.mark.parametrize(
    ("query", "meant"),
    [
        ('[word="bakkie"] within sentence', '[word="bakkie"] within s'),
        ('"bakkie" within <text/>', '"bakkie" within <doc/>'),
        ('"bakkie" within (<sent/> containing "bakkie")',
         '"bakkie" within (<s/> containing "bakkie")'),
        ('"bakkie" OR "zzz"', '"bakkie" | "zzz"'),
        ('[word="bakkie" && lemma!="zzz"]', '[word="bakkie" & lemma!="zzz"]'),
        ('[not word="zzz" and word="bakkie"]', '[! word="zzz" & word="bakkie"]'),
    ],
)  # fmt: skip
def test_words_and_names_of_other_systems_are_taken_for_ours(corpus_folder, query, meant):
    with pytest.raises(QueryError) as raised:
        Corpus(corpus_folder).concordance(query, mode="cql")

    assert raised.value.proposals[0] == meant


@pytest.mark.parametrize("length", [490, 60_000])
def test_few_queries_are_tried_however_many_may_be_meant(corpus_folder, monkeypatch, length):
    corpus, tried = Corpus(corpus_folder), []
    concordance = Corpus.concordance
    monkeypatch.setattr(
        Corpus, "concordance", lambda *a, **k: tried.append(a[1]) or concordance(*a, **k)
    )
    query = ('"zzz"' + " " * (length // 2) + '"zz" ' * length)[: length - 1] + "]"

    with pytest.raises(QueryError) as raised:
        corpus.frequencies(query, mode="cql")

    assert raised.value.proposals == ()
    assert len(tried) <= 24
    assert length < 500 or tried == []
