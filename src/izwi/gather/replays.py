"""Leads to a web archive: which page each stands for, and what becomes of it there."""

from collections.abc import Mapping
from dataclasses import dataclass

from izwi.gather.fetch import STAGE
from izwi.gather.sources.base import ReplaySource, Source
from izwi.model.capture import Capture, Lead
from izwi.model.document import Verdict, dropped
from izwi.store.catalog import Catalog
from izwi.store.leads import Queued

NO_MEMENTO = dropped(STAGE, "not-a-memento", detail="the archive answers without a time of capture")

# What an archive answers for a page that it does not have, or does not show.
_ABSENT = ("http-403", "http-404", "http-410", "http-451", NO_MEMENTO.reason)


@dataclass(frozen=True, slots=True)
class Replays:
    """The leads of a run that archives answer; all others pass unchanged."""

    sources: Mapping[str, Source]
    catalog: Catalog

    def original(self, lead: Lead) -> str:
        """Return the address that a lead stands for; empty if no archive is asked for it."""
        source = self._source(lead)
        return source.original(lead) if source and lead.kind == "page" else ""

    def refusal(self, lead: Lead) -> Verdict | None:
        """Return why an archive is not asked: the page was captured before, and one is enough."""
        source, original = self._source(lead), self.original(lead)
        if not source or not original or source.per_url == "all":
            return None
        if self.catalog.last_capture(original) is None:
            return None
        return dropped(STAGE, "already-captured", detail=original)

    def restored(self, capture: Capture) -> Capture | None:
        """Return a capture as it was made; None if an archive answers with a page of its own."""
        source = self._source(capture.lead)
        return source.restored(capture) if source else capture

    def target(self, lead: Lead, target: str) -> str:
        """Return where a redirect leads: an archive's stay inside it."""
        source = self._source(lead)
        return source.redirected(lead, target) if source else target

    def live_lead(self, lead: Lead, verdict: Verdict) -> Lead | None:
        """Return the live page for one that the archive says it does not have."""
        source = self._source(lead)
        return source.live_lead(lead) if source and verdict.reason in _ABSENT else None

    def settle(self, queued: Queued, capture: Capture) -> Queued:
        """Settle the lead to an archive, and return that of the page which it replayed."""
        if capture.lead.url == queued.lead.url:
            return queued
        verdict = Verdict("dropped", STAGE, "from-archive", detail=capture.lead.url)
        self.catalog.settle(queued, "redirected", verdict)
        self.catalog.add_leads([capture.lead])
        return self.catalog.find_lead(capture.lead.url) or queued

    def _source(self, lead: Lead) -> ReplaySource | None:
        source = self.sources.get(lead.source)
        return source if isinstance(source, ReplaySource) else None
