"""The focused crawls of a run: what their leads promise, and which are left out."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from izwi.gather.fetch import STAGE
from izwi.gather.focus import Focus, Tell
from izwi.gather.sources.base import Source
from izwi.gather.sources.focused import FocusedSource
from izwi.model.capture import Capture, Lead
from izwi.model.document import Verdict, dropped
from izwi.model.errors import SourceError
from izwi.store.catalog import Catalog
from izwi.store.leads import Queued

# What is expected of leads of other sources: what somebody named comes first, what was found on a
# page has its turn among the promising ones.
_NAMED, _FOUND = 1.0, 0.5


@dataclass(frozen=True, slots=True)
class Focusing:
    """Every focused source with what was learnt for it."""

    pairs: Mapping[str, tuple[FocusedSource, Focus]] = field(default_factory=dict)

    def promise(self, queued: Queued) -> float:
        """Return what is expected of a lead by now, also of those that other sources propose."""
        pair, lead = self.pairs.get(queued.lead.source), queued.lead
        if pair is not None and lead.depth:
            return pair[1].promise(lead)
        return _FOUND if lead.depth else _NAMED

    def refusal(self, queued: Queued) -> Verdict | None:
        """Return why a lead is left out: it promises too little, or its host gave enough."""
        pair = self.pairs.get(queued.lead.source)
        if pair is None:
            return None
        source, focus = pair
        good = focus.good_pages(queued.host)
        if source.quota and good >= source.quota:
            return dropped(STAGE, "quota", value=good, threshold=source.quota)
        promise, least = focus.promise(queued.lead), source.least_promise
        if promise >= least:
            return None
        return dropped(STAGE, "unpromising", value=round(promise, 4), threshold=least)

    def weighed(self, capture: Capture, body: bytes, leads: list[Lead]) -> list[Lead]:
        """Return a page's links with what they promise, those too far from a good page left out."""
        pair = self.pairs.get(capture.lead.source)
        if pair is None:
            return leads
        source, focus = pair
        found = focus.learn(capture.lead, body, len(capture.body))
        weighed = focus.weigh(capture.lead, body, leads, is_good=found.is_good)
        return [lead for lead in weighed if lead.depth <= source.depth]

    def words(self, source: str) -> str:
        """Return what a focused crawl brought so far, empty for other sources."""
        pair = self.pairs.get(source)
        return str(pair[1].harvest) if pair and pair[1].harvest.pages else ""


def focusing(sources: Mapping[str, Source], tell: Tell | None, catalog: Catalog) -> Focusing:
    """Return the focused crawls among the sources; raise SourceError if none can be judged."""
    focused = [each for each in sources.values() if isinstance(each, FocusedSource)]
    if not focused:
        return Focusing()
    if tell is None:
        raise SourceError(f"Source '{focused[0].name}': nothing tells languages apart here.")
    return Focusing({each.name: (each, Focus(each.policy, tell, catalog)) for each in focused})
