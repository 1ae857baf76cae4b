import socket

import pytest

from izwi.cases.corpus import create_corpus
from izwi.cli import demo
from izwi.cli.serving import listen_from
from izwi.config.schema import SelectSection
from izwi.model.errors import IzwiError


def test_the_demo_corpus_has_no_rules_of_its_own(tmp_path):
    corpus = demo.demo_corpus(tmp_path / "demo")

    assert not corpus.config.portals
    assert corpus.config.select == SelectSection()
    assert demo.demo_corpus(tmp_path / "demo").name == "demo"


def test_the_demo_leaves_other_corpora_alone(tmp_path):
    create_corpus(tmp_path / "mine", contact="https://izwi.example/mine", name="demo")

    with pytest.raises(IzwiError, match="a corpus of yours"):
        demo.demo_corpus(tmp_path / "mine")


def test_a_port_that_is_taken_is_said_before_anything_is_built(tmp_path):
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        with pytest.raises(IzwiError, match=f"{port} cannot be used"):
            demo.run_demo(
                tmp_path / "demo", is_served=True, is_shown=False, port=port, as_json=True
            )

    assert list(tmp_path.iterdir()) == []


def test_the_next_free_port_is_taken():
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        with listen_from("127.0.0.1", port) as found:
            assert port < found.getsockname()[1] < port + 20
