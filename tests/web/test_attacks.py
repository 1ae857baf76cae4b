"""As an attacker would: a corpus whose every field is hostile, requests by chance, deep bodies.

IZWI_REQUESTS sets how many requests are made by chance (default 300); IZWI_SEED which.
"""

import json
import os
import random
import re
import sys
from urllib.parse import urljoin, urlsplit

import pytest
from selectolax.lexbor import LexborHTMLParser

import izwi
from izwi.cases import long_runs as work
from izwi.web.app import create_app

from .serving import TOKEN, asking
from .test_rights import routes_of
from .test_schema import described_by, faults_of

MARK = "zqxmark"
EVILS = (
    f"\"><img src={MARK} onerror=alert('{MARK}')>",
    f"</script><script>alert('{MARK}')</script>",
    f"</title></textarea></style><svg onload=alert('{MARK}')>",
    f"' onmouseover='alert(\"{MARK}\")' x='",
    f"javascript:alert('{MARK}')",
    f"=cmd|'/c {MARK}'!A1",
)
TEXT = "The bakkie stood at the robot and its driver said {} to the man who sold him oranges."
REQUESTS = int(os.environ.get("IZWI_REQUESTS", "300"))
SEED = os.environ.get("IZWI_SEED", "20261117")
HEADERS = {"Authorization": f"Bearer {TOKEN}".encode()}
ADDRESSES = ("href", "src", "action", "formaction")
# Each kind of page is looked at so often, whatever stands behind its question mark.
EACH = 2


@pytest.fixture(scope="module")
def hostile(tmp_path_factory):
    """A corpus whose every field was written by an attacker."""
    folder = tmp_path_factory.mktemp("hostile") / "evil"
    corpus = izwi.create(
        folder, contact="https://izwi.example/", name="evil", title=EVILS[0], languages=("en",)
    )
    rows = [
        {
            "text": "\n".join([f"{TEXT.format(evil)} Page {number}."] * 3 + [evil]),
            "title": evil, "author": evil, "section": evil, "site": evil, "licence": evil,
            "image": evil, "page_type": "article", "date": f"201{number}-05-06", "language": "en",
            "url": f"http://evil.example/{number}?q={evil}",
        }
        for number, evil in enumerate(EVILS)
    ]  # fmt: skip
    path = tmp_path_factory.mktemp("rows") / "texts.jsonl"
    path.write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    corpus.import_texts(path, name="texts")
    corpus.add_source("http://evil.example/feed?<script>alert(1)</script>", type="feed", name="f")
    corpus.build(workers=1)
    for evil in EVILS:
        corpus.decide(evil, "reject", note=evil, by=evil)
    document = next(iter(corpus.documents())).id
    corpus.decide_document(document, "keep", comment=EVILS[0], by=EVILS[1])
    corpus.takedown("http://evil.example/5", reason=EVILS[1], by=EVILS[0])
    return folder


@pytest.fixture(scope="module")
def app(hostile):
    with pytest.MonkeyPatch.context() as patch:
        # Runs are begun, and do nothing.
        patch.setattr(work, "command_line", lambda *parts: [sys.executable, "-c", "pass"])
        yield create_app([hostile], curator_token=TOKEN)


@pytest.fixture(scope="module")
def owner(app):
    with asking(app) as client:
        client.headers.update(HEADERS)
        yield client


def evils_in(html):
    """Return what of a page an attacker's words have become: elements, handlers, addresses."""
    found = []
    for node in LexborHTMLParser(html).css("*"):
        for name, value in node.attributes.items():
            plain = (value or "").strip().lower()
            is_handler = name.lower().startswith("on") and MARK in plain
            is_code = name in ADDRESSES and plain.startswith(("javascript:", MARK))
            if is_handler or is_code:
                found.append(node.html[:200])
        is_script = node.tag == "script" and "json" not in (node.attributes.get("type") or "")
        if is_script and MARK in node.text():
            found.append(node.html[:200])
    return found


def test_what_an_attacker_wants_would_be_found():
    for evil in EVILS[:3]:
        assert evils_in(f'<p title="{evil}">{evil}</p>')
    assert evils_in(f"<p title='{EVILS[3]}'>a</p>")
    assert evils_in(f'<a href="{EVILS[4]}">a</a>')


def test_a_hostile_corpus_does_nothing_on_any_page_that_leads_to_another(owner):
    seen, kinds, ways = set(), {}, ["/", "/c/evil/", "/c/evil/conc?q=bakkie", "/admin"]
    while ways:
        path = ways.pop(0)
        kind = re.sub(r"[0-9a-f]{8,}|\d+", "N", urlsplit(path).path)
        if path in seen or kinds.get(kind, 0) >= EACH:
            continue
        seen.add(path)
        kinds[kind] = kinds.get(kind, 0) + 1
        answer = owner.get(path, follow_redirects=True)
        assert answer.status_code < 500 or answer.status_code == 503, (path, answer.text[:300])
        if answer.headers.get("content-type", "").startswith("text/html"):
            found = evils_in(answer.text)
            if "sandbox" in answer.headers["content-security-policy"]:
                # A page as it was captured: its images stand there, and are not loaded.
                assert "default-src 'none'" in answer.headers["content-security-policy"]
                found = [each for each in found if not each.startswith("<img src=")]
            assert found == [], path
            ways += links_of(answer.text, str(answer.url.path))

    assert len(kinds) > 40
    assert any(kind.startswith("/admin/c/evil/") for kind in kinds)


def links_of(html, path):
    """Return the addresses of this server that a page leads to."""
    found = (node.attributes.get("href") or "" for node in LexborHTMLParser(html).css("a[href]"))
    here = (urljoin(path, link).partition("#")[0] for link in found)
    return [link for link in here if link.startswith("/") and "logout" not in link]


VALUES = (
    *EVILS, "", "0", "-1", "1e999", "NaN", "9" * 400, "a" * 5000, "\x00", "\ufffd",
    "../../../etc/passwd", "%2e%2e/", "[" * 500, "(" * 500, '[word="' + "(" * 300, "[]{1,999999}",
    "bakkie", '[word="the"] []', "2020", "2020-13-45", "true", "null", "{}", "en", "texts", "word",
)  # fmt: skip
NAMES = (
    "q", "query", "corpus", "size", "page", "from", "to", "where", "sort", "v", "version", "by",
    "source", "src", "most", "least", "mode", "attribute", "pattern", "measure", "span", "name",
    "document", "id", "hit", "timeout", "lang", "next", "back", "context", "json", "corpname",
    "operation", "verb", "metadataPrefix", "resumptionToken", "maximumRecords", "startRecord",
)  # fmt: skip


def test_no_request_made_by_chance_makes_the_server_fail(app, owner):
    chance = random.Random(SEED)
    routes = [(method, route.path) for method, route in routes_of(app)]
    faults = []
    for _ in range(REQUESTS):
        method, path = chance.choice(routes)
        path = re.sub(r"{(\w+)(:\w+)?}", lambda found: _place(found[1], chance), path)
        sent = {chance.choice(NAMES): chance.choice(VALUES) for _ in range(chance.randrange(5))}
        body = chance.choice(({"data": sent}, {"json": sent}, {"content": b"{" * 3000}, {}))
        # Who changes something must say so in a form; here we look for what fails before or after.
        answer = owner.request(
            method, path, params=sent | {"timeout": "2"}, **(body if method != "GET" else {})
        )
        if answer.status_code >= 500 and answer.status_code != 503:
            faults.append((method, path, sent, answer.text[:200]))

    assert faults == []


def _place(name, chance):
    value = "evil" if name == "corpus" and chance.random() < 0.8 else chance.choice(VALUES)
    return re.sub(r"[/?#\x00]|\.\.", "-", value)[:200] or "x"


def test_no_request_of_a_curator_makes_the_server_fail(owner):
    faults = []
    for operation in described_by(owner):
        if operation.method.upper() != "GET":
            faults += faults_of(operation, owner, corpus="evil")

    assert faults == []


@pytest.mark.parametrize("body", ["[" * 200_000, '{"a":' * 100_000, '"' + "\\ud800" * 1000 + '"'])
def test_a_body_nested_without_end_is_the_askers_fault(owner, app, body):
    for method, route in routes_of(app):
        if method == "POST" and route.path.startswith("/api/"):
            path = route.path.replace("{corpus}", "evil")
            path = re.sub(r"{(\w+)(:\w+)?}", "x", path)
            answer = owner.post(
                path, content=body.encode(), headers={"Content-Type": "application/json"}
            )
            assert answer.status_code < 500, (path, answer.text[:300])
