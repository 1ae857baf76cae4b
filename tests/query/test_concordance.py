from collections import Counter
from dataclasses import replace
from datetime import date

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from izwi.index.tallies import years_of
from izwi.model.errors import QueryError
from izwi.model.reading import SORTS
from izwi.model.results import YearCount
from izwi.query.concordance import Filter, View, concordance, hit_id
from izwi.query.simple import phrase_query
from tests.index.corpora import (
    DATES,
    WORDS,
    copy,
    corpora,
    document,
    on_disk,
    partitions,
)
from tests.query.brute import KEYS, passes, search

PHRASES = st.lists(st.sampled_from(WORDS), min_size=1, max_size=2)
ALL = View(size=1000)
DAYS = st.sampled_from([*DATES, date(2014, 6, 1), date(2030, 1, 1)])


def _filter(first, last, sources):
    """Return a filter whose dates are in order: others are refused."""
    is_reversed = first and last and first > last
    since, until = (last, first) if is_reversed else (first, last)
    return Filter(since=since, until=until, sources=sources)


FILTERS = st.builds(
    _filter,
    first=DAYS,
    last=DAYS,
    sources=st.sampled_from([(), ("courant",), ("Herald", "zebra"), ("nowhere",)]),
)


def asked(segments, phrase, *, view=ALL, chosen=None, is_exact_case=False):
    query = phrase_query(phrase, ("word", "lc"), is_exact_case=is_exact_case)
    return concordance(
        segments, query, text=" ".join(phrase), tokens=phrase, snapshot=1,
        chosen=chosen or Filter(), view=view,
    )  # fmt: skip


def ids(hits):
    return [hit_id(hit.document.id, hit.offset, hit.match) for hit in hits]


@settings(max_examples=80)
@given(st.data(), corpora(), PHRASES, st.booleans(), FILTERS)
def test_counts_are_those_of_a_linear_search(data, documents, phrase, is_exact_case, chosen):
    parts = data.draw(partitions(documents))
    passing = [each for each in documents if passes(each, chosen)]
    tokens = sum(len(each.annotation.words) for each in passing)

    with on_disk(*parts) as segments:
        found = asked(segments, phrase, chosen=chosen, is_exact_case=is_exact_case)

    hits = search(passing, phrase, is_exact_case=is_exact_case)
    assert sorted(line.id for line in found) == sorted(ids(hits))
    assert found.hits == len(found) == len(hits)
    assert found.documents == len({hit.document.id for hit in hits})
    assert found.sources == len({hit.document.source for hit in hits})
    assert found.corpus_tokens == tokens
    assert found.per_million == (pytest.approx(1e6 * len(hits) / tokens) if tokens else 0.0)


@settings(max_examples=60)
@given(st.data(), corpora(), PHRASES, st.integers(0, 4))
def test_lines_show_the_hits_in_their_context(data, documents, phrase, context):
    parts = data.draw(partitions(documents))
    hits = {name: hit for hit in search(documents, phrase, is_exact_case=False)
            for name in ids([hit])}  # fmt: skip

    with on_disk(*parts) as segments:
        found = asked(segments, phrase, view=View(size=1000, context=context))

    for line in found:
        hit = hits[line.id]
        assert (line.left, line.match) == (hit.left(context), hit.match)
        assert line.right.rstrip() == hit.right(context).rstrip()
        assert line.document.id == hit.document.id


@pytest.mark.parametrize("sort", KEYS)
@settings(max_examples=40)
@given(data=st.data(), documents=corpora(), phrase=PHRASES)
def test_lines_are_sorted_as_python_sorts_their_keys(sort, data, documents, phrase):
    parts = data.draw(partitions(documents))
    hits = search(documents, phrase, is_exact_case=False)

    with on_disk(*parts) as segments:
        found = asked(segments, phrase, view=View(sort, size=1000))

    assert [line.id for line in found] == ids(sorted(hits, key=KEYS[sort]))


@settings(max_examples=60)
@given(
    data=st.data(),
    documents=corpora(),
    phrase=PHRASES,
    keys=st.lists(st.sampled_from(sorted(KEYS)), min_size=2, max_size=3),
    most=st.integers(1, 6),
)
def test_lines_are_sorted_by_several_keys(data, documents, phrase, keys, most):
    parts = data.draw(partitions(documents))
    hits = search(documents, phrase, is_exact_case=False)

    with on_disk(*parts) as segments:
        found = asked(segments, phrase, view=View(",".join(keys), size=most))

    wanted = sorted(hits, key=lambda hit: [KEYS[key](hit) for key in keys])
    assert [line.id for line in found] == ids(wanted[:most])


@settings(max_examples=40)
@given(
    st.data(),
    corpora(),
    PHRASES,
    st.sampled_from(SORTS),
    st.integers(1, 4),
)
def test_pages_together_hold_every_line_once(data, documents, phrase, sort, size):
    parts = data.draw(partitions(documents))

    with on_disk(*parts) as segments:
        whole = asked(segments, phrase, view=View(sort, size=1000))
        first = asked(segments, phrase, view=View(sort, size=size))
        pages = [
            asked(segments, phrase, view=View(sort, page=page, size=size))
            for page in range(1, first.pages + 1)
        ]

    assert [line for page in pages for line in page] == list(whole.lines)
    assert first.pages == max(1, -(-whole.hits // size))
    assert all(len(page) == size for page in pages[:-1])
    assert [page.page for page in pages] == list(range(1, first.pages + 1))


@settings(max_examples=30)
@given(st.data(), corpora(), PHRASES)
def test_a_hit_keeps_its_name_when_documents_move_to_other_segments(data, documents, phrase):
    before, after = data.draw(partitions(documents)), data.draw(partitions(documents[::-1]))

    with on_disk(*before) as segments:
        names = [line.id for line in asked(segments, phrase)]
    with on_disk(*after) as segments:
        moved = [line.id for line in asked(segments, phrase)]

    assert len(set(names)) == len(names)
    assert sorted(moved) == sorted(names)


@settings(max_examples=40)
@given(st.data(), corpora(), PHRASES, FILTERS)
def test_years_count_hits_and_tokens_of_dated_documents(data, documents, phrase, chosen):
    parts = data.draw(partitions(documents))
    dated = [each for each in documents if each.metadata.date and passes(each, chosen)]
    hits = Counter(
        hit.document.metadata.date.value.year for hit in search(dated, phrase, is_exact_case=False)
    )
    tokens = Counter()
    for each in dated:
        tokens[each.metadata.date.value.year] += len(each.annotation.words)

    with on_disk(*parts) as segments:
        found = asked(segments, phrase, chosen=chosen)

    assert found.years == tuple(
        YearCount(year, hits[year], tokens[year]) for year in sorted(tokens)
    )


@settings(max_examples=30)
@given(st.data(), corpora())
def test_the_years_of_a_corpus_count_its_documents(data, documents):
    documents = [each for each in documents if each.annotation.words]
    assume(documents)
    parts = data.draw(partitions(documents))
    counts = Counter(each.metadata.date.value.year for each in documents if each.metadata.date)

    with on_disk(*parts) as segments:
        found = years_of(segments)

    assert {year.year: year.hits for year in found} == dict(counts)


ROBOTS = [
    document("a", "The robots are out", when=date(2014, 3, 1), source="herald"),
    document("b", "Our robots work", when=date(2019, 3, 1), source="courant"),
    document("c", "No robots here", source="herald"),
]


@pytest.mark.parametrize(
    ("chosen", "names"),
    [
        pytest.param(Filter(), ["a", "b", "c"], id="none"),
        pytest.param(Filter(since=date(2014, 3, 2)), ["b"], id="since"),
        pytest.param(Filter(since=date(2014, 3, 1)), ["a", "b"], id="since-that-day"),
        pytest.param(Filter(until=date(2014, 3, 1)), ["a"], id="until-that-day"),
        pytest.param(Filter(until=date(2014, 2, 28)), [], id="until"),
        pytest.param(Filter(date(2014, 3, 1), date(2019, 3, 1)), ["a", "b"], id="both"),
        pytest.param(Filter(sources=("herald",)), ["a", "c"], id="source"),
        pytest.param(Filter(sources=("courant", "herald")), ["a", "b", "c"], id="sources"),
        pytest.param(Filter(since=date(2015, 1, 1), sources=("herald",)), [], id="date-and-source"),
    ],
)
def test_filters_leave_out_documents(chosen, names):
    with on_disk(ROBOTS) as segments:
        found = asked(segments, ["robots"], chosen=chosen)

    assert [line.document.id for line in found] == names


def test_frequencies_are_relative_to_the_documents_that_pass():
    with on_disk(ROBOTS) as segments:
        whole = asked(segments, ["robots"])
        part = asked(segments, ["robots"], chosen=Filter(sources=("courant",)))

    assert (whole.corpus_tokens, whole.per_million) == (10, 300_000)
    assert (part.corpus_tokens, part.per_million) == (3, pytest.approx(1e6 / 3))


def test_a_line_reads_as_the_text_does():
    with on_disk([document("a", "Ja-nee, the robots (all of them) are out.")]) as segments:
        (line,) = asked(segments, ["all", "of"], view=View(context=3))

    assert (line.left, line.match, line.right) == ("the robots (", "all of", " them) are")


def test_context_stops_at_the_document():
    parts = [document("a", "one two"), document("b", "robots"), document("c", "three")]

    with on_disk(parts) as segments:
        (line,) = asked(segments, ["robots"])

    assert (line.left, line.match, line.right.strip()) == ("", "robots", "")


def test_random_order_is_repeated_by_its_seed_and_changed_by_another():
    text = document("a", "now " * 50)

    with on_disk([text]) as segments:
        orders = [
            [line.id for line in asked(segments, ["now"], view=View("random", seed, size=1000))]
            for seed in (1, 1, 2)
        ]

    assert orders[0] == orders[1]
    assert orders[0] != orders[2]
    assert sorted(orders[0]) == sorted(orders[2])


def test_undated_documents_come_last_in_both_directions():
    documents = [ROBOTS[2], ROBOTS[0], ROBOTS[1]]

    with on_disk(documents) as segments:
        oldest, newest = (
            [line.document.id for line in asked(segments, ["robots"], view=View(sort))]
            for sort in ("date", "newest")
        )

    assert (oldest, newest) == (["a", "b", "c"], ["b", "a", "c"])


def test_copies_are_counted_for_their_owner_in_whatever_segment_they_are():
    first = [*ROBOTS, copy("x", owner="a")]
    second = [copy("y", owner="a"), copy("z", owner="c")]

    with on_disk(first, second) as segments:
        found = asked(segments, ["robots"])

    assert {line.document.id: line.document.copies for line in found} == {"a": 2, "b": 0, "c": 1}


def test_what_is_not_found_is_an_answer_too():
    with on_disk(ROBOTS) as segments:
        found = asked(segments, ["taxi"])

    assert (found.hits, found.documents, found.sources, found.per_million) == (0, 0, 0, 0.0)
    assert (found.pages, found.lines) == (1, ())
    assert [year.hits for year in found.years] == [0, 0]


@pytest.mark.parametrize("sort", SORTS)
@pytest.mark.parametrize("parts", [[], [[]], [[], ROBOTS, []]], ids=["none", "empty", "among"])
def test_empty_segments_are_no_hindrance(sort, parts):
    with on_disk(*parts) as segments:
        found = asked(segments, ["robots"], view=View(sort))

    assert found.hits == sum(map(len, parts))


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"sort": "colour"}, "cannot be sorted by 'colour'; choose one of date, newest, left"),
        ({"page": 0}, "counted from 1, so there is no page 0"),
        ({"page": -3}, "no page -3"),
        ({"size": 0}, "A page has 1 to 1000 lines, not 0"),
        ({"size": 1001}, "A page has 1 to 1000 lines, not 1001"),
        ({"context": -1}, "The context has 0 to 100 tokens, not -1"),
        ({"context": 101}, "The context has 0 to 100 tokens, not 101"),
    ],
    ids=lambda value: "-".join(map(str, *value.items())) if isinstance(value, dict) else "",
)
def test_a_view_that_makes_no_sense_is_refused(fields, words):
    with pytest.raises(QueryError, match=words):
        View(**fields)


def test_a_page_after_the_last_is_refused():
    with (
        on_disk(ROBOTS) as segments,
        pytest.raises(QueryError, match=r"There is no page 3: the 3 lines fill only 2\."),
    ):
        asked(segments, ["robots"], view=View(page=3, size=2))


def test_the_answer_repeats_the_question():
    with on_disk(ROBOTS) as segments:
        found = asked(segments, ["robots"], view=View("left", page=2, size=2))

    assert (found.query, found.tokens, found.snapshot) == ("robots", ("robots",), 1)
    assert (found.sort, found.page, found.pages, found.size) == ("left", 2, 2, 2)


def test_a_hit_is_named_by_its_document_its_place_and_its_words():
    with on_disk([document("a", "Ja. The robots")]) as segments:
        (line,) = asked(segments, ["robots"])

    assert line.id == hit_id("a", 8, "robots") == "a.8.1d70c631"


def test_neighbours_are_sorted_whatever_their_case():
    text = document("a", "b x é x A x ß x ba x a x B")

    with on_disk([text]) as segments:
        found = asked(segments, ["x"], view=View("right", context=1))

    assert [line.right.strip() for line in found] == ["a", "A", "B", "ba", "ß", "é"]


@pytest.mark.parametrize(
    ("sort", "texts"),
    [
        ("left", ["c a a x", "a b a x", "b a a x", "a a b x"]),
        ("right", ["x a a c", "x a b a", "x a a b", "x b a a"]),
    ],
)
def test_three_neighbours_decide_the_nearest_first(sort, texts):
    documents = [document(f"d{number}", text) for number, text in enumerate(texts)]

    with on_disk(documents) as segments:
        found = asked(segments, ["x"], view=View(sort))

    assert [line.document.id for line in found] == ["d2", "d0", "d1", "d3"]


def test_sources_are_counted_once_across_segments():
    halves = [[replace(each, id=f"{each.id}{half}") for each in ROBOTS] for half in (1, 2)]

    with on_disk(*halves) as segments:
        found = asked(segments, ["robots"])

    assert (found.hits, found.documents, found.sources) == (6, 6, 2)


@settings(max_examples=30)
@given(st.data(), corpora(), PHRASES)
def test_tokens_of_a_line_are_its_text_with_the_values_asked_for(data, documents, phrase):
    view = data.draw(st.sampled_from([ALL, replace(ALL, unit="characters", context=9)]))
    with on_disk(*data.draw(partitions(documents))) as segments:
        found = asked(segments, phrase, view=replace(view, show=("lc", "word")))

    for line in found:
        spaced = [f"{each.text} " if each.has_space else each.text for each in line.tokens]
        assert "".join(spaced).rstrip() == f"{line.left}{line.match}{line.right}".rstrip()
        assert [each.values for each in line.tokens] == [
            (each.text.lower(), each.text) for each in line.tokens
        ]
        inner = [text for text, each in zip(spaced, line.tokens, strict=True) if each.is_match]
        assert "".join(inner).rstrip() == line.match


def test_values_of_an_unknown_attribute_are_refused():
    with (
        on_disk([document("0123456789ab-0", "Ag shame man")]) as segments,
        pytest.raises(QueryError, match="There is no attribute 'colour'"),
    ):
        asked(segments, ["shame"], view=replace(ALL, show=("colour",)))
