"""Use cases of exchange with other programs: collections in, quotations out, comparisons."""

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Self

from izwi.config.schema import CorpusConfig
from izwi.index.reader import Segment
from izwi.model.card import CorpusCard
from izwi.model.comparison import CorpusComparison
from izwi.model.quotation import Quotation
from izwi.model.results import Concordance, Listener, RunReport, ignore
from izwi.service import contrasting, exchange, quoting
from izwi.service.runs import Run, running
from izwi.service.use_cases import use_case
from izwi.store.layout import Layout


class ExchangeCases:
    """What a corpus takes from other programs and gives to them beside exports."""

    _layout: Layout
    _config: CorpusConfig

    @use_case("import conllu", "POST /api/v1/c/{corpus}/import/conllu")
    def import_conllu(
        self, path: str | Path, *, name: str = "", listener: Listener = ignore
    ) -> RunReport:
        """Take in the documents of CoNLL-U files with their words, lemmas and tags."""
        return self._import("conllu", path, name, listener)

    @use_case("import tei", "POST /api/v1/c/{corpus}/import/tei")
    def import_tei(
        self, path: str | Path, *, name: str = "", listener: Listener = ignore
    ) -> RunReport:
        """Take in the documents of TEI files, one or a folder of them, or of a teiCorpus."""
        return self._import("tei", path, name, listener)

    @use_case("import texts", "POST /api/v1/c/{corpus}/import/texts")
    def import_texts(
        self, path: str | Path, *, name: str = "", listener: Listener = ignore
    ) -> RunReport:
        """Take in texts with their metadata as JSON Lines or Parquet."""
        return self._import("texts", path, name, listener)

    @use_case("quote", "GET /api/v1/c/{corpus}/quotations")
    def quotations(
        self,
        hits: Iterable[str] = (),
        *,
        query: str = "",
        most: int = 100,
        context: int = 12,
        version: int | None = None,
    ) -> tuple[Quotation, ...]:
        """Return hits as quotations, by their permanent ids or as the first of a query."""
        number, segments = self._snapshot(version)
        lines = quoting.lines_named(segments, tuple(hits), context=context)
        if query:

            def page(number: int, size: int) -> Concordance:
                return self.concordance(
                    query, page=number, size=size, context=context, version=version
                )

            lines += quoting.first_lines(page, most)
        return quoting.quotations_of(lines, self.name, number)

    @use_case("report compare", "GET /api/v1/c/{corpus}/comparison")
    def comparison(
        self,
        other: "Self | str | Path",
        *,
        version: int | None = None,
        other_version: int | None = None,
    ) -> CorpusComparison:
        """Put this corpus and another, or two versions of it, side by side."""
        second = type(self)(Path(other)) if isinstance(other, (str, Path)) else other
        return contrasting.contrast(
            self.card(version=version),
            second.card(version=other_version),
            self._snapshot(version)[1],
            second._snapshot(other_version)[1],
        )

    def _import(self, form: str, path: str | Path, name: str, listener: Listener) -> RunReport:
        with running(self._layout, f"import {form}", listener) as run:
            exchange.import_documents(
                self._layout, self._config, run, Path(path), form=form, name=name
            )
            self._close(run)
        return run.report

    if TYPE_CHECKING:  # what the corpus has

        def __init__(self, path: Path) -> None: ...

        def card(self, *, version: int | None) -> CorpusCard:
            """Return the card of a version."""

        @property
        def name(self) -> str:
            """Its name in corpus.toml."""

        def _close(self, run: Run) -> None: ...

        def _snapshot(self, version: int | None) -> tuple[int, tuple[Segment, ...]]: ...

        def concordance(
            self, query: str, *, page: int, size: int, context: int, version: int | None
        ) -> Concordance:
            """Return one page of a query's lines."""
