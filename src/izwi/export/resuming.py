"""Writing an export part by part, from where an earlier run stopped."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice

from izwi.export.base import Format
from izwi.export.counting import Outgoing
from izwi.export.journal import Journal
from izwi.export.parts import Parted
from izwi.export.release import Unfinished
from izwi.model.document import Document

# Documents of a part, times the format's span: at most so many are written again after a kill.
PART = 2_000
Reader = Callable[[], Iterable[Document]]


@dataclass
class Reading:
    """The documents of several readers, one after another, and how far one has read."""

    sources: Sequence[Reader]
    # How many readers are read to their end, and how many documents of the next one.
    readers: int = 0
    passed: int = 0

    def documents(self) -> Iterator[Document]:
        """Yield what is not read yet."""
        for read in self.sources[self.readers :]:
            for document in islice(read(), self.passed, None):
                self.passed += 1
                yield document
            self.readers += 1
            self.passed = 0


@dataclass
class Writing:
    """An export that is being written: what is read, what goes out, where it grows."""

    form: Format
    reading: Reading
    outgoing: Outgoing
    work: Unfinished
    journal: Journal

    def write(self, documents: Iterable[Document]) -> None:
        """Write documents that come from the reading: all of them, or those that are left."""
        wanted = self.outgoing.over(documents)
        if not isinstance(self.form, Parted):
            self.work.begin()
            self.form.write(wanted, self.work.place.whole)
            return
        if self.journal.counts.documents:
            self.work.cut_back(self.journal.sizes)
        else:
            self.work.begin()
            self.form.begin(self.work.place)
        while self._write_part(self.form, wanted):
            pass
        self.form.finish(self.work.place)

    def _write_part(self, form: Parted, wanted: Iterator[Document]) -> bool:
        """Write the next part and record it; return whether there may be more."""
        counts, reading = self.outgoing.counts, self.reading
        before, size = counts.documents, PART * form.span
        touched = form.add(islice(wanted, size), self.work.place, before=before)
        if counts.documents == before:
            return False
        state = replace(self.journal, readers=reading.readers, passed=reading.passed, counts=counts)
        self.work.record(state, touched)
        return counts.documents == before + size
