import json
import zipfile

import pytest

from izwi.cases.corpus import Corpus, create_corpus
from izwi.model.errors import QueryError, SourceError
from tests.service.test_exporting import rows

COLLECTIONS = [("jsonl", "texts"), ("parquet", "texts"), ("conllu", "conllu"), ("tei", "tei")]


@pytest.fixture
def empty(tmp_path):
    return create_corpus(
        tmp_path / "copy", contact="https://izwi.example/", name="tiny", languages=("de",)
    )


@pytest.mark.parametrize(("form", "reader"), COLLECTIONS)
def test_an_export_imported_is_the_same_corpus(built, empty, tmp_path, form, reader):
    sent = built.export(form, tmp_path / "out", tokens=True)

    report = getattr(empty, f"import_{reader}")(tmp_path / "out")
    empty.build(workers=1)

    assert report.fetched == sent.documents
    built.export("jsonl", tmp_path / "before")
    got = empty.export("jsonl", tmp_path / "after")
    assert (got.documents, got.tokens, got.sentences) == (
        sent.documents,
        sent.tokens,
        sent.sentences,
    )
    assert list(map(known, rows(tmp_path / "after"))) == list(map(known, rows(tmp_path / "before")))
    words = [corpus.concordance("oranges") for corpus in (built, empty)]
    assert words[0].hits == words[1].hits > 0
    shown = [[(each.id, each.left, each.match, each.right) for each in found] for found in words]
    assert shown[0] == shown[1]


def known(row):
    """Return a row without how sure one was of the language."""
    return {key: value for key, value in row.items() if key not in _JUDGED}


# Found anew by each corpus with settings of its own.
_JUDGED = ("language_score", "role", "cluster", "copy_of", "copy_similarity")


def test_an_export_come_home_is_already_there(own_folder, tmp_path):
    corpus = Corpus(own_folder)
    corpus.export("jsonl", tmp_path / "out")

    assert corpus.import_texts(tmp_path / "out").fetched == 0


def test_texts_of_others_get_ids_addresses_and_are_kept_whole(empty, tmp_path):
    lines = [{"id": name, "text": f"Kurz {name}."} for name in ("a b", "c", "c")]
    path = tmp_path / "Mine.jsonl"
    path.write_text("\n".join(map(json.dumps, lines)), encoding="utf-8")

    report = empty.import_texts(path)
    empty.build(workers=1)

    assert report.fetched == 2
    found = sorted(empty.concordance("Kurz"), key=lambda line: line.document.url)
    assert [line.document.url for line in found] == [
        "http://import-mine.texts.invalid/a%20b",
        "http://import-mine.texts.invalid/c",
    ]
    assert {line.document.source for line in found} == {"import-mine"}
    path.touch()
    assert empty.import_texts(path).fetched == 0


def test_texts_of_one_address_are_there_already_when_they_come_again(empty, tmp_path):
    url = "https://news.example/rain"
    lines = [{"id": name, "text": f"Kurz {name}.", "url": url} for name in ("a", "b")]
    path = tmp_path / "mine.jsonl"
    path.write_text("\n".join(map(json.dumps, lines)), encoding="utf-8")

    assert empty.import_texts(path).fetched == 2
    assert empty.import_texts(path).fetched == 0


def test_comments_keep_their_place_on_the_page(empty, tmp_path):
    page = "https://news.example/rain"
    row = {"text": "So true!", "url": f"{page}#comment-7", "parent": page, "page_type": "comment"}
    (tmp_path / "a.jsonl").write_text(json.dumps(row), encoding="utf-8")

    empty.import_texts(tmp_path / "a.jsonl")
    empty.build(workers=1)

    (line,) = empty.concordance("true")
    assert line.document.url == f"{page}#comment-7"
    empty.export("wacz", tmp_path / "out")
    with zipfile.ZipFile(tmp_path / "out" / "tiny.wacz") as packed:
        assert packed.read("pages/pages.jsonl").count(b"\n") == 1


def test_a_lemma_of_the_collection_can_be_searched(empty, tmp_path):
    path = tmp_path / "gold.conllu"
    path.write_text(
        "# newdoc id = 1\n1\tGing\tgehen\tVERB\tVVFIN\t_\t0\troot\t_\t_\n\n", encoding="utf-8"
    )

    empty.import_conllu(path, name="gold")
    empty.build(workers=1)

    assert empty.concordance('[lemma="gehen" & pos="VV.*"]').hits == 1


def test_a_damaged_collection_keeps_what_came_before(empty, tmp_path):
    path = tmp_path / "half.jsonl"
    path.write_text('{"text": "Whole."}\n{"text": ', encoding="utf-8")

    with pytest.raises(SourceError, match="line 2"):
        empty.import_texts(path)

    empty.build(workers=1)
    assert empty.concordance("Whole").hits == 1


def test_hits_are_quoted_by_their_ids_or_by_a_query(built):
    lines = built.concordance("oranges").lines

    named = built.quotations([line.id for line in lines])

    assert [each.hit for each in named] == [line.id for line in lines]
    assert named[0].corpus == "tiny"
    assert named[0].version == built.summary().snapshot
    assert built.quotations(query="oranges") == named
    assert built.quotations(query="oranges", most=1) == named[:1]


def test_all_missing_hits_are_named(built):
    with pytest.raises(QueryError, match=r"0-0\.1\.ff is not in.*0-1\.1\.ff is not in"):
        built.quotations(["0-0.1.ff", "0-1.1.ff"])
    with pytest.raises(QueryError, match="not 0"):
        built.quotations(query="oranges", most=0)


def test_the_earliest_of_imported_texts_is_the_original_and_stays_it(empty, tmp_path):
    text = "The robots of Stasie Road have been out since Monday, said the man with oranges. " * 9

    def bring(name, date, more):
        path = tmp_path / f"{name}.jsonl"
        # The later it is, the longer: length alone would choose the wrong one.
        row = {"id": name, "text": text + "So. " * more, "url": f"http://{name}.example/x"}
        path.write_text(json.dumps(row | {"date": date}), encoding="utf-8")
        empty.import_texts(path)
        empty.build(workers=1)

    def original():
        lines = empty.drops(most=100).lines
        later = next(line.document for line in lines if "later" in line.url)
        return empty.copies(later).members[0].url

    bring("later", "2016-05-01", 9)
    bring("the-first-of-all", "2014-05-01", 0)
    first = original()
    bring("without-a-date", "", 20)

    assert first == original() == "http://the-first-of-all.example/x"
