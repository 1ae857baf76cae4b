"""The curators' pages, asked for as a browser asks."""

import json
import os
import signal
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import httpx
import pytest

import izwi
from izwi.cases import long_runs as work
from izwi.cases.accounts import Accounts
from izwi.cases.corpus import Corpus, create_corpus
from izwi.cases.packs import pack_named, sources_at
from izwi.model.results import LedgerLine
from izwi.pipeline.stages import INDEX, STAGES
from izwi.text.listings import Seen
from izwi.web.app import create_app
from izwi.web.desk import setup
from izwi.web.desk.frame import step_word
from izwi.web.desk.sources import is_about
from tests.demoweb import faults
from tests.demoweb.faults import FaultyWeb

from ..gather.conftest import asked
from ..gather.test_manners import DAYS, days
from ..waiting import until
from .parsing import one, page_of, words
from .serving import HOSTILE, asking

PASSWORD = "sorghum and thunder"
BASE = "/admin/c/tiny"
DAYS_CRAWL = """
[[source]]
name = "it"
type = "crawl"
seeds = ["http://days.example/day/1"]
"""


class Curator:
    """Somebody signed in, who sends forms with the secret of the session."""

    def __init__(self, client, accounts, name="thandi"):
        secret = accounts.sign_in(name, PASSWORD).secret
        self.csrf = accounts.session(secret).csrf
        self.client = httpx.Client(
            base_url=client.base_url,
            cookies={"izwi_session": secret},
            trust_env=False,
            timeout=120,
            follow_redirects=True,
        )

    def get(self, path, **options):
        return self.client.get(path, **options)

    def post(self, path, data=None):
        return self.client.post(path, data={"csrf": self.csrf, **(data or {})})

    def close(self):
        self.client.close()


@pytest.fixture(scope="module")
def accounts(tmp_path_factory):
    made = Accounts(tmp_path_factory.mktemp("accounts") / "accounts.sqlite")
    for name in ("thandi", "sipho"):
        made.add(name, PASSWORD, "curator")
    return made


@pytest.fixture
def signed_in(accounts):
    """Sign somebody in at a server."""
    made = []

    def sign_in(client, name="thandi"):
        made.append(Curator(client, accounts, name))
        return made[-1]

    yield sign_in
    for each in made:
        each.close()


@pytest.fixture
def client(own_folder, accounts):
    with asking(create_app([own_folder], accounts=accounts)) as client:
        yield client


@pytest.fixture
def curator(client, signed_in):
    return signed_in(client)


@pytest.fixture(scope="module")
def looker(corpus_folder, accounts):
    """A curator who changes nothing, of the corpus all tests share."""
    with asking(create_app([corpus_folder], accounts=accounts)) as client:
        made = Curator(client, accounts)
        yield made
        made.close()


def document_id(folder, part):
    lines = izwi.open(folder).drops(url=part).lines
    return next(line.document for line in lines if line.document)


def test_every_page_can_be_read(looker, corpus_folder):
    document = document_id(corpus_folder, "sjambok-case")
    paths = [
        "/admin", "/admin/setup", "/account", BASE,
        *(f"{BASE}/{path}" for path in (
            "sources", "runs", "drops", "label", "models", "playground", "audit", "takedown",
            "changes", "settings", "sources/first-pages", "inspect",
            f"inspect/{document}", f"inspect/{document}?method=justext",
            f"copies/{document}", "playground?select.minimum_words=500",
        )),
    ]  # fmt: skip

    for path in paths:
        answer = looker.get(path)
        assert answer.status_code == 200, path
        assert one(page_of(answer), "h1").text_content()


def test_a_hostile_document_is_shown_as_text(looker):
    answer = looker.get(f"{BASE}/inspect", params={"document": HOSTILE})

    page = page_of(answer)
    assert not page.cssselect("main script, main img, [onerror], [onclick]")
    assert "alert(1)" in words(one(page, "main"))


def test_an_archived_page_runs_and_loads_nothing(looker, corpus_folder):
    document = document_id(corpus_folder, "script")

    answer = looker.get(f"{BASE}/inspect/{document}/archived")

    policy = answer.headers["content-security-policy"]
    assert policy.startswith("sandbox; default-src 'none'")
    assert "script-src" not in policy
    assert answer.headers["x-frame-options"] == "SAMEORIGIN"
    assert not page_of(answer).cssselect("script, link, meta, base, iframe")
    frame = one(page_of(looker.get(f"{BASE}/inspect/{document}")), "iframe")
    assert frame.get("sandbox") == ""


def test_a_dropped_document_says_by_how_much(looker):
    page = page_of(looker.get(f"{BASE}/drops?reason=exact-copy"))

    (row,) = page.cssselect("tr[data-item]")
    assert "faults.example/ok" in words(row)
    assert "1.0" in words(row)


@pytest.mark.parametrize(
    ("detail", "told"),
    [
        (Seen((), 1, 1, True).evidence, "lysbladsy: titels met skakels: 1, met teks daaronder: 1"),
        (
            Seen((), 12, 8, True, "the address of a section, and teasers").evidence,
            "lysbladsy: die adres van 'n afdeling, en lokteksies; titels met skakels: 12, met teks",
        ),
        ("robots.txt answered 503", "robots.txt het 503 geantwoord"),
        ("cut: only the first 9 tags were read", "net die eerste 9 etikette is gelees"),
    ],
)
def test_what_was_seen_of_a_dropped_page_is_said_in_afrikaans(
    looker, corpus_folder, monkeypatch, detail, told
):
    line = LedgerLine("http://a.example/", "dropped", "select", "page-type", detail=detail)
    found = replace(izwi.open(corpus_folder).drops(), lines=(line,))
    monkeypatch.setattr(Corpus, "drops", lambda self, **asked: found, raising=False)

    page = page_of(looker.get(f"{BASE}/drops", headers={"Accept-Language": "af"}))

    assert told in words(one(page, "tr[data-item]"))
    assert detail not in words(page)


def test_a_document_is_restored_and_taken_back(curator, own_folder):
    document = izwi.open(own_folder).drops(reason="exact-copy").lines[0].document

    curator.post(f"{BASE}/drops/decide", {"document": document, "verdict": "keep"})

    (decision,) = izwi.open(own_folder).document_decisions()
    assert (decision.document, decision.verdict, decision.who) == (document, "keep", "thandi")
    corpus = izwi.open(own_folder)
    before = corpus.summary().documents
    corpus.build(workers=1)
    assert corpus.summary().documents == before + 1
    assert corpus.drops(url="faults.example/ok", outcome="kept").total == 2

    answer = curator.post(f"{BASE}/changes/undo", {"number": "1"})
    assert "Undone." in answer.text
    corpus.build(workers=1)
    assert corpus.summary().documents == before
    assert [change.undoes for change in corpus.changes() if change.kind != "run"] == [1, 0]


def test_an_excluded_document_is_found_no_more(curator, own_folder):
    document = document_id(own_folder, "pothole-swallows")

    curator.post(f"{BASE}/drops/decide", {"document": document, "verdict": "drop"})

    corpus = izwi.open(own_folder)
    corpus.build(workers=1)
    found = corpus.concordance("bakkie", size=200).lines
    assert not [line for line in found if "pothole" in line.document.url]


def test_what_is_not_there_cannot_be_restored(curator, own_folder):
    answer = curator.post(f"{BASE}/drops/decide", {"document": "nowhere", "verdict": "keep"})

    assert answer.status_code == 400
    assert "No document of this corpus" in answer.text
    assert izwi.open(own_folder).document_decisions() == ()


@pytest.mark.parametrize("more", [["nowhere"], ["nowhere"] * 200])
def test_documents_are_decided_all_or_none(curator, own_folder, more):
    document = document_id(own_folder, "sjambok-case")
    form = {"document": [document, *more], "verdict": "drop"}

    assert curator.post(f"{BASE}/drops/decide", form).status_code == 400
    assert izwi.open(own_folder).document_decisions() == ()


def test_numbers_that_are_none_are_refused_in_words(looker, corpus_folder):
    document = document_id(corpus_folder, "sjambok-case")
    statuses = {
        path: looker.get(f"{BASE}/{path}").status_code
        for path in (
            f"inspect/{document}?method=izwi&cutoff=²", f"inspect/{document}?method=izwi&cutoff=x",
            f"changes?page={2**63}", f"drops?page={2**63}", f"audit/{2**63}",
        )
    }  # fmt: skip
    undone = looker.post(f"{BASE}/changes/undo", {"number": str(2**63)})

    assert set(statuses.values()) == {400}, statuses
    assert undone.status_code == 400
    assert looker.get(f"{BASE}/playground?sample=²&select.minimum_words=5").status_code == 200


def test_two_curators_at_once_lose_nothing(client, signed_in, own_folder):
    curators = [signed_in(client, name) for name in ("thandi", "sipho")]
    lines = izwi.open(own_folder).drops(outcome="kept").lines
    jobs = [
        (curators[place % 2], line.document) for place, line in enumerate(lines) for _ in range(2)
    ]

    def work_on(job):
        who, document = job
        sent = who.post(f"{BASE}/drops/decide", {"document": document, "verdict": "drop"})
        url = f"https://example.org/{document}-{id(who)}"
        added = who.post(f"{BASE}/sources/add", {"url": url, "type": "seeds"})
        return sent.status_code, added.status_code

    with ThreadPoolExecutor(6) as pool:
        statuses = list(pool.map(work_on, jobs[::2]))

    assert set(statuses) == {(200, 200)}
    corpus = izwi.open(own_folder)
    decided = {each.document for each in corpus.document_decisions()}
    assert decided == {line.document for line in lines}
    assert len(corpus.config.sources) == 2 + len(lines)
    kinds = [change.kind for change in corpus.changes(most=1000)]
    assert kinds.count("decision") == kinds.count("settings") == len(lines)
    assert {change.who for change in corpus.changes(most=1000)} == {"thandi", "sipho"}


def test_of_two_curators_who_decide_alike_the_first_cannot_undo_the_second(
    client, signed_in, own_folder
):
    thandi, sipho = (signed_in(client, name) for name in ("thandi", "sipho"))
    document = document_id(own_folder, "sjambok-case")
    thandi.post(f"{BASE}/drops/decide", {"document": document, "verdict": "drop"})
    sipho.post(f"{BASE}/drops/decide", {"document": document, "verdict": "keep"})

    answer = thandi.post(f"{BASE}/changes/undo", {"number": "1"})

    assert answer.status_code == 409
    assert "again since" in answer.text
    assert izwi.open(own_folder).document_decisions()[0].verdict == "keep"


class TestSources:
    def test_many_are_changed_at_once_and_the_rest_of_the_file_stays(self, curator, own_folder):
        settings = own_folder / "corpus.toml"
        settings.write_text(settings.read_text() + "# a remark of mine\n")

        curator.post(
            f"{BASE}/sources/change",
            {"source": ["first-pages", "later-pages"], "method": "izwi", "do": "change"},
        )

        text = settings.read_text()
        assert text.count('method = "izwi"') == 2
        assert "# a remark of mine" in text
        assert {source.method for source in izwi.open(own_folder).config.sources} == {"izwi"}

    def test_what_was_removed_is_put_back(self, curator, own_folder):
        before = izwi.open(own_folder).config.sources

        curator.post(f"{BASE}/sources/change", {"source": ["first-pages"], "do": "remove"})
        assert len(izwi.open(own_folder).config.sources) == 2  # a second look first
        form = {"source": ["first-pages"], "do": "remove", "sure": "1"}
        curator.post(f"{BASE}/sources/change", form)
        assert [source.name for source in izwi.open(own_folder).config.sources] == ["later-pages"]

        curator.post(f"{BASE}/changes/undo", {"number": "1"})
        assert set(izwi.open(own_folder).config.sources) == set(before)

    def test_a_table_of_sources_is_read_as_it_was_written(self, curator, own_folder):
        table = "name,type,address,every\r\nfresh,feed,https://example.org/feed,2h\r\n"

        curator.post(f"{BASE}/sources/import", {"list": table})
        curator.post(f"{BASE}/sources/import", {"list": table})

        assert [source.name for source in izwi.open(own_folder).config.sources][2:] == ["fresh"]
        assert "fresh,feed,https://example.org/feed,2h" in curator.get(f"{BASE}/sources.csv").text
        assert "https://example.org/feed" in curator.get(f"{BASE}/sources.opml").text

    def test_a_table_that_cannot_be_read_is_refused(self, curator):
        table = f"address,name\n{'x' * 200_000},y\n"

        assert curator.post(f"{BASE}/sources/import", {"list": table}).status_code == 400

    def test_sources_before_a_bad_one_are_recorded(self, curator, own_folder):
        table = "address,type\nhttps://example.org/one,seeds\nnonsense,seeds\n"

        assert curator.post(f"{BASE}/sources/import", {"list": table}).status_code == 400

        assert [each.who for each in izwi.open(own_folder).changes()] == ["thandi"]

    def test_nonsense_is_refused_and_nothing_is_written(self, curator, own_folder):
        before = (own_folder / "corpus.toml").read_text()

        answer = curator.post(f"{BASE}/sources/add", {"url": "nonsense", "type": "seeds"})

        assert answer.status_code == 400
        assert (own_folder / "corpus.toml").read_text() == before

    def test_sources_are_paused_and_resumed_many_at_once(self, curator, own_folder):
        names = ["first-pages", "later-pages"]

        page = page_of(curator.post(f"{BASE}/sources/change", {"source": names, "do": "pause"}))
        assert [words(each) for each in page.cssselect("tbody .state")] == ["paused", "paused"]
        assert izwi.open(own_folder).config.paused == frozenset(names)

        curator.post(f"{BASE}/sources/change", {"source": names[:1], "do": "resume"})
        assert izwi.open(own_folder).config.paused == frozenset(names[1:])
        assert [each.who for each in izwi.open(own_folder).changes()] == ["thandi", "thandi"]

    def test_a_source_is_given_the_name_of_its_publication(self, curator, own_folder):
        page = page_of(curator.get(f"{BASE}/sources/first-pages"))
        assert one(page, "input[name=publication]").get("placeholder") == "as on its pages"

        named = {"source": "first-pages", "do": "change", "publication": "The Herald"}
        curator.post(f"{BASE}/sources/change", named)

        assert izwi.open(own_folder).config.publications == {"first-pages": "The Herald"}
        again = page_of(curator.get(f"{BASE}/sources/first-pages"))
        assert one(again, "input[name=publication]").get("placeholder") == "The Herald"

    def test_some_sources_are_shown_in_the_order_asked_for(self, looker):
        def shown(query):
            page = page_of(looker.get(f"{BASE}/sources?{query}"))
            return [words(one(row, "th a")) for row in page.cssselect("tbody tr[data-item]")]

        assert shown("part=LATER") == ["later-pages"]
        assert shown("sort=pages") == ["first-pages", "later-pages"]
        assert shown("state=broken") == []


class TestToday:
    def test_a_source_that_never_gave_a_page_is_something_to_look_at(
        self, own_folder, accounts, signed_in
    ):
        izwi.open(own_folder).add_source("http://nobody.example/feed", type="feed", name="nobody")

        with asking(create_app([own_folder], accounts=accounts)) as client:
            page = page_of(signed_in(client).get(BASE))

        assert "Sources that never gave a page: nobody" in words(one(page, ".alarms"))
        assert "Everything is in order" not in words(one(page, "main"))


class TestMistakes:
    """A mistake in a form shows the form again, with the message and what was typed."""

    @pytest.mark.parametrize(
        ("path", "form", "field"),
        [
            ("takedown", {"target": "nonsense", "reason": "they asked"}, "input[name=reason]"),
            ("sources/add", {"url": "nonsense", "type": "seeds"}, "input[name=url]"),
            ("sources/import", {"list": "address,type\nnonsense,seeds"}, "textarea[name=list]"),
            ("settings", {"gather.delay": "soon", "comment": "why"}, "input[name=comment]"),
            ("drops/decide", {"verdict": "keep", "back": "?url=koppie"}, "input[name=url]"),
            ("models/train", {"name": "mine"}, "input[name=name]"),
            ("playground/save", {"select.minimum_words": "9"}, "[id='select.minimum_words']"),
        ],
    )
    def test_what_was_typed_is_still_there(self, curator, path, form, field):
        answer = curator.post(f"{BASE}/{path}", form)

        page = page_of(answer)
        assert answer.status_code in (400, 503)
        assert words(one(page, "[role=alert]"))
        assert page.cssselect("nav.curators")
        kept = one(page, field)
        typed = kept.get("value") if kept.tag == "input" else kept.text_content()
        assert typed in {*form.values(), "koppie"}

    def test_an_address_that_is_not_there_is_asked_for_again(self, looker):
        answer = looker.get(f"{BASE}/inspect", params={"document": "http://no.example/"})

        assert answer.status_code == 400
        assert one(page_of(answer), "input[name=document]").get("value") == "http://no.example/"

    def test_other_mistakes_keep_the_corpus_in_sight(self, looker):
        answer = looker.get(f"{BASE}/sources/nowhere")

        assert answer.status_code == 404
        assert page_of(answer).cssselect("nav.curators")


class TestDrops:
    def test_many_are_restored_at_once(self, curator, own_folder):
        documents = [line.document for line in izwi.open(own_folder).drops(outcome="kept").lines]

        answer = curator.post(
            f"{BASE}/drops/decide",
            {"document": documents, "verdict": "drop", "back": "?outcome=kept"},
        )

        assert "outcome=kept" in str(answer.url)
        assert len(izwi.open(own_folder).document_decisions()) == len(documents)

    def test_the_button_of_a_line_is_about_that_line_alone(self, curator, own_folder):
        first, second = (
            line.document for line in izwi.open(own_folder).drops(outcome="kept").lines[:2]
        )

        curator.post(f"{BASE}/drops/decide", {"document": [first], "only": f"drop {second}"})

        assert [each.document for each in izwi.open(own_folder).document_decisions()] == [second]

    def test_what_cannot_be_restored_says_why(self, looker):
        page = page_of(looker.get(f"{BASE}/drops?outcome=any&url=faults.example/status"))

        (row,) = page.cssselect("tr[data-item]")
        assert not row.cssselect("button, input")
        assert "–" in words(row)


class TestSettings:
    def test_the_file_is_shown_and_its_usual_keys_are_changed(self, curator, own_folder):
        page = page_of(curator.get(f"{BASE}/settings"))
        assert '[corpus]\nname = "tiny"' in one(page, ".toml").text_content()

        form = {"schedule.daily": "03:00", "gather.delay": "0", "comment": "at night"}
        curator.post(f"{BASE}/settings", form)

        corpus = izwi.open(own_folder)
        assert corpus.config.schedule.daily == "03:00"
        (change,) = corpus.changes()
        assert (change.who, change.comment) == ("thandi", "at night")
        assert change.after == {"schedule.daily": "03:00"}  # what is as it was is not written
        assert "Next run" in words(one(page_of(curator.get(BASE)), "main"))


class TestPlayground:
    def test_nothing_changes_until_it_is_saved(self, curator, own_folder):
        before = {path: path.read_bytes() for path in own_folder.rglob("*") if path.is_file()}

        page = page_of(curator.get(f"{BASE}/playground?select.minimum_words=400&sample=20"))

        assert {
            path: path.read_bytes() for path in own_folder.rglob("*") if path.is_file()
        } == before
        (row,) = [r for r in page.cssselect(".compare tbody tr") if "documents kept" in words(r)]
        kept, left = (int(cell.text_content()) for cell in row.cssselect("td")[:2])
        assert left < kept
        assert page.cssselect("details.change")

    def test_the_better_one_is_saved_with_a_comment(self, curator, own_folder):
        form = {"select.minimum_words": "7", "comment": "short notices are wanted"}

        answer = curator.post(f"{BASE}/playground/save", form)

        assert "The settings are saved." in answer.text
        assert izwi.open(own_folder).config.select.minimum_words == 7
        assert "short notices are wanted" in (own_folder / "corpus.toml").read_text()
        (change,) = izwi.open(own_folder).changes()
        assert change.before == {"select.minimum_words": None}

    @pytest.mark.parametrize(
        "form", [{"select.minimum_words": "many", "comment": "x"}, {"comment": "x"},
                 {"select.minimum_words": "9", "comment": " "}]
    )  # fmt: skip
    def test_what_makes_no_sense_is_not_saved(self, curator, own_folder, form):
        before = (own_folder / "corpus.toml").read_text()

        assert curator.post(f"{BASE}/playground/save", form).status_code == 400
        assert (own_folder / "corpus.toml").read_text() == before


class TestLabels:
    def label_pages(self, curator, count):
        for _ in range(count):
            page = page_of(curator.get(f"{BASE}/label?order=random"))
            url = one(page, "form.labels input[name=url]").get("value")
            blocks = page.cssselect("form.labels fieldset")
            fields = {
                f"label-{n}": "main" if len(words(one(block, "p"))) > 80 else "boilerplate"
                for n, block in enumerate(blocks)
            }
            curator.post(f"{BASE}/label", {"url": url, "blocks": str(len(blocks)), **fields})

    def test_labels_train_a_model_under_a_name(self, curator, own_folder):
        self.label_pages(curator, 4)
        corpus = izwi.open(own_folder)
        assert len(corpus.labels()) == 4
        assert {page.labeller for page in corpus.labels()} == {"thandi"}

        answer = curator.post(f"{BASE}/models/train", {"name": "mine", "method": "perceptron"})

        page = page_of(answer)
        assert "mine" in words(one(page, "main"))
        assert len(page.cssselect("table tbody tr")) == 19
        (model,) = izwi.open(own_folder).models()
        assert (model.pages, model.who) == (4, "thandi")
        assert model.best.accuracy > 0.5

        curator.post(f"{BASE}/models/use", {"name": "mine"})
        extract = izwi.open(own_folder).config.extract
        assert extract.method == "perceptron"
        assert extract.options.model.endswith("models/mine.npz")

    def test_labels_are_taken_back(self, curator, own_folder):
        self.label_pages(curator, 1)

        curator.post(f"{BASE}/changes/undo", {"number": "1"})

        assert izwi.open(own_folder).labels() == ()

    def test_too_few_labels_are_said(self, curator):
        answer = curator.post(f"{BASE}/models/train", {"name": "mine"})

        assert answer.status_code in (400, 503)
        assert "0 pages are labelled" in answer.text


class TestAudit:
    def test_judgements_reach_the_corpus_card(self, curator, own_folder):
        page = page_of(curator.post(f"{BASE}/audit/start", {"size": "4", "seed": "2"}))
        for found in (["date"], [], ["date", "language"], []):
            document = one(page, "input[name=document]").get("value")
            page = page_of(
                curator.post(f"{BASE}/audit/1/judge", {"document": document, "fault": found})
            )

        assert "All have been judged." in words(one(page, "main"))
        figures = {each.fault: each for each in izwi.open(own_folder).card().audit}
        assert figures["wrong date"].count == 2
        assert figures["wrong language"].count == 1
        assert 0 < figures["wrong date"].low < 0.5 < figures["wrong date"].high < 1
        from izwi.presentation.report_pages import card_page

        assert "judged by people" in card_page(izwi.open(own_folder).card())


class TestRuns:
    def test_a_run_goes_on_when_its_server_is_killed(self, own_folder, accounts, signed_in):
        """The server is a separate process here, and is killed without a chance to tidy up."""
        with FaultyWeb() as web:
            server, address = _server(own_folder, accounts, web.proxy_url)
            with httpx.Client(base_url=address) as client:
                curator = signed_in(client)
            page = curator.post(f"{BASE}/runs/start", {"command": "run"})
            run = page.url.path.rsplit("/", 1)[1]
            assert "separate process" in page.text
            server.send_signal(signal.SIGKILL)
            server.wait()
            report = own_folder / "runs" / run / "report.json"
            until(report.exists)

        assert json.loads(report.read_text())["command"] == "run"
        with asking(create_app([own_folder], accounts=accounts)) as other:
            told = page_of(signed_in(other).get(f"{BASE}/runs/{run}"))
            said = words(one(told, ".progress-line"))
            assert said.startswith("Gather and build: done, started by thandi")

    def test_a_run_that_was_killed_is_said_to_be_dead(self, curator, own_folder, monkeypatch):
        monkeypatch.setattr(
            work,
            "command_line",
            lambda *parts: [sys.executable, "-c", "import signal; signal.pause()"],
        )
        page = curator.post(f"{BASE}/runs/start", {"command": "build"})
        assert "starting" in words(one(page_of(page), ".progress-line"))
        request = json.loads(
            (own_folder / "runs" / page.url.path.rsplit("/", 1)[1] / "request.json").read_text()
        )

        os.kill(request["pid"], signal.SIGKILL)

        def is_dead():
            told = page_of(curator.get(str(page.url.path)))
            return "died" in words(one(told, ".progress-line"))

        until(is_dead)
        told = page_of(curator.get(str(page.url.path)))
        assert "without a report" in words(one(told, "[role=alert]"))
        assert "Continue it" in words(one(told, "main"))

    def test_progress_is_told_as_events(self, curator, own_folder):
        run = izwi.open(own_folder).runs()[0].run

        told = curator.get(f"{BASE}/runs/{run}/events")

        assert told.headers["content-type"].startswith("text/event-stream")
        first, last = told.text.strip().split("\n\n")
        assert json.loads(first.removeprefix("data: "))["state"] == "done"
        assert last.startswith("event: end")

    def test_progress_is_told_in_the_language_of_its_reader(self, curator, own_folder):
        run = izwi.open(own_folder).runs()[0].run

        told = curator.get(f"{BASE}/runs/{run}/events", headers={"Accept-Language": "af"})

        facts = json.loads(told.text.split("\n\n")[0].removeprefix("data: "))
        assert (facts["state"], facts["state_word"]) == ("done", "klaar")
        assert "extract: vind die teks van bladsye" in facts["stages"]

    @pytest.mark.parametrize("stage", [*(each.name for each in STAGES), INDEX.name])
    def test_every_stage_has_words(self, stage):
        assert step_word(stage) != stage

    @pytest.mark.parametrize("run", ["..", "nowhere", "%2e%2e"])
    def test_there_is_no_other_run(self, curator, run):
        assert curator.get(f"{BASE}/runs/{run}").status_code in (307, 400, 404, 200)
        assert curator.get(f"{BASE}/runs/{run}/events").status_code in (400, 404)


def test_the_changes_of_one_source_are_not_those_of_another():
    assert is_about("source.news.every, source.other.every", "other")
    assert not is_about("source.news-2.every", "news")


class TestTraps:
    @pytest.mark.parametrize("do", ["say", "run"])
    def test_a_button_says_this_is_no_trap_and_the_rest_is_fetched(
        self, tmp_path, accounts, signed_in, monkeypatch, do
    ):
        monkeypatch.setattr(faults, "HOSTS", {**faults.HOSTS, "days.example": days})
        with FaultyWeb() as web:
            folder = tmp_path / "days"
            create_corpus(folder, contact="x", name="days")
            monkeypatch.setenv("IZWI_PROXY", web.proxy_url)
            with (folder / "corpus.toml").open("a", encoding="utf-8") as config:
                config.write(DAYS_CRAWL)
            izwi.open(folder).change_settings({"gather.delay": 0.0})
            izwi.open(folder).gather(proxy=web.proxy_url)
            with asking(create_app([folder], accounts=accounts)) as client:
                curator = signed_in(client)
                page = page_of(curator.get("/admin/c/days/sources/it"))
                (form,) = page.cssselect(".traps form")
                fields = {each.get("name"): each.get("value") for each in form.cssselect("input")}
                answer = curator.post(form.get("action"), {**fields, "do": do})
                if do == "say":
                    assert "The next run fetches what was left out." in answer.text
                    assert not page_of(answer).cssselect(".traps")
                    answer = curator.post("/admin/c/days/runs/start", {"command": "gather"})
                report = folder / "runs" / answer.url.path.rsplit("/", 1)[1] / "report.json"
                until(report.exists)
                after = page_of(curator.get("/admin/c/days/sources/it"))
            fetched = {url for url in map(str, asked(web, "days.example")) if "/day/" in url}

        assert fields["pattern"] == "days.example/day/#"
        assert not after.cssselect(".traps")
        assert fetched >= {f"http://days.example/day/{number}" for number in range(1, DAYS + 1)}


class TestSetUp:
    def test_a_corpus_is_made_from_the_web_and_served_at_once(self, curator, own_folder):
        with FaultyWeb() as web:
            os.environ["IZWI_PROXY"] = web.proxy_url
            try:
                page = curator.post("/admin/setup", {
                    "name": "fresh", "contact": "https://example.org/bot", "languages": "en",
                    "addresses": "http://karoocourant.example/2019/10/veld-fire-koppie.html",
                    "pages": "3", "do": "make", "way": "sources", "daily": "03:00",
                })  # fmt: skip
                assert "/admin/c/fresh/runs/" in str(page.url)
                report = own_folder.parent / "fresh" / "runs" / page.url.path.rsplit("/", 1)[1]
                until((report / "report.json").exists)
            finally:
                del os.environ["IZWI_PROXY"]

        assert curator.get("/c/fresh/conc?q=the").status_code == 200
        made = izwi.open(own_folder.parent / "fresh")
        assert made.summary().documents == 1
        assert made.config.schedule.daily == "03:00"

    @pytest.mark.parametrize(
        "wrong",
        [
            {"addresses": "https://a.example/\nnonsense"},
            {"pages": "x"},
            {"pages": str(2**63)},
            {"daily": "25:00"},
            {"contact": "nobody"},
            {"pack": "no-such-pack"},
        ],
    )
    def test_a_form_that_cannot_be_used_leaves_no_folder(self, curator, own_folder, wrong):
        form = {
            "name": "fresh",
            "contact": "https://example.org/bot",
            "addresses": "https://a.example/",
        }

        curator.post("/admin/setup", form | wrong)

        assert not (own_folder.parent / "fresh").exists()

    def test_the_demonstration_is_that_of_izwi_demo(self, curator, own_folder, monkeypatch):
        monkeypatch.setattr(setup, "start_run", lambda *_, **__: "none")

        curator.post("/admin/setup", {"way": "demo", "name": "tried", "do": "make"})

        made = izwi.open(own_folder.parent / "tried").config
        assert {"egolipost", "egolipost-feed"} <= {each.name for each in made.sources}
        assert not made.portals

    def test_the_large_demonstration_is_made_and_filled(self, curator, own_folder, monkeypatch):
        started = []
        monkeypatch.setattr(setup, "start_run", lambda *a, **k: started.append(a[2:]) or "none")

        curator.post("/admin/setup", {"way": "large", "name": "vast", "do": "make"})

        made = izwi.open(own_folder.parent / "vast")
        assert started == [("demo", "--large")]
        assert "--large" in work.command_line("demo", made.path, "--large")
        assert made.config.corpus.title.startswith("A large demonstration")

    def test_enter_in_a_field_makes_the_corpus(self, curator):
        page = page_of(curator.get("/admin/setup"))

        first = page.cssselect("form.setup button")[0]
        assert (first.get("name"), first.get("value")) == ("do", "make")

    def test_a_pack_beside_an_address_of_the_same_site_gives_each_its_name(self):
        pack = pack_named("demo")

        found = sources_at([pack.sources[0].home, *pack.addresses], pack="demo")

        names = [fields["name"] for fields in found]
        assert len(names) == len(set(names)) > len(pack.sources)

    def test_a_pack_is_filled_in_and_nothing_is_fetched(self, curator, own_folder):
        page = page_of(curator.post("/admin/setup", {"do": "pack", "pack": "south-africa"}))

        addresses = one(page, "textarea[name=addresses]").text_content().split()
        assert len(addresses) >= 12
        assert "verified" in words(one(page, ".note"))
        assert [each.name for each in own_folder.parent.iterdir() if each.is_dir()] == ["own"]

    def test_a_file_that_is_sent_becomes_a_corpus(self, curator, own_folder):
        text = "<p>" + "The bakkie stood in the veld and nobody came to fetch it. " * 12
        form = {
            "way": "files", "name": "sent", "contact": "https://example.org/bot", "do": "make",
            "csrf": curator.csrf,
        }  # fmt: skip
        files = {"file": ("../a page.html", f"<html><body>{text}</body></html>".encode())}

        page = curator.client.post("/admin/setup", data=form, files=files)

        assert "/admin/c/sent/runs/" in str(page.url)
        folder = own_folder.parent / "sent"
        assert [path.name for path in (folder / "uploads").iterdir()] == ["a-page.html"]
        # One run takes it in and builds it.
        until(lambda: len(list((folder / "runs").glob("*/report.json"))) == 1)
        (line,) = izwi.open(folder).drops(url="a-page").lines
        assert line.outcome in ("kept", "dropped")  # judged, not waiting for a build

    def test_a_file_needs_the_secret_of_the_form_too(self, curator, own_folder):
        form = {"way": "files", "name": "sent", "contact": "https://example.org/bot"}

        answer = curator.client.post("/admin/setup", data=form, files={"file": ("a.html", b"x")})

        assert answer.status_code == 403
        assert not (own_folder.parent / "sent").exists()

    def test_no_other_form_takes_files(self, curator):
        form, files = {"csrf": curator.csrf}, {"file": ("a.html", b"x")}

        answer = curator.client.post(f"{BASE}/sources/import", data=form, files=files)

        assert answer.status_code == 403

    @pytest.mark.parametrize(
        "wrong",
        [
            {"path": "/no/such/place"},
            {"path": "/" + "a" * 5000},
            {"path": "/a\0b"},
            {"path": ""},
            {"path": "/tmp", "contact": ""},
        ],
    )
    def test_files_that_are_not_there_leave_no_folder(self, curator, own_folder, wrong):
        form = {"way": "files", "name": "fresh", "contact": "https://example.org/bot"}

        answer = curator.post("/admin/setup", form | wrong)

        assert answer.status_code == 400
        assert not (own_folder.parent / "fresh").exists()

    def test_a_name_that_is_taken_is_refused(self, curator, own_folder):
        form = {
            "name": "tiny",
            "contact": "https://example.org/bot",
            "addresses": "https://a.example/",
        }

        page = page_of(curator.post("/admin/setup", form))

        assert "already" in words(one(page, "[role=alert]"))


class TestTakeDown:
    def test_it_needs_a_reason_and_leaves_a_record(self, curator, own_folder):
        target = "http://karoocourant.example/2019/10/veld-fire-koppie.html"
        assert curator.post(f"{BASE}/takedown", {"target": target}).status_code == 400

        form = {"target": target, "reason": "the author asked"}
        look = page_of(curator.post(f"{BASE}/takedown", form))
        assert "1 document goes" in words(one(look, "#foreseen"))
        assert izwi.open(own_folder).takedowns() == ()
        page = curator.post(f"{BASE}/takedown", form | {"sure": "1"})
        report = own_folder / "runs" / page.url.path.rsplit("/", 1)[1] / "report.json"
        until(report.exists)

        corpus = izwi.open(own_folder)
        (entry,) = corpus.takedowns()
        assert entry.reason == "the author asked"
        assert "thandi" in {change.who for change in corpus.changes()}
        assert not [
            line
            for line in corpus.concordance("the", size=500).lines
            if "veld-fire" in line.document.url
        ]
        assert "the author asked" in curator.get(f"{BASE}/takedown").text


def _server(folder, accounts, proxy):
    """Start a server as a process and return it with its address."""
    script = (
        "import sys, socket, uvicorn\n"
        "from pathlib import Path\n"
        "from izwi.cases.accounts import Accounts\n"
        "from izwi.web.app import create_app\n"
        "app = create_app([Path(sys.argv[1])], accounts=Accounts(Path(sys.argv[2])))\n"
        "listener = socket.socket(); listener.bind(('127.0.0.1', 0)); listener.listen(64)\n"
        "print(listener.getsockname()[1], flush=True)\n"
        "uvicorn.Server(uvicorn.Config(app, log_level='critical')).run(sockets=[listener])\n"
    )
    process = subprocess.Popen(
        [sys.executable, "-c", script, str(folder), str(accounts.path)],
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, "IZWI_PROXY": proxy},
    )
    port = process.stdout.readline().strip()
    process.stdout.close()
    return process, f"http://127.0.0.1:{port}"


def take_back(curator, answer):
    """Press the button beside the words about what was just done."""
    form = one(page_of(answer), ".said form")
    fields = {each.get("name"): each.get("value") for each in form.cssselect("input")}
    return curator.post(form.get("action"), fields)


class TestWhatIsSeenBeforeAndAfter:
    def test_a_front_that_is_added_by_hand_is_the_site_and_with_depth_0_the_page(
        self, curator, own_folder
    ):
        for depth in ("", "0"):
            url = f"https://front{depth}.example/"
            curator.post(f"{BASE}/sources/add", {"url": url, "type": "", "depth": depth})

        site, page = izwi.open(own_folder).config.sources[-2:]
        assert (site.type, page.type, page.depth) == ("crawl", "seeds", 0)

    def test_an_address_is_looked_at_by_the_proxy_of_the_machine(self, curator, monkeypatch):
        with FaultyWeb() as web:
            monkeypatch.setenv("IZWI_PROXY", web.proxy_url)
            page = page_of(curator.get(f"{BASE}/sources?check=http://umgeniherald.example/"))

        assert page.cssselect(".offers tbody tr")

    def test_an_address_as_people_say_it_is_added(self, curator, own_folder):
        curator.post(f"{BASE}/sources/add", {"url": "courant.example", "type": "", "depth": ""})

        assert izwi.open(own_folder).config.sources[-1].seeds == ("https://courant.example",)

    def test_any_address_shows_what_it_would_give_and_is_added_as_that(self, curator, own_folder):
        with FaultyWeb() as web:
            izwi.open(own_folder).change_settings({"gather.proxy": web.proxy_url})
            page = page_of(curator.get(f"{BASE}/sources?check=http://umgeniherald.example/"))
        ticked = one(page, "input[name=offer][checked]")

        assert len(page.cssselect(".offers tbody tr")) == 10
        assert "Midlands auctions halted" in words(page)
        assert "in another language" in words(page)
        assert ticked.get("value").startswith("feed ")
        before = izwi.open(own_folder).config.sources
        added = curator.post(f"{BASE}/sources/add", {"offer": ticked.get("value")})
        assert len(izwi.open(own_folder).config.sources) == len(before) + 1

        taken_back = take_back(curator, added)
        assert izwi.open(own_folder).config.sources == before
        assert not page_of(taken_back).cssselect(".said form")

    def test_a_reason_is_judged_by_one_key_after_a_sample_and_taken_back(self, curator):
        page = page_of(curator.get(f"{BASE}/drops/review"))
        sections = page.cssselect("section[data-item]")
        assert sections
        assert all(each.cssselect("[data-key=y]") for each in sections)
        assert all(each.cssselect(".samples a") for each in sections)

        reason = one(sections[0], "input[name=reason]").get("value")
        after = curator.post(f"{BASE}/drops/review", {"reason": reason, "verdict": "right"})
        assert len(page_of(after).cssselect("[data-key=y]")) == len(sections) - 1

        again = page_of(take_back(curator, after))
        assert len(again.cssselect("[data-key=y]")) == len(sections)

    def test_all_of_a_wrong_reason_is_restored_and_all_of_it_taken_back(self, curator, own_folder):
        corpus = izwi.open(own_folder)
        sample = max(corpus.drop_samples(), key=lambda each: each.count)
        wrong = {"reason": f"{sample.stage} {sample.reason}", "verdict": "wrong"}
        after = curator.post(f"{BASE}/drops/review", wrong)
        assert len(corpus.document_decisions()) == sample.count

        take_back(curator, after)
        assert corpus.document_decisions() == ()


def test_what_a_build_would_do_waits_for_it_and_is_no_alarm(curator, own_folder):
    with izwi.open(own_folder) as corpus:
        corpus.change_settings({"select.minimum_words": 25})

    page = page_of(curator.get(BASE))

    assert "not yet in a build" in words(one(page, ".tasks"))
    assert not [each for each in page.cssselect(".alarm") if "stage" in words(each)]


@pytest.mark.parametrize(("language", "told"), [("af", "GiB vry by"), ("zu", "zikhululekile ku-")])
def test_checks_speak_the_curators_language(looker, language, told):
    page = page_of(looker.client.get(BASE, headers={"Accept-Language": language}))

    assert told in words(one(page, ".checks"))
    assert "GiB free" not in words(one(page, "main"))
