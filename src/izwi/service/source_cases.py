"""Use cases of sources: look at them, add them, exchange them, see what they leave out."""

from __future__ import annotations

from typing import TYPE_CHECKING

from izwi.service.folder import CorpusFolder
from izwi.service.use_cases import use_case

if TYPE_CHECKING:
    from izwi.model.coverage import By, Coverage
    from izwi.model.hostbias import HostBias
    from izwi.service import checking, packs


class SourceCases(CorpusFolder):
    """Sources: check, add, exchange, compare with an archive."""

    @use_case("sources packs", "GET /api/v1/c/{corpus}/sources/packs")
    def packs(self) -> tuple[packs.Pack, ...]:
        """List the packs of sources that come along, with what is known of each source."""
        from izwi.service import packs

        return packs.packs()

    @use_case("sources check", "GET /api/v1/c/{corpus}/sources/check")
    def check_source(self, url: str, *, proxy: str = "") -> checking.SourceCheck:
        """Look at an address before it is added: robots, feeds, dates, pages a day."""
        from izwi.service import checking

        return checking.check_source(self._with_proxy(proxy).gather, url, self._config.sources)

    @use_case("sources export", "GET /api/v1/c/{corpus}/sources/opml")
    def export_opml(self) -> str:
        """Return the feeds as an OPML list that feed readers take."""
        from izwi.service import opml

        return opml.as_opml(self._config)

    @use_case("report coverage", "GET /api/v1/c/{corpus}/coverage")
    def coverage(self, cdx: str, *, source: str = "", by: By = "url", proxy: str = "") -> Coverage:
        """Compare the captured pages with a web archive's CDX list, a file or an address."""
        from izwi.service import coverage
        from izwi.store.catalog import Catalog

        settings = self._with_proxy(proxy).gather
        with Catalog.read(self._layout.catalog) as catalog:
            return coverage.coverage(catalog, settings, cdx, source=source, by=by)

    @use_case("report hosts", "GET /api/v1/c/{corpus}/host-bias")
    def host_bias(self, *, version: int | None = None) -> HostBias:
        """Say which share of seeds, captures and documents the most frequent hosts contribute."""
        from izwi.service import coverage
        from izwi.store.catalog import Catalog

        _, segments = self._snapshot(version)
        with Catalog.read(self._layout.catalog) as catalog:
            return coverage.host_bias(catalog, segments)
