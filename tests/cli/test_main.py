import sys

import pytest

from izwi.cli import main
from izwi.service.corpus import Corpus, create_corpus


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

    monkeypatch.setattr(Corpus, "build", interrupted)

    assert call(monkeypatch, "build", folder) == 130
    assert capsys.readouterr().err.startswith("izwi: interrupted; what was committed is safe")
