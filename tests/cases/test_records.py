"""Every change leaves the same record on every surface: after success, and none after failure."""

import json
import os
import shutil
import subprocess
import sys
from dataclasses import asdict
from functools import partial

import pytest
from typer.testing import CliRunner

import izwi
from izwi.cases import all_cases
from izwi.cli.main import app
from izwi.model.accounts import Actor, acting
from izwi.model.curation import LabelledPage
from izwi.model.errors import NotAllowed, QueryError
from izwi.store.curation import changing, reading
from izwi.store.layout import Layout
from izwi.store.sums import forget
from izwi.web.app import create_app

from ..service import tiny
from ..waiting import until
from ..web.serving import TOKEN, asking

PAGE = f"{tiny.HOST}/2020/03/02/oranges"
FEED = "https://new.example/feed.xml"
OPML = '<opml version="2.0"><body><outline text="x" xmlUrl="https://x.example/feed"/></body></opml>'
LABELS = LabelledPage("https://a.example/", "<p>x", ())
# Each change: its method, and how it is asked in Python, as a command and over HTTP.
CHANGES = (
    (
        "add_source",
        ("https://new.example/feed.xml",),
        ["sources", "add", "{}", "https://new.example/feed.xml"],
        ("sources", {"url": "https://new.example/feed.xml"}),
    ),
    (
        "add_pack",
        ("demo",),
        ["sources", "add", "{}", "--pack", "demo"],
        ("sources/pack", {"pack": "demo"}),
    ),
    (
        "import_opml",
        (OPML,),
        ["sources", "import", "{}", "{feeds}"],
        ("sources/opml", {"opml": OPML}),
    ),
    (
        "pause_sources",
        (["feed"],),
        ["sources", "pause", "{}", "feed"],
        ("sources/pause", {"names": ["feed"]}),
    ),
    (
        "resume_sources",
        (["feed"],),
        ["sources", "resume", "{}", "feed"],
        ("sources/resume", {"names": ["feed"]}),
    ),
    (
        "remove_sources",
        (["x-feed"],),
        ["sources", "remove", "{}", "x-feed"],
        ("sources/remove", {"names": ["x-feed"]}),
    ),
    (
        "open_trap",
        ("crawl", "a.example/day"),
        ["sources", "no-trap", "{}", "crawl", "a.example/day"],
        ("sources/no-trap", {"source": "crawl", "pattern": "a.example/day"}),
    ),
    (
        "change_settings",
        ({"language.minimum": 0.4},),
        ["settings", "change", "{}", "--set", "language.minimum=0.4"],
        ("settings", {"changes": {"language.minimum": 0.4}}),
    ),
    (
        "save_subcorpus",
        ("fed", 'source="feed"'),
        ["subcorpora", "save", "{}", "fed", 'source="feed"'],
        ("subcorpora", {"name": "fed", "where": 'source="feed"'}),
    ),
    (
        "decide",
        ("robots", "known"),
        ["decide", "{}", "robots", "known"],
        ("decisions", {"word": "robots", "decision": "known"}),
    ),
    (
        "decide_document",
        (PAGE, "drop"),
        ["curate", "decide", "{}", PAGE, "drop"],
        ("documents/decisions", {"document": PAGE, "verdict": "drop"}),
    ),
    (
        "decide_documents",
        ("keep", [PAGE]),
        ["curate", "decide-all", "{}", "keep", PAGE],
        ("documents/decisions/all", {"verdict": "keep", "documents": [PAGE]}),
    ),
    (
        "review_drops",
        ("language", "other-language", "right"),
        ["curate", "review", "{}", "language", "other-language", "right"],
        ("drops/review",
         {"stage": "language", "reason": "other-language", "verdict": "right"}),
    ),
    (
        "watch_headwords",
        (["robot\t1931"],),
        ["headwords", "watch", "{}", "robot\t1931"],
        ("headwords", {"words": ["robot\t1931"]}),
    ),
    (
        "forget_headwords",
        (["robot"],),
        ["headwords", "forget", "{}", "robot"],
        ("headwords/forget", {"words": ["robot"]}),
    ),
    ("undo", (1,), ["curate", "undo", "{}", "1"], ("undo", {"number": 1})),
    (
        "import_labels",
        ([LABELS],),
        ["labels", "import", "{}", "{labels}"],
        ("labels", [asdict(LABELS)]),
    ),
    ("start_audit", (), ["audit", "start", "{}"], ("audits", {})),
    (
        "judge",
        (1, "{document}", ["date"]),
        ["audit", "judge", "{}", "1", "{document}", "--fault", "date"],
        ("audits/judge", {"audit": 1, "document": "{document}", "faults": ["date"]}),
    ),
    (
        "import_files",
        ("{pages}",),
        ["import", "files", "{}", "{pages}"],
        ("import/files", {"path": "{pages}"}),
    ),
    (
        "takedown",
        (PAGE,),
        ["takedown", "{}", PAGE, "--reason", "asked"],
        ("takedown", {"target": PAGE, "reason": "asked"}),
    ),
    ("build", (), ["build", "{}", "--workers", "1"], ("build", None)),
    ("compact", (), ["compact", "{}", "--workers", "1"], ("compact", None)),
)  # fmt: skip
# Left out: they fetch, train, or differ from another by the format they read alone.
LIKE_OTHERS = {
    "gather",
    "run",
    "train_from_labels",
    "import_warc",
    "import_conllu",
    "import_tei",
    "import_texts",
}


@pytest.fixture(autouse=True)
def _imports(tmp_path, monkeypatch):
    """Let curators take in what a test has made."""
    monkeypatch.setenv("IZWI_IMPORTS", str(tmp_path))


@pytest.fixture(scope="module")
def built(tmp_path_factory):
    folder = tmp_path_factory.mktemp("cases") / "tiny"
    tiny.make(folder)
    tiny.gather(folder)
    izwi.open(folder).build(workers=1)
    (folder / "curation.sqlite").unlink()
    forget(Layout(folder), folder / "curation.sqlite")
    return folder


@pytest.fixture
def own(built, tmp_path, monkeypatch):
    monkeypatch.setattr("getpass.getuser", lambda: "thandi")
    monkeypatch.delenv("IZWI_WHO", raising=False)
    folder = shutil.copytree(built, tmp_path / "tiny")
    with (folder / "corpus.toml").open("a", encoding="utf-8") as file:
        file.write('\n[[source]]\nname = "crawl"\ntype = "crawl"\nseeds = ["http://a.example/"]\n')
    return folder


@pytest.fixture
def files(tmp_path, built):
    (tmp_path / "feeds.opml").write_text(OPML)
    (tmp_path / "labels.jsonl").write_text(json.dumps(asdict(LABELS)) + "\n")
    (tmp_path / "pages").mkdir()
    (tmp_path / "pages" / "a.html").write_text(f"<p>{tiny.ENGLISH}</p>")
    card = next(iter(izwi.open(built).documents(copies=True).documents))
    return {
        "{feeds}": str(tmp_path / "feeds.opml"), "{labels}": str(tmp_path / "labels.jsonl"),
        "{pages}": str(tmp_path / "pages"), "{document}": card.id,
    }  # fmt: skip


def test_every_change_is_tried_here():
    writing = {name for name, case in all_cases().items() if case.policy.record}

    assert writing - LIKE_OTHERS == {name for name, *_ in CHANGES}


def test_every_surface_leaves_the_same_record(own, files, tmp_path, monkeypatch):
    made = {}
    for surface, does in (("python", _by_python), ("command", _by_command), ("web", _by_web)):
        folder = shutil.copytree(own, tmp_path / surface / "tiny")
        monkeypatch.setenv("IZWI_WORKSPACE", str(tmp_path / surface / "workspace"))
        does(folder, files)
        made[surface] = _records(folder, surface)

    assert [row[0] for row in made["python"]] != []
    assert made["command"] == made["python"]
    assert made["web"] == made["python"]


def _by_python(folder, files):
    corpus = izwi.open(folder)
    for method, arguments, *_ in CHANGES:
        more = {"reason": "asked"} if method == "takedown" else {}
        more |= {"workers": 1} if method in ("build", "compact") else {}
        given = [files.get(each, each) if isinstance(each, str) else each for each in arguments]
        getattr(corpus, method)(*given, **more)


def _by_command(folder, files):
    for method, _, command, _ in CHANGES:
        words = [str(folder) if each == "{}" else files.get(each, each) for each in command]
        done = CliRunner().invoke(app, words)
        assert done.exit_code == 0, (method, done.output, done.exception)


def _by_web(folder, files):
    with asking(create_app([folder], curator_token=TOKEN)) as client:
        client.headers.update({"Authorization": f"Bearer {TOKEN}".encode()})
        for method, _, _, (path, body) in CHANGES:
            sent = json.loads(_filled(json.dumps(body), files))
            answer = client.post(f"/api/v1/c/tiny/{path}", json=sent)
            assert answer.status_code < 300, (method, answer.text)
            if answer.status_code == 202:
                report = folder / "runs" / answer.json()["run"] / "report.json"
                until(report.exists)
                until(partial(_is_gone, answer.json()["pid"]))


def _filled(text, files):
    for name, value in files.items():
        text = text.replace(name, value)
    return text


def _is_gone(pid):
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return True
    return False


def _records(folder, surface):
    changes = izwi.open(folder).changes(most=1000)
    assert {change.surface for change in changes} == {surface}
    assert {change.who for change in changes} == {"owner" if surface == "web" else "thandi"}
    return [
        (each.kind, each.target, each.before, each.after, each.can_be_undone, each.undoes)
        for each in changes
    ]


def test_what_fails_leaves_no_record(own):
    corpus = izwi.open(own)

    with pytest.raises(QueryError, match="who asked"):
        corpus.takedown(PAGE, reason=" ")
    with pytest.raises(QueryError, match="neither"):
        corpus.takedown("nonsense", reason="asked")
    with pytest.raises(QueryError):
        corpus.decide("robots", "perhaps")

    assert corpus.changes() == ()
    with reading(Layout(own)) as desk:
        assert desk.rows("SELECT * FROM begun") == []


def test_a_take_down_whose_build_fails_is_put_back(own, monkeypatch):
    monkeypatch.setattr("izwi.service.building.build", _broken)
    corpus = izwi.open(own)

    with pytest.raises(RuntimeError):
        corpus.takedown(PAGE, reason="asked")

    assert corpus.takedowns() == ()
    assert corpus.changes() == ()


def _broken(*given, **more):
    raise RuntimeError("the disk went away")


def test_a_reader_changes_nothing(own):
    corpus = izwi.open(own)

    with acting(Actor("sipho", "web", is_curator=False)), pytest.raises(NotAllowed, match="sipho"):
        corpus.decide("robots", "known")

    assert corpus.changes() == ()


def test_what_a_kill_cut_off_is_written_down_by_the_next_change(own):
    code = (
        "import os, sys, izwi\n"
        "import izwi.service.building as b\n"
        "b.build = lambda *a, **k: os.kill(os.getpid(), 9)\n"
        f"izwi.open(sys.argv[1]).takedown({PAGE!r}, reason='asked', by='sipho')\n"
    )
    subprocess.run([sys.executable, "-c", code, own], check=False, capture_output=True)
    corpus = izwi.open(own)
    assert corpus.changes() == ()

    corpus.decide("robots", "known")

    word, cut_off = corpus.changes()
    assert (word.kind, cut_off.kind, cut_off.target) == ("word", "takedown", PAGE)
    assert "ended by a kill" in cut_off.comment
    assert corpus.undo(cut_off.id).undoes == cut_off.id
    assert corpus.takedowns() == ()


def test_a_record_of_an_earlier_version_is_read_and_goes_on(tmp_path):
    import sqlite3

    layout = Layout(tmp_path)
    with sqlite3.connect(layout.curation) as old:
        old.execute(
            "CREATE TABLE changes (id INTEGER PRIMARY KEY, time TEXT NOT NULL, who TEXT NOT NULL,"
            " kind TEXT NOT NULL, target TEXT NOT NULL, before TEXT NOT NULL, after TEXT NOT NULL,"
            " comment TEXT NOT NULL, undoes INTEGER NOT NULL DEFAULT 0,"
            " undone INTEGER NOT NULL DEFAULT 0) STRICT"
        )
        old.execute(
            "INSERT INTO changes (time, who, kind, target, before, after, comment)"
            " VALUES ('2026', 'thandi', 'run', 'build', 'null', 'null', '')"
        )

    with reading(layout) as desk:
        assert [each.surface for each in desk.changes()] == [""]
    with changing(layout, "sipho") as desk:
        desk.record("run", "build", None, None)
    with reading(layout) as desk:
        assert [each.surface for each in desk.changes()] == ["python", ""]
