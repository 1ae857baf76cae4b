"""The vertical text and its script by the rules of CWB."""

import unicodedata
from dataclasses import replace

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from izwi.export.base import ATTRIBUTES
from izwi.export.characters import writable_document
from izwi.export.vertical import DOCUMENT, cwb_encode, fitting, vertical
from tests.export import cwbrules
from tests.export.documents import DATED, EDITION, document, hard_documents

WORST = document("\x00 & <b>\ud800</b> ]]> \u202e", "", " ", "<!-- <?xml مرحبا. 😀", date=DATED)
LONG = document("x" * 9000, '"' * 3000, "é" * 5000, title='"' * 30_000, author="<" * 9000)
DECLARED = cwbrules.declared(cwb_encode(EDITION))


def encoded(documents, attributes=EDITION.attributes):
    clean = (writable_document(each)[0] for each in documents)
    text = "".join(vertical(each, attributes) for each in clean)
    edition = replace(EDITION, attributes=attributes)
    return cwbrules.encode(text.encode(), cwbrules.declared(cwb_encode(edition)))


@settings(max_examples=100, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(documents=st.lists(hard_documents(), max_size=3))
@example(documents=[WORST, document(), WORST])
def test_whatever_a_document_holds_nothing_is_warned_of_and_every_word_arrives(documents):
    found = encoded(documents)

    clean = [writable_document(each)[0] for each in documents]
    words = [
        unicodedata.normalize("NFC", word).strip(" ")
        for each in clean
        for word in (each.annotation.words if each.annotation else ())
    ]
    assert found.warnings == []
    assert [token[0] for token in found.tokens] == words
    titles = [
        unicodedata.normalize("NFC", " ".join(each.metadata.title.split(" "))) for each in clean
    ]
    regions = [values for name, values in found.regions if name == "doc"]
    assert [values["title"] for values in regions] == titles


@pytest.mark.parametrize("attributes", [(), ("pos", "lemma"), ATTRIBUTES])
def test_values_and_lines_are_no_longer_than_cwb_reads(attributes):
    found = encoded([LONG], attributes)

    assert found.warnings == []
    assert found.tokens[0][0] == "x" * 4092 + "…"


def test_what_is_too_long_is_cut_between_characters():
    assert fitting("é" * 2047) == "é" * 2047
    assert fitting("é" * 3000) == "é" * 2046 + "…"
    assert len(fitting("\u0958" * 1200).encode()) <= cwbrules.VALUE - 1


@pytest.mark.parametrize("corpus", ["news", "hu-news", "2010-news", "1", "a_b-c"])
def test_names_are_such_as_cwb_takes(corpus):
    names = cwbrules.declared(cwb_encode(replace(EDITION, corpus=corpus)))

    assert cwbrules.wrong_names(names) == []
    assert names.columns == ["word", "tag", "lemma"]
    assert names.structures == {"doc": list(DOCUMENT), "p": ["type"], "s": []}
    assert names.ignored == ["g"]
    assert set(names.flags) == set("xsB")


@pytest.mark.parametrize(
    ("text", "warning"),
    [
        ("<b>\n", "not declared"),
        ("< \n", "malformed"),
        ("<p>\n<p>\n", "not nested"),
        ("</s>\n", "not nested"),
        ("<doc id=1>\n</doc>\n", "syntax"),
        ('<doc id="a" id="b">\n</doc>\n', "twice"),
        ("<s>\n", "open at the end"),
        ("a\tb\n", "columns"),
        ("a\t\tb\n", "empty"),
        ("x" * 5000 + "\ta\ta\n", "too long"),
        ("x" * 70_000 + "\ta\ta\n", "too long"),
    ],
)
def test_the_rules_see_what_is_wrong(text, warning):
    assert warning in cwbrules.encode(text.encode(), DECLARED).warnings[0]


def test_a_wrong_name_is_seen():
    script = cwb_encode(EDITION).replace("-P tag", "-P 1tag").replace("/news", "/2News")

    assert cwbrules.wrong_names(cwbrules.declared(script)) == ["1tag", "2News", "2News"]
