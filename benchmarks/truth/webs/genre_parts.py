"""What sites of many genres share: a host that is filled story by story, lines of verse, talk."""

from collections.abc import Callable, Sequence
from html import escape

from webs.portals import Portal, Story, head_of, others, paged, served, stories, whole
from webs.speakers import Speaker

# Returns what stands between the edges of a page, and what of it is the text.
Drawn = Callable[[Portal, Story, Sequence[Story]], tuple[str, Sequence[str]]]


def filled(
    host: str, voice: Speaker, count: int, name: str, form: str, frame: tuple[str, str],
    drawn: Drawn, *, head: Callable[[Story], str] = lambda story: "", paths: Sequence[str] = (),
    classes: str = "", card: str = "card", length: tuple[int, int] = (1, 3),
) -> Portal:  # fmt: skip
    """Return a host of stories of one genre: their pages, a front, sections, and pages that serve."""
    site = Portal(host, voice=voice)
    some = stories(voice, count, form, length=length)
    for at, each in enumerate(some):
        body, texts = drawn(site, each, others(some, at, 4))
        top, page = head_of(site, name, each, head(each)), f"{frame[0]}{body}{frame[1]}"
        site.story(each, whole(voice, top, page, classes), *texts)
        _forget(site.facts[site.url(each.path)], each, top + page, voice.said_on(each.day))
    for at, path in enumerate(paths):
        label = path.strip("/").rpartition("/")[2].title()
        paged(site, path, label, some[at :: len(paths)], frame, size=10, classes=card)
    paged(site, "/", name, some[:10], frame, size=99, classes=card)
    served(site, name, *frame)
    return site


def undated(site: Portal) -> Portal:
    """Return a host of whose texts nobody says when they were published and by whom."""
    for facts in site.facts.values():
        facts.pop("date", None)
        facts.pop("author", None)
    return site


def _forget(facts: dict[str, str], story: Story, page: str, day: str) -> None:
    """Ask for no writer and no day that a page does not tell."""
    if f">{story.author}<" not in page and f'"{story.author}"' not in page:
        facts.pop("author")
    if f"{story.day}" not in page and day not in page:
        facts.pop("date")


def lines_of(voice: Speaker, count: int, fewest: int = 4, most: int = 7) -> list[str]:
    """Return lines of verse: sentences broken after some words."""
    found: list[str] = []
    while len(found) < count:
        words = voice.sentence().split()
        while words:
            size = voice.chance.randint(fewest, most)
            found.append(" ".join(words[:size]))
            words = words[size:]
    return found[:count]


def stanzas(voice: Speaker, count: int, lines: int = 4) -> list[list[str]]:
    """Return stanzas of lines."""
    return [lines_of(voice, lines) for _ in range(count)]


def broken(lines: Sequence[str]) -> str:
    """Return lines parted by breaks."""
    return "<br>\n".join(map(escape, lines))


def paragraphs(texts: Sequence[str], classes: str = "") -> str:
    """Return texts as paragraphs with a class."""
    mark = f' class="{classes}"' if classes else ""
    return "".join(f"<p{mark}>{escape(text)}</p>" for text in texts)


def speech(voice: Speaker, count: int) -> list[tuple[str, str]]:
    """Return who says what, two or three in turn."""
    people = list(dict.fromkeys(voice.writer() for _ in range(4)))[:3]
    return [(people[at % len(people)], voice.paragraph(1, 2)) for at in range(count)]


def table(head: Sequence[str], rows: Sequence[Sequence[str]], classes: str = "") -> str:
    """Return a table."""
    top = "".join(f"<th>{escape(each)}</th>" for each in head)
    lines = "".join(
        f"<tr>{''.join(f'<td>{escape(each)}</td>' for each in row)}</tr>" for row in rows
    )
    return f'<table class="{classes}"><thead><tr>{top}</tr></thead><tbody>{lines}</tbody></table>'


def flat(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Return what a table says."""
    return "\n".join(" ".join(row) for row in (head, *rows))
