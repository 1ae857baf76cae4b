"""Use cases of exchange with other programs: collections in, quotations out, comparisons."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Self

from izwi.model.results import ignore
from izwi.service.report_cases import ReportCases
from izwi.service.search_cases import SearchCases
from izwi.service.use_cases import use_case

if TYPE_CHECKING:
    from izwi.model.comparison import CorpusComparison
    from izwi.model.exporting import ExportReport
    from izwi.model.quotation import Quotation
    from izwi.model.results import Listener


class ExchangeCases(SearchCases, ReportCases):
    """Other programs: imports, exports, quotations, comparison."""

    @use_case("export", "GET /api/v1/c/{corpus}/export")
    def export(
        self,
        format: str,
        target: str | Path,
        *,
        sources: tuple[str, ...] = (),
        publications: tuple[str, ...] = (),
        languages: tuple[str, ...] = (),
        since: int | None = None,
        until: int | None = None,
        documents: Iterable[str] = (),
        mask: bool = False,
        tokens: bool = False,
        comments: bool = False,
        licence: str = "",
        seed: int = 1,
        query: str = "",
        where: str = "",
        subcorpus: str = "",
        version: int | None = None,
        restart: bool = False,
        copies: bool = False,
        listener: Listener = ignore,
    ) -> ExportReport:
        """Write the corpus, or some of its documents, into a folder for other programs.

        `documents` names them by id, `query` by what they hold, `where` and `subcorpus` by what is
        said of them; `copies` adds those folded into their originals. The same call goes on after a
        kill unless it is to `restart`.
        """
        from izwi.export.choice import Choice
        from izwi.service import exporting, querying

        ids = frozenset(documents)
        if query or where or subcorpus or publications:
            asked = self._where(where, subcorpus, publications)
            found = querying.documents_asked(self._snapshot(version)[1], query, asked)
            ids = (ids & found or frozenset({""})) if ids else found
        choice = Choice(sources, languages, since, until, ids, copies)
        wishes = exporting.Wishes(choice, mask, tokens, comments, licence, seed)
        return exporting.export(
            self._layout,
            self._config,
            format,
            Path(target),
            wishes=wishes,
            listener=listener,
            version=version,
            is_new=restart,
        )

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
        from izwi.model.results import Concordance
        from izwi.service import quoting

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
        other: Self | str | Path,
        *,
        version: int | None = None,
        other_version: int | None = None,
    ) -> CorpusComparison:
        """Put this corpus and another, or two versions of it, side by side."""
        from izwi.service import contrasting

        second = type(self)(Path(other)) if isinstance(other, (str, Path)) else other
        return contrasting.contrast(
            self.card(version=version),
            second.card(version=other_version),
            self._snapshot(version)[1],
            second._snapshot(other_version)[1],
        )
