"""What users do about sources beside adding them: compare them with an archive, see their bias."""

from typing import TYPE_CHECKING

from izwi.model.coverage import By, Coverage
from izwi.model.hostbias import HostBias
from izwi.service import coverage
from izwi.service.use_cases import use_case
from izwi.store.catalog import Catalog

if TYPE_CHECKING:
    from izwi.config.schema import CorpusConfig
    from izwi.index.reader import Segment
    from izwi.store.layout import Layout


class SourceCases:
    """The use cases of sources, as methods of a corpus."""

    if TYPE_CHECKING:
        _layout: Layout

        def _with_proxy(self, proxy: str) -> CorpusConfig: ...
        def _snapshot(self, version: int | None) -> tuple[int, tuple[Segment, ...]]: ...

    @use_case("report coverage", "GET /api/v1/c/{corpus}/coverage")
    def coverage(self, cdx: str, *, source: str = "", by: By = "url", proxy: str = "") -> Coverage:
        """Compare the captured pages with a web archive's CDX list, a file or an address."""
        settings = self._with_proxy(proxy).gather
        with Catalog.read(self._layout.catalog) as catalog:
            return coverage.coverage(catalog, settings, cdx, source=source, by=by)

    @use_case("report hosts", "GET /api/v1/c/{corpus}/host-bias")
    def host_bias(self, *, version: int | None = None) -> HostBias:
        """Say which share of seeds, captures and documents the most frequent hosts contribute."""
        _, segments = self._snapshot(version)
        with Catalog.read(self._layout.catalog) as catalog:
            return coverage.host_bias(catalog, segments)
