"""Formats that are written part by part, so that an export goes on where it was stopped."""

import shutil
from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

from izwi.model.document import Document


@dataclass(frozen=True, slots=True)
class Workplace:
    """Where an export grows: `whole` becomes the export, `rough` is joined at the end and goes."""

    whole: Path
    rough: Path


class Parted(ABC):
    """A format that begins, takes documents part by part, and finishes.

    A base class rather than a protocol, since `write` is the same for all of them.
    """

    about: ClassVar[str]
    # How many times as large its parts are, for a format that must put many files on the disk.
    span: ClassVar[int] = 1

    @abstractmethod
    def begin(self, place: Workplace) -> None:
        """Make the files to which parts are added."""

    @abstractmethod
    def add(
        self, documents: Iterable[Document], place: Workplace, *, before: int
    ) -> Sequence[Path]:
        """Write the next documents, after so many before them, and return the files touched.

        Files that grow are all returned each time: after a kill they are cut back to what they
        were. A file that belongs to this part alone has the same name when it is written again.
        """

    @abstractmethod
    def finish(self, place: Workplace) -> None:
        """Close or join what the parts left; after a kill this is done again from its beginning."""

    def write(self, documents: Iterable[Document], target: Path) -> None:
        """Write all files of the export into an existing, empty folder."""
        place = Workplace(target, target / ".rough")
        place.rough.mkdir()
        self.begin(place)
        self.add(documents, place, before=0)
        self.finish(place)
        shutil.rmtree(place.rough)


class OneFile(Parted):
    """A format of one file to whose end documents are written."""

    @property
    @abstractmethod
    def name(self) -> str:
        """The name of the file."""

    @abstractmethod
    def pieces(self, documents: Iterable[Document], before: int) -> Iterator[bytes]:
        """Yield what is written of documents, after so many before them."""

    def opening(self) -> bytes:
        """Return what stands before the first document."""
        return b""

    def closing(self) -> bytes:
        """Return what stands after the last document."""
        return b""

    def companions(self) -> dict[str, bytes]:
        """Return the files that come along, by name."""
        return {}

    def begin(self, place: Workplace) -> None:
        """Write the opening."""
        (place.whole / self.name).write_bytes(self.opening())

    def add(
        self, documents: Iterable[Document], place: Workplace, *, before: int
    ) -> Sequence[Path]:
        """Write documents to the end of the file."""
        path = place.whole / self.name
        with path.open("ab") as file:
            file.writelines(self.pieces(documents, before))
        return (path,)

    def finish(self, place: Workplace) -> None:
        """Write the closing and the files beside it."""
        with (place.whole / self.name).open("ab") as file:
            file.write(self.closing())
        for name, content in self.companions().items():
            (place.whole / name).write_bytes(content)
