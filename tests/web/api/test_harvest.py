"""OAI-PMH as a harvester sees it."""

import pytest
import sickle
from lxml import etree
from sickle import oaiexceptions

import izwi
from izwi.web.app import create_app
from tests.web.api.grammars import assert_valid
from tests.web.serving import serving

PREFIX = "oai_dc"


@pytest.fixture
def harvester(address):
    return sickle.Sickle(f"{address}/oai")


def test_a_harvester_learns_who_answers(harvester, address):
    found = harvester.Identify()

    assert found.protocolVersion == "2.0"
    assert found.baseURL == f"{address}/oai"
    assert found.deletedRecord == "persistent"
    # No corpus names an address for questions, and none is made up.
    assert found.adminEmail == "postmaster@127.0.0.1"


def test_the_corpus_and_its_versions_are_records(harvester, corpus_folder):
    records = list(harvester.ListRecords(metadataPrefix=PREFIX))

    with izwi.open(corpus_folder) as corpus:
        numbers, summary = sorted(each.number for each in corpus.versions()), corpus.summary()
    title = summary.title or summary.name
    assert [record.metadata["title"][0] for record in records] == [
        title,
        *(f"{title}, version {number}" for number in numbers),
    ]


def test_both_formats_describe_a_record(harvester):
    first = next(iter(harvester.ListIdentifiers(metadataPrefix=PREFIX))).identifier

    assert [each.metadataPrefix for each in harvester.ListMetadataFormats()] == ["oai_dc", "olac"]
    for prefix in ("oai_dc", "olac"):
        record = harvester.GetRecord(identifier=first, metadataPrefix=prefix)
        assert record.header.identifier == first


def test_a_version_that_was_forgotten_is_a_deleted_record(own_folder):
    with izwi.open(own_folder) as corpus:
        corpus.takedown(corpus.documents().documents[0].url, reason="asked by its owner")
        kept = {each.number for each in corpus.versions()}
    with serving(create_app([own_folder])) as address:
        harvester = sickle.Sickle(f"{address}/oai")
        headers = list(harvester.ListIdentifiers(metadataPrefix=PREFIX))
        remaining = list(harvester.ListRecords(metadataPrefix=PREFIX, ignore_deleted=True))

    gone = {int(each.identifier.rpartition(":v")[2]) for each in headers if each.deleted}
    assert gone == set(range(1, max(kept) + 1)) - kept != set()
    assert len(remaining) == 1 + len(kept)


def test_records_are_chosen_by_time(harvester):
    assert list(harvester.ListIdentifiers(**{"metadataPrefix": PREFIX, "from": "2000-01-01"}))
    with pytest.raises(oaiexceptions.NoRecordsMatch):
        harvester.ListIdentifiers(metadataPrefix=PREFIX, until="2000-01-01")


@pytest.mark.parametrize(
    ("query", "code"),
    [
        ("", "badVerb"),
        ("verb=Steal", "badVerb"),
        ("verb=Identify&verb=Identify", "badVerb"),
        ("verb=Identify&colour=red", "badArgument"),
        ("verb=GetRecord&metadataPrefix=oai_dc", "badArgument"),
        ("verb=GetRecord&metadataPrefix=oai_dc&identifier=x", "idDoesNotExist"),
        ("verb=ListRecords&metadataPrefix=marc", "cannotDisseminateFormat"),
        ("verb=ListRecords&metadataPrefix=oai_dc&from=yesterday", "badArgument"),
        ("verb=ListRecords&metadataPrefix=oai_dc&from=2026-01-01&until=2025-01-01", "badArgument"),
        ("verb=ListRecords&metadataPrefix=oai_dc&set=a", "noSetHierarchy"),
        ("verb=ListRecords&resumptionToken=%00!1!2!x", "badResumptionToken"),
        ("verb=ListSets", "noSetHierarchy"),
    ],
)
def test_what_cannot_be_answered_is_an_error_of_the_protocol(client, query, code):
    for answer in (client.get(f"/oai?{query}"), client.post("/oai", content=query)):
        assert answer.status_code == 200
        assert f'code="{code}"' in answer.text
        assert_valid(etree.fromstring(answer.content), "harvest")


@pytest.mark.parametrize("prefix", ["oai_dc", "olac"])
@pytest.mark.parametrize(
    "query",
    ["verb=Identify", "verb=ListMetadataFormats", "verb=GetRecord&identifier={first}",
     "verb=ListIdentifiers", "verb=ListRecords&from=2000-01-01"],
)  # fmt: skip
def test_answers_have_the_shape_that_the_protocol_describes(client, harvester, query, prefix):
    first = next(iter(harvester.ListIdentifiers(metadataPrefix=prefix))).identifier
    needs_format = ("List" in query and "Formats" not in query) or "Get" in query
    asked = query.format(first=first) + (f"&metadataPrefix={prefix}" if needs_format else "")

    answer = etree.fromstring(client.get(f"/oai?{asked}").content)

    assert_valid(answer, "harvest")
    assert not answer.xpath("//*[local-name() = 'error']")
