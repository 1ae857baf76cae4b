import subprocess
import sys

import pytest

from izwi.cases.corpus import create_corpus
from izwi.cli import main
from izwi.demoweb import DemoWeb


@pytest.fixture
def folder(tmp_path):
    create_corpus(tmp_path / "news", contact="https://izwi.example/tests", name="news")
    return tmp_path / "news"


def call(monkeypatch, *words):
    monkeypatch.setattr(sys, "argv", ["izwi", *map(str, words)])
    with pytest.raises(SystemExit) as ended:
        main.main()
    return ended.value.code


def test_a_command_that_is_interrupted_says_so(folder, monkeypatch, capsys):
    def interrupted(*args, **given):
        raise KeyboardInterrupt

    monkeypatch.setattr("izwi.service.building.build", interrupted)
    # The process of the tests goes on.
    monkeypatch.setattr("izwi.cli.main._leave", sys.exit)

    assert call(monkeypatch, "build", folder) == 130
    assert capsys.readouterr().err.startswith("izwi: interrupted; what was committed is safe")


def test_a_question_that_nobody_answers_ends_in_a_sentence(tmp_path):
    asked = [sys.executable, "-m", "izwi", "init", str(tmp_path / "news")]

    ended = subprocess.run(asked, stdin=subprocess.DEVNULL, capture_output=True, text=True)

    assert ended.returncode == 2
    assert ended.stderr.strip().endswith("Give it as an option; --help lists them.")


def test_a_take_down_says_why(folder, monkeypatch, capsys):
    assert call(monkeypatch, "takedown", folder, "old.example") == 2
    assert "--reason" in capsys.readouterr().err


def test_a_take_down_of_what_is_not_there_says_so(folder, monkeypatch, capsys):
    call(monkeypatch, "takedown", folder, "old.example", "--reason", "asked")

    assert capsys.readouterr().out.startswith("No page of this corpus is at old.example")


def test_a_contact_must_reach_somebody(tmp_path, monkeypatch, capsys):
    assert call(monkeypatch, "init", tmp_path / "new", "--contact", "me") == 2
    assert "reaches nobody" in capsys.readouterr().err
    assert not (tmp_path / "new").exists()
    assert call(monkeypatch, "init", tmp_path / "new", "--contact", "me@example.org") == 0


def test_a_folder_without_a_corpus_is_said_before_anything_heavy_is_imported(tmp_path):
    told = "\n".join(
        (
            "import sys",
            "from izwi.cli.main import main",
            f"sys.argv = ['izwi', 'query', {str(tmp_path)!r}, 'x']",
            "try: main()",
            "finally: print('izwi.cases.corpus' in sys.modules, 'numpy' in sys.modules)",
        )
    )
    ended = subprocess.run([sys.executable, "-c", told], capture_output=True, text=True)

    assert ended.returncode == 2
    assert ended.stderr.startswith(f"izwi: There is no corpus.toml in {tmp_path}.")
    assert ended.stdout == "False False\n"


def test_versions_are_listed(folder, monkeypatch, capsys):
    call(monkeypatch, "versions", folder)
    assert capsys.readouterr().out.startswith("No version yet.")


def test_a_host_that_is_not_there_is_said_so(folder, monkeypatch, capsys):
    with DemoWeb() as web:
        words = ("sources", "check", folder, "http://nosuchhost.example/", "--proxy", web.proxy_url)
        assert call(monkeypatch, *words) == 1

    assert capsys.readouterr().out.startswith("nosuchhost.example cannot be reached")
