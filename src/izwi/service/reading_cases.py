"""Use cases of reading: one document, and the page it came from."""

from __future__ import annotations

from dataclasses import replace
from datetime import date
from typing import TYPE_CHECKING

from izwi.service.folder import CorpusFolder
from izwi.service.use_cases import use_case

if TYPE_CHECKING:
    from izwi.model.reading import ArchivedPage, DocumentList, DocumentView


class ReadingCases(CorpusFolder):
    """Documents: the list of them, one of them, its archived page."""

    @property
    def newest(self) -> int:
        """The number of its newest version; 0 before the first."""
        from izwi.store import snapshots

        return snapshots.current_number(self._layout)

    @use_case("document", "GET /c/{corpus}/doc/{id}")
    def document(self, id: str, *, version: int | None = None) -> DocumentView:
        """Return a document by its id or URL: paragraphs, metadata with evidence, its capture."""
        from izwi.service import documents

        number, segments = self._snapshot(version)
        view = documents.document_view(
            self._layout, self._config, id, snapshot=number, segments=segments
        )
        if not segments:
            return view
        return replace(
            view, publication=segments[0].publication(view.url, view.site, view.source)
        )  # fmt: skip

    @use_case("documents", "GET /c/{corpus}/docs")
    def documents(
        self,
        *,
        sort: str = "date",
        page: int = 1,
        size: int = 100,
        since: date | None = None,
        until: date | None = None,
        sources: tuple[str, ...] = (),
        publications: tuple[str, ...] = (),
        where: str = "",
        copies: bool = False,
        version: int | None = None,
    ) -> DocumentList:
        """List the documents by date, or some of them, a page at a time."""
        from izwi.query.documents import Filter
        from izwi.service import listing

        number, segments = self._snapshot(version)
        chosen = Filter(
            since, until, self._sources_asked(sources, segments),
            self._where(where, "", publications), copies,
        )  # fmt: skip
        return listing.list_documents(
            segments, chosen, snapshot=number, sort=sort, page=page, size=size
        )

    @use_case("archived", "GET /c/{corpus}/doc/{id}/archived")
    def archived(self, id: str) -> ArchivedPage:
        """Return the page a document came from, as it was captured."""
        from izwi.service import documents

        return documents.archived_page(self._layout, self._config, id)
