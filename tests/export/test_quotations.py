import csv
import io
import json
import re
import zipfile
from dataclasses import asdict, replace

import pytest
import rdflib
from hypothesis import given
from hypothesis import strategies as st
from lxml import etree

from izwi.model.errors import QueryError
from izwi.model.reading import Quotation
from izwi.model.tabular import spreadsheet
from izwi.presentation.quotations import (
    COLUMNS,
    QUOTATION_FORMATS,
    bibtex,
    link_of,
    quotations_file,
)
from izwi.presentation.references import protected
from tests.export.dmlexrules import faults
from tests.export.documents import texts

ONE = Quotation(
    "0a1b2c3d4e5f-20260101000000.7.89abcdef", "He drove the ", "bakkie", " to R&B town.",
    "0a1b2c3d4e5f-20260101000000", "https://news.example/a?x=1&y=2", "A bakkie <of> 50%",
    "Nomsa Ncube", "2014-03", "JSON-LD", "feed", "The News", "2026-01-01T00:00:00+00:00", "news", 3,
    headword="bakkie", sense="pick-up", note="first", added="2026-11-16",
)  # fmt: skip
TWO = replace(ONE, hit="x.1.ff", document="x", sense="", headword="b", author="", date="", note="")
TEI = {"t": "http://www.tei-c.org/ns/1.0"}
HOST = "https://izwi.example"


def link(quotation):
    return link_of(quotation, HOST)


def test_a_table_has_a_row_for_each_and_its_link():
    text = quotations_file([ONE, TWO], format="tsv", address=HOST).decode()

    rows = list(csv.DictReader(io.StringIO(text), dialect="excel-tab"))
    assert [row["match"] for row in rows] == ["bakkie", "bakkie"]
    assert rows[0]["link"] == f"{HOST}/c/news/hit/0a1b2c3d4e5f-20260101000000.7.89abcdef?v=3"
    assert rows[0]["author"] == "Nomsa Ncube"


def test_no_cell_of_a_table_is_a_formula():
    bad = replace(ONE, left="=HYPERLINK(1)", note="+1", title="@x")

    (row,) = csv.DictReader(io.StringIO(quotations_file([bad], format="csv").decode()))

    assert (row["left"], row["note"], row["title"]) == ("'=HYPERLINK(1)", "'+1", "'@x")


def test_a_spreadsheet_holds_the_same_rows():
    packed = zipfile.ZipFile(io.BytesIO(quotations_file([ONE, TWO], format="xlsx")))

    sheet = etree.fromstring(packed.read("xl/worksheets/sheet1.xml"))
    rows = sheet.findall(".//{*}row")
    assert ["".join(cell.itertext()) for cell in rows[0]] == list(COLUMNS)
    assert len(rows) == 3
    assert "bakkie" in ["".join(cell.itertext()) for cell in rows[1]]


def test_a_spreadsheet_runs_nothing_and_is_the_same_again():
    rows = [("=1+1", "http://example.org/"), (float("nan"), 2.5)]

    sheet = spreadsheet(("a", "b"), iter(rows))

    packed = zipfile.ZipFile(io.BytesIO(sheet))
    cells = etree.fromstring(packed.read("xl/worksheets/sheet1.xml")).findall(".//{*}c")
    assert ["".join(cell.itertext()) for cell in cells[2:]] == [*rows[0], "nan", "2.5"]
    assert not any(cell.find("{*}f") is not None for cell in cells)
    assert sheet == spreadsheet(("a", "b"), rows)


def test_tei_has_a_cit_with_the_match_and_its_source():
    tree = etree.fromstring(quotations_file([ONE, TWO], format="tei", address=HOST))

    cits = tree.findall(".//t:cit", TEI)
    assert "".join(cits[0].find("t:quote", TEI).itertext()) == "He drove the bakkie to R&B town."
    assert cits[0].find("t:quote/t:hi", TEI).text == "bakkie"
    assert cits[0].get("n") == "pick-up"
    assert cits[0].find(".//t:date", TEI).get("when") == "2014-03"
    assert cits[0].find(".//t:ref", TEI).get("target") == link(ONE)
    assert cits[1].find(".//t:date", TEI) is None


def test_bibtex_has_an_entry_for_each_document_with_a_key_of_its_own():
    again = replace(ONE, hit="other")
    later = replace(ONE, document="0a1b2c3d4e5f-20270101000000")

    found = bibtex([ONE, again, later, TWO], link)

    keys = ["ncube2014-0a1b2c3d", "ncube2014-0a1b2c3d-2", "thenewsnd-x"]
    assert re.findall(r"@online\{(\S+),", found) == keys
    assert r"title = {{A bakkie <of> 50\%}}" in found
    assert "date = {2014-03}" in found
    assert "urldate = {2026-01-01}" in found


def test_each_of_several_authors_is_named_in_every_format():
    signed = replace(ONE, author="Lettie van Wyk, Sipho Radebe")

    written = {
        name: quotations_file([signed], format=name).decode() for name in ("bibtex", "csl", "ris")
    }

    assert "author = {Van Wyk, Lettie and Radebe, Sipho}" in written["bibtex"]
    assert [each["family"] for each in json.loads(written["csl"])[0]["author"]] == [
        "Van Wyk",
        "Radebe",
    ]
    assert re.findall(r"AU  - (.+)\r", written["ris"]) == ["Van Wyk, Lettie", "Radebe, Sipho"]


def test_tex_finds_no_command_in_a_title():
    assert protected(r"\input{x} 100% $5 #_~^") == (
        r"\textbackslash{}input\{x\} 100\% \$5 \#\_\textasciitilde{}\textasciicircum{}"
    )


def test_csl_has_dates_in_parts():
    one, two = json.loads(quotations_file([ONE, TWO], format="csl"))

    assert one["issued"] == {"date-parts": [[2014, 3]]}
    assert one["author"] == [{"family": "Ncube", "given": "Nomsa"}]
    assert "issued" not in two


def test_a_dictionary_has_an_entry_for_each_headword():
    tree = etree.fromstring(quotations_file([ONE, TWO], format="lexonomy"))

    assert [each.text for each in tree.findall("entry/headword")] == ["b", "bakkie"]
    assert tree.findtext("entry/sense/definition") == "pick-up"
    assert tree.find("entry/sense/example/text/h").text == "bakkie"


def test_an_unknown_format_names_the_known_ones():
    with pytest.raises(QueryError, match="tsv, csv, xlsx, tei, bibtex"):
        quotations_file([ONE], format="docx")


words = texts.map(lambda text: text[:30])


@pytest.mark.parametrize("name", QUOTATION_FORMATS)
@given(values=st.lists(words, min_size=4, max_size=4))
def test_any_words_can_be_written(name, values):
    left, match, title, note = values
    hard = replace(ONE, left=left, match=match, title=title, note=note)

    content = quotations_file([hard], format=name)

    if name in ("tei", "lexonomy"):
        etree.fromstring(content)
    elif name == "jsonl":
        assert list(json.loads(content)) == list(COLUMNS)
    elif name in ("tsv", "csv"):
        dialect = "excel-tab" if name == "tsv" else "excel"
        (row,) = csv.DictReader(io.StringIO(content.decode(), newline=""), dialect=dialect)
        assert set(row) == set(asdict(ONE)) | {"link"}


FRAC, ONTOLEX = "http://www.w3.org/ns/lemon/frac#", "http://www.w3.org/ns/lemon/ontolex#"


def graph_of(quotations, address=HOST):
    graph = rdflib.Graph()
    return graph.parse(
        data=quotations_file(quotations, format="ontolex", address=address), format="turtle"
    )


def test_linked_data_has_entries_with_forms_senses_and_attestations():
    graph = graph_of([ONE, replace(ONE, hit="y.2.ff"), TWO])

    found = graph.query(
        f"""PREFIX o: <{ONTOLEX}> PREFIX f: <{FRAC}> PREFIX d: <http://purl.org/dc/terms/>
        SELECT ?word ?quotation ?locus ?date ?corpus WHERE {{
            ?entry a o:LexicalEntry ; o:canonicalForm/o:writtenRep ?word ; o:sense ?sense .
            ?sense a o:LexicalSense ; f:attestation ?attestation .
            ?attestation a f:Attestation ; f:quotation ?quotation ; f:locus ?locus ;
                d:date ?date ; f:observedIn ?corpus . ?corpus a f:Corpus .
        }}"""
    )

    rows = [[str(value) for value in row] for row in found]
    assert len(rows) == 2
    assert rows[0][:2] == ["bakkie", "He drove the bakkie to R&B town."]
    assert link(ONE).partition("?")[0] in {row[2] for row in rows}
    assert {row[3] for row in rows} == {"2014-03"}
    assert {row[4] for row in rows} == {f"{HOST}/c/news?v=3"}
    entries = list(graph.subjects(rdflib.RDF.type, rdflib.URIRef(f"{ONTOLEX}LexicalEntry")))
    assert len(entries) == 2


def test_linked_data_without_a_site_has_names_all_the_same():
    graph = graph_of([ONE], address="")

    subjects = {str(each) for each in graph.subjects() if isinstance(each, rdflib.URIRef)}
    assert subjects
    assert all(each.startswith("urn:izwi:c/news") for each in subjects)


@given(texts, texts, texts)
def test_whatever_a_page_says_the_linked_data_can_be_read(title, match, url):
    odd = replace(ONE, title=title, match=match, headword="", sense=title, url=f"https://x/{url}")

    graph = graph_of([odd])

    (entry,) = graph.subjects(rdflib.RDF.type, rdflib.URIRef(f"{ONTOLEX}LexicalEntry"))
    assert entry


def test_dmlex_has_entries_senses_and_examples_with_the_headword_marked():
    found = json.loads(quotations_file([ONE, TWO], format="dmlex", address=HOST))

    assert [entry["headword"] for entry in found["entries"]] == ["b", "bakkie"]
    (sense,) = found["entries"][1]["senses"]
    assert sense["definitions"] == [{"text": "pick-up"}]
    (example,) = sense["examples"]
    (marker,) = example["headwordMarkers"]
    assert example["text"][marker["startIndex"] : marker["endIndex"]] == "bakkie"
    assert {"tag": example["sourceIdentity"]} in found["sourceIdentityTags"]
    ids = [each["id"] for entry in found["entries"] for each in (entry, *entry["senses"])]
    assert len(set(ids)) == len(ids)


@given(st.text(max_size=8), st.text(max_size=8), st.text(max_size=8), st.text(max_size=8))
def test_whatever_a_page_says_dmlex_holds_what_the_standard_allows(title, match, sense, site):
    odd = replace(ONE, title=title, match=match, headword=match, sense=sense, site=site, url="")

    found = json.loads(quotations_file([odd, TWO], format="dmlex", address=HOST))

    assert list(faults(found)) == []


def test_ris_has_a_reference_for_each_document():
    text = quotations_file([ONE, replace(ONE, hit="again"), TWO], format="ris").decode()

    first, second = ([line.split("  - ", 1) for line in part.split("\r\n") if line.strip()]
                     for part in text.split("ER  - ")[:2])  # fmt: skip
    said = dict(first)
    assert (said["TY"], said["AU"], said["PY"]) == ("ELEC", "Ncube, Nomsa", "2014")
    assert said["DA"] == "2014/03//"
    assert said["UR"] == ONE.url
    assert ("PY" in dict(second), "AU" in dict(second)) == (False, False)


def test_no_title_begins_a_field_of_its_own():
    text = quotations_file([replace(ONE, title="A\r\nER  - \r\nTY  - BOOK")], format="ris").decode()

    assert sum(line.startswith("TY  -") for line in text.split("\r\n")) == 1
