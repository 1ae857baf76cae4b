import random
import time
from dataclasses import replace

import pytest

from izwi.dedup.batch import NgramReading, read_batch
from izwi.dedup.judge import _ends_sentence
from izwi.dedup.notices import Rival, new_facts
from tests.dedup.worlds import World, document

CUT = (
    "The municipality of Rooiberg informs residents that the water will be cut on {} in {} from"
    " {} for repairs to the main pipe. Please store enough water before that time and keep taps"
    " closed."
)
REGRET = "We regret any inconvenience and thank all residents of the town for their patience."
DEATH = (
    "It is with deep sadness that the family announces the passing of {} on {}, aged {}. The"
    " funeral service will be held at the {} on {} and the burial will follow at the cemetery."
    " The family thanks all friends who have sent their wishes in these difficult days."
)
WEATHER = (
    "Isimo sezulu {}: kulindeleke ukuthi izulu libe {} kanti izinga lokushisa lizoba phakathi"
    " kuka-{} no-{}. Umoya uzovunguza kancane emini bese kuthi ebusuku izulu licwathe."
)
STORY = (
    "A taxi owner from {town} said on Tuesday that the new rank would never be finished, because"
    " nobody had asked the drivers where the passengers come from or how they get home at night."
    " Councillor Sibusiso Dlamini answered that 14 meetings had been held since March 2019 and"
    " that the engineers of Rooiberg had listened to everybody. The rank will cost R3 million."
)


def decided(folder, *documents):
    world = World(folder)
    world.put({"shard": documents})
    return world.decisions


@pytest.mark.parametrize(
    ("pattern", "one", "other"),
    [
        (CUT, ("12 May", "ward 7", "08:00 to 16:00"), ("19 May", "ward 9", "09:00 to 16:00")),
        (CUT, ("12 May", "Extension Four", "08:00"), ("12 May", "Blikkiesdorp West", "08:00")),
        (
            DEATH,
            ("Johanna Botha", "3 May 2020", 81, "Dutch Reformed Church", "9 May at 10:00"),
            ("Themba Mahlangu", "7 June 2021", 64, "Methodist Church", "12 June at 11:00"),
        ),
        (WEATHER, ("eThekwini", "libalele", 12, 24), ("eGoli", "namafu", 7, 19)),
    ],
)  # fmt: skip
def test_a_notice_with_other_facts_is_no_copy(tmp_path, pattern, one, other):
    first = document("first", [pattern.format(*one), REGRET], day=3, site="Herald")
    second = document("second", [pattern.format(*other), REGRET], day=4, site="Courant")
    copy, blocks, originals = decided(tmp_path, first, second)["second"]
    assert copy is None
    # What both say word for word is searched once, and where it comes from is known.
    assert [(block.paragraph, block.method) for block in blocks] == [(1, "exact")]
    assert [each.document for each in originals] == ["first"]


def test_the_same_publisher_saying_it_again_for_another_day_needs_one_new_fact(tmp_path):
    told = ("ward 7", "08:00 to 16:00")
    first = document("first", [CUT.format("12 May", *told)], day=3, site="Rooiberg")
    again = document("again", [CUT.format("26 May", *told)], day=17, site="Rooiberg")
    other = document("other", [CUT.format("27 May", *told)], day=17, site="Elsewhere")
    found = decided(tmp_path, first, again, other)
    assert found["again"][0] is None
    assert found["other"][0] is not None


@pytest.mark.parametrize(
    ("precision", "day", "is_copy"),
    [("day", 40, False), ("month", 31, True), ("year", 31, True), ("month", 61, False)],
)
def test_a_notice_dated_by_its_month_is_of_another_day_only_in_another_month(
    tmp_path, precision, day, is_copy
):
    body = CUT.format("12 May", "ward 7", "{}")
    first = document("first", [body.format("08:00"), REGRET], day=35, site="Herald")
    again = document(
        "again", [body.format("09:00"), REGRET], day=day, site="Herald", precision=precision
    )

    assert (decided(tmp_path, first, again)["again"][0] is not None) is is_copy


def test_undated_pages_of_several_sites_that_differ_in_names_and_numbers_stay_copies(tmp_path):
    ways = "Write to the editors of {} at PO Box {} or call us during office hours on any weekday."
    pages = [("Springs Herald", 114), ("Nigel Courant", 2031), ("Springs Herald", 77)]
    found = decided(
        tmp_path,
        *(document(f"d{n}", [ways.format(*page)], site=page[0]) for n, page in enumerate(pages)),
    )
    assert sorted(copy is None for copy, _, _ in found.values()) == [False, False, True]


def test_a_page_made_for_every_town_stays_a_copy(tmp_path):
    pages = [" ".join([STORY.format(town=town)] * 2) for town in ("Springs", "Boksburg")]
    first, second = (document(f"d{n}", [page], day=n + 1, site=f"{n}")
                     for n, page in enumerate(pages))  # fmt: skip
    assert decided(tmp_path, first, second)["d1"][0] is not None


@pytest.mark.parametrize("share", [0.05, 0.1, 0.15])
def test_an_edited_story_stays_a_copy(tmp_path, share):
    chance = random.Random(7)
    words = " ".join(STORY.format(town=town) for town in ("Springs", "Nigel")).split()
    edited = [f"changed{n}" if chance.random() < share else word for n, word in enumerate(words)]
    # The words put in their place are no numbers.
    edited = ["".join(filter(str.isalpha, w)) if w.startswith("changed") else w for w in edited]
    first = document("first", [" ".join(words)], day=1, site="Post")
    second = document("second", [" ".join(edited)], day=9, site="Post")
    assert decided(tmp_path, first, second)["second"][0] is not None


def test_a_copy_of_a_later_notice_is_a_copy_though_an_earlier_one_owns_the_pattern(tmp_path):
    facts = [("12 May", "ward 7", "08:00 to 16:00"), ("19 June", "ward 9", "09:00 to 17:00")]
    earlier, later = (document(f"n{n}", [CUT.format(*each)], day=n + 1, site=f"{n}")
                      for n, each in enumerate(facts))  # fmt: skip
    copy = document("copy", [CUT.format(*facts[1]), "Read more on our site."], day=9)
    found = decided(tmp_path, earlier, later, copy)
    assert found["n1"][0] is None
    assert found["copy"][0] is not None


def rival(text):
    return Rival(read_batch([[text]], NgramReading()).grams)


def test_capitals_tell_no_names_where_nearly_all_words_have_them():
    one = "The Council Of Rooiberg Will Meet To Speak About Roads And Dams In The Town Hall Again"
    one += " And Again"
    other = one.replace("Roads", "Parks").replace("Town", "City")
    assert not new_facts([other], [rival(one)], NgramReading())
    other = one.lower().replace("roads", "Springs").replace("town", "Nigel")
    assert new_facts([other], [rival(one)], NgramReading()) == {0}


def test_only_paragraphs_with_something_new_are_given():
    old = [CUT.format("12 May", "ward 7", "08:00"), REGRET]
    new = [CUT.format("19 May", "ward 9", "08:00"), REGRET]
    held = Rival(read_batch([old], NgramReading()).grams)
    assert new_facts(new, [held], NgramReading()) == {0}
    # Somebody else has the pattern of the first paragraph with these facts.
    assert not new_facts(new, [held, rival(new[0])], NgramReading())


COOKIES = (
    "We use cookies to give you the best of what we write here. By continuing to read you agree to"
    " our use of cookies, here and on the pages of our partners."
)


@pytest.mark.parametrize(
    ("site", "paragraphs", "is_kept"),
    [
        ("Jottings", ["The dam at the old farm is full.", COOKIES], True),
        ("Jottings", ["昨日の試合は雨のため中止になりました。", COOKIES], True),
        ("Jottings", ["Posted by Thandi in Notes", COOKIES], False),
        ("Jottings", [COOKIES, "The dam at the old farm is full."], True),
        ("Elsewhere", ["The dam at the old farm is full.", COOKIES], True),
        ("Elsewhere", [COOKIES, "The dam at the old farm is full."], False),
    ],
    ids=["sentence", "unspaced", "no sentence", "below", "another site", "below another site's"],
)
def test_a_note_beside_what_sites_always_say_is_no_copy(tmp_path, site, paragraphs, is_kept):
    first = document("first", ["It rains, and nobody came.", COOKIES], day=3, site="Jottings")
    note = document("note", paragraphs, day=4, site=site)

    copy, blocks, _ = decided(tmp_path, first, note)["note"]

    own = next(place for place, each in enumerate(paragraphs) if each != COOKIES)
    assert (copy is None) is is_kept
    assert own not in {block.paragraph for block in blocks}


@pytest.mark.parametrize(("kind", "is_kept"), [("h", True), ("p", False)])
def test_what_a_word_means_below_its_heading_needs_no_full_stop(tmp_path, kind, is_kept):
    texts = ["kelom", "v. to give back what was lent", COOKIES]
    entry = document("entry", texts, day=4, site="Words")
    heading = replace(entry.paragraphs[0], kind=kind, is_main=False)
    entry = replace(entry, paragraphs=(heading, *entry.paragraphs[1:]))
    first = document("first", ["It rains, and nobody came.", COOKIES], day=3, site="Words")

    assert (decided(tmp_path, first, entry)["entry"][0] is None) is is_kept


@pytest.mark.parametrize(
    ("text", "is_sentence"),
    [
        ("It rains, and nobody came.", True),
        ("“It rains, and nobody came.”", True),
        ("It rains, and nobody came", False),
        ("Nobody came.", False),
        ("雨が降っていて誰も来なかった。", True),
        ("雨が降る", False),
    ],
)  # fmt: skip
def test_a_sentence_has_words_or_letters_enough(text, is_sentence):
    assert _ends_sentence(text) == is_sentence


@pytest.mark.parametrize("text", ["x" * 10**6, "ก" * 10**6 + " x", "a b c d " + "." * 10**6 + "x"])
def test_a_word_of_a_million_letters_is_read_once(text):
    begun = time.process_time()

    assert not _ends_sentence(text)
    assert time.process_time() - begun < 5
