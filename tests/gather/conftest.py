"""The local web, and corpora of one source that are gathered in this process."""

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from izwi.demoweb import DemoWeb
from izwi.service.corpus import Corpus, create_corpus

Make = Callable[..., Corpus]


@pytest.fixture
def web() -> Iterator[DemoWeb]:
    with DemoWeb() as running:
        yield running


@pytest.fixture
def make(tmp_path: Path) -> Make:
    """Return a function that makes a corpus with one source."""

    def made(source: dict[str, Any], *, delay: float = 0.0, **gather: Any) -> Corpus:
        folder = tmp_path / "corpus"
        create_corpus(folder, contact="https://izwi.example/tests", name="tried", delay=delay)
        path = folder / "corpus.toml"
        settings = "".join(f"{key} = {json.dumps(value)}\n" for key, value in gather.items())
        text = path.read_text(encoding="utf-8").replace("[gather]\n", f"[gather]\n{settings}", 1)
        rows = "".join(f"{key} = {json.dumps(value)}\n" for key, value in source.items())
        path.write_text(f'{text}\n[[source]]\nname = "it"\n{rows}', encoding="utf-8")
        return Corpus(folder)

    return made


def asked(web: DemoWeb, host: str) -> list[str]:
    """Return what a host was asked for, in order."""
    return [each.url for each in web.log if f"//{host}/" in each.url]
