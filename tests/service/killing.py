"""Exports that are killed at a chosen step and taken up again, each in a process of its own.

python -m tests.service.killing CORPUS FOLDER FORMAT...

Steps are what the system is asked to do below the folder (open, rename, remove, ...) and documents
that go out. Prints for each format a row: the steps of an uninterrupted run, and for each kill what
was there after it, what the next run said, and whether its files are the same.
"""

import hashlib
import json
import os
import signal
import sys
from contextlib import suppress
from importlib import import_module
from pathlib import Path

import izwi.annotate.izwi
import izwi.export.release
import izwi.service.exporting
from izwi.cases.corpus import Corpus
from izwi.export.characters import Outgoing
from izwi.model.results import Notice

PART = 3
WATCHED = ("open", "os.rename", "os.remove", "os.mkdir", "os.rmdir", "os.truncate")
# Where an export is killed, as shares of its way; the last is after it has its final name.
KILLS = (0.4, 0.8, 1.0)


class Steps:
    """Counts steps and kills the process, as the system would, before one of them."""

    def __init__(self, folder: Path, last: int | None) -> None:
        self.folder, self.last, self.count = str(folder), last, 0

    def hear(self, event: str, arguments: tuple) -> None:
        if event in WATCHED and str(arguments[0]).startswith(self.folder):
            self.step()

    def step(self) -> None:
        self.count += 1
        if self.count == self.last:
            os.kill(os.getpid(), signal.SIGKILL)


def export(corpus: Path, form: str, target: Path, last: int | None) -> None:
    """Export in this process, to be killed at a step; write what was said beside the target."""
    izwi.export.release.PART = izwi.service.exporting.PART = PART
    steps = Steps(target.parent, last)
    prepared = Outgoing._prepared

    def prepare(self, document):
        steps.step()
        return prepared(self, document)

    Outgoing._prepared = prepare
    sys.addaudithook(steps.hear)
    said = []
    listener = lambda event: isinstance(event, Notice) and said.append(event.message)  # noqa: E731
    report = Corpus(corpus).export(form, target, listener=listener)
    row = {"steps": steps.count, "said": said, "continued_at": report.continued_at}
    row["modules"] = imported()
    print(json.dumps(row), file=target.parent.with_suffix(".json").open("w", encoding="utf-8"))


def imported() -> list[str]:
    """Return the modules that this process has, for others to have them before they are forked."""
    return [name for name in sys.modules if not name.startswith("_")]


def import_all(names: list[str]) -> None:
    """Import what a child needed: once here, and no more in each that follows."""
    for name in names:
        with suppress(ImportError):
            import_module(name)


def run(corpus: Path, form: str, target: Path, last: int | None = None) -> dict | None:
    """Export in a process of its own; return what it said, or None if it was killed."""
    target.parent.mkdir(parents=True, exist_ok=True)
    child = os.fork()
    if child == 0:
        try:
            export(corpus, form, target, last)
            os._exit(0)
        except BaseException as error:
            print(f"{form}, step {last}: {error!r}", file=sys.stderr)
            os._exit(1)
    _, status = os.waitpid(child, 0)
    if os.WIFSIGNALED(status):
        return None
    assert os.WEXITSTATUS(status) == 0, f"{form} failed at {last}"
    told = json.loads(target.parent.with_suffix(".json").read_text(encoding="utf-8"))
    import_all(told.pop("modules"))
    return told


def digest(folder: Path) -> str:
    """Return a sum of all names and contents below a folder."""
    paths = sorted(path for path in folder.rglob("*") if path.is_file())
    found = hashlib.sha256()
    for path in paths:
        found.update(path.relative_to(folder).as_posix().encode() + path.read_bytes())
    return found.hexdigest()


def try_format(corpus: Path, root: Path, form: str) -> dict:
    """Kill the export of a format at steps all along its way, and take each up again."""
    whole = run(corpus, form, root / form / "whole" / "out")
    expected = digest(root / form / "whole" / "out")
    kills = []
    for share in KILLS:
        target = root / form / str(share) / "out"
        step = int(whole["steps"] * share)
        assert run(corpus, form, target, step) is None
        left = sorted(path.name for path in target.parent.iterdir())
        then = run(corpus, form, target)
        after = sorted(path.name for path in target.parent.iterdir())
        is_same = digest(target) == expected
        kills.append({"step": step, "left": left, "after": after, "is_same": is_same, **then})
    return {"format": form, "steps": whole["steps"], "kills": kills}


if __name__ == "__main__":
    corpus, root, *forms = sys.argv[1:]
    print(json.dumps([try_format(Path(corpus), Path(root), form) for form in forms]))
