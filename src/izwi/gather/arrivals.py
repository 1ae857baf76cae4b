"""What is done with what a server answered: kept, followed, refused, or left as it was."""

import time
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace

from izwi.config.schema import GatherSection
from izwi.gather.fetch import STAGE, Refused
from izwi.gather.frontier import Frontier, Returning
from izwi.gather.links import Reading, read_page, texts_apart
from izwi.gather.made_up import Probe
from izwi.gather.parts import Role, Whole
from izwi.gather.permissions import HostRules, Rights, rights_of
from izwi.gather.scope import refusal_of
from izwi.gather.sources.base import FinalSource, ListSource, Onward, Source, ThreadSource
from izwi.gather.sources.crawl import CrawlSource
from izwi.gather.sources.focused import Focusing
from izwi.gather.traps import Traps
from izwi.gather.urls import Habits, canonical, changes_of_form, same_host
from izwi.gather.web_archives import NO_MEMENTO, Replays
from izwi.model.capture import Capture, Headers, Hints, Lead
from izwi.model.document import KEPT, Verdict, dropped, failed
from izwi.model.errors import SourceError
from izwi.model.notation import size_bytes
from izwi.model.results import Listener, Notice, Progress
from izwi.store.captures import CaptureStore
from izwi.store.catalog import Catalog
from izwi.store.leads import Queued, host_of, split_url
from izwi.store.takedowns import Takedowns
from izwi.store.warc import decoded_body, media_type, payload_digest

# Answers that say that a page of a list is not there.
_MISSING = ("http-404", "http-410")
# Answers of pages that are not there for anybody, or not for a reader without a name.
_NOTHING_THERE = (*_MISSING, "http-401", "http-403")
_PROGRESS_SECONDS = 0.1
_MOST_LEFT_OUT = 100_000
_READABLE = ("", "text/html", "application/xhtml+xml")


@dataclass(slots=True)
class Arrivals:
    """The outcomes of one run."""

    settings: GatherSection
    sources: Mapping[str, Source]
    catalog: Catalog
    store: CaptureStore
    listener: Listener
    frontier: Frontier
    rules: HostRules
    gone: Takedowns = field(default_factory=Takedowns)
    focusing: Focusing = field(default_factory=Focusing)
    # How many pages are wanted, if there is a bound.
    most: int | None = None
    fetched: int = 0
    size_bytes: int = 0
    # Addresses that were asked in this run to complete others.
    joined: set[str] = field(default_factory=set)
    _traps: Traps = field(init=False)
    _replays: Replays = field(init=False)
    returning: Returning = field(init=False)
    _threads: list[ThreadSource] = field(init=False)
    _limit: int = field(init=False)
    _habits: dict[str, Habits] = field(default_factory=dict)
    _left_out: set[str] = field(default_factory=set)
    _told: float = 0.0

    def __post_init__(self) -> None:
        self._traps = Traps(self.catalog, frozenset(_opened(self.sources.values())))
        self.returning = Returning(self.sources, self.catalog, self.frontier)
        self._replays = Replays(self.sources, self.catalog)
        self._threads = [each for each in self.sources.values() if isinstance(each, ThreadSource)]
        self._limit = size_bytes(self.settings.max_size)

    def open_patterns(self) -> None:
        """Queue what was left out of patterns that curators say are no traps.

        Leads that were queued before wait again. Links that never were are read once more from the
        pages that have them.
        """
        for pattern in _opened(self.sources.values()):
            if not self.catalog.open_pattern(pattern):
                continue
            for name, source in self.sources.items():
                if pattern in getattr(source, "no_traps", ()):
                    for capture in self.store.stored(pattern.partition("/")[0], name):
                        self.queue(source.leads_from(capture, self._unpacked(capture)))

    def refusal(self, queued: Queued) -> Verdict | None:
        """Return why a lead is not asked: taken down, or part of a trap as it turned out."""
        lead = queued.lead
        if self.gone.covers(self._replays.original(lead) or lead.url):
            return dropped(STAGE, "taken-down")
        if not lead.depth or lead.kind != "page":
            return self._replays.refusal(lead)
        trapped = self._traps.verdict(lead.url) if self._minds_traps(lead.source) else None
        return trapped or self.focusing.refusal(queued)

    def _minds_traps(self, source: str) -> bool:
        """Whether a source wants traps to be left alone; `traps = false` says that it has none."""
        return bool(getattr(self.sources.get(source), "traps", True))

    def keep(self, queued: Queued, capture: Capture, others: Iterable[Capture] = ()) -> None:
        """Store a capture and those that complete it, settle its lead, queue what it leads to."""
        restored = self._replays.restored(capture)
        if restored is None:
            self.settle(queued, NO_MEMENTO)
            return
        self._keep(queued, restored)
        for other in others:
            self.catalog.add_leads([other.lead])
            found = self.catalog.find_lead(other.lead.url)
            if found is not None:
                self.joined.add(other.lead.url)
                self._keep(found, other)

    def whole(self, queued: Queued, capture: Capture) -> Whole | None:
        """Return what is to be asked for a page to be whole, None if that is not wanted of it."""
        source = self.sources[queued.lead.source]
        if capture.lead.kind != "page" or self._replays.original(queued.lead):
            return None
        if not getattr(source, "parts", True) or not self._is_news(capture):
            return None
        body = self._unpacked(capture)
        if _reading(capture, body) is None or self._rights(queued.host, capture, body)[1]:
            return None
        return Whole(capture.lead.url, body)

    def part(self, lead: Lead, url: str, role: str) -> Lead:
        """Return the lead of what completes a page."""
        hints = Hints(part_of=lead.url, part_as=role)
        return replace(lead, url=url, referrer=lead.url, redirects=0, hints=hints)

    def is_refused(self, lead: Lead) -> bool:
        """Whether what completes a page is not asked: outside its site, excluded, or a trap.

        Nor is a frame that another page has, too: a menu, a head.
        """
        if lead.hints.part_as == "frame" and lead.url in self.joined:
            return True
        outside = refusal_of(self.sources[lead.source], lead.url, lead.depth)
        is_trap = self._minds_traps(lead.source) and self._traps.is_barren(lead.url)
        return self.gone.covers(lead.url) or outside in ("other-domain", "excluded") or is_trap

    def belongs(self, whole: Whole, part: Capture, role: Role) -> bool:
        """Whether what was asked to complete a page does so; its owner may not want it kept."""
        body = self._unpacked(part)
        is_page = part.status == 200 and _reading(part, body) is not None
        if not is_page or self._rights(host_of(part.lead.url), part, body)[1]:
            whole.miss(role)
            return False
        return whole.take(part.lead.url, body, role)

    def _is_news(self, capture: Capture) -> bool:
        before = self.catalog.last_capture(capture.lead.url)
        return before is None or before.digest != payload_digest(capture.body)

    def _rights(self, host: str, capture: Capture, body: bytes) -> tuple[Rights, Verdict | None]:
        """Return what the owner of a page says, and why it is therefore not kept."""
        known = self.rules.reservations(host)
        of_host = known.of(capture.lead.url) if known else None
        rights = rights_of(capture, _reading(capture, body), of_host)
        return rights, rights.refusal(self.settings.respect)

    def _keep(self, queued: Queued, capture: Capture) -> None:
        body = self._unpacked(capture)
        reading = _reading(capture, body)
        rights, refusal = self._rights(queued.host, capture, body)
        if refusal is not None and capture.lead.kind == "page":
            self.settle(queued, refusal)
        elif refusal is not None:  # a list is read all the same, but not kept
            self.catalog.settle(queued, "dropped", refusal)
        else:
            self._store(queued, replace(capture, rights=str(rights)))
            self._find_threads(capture, body)
        if reading and reading.canonical:
            self._learn_form(capture.lead.url, reading.canonical)
        # After the capture: opening a file commits what came before it.
        self.returning.remember(queued, capture)
        if reading and reading.refresh:
            self._refresh(capture.lead, reading.refresh)
        if body and rights.may_follow:
            self._read(queued, capture, body, reading)
        self._tell(queued)

    def keep_unchanged(self, queued: Queued, headers: Headers) -> None:
        """Write a revisit record for what a server says it still has."""
        before = self.catalog.last_capture(queued.lead.url)
        if before is not None:
            self.store.append_revisit(queued.lead, before, headers)
        self.returning.rest(queued, [], news=0)
        self.catalog.settle(queued, "fetched", Verdict("kept", STAGE, "not-modified"))

    def follow(self, queued: Queued, target: str, status: int) -> None:
        """Queue where a redirect points, unless it leads nowhere, out, or is one too many."""
        lead = queued.lead
        found = canonical(self._replays.target(lead, target), lead.url)
        if found is None:
            self.settle(queued, dropped(STAGE, "bad-redirect", detail=target[:300]))
            return
        verdict = self._no_redirect(lead, found)
        if verdict is not None:
            self.settle(queued, verdict)
            return
        if self._has_traps(lead) and not changes_of_form(lead.url, found):
            is_known = self.catalog.find_lead(found) is not None
            self._traps.learn_redirect(lead.url, found, is_known=is_known)
        self._onward(lead, found)
        verdict = Verdict("dropped", STAGE, "redirected", status, detail=found)
        self.catalog.settle(queued, "redirected", verdict)

    def _refresh(self, lead: Lead, target: str) -> None:
        """Queue where a page sends its reader at once; the page itself is kept all the same."""
        if target != lead.url and self._no_redirect(lead, target) is None:
            self._onward(lead, target)

    def _no_redirect(self, lead: Lead, target: str) -> Verdict | None:
        """Return why a redirect is not followed, None if it is."""
        most = self.settings.max_redirects
        if target == lead.url or self.catalog.state_of(target) == "redirected":
            return dropped(STAGE, "redirect-loop", detail=target)
        if lead.redirects >= most:
            value = lead.redirects + 1
            return dropped(STAGE, "too-many-redirects", value=value, threshold=most, detail=target)
        # What a user names may have moved; what links lead to must stay inside the rules.
        outside = refusal_of(self.sources[lead.source], target, lead.depth) if lead.depth else ""
        return dropped(STAGE, outside, detail=target) if outside else None

    def _onward(self, lead: Lead, target: str) -> None:
        self._learn_form(lead.url, target)
        onward = replace(lead, url=target, referrer=lead.url, redirects=lead.redirects + 1)
        if self.queue([onward]) and lead.kind == "page":
            # At once, as browsers do: what a door is shows before hundreds of others lead to it.
            self.frontier.put_first(self.catalog.find_lead(self._preferred(onward).url))
        if lead.kind != "page":
            self.catalog.claim(onward)
        self.returning.wake(onward)

    def settle(self, queued: Queued, verdict: Verdict) -> None:
        """Write that a lead brought no capture; tell the user if it was a feed."""
        self.catalog.settle(queued, "failed" if verdict.outcome == "failed" else "dropped", verdict)
        self.returning.rest(queued, [], news=0)
        if verdict.reason in _NOTHING_THERE and self._has_traps(queued.lead):
            self._traps.learn_nothing(queued.lead.url)
        if self._is_end_of_list(queued, verdict) or self._goes_live(queued, verdict):
            return
        if queued.lead.kind != "page":
            detail = f": {verdict.detail}" if verdict.detail else ""
            self.listener(
                Notice(
                    f"Source '{queued.lead.source}': {queued.lead.url} could not be read "
                    f"({verdict.reason}{detail}). {_advice(queued.lead, verdict)}"
                )
            )

    def _has_traps(self, lead: Lead) -> bool:
        """Whether a lead that leads to nothing counts against those like it."""
        is_found = bool(lead.depth) and lead.kind == "page"
        return is_found and hasattr(self.sources.get(lead.source), "traps")

    def _goes_live(self, queued: Queued, verdict: Verdict) -> bool:
        """Whether a page that an archive does not have is asked of the live web instead."""
        lead = self._replays.live_lead(queued.lead, verdict)
        return lead is not None and bool(self.queue([lead]))

    def _is_end_of_list(self, queued: Queued, verdict: Verdict) -> bool:
        """Whether a page of a list is missing because the list ended before it."""
        source = self.sources.get(queued.lead.source)
        if queued.lead.kind != "list" or verdict.reason not in _MISSING:
            return False
        onward = source.ended(queued.lead) if isinstance(source, ListSource) else None
        if onward is not None:
            self._go_on(queued.lead, onward, news=0)
        return onward is not None

    def queue(self, leads: Iterable[Lead]) -> int:
        """Queue leads in the form their hosts prefer; return how many were new."""
        wanted = [self._preferred(lead) for lead in leads]
        added = self.catalog.add_leads(wanted)
        if added:
            self.frontier.found({split_url(lead.url)[1] for lead in wanted})
        return added

    def _store(self, queued: Queued, capture: Capture) -> None:
        self.fetched += 1
        self.size_bytes += len(capture.body)
        queued = self._replays.settle(queued, capture)
        before = self.catalog.last_capture(capture.lead.url)
        # What completes a page lies behind it, even if it was asked for itself before.
        is_asked_for_another = capture.lead.url in self.joined
        if before is not None and not is_asked_for_another and not self._is_news(capture):
            self.store.append_revisit(capture.lead, before, capture.headers)
            self.catalog.settle(queued, "fetched", Verdict("kept", STAGE, "unchanged"))
            return
        self.store.append(queued, capture)
        self.catalog.settle(queued, "fetched", KEPT)

    def _find_threads(self, capture: Capture, body: bytes) -> None:
        """Queue the comment threads of a page, where a source asks for them."""
        for source in self._threads:
            self.queue(source.threads_of(capture, body))

    def _unpacked(self, capture: Capture) -> bytes:
        """Return the body as text was sent, empty if it does not unpack: extraction says why."""
        try:
            return decoded_body(capture, self._limit)
        except ValueError:
            return b""

    def _read(self, queued: Queued, capture: Capture, body: bytes, reading: Reading | None) -> None:
        """Queue what a page or feed leads to, but for traps."""
        lead = queued.lead
        try:
            leads = list(self.sources[lead.source].leads_from(capture, body))
        except SourceError as error:
            self._complain(queued, str(error))
            return
        if lead.kind != "page":
            self.returning.wake_changed(leads)
            news = self.queue(leads)
            self.returning.rest(queued, leads, news=news)
            self._read_on(queued, capture, body, news)
            return
        if reading is None:
            return
        self._leave_out(capture, reading.others)
        self._note_depth(lead, reading.links)
        leads = self.focusing.weighed(capture, body, leads)
        # Where no links are followed at all there is no trap; the last page of a way may be one.
        if not leads and not hasattr(self.sources[lead.source], "traps"):
            return
        wanted = self._traps.sift(leads) if self._minds_traps(lead.source) else leads
        fresh = self.queue(wanted)
        text, linked = texts_apart(body)
        links = [each.url for each in wanted]
        self._traps.learn(lead.url, text, links, linked=linked, fresh=fresh)
        for shape, left_out in self._traps.returned().items():
            self.catalog.open_pattern(shape)
            self.queue(self._traps.sift(left_out))
            self.frontier.found({split_url(lead.url)[1]})

    def probe(self, lead: Lead) -> tuple[Probe, Lead] | None:
        """Return an invented address to ask, if it is in doubt whether a page was made up.

        Nothing is asked that its source would not ask, nor what was taken down.
        """
        if not (self._has_traps(lead) and self._minds_traps(lead.source)):
            return None
        probe = self._traps.probe(lead.url)
        if probe is None:
            return None
        outside = refusal_of(self.sources[lead.source], probe.url, lead.depth)
        if outside or self.gone.covers(probe.url):
            self._traps.leave_in_doubt(lead.url, probe)
            return None
        return probe, replace(lead, url=probe.url, referrer=lead.url, hints=Hints())

    def judge(self, lead: Lead, probe: Probe, answer: Capture | Refused | None) -> bool:
        """Take note of what an invented address brought; return whether that tells anything.

        That a page is missing does, and a page; a host that is busy, or leads elsewhere, says
        nothing of what is there.
        """
        text = self._said(answer)
        if text is None:
            self._traps.leave_in_doubt(lead.url, probe)
            return False
        place = self._traps.judge(lead.url, probe, text)
        if place is not None:
            words = f"{place} answers whatever is asked with new text, so it is left alone. If its"
            advice = f"pages are true: izwi sources no-trap FOLDER {lead.source} {place}"
            self.listener(Notice(f"Source '{lead.source}': {words} {advice}"))
        return True

    def _said(self, answer: Capture | Refused | None) -> str | None:
        """Return the text of an answer, none if a page is missing; None if it tells nothing."""
        if isinstance(answer, Refused):
            return "" if answer.verdict.reason in _MISSING else None
        body = b"" if answer is None else self._unpacked(answer)
        is_page = answer is not None and _reading(answer, body) is not None
        return texts_apart(body)[0] if is_page else None

    def note_probe(self, lead: Lead, came: str) -> None:
        """Write a line for an invented address that was asked, and what came of it."""
        if self.catalog.find_lead(lead.url) is None and self.catalog.add_leads([lead]):
            queued = self.catalog.find_lead(lead.url)
            if queued is not None:
                self.catalog.settle(queued, "dropped", dropped(STAGE, "invented", detail=came))

    def _leave_out(self, capture: Capture, urls: Iterable[str]) -> None:
        """Write a line for links inside a source's rules behind which there can be no text."""
        lead, source = capture.lead, self.sources[capture.lead.source]
        fresh = [url for url in urls if url not in self._left_out]
        if not fresh or lead.depth >= getattr(source, "depth", 0):
            return
        if len(self._left_out) > _MOST_LEFT_OUT:
            self._left_out.clear()
        self._left_out.update(fresh)
        for url in fresh:
            other = replace(lead, url=url, referrer=lead.url, depth=lead.depth + 1, hints=Hints())
            is_inside = same_host(url, lead.url) or isinstance(source, CrawlSource)
            if is_inside and not refusal_of(source, url, other.depth):
                self._note_ending(other)

    def _note_depth(self, lead: Lead, links: Iterable[str]) -> None:
        """Count by host what a crawl's depth leaves out: lists that follow each other lie deep."""
        source = self.sources[lead.source]
        if not isinstance(source, CrawlSource) or not 0 < source.depth <= lead.depth:
            return
        fresh = {
            url
            for url in links
            if url not in self._left_out
            and not refusal_of(source, url, lead.depth)
            and self.catalog.find_lead(url) is None
        }
        if len(self._left_out) > _MOST_LEFT_OUT:
            self._left_out.clear()
        self._left_out.update(fresh)
        for host, number in Counter(map(host_of, fresh)).items():
            verdict = dropped(STAGE, "too-deep", value=source.depth + 1, threshold=source.depth)
            self.catalog.refuse(host, verdict, source=lead.source, links=number)

    def _note_ending(self, lead: Lead) -> None:
        if self.catalog.find_lead(lead.url) is None and self.catalog.add_leads([lead]):
            queued = self.catalog.find_lead(lead.url)
            if queued is not None:
                ending = lead.url.partition("?")[0].rpartition(".")[2].lower()
                verdict = dropped(STAGE, "ending", detail=f".{ending}")
                self.catalog.settle(queued, "dropped", verdict)

    def _complain(self, queued: Queued, words: str) -> None:
        """Write that a list was not what it should be, and say so."""
        kind = queued.lead.kind
        reason = "not-a-feed" if kind == "feed" else f"unreadable-{kind}"
        self.catalog.settle(queued, "failed", failed(STAGE, reason, detail=words))
        self.listener(Notice(words))

    def _read_on(self, queued: Queued, capture: Capture, body: bytes, news: int) -> None:
        """Queue the next page of a list, and note whether this one is ever read again."""
        source = self.sources[queued.lead.source]
        if isinstance(source, FinalSource) and source.is_over(capture, body):
            self.returning.rest_for_ever(queued)
        if isinstance(source, ListSource) and queued.lead.kind == "list":
            onward = source.onward(capture, body)
            if onward.problem:
                self._complain(queued, onward.problem)
            self._go_on(queued.lead, onward, news=news)

    def _go_on(self, lead: Lead, onward: Onward, *, news: int) -> None:
        """Queue the next page of a list; one that was read before only while there is news."""
        following = onward.next if news or not onward.only_with_news else None
        if following is not None and self.queue([following]):
            return
        if following is not None and news and onward.is_growing:
            self.returning.wake_at_once(self._preferred(following).url)
        elif onward.again is not None and (news or onward.again.url != lead.url):
            self.returning.wake_at_once(self._preferred(onward.again).url)

    def _learn_form(self, url: str, target: str) -> None:
        host = host_of(url)
        if self._habits_of(host).learn(url, target):
            self.catalog.put_forms(host, self._habits[host].as_text())

    def _preferred(self, lead: Lead) -> Lead:
        habits = self._habits_of(split_url(lead.url)[1])
        if not habits.counts or lead.redirects:
            return lead
        return replace(lead, url=habits.preferred(lead.url))

    def _habits_of(self, host: str) -> Habits:
        if host not in self._habits:
            if len(self._habits) > 10_000:
                self._habits.clear()
            self._habits[host] = Habits.from_text(self.catalog.forms(host))
        return self._habits[host]

    def _tell(self, queued: Queued) -> None:
        """Report progress, not more often than anyone can read it."""
        now = time.monotonic()
        if now - self._told >= _PROGRESS_SECONDS:
            self._told = now
            brought = self.focusing.words(queued.lead.source)
            words = f"{queued.host} ({self.frontier.under_way} under way) {brought}".rstrip()
            self.listener(Progress("gather", self.fetched, self.most, words))


def _opened(sources: Iterable[Source]) -> Iterator[str]:
    """Yield the patterns of addresses that curators say are no traps."""
    for source in sources:
        yield from getattr(source, "no_traps", ())


def _advice(lead: Lead, verdict: Verdict) -> str:
    """Return what one can do about a list that brought nothing."""
    if verdict.reason == "robots":
        return "Ask the site's owner, or take the source out of corpus.toml."
    if verdict.outcome == "failed":
        return "It is asked again by the next run."
    return f"Look at the address, then try: izwi sources check FOLDER {lead.url}"


def _reading(capture: Capture, body: bytes) -> Reading | None:
    """Return what a page says to crawlers; None for feeds, site maps and what is not HTML."""
    is_page = capture.lead.kind == "page"
    if not body or not is_page or media_type(capture.header("Content-Type")) not in _READABLE:
        return None
    return read_page(body, capture.lead.url)
