"""Whatever the filters, no paragraph of what is kept is lost to a page that is not."""

from itertools import permutations

import hypothesis
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from tests.pipeline.pages import Corpus, settings
from tests.store.samples import capture, later, write_shard

PARAGRAPHS = {
    "owls": "The owls came back to the church tower in the second week of June, when the "
    "scaffolding was gone at last, and the verger, who had missed them more than he "
    "would say, left the small window open every night until the young ones flew.",
    "bats": "Nobody minds the bats under the bridge except the man who washes his car there "
    "on Sundays, and even he has stopped complaining since his daughter wrote a "
    "report about them for school and got the best mark of her year.",
    "rats": "After the flood the bakery had rats in the flour store, so the owner borrowed "
    "two cats from a farm near the dam, fed them badly for a week, and told every "
    "customer who asked that this was an old method his grandmother had used.",
    "goats": "Seven goats crossed the motorway on Friday afternoon without any of them being "
    "hurt, which the traffic officer described as a miracle and the herdsman as "
    "ordinary, because the oldest of them always waits for a gap between the "
    "trucks.",
    "lynx": "It may have been a lynx or only a large dog, said the forester, but the prints "
    "beside the stream were deep and round, there was no collar on the picture from "
    "the camera, and two of his hens had not been seen since the snow melted.",
    "frogs": "Children counted more than four hundred frogs on the wet road below the quarry "
    "last spring and carried each one over in a bucket, while their teacher held up "
    "a red lamp and a bus driver waited with his engine off and laughed.",
}
WORDS = tuple(PARAGRAPHS)
# So short that they may go with copies beside them, or with the whole page.
SHORT = {
    "herd": "Nobody was hurt but two goats were killed.",
    "hens": "The hens are said to be well, and lay again.",
    "kites": "Seven red kites with long tails were seen above the abandoned mine near Springbok "
    "early on Tuesday morning.",
}
TEXTS = PARAGRAPHS | SHORT
DATED = '<meta property="article:published_time" content="{}T10:00:00Z">'


def page(name, *blocks, day="2020-05-04", links=False):
    shown = "".join(
        f'<h2><a href="/{word}">All about the {word} of the valley</a></h2>'
        f"<p>{PARAGRAPHS[word][:150]} ... <a href='/{word}'>Read more</a></p>"
        if links
        else f"<p>{' '.join(TEXTS[each] for each in word.split())}</p>"
        for word in blocks
    )
    body = f"<html><head>{DATED.format(day)}</head><body>{shown}</body></html>".encode()
    return capture(f"http://one.example/{name}", body)


# The print view and the front page are the oldest: by their dates they would own all.
PAGES = (
    page("", "owls", "bats", "goats", "lynx", day="2010-01-01", links=True),
    page("print-of-all-the-animals", *WORDS, day="2011-01-01"),
    page("the-night-animals-of-us", "owls", "bats"),
    page("the-day-animals-of-us", "goats", "rats", day="2020-06-01"),
    page("all-of-the-wet-animals", "frogs", "lynx", day="2020-07-01"),
    page("the-night-animals-again", "owls", "bats", day="2021-01-01"),
)
FILTERS = {
    "none": {},
    "long-pages-go": {"select": "maximum_words = 200"},
    "short-pages-go": {"select": "minimum_words = 150"},
    "all-types": {"select": "without_types = []"},
    "copies-stay": {"select": "maximum_words = 200", "dedup": 'documents = "keep"'},
}


@pytest.mark.parametrize("name", FILTERS)
@pytest.mark.parametrize("order", [0, 241, 719], ids=["front-first", "mixed", "front-last"])
def test_every_paragraph_of_what_is_kept_or_folded_can_be_searched(tmp_path, name, order):
    corpus, config = Corpus(tmp_path / "c"), settings(**FILTERS[name])
    pages = list(permutations(PAGES))[order]
    for number in (0, 1):
        some = [later(each, 10 * n) for n, each in enumerate(pages[number::2])]
        write_shard(corpus.layout, f"2026-11-15-000{number + 1}", some)

    corpus.build(config)

    assert not lost(corpus.documents(config).values())


def lost(found):
    """Return the paragraphs of kept documents and of copies that nobody can find."""
    searchable = "\n".join(each.text for each in found if each.verdict.is_kept)
    wanted = {
        paragraph.text
        for each in found
        if each.verdict.is_kept or each.is_folded
        for n, paragraph in enumerate(each.paragraphs)
        if paragraph.is_main or n in each.left_out
    }
    whole = {text for text in PARAGRAPHS.values() if any(text in each for each in wanted)}
    whole |= {text for each in found for text in _short_ones(each)}
    assert whole
    return [text[:60] for text in whole if text not in searchable]


def _short_ones(document):
    """Return what is short in a document and no mere rest, as which it may go."""
    rests = {block.paragraph for block in document.copied if block.method == "stub"}
    for n, paragraph in enumerate(document.paragraphs):
        is_text = paragraph.is_main or n in document.left_out
        if document.verdict.is_kept and is_text and n not in rests:
            yield from (text for text in SHORT.values() if text in paragraph.text)


# Some pages say a paragraph twice, or within a longer one.
DRAWN = st.lists(
    st.tuples(
        st.lists(
            st.sampled_from([*WORDS, *SHORT, *SHORT, "owls bats", "frogs owls"]),
            min_size=1,
            max_size=6,
        ),
        st.integers(1, 28),
        st.integers(0, 1),
    ),
    min_size=2,
    max_size=7,
)


@pytest.mark.slow
@given(DRAWN, st.sampled_from(sorted(FILTERS)))
@hypothesis.settings(max_examples=12, deadline=None)
def test_whatever_pages_share_nothing_is_lost(tmp_path_factory, drawn, name):
    corpus = Corpus(tmp_path_factory.mktemp("drawn") / "c")
    config = settings(**FILTERS[name])
    pages = [
        (shard, later(page(f"animals-of-us-{n}", *words, day=f"2020-05-{day:02d}"), 10 * n))
        for n, (words, day, shard) in enumerate(drawn)
    ]
    for number in (0, 1):
        if some := [each for shard, each in pages if shard == number]:
            write_shard(corpus.layout, f"2026-11-15-000{number + 1}", some)

    corpus.build(config)

    found = list(corpus.documents(config).values())
    assume(any(each.verdict.is_kept for each in found))
    assert not lost(found)


def test_a_copy_with_a_paragraph_of_its_own_stays_for_its_sake(tmp_path):
    # Five of six paragraphs are copies; the sixth was left out of the last page as its copy.
    corpus, config = Corpus(tmp_path / "c"), settings()
    pages = [
        page("first-of-the-animals", *WORDS[:5], day="2020-05-01"),
        page("second-of-the-animals", *WORDS, day="2020-05-02"),
        page("third-of-the-animals", WORDS[5], day="2020-05-03"),
    ]
    write_shard(corpus.layout, "2026-11-15-0001", [later(p, n) for n, p in enumerate(pages)])

    corpus.build(config)

    found = corpus.documents(config)
    assert found["second-of-the-animals"].verdict.is_kept
    assert not lost(found.values())


@pytest.mark.parametrize(
    ("first", "own", "alone"),
    [
        pytest.param(WORDS[:2], ("lynx", "frogs"), ("goats", "herd", "rats"), id="a-rest"),
        pytest.param(WORDS[:5], (), ("frogs", "kites", "hens"), id="of-a-folded-page"),
    ],
)
def test_what_went_with_copies_is_read_where_it_stands_alone(tmp_path, first, own, alone):
    corpus, config = Corpus(tmp_path / "c"), settings()
    pages = [
        page("first-of-the-animals", *first),
        page("second-of-the-animals", *first[:-1], alone[1], first[-1], *own, day="2020-05-05"),
        page("third-of-the-animals", *alone, day="2020-05-06"),
    ]
    write_shard(corpus.layout, "2026-11-15-0001", [later(p, n) for n, p in enumerate(pages)])

    corpus.build(config)

    found = corpus.documents(config)
    searchable = {name for name, each in found.items() if SHORT[alone[1]] in each.text}
    assert {name for name in searchable if found[name].verdict.is_kept} == {"third-of-the-animals"}
    assert not lost(found.values())


def test_a_listing_owns_nothing_whatever_its_date(tmp_path):
    corpus, config = Corpus(tmp_path / "c"), settings(select="maximum_words = 200")
    write_shard(corpus.layout, "2026-11-15-0001", [later(p, n) for n, p in enumerate(PAGES)])

    corpus.build(config)

    found = corpus.documents(config)
    assert found[""].verdict.reason == "page-type"
    assert found["print-of-all-the-animals"].verdict.reason == "too-long"
    assert [found[name].verdict.reason for name in ("the-night-animals-of-us",)] == [""]
    assert found["the-night-animals-again"].is_folded
