"""What a page's owner says may be done with it: recorded with each capture, and respected."""

from collections.abc import Collection
from dataclasses import dataclass

from izwi.gather.links import Reading
from izwi.model.capture import Capture
from izwi.model.document import Verdict, dropped

STAGE = "fetch"
NOTHING = Reading(())


@dataclass(frozen=True, slots=True)
class Rights:
    """The signals of one capture: words of robots rules, a reservation, a licence link."""

    words: tuple[str, ...] = ()
    licence: str = ""

    def __str__(self) -> str:
        licence = (f"license={self.licence}",) if self.licence else ()
        return "; ".join((*self.words, *licence))

    @property
    def may_follow(self) -> bool:
        """Whether the links of the page may be followed."""
        return "nofollow" not in self.words and "none" not in self.words

    def refusal(self, respected: Collection[str]) -> Verdict | None:
        """Return why the page is not kept, None if it may be."""
        words = {*self.words, *(("noindex", "nofollow") if "none" in self.words else ())}
        word = next((word for word in sorted(words) if word in respected), "")
        return dropped(STAGE, word, detail=str(self)) if word else None


def rights_of(capture: Capture, reading: Reading = NOTHING) -> Rights:
    """Return what header and page say; of a reservation the header wins, as TDMRep asks."""
    tagged = ",".join(
        value.lower() for name, value in capture.headers if name.lower() == "x-robots-tag"
    )
    said = {word.strip() for word in f"{tagged},{reading.robots}".split(",")}
    words = said & {"noindex", "nofollow", "noarchive", "none", "noai", "nosnippet"}
    reserved = capture.header("tdm-reservation") or reading.tdm
    if reserved.strip() == "1":
        words.add("tdm-reservation")
    return Rights(tuple(sorted(words)), reading.licence)
