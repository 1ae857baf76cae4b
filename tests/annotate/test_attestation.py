"""Lemmas of regional and borrowed words: what a lexicon, a dictionary or the document attests."""

from pathlib import Path

import pytest

from izwi.annotate.attestation import Attestation, candidates, listed_forms
from izwi.annotate.izwi import annotate

WORDS = Path(__file__).parent / "words" / "regional.txt"
BORROWED = WORDS.with_name("borrowed.txt")
SENTENCES = {
    "singular": "Yesterday she saw one {} there .",
    "plural": "Yesterday we saw many {} there .",
    "none": "Yesterday she bought some {} there .",
    "base": "They will {} on Sunday .",
    "s": "She often {} on Sunday .",
    "ed": "Yesterday they {} for hours .",
    "ing": "They are {} for hours .",
}


def cases(path=WORDS):
    """Yield sentence, form and lemma."""
    for line in path.read_text(encoding="utf-8").splitlines():
        kind, lemma, *forms = line.split()
        if kind == "#":
            continue
        kinds = {"n": ("singular", "plural"), "u": ("none",), "v": ("base", "s", "ed", "ing")}[kind]
        for place, form in zip(kinds, (lemma, *forms), strict=True):
            yield SENTENCES[place].format(form), form, lemma


def lemma_of(sentence, form):
    found = annotate(sentence, "eng")
    return found.lemmas[found.words.index(form)]


def test_regional_words_get_their_own_lemma():
    all_cases = list(cases())
    assert len(all_cases) >= 500

    wrong = [(f, lemma_of(s, f), lemma) for s, f, lemma in all_cases if lemma_of(s, f) != lemma]

    assert len(wrong) <= 0.05 * len(all_cases), str(wrong)


def test_words_that_no_list_of_ours_has_do_nearly_as_well():
    unlisted = [each for each in cases() if each[2] not in listed_forms()]
    assert len(unlisted) >= 150

    wrong = [(f, lemma_of(s, f)) for s, f, lemma in unlisted if lemma_of(s, f) != lemma]

    assert len(wrong) <= 0.08 * len(unlisted), str(wrong)


def test_borrowed_words_of_other_englishes_get_their_own_lemma():
    all_cases = list(cases(BORROWED))
    assert len(all_cases) >= 480

    wrong = [(f, lemma_of(s, f)) for s, f, lemma in all_cases if lemma_of(s, f) != lemma]

    assert len(wrong) <= 0.03 * len(all_cases), str(wrong)


def test_borrowed_words_have_the_lemma_that_stands_in_their_document():
    forms = [each for each in cases(BORROWED) if each[1] != each[2]]
    documents = [(f"One {lemma} , two !\n{s}", form, lemma) for s, form, lemma in forms]
    documents += [
        (f"We saw one {lemma} there .\n{form.capitalize()} are what they want .", form, lemma)
        for sentence, form, lemma in forms
        if sentence == SENTENCES["plural"].format(form)
    ]

    found = [(form, _last_lemma(text, form), lemma) for text, form, lemma in documents]

    assert len(found) >= 400
    wrong = [each for each in found if each[1] != each[2]]
    assert len(wrong) <= 0.05 * len(found), str(wrong)


def _last_lemma(text, form):
    found = annotate(text, "eng")
    pairs = zip(found.words, found.lemmas, strict=True)
    return [lemma for word, lemma in pairs if word.lower() == form][-1]


@pytest.mark.parametrize(
    ("name", "changed"), [("Banks", None), ("Woods", None), ("Matatus", ("matatu", True))]
)
def test_names_in_s_of_words_that_dictionaries_have_stay_names(name, changed):
    word = name[:-1].lower()

    found = Attestation().words((name, word), ("NNP", "NN"), (name, word))

    assert (found[0] and found[0][:2]) == changed


def test_an_unseen_plural_is_tagged_as_one():
    found = annotate("Boerewors was braaied by tsotsis in taxis .", "eng")

    tags = dict(zip(found.words, found.xpos, strict=True))

    assert tags["tsotsis"] == tags["taxis"] == "NNS"


def test_the_document_attests_a_word_nobody_knows():
    alone = annotate("We saw many vrilties there .", "eng")
    together = annotate("One vriltie stood here .\nWe saw many vrilties there .", "eng")

    assert alone.lemmas[alone.words.index("vrilties")] in ("vriltie", "vrilty")
    assert together.lemmas[together.words.index("vrilties")] == "vriltie"


@pytest.mark.parametrize(
    ("line", "lemma"), [("vriltis\tNOUN\tvriltis", "vriltis"), ("vrilti\tNOUN\tvrilti", "vrilti")]
)
def test_the_users_lexicon_comes_first(line, lemma):
    found = annotate("We saw many vriltis there .", "eng", lexicon=[line])

    assert found.lemmas[found.words.index("vriltis")] == lemma


def test_candidates_of_a_plural_in_ies():
    assert candidates("universities", "NNS")[0] == "university"
    assert candidates("selfies", "NNS")[0] == "selfie"


def test_amounts_in_rand_are_numbers_as_they_are_written():
    found = annotate("He paid R1 500,50 and R50 for R3m of shares.", "eng")

    tags = dict(
        zip(found.words, zip(found.upos, found.xpos, found.lemmas, strict=True), strict=True)
    )
    assert {word: tags[word] for word in ("R1", "R50", "R3m")} == {
        word: ("NUM", "CD", word) for word in ("R1", "R50", "R3m")
    }


def test_a_regional_word_in_s_that_is_its_own_lemma_is_no_plural():
    found = annotate("We braaied boerewors and it was lekkerder than ever.", "eng")

    tags = dict(zip(found.words, zip(found.xpos, found.lemmas, strict=True), strict=True))
    assert tags["boerewors"] == ("NN", "boerewors")
    assert tags["lekkerder"][1] == "lekker"


@pytest.mark.parametrize(("word", "lemma"), [("lamb", "lambbraai"), ("q" * 90_000, "")])
def test_of_a_word_only_an_end_as_long_as_a_listed_one_is_looked_up(word, lemma):
    form = word + ("braais" if lemma else "'a" * 500_000)

    found = annotate(f"Yesterday we saw many {form} there .", "eng")

    assert len(found.words) >= 7
    assert (lemma in found.lemmas) is bool(lemma)
