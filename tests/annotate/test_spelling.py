"""Names, numbers and loans of the Nguni languages, by how they are spelt."""

from collections import defaultdict
from pathlib import Path

import pytest

from izwi.annotate.izwi import annotate
from izwi.annotate.spelling import Reading, Spelling, by_spelling, corrections

NAMES = Path(__file__).parent / "words" / "nguni_names.txt"
TAGS = {
    "n": ("N",),
    "d": ("ADV",),
    "p": ("POSS",),
    "c": ("COP", "NLOC"),
    "q": ("REL", "N", "POSS"),
}


def sentences():
    """Return the sentences of each language: words, each with its kind and lemma or nothing."""
    found, language = defaultdict(list), ""
    for line in NAMES.read_text(encoding="utf-8").splitlines():
        if line.startswith("#"):
            continue
        if " " not in line:
            language = line
            continue
        rows = [word.partition("=") for word in line.split()]
        found[language].append([(word, *told.partition(":")[::2]) for word, _, told in rows])
    return found


@pytest.mark.parametrize(("language", "fewest"), [("zul", 0.88), ("xho", 0.9)])
def test_names_amid_the_small_letters_of_news_are_names(language, fewest):
    right, wrong = 0, []
    for rows in sentences()[language]:
        found = annotate(" ".join(word for word, _, _ in rows), language)
        columns = zip(rows, found.xpos, found.lemmas, strict=True)
        for (word, kind, lemma), tag, own in columns:
            if kind and tag.startswith(TAGS[kind]) and own == lemma:
                right += 1
            elif kind:
                wrong.append((word, tag, own))

    assert right + len(wrong) > 170
    assert right >= fewest * (right + len(wrong)), str(wrong)


@pytest.mark.parametrize(
    "sentence",
    [
        "Kusho iKhomishana Yamalungelo Abantu .",
        "Bathi UMthetho Wohlaka Lokusebenzisana uyasebenza .",
        "UMTHETHOSISEKELO WERIPHABHULIKI",
    ],
)
def test_capitals_of_titles_with_concords_are_no_names(sentence):
    found = annotate(sentence, "zul")

    assert "NPP" not in found.xpos


def test_days_that_statutes_lack_are_adverbs():
    found = annotate("Izolo bafikile , kodwa izolo bekuna .", "zul")

    assert [(x, y) for x, y in zip(found.xpos, found.lemmas, strict=True) if y == "izolo"] == [
        ("ADV", "izolo")
    ] * 2


@pytest.mark.parametrize(
    ("word", "tag", "lemma"),
    [
        ("uThabo", "N01a", "Thabo"),
        ("45", "NUM", "45"),
        ("R50", "NUM", "R50"),
        ("i-internet", "N09", "internet"),
        ("UThabo", "N01a", "Thabo"),
        ("kaThabo", "POSSKA", "Thabo"),
        ("noSipho", "ADV", "Sipho"),
        ("nge-R50", "ADV", "R50"),
        ("KwaZulu-Natal", "NPP", "KwaZulu-Natal"),
        ("nakwaZulu-Natal", "ADV", "KwaZulu-Natal"),
        ("uNdlovu-Sithole", "N01a", "Ndlovu-Sithole"),
        ("noThandi", "ADV", "Thandi"),
        ("kwaHulumeni", "POSS15", "hulumeni"),
    ],
)
def test_names_numbers_and_loans_of_isizulu(word, tag, lemma):
    found = annotate(f"Izolo {word} futhi ngiyabonga .", "zul")

    place = found.words.index(word)

    assert (found.xpos[place], found.lemmas[place]) == (tag, lemma)


@pytest.mark.parametrize(
    ("word", "tag", "learnt", "lemma"),
    [
        ("noMthetho", "ADV", "thetho", "thetho"),
        ("noMthetho", "ADV", "ho", "Mthetho"),
        ("eThekwini", "NLOC", "theku", "Thekwini"),
        ("yeSigaba", "POSS09", "gaba", "gaba"),
    ],
)
def test_a_noun_behind_a_prefix_keeps_its_learnt_stem(word, tag, learnt, lemma):
    reading = Reading(word, tag, learnt, is_frequent=False, is_attested=learnt != "theku")

    assert by_spelling(reading) == ("", lemma)


def test_of_the_likeliest_lemmas_one_that_the_treebank_has_is_taken():
    found = annotate("Bathenge izincwadi .", "zul")

    assert found.lemmas[0] == "thenga"


def test_a_title_behind_a_prefix_ends_no_sentence_and_has_names_behind_it():
    found = annotate("Izolo uMnu. Jacob Zuma noDkt. Dlamini bahambile. UMengameli ukhona.", "zul")

    lemmas = dict(zip(found.words, zip(found.xpos, found.lemmas, strict=True), strict=True))
    assert found.sentences == (0, 8)
    assert [lemmas[word] for word in ("Jacob", "Zuma", "Dlamini")] == [
        ("NPP", "Jacob"),
        ("NPP", "Zuma"),
        ("NPP", "Dlamini"),
    ]
    assert lemmas["uMnu."][1] == "Mnu."
    assert lemmas["UMengameli"][1] == "Mengameli"


@pytest.mark.parametrize("language", ["zul", "xho", "nbl", "ssw"])
def test_curved_quotation_marks_are_marks_in_nguni_languages(language):
    straight = annotate('"Ngiyabonga," kusho yena - futhi wahamba.', language)
    curved = annotate("“Ngiyabonga,” kusho yena – futhi wahamba.", language)

    assert curved.xpos == straight.xpos
    assert curved.xpos[0] == curved.xpos[3] == "PUNC"
    assert curved.lemmas[0] == "“"


@pytest.mark.parametrize(("word", "is_name"), [("ukhulume", True), ("Wohlaka", False)])
def test_a_sentence_of_many_thousand_capitals_is_asked_once_whether_it_is_a_heading(word, is_name):
    # Asked anew for each of them, it was read three thousand million times.
    words = ["Ngokusho", *["inkosi", "Buthelezi", word, word] * 25_000]
    readings = [(each, "X", each) for each in words]

    found = corrections(readings, [0], lambda _: False, frozenset())

    assert (found[2] == Spelling("NPP", "Buthelezi")) is is_name
    assert found[2] == found[-3]
