"""Use cases of searching: lines, one hit, and conditions kept under a name."""

from __future__ import annotations

import threading
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING

from izwi.service.folder import CorpusFolder
from izwi.service.use_cases import use_case

if TYPE_CHECKING:
    from izwi.model.results import Concordance, KwicLine
    from izwi.query.explain import Explanation
    from izwi.service.subcorpora import Subcorpus


class SearchCases(CorpusFolder):
    """Lines: search, one hit, conditions kept under a name."""

    @use_case("query", "GET /c/{corpus}/conc")
    def concordance(
        self,
        query: str,
        *,
        sort: str = "date",
        page: int = 1,
        size: int = 50,
        context: int = 12,
        since: date | None = None,
        until: date | None = None,
        sources: tuple[str, ...] = (),
        publications: tuple[str, ...] = (),
        case: bool = False,
        seed: int = 1,
        version: int | None = None,
        mode: str = "auto",
        unit: str = "tokens",
        where: str = "",
        subcorpus: str = "",
        near: str = "",
        window: int = 5,
        first: bool = False,
        sample: int = 0,
        copies: bool = False,
        show: tuple[str, ...] = (),
        translate: str | Path = "",
        timeout: float | None = 30.0,
        cancelled: threading.Event | None = None,
    ) -> Concordance:
        """Find a word, a phrase or a CQL query and return one page of its lines in context.

        It ends with QueryTimeout after so many seconds, or once `cancelled` is set elsewhere.
        """
        from izwi.query.concordance import Filter, Narrowing, View
        from izwi.query.deadline import Deadline
        from izwi.service import querying
        from izwi.service.lookups import CorpusLookups

        deadline = Deadline(timeout, cancelled)
        number, segments = self._snapshot(version)
        lookups = CorpusLookups(self, segments, deadline)
        asked = (
            querying.translated(
                query,
                str(translate),
                segments,
                folder=self.path,
                config=self._config,
                is_exact_case=case,
                seconds=timeout,
            )
            if translate
            else querying.understood(query, mode, segments, is_exact_case=case, lookups=lookups)
        )
        where = self._where(where, subcorpus, publications)
        return querying.concordance_of(
            asked,
            segments,
            snapshot=number,
            chosen=Filter(since, until, self._sources_asked(sources, segments), where, copies),
            view=View(sort, seed, page, size, context, unit, show),
            narrowing=Narrowing(near, window, first, sample),
            deadline=deadline,
        )

    @use_case("query", "GET /api/v1/c/{corpus}/explain")
    def explain(
        self, query: str, *, mode: str = "auto", case: bool = False, version: int | None = None
    ) -> Explanation:
        """Say how a query will be answered and what it will cost, without running it."""
        from izwi.query.explain import explain
        from izwi.service import querying
        from izwi.service.lookups import CorpusLookups

        _, segments = self._snapshot(version)
        lookups = CorpusLookups(self, segments)
        asked = querying.understood(query, mode, segments, is_exact_case=case, lookups=lookups)
        return explain(segments, asked.query)

    @use_case("hit", "GET /api/v1/c/{corpus}/hit")
    def hit(
        self, id: str, *, context: int = 12, unit: str = "tokens", version: int | None = None
    ) -> KwicLine:
        """Return the line of one hit by its permanent id."""
        from izwi.query.lookup import find_hit

        _, segments = self._snapshot(version)
        return find_hit(segments, id, context=context, unit=unit)

    @use_case("subcorpora list", "GET /api/v1/c/{corpus}/subcorpora")
    def subcorpora(self) -> tuple[Subcorpus, ...]:
        """List the saved subcorpora: conditions on documents by name."""
        from izwi.service.subcorpora import list_subcorpora

        return list_subcorpora(self.name)
