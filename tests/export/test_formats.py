import json
from dataclasses import replace
from datetime import date
from importlib.resources import files

import pyarrow.parquet as pq
import pytest
from lxml import etree

from izwi import plugins
from izwi.annotate.conllu import parse_conllu
from izwi.export import parquet
from izwi.export.base import Choice, passages
from izwi.export.conllu import conllu, features
from izwi.export.rows import Plain, Shuffled, article, sentences
from izwi.export.tei import publication_date, tei
from izwi.export.vertical import cwb_encode, registry, vertical
from izwi.model.document import PublicationDate, dropped
from izwi.model.errors import QueryError
from izwi.plugins import Plugin
from izwi.service.exporting import FORMATS, named_format
from izwi.testing import check_exporter
from tests.export.documents import DATED, EDITION, annotated, document

SCHEMA = etree.RelaxNG(
    etree.fromstring(files("izwi.export").joinpath("schemas", "izwi-tei.rng").read_bytes())
)
TEXT = "It’s on. Ask <him>."


def tagged(*texts, **columns):
    found = document(*texts)
    return replace(found, annotation=annotated(texts, **columns))


def test_vertical_text_has_structures_glue_and_entities():
    found = vertical(document(TEXT), ("pos", "lemma"))

    assert found.split("\n")[1:] == [
        '<p type="p">', "<s>", "It\t_\tIt", "<g/>", "’\t_\t’", "<g/>", "s\t_\ts", "on\t_\ton",
        "<g/>", ".\t_\t.", "</s>", "<s>", "Ask\t_\tAsk", "&lt;\t_\t&lt;", "<g/>",
        "him\t_\thim", "<g/>", "&gt;\t_\t&gt;", "<g/>", ".\t_\t.", "</s>", "</p>", "</doc>", "",
    ]  # fmt: skip


def test_a_doc_says_where_it_is_from():
    first = vertical(document(title='"A" & B', date=DATED), ()).split("\n")[0]

    attributes = etree.fromstring(f"{first}</doc>").attrib
    assert attributes["title"] == '"A" & B'
    assert (attributes["date"], attributes["year"]) == ("2014-03", "2014")
    assert attributes["language"] == "en"


def test_the_registry_and_the_script_name_every_column_and_structure():
    edition = replace(EDITION, attributes=("pos", "lemma", "stem"))

    assert "ATTRIBUTE tag\nATTRIBUTE lemma\nATTRIBUTE stem\n" in registry(edition)
    assert " -P tag -P lemma -P stem -S doc:0+id+url" in cwb_encode(edition)


def test_conllu_says_sentences_paragraphs_and_spaces():
    found = tagged("It rains. So.", upos=("PRON", "VERB", "PUNCT", "ADV", "what"))

    lines = "".join(conllu(found)).split("\n")
    assert lines[:3] == [
        "# newdoc id = 0a1b2c-20261115",
        "# url = https://news.example/0a1b2c-20261115",
        "# title = Rain",
    ]
    assert lines[lines.index("# newpar") :] == [
        "# newpar",
        "# sent_id = 0a1b2c-20261115-1",
        "# text = It rains.",
        "1\tIt\tIt\tPRON\t_\t_\t0\troot\t_\t_",
        "2\trains\trains\tVERB\t_\t_\t1\tdep\t_\tSpaceAfter=No",
        "3\t.\t.\tPUNCT\t_\t_\t1\tdep\t_\t_",
        "",
        "# sent_id = 0a1b2c-20261115-2",
        "# text = So.",
        "1\tSo\tSo\tADV\t_\t_\t0\troot\t_\tSpaceAfter=No",
        "2\t.\t.\tX\t_\t_\t1\tdep\t_\t_",
        "",
        "",
    ]


def test_our_own_reader_of_conllu_reads_it():
    found = document("It rains. It pours.", "Nobody minds.")

    read = list(parse_conllu("".join(conllu(found)).split("\n")))

    assert [word.form for word in read[0].words] == ["It", "rains", "."]
    assert [each.begins_paragraph for each in read] == [True, False, True]


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ("Number=Sing|Case=Nom", "Case=Nom|Number=Sing"),
        ("_", "_"),
        ("noun", "_"),
        ("A=b", "_"),
        ("Case=Nom|Case=Gen", "Case=Gen"),
    ],
)
def test_features_are_sorted_and_legal(given, expected):
    assert features(given) == expected


def test_tei_makes_divisions_lists_and_quotes():
    texts = ("Title", "Sub", "One.", "a", "b", "Said.", "Two")
    kinds = ("h", "h", "p", "li", "li", "blockquote", "h")

    body = tei(document(*texts, kinds=kinds), EDITION).split("<body>")[1]

    assert body.replace("\n", "") == (
        "<div><head>Title</head><head>Sub</head><p>One.</p><list><item>a</item><item>b</item>"
        "</list><quote>Said.</quote></div><div><head>Two</head><p/></div></body></text></TEI>"
    )


def test_tei_tokens_have_lemma_tag_and_join():
    found = tagged("He ran.", lemmas=("he", "run", "."), xpos=("PRP", "VBD", "."))

    body = tei(found, replace(EDITION, has_tokens=True))

    assert (
        '<s><w lemma="he" pos="PRP">He</w> <w lemma="run" pos="VBD" join="right">ran</w>'
        '<pc pos=".">.</pc></s>' in body
    )


@pytest.mark.parametrize(
    ("when", "expected"),
    [
        (None, '<date type="published" cert="unknown"/>'),
        (PublicationDate(date(2014, 3, 1), "year", "url"), 'when="2014" cert="medium"'),
        (PublicationDate(date(2014, 3, 1), "day", "meta"), 'when="2014-03-01" cert="high"'),
        (PublicationDate(date(2014, 3, 1), "day", ""), 'when="2014-03-01" cert="medium"'),
    ],
)
def test_a_date_in_tei_says_how_sure_it_is(when, expected):
    assert expected in publication_date(when)


def test_an_article_of_schema_org_leaves_out_what_nobody_knows():
    assert article(document(author="", date=DATED)) == {
        "@type": "Article",
        "identifier": "0a1b2c-20261115",
        "url": "https://news.example/0a1b2c-20261115",
        "headline": "Rain",
        "datePublished": "2014-03",
        "isPartOf": {"@type": "WebSite", "name": "The News"},
        "inLanguage": "en",
    }


def test_parquet_is_written_in_groups_that_end_by_rows_or_bytes(tmp_path, monkeypatch):
    monkeypatch.setattr(parquet, "_ROWS", 1000)
    FORMATS["parquet"](EDITION).write((document(id=f"{n}") for n in range(2203)), tmp_path)

    file = pq.ParquetFile(tmp_path / "news.parquet")
    assert [file.metadata.row_group(n).num_rows for n in range(3)] == [1000, 1000, 203]
    assert file.num_row_groups == 3
    # The end of the file holds no texts, however long they are.
    columns = {name: n for n, name in enumerate(parquet.SCHEMA.names)}
    first = file.metadata.row_group(0)
    assert first.column(columns["text"]).statistics is None
    assert first.column(columns["date"]).statistics is not None
    monkeypatch.setattr(parquet, "_BYTES", 1)
    FORMATS["parquet"](EDITION).write((document(id=f"{n}") for n in range(1203)), tmp_path)
    assert pq.ParquetFile(tmp_path / "news.parquet").num_row_groups == 3
    assert file.schema_arrow.names[:3] == ["id", "text", "url"]


def test_shuffled_sentences_are_all_there_in_another_order_and_the_same_for_one_seed(tmp_path):
    documents = [document(f"Number {n} is here. It goes on {n}.") for n in range(100)]
    expected = [line for each in documents for line in sentences(each)]
    orders = []
    for place, seed in enumerate((1, 1, 2)):
        folder = tmp_path / str(place)
        folder.mkdir()
        Shuffled(replace(EDITION, seed=seed)).write(documents, folder)
        orders.append((folder / "news.sentences.txt").read_text(encoding="utf-8").splitlines())

    assert all(sorted(order) == sorted(expected) for order in orders)
    assert orders[0] == orders[1] != orders[2]
    assert orders[0] != expected


def test_passages_leave_out_what_is_no_main_text_and_empty_paragraphs():
    found = document("Menu", "One.", " ", "Two.")
    menu, *rest = found.paragraphs
    paragraphs = (replace(menu, is_main=False), *rest)
    found = replace(found, paragraphs=paragraphs, annotation=annotated(("One.", " ", "Two.")))

    assert [(each.text, each.start) for each in passages(found)] == [("One.", 0), ("Two.", 7)]
    assert [list(each.sentences) for each in passages(found)] == [[range(2)], [range(2, 4)]]


@pytest.mark.parametrize(
    ("choice", "is_in"),
    [
        (Choice(), True),
        (Choice(sources=("feed",)), True),
        (Choice(sources=("other",)), False),
        (Choice(languages=("en",)), True),
        (Choice(languages=("af", "zul")), False),
        (Choice(since=date(2014, 1, 1), until=date(2014, 12, 31)), True),
        (Choice(since=date(2015, 1, 1)), False),
        (Choice(until=date(2013, 12, 31)), False),
        (Choice(ids=frozenset({"0a1b2c-20261115"})), True),
        (Choice(ids=frozenset({"x"})), False),
    ],
)
def test_a_choice_goes_by_source_language_year_and_id(choice, is_in):
    assert choice.holds(document(date=DATED)) is is_in


def test_a_choice_of_years_leaves_out_undated_documents_and_any_choice_dropped_ones():
    assert not Choice(since=date(1900, 1, 1)).holds(document())
    assert not Choice().holds(replace(document(), verdict=dropped("select", "too-short")))


def test_an_unknown_format_names_the_known_ones():
    with pytest.raises(QueryError, match=r"'xls' is no format.*vertical, conllu"):
        named_format("xls", EDITION)


def test_linked_data_of_no_documents_is_json(tmp_path):
    FORMATS["jsonld"](EDITION).write([], tmp_path)

    assert json.loads((tmp_path / "news.jsonld").read_text(encoding="utf-8"))["hasPart"] == []


def test_english_words_without_universal_tags_get_them_from_their_own():
    found = tagged(
        "It is raining.", xpos=("PRP", "VBZ", "VBG", "."), lemmas=("it", "be", "rain", ".")
    )

    tags = [
        word.upos
        for each in parse_conllu("".join(conllu(found)).split("\n"))
        for word in each.words
    ]

    assert tags == ["PRON", "AUX", "VERB", "PUNCT"]


def test_comments_are_posts_after_the_text_if_asked_for():
    found = document("It rains.", "First!", "Menu")
    said, menu = (replace(each, is_main=False) for each in found.paragraphs[1:])
    paragraphs = (found.paragraphs[0], replace(said, reason="comment 0.93"), menu)
    found = replace(found, paragraphs=paragraphs)

    text = tei(found, replace(EDITION, has_comments=True))

    assert 'generatedBy="human"><p>First!</p></post>\n</div>\n</body>' in text
    assert SCHEMA.validate(etree.fromstring(text)), SCHEMA.error_log.last_error
    assert "First!" not in tei(found, EDITION)
    assert "Menu" not in text


@pytest.mark.parametrize("name", FORMATS)
def test_built_in_formats_conform(name):
    assert check_exporter(FORMATS[name]) is None


class Moody(Plain):
    """Writes something else each time."""

    moods = 0

    def write(self, documents, target):
        Moody.moods += 1
        (target / "mood.txt").write_text(str(Moody.moods), encoding="utf-8")


class Silent(Plain):
    def write(self, documents, target):
        list(documents)


@pytest.mark.parametrize(("kind", "words"), [(Moody, "same documents"), (Silent, "has files")])
def test_a_format_that_does_not_conform_is_told_why(kind, words):
    with pytest.raises(AssertionError, match=words):
        check_exporter(kind)


def test_an_installed_format_is_found_by_its_name(monkeypatch):
    monkeypatch.setattr(plugins, "installed", lambda group: [Plugin(group, "moody", "moods", "1")])
    monkeypatch.setattr(plugins, "load", lambda group, name: Moody)

    assert isinstance(named_format("moody", EDITION), Moody)


def test_a_comment_is_a_post_below_its_page():
    found = document(
        "So true!", "Indeed.", kinds=("h", "p"), page_type="comment", date=DATED,
        parent="https://news.example/rain & more",
    )  # fmt: skip

    tree = etree.fromstring(tei(found, EDITION))

    assert SCHEMA.validate(tree), SCHEMA.error_log.last_error
    names = {"t": "http://www.tei-c.org/ns/1.0"}
    post = tree.find(".//t:div[@type='comment']/t:post", names)
    assert [each.text for each in post] == ["So true!", "Indeed."]
    assert (post.get("when"), post.get("modality")) == ("2014-03", "written")
    related = tree.find(".//t:relatedItem", names)
    assert related.get("target") == "https://news.example/rain%20&%20more"
    assert article(found)["@type"] == "Comment"


def test_parquet_has_real_dates_and_nothing_where_nothing_is_known(tmp_path):
    FORMATS["parquet"](EDITION).write((document(),), tmp_path)

    schema = pq.read_schema(tmp_path / "news.parquet")
    (row,) = pq.read_table(tmp_path / "news.parquet").to_pylist()

    assert str(schema.field("date").type) == "date32[day]"
    assert str(schema.field("captured").type) == "timestamp[ms, tz=UTC]"
    assert "" not in [value for name, value in row.items() if name != "text"]
    assert row["role"] == "original"
    assert (row["cluster"], row["copy_of"]) == (row["id"], None)
