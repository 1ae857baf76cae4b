"""What went wrong in a run in a way that may pass, and what is said of it at its end."""

from dataclasses import dataclass, field

from izwi.gather.fetch import Refused
from izwi.gather.frontier import TOLERATED_FAILURES, Frontier
from izwi.model.results import Listener, Notice
from izwi.store.leads import Queued


@dataclass(slots=True)
class Troubles:
    """What went wrong in a way that may pass."""

    listener: Listener
    # By host: why it could not be reached, and the sources for which it failed.
    _unreached: dict[str, str] = field(default_factory=dict)
    _failed: dict[str, set[str]] = field(default_factory=dict)
    _without_browser: set[str] = field(default_factory=set)

    def note(self, queued: Queued, refusal: Refused) -> None:
        """Take note of a refusal; a browser that does not do its work is told at once."""
        if refusal.is_passing:
            self._failed.setdefault(queued.host, set()).add(queued.lead.source)
        if refusal.verdict.reason.startswith("browser-"):
            self._tell_of_browser(queued, refusal)

    def note_unreached(self, host: str, why: str) -> None:
        """Take note of a host that could not be reached at all."""
        self._unreached[host] = why

    def tell(self, frontier: Frontier) -> None:
        """Say at the end of a run which hosts' pages wait, and for whom."""
        for host, why in self._unreached.items():
            words = f"could not be reached ({why}); its pages wait for the next run."
            self.listener(Notice(f"{self._askers(host)}{host} {words}"))
        for host in set(frontier.given_up()) - set(self._unreached):
            words = f"failed {TOLERATED_FAILURES} times in a row; its pages wait for the next run."
            self.listener(Notice(f"{self._askers(host)}{host} {words}"))
        for host in frontier.resting():
            self.listener(Notice(f"{host} asks for a long pause; its pages wait."))

    def _askers(self, host: str) -> str:
        """Return the sources that a host failed, as a notice begins."""
        names = ", ".join(f"'{name}'" for name in sorted(self._failed.get(host, ())))
        return f"Source {names}: " if names else ""

    def _tell_of_browser(self, queued: Queued, refusal: Refused) -> None:
        name, verdict = queued.lead.source, refusal.verdict
        if name in self._without_browser:
            return
        self._without_browser.add(name)
        self.listener(
            Notice(
                f"Source '{name}': {verdict.reason} at {queued.lead.url} ({verdict.detail}). The "
                "others go on; see that Chromium starts, or write browser = false for this source."
            )
        )
