"""From a URL to a concordance line, through the command line, as a user goes."""

import re
from pathlib import Path

import izwi
from izwi.demoweb import DemoWeb
from tests.demoweb.truth import ground_truth
from tests.e2e.conftest import Command, answer, contents, edit, small_corpus


def test_a_new_user_gets_from_init_to_a_concordance(tmp_path: Path, izwi_command: Command) -> None:
    folder = tmp_path / "news"
    contact = "https://izwi.example/tests"

    made = answer(izwi_command("init", folder, "--contact", contact, "--language", "en", "--json"))
    edit(folder, "delay = 2.0", "delay = 0.0")
    feed = answer(
        izwi_command("sources", "add", folder, "http://karoocourant.example/feed.xml", "--json")
    )
    report = answer(izwi_command("run", folder, "--json"))
    found = answer(izwi_command("query", folder, "the", "--size", "5", "--json"))
    shown = izwi_command("query", folder, "the", "--size", "5")

    assert made["name"] == "news"
    assert feed["name"] == "karoocourant-feed"
    assert report["fetched"] == 16
    assert report["funnel"][-1]["documents"] == 15
    assert found["hits"] > 50
    assert len(found["lines"]) == 5
    assert shown.returncode == 0
    assert found["lines"][0]["match"] in shown.stdout


def test_feed_hints_travel_with_the_capture_to_the_document(
    run_once: Path, izwi_command: Command
) -> None:
    lines = answer(izwi_command("query", run_once, "the", "--size", "1000", "--json"))["lines"]

    evidence = {line["document"]["date_evidence"] for line in lines}
    assert "feed" in evidence
    truth = ground_truth()
    days = {line["document"]["url"]: line["document"]["date"] for line in lines}
    assert all(str(truth[url].date) == day for url, day in days.items() if url in truth)


def test_every_article_of_a_publication_is_found_and_has_its_ledger_line(
    tmp_path: Path, izwi_command: Command
) -> None:
    folder = small_corpus(tmp_path / "c", publications=("umgeniherald",))
    wanted = {url for url, truth in ground_truth().items() if truth.publication == "umgeniherald"}

    answer(izwi_command("run", folder, "--json"))
    ledger = answer(izwi_command("drops", folder, "--most", "10000", "--json"))

    lines = {line["url"]: line for line in ledger["lines"]}
    assert wanted <= set(lines)
    assert len(lines) == ledger["total"] == sum(count["count"] for count in ledger["counts"])
    private = lines["http://umgeniherald.example/private/drafts"]
    assert (private["outcome"], private["stage"], private["reason"]) == (
        "dropped",
        "fetch",
        "robots",
    )
    assert {line["outcome"] for line in ledger["lines"]} == {"kept", "dropped"}


def test_nothing_changed_nothing_done(ran: Path, izwi_command: Command) -> None:
    before = {path: path.stat().st_mtime_ns for path in (ran / "layers").rglob("*.parquet")}

    again = answer(izwi_command("build", ran, "--json"))

    assert again["shards_built"] == 0
    assert again["snapshot"] == 1
    assert {path: path.stat().st_mtime_ns for path in (ran / "layers").rglob("*.parquet")} == before


def test_changing_one_key_redoes_exactly_what_depends_on_it(
    ran: Path, izwi_command: Command
) -> None:

    edit(ran, "minimum_words = 20", "minimum_words = 250")
    stale = answer(izwi_command("status", ran, "--json"))
    rebuilt = answer(izwi_command("build", ran, "--json"))
    current = answer(izwi_command("status", ran, "--json"))

    by_stage = {stage["stage"]: stage for stage in stale["stages"]}
    assert {name for name, stage in by_stage.items() if stage["stale"]} == {
        "sift",
        "own",
        "judge",
        "select",
        "annotate",
        "index",
    }
    assert by_stage["sift"]["changed"] == ["select.minimum_words"]
    assert by_stage["annotate"]["changed"] == ["an earlier stage"]
    assert rebuilt["shards_built"] == 5
    assert rebuilt["snapshot"] == 2
    assert all(stage["stale"] + stage["missing"] == 0 for stage in current["stages"])
    short = answer(izwi_command("drops", ran, "--reason", "too-short", "--json"))["lines"]
    assert short
    assert all(line["value"] < line["threshold"] == 250 for line in short)


def test_an_earlier_version_can_still_be_asked(ran: Path, izwi_command: Command) -> None:
    first = answer(izwi_command("query", ran, "the", "--json"))
    edit(ran, "minimum_words = 20", "minimum_words = 250")
    answer(izwi_command("build", ran, "--json"))

    now = answer(izwi_command("query", ran, "the", "--json"))
    then = answer(izwi_command("query", ran, "the", "--version", "1", "--json"))

    assert now["snapshot"] == 2
    assert now["hits"] < first["hits"]
    assert then == first


def test_growth_gives_the_documents_of_a_build_from_scratch(
    tmp_path: Path, web: DemoWeb, izwi_command: Command
) -> None:
    both = ("karoocourant", "egolipost")
    whole = small_corpus(tmp_path / "whole", publications=both, depth=1)
    grown = small_corpus(tmp_path / "grown", publications=both[:1], depth=1)

    answer(izwi_command("run", whole, "--json"))
    answer(izwi_command("run", grown, "--json"))
    added = small_corpus(tmp_path / "pattern", publications=both, depth=1)
    (grown / "corpus.toml").write_text((added / "corpus.toml").read_text())
    second = answer(izwi_command("run", grown, "--json"))

    assert second["snapshot"] == 2
    assert contents(grown)["index"] == contents(whole)["index"]
    assert contents(grown)["copies"] == contents(whole)["copies"]
    assert contents(grown)["ledger"].keys() == contents(whole)["ledger"].keys()


def test_gathering_stops_at_a_limit_and_goes_on_where_it_was(
    tmp_path: Path, izwi_command: Command
) -> None:
    folder = small_corpus(tmp_path / "c")

    first = answer(izwi_command("gather", folder, "--limit", "10", "--json"))
    waiting = answer(izwi_command("status", folder, "--json"))["waiting"]
    second = answer(izwi_command("gather", folder, "--json"))
    third = answer(izwi_command("gather", folder, "--json"))

    assert first["fetched"] == 10
    assert waiting > 10
    assert second["fetched"] >= waiting
    assert third["fetched"] == 0


def test_a_lost_catalog_is_made_again_from_the_files(ran: Path, izwi_command: Command) -> None:
    before = contents(ran)
    for path in ran.glob("catalog.sqlite*"):
        path.unlink()

    again = answer(izwi_command("build", ran, "--json"))

    assert again["shards_built"] == 0
    assert contents(ran) == before
    with izwi.open(ran) as corpus:
        assert corpus.status().captures == 17


def test_a_copied_folder_works_elsewhere(ran: Path, izwi_command: Command) -> None:
    moved = ran.rename(ran.with_name("moved"))

    found = answer(izwi_command("query", moved, "the", "--json"))
    again = answer(izwi_command("build", moved, "--json"))

    assert found["hits"] > 0
    assert again["shards_built"] == 0


def test_documents_are_listed_with_their_dates(run_once, izwi_command):
    told = izwi_command("documents", run_once).stdout

    assert re.match(r"\d{4}-\d\d-\d\d  \S", told)
