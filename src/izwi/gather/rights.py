"""What a page's owner says may be done with it: recorded with each capture, and respected."""

from collections.abc import Collection
from dataclasses import dataclass

from izwi.gather.links import Reading
from izwi.gather.tdmrep import Reservation
from izwi.model.capture import Capture
from izwi.model.document import Verdict, dropped

STAGE = "fetch"
NOTHING = Reading(())
# What owners may ask for and a corpus respects, unless a curator decides otherwise.
WISHES = frozenset({"noindex", "noarchive", "noai", "tdm-reservation"})


@dataclass(frozen=True, slots=True)
class Rights:
    """The signals of one capture: words of robots rules, a reservation, links to the terms."""

    words: tuple[str, ...] = ()
    licence: str = ""
    policy: str = ""

    def __str__(self) -> str:
        links = (("license", self.licence), ("tdm-policy", self.policy))
        return "; ".join((*self.words, *(f"{name}={link}" for name, link in links if link)))

    @property
    def may_follow(self) -> bool:
        """Whether the links of the page may be followed."""
        return "nofollow" not in self.words and "none" not in self.words

    def refusal(self, respected: Collection[str]) -> Verdict | None:
        """Return why the page is not kept, None if it may be."""
        words = {*self.words, *(("noindex", "nofollow") if "none" in self.words else ())}
        word = next((word for word in sorted(words) if word in respected), "")
        return dropped(STAGE, word, detail=str(self)) if word else None


def rights_of(
    capture: Capture, reading: Reading | None = None, of_host: Reservation | None = None
) -> Rights:
    """Return what header, page and host say; of reservations the nearest to the page counts.

    That is its header, then its meta elements, then the file of its host.
    """
    page = reading or NOTHING
    tagged = ",".join(
        value.lower() for name, value in capture.headers if name.lower() == "x-robots-tag"
    )
    said = {word.strip() for word in f"{tagged},{page.robots}".split(",")}
    words = said & {"noindex", "nofollow", "noarchive", "none", "noai", "nosnippet"}
    reserved, policy = _reservation(capture, page, of_host)
    if reserved:
        words.add("tdm-reservation")
    return Rights(tuple(sorted(words)), page.licence, policy)


def _reservation(capture: Capture, page: Reading, of_host: Reservation | None) -> tuple[bool, str]:
    """Return whether mining is reserved, and where the terms stand."""
    header = capture.header("tdm-reservation").strip()
    if header:
        return header == "1", capture.header("tdm-policy")[:500]
    if page.tdm.strip():
        return page.tdm.strip() == "1", page.tdm_policy[:500]
    return (of_host.is_reserved, of_host.policy) if of_host else (False, "")
