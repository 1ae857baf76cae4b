"""Whatever a command is given, it answers, or says in one sentence why not."""

import io
import os
import shutil
import socket
import sys
from pathlib import Path

import pytest
import typer

import izwi
from izwi.cases.case import write_answer
from izwi.cli import main
from izwi.demoweb import DemoWeb
from izwi.model.errors import StoreError
from izwi.store.files import replacing
from tests.e2e.conftest import small_corpus

# They go on until they are stopped, or build a corpus; what they are given is looked at alike.
_LASTING = {"serve", "watch", "demo", "mcp"}
_WORDS = ("", "\0", "\udcff", "x" * 9000, "9999-99-99", "0000-00-00", "{0}%s[[((", "[word=", "٣")
_NUMBERS = ("-1", "9" * 30, "9" * 19, "1e400", "nan", "x", "")
_PLACES = ("missing", "empty", "file.txt", "void", "bytes", "other", "file.txt/x", "x" * 5000,
           "\0", "\udcff", "")  # fmt: skip


def _commands(group, context, names=()):
    for name in group.list_commands(context):
        command = group.get_command(context, name)
        if hasattr(command, "list_commands"):
            yield from _commands(command, typer.Context(command, parent=context), (*names, name))
        elif name not in _LASTING:
            yield (*names, name), command


def _walk():
    app = typer.main.get_command(main.app)
    return {" ".join(names): each for names, each in _commands(app, typer.Context(app))}


COMMANDS = _walk()


def _kind(param):
    return str(param.type_descriptor.annotation)


def _bad_values(param):
    if "bool" in _kind(param):
        return ()
    if "Path" in _kind(param):
        return _PLACES
    return _NUMBERS if "int" in _kind(param) or "float" in _kind(param) else _WORDS


def _good_value(param):
    if param.name == "folder":
        return "news"
    if "Path" in _kind(param):  # no model is trained from nothing
        return "void" if param.name == "text" else "file.txt"
    return "1" if "int" in _kind(param) or "float" in _kind(param) else "bakkie"


def _lines(name, command):
    """Yield a command line for every bad value of every parameter, the others being good."""
    params = [each for each in command.get_params(typer.Context(command)) if each.name != "help"]
    options = [each for each in params if each.param_type_name == "option"]
    places = [each for each in params if each.param_type_name == "argument"]
    for number, wrong in enumerate(params):
        needed = [f"{each.opts[0]}={_good_value(each)}" for each in options
                  if each.required and each is not wrong]  # fmt: skip
        # Every value meets every kind of option; IZWI_REQUESTS asks for all of each.
        first, step = (0, 1) if os.environ.get("IZWI_REQUESTS") else (number % 5, 5)
        for value in _bad_values(wrong)[first::step]:
            given = [f"{wrong.opts[0]}={value}"] if wrong in options else []
            words = [value if each is wrong else _good_value(each) for each in places
                     if each.required or each is wrong]  # fmt: skip
            yield [*name.split(), *needed, *given, "--", *words]


@pytest.fixture(scope="module")
def built(tmp_path_factory):
    folder = small_corpus(tmp_path_factory.mktemp("nonsense") / "news", depth=0)
    with DemoWeb() as web, izwi.open(folder) as corpus:
        corpus.run(proxy=web.proxy_url)
    return folder


@pytest.fixture
def here(built, tmp_path, monkeypatch):
    """A folder of good and bad things, in which commands are run; nothing outside is reached."""
    shutil.copytree(built, tmp_path / "news")
    (tmp_path / "empty").mkdir()
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "corpus.toml").write_text('[package]\nname = "another program"\n')
    (tmp_path / "file.txt").write_text("Die bakkie staan buite.\n")
    (tmp_path / "void").touch()
    (tmp_path / "bytes").write_bytes(bytes(range(256)) * 9)
    monkeypatch.chdir(tmp_path)
    for name in ("HOME", "IZWI_WORKSPACE", "IZWI_CACHE"):
        monkeypatch.setenv(name, str(tmp_path / name.lower()))
    monkeypatch.setattr("getpass.getpass", lambda *given: "a long secret of tests")
    monkeypatch.setenv("IZWI_PROXY", "http://127.0.0.1:9")
    monkeypatch.setattr("izwi.cli.main._leave", sys.exit)
    monkeypatch.setattr("izwi.cli.main.signal.signal", lambda *given: None)
    monkeypatch.setattr("izwi.cli.main._collect_seldom", lambda: None)
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO()))
    return tmp_path


def _run(words, monkeypatch, capfd):
    monkeypatch.setattr(sys, "argv", ["izwi", *words])
    with pytest.raises(SystemExit) as ended:
        main.main()
    said = capfd.readouterr().err
    return ended.value.code, said


@pytest.mark.parametrize("name", COMMANDS)
def test_no_command_falls_over_what_it_is_given(name, here, monkeypatch, capfd):
    for words in _lines(name, COMMANDS[name]):
        status, said = _run(words, monkeypatch, capfd)

        shown = [each[:60] for each in words]
        assert status in (0, 1, 2), (shown, said)
        assert not any(each in said for each in ("Traceback", "fault of izwi", "Aborted!")), (
            shown,
            said,
        )
        assert status != 2 or len(said) < 8000, (shown, len(said))


def test_a_device_is_written_into_and_not_replaced(tmp_path):
    reading, writing = os.pipe()

    write_answer(Path(f"/dev/fd/{writing}"), "a chart")

    assert os.read(reading, 100) == b"a chart"
    os.close(reading)
    os.close(writing)


def test_what_is_no_file_is_never_replaced(tmp_path):
    place = tmp_path / "s"
    with socket.socket(socket.AF_UNIX) as bound:
        bound.bind(str(place))
        with pytest.raises(OSError, match="device"), replacing(place):
            pass
        with pytest.raises(StoreError):
            write_answer(place, "a chart")
        assert place.is_socket()
