"""The federated search as its clients see it: sruthi asks, CLARIN's parser judges our reading."""

import fcsql
import pytest
import sruthi
from hypothesis import given, settings
from hypothesis import strategies as st
from lxml import etree

import izwi
from izwi.model.errors import QueryError
from izwi.query.cql import parse
from izwi.web.api.federated_query import FederatedSyntaxError, advanced_query, basic_query
from izwi.web.app import create_app
from tests.web.api.grammars import assert_valid
from tests.web.serving import asking

NAMES = {
    "sru": "http://docs.oasis-open.org/ns/search-ws/sruResponse",
    "diag": "http://docs.oasis-open.org/ns/search-ws/diagnostic",
    "ed": "http://clarin.eu/fcs/endpoint-description",
    "fcs": "http://clarin.eu/fcs/resource",
    "hits": "http://clarin.eu/fcs/dataview/hits",
    "adv": "http://clarin.eu/fcs/dataview/advanced",
}
ATTRIBUTES = ("word", "lc", "lemma", "pos")


def tree(client, parameters):
    answer = client.get("/sru", params=parameters)
    assert answer.status_code == 200
    assert answer.headers["content-type"].startswith("application/xml")
    top = etree.fromstring(answer.content)
    assert_valid(top, "federated")
    return top


def texts(top, path):
    found = top.xpath(path, namespaces=NAMES)
    return [each if isinstance(each, str) else each.text for each in found]


@pytest.mark.parametrize("version", ["1.1", "1.2"])
def test_a_client_of_sru_finds_what_the_corpus_finds(address, corpus_folder, version):
    with izwi.open(corpus_folder) as corpus:
        hits = corpus.concordance("bakkie").hits

    client = sruthi.Client(url=f"{address}/sru", sru_version=version, maximum_records=3)
    found = client.searchretrieve(query="bakkie")

    assert found.count == hits > 3
    assert len(list(found)) == hits


def test_the_endpoint_describes_its_corpora(client, corpus_folder):
    top = tree(client, {"x-fcs-endpoint-description": "true"})

    assert texts(top, "//ed:Capability/text()") == [
        "http://clarin.eu/fcs/capability/basic-search",
        "http://clarin.eu/fcs/capability/advanced-search",
    ]
    with izwi.open(corpus_folder) as corpus:
        summary = corpus.summary()
    assert texts(top, "//ed:Resource/ed:Title") == [summary.title or summary.name]
    assert texts(top, "//ed:AvailableLayers/@ref") == ["word lemma pos"]


def test_hits_and_layers_of_a_record_are_the_same_tokens(client):
    query = {"query": '[lemma = "bakkie"] within s', "queryType": "fcs", "maximumRecords": "2"}
    records = tree(client, query).xpath("//sru:record", namespaces=NAMES)

    assert len(records) == 2
    for record in records:
        text = "".join(record.xpath(".//hits:Result", namespaces=NAMES)[0].itertext())
        segments = record.xpath(".//adv:Segment", namespaces=NAMES)
        words = record.xpath(".//adv:Layer[contains(@id, 'word')]/adv:Span", namespaces=NAMES)
        cut = [text[int(each.get("start")) - 1 : int(each.get("end"))] for each in segments]
        assert cut == [each.text for each in words]
        matched = [each.text for each in words if each.get("highlight")]
        assert matched == texts(record, ".//hits:Hit")


def test_what_a_view_refers_to_is_declared(client):
    """Names point at declarations, which a grammar cannot say."""
    described = tree(client, {"x-fcs-endpoint-description": "true"})
    found = tree(client, {"query": "bakkie"})

    declared = set(texts(described, "//ed:SupportedDataView/@id | //ed:SupportedLayer/@id"))
    named = texts(described, "//ed:AvailableDataViews/@ref | //ed:AvailableLayers/@ref")
    assert set(" ".join(named).split()) <= declared
    layers = set(texts(described, "//ed:SupportedLayer/@result-id"))
    assert set(texts(found, "//adv:Layer/@id")) <= layers
    for view in found.xpath("//adv:Advanced", namespaces=NAMES):
        segments = texts(view, ".//adv:Segment/@id")
        assert len(set(segments)) == len(segments)
        for layer in view.xpath(".//adv:Layer", namespaces=NAMES):
            assert texts(layer, "./adv:Span/@ref") == segments


def test_pages_of_records_join_without_a_gap(client):
    def ids(start, most):
        asked = {"query": "the", "startRecord": str(start), "maximumRecords": str(most)}
        return texts(tree(client, asked), "//fcs:ResourceFragment/@pid")

    assert ids(1, 7) + ids(8, 5) == ids(1, 12)
    assert ids(3, 7) == ids(1, 12)[2:9]


@pytest.mark.parametrize(
    ("parameters", "uri"),
    [
        ({"query": "("}, "info:srw/diagnostic/1/10"),
        ({"query": '"'}, "info:srw/diagnostic/1/10"),
        ({"query": "(" * 500}, "info:srw/diagnostic/1/10"),
        ({"query": "a not b"}, "info:srw/diagnostic/1/48"),
        ({"query": "colour = red"}, "info:srw/diagnostic/1/48"),
        ({"query": "[", "queryType": "fcs"}, "info:srw/diagnostic/1/10"),
        ({"query": "§", "queryType": "fcs"}, "http://clarin.eu/fcs/diagnostic/10"),
        ({"query": '[phonetic="a"]', "queryType": "fcs"}, "info:srw/diagnostic/1/48"),
        ({"query": "a", "queryType": "lex"}, "info:srw/diagnostic/1/6"),
        ({"operation": "searchRetrieve"}, "info:srw/diagnostic/1/7"),
        ({"operation": "scan"}, "info:srw/diagnostic/1/4"),
        ({"scanClause": "a"}, "info:srw/diagnostic/1/4"),
        ({"version": "3.0"}, "info:srw/diagnostic/1/5"),
        ({"query": "the", "startRecord": "0"}, "info:srw/diagnostic/1/6"),
        ({"query": "the", "startRecord": "99999999"}, "info:srw/diagnostic/1/61"),
        ({"query": "the", "maximumRecords": "-1"}, "info:srw/diagnostic/1/6"),
        ({"query": "the", "recordSchema": "marc"}, "info:srw/diagnostic/1/66"),
        ({"query": "the", "recordXMLEscaping": "string"}, "info:srw/diagnostic/1/71"),
        ({"query": "the", "x-fcs-context": "hdl:1/2"}, "http://clarin.eu/fcs/diagnostic/1"),
        ({"query": "the", "x-fcs-dataviews": "kwic"}, "http://clarin.eu/fcs/diagnostic/4"),
        ({"query": "a" * 30_000}, "info:srw/diagnostic/1/6"),
    ],
)
def test_what_cannot_be_answered_gets_a_diagnostic(client, parameters, uri):
    assert texts(tree(client, parameters), "//diag:uri") == [uri]


def test_a_search_may_be_restricted_to_one_resource(client, address, corpus_folder):
    with izwi.open(corpus_folder) as corpus:
        context = f"{address}/c/{corpus.name}"

    found = tree(client, {"query": "bakkie", "x-fcs-context": context})

    assert int(texts(found, "//sru:numberOfRecords")[0]) > 0


def test_a_closed_server_answers_no_stranger(corpus_folder):
    with asking(create_app([corpus_folder], is_closed=True)) as client:
        for path in ("/sru?query=bakkie", "/oai?verb=Identify", "/bonito/run.cgi/corplist"):
            assert client.get(path, follow_redirects=False).status_code in (303, 401)


@pytest.mark.parametrize(
    "query",
    [
        '"walking"',
        "[lemma = 'walk' & pos = \"VERB\"]",
        '[text = "Walking" /c] [] "home"',
        '[lemma = "walk"]{1,3} within sentence',
        '[ (word = "a" | word = "b") & pos != "NOUN" ]',
    ],
)
def test_what_clarins_parser_reads_we_read(query):
    assert fcsql.parse(query) is not None
    assert parse(advanced_query(query, ATTRIBUTES)) is not None


@settings(max_examples=300)
@given(st.text(alphabet="ab \"'()[]=!&|/\\{},*+?<>§", max_size=30))
def test_any_text_is_read_or_refused_in_words(text):
    for read in (basic_query, lambda each: advanced_query(each, ATTRIBUTES)):
        try:
            written = read(text)
        except QueryError as error:
            written = str(error)
        assert written


def test_an_empty_term_is_refused():
    with pytest.raises(FederatedSyntaxError):
        basic_query('""')


def test_entities_in_parameters_stay_text(client):
    hostile = '<!DOCTYPE x [<!ENTITY a SYSTEM "file:///etc/passwd">]>&a;'

    assert b"root:" not in client.get("/sru", params={"query": hostile}).content
