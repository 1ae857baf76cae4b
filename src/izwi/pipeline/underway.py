"""Which page a process reads now, in a file that outlives it: what killed it can be named.

A fault in a library, or a page that needs more memory than there is, ends a process without a word.
Whoever tries again finds the number of the page it was at. A page at which two processes ended is
fatal, and is left out from then on; one may be chance, as when somebody kills a run.

Extraction gives such a page its verdict. One at which a later stage ended has its text already: it
is named in a file beside that text, which every later stage and the ledger look at.
"""

import os
import struct
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from izwi.model.document import Document, failed
from izwi.store.files import write_text

FATAL = "fatal"
_NOWHERE = -1
_DEATHS = 2
_NUMBER = struct.Struct("<q")


@dataclass(frozen=True, slots=True)
class Told:
    """What a file says: the page under way, the one that is suspected, and those known as fatal."""

    at: int = _NOWHERE
    suspect: int = _NOWHERE
    deaths: int = 0
    fatal: tuple[int, ...] = ()

    def after_death(self) -> "Told":
        """Return what is known when another process begins."""
        if self.at == _NOWHERE:
            return self
        deaths = self.deaths + 1 if self.at == self.suspect else 1
        if deaths < _DEATHS:
            return replace(self, at=_NOWHERE, suspect=self.at, deaths=deaths)
        return Told(fatal=(*self.fatal, self.at))


def path_beside(output: Path) -> Path:
    """Return where it is written down, beside the layer that is being made."""
    return output.with_name(f".{output.stem}.under-way")


def read_told(output: Path) -> Told:
    """Return what the process before left, or nothing."""
    try:
        numbers = [number for (number,) in _NUMBER.iter_unpack(path_beside(output).read_bytes())]
        at, suspect, deaths, *fatal = numbers
    except (OSError, ValueError, struct.error):
        return Told()
    return Told(at, suspect, deaths, tuple(fatal))


class Underway:
    """Writes down the number of each page before it is read; used as a context."""

    def __init__(self, output: Path) -> None:
        self._path = path_beside(output)
        self.told = read_told(output).after_death()
        self._file = -1

    def __enter__(self) -> "Underway":
        self._path.parent.mkdir(parents=True, exist_ok=True)
        told = self.told
        numbers = (_NOWHERE, told.suspect, told.deaths, *told.fatal)
        self._path.write_bytes(b"".join(map(_NUMBER.pack, numbers)))
        self._file = os.open(self._path, os.O_WRONLY)
        return self

    def begin(self, number: int) -> bool:
        """Write down which page comes; return False if it is known as fatal."""
        if number in self.told.fatal:
            return False
        # A few bytes at the beginning of the file: what is written is there after any death.
        os.lseek(self._file, 0, os.SEEK_SET)
        os.write(self._file, _NUMBER.pack(number))
        return True

    def end(self) -> None:
        """Write down that no page is being read: what ends the process now is no page's fault."""
        os.lseek(self._file, 0, os.SEEK_SET)
        os.write(self._file, _NUMBER.pack(_NOWHERE))

    def __exit__(self, *error: object) -> None:
        os.close(self._file)
        self._path.unlink(missing_ok=True)


def fatal_documents(text: Path) -> dict[str, str]:
    """Return the documents of a text layer's file at which later stages ended, with the stages."""
    try:
        lines = _fatal_path(text).read_text(encoding="utf-8").splitlines()
    except OSError:
        return {}
    return dict(line.split("\t", 1)[::-1] for line in lines if "\t" in line)


def watched(
    documents: Iterable[Document], text: Path, stage: str, output: Path
) -> Iterator[Document]:
    """Yield documents for a stage, each written down first; those known as fatal have failed."""
    known = fatal_documents(text)
    with Underway(output) as underway:
        for number, document in enumerate(documents):
            if not underway.begin(number) and document.id not in known:
                known[document.id] = stage
                lines = (f"{at}\t{name}\n" for name, at in known.items())
                write_text(_fatal_path(text), "".join(lines))
            yield _settled(document, known)
        underway.end()


def settled(documents: Iterable[Document], text: Path) -> Iterator[Document]:
    """Yield documents for a stage that reads many at once; those known as fatal have failed."""
    known = fatal_documents(text)
    return (_settled(document, known) for document in documents)


def _settled(document: Document, known: Mapping[str, str]) -> Document:
    at = known.get(document.id)
    return replace(document, verdict=failed(at, FATAL)) if at else document


def _fatal_path(text: Path) -> Path:
    return text.with_name(f".{text.stem}.fatal")
