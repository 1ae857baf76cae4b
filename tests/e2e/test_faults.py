"""What goes wrong ends in one clear sentence and a ledger line; the rest goes on."""

import json
import os
import shutil
import signal
import subprocess
from pathlib import Path

import pytest

from izwi.demoweb import DemoWeb
from tests.e2e.conftest import (
    Command,
    answer,
    command_line,
    contents,
    edit,
    environment,
    run_quietly,
    small_corpus,
)
from tests.waiting import until

GOOD = "http://faults.example/ok"


def faulty_corpus(folder: Path, *urls: str, **settings: object) -> Path:
    """Write a corpus whose seeds are faulty pages, with a good page between each."""
    small_corpus(folder, publications=(), **({"attempts": 1, "timeout": 2} | settings))
    seeds = [seed for number, url in enumerate(urls) for seed in (url, f"{GOOD}?n={number}")]
    with (folder / "corpus.toml").open("a", encoding="utf-8") as file:
        file.write(f'\n[[source]]\nname = "faults"\ntype = "seeds"\nurls = {json.dumps(seeds)}\n')
    return folder


FAULTS = {
    "slow body": ("/slow?seconds=60", "failed", "timeout"),
    "no answer": ("/hang", "failed", "timeout"),
    "connection dropped half-way": ("/drop", "failed", "broken-response"),
    "connection reset": ("/reset", "failed", "broken-response"),
    "server error": ("/status/503", "failed", "http-503"),
    "not found": ("/status/404", "dropped", "http-404"),
    "200 MB page": ("/big?megabytes=200", "dropped", "too-large"),
    "endless page": ("/endless", "dropped", "too-large"),
    "gzip bomb": ("/bomb", "dropped", "unpacks-too-large"),
    "broken gzip": ("/bad-gzip", "failed", "broken-encoding"),
    "image": ("/wrong-type", "dropped", "media-type"),
    "huge headers": ("/huge-headers", "failed", "broken-response"),
    "redirect into a private network": ("/to-private", "redirected", "redirected"),
    "empty page": ("/empty", "dropped", "empty"),
}


def test_every_fault_has_its_ledger_line_and_the_good_pages_are_kept(
    tmp_path: Path, izwi_command: Command
) -> None:
    urls = [f"http://faults.example{path}" for path, _, _ in FAULTS.values()]
    folder = faulty_corpus(tmp_path / "c", *urls, max_size="2 MiB")
    edit(folder, 'method = "izwi"\n', 'method = "izwi"\nmax_size = "5 MiB"\n')

    ended = izwi_command("run", folder, "--json")
    ledger = answer(izwi_command("drops", folder, "--most", "1000", "--json"))

    assert ended.returncode == 0, ended.stderr
    lines = {line["url"]: line for line in ledger["lines"]}
    found = {name: lines[f"http://faults.example{path}"] for name, (path, _, _) in FAULTS.items()}
    assert {name: (line["outcome"], line["reason"]) for name, line in found.items()} == {
        name: (outcome, reason) for name, (_, outcome, reason) in FAULTS.items()
    }
    assert found["200 MB page"]["value"] > found["200 MB page"]["threshold"] == 2 * 2**20
    private = lines["http://127.0.0.1:1/"]
    assert (private["outcome"], private["reason"]) == ("dropped", "private-address")
    good = [line for url, line in lines.items() if url.startswith(GOOD)]
    assert len(good) == len(FAULTS)
    assert {line["reason"] for line in good} == {"", "exact-copy"}


def test_a_redirect_loop_and_a_long_chain_end(tmp_path: Path, izwi_command: Command) -> None:
    start = "http://faults.example"
    folder = faulty_corpus(
        tmp_path / "c", f"{start}/loop/a", f"{start}/redirects/3", f"{start}/redirects/90"
    )

    answer(izwi_command("run", folder, "--json"))
    lines = {
        line["url"]: line
        for line in answer(izwi_command("drops", folder, "--most", "1000", "--json"))["lines"]
    }

    assert lines[f"{start}/loop/a"]["reason"] == "redirected"
    assert lines[f"{start}/loop/b"]["reason"] == "redirect-loop"
    assert lines[f"{start}/redirects/85"]["reason"] == "too-many-redirects"
    assert lines[f"{start}/redirects/85"]["value"] == 6
    assert lines[f"{start}/redirects/85"]["threshold"] == 5
    assert f"{start}/redirects/84" not in lines
    assert lines[f"{start}/ok"]["outcome"] in ("kept", "dropped")


def test_an_unreachable_host_waits_and_the_others_go_on(
    tmp_path: Path, izwi_command: Command
) -> None:
    folder = faulty_corpus(tmp_path / "c", "http://refused.example/a", "http://norobots.example/b")

    ended = izwi_command("run", folder)
    lines = {line["url"]: line for line in answer(izwi_command("drops", folder, "--json"))["lines"]}

    assert ended.returncode == 0
    assert "refused.example could not be reached" in ended.stderr
    for url in ("http://refused.example/a", "http://norobots.example/b"):
        assert (lines[url]["outcome"], lines[url]["reason"]) == ("waiting", "robots-unreachable")
    assert lines[f"{GOOD}?n=1"]["outcome"] in ("kept", "dropped")


def test_a_feed_that_is_a_web_page_is_named_and_the_others_go_on(
    tmp_path: Path, izwi_command: Command
) -> None:
    folder = small_corpus(tmp_path / "c", depth=0)
    izwi_command(
        "sources", "add", folder, "http://faults.example/feed-that-is-html", "--name", "wrong"
    )

    ended = izwi_command("run", folder)
    failed = answer(izwi_command("drops", folder, "--outcome", "failed", "--json"))["lines"]

    assert ended.returncode == 0
    assert "Source 'wrong'" in ended.stderr
    assert "is a web page, not a feed" in ended.stderr
    assert [line["reason"] for line in failed] == ["not-a-feed"]


def test_a_locked_corpus_names_its_holder_and_can_be_searched(
    ran: Path, web: DemoWeb, izwi_command: Command
) -> None:
    with (ran / "corpus.toml").open("a", encoding="utf-8") as file:
        file.write(
            '\n[[source]]\nname = "slow"\ntype = "seeds"\nurls = ["http://faults.example/hang"]\n'
        )

    holder = subprocess.Popen(command_line("gather", ran), env=environment(web.proxy_url))
    try:
        until(lambda: (ran / "corpus.lock").read_text().startswith("'izwi gather'"), holder)
        refused = izwi_command("build", ran)
        found = izwi_command("query", ran, "the", "--json")
    finally:
        holder.send_signal(signal.SIGKILL)
        holder.wait()
    afterwards = izwi_command("build", ran)

    assert refused.returncode == 2
    assert "'izwi gather'" in refused.stderr
    assert f"process {holder.pid}" in refused.stderr
    assert refused.stderr.count("\n") == 1
    assert answer(found)["hits"] > 0
    assert afterwards.returncode == 0


BROKEN = {
    "not TOML": ("[gather]", "[gather", "not valid TOML"),
    "unknown key": ("delay = 0.0", "dely = 0.0", "did you mean 'delay'?"),
    "wrong type": ("delay = 0.0", 'delay = "soon"', "delay = 'soon'"),
    "unknown method": ('method = "izwi"', 'method = "justtext"', "Did you mean 'justext'?"),
}


@pytest.mark.parametrize(("before", "after", "words"), BROKEN.values(), ids=BROKEN.keys())
def test_a_broken_corpus_toml_is_one_sentence(
    tmp_path: Path, izwi_command: Command, before: str, after: str, words: str
) -> None:
    folder = small_corpus(tmp_path / "c", depth=0)
    edit(folder, before, after)

    ended = izwi_command("run", folder)

    assert ended.returncode == 2
    assert words in ended.stderr
    assert "corpus.toml" in ended.stderr
    assert ended.stderr.count("\n") == 1
    assert not (folder / "warc").exists()


def test_a_folder_that_is_no_corpus_says_how_to_make_one(
    tmp_path: Path, izwi_command: Command
) -> None:
    ended = izwi_command("status", tmp_path / "nowhere")

    assert ended.returncode == 2
    assert "izwi init" in ended.stderr


def test_a_file_or_folder_inside_a_corpus_names_the_corpus(
    ran: Path, tmp_path: Path, izwi_command: Command
) -> None:
    (tmp_path / "README.md").write_text("# Notes\n", encoding="utf-8")

    for inside in (ran / "corpus.toml", ran / "warc"):
        ended = izwi_command("status", inside)
        assert ended.returncode == 2
        assert ended.stderr.strip().endswith(f"name its folder: {ran.resolve()}")
    ended = izwi_command("status", tmp_path / "README.md")
    assert "is a file; a corpus is a folder" in ended.stderr
    assert "izwi init" not in ended.stderr


def test_a_truncated_warc_loses_only_what_was_cut_off(ran: Path, izwi_command: Command) -> None:
    whole = contents(ran)
    warc = next((ran / "warc").glob("*.warc.gz"))
    good = warc.read_bytes()
    os.truncate(warc, warc.stat().st_size // 2)
    shutil.rmtree(ran / "layers")

    ended = izwi_command("build", ran)
    lost = answer(izwi_command("drops", ran, "--reason", "damaged-capture", "--json"))["lines"]

    assert ended.returncode == 1
    assert f"{warc.name} is damaged: {len(lost)} of its 17 captures cannot be read" in ended.stderr
    assert 0 < len(lost) < 17
    assert {line["stage"] for line in lost} == {"extract"}
    left = contents(ran)["index"]
    assert left
    assert left.items() <= whole["index"].items()

    again = izwi_command("build", ran)
    warc.write_bytes(good)
    mended = izwi_command("build", ran)

    assert again.returncode == 1
    assert "is still damaged" in again.stderr
    assert mended.returncode == 0, mended.stderr
    assert contents(ran) == whole


def test_a_lost_warc_is_named_and_what_was_made_of_it_stays(
    ran: Path, izwi_command: Command
) -> None:
    whole = contents(ran)
    next((ran / "warc").glob("*.warc.gz")).unlink()

    ended = izwi_command("build", ran)

    assert "is missing; put it back" in ended.stderr
    assert contents(ran) == whole


def test_a_damaged_segment_is_made_again(ran: Path, izwi_command: Command) -> None:
    whole = contents(ran)
    postings = next((ran / "index").glob("segments/*/word.postings.bin"))
    os.truncate(postings, postings.stat().st_size // 2)

    refused = izwi_command("query", ran, "the")
    built = answer(izwi_command("build", ran, "--json"))

    assert refused.returncode == 2
    assert "izwi build" in refused.stderr
    assert built["snapshot"] == 2
    assert contents(ran) == whole


def test_a_shortened_list_of_captures_is_written_again(
    tmp_path: Path, izwi_command: Command
) -> None:
    folder = small_corpus(tmp_path / "c", depth=0)
    answer(izwi_command("gather", folder, "--json"))
    listing = next((folder / "warc").glob("*.captures.jsonl"))
    lines = listing.read_text().splitlines(keepends=True)
    listing.write_text("".join(lines[:3]))

    built = answer(izwi_command("build", folder, "--json"))

    assert listing.read_text() == "".join(lines)
    assert built["funnel"][-1]["documents"] > 3


def test_a_stopped_run_leaves_the_build_for_the_next(
    tmp_path: Path, web: DemoWeb, izwi_command: Command
) -> None:
    folder = faulty_corpus(tmp_path / "c", "http://faults.example/slow?seconds=3", timeout=20)

    process = subprocess.Popen(
        command_line("run", folder),
        env=environment(web.proxy_url),
        stderr=subprocess.PIPE,
        text=True,
    )
    until(lambda: any("slow?seconds=3" in request.url for request in web.log), process)
    process.send_signal(signal.SIGTERM)
    _, said = process.communicate()
    finished = izwi_command("run", folder)

    assert process.returncode == 128 + signal.SIGTERM, said
    assert "Stopping" in said
    assert finished.returncode == 0
    assert (folder / "index" / "snapshots" / "0001.json").exists()


def test_a_truncated_layer_is_made_again(ran: Path, izwi_command: Command) -> None:
    whole = contents(ran)
    text = next((ran / "layers").glob("text-*/*.parquet"))
    os.truncate(text, text.stat().st_size // 2)
    edit(ran, "minimum = 0.5", "minimum = 0.51")

    ended = izwi_command("build", ran)

    assert ended.returncode == 0, ended.stderr
    assert f"{text.relative_to(ran)} was damaged; it is made again." in ended.stderr
    assert contents(ran) == whole


def test_a_rubbish_catalog_is_a_sentence_that_says_what_to_do(
    ran: Path, izwi_command: Command
) -> None:
    for path in ran.glob("catalog.sqlite*"):
        path.write_bytes(b"this is not a database" * 100)

    ended = izwi_command("build", ran)
    searched = izwi_command("query", ran, "the", "--json")

    assert ended.returncode == 2
    assert "The captures are safe in the WARC files" in ended.stderr
    assert ended.stderr.count("\n") == 1
    assert answer(searched)["hits"] > 0


def _copy(paths: list[Path], place: Path) -> None:
    # What is gone or renamed meanwhile is left out, as by any program that copies.
    subprocess.run(["cp", "-r", *paths, place], check=False, capture_output=True)


def _copy_captures_first(folder: Path, place: Path, process: subprocess.Popen[bytes]) -> None:
    """Copy the captures, and all else after the next commits: the order that loses most."""
    place.mkdir()
    _copy([folder / "warc"], place)
    known = sum(path.stat().st_size for path in (place / "warc").iterdir())

    def has_grown() -> bool:
        sizes = [path.stat().st_size for path in (folder / "warc").glob("*") if path.exists()]
        return sum(sizes) > known + 20_000 or process.poll() is not None

    until(has_grown)
    _copy([path for path in folder.iterdir() if path.name != "warc"], place)


MOMENTS = {
    "gathering": "warc/*.open",
    "building": "layers/text-*/*.parquet",
    "indexing": "index/segments/*",
}


@pytest.mark.slow
def test_a_folder_copied_while_a_run_writes_becomes_the_corpus_it_was_to_be(
    tmp_path: Path, web: DemoWeb, izwi_command: Command
) -> None:
    folder = small_corpus(tmp_path / "c", depth=0, warc_pages=9)
    process = subprocess.Popen(command_line("run", folder), env=environment(web.proxy_url))
    copies = []
    for moment, pattern in MOMENTS.items():
        until(lambda pattern=pattern: any(folder.glob(pattern)) or process.poll() is not None)
        copies.append(tmp_path / moment)
        if moment == "gathering":
            _copy_captures_first(folder, copies[-1], process)
        else:
            _copy([folder], copies[-1])
    assert process.wait() == 0

    for copy in copies:
        ended = izwi_command("run", copy)

        assert ended.returncode == 0, (copy.name, ended.stderr)
        assert contents(copy) == contents(folder), copy.name


NAMESPACE = ["unshare", "-rm", "sh", "-ec"]


def _can_mount(folder: Path) -> bool:
    folder.mkdir(exist_ok=True)
    try:
        tried = subprocess.run(
            [*NAMESPACE, f"mount -t tmpfs -o size=1m tmpfs {folder}"],
            capture_output=True,
            timeout=20,
            check=False,
        )
    except OSError:
        return False
    return tried.returncode == 0


@pytest.fixture(scope="module")
def pattern(tmp_path_factory: pytest.TempPathFactory, web: DemoWeb) -> Path:
    """A corpus whose disk was never full."""
    return run_quietly(small_corpus(tmp_path_factory.mktemp("pattern") / "c", depth=3), web)


@pytest.mark.parametrize("size", ["200k", "500k", "800k"])
def test_a_full_disk_stops_in_one_sentence_and_room_lets_it_go_on(
    tmp_path: Path, web: DemoWeb, pattern: Path, size: str
) -> None:
    if not _can_mount(tmp_path / "try"):
        pytest.skip("this system does not let a user mount a small disk (unshare -rm, mount)")
    expected = contents(pattern)
    disk, saved = tmp_path / "disk", tmp_path / "saved"
    disk.mkdir()
    izwi_line = " ".join(command_line("run", disk / "c"))
    script = f"""
        mount -t tmpfs -o size={size} tmpfs {disk}
        mkdir {disk}/c; cp {pattern}/corpus.toml {disk}/c/
        set +e
        {izwi_line}; echo "first $?"
        {izwi_line} >/dev/null 2>&1; echo "second $?"
        mount -o remount,size=200m {disk}
        {izwi_line} >/dev/null; echo "third $?"
        cp -r {disk}/c {saved}
    """

    ended = subprocess.run(
        [*NAMESPACE, script],
        env=environment(web.proxy_url),
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )

    assert "first 2" in ended.stdout, ended.stderr
    assert "third 0" in ended.stdout, ended.stderr
    sentences = [line for line in ended.stderr.splitlines() if line and " done, " not in line]
    assert len(sentences) == 1, ended.stderr
    assert sentences[0].startswith("izwi: The disk is full")
    assert contents(saved) == expected


def test_a_read_only_folder_can_be_searched_but_not_built(
    ran: Path, tmp_path: Path, web: DemoWeb, izwi_command: Command
) -> None:
    if not _can_mount(tmp_path / "try"):
        pytest.skip("this system does not let a user mount a folder read-only (unshare -rm, mount)")
    build, query = (
        " ".join(command_line(*words)) for words in (("build", ran), ("query", ran, "the"))
    )
    script = f"""
        mount --bind {ran} {ran}; mount -o remount,bind,ro {ran}
        set +e
        {query} >&2; echo "query $?"
        {build}; echo "build $?"
    """

    ended = subprocess.run(
        [*NAMESPACE, script],
        env=environment(web.proxy_url),
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )

    assert "query 0" in ended.stdout, ended.stderr
    assert "build 2" in ended.stdout, ended.stderr
    assert "izwi: The folder is on a read-only file system" in ended.stderr
