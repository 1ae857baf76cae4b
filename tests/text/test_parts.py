from izwi.model.capture import Hints
from izwi.model.document import Document, Mark, Paragraph, dropped
from izwi.text.extract.base import Extract, ExtractConfig, joined
from tests.text.pages import LONG, WHEN, page

FIRST = "http://a.example/rain"


def document(name, *lines, verdict=None, marks=()):
    paragraphs = tuple(Paragraph(line, marks=marks) for line in lines)
    made = Document(name, f"http://a.example/{name}", WHEN, "s", paragraphs=paragraphs)
    return made if verdict is None else Document(name, made.url, WHEN, "s", verdict=verdict)


def test_what_the_next_page_repeats_stands_once():
    first, second = joined(
        document("rain", "Rain", "It rained."),
        [(document("2", "Rain", "Then it stopped."), "next")],
    )

    assert first.text == "Rain\nIt rained.\nThen it stopped."
    assert (second.verdict.reason, second.verdict.detail) == ("part-of", FIRST)
    assert [claim.value for claim in first.metadata.claims] == ["http://a.example/2"]


def test_a_refrain_on_one_page_stays():
    (song,) = joined(document("rain", "O rain", "Fall", "O rain"), [])

    assert song.text == "O rain\nFall\nO rain"


def test_a_view_of_all_takes_the_place_of_the_pages():
    first, _ = joined(
        document("rain", "Rain", "It rained."),
        [(document("print", "Rain", "It rained.", "Then it stopped."), "whole")],
    )

    assert first.text == "Rain\nIt rained.\nThen it stopped."


def test_a_frame_of_links_is_no_text():
    menu = document("menu", "All about rain", marks=(Mark(0, 14, "a", "/x"),))
    text = document("text", "It rained.")

    first, left, right = joined(document("rain", "No frames?"), [(menu, "frame"), (text, "frame")])

    assert first.text == "It rained."
    assert (left.verdict.is_kept, right.verdict.reason) == (True, "part-of")


def test_a_part_without_text_changes_nothing():
    first, second = joined(
        document("rain", "It rained."),
        [(document("2", verdict=dropped("extract", "no-main-text")), "next")],
    )

    assert first.text == "It rained."
    assert second.verdict.reason == "no-main-text"


def extracted(*pages, **config):
    return list(Extract(ExtractConfig(**config))(iter(pages)))


def part(number, text, **hints):
    body = f"<p>{LONG}{text}</p>"
    url = FIRST if number == 1 else f"{FIRST}?page={number}"
    return page(body, url=url, hints=Hints(**hints))


def test_only_what_follows_its_page_at_once_is_joined():
    one, two = part(1, "One."), part(2, "Two.", part_of=FIRST, part_as="next")
    other = page(f"<p>{LONG}</p>", url="http://a.example/sun")

    found = extracted(one, two, other, two)

    assert [each.verdict.reason for each in found] == ["", "part-of", "", ""]


def test_a_source_that_wants_parts_apart_has_them_apart():
    pages = part(1, "One."), part(2, "Two.", part_of=FIRST, part_as="next")

    found = extracted(*pages, apart=("seeds",))

    assert [each.verdict.is_kept for each in found] == [True, True]
