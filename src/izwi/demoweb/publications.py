"""The six publications: their names, their addresses and what they say about themselves."""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Literal

FeedKind = Literal["rss", "atom"]


@dataclass(frozen=True, slots=True)
class Publication:
    """One web site; its design is the template folder of the same key.

    Paths are patterns for `str.format`: articles know slug, date, section, language and number,
    archives know date or n.
    """

    key: str
    name: str
    tagline: str
    place: str
    language: str
    article_path: str
    section_path: str
    archive_path: str
    feed_path: str
    feed_kind: FeedKind
    about: tuple[str, ...]
    contact: tuple[str, ...]
    feed_encoding: str = "utf-8"
    page_path: str | None = None
    page_size: int = 12
    month_path: str | None = None
    day_path: str | None = None
    private_path: str | None = None
    has_wrong_charsets: bool = False

    @property
    def host(self) -> str:
        """The host name under which the publication is served."""
        return f"{self.key}.example"

    @property
    def home(self) -> str:
        """The address of the home page."""
        return f"http://{self.host}/"

    def url(self, path: str) -> str:
        """Return the address of a path of this publication."""
        return self.home + path.removeprefix("/")


_KAROO = Publication(
    key="karoocourant",
    name="The Karoo Courant",
    tagline="The plain truth, every Thursday, since 1887",
    place="the Great Karoo",
    language="en",
    article_path="/{date:%Y}/{date:%m}/{slug}.html",
    section_path="/section/{section}.html",
    archive_path="/archive",
    page_path="/archive?page={n}",
    feed_path="/feed.xml",
    feed_kind="rss",
    about=(
        "The Karoo Courant is a weekly newspaper for the farms and dorps of the Great Karoo. It "
        "is owned by the families who started it and printed on a press older than the editor.",
        "We print wool prices, rainfall, rugby results and the minutes of every council meeting to "
        "which we are let in.",
    ),
    contact=(
        "Write to the editor at redaksie@karoocourant.example, or leave a note at the co-op.",
        "Advertisements and notices of death must reach us by noon on Tuesday.",
    ),
)

_UMGENI = Publication(
    key="umgeniherald",
    name="The Umgeni Herald",
    tagline="News from the Midlands to the mouth of the river",
    place="the uMngeni valley",
    language="en",
    article_path="/news/{slug}-{number}",
    section_path="/topics/{section}",
    archive_path="/archive/",
    month_path="/archive/{date:%Y}/{date:%m}/",
    day_path="/archive/{date:%Y}/{date:%m}/{date:%d}/",
    feed_path="/atom.xml",
    feed_kind="atom",
    private_path="/private/drafts",
    about=(
        "The Umgeni Herald reports daily on the towns along the river, its dams, its schools and "
        "its industries. We subscribe to a press code and correct our mistakes on page two.",
        "Our newsroom has nine reporters, two photographers and one kettle.",
    ),
    contact=(
        "News desk: news@umgeniherald.example. Subscriptions: paper@umgeniherald.example.",
        "Letters of more than three hundred words will be shortened without further notice.",
    ),
)

_BOLAND = Publication(
    key="bolandbode",
    name="Die Bolandse Bode",
    tagline="Jou streek, jou taal, jou koerant",
    place="die Boland",
    language="af",
    article_path="/artikels/{date:%Y}/{slug}",
    section_path="/rubriek/{section}",
    archive_path="/argief/1",
    page_path="/argief/{n}",
    feed_path="/rss.xml",
    feed_kind="rss",
    feed_encoding="windows-1252",
    has_wrong_charsets=True,
    about=(
        "Die Bolandse Bode verskyn elke Vrydag in die wynlanddorpe, en dié webwerf word bedags "
        "bygewerk sodra daar iets is om te sê.",
        "Ons glo dat ’n streekkoerant se eerste plig is om by die vergadering te wees.",
    ),
    contact=(
        "Skryf vir ons by nuus@bolandbode.example. Briewe sonder ’n naam word nie geplaas nie.",
        "Kleinadvertensies sluit Woensdae om twaalfuur.",
    ),
)

_EGOLI = Publication(
    key="egolipost",
    name="Egoli Evening Post",
    tagline="The city after five",
    place="Johannesburg",
    language="en",
    article_path="/{section}/{date:%Y-%m-%d}-{slug}",
    section_path="/{section}/",
    archive_path="/latest/page/1",
    page_path="/latest/page/{n}",
    page_size=20,
    feed_path="/rss/latest.xml",
    feed_kind="rss",
    about=(
        "Egoli Evening Post is the commuter’s newspaper: it goes on sale at the ranks at four in "
        "the afternoon and is read on the way home.",
        "The Post is part of Reef Evening Titles, which also owns two radio stations and a bakery.",
    ),
    contact=(
        "Got a story? Send it to tips@egolipost.example and tell us how we can reach you.",
        "Complaints about what we print go to the public editor, publiceditor@egolipost.example.",
    ),
)

_IZWI = Publication(
    key="izwilomphakathi",
    name="Izwi loMphakathi",
    tagline="The voice of the community",
    place="KwaZulu-Natal",
    language="en",
    article_path="/{language}/{slug}",
    section_path="/topic/{section}",
    archive_path="/izindaba",
    page_path="/izindaba?p={n}",
    feed_path="/atom",
    feed_kind="atom",
    about=(
        "Izwi loMphakathi is a free community paper in English and isiZulu, written by people who "
        "live where the news happens and handed out at taxi ranks, clinics and churches.",
        "Leli phephandaba ngelomphakathi. Lishicilelwa mahhala ngesiNgisi nangesiZulu.",
    ),
    contact=(
        "Thumela indaba yakho ku-izwi@izwilomphakathi.example.",
        "Send your story, your notice or your picture to izwi@izwilomphakathi.example.",
    ),
)

_BRAAI = Publication(
    key="braaiandbakkie",
    name="Braai & Bakkie",
    tagline="Meat, dust and diesel",
    place="somewhere off the N1",
    language="en",
    article_path="/{date:%Y}/{date:%m}/{date:%d}/{slug}/",
    section_path="/category/{section}/",
    archive_path="/archives/",
    page_path="/page/{n}/",
    page_size=10,
    month_path="/{date:%Y}/{date:%m}/",
    feed_path="/feed/",
    feed_kind="rss",
    about=(
        "This is a blog about cooking outside and driving to where one can. It started as an "
        "e-mail to six mates and got out of hand.",
        "Nobody pays us to like a bakkie. If somebody lends us one, we say so.",
    ),
    contact=(
        "Mail boet@braaiandbakkie.example. We read everything and answer after the weekend.",
        "No, we will not publish your press release about gas braais.",
    ),
)

PUBLICATIONS: Mapping[str, Publication] = MappingProxyType(
    {each.key: each for each in (_KAROO, _UMGENI, _BOLAND, _EGOLI, _IZWI, _BRAAI)}
)
