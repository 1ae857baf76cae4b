"""The example packages of examples/plugins are installed as a user would, and work."""

import ast
import json
import os
import shutil
import subprocess
import sys
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
PACKAGES = sorted((ROOT / "examples" / "plugins").iterdir())
PAGE = ROOT / "docs" / "how-to" / "write-a-plug-in.md"
KINDS = {"annotator", "exporter", "extractor", "language", "runner", "source", "use-case"}
STORY = (
    "<title>Story {0}</title><p>Menu</p><p>The man who sells oranges at the corner has begun to "
    "direct the traffic with {0} of them, and the drivers have stories of that for the week.</p>"
)
CHECKS = """
import os
from izwi import plugins, testing
from izwi.model.results import ShardReport
from izwi.pipeline.shard import Task
from pathlib import Path
load = plugins.load
testing.check_source(load("izwi.sources", "numbered")("a", "https://a.example/{number}"))
testing.check_extractor(load("izwi.extractors", "sentencelike"))
testing.check_language(load("izwi.languages", "smallwords"))
testing.check_annotator(load("izwi.annotators", "endings"))
testing.check_exporter(load("izwi.exporters", "headlines"))
def nice(task):
    return ShardReport(task.stage, str(os.nice(0)))
if __name__ == "__main__":
    testing.check_runner(load("izwi.runners", "gently")(2))
    tasks = [Task("a", "a", f"shard-{n}", None, {}, Path()) for n in range(3)]
    print([report.shard for report in load("izwi.runners", "gently")(2).map(nice, tasks)])
"""
SETTINGS = """
[corpus]
name = "stories"
languages = ["eng"]
[gather]
contact = "https://izwi.example/"
allow_private = true
delay = 0
[extract]
method = "sentencelike"
options = { least_words = 10 }
[language]
method = "smallwords"
[annotate]
method = "endings"
[index]
attributes = ["word", "lc", "lemma", "upos"]
[dedup]
ngram = 50
edited = false
[build]
runner = "gently"
[[source]]
type = "numbered"
name = "numbered"
url = "{}/story/{{number}}"
last = 3
"""


@pytest.fixture(scope="module")
def environment(tmp_path_factory):
    """Install the packages from copies, as pip does it; nothing is fetched."""
    place = tmp_path_factory.mktemp("plugins")
    copies = [shutil.copytree(package, place / package.name) for package in PACKAGES]
    options = ("--no-index", "--no-deps", "--no-build-isolation", "--quiet", "--target")
    subprocess.run(
        [sys.executable, "-m", "pip", "install", *options, place / "installed", *copies], check=True
    )
    return {**os.environ, "PYTHONPATH": str(place / "installed")}


@pytest.fixture(scope="module")
def stories():
    class Handler(BaseHTTPRequestHandler):
        def do_GET(self):
            is_story = self.path.startswith("/story/")
            self.send_response(200 if is_story else 404)
            self.send_header("Content-Type", "text/html")
            self.end_headers()
            self.wfile.write(STORY.format(self.path.rpartition("/")[2]).encode())

        def log_message(self, *about):
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    thread.join()
    server.server_close()


def ask(environment, *words):
    code = "from izwi.cli.main import main; main()"
    done = subprocess.run(
        [sys.executable, "-c", code, *map(str, words)],
        capture_output=True, text=True, check=False, env=environment,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_there_is_a_package_of_each_kind_of_less_than_sixty_lines():
    assert {package.name for package in PACKAGES} == KINDS
    for package in PACKAGES:
        files = [path for path in package.iterdir() if path.is_file()]
        lines = [line for path in files for line in path.read_text().splitlines()]
        assert len([line for line in lines if line.strip()]) < 60, package.name


@pytest.mark.parametrize("package", PACKAGES, ids=lambda package: package.name)
def test_the_how_to_shows_each_word_for_word(package):
    pages = PAGE.read_text(encoding="utf-8")
    pages += (PAGE.parent / "add-an-analysis.md").read_text(encoding="utf-8")
    shown = {
        ast.unparse(ast.parse(block.partition("```")[0]))
        for block in pages.split("```python\n")[1:]
    }
    (module,) = package.glob("*.py")
    assert ast.unparse(ast.parse(module.read_text(encoding="utf-8"))) in shown


def test_each_is_listed_with_the_package_it_came_with(environment):
    parts = json.loads(ask(environment, "plugins", "--check", "--json"))

    ours = {part["name"]: part for part in parts if part["distribution"] != "izwi"}
    assert ours.keys() >= {
        "numbered", "sentencelike", "smallwords", "endings", "headlines", "gently", "places",
    }  # fmt: skip
    assert ours["numbered"]["distribution"] == "izwi-numbered"
    assert ours["numbered"]["place"] == environment["PYTHONPATH"]
    assert not any(part["problem"] for part in ours.values())


def test_each_passes_the_checks_for_authors(environment, tmp_path):
    (tmp_path / "checks.py").write_text(CHECKS)

    done = subprocess.run(
        [sys.executable, tmp_path / "checks.py"],
        capture_output=True, text=True, check=False, env=environment,
    )  # fmt: skip

    assert done.stdout.strip() == "['19', '19', '19']", done.stderr


def test_a_corpus_is_built_asked_and_written_by_all_of_them(environment, stories, tmp_path):
    folder = tmp_path / "stories"
    folder.mkdir()
    (folder / "corpus.toml").write_text(
        SETTINGS.replace("{}", stories).replace("{{number}}", "{number}")
    )

    ask(environment, "run", folder, "--workers", "2")
    found = json.loads(ask(environment, "query", folder, '[lemma="orange" & upos="X"]', "--json"))
    ask(environment, "export", folder, "headlines", tmp_path / "out")
    places = json.loads(ask(environment, "places", folder, "oranges", "--json"))

    assert found["hits"] == 3
    assert "Menu" not in str(found)
    written = (tmp_path / "out" / "stories-headlines.tsv").read_text(encoding="utf-8")
    assert sorted(line.split("\t")[1] for line in written.splitlines()) == [
        "Story 1", "Story 2", "Story 3",
    ]  # fmt: skip
    assert sum(line["hits"] for line in places["lines"]) == 3


def test_what_is_wrong_with_its_keys_is_one_sentence(environment, tmp_path):
    folder = tmp_path / "stories"
    folder.mkdir()
    (folder / "corpus.toml").write_text(
        SETTINGS.replace("{}", "https://a.example").replace("{{number}}", "")
    )

    code = "from izwi.cli.main import main; main()"
    done = subprocess.run(
        [sys.executable, "-c", code, "gather", folder],
        capture_output=True, text=True, check=False, env=environment,
    )  # fmt: skip

    assert done.returncode == 2
    assert "url needs {number}" in done.stderr
