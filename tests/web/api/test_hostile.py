"""What hostile clients send gets each protocol's own error, and shows nothing of the machine."""

from urllib.parse import quote

import httpx
import pytest
from lxml import etree

from izwi.web.app import create_app
from tests.web.serving import asking

HUGE = "a" * 10_000_000
ENTITY = '<!DOCTYPE x [<!ENTITY a SYSTEM "file:///etc/passwd">]><x>&a;</x>'
LAUGHS = "<!DOCTYPE l [" + "".join(
    f'<!ENTITY l{n} "{f"&l{n - 1};" * 10 if n else "ha"}">' for n in range(9)
) + "]><l>&l8;</l>"  # fmt: skip
ODD = {
    "deep brackets": "(" * 20_000,
    "deep negation": "!" * 20_000,
    "deep token": "[" * 20_000 + 'word="a"',
    "deep alternatives": "|".join(['"a"'] * 5_000),
    "repetition of repetition": '(([]{1,100}){1,100}){1,100} "the"',
    "unknown operator": 'a >>> b <<< "c" %% 7',
    "hungry pattern": '[word="(a+)+$"]',
    "great numbers": '[]{999999999999999999999} "a"',
    "entities": ENTITY,
    "many entities": LAUGHS,
    "null": "a\x00b",
    "half a character": "\ud800",
    "turned round": "\u202eabc",
    "formats": "%s%n{0}{{x}}${jndi:ldap://a.example}",
    "path": "../../../../etc/passwd",
    "statement": "'; DROP TABLE leads; --",
}
FORM = {"Content-Type": "application/x-www-form-urlencoded"}


def encoded(text):
    return quote(text.encode("utf-8", "surrogatepass"))


def checked(answer):
    """Return an answer that tells nothing of the machine and of the code."""
    assert answer.status_code < 500, answer.text[:300]
    for secret in (b"Traceback", b"root:x:", b"site-packages", b"hahahahahaha"):
        assert secret not in answer.content
    return answer


@pytest.mark.parametrize("kind", ["cql", "fcs"])
@pytest.mark.parametrize("name", ODD)
def test_the_federated_search_answers_in_its_own_words(client, name, kind):
    answer = checked(client.get(f"/sru?queryType={kind}&query={encoded(ODD[name])}"))

    top = etree.fromstring(answer.content)
    assert top.tag.endswith("searchRetrieveResponse")
    said = top.findall(".//{http://docs.oasis-open.org/ns/search-ws/diagnostic}uri")
    hits = top.findtext("{*}numberOfRecords")
    assert said or hits is not None


@pytest.mark.parametrize("call", ["view", "freqs", "collx", "wordlist", "wsketch", "thes"])
@pytest.mark.parametrize("name", ODD)
def test_the_interface_of_sketch_engine_answers_in_json(client, call, name):
    query = encoded(f"q{ODD[name]}")
    word = encoded(ODD[name])
    form = f"corpname=tiny&q={query}&fcrit={word}&lemma={word}&wlpat={word}&cattr={word}"

    answer = checked(client.post(f"/bonito/run.cgi/{call}", content=form, headers=FORM))

    assert isinstance(answer.json(), dict)
    assert answer.status_code == 200 or answer.json()["error"]


@pytest.mark.parametrize("argument", ["verb", "identifier", "metadataPrefix", "resumptionToken"])
@pytest.mark.parametrize("name", ODD)
def test_the_harvester_gets_an_error_of_the_protocol(client, argument, name):
    asked = {"verb": "GetRecord", "identifier": "x", "metadataPrefix": "oai_dc"}
    if argument == "resumptionToken":
        asked = {"verb": "ListRecords"}
    pairs = "&".join(
        f"{key}={encoded(value)}" for key, value in (asked | {argument: ODD[name]}).items()
    )

    answer = checked(client.get(f"/oai?{pairs}"))

    top = etree.fromstring(answer.content)
    assert top.find("{*}error").get("code")


def test_ten_megabytes_in_a_form_are_refused_by_each_protocol(client):
    sru = checked(client.post("/sru", content=f"query={HUGE}", headers=FORM))
    oai = checked(
        client.post("/oai", content=f"verb=ListRecords&resumptionToken={HUGE}", headers=FORM)
    )
    bonito = checked(
        client.post("/bonito/run.cgi/view", content=f"corpname=tiny&q=q{HUGE}", headers=FORM)
    )

    assert etree.fromstring(sru.content).findtext(".//{*}uri") == "info:srw/diagnostic/1/6"
    assert etree.fromstring(oai.content).find("{*}error").get("code") == "badArgument"
    assert 400 <= bonito.status_code < 500
    assert bonito.json()["error"]


@pytest.mark.parametrize("path", ["/sru?query=", "/oai?verb=", "/bonito/run.cgi/view?q=q"])
def test_ten_megabytes_in_an_address_end_in_an_error_and_the_server_lives(client, path):
    try:
        status = client.get(path + HUGE).status_code
    except (httpx.HTTPError, httpx.InvalidURL):
        status = 400
    assert 200 <= status < 500
    assert client.get("/health").status_code == 200


@pytest.mark.parametrize("body", [ENTITY, LAUGHS, "<" * 100_000, "\0" * 1000])
@pytest.mark.parametrize("path", ["/sru", "/oai", "/bonito/run.cgi/view"])
def test_bodies_of_xml_are_never_read_as_such(client, path, body):
    answer = checked(client.post(path, content=body, headers={"Content-Type": "text/xml"}))

    assert answer.content
    if path.startswith("/bonito"):
        assert answer.json()["error"]
    else:
        etree.fromstring(answer.content)


def test_a_closed_server_shows_strangers_nothing_by_any_method(corpus_folder):
    with asking(create_app([corpus_folder], is_closed=True)) as client:
        for path in ("/sru", "/oai", "/bonito/run.cgi/view", "/bonito/run.cgi/corp_info"):
            for method in ("GET", "POST", "HEAD", "PUT", "DELETE", "OPTIONS"):
                answer = client.request(
                    method, path, params={"query": "the", "verb": "Identify", "corpname": "x"},
                    follow_redirects=False,
                )  # fmt: skip
                assert answer.status_code in (303, 401, 403, 405), (method, path)
                assert b"tiny" not in answer.content
                assert b"<sruResponse" not in answer.content
                assert b"OAI-PMH" not in answer.content
