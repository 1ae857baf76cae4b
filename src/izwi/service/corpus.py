"""A corpus to work with: one short method per use case; the command line and the web call these."""

from pathlib import Path

from izwi.model.results import Listener, RunReport, ignore
from izwi.service import building, compacting, gathering, setup, takedown
from izwi.service.curation_cases import CurationCases
from izwi.service.exchange_cases import ExchangeCases
from izwi.service.lexicography_cases import LexicographyCases
from izwi.service.reading_cases import ReadingCases
from izwi.service.runs import running
from izwi.service.source_cases import SourceCases
from izwi.service.use_cases import use_case


class Corpus(LexicographyCases, ExchangeCases, ReadingCases, CurationCases, SourceCases):
    """A corpus folder: gather and build it, ask what it holds, search it.

    Reading never changes the folder, so it may lie on a read-only mount.
    """

    @use_case("gather", "POST /api/v1/c/{corpus}/gather")
    def gather(
        self,
        *,
        seconds: float | None = None,
        pages: int | None = None,
        size: int | None = None,
        proxy: str = "",
        listener: Listener = ignore,
    ) -> RunReport:
        """Fetch what the sources offer, until nothing is due or a bound is met."""
        with running(self._layout, "gather", listener) as run:
            gathering.gather(
                self._layout, self._with_proxy(proxy), run, seconds=seconds, pages=pages, size=size
            )
            self._close(run)
        return run.report

    @use_case("build", "POST /api/v1/c/{corpus}/build")
    def build(self, *, workers: int = 0, listener: Listener = ignore) -> RunReport:
        """Do what is stale or missing: text, language, copies, tokens, index; publish a version."""
        with running(self._layout, "build", listener) as run:
            building.build(self._layout, self._config, run, workers=workers)
            self._close(run)
        return run.report

    @use_case("run", "POST /api/v1/c/{corpus}/run")
    def run(
        self,
        *,
        seconds: float | None = None,
        pages: int | None = None,
        proxy: str = "",
        workers: int = 0,
        listener: Listener = ignore,
    ) -> RunReport:
        """Gather, then build."""
        with running(self._layout, "run", listener) as run:
            gathering.gather(
                self._layout, self._with_proxy(proxy), run, seconds=seconds, pages=pages
            )
            if not run.report.was_stopped:
                building.build(self._layout, self._config, run, workers=workers)
            self._close(run)
        return run.report

    @use_case("takedown", "POST /api/v1/c/{corpus}/takedown")
    def takedown(
        self, target: str, *, reason: str = "", listener: Listener = ignore
    ) -> takedown.TakedownReport:
        """Take a URL or a host out of serving at once; it is never fetched again."""
        with running(self._layout, "takedown", listener) as run:
            report = takedown.add(self._layout, run, target, reason)
            building.build(self._layout, self._config, run, workers=1)
            takedown.forget_older(self._layout)
            self._segments.cache_clear()
            # While nobody else writes: the layers it reads stay where they are.
            report = takedown.with_traces(self._layout, self._config, report)
            self._close(run)
        return report

    @use_case("compact", "POST /api/v1/c/{corpus}/compact")
    def compact(self, *, workers: int = 0, listener: Listener = ignore) -> RunReport:
        """Take what was taken down out of the files, join small ones, and build what is new."""
        with running(self._layout, "compact", listener) as run:
            if compacting.remove_taken_down(self._layout, run):
                building.build(self._layout, self._config, run, workers=workers)
                takedown.forget_older(self._layout)
            if compacting.join_small(self._layout, self._config, run):
                building.build(self._layout, self._config, run, workers=workers)
            self._segments.cache_clear()
            self._close(run)
        return run.report


def open_corpus(path: str | Path) -> Corpus:
    """Return the corpus in a folder."""
    return Corpus(Path(path))


def create_corpus(
    path: str | Path,
    *,
    contact: str,
    name: str = "",
    title: str = "",
    languages: tuple[str, ...] = (),
    delay: float = 2.0,
) -> Corpus:
    """Make a corpus folder with a commented corpus.toml and return the corpus."""
    folder = Path(path)
    setup.create(folder, contact=contact, name=name, title=title, languages=languages, delay=delay)
    return Corpus(folder)
