"""Use cases of sources: look at them, add them, exchange them, see what they leave out."""

from collections.abc import Iterable, Mapping, Sequence

from izwi.model.coverage import By, Coverage
from izwi.model.hostbias import HostBias
from izwi.service import checking, coverage, opml, packs, settings, setup
from izwi.service.folder import CorpusFolder
from izwi.service.use_cases import use_case
from izwi.store.catalog import Catalog


class SourceCases(CorpusFolder):
    """Sources: check, add, exchange, compare with an archive."""

    @use_case("sources add", "POST /api/v1/c/{corpus}/sources")
    def add_source(
        self,
        url: str,
        *,
        type: str = "",
        name: str = "",
        depth: int = 0,
        every: str = "",
        since: str = "",
        by: str = "",
    ) -> str:
        """Add a feed, archive or seed page to corpus.toml and return its name."""
        self._reload()
        languages = self._config.corpus.languages
        taken = [source.name for source in self._config.sources]
        fields = setup.source_fields(
            url, type, name, depth=depth, every=every, since=since, languages=languages, taken=taken
        )
        self._config = setup.add_source(self.path, fields, who=by)
        return str(fields["name"])

    @use_case("sources packs", "GET /api/v1/c/{corpus}/sources/packs")
    def packs(self) -> tuple[packs.Pack, ...]:
        """List the packs of sources that come along, with what is known of each source."""
        return packs.packs()

    @use_case("sources add", "POST /api/v1/c/{corpus}/sources/pack")
    def add_pack(self, pack: str, *, by: str = "") -> tuple[str, ...]:
        """Add the sources of a pack that are not there yet; return the names. Fetches nothing."""
        self._reload()
        return self._add_all(packs.new_sources(packs.pack_named(pack), self._config), by)

    @use_case("sources pause", "POST /api/v1/c/{corpus}/sources/pause")
    def pause_sources(self, names: Sequence[str], *, by: str = "") -> tuple[str, ...]:
        """Let sources rest: nothing of them is fetched until they are resumed."""
        return self._put_paused(names, True, by)

    @use_case("sources resume", "POST /api/v1/c/{corpus}/sources/resume")
    def resume_sources(self, names: Sequence[str], *, by: str = "") -> tuple[str, ...]:
        """Let sources that rest go on from where they were."""
        return self._put_paused(names, None, by)

    def _put_paused(self, names: Sequence[str], value: bool | None, by: str) -> tuple[str, ...]:
        keys = {f"source.{name}.paused": value for name in names}
        self._config = settings.change_settings(self._layout, keys, who=by)
        return tuple(names)

    @use_case("sources check", "GET /api/v1/c/{corpus}/sources/check")
    def check_source(self, url: str, *, proxy: str = "") -> checking.SourceCheck:
        """Look at an address before it is added: robots, feeds, dates, pages a day."""
        return checking.check_source(self._with_proxy(proxy).gather, url, self._config.sources)

    @use_case("sources import", "POST /api/v1/c/{corpus}/sources/opml")
    def import_opml(self, text: str, *, by: str = "") -> tuple[str, ...]:
        """Add every feed of an OPML list that is not there yet; return the names."""
        self._reload()
        return self._add_all(opml.new_feeds(text, self._config), by)

    def _add_all(self, sources: Iterable[Mapping[str, object]], by: str) -> tuple[str, ...]:
        added = tuple(sources)
        if added:
            self._config = setup.add_sources(self.path, added, who=by)
        return tuple(str(fields["name"]) for fields in added)

    @use_case("sources export", "GET /api/v1/c/{corpus}/sources/opml")
    def export_opml(self) -> str:
        """Return the feeds as an OPML list that feed readers take."""
        return opml.as_opml(self._config)

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
