"""Connected text: sentences pass, lists fail."""

import math

import pytest

from izwi.text.connected import (
    Share,
    connectedness,
    dump_profiles,
    load_profiles,
    measure,
    shipped_profiles,
    shipped_weights,
    shortfalls,
    source_connectedness,
    train_profile,
)

STORY = (
    "The old woman walked to the market with her basket, because the bus had not come. "
    "She met a man who asked her for the way to the station, and she told him that it was "
    "far. He thanked her and went on, but after a while he came back and said that he was "
    "lost. So they sat down under a tree and waited for the rain to stop. In the evening "
    "the son of the woman came with his car and took both of them to the town, where they "
    "had a cup of tea and spoke about the days when they were young."
)
TAGS = (
    " ".join(
        f"{a}{b}"
        for a in ("travel", "music", "sport", "garden")
        for b in ("", "s", "ing", "er", "less")
    )
    * 3
)
NAMES = "\n".join(
    f"{first} {last}"
    for first in ("Anna", "Pieter", "Thandi")
    for last in ("Botha", "Nkosi", "Smith", "Mokoena", "Dlamini", "Naidoo", "Venter", "Khumalo")
)
GOODS = "\n".join(
    f"{name} {size} R{price}.99"
    for name in ("Garden chair", "Braai grid", "Torch", "Kettle", "Blue jug", "Rake", "Wool rug")
    for size, price in (("small", 49), ("large", 99), ("with lid", 149), ("set of four", 299))
)
SONGS = "\n".join(
    f"{number}\t{first} {second}\t{number % 5}:{10 + number}"
    for number, (first, second) in enumerate(
        (a, b) for a in ("Blue", "River", "Golden", "Silent") for b in ("Road", "Rain", "Heart")
    )
)
REFRAIN = "Oh the river runs down to the sea, and it will not come back for me. " * 12
VERSE = """When the rain came
over the hills again
my mother took down
the washing from the line
and we ran out barefoot
to dance in the mud
although she had told us
that we must stay inside
because the night was cold
and the wood was wet
so there was no fire
for the soup or the tea
and nobody knew when
my father would be back
from the mine in the north
with the money for the school"""
IN_ISIZULU = """Ngikhumbula ekhaya kithi
lapho kukhona umfula
umama wayesho njalo
ukuthi ngingakhohlwa yini
lapho ngivela khona
abantwana bayadlala
ngaphandle kwendlu yethu
kodwa ubaba akekho
useye eGoli kude
ukuyosebenza emayini
sizomlinda futhi
uma kufika ihlobo
ngoba wathembisa ukuthi
uzobuya nezipho zethu"""
REPORT = "\n".join((
    *(f"{town} {club}\n{3 * at}" for at, (town, club) in enumerate(
        (a, b) for a in ("Bergsig", "Noordhoek", "Vaalwater", "Klipdam", "Rietvlei")
        for b in ("United", "Rovers", "City", "Town", "Rangers", "Stars")
    )),
    "The match was decided in the last minute, when the goalkeeper came out of his area to "
    "help the attack and lost the ball in the middle of the field.",
    "Before that there had been little to see, because the wind was so strong that nobody "
    "could play a long pass, and the referee stopped the game three times.",
    "The coach said that he was proud of his team, although they have now lost four matches "
    "in a row and will have to win the next one at home.",
))  # fmt: skip
MENU = "Home\nAbout\nContact\nLogin\nNews\nSport\n" * 9


@pytest.mark.parametrize(
    "text",
    [
        pytest.param(TAGS, id="tag-cloud"),
        pytest.param(", ".join(sorted(set(TAGS.split()))), id="alphabetical"),
        pytest.param(NAMES, id="names"),
        pytest.param(GOODS, id="products"),
        pytest.param(SONGS, id="song-table"),
        pytest.param(REFRAIN, id="repeated-sentence"),
        pytest.param(MENU, id="menu"),
    ],
)
def test_lists_are_not_connected(text):
    assert not connectedness(text, shipped_profiles()["eng"]).is_connected


def test_a_story_is_connected():
    assert connectedness(STORY, shipped_profiles()["eng"]).is_connected


@pytest.mark.parametrize(
    ("text", "language"),
    [
        pytest.param(VERSE, "eng", id="no marks at all"),
        pytest.param(
            "\n".join(line.capitalize() for line in VERSE.splitlines()),
            "eng",
            id="no marks, capitals begin lines",
        ),
        pytest.param(
            IN_ISIZULU.replace(",", "").replace(".", ""), "zul", id="long words, so few in a line"
        ),
        pytest.param(REPORT, "eng", id="a report below a table"),
    ],
)
def test_verse_and_prose_beside_tables_are_connected(text, language):
    assert connectedness(text, shipped_profiles()[language]).is_connected


def test_small_letters_say_nothing_of_a_script_that_has_none():
    profile = shipped_profiles()["heb"]

    short = shortfalls(measure("הילד הלך אל הנהר כדי לשחות במים הקרים עם אחיו"), profile)

    assert "lower-case" not in short


def test_a_story_under_headings_is_connected():
    parts = STORY.split(". ")
    text = "\n".join(["In the market", *(f"{part}." for part in parts[:3]), "Later", *parts[3:]])

    assert connectedness(text, shipped_profiles()["eng"]).is_connected


def test_the_measure_of_the_source_has_its_fixed_threshold():
    found = source_connectedness(TAGS, shipped_profiles()["eng"])

    assert found.threshold == 10
    assert not found.is_connected


def test_a_sentence_said_again_counts_once():
    assert measure("So it goes. " * 20).size == 3


def test_a_shortfall_is_the_part_of_the_mean_that_is_lacking():
    share = Share(0.05, 0.0001)

    assert [share.shortfall(value) for value in (0.0, 0.04, 0.05, 0.5)] == [1.0, 0.2, 0.0, 0.0]


def test_a_text_of_one_long_sentence_is_connected():
    text = STORY.replace(". ", " and then ")

    found = connectedness(text, shipped_profiles()["eng"])

    assert found.is_connected
    assert found.short == "ends"


@pytest.mark.parametrize(("text", "short"), [(NAMES, "in lines"), (REFRAIN, "said anew")])
def test_what_a_text_is_short_of_is_named(text, short):
    assert connectedness(text, shipped_profiles()["eng"]).short == short


def test_profiles_survive_being_written_and_read():
    made = train_profile("eng", [STORY, STORY[:300], STORY[100:]], weights=shipped_weights())

    (read,) = load_profiles(dump_profiles({"eng": made})).values()

    assert list(read.words) == list(made.words)
    assert math.isclose(read.threshold, made.threshold, rel_tol=1e-3)
