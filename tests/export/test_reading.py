import gzip
import json
import tempfile
import unicodedata
from dataclasses import replace
from datetime import date
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st

from izwi.export.base import passages
from izwi.export.characters import writable_document
from izwi.export.conllu import Conllu, documents_of, read_conllu_documents
from izwi.export.incoming import dated, metadata_of, moment, read_texts
from izwi.export.parquet import Parquet
from izwi.export.rows import JsonLines, exact_date
from izwi.export.tei import TeiCorpus, TeiDocuments, marked_up
from izwi.export.tei_reading import read_tei
from izwi.model.document import Mark, Paragraph
from izwi.model.errors import SourceError
from tests.export.documents import DATED, EDITION, annotated, document, hard_documents

TEXTS = (JsonLines, Parquet)
PROSE = (JsonLines, Parquet, TeiCorpus, TeiDocuments)
# On others nothing was published; they do not come back.
DAYS = st.dates(date(1000, 1, 1), date(2026, 12, 31))


def returned(form, documents, read, edition=EDITION):
    """Write documents in a form and read them again."""
    with tempfile.TemporaryDirectory() as folder:
        form(edition).write(documents, Path(folder))
        return list(read(Path(folder)))


def reader_of(form):
    return read_texts if form in TEXTS else read_tei


def facts(metadata):
    """Return what a row of metadata can say."""
    names = ("title", "author", "section", "site", "licence", "image", "page_type")
    dates = (exact_date(metadata.date), exact_date(metadata.modified))
    return [getattr(metadata, name) for name in names], dates


def spelt(text):
    """Return a text as CoNLL-U has it: composed, one space between words."""
    return " ".join(unicodedata.normalize("NFC", text).replace("\ufffd", "\u25a1").split())


@pytest.mark.parametrize("form", PROSE)
def test_what_is_exported_comes_back(form):
    sent = document(
        "Rain & more", "It rains. It pours.", "One", "Two", "“So,” she said.", "A | B",
        kinds=("h", "p", "li", "li", "blockquote", "td"),
        date=DATED, section="weather", keywords=("rain", "Karoo"), licence="CC BY 4.0",
        modified=replace(DATED, precision="day"), image="https://news.example/rain.jpg",
        page_type="article",
    )  # fmt: skip

    (found,) = returned(form, [sent], reader_of(form))

    assert found.paragraphs == sent.paragraphs
    assert facts(found.metadata) == facts(sent.metadata)
    assert found.metadata.date == DATED
    assert found.metadata.keywords == ("rain", "Karoo")
    assert (found.id, found.url, found.source) == (sent.id, sent.url, sent.source)
    assert found.captured == sent.captured


@pytest.mark.parametrize("form", [*PROSE, Conllu])
def test_a_comment_knows_its_page(form):
    page = "https://news.example/rain"
    sent = document("So true!", author="user-1", page_type="comment", parent=page, date=DATED)
    read = read_conllu_documents if form is Conllu else reader_of(form)

    (found,) = returned(form, [sent], read)

    assert [each.text for each in found.paragraphs] == ["So true!"]
    assert (found.metadata.parent, found.metadata.page_type) == (page, "comment")


@pytest.mark.parametrize("form", [Conllu, TeiCorpus])
def test_tokens_come_back_with_their_lemmas_and_tags(form):
    texts = ("It’s on.It pours.", "Nobody minds.")
    tokens = annotated(texts)
    words = tokens.words
    tokens = replace(
        tokens, lemmas=tuple(map(str.upper, words)), xpos=tuple(f"T{len(w)}" for w in words)
    )
    sent = replace(document(*texts), annotation=tokens)
    read = read_conllu_documents if form is Conllu else read_tei

    (found,) = returned(form, [sent], read, replace(EDITION, has_tokens=True))

    assert tuple(each.text for each in found.paragraphs) == texts
    assert found.given is not None
    names = ("words", "starts", "ends", "sentences", "paragraphs", "xpos")
    assert [getattr(found.given, n) for n in names] == [getattr(tokens, n) for n in names]
    lemmas = zip(found.given.lemmas, words, strict=True)
    assert all(lemma == word.upper() for lemma, word in lemmas if word.isalnum())


@pytest.mark.parametrize("form", PROSE)
@given(hard=st.lists(hard_documents(DAYS), max_size=3, unique_by=lambda each: each.id))
def test_any_document_comes_back(form, hard):
    sent = [writable_document(each)[0] for each in hard]

    found = sorted(returned(form, sent, reader_of(form)) if sent else [], key=lambda each: each.id)

    sent.sort(key=lambda each: each.id)
    assert [each.id for each in found] == [each.id for each in sent]
    for one, other in zip(found, sent, strict=True):
        lines = [(each.text, each.kind) for each in other.paragraphs]
        if form not in TEXTS:
            lines = [(each.text, each.kind) for each in passages(other)]
        assert [(each.text, each.kind) for each in one.paragraphs] == lines
        assert exact_date(one.metadata.date) == exact_date(other.metadata.date)
        assert one.metadata.title == other.metadata.title


@given(hard=hard_documents())
def test_any_tokens_come_back_from_conllu(hard):
    sent = writable_document(hard)[0]
    if sent.annotation is None or not sent.annotation.words:
        return

    (found,) = returned(Conllu, [sent], read_conllu_documents)

    assert found.given is not None
    assert len(found.given.words) == len(sent.annotation.words)
    assert found.given.words == tuple(spelt(word) or "_" for word in sent.annotation.words)
    text = "\n".join(each.text for each in found.paragraphs)
    pairs = zip(found.given.starts, found.given.ends, strict=True)
    assert tuple(text[a:b] for a, b in pairs) == found.given.words


def test_marks_become_elements_and_come_back():
    marks = (Mark(0, 7, "a", "https://news.example/a b?x=1&y=2"), Mark(3, 7, "em"), Mark(8, 9, "b"))
    sent = replace(document("It < rain"), paragraphs=(Paragraph("It < ra n", marks=marks),))
    sent = replace(sent, annotation=None)

    (found,) = returned(TeiCorpus, [sent], read_tei)

    (paragraph,) = found.paragraphs
    assert paragraph.text == "It < ra n"
    assert paragraph.marks == (replace(marks[0], target=marks[0].target.replace(" ", "%20")),
                               *marks[1:])  # fmt: skip


def test_marks_that_cross_are_cut():
    assert marked_up("abcdef", [Mark(0, 4, "b"), Mark(2, 6, "i"), Mark(5, 99, "em")]) == (
        '<hi rend="b">ab<hi rend="i">cd</hi></hi>e<emph>f</emph>'
    )


def test_texts_of_others_need_nothing_but_a_text(tmp_path):
    rows = [
        {"text": "One.\n\n Two. ", "metadata": {"url": "https://a.example/", "title": "T"}},
        {"text": "Three.", "date": "2020-05-01T10:00:00Z", "keywords": "a; b"},
    ]
    packed = gzip.compress("\n".join(map(json.dumps, rows)).encode())
    (tmp_path / "a.jsonl.gz").write_bytes(packed)

    one, two = read_texts(tmp_path)

    assert [each.text for each in one.paragraphs] == ["One.", "Two."]
    assert (one.url, one.metadata.title) == ("https://a.example/", "T")
    assert two.metadata.date == dated("2020-05-01", "")
    assert two.metadata.keywords == ("a", "b")


def test_days_in_parquet_are_dates(tmp_path):
    table = pa.table({"text": ["One."], "date": pa.array([18_000], pa.date32())})
    pq.write_table(table, tmp_path / "a.parquet")

    (found,) = read_texts(tmp_path / "a.parquet")

    assert exact_date(found.metadata.date) == "2019-04-14"


MULTIWORD = """\
# newdoc id = a
# title = Casa
# newpar
1\tVoy\tir\tVERB\t_\t_\t0\troot\t_\t_
2-3\tal\t_\t_\t_\t_\t_\t_\t_\tSpaceAfter=No
2\ta\ta\tADP\t_\t_\t1\tdep\t_\t_
3\tel\tel\tDET\t_\t_\t1\tdep\t_\t_
3.1\tno\tno\tX\t_\t_\t_\t_\t_\t_
4\t.\t.\tPUNCT\t_\t_\t1\tpunct\t_\t_

# newdoc id = b
1\tSí\tsí\tINTJ\t_\t_\t0\troot\t_\t_
"""


def test_a_multiword_token_is_one_token():
    one, two = documents_of(MULTIWORD.splitlines(), "es.conllu")

    assert one.paragraphs == (Paragraph("Voy al."),)
    assert one.given is not None
    assert one.given.words == ("Voy", "al", ".")
    assert one.given.lemmas == ("ir", "a+el", ".")
    assert one.given.upos == ("VERB", "ADP+DET", "PUNCT")
    assert one.given.xpos == ()
    assert (one.metadata.title, two.id) == ("Casa", "b")


FOREIGN = """<TEI xmlns="http://www.tei-c.org/ns/1.0" xml:lang="de"><teiHeader><fileDesc><titleStmt>
<title>Brief</title><author>A. B.</author></titleStmt><sourceDesc><bibl><date when="1848"/></bibl>
</sourceDesc></fileDesc></teiHeader><text><body><div><head>An <hi>C.</hi></head>
<div><p>Lieber <persName>C.</persName>,<!-- so --> gut.</p><lg><l>Vers</l></lg></div></div></body>
</text></TEI>"""


def test_tei_of_others_gives_its_blocks(tmp_path):
    (tmp_path / "a.xml").write_text(FOREIGN, encoding="utf-8")

    (found,) = read_tei(tmp_path / "a.xml")

    assert [(each.text, each.kind) for each in found.paragraphs] == [
        ("An C.", "h"), ("Lieber C., gut.", "p"), ("Vers", "p"),
    ]  # fmt: skip
    metadata = found.metadata
    assert (metadata.title, metadata.author, metadata.language) == ("Brief", "A. B.", "de")
    assert exact_date(metadata.date) == "1848"


def deep(name):
    """Return a text in very many elements."""
    inner = f"<{name}>" * 1500 + "x" + f"</{name}>" * 1500
    head = '<TEI xmlns="http://www.tei-c.org/ns/1.0"><text><body><div><p>'
    return f"{head}{inner}</p></div></body></text></TEI>".encode()


@pytest.mark.parametrize("said", ["[]", '"x"', "5", "null"])
def test_a_description_that_is_no_object_says_nothing(tmp_path, said):
    xeno = f'<xenoData type="schema.org">{said}</xenoData></teiHeader>'
    (tmp_path / "a.xml").write_text(FOREIGN.replace("</teiHeader>", xeno), encoding="utf-8")

    (found,) = read_tei(tmp_path / "a.xml")

    assert found.metadata.title == "Brief"


@pytest.mark.parametrize(
    ("name", "content", "read", "words"),
    [
        ("a.jsonl", b'{"text": "x"}\nnonsense', read_texts, "line 2 is no JSON"),
        ("a.jsonl", b'{"text": "\\ud800"}', read_texts, "line 1 is no JSON"),
        ("a.jsonl", b"[1]", read_texts, "not an object"),
        ("a.jsonl", b'{"body": "x"}', read_texts, "no column `text`"),
        ("a.parquet", b"PAR1", read_texts, "cannot be read as Parquet"),
        ("a.conllu", b"1\tIt\n", read_conllu_documents, "2 columns instead of 10"),
        ("a.conllu", b"# \xff\n", read_conllu_documents, "line 1 is not UTF-8"),
        ("a.conllu.gz", b"no gzip", read_conllu_documents, "cannot be read"),
        ("a.xml", b"<TEI", read_tei, "is no XML"),
        ("a.xml", b"<html/>", read_tei, "no element TEI"),
        ("a.xml", deep("div"), read_tei, "too deep"),
        ("a.xml", deep("hi"), read_tei, "too deep"),
    ],
)
def test_what_is_damaged_is_named(tmp_path, name, content, read, words):
    (tmp_path / name).write_bytes(content)

    with pytest.raises(SourceError, match=words):
        list(read(tmp_path / name))


@pytest.mark.parametrize(
    ("bound", "words"), [("_MOST_ROWS", "a sentence of"), ("_MOST_WORDS", "a document of")]
)
def test_a_packed_file_without_end_does_not_fill_the_memory(tmp_path, monkeypatch, bound, words):
    monkeypatch.setattr(f"izwi.export.conllu.{bound}", 20)
    sentence = "".join(f"{n}\tit\tit\tX\t_\t_\t0\t_\t_\t_\n" for n in range(1, 20)) + "\n"
    lines = sentence * 3 if bound == "_MOST_WORDS" else sentence.strip() + "\n" + sentence
    (tmp_path / "a.conllu.gz").write_bytes(gzip.compress(lines.encode()))

    with pytest.raises(SourceError, match=rf"line \d+: {words} more than 20"):
        list(read_conllu_documents(tmp_path))


@pytest.mark.parametrize(
    ("bound", "inside"), [("_MOST_BYTES", "word " * 30_000), ("_MOST_MARKUP", "<pc/>" * 60_000)]
)
def test_a_packed_text_without_end_does_not_fill_the_memory(tmp_path, monkeypatch, bound, inside):
    monkeypatch.setattr(f"izwi.export.incoming.{bound}", 50_000)
    whole = '<TEI xmlns="http://www.tei-c.org/ns/1.0"><text><p>One text.</p></text></TEI>'
    many = f"<teiCorpus>{whole * 3000}</teiCorpus>"
    (tmp_path / "many.xml.gz").write_bytes(gzip.compress(many.encode()))
    # Cut off: what is refused only at its end would say that this is no XML.
    endless = whole.replace("One text.", inside).partition("</p>")[0]
    (tmp_path / "endless.xml.gz").write_bytes(gzip.compress(endless.encode()))

    assert len(list(read_tei(tmp_path / "many.xml.gz"))) == 3000
    with pytest.raises(SourceError, match="holds a text of more than"):
        list(read_tei(tmp_path / "endless.xml.gz"))


def test_entities_of_a_file_are_not_followed(tmp_path):
    (tmp_path / "secret.txt").write_text("secret", encoding="utf-8")
    xml = FOREIGN.replace("Vers", "&x;")
    head = f'<!DOCTYPE TEI [<!ENTITY x SYSTEM "{(tmp_path / "secret.txt").as_uri()}">]>'
    (tmp_path / "a.xml").write_text(head + xml, encoding="utf-8")

    (found,) = read_tei(tmp_path / "a.xml")

    assert "secret" not in "".join(each.text for each in found.paragraphs)


def test_a_folder_without_such_files_says_so(tmp_path):
    with pytest.raises(SourceError, match="holds no CoNLL-U"):
        list(read_conllu_documents(tmp_path))
    with pytest.raises(SourceError, match="does not exist"):
        list(read_texts(tmp_path / "nothing"))


def test_moments_are_in_utc():
    assert str(moment("2020-01-01T02:00:00+02:00")) == "2020-01-01 00:00:00+00:00"
    assert moment("soon") is None
    assert dated("soon", "") is None
    assert dated("2020-13", "") is None
    assert moment("0001-01-01T00:00:00+05:00") is None


@pytest.mark.parametrize("text", ["9999-12-31", "0001-01-01", "0999", "2999-01"])
def test_a_date_at_which_nothing_was_published_is_none(text):
    assert dated(text, "") is None


@pytest.mark.parametrize("keywords", [5, True, 1.5, {"a": 1}])
def test_keywords_that_are_no_list_are_none(keywords):
    assert metadata_of({"keywords": keywords}).keywords == ()


def test_sentences_of_a_paragraph_stand_in_one_line():
    row = "1\t{}\t_\t_\t_\t_\t_\t_\t_\t_"
    lines = ["# newpar", row.format("One"), "", row.format("two"), "", "# newpar", row.format("b")]

    (found,) = documents_of(lines, "a.conllu")

    assert [each.text for each in found.paragraphs] == ["One two", "b"]
    assert found.given.starts == (0, 4, 8)
