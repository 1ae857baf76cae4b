"""How far a command is: bars on a terminal, a line for each finished step elsewhere."""

import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from rich.console import Console
from rich.markup import escape

from izwi.model.results import Event, Listener, Notice, Progress, ignore

if TYPE_CHECKING:
    from rich.progress import Progress as Bars

errors = Console(stderr=True, highlight=False)
# The steps in words for people who do not know the pipeline.
_WORDS = {
    "gather": "gathering",
    "extract": "reading text",
    "language": "telling languages",
    "sift": "sifting",
    "sign": "comparing, 1 of 3",
    "own": "comparing, 2 of 3",
    "judge": "comparing, 3 of 3",
    "select": "choosing",
    "annotate": "tagging",
    "index": "indexing",
    "merge": "joining the index",
}


@contextmanager
def progress(*, is_quiet: bool) -> Iterator[Listener]:
    """Give a listener that shows on the error stream how far a command is."""
    if is_quiet:
        yield ignore
        return
    if not errors.is_terminal:
        lines = _Lines()
        yield lines.hear
        lines.end_step()
        return
    from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeElapsedColumn
    from rich.progress import Progress as Bars

    columns = (
        TextColumn("{task.description:>17}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
    )
    with Bars(
        *columns, TextColumn("{task.fields[detail]}"), console=errors, transient=True
    ) as bars:
        yield _Drawing(bars).hear


@dataclass
class _Lines:
    """A line for each step when the next begins: logs show that something moves."""

    step: str = ""
    done: int = 0
    begun: float = 0.0

    def hear(self, event: Event) -> None:
        """Note how far it is, and say what is finished."""
        _say_notices(event)
        if not isinstance(event, Progress):
            return
        if event.step != self.step:
            self.end_step()
            self.step, self.begun = event.step, time.monotonic()
        self.done = event.done

    def end_step(self) -> None:
        """Say what the step that is over has done."""
        if self.step:
            seconds = time.monotonic() - self.begun
            words = _WORDS.get(self.step, self.step)
            errors.print(f"{escape(words)}: {self.done:,} done, {seconds:.1f} s", soft_wrap=True)
        self.step = ""


@dataclass
class _Drawing:
    """A bar for each step."""

    bars: "Bars"
    tasks: dict[str, Any] = field(default_factory=dict)

    def hear(self, event: Event) -> None:
        """Draw how far it is."""
        _say_notices(event)
        if not isinstance(event, Progress):
            return
        if event.step not in self.tasks:
            words = _WORDS.get(event.step, event.step)
            self.tasks[event.step] = self.bars.add_task(words, total=event.total, detail="")
        self.bars.update(
            self.tasks[event.step],
            completed=event.done,
            total=event.total,
            detail=escape(event.detail),
        )


def _say_notices(event: Event) -> None:
    if isinstance(event, Notice):
        errors.print(f"note: {escape(event.message)}", soft_wrap=True)
