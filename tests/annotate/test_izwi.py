from pathlib import Path

import numpy as np
import pytest

import izwi
from izwi.annotate.base import NO_LEXICON, AnnotatorSettings, parse_lexicon, read_lexicon
from izwi.annotate.conllu import GoldSentence, GoldWord
from izwi.annotate.izwi import Izwi, tagged
from izwi.annotate.tagger import Tagger, read_model, shipped_languages, shipped_model
from izwi.annotate.training import train
from izwi.model.document import Annotation
from izwi.model.errors import ConfigError, PluginError

LEXICON = """\
maas	NOUN	maas
robot	NOUN	robot
robots	NOUN	robot
bakkie	NOUN	bakkie
bakkies	NOUN	bakkie
lekker	ADJ	lekker
load-shedding	NOUN	load-shedding
blue-light	ADJ	blue-light
braai	VERB	braai
# a comment, and an empty line

tsotsi	NOUN	tsotsi
""".splitlines()

PLACES = [
    "She poured {} over the pap.",
    "They {} every day and nobody minds.",
    "{} is what they talk about.",
    "To {} or not to {}, the mayor asked!",
    "He was very {} about the {} thing.",
    "{}",
    "My {}’s broken.",
]


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize(
    ("word", "tag"),
    [("maas", "NOUN"), ("robot", "NOUN"), ("bakkie", "NOUN"), ("lekker", "ADJ"),
     ("load-shedding", "NOUN"), ("blue-light", "ADJ")],
)  # fmt: skip
def test_words_of_a_lexicon_of_ten_lines_are_always_right(word, tag, place):
    for form in (word, word.capitalize(), word.upper()):
        found = izwi.annotate(place.replace("{}", form), "en", lexicon=LEXICON)

        places = [at for at, each in enumerate(found.words) if each == form]
        assert places
        assert {found.upos[at] for at in places} == {tag}
        assert {found.lemmas[at] for at in places} == {word}


def test_english_gets_tags_and_lemmas():
    found = izwi.annotate("The children were running. They don't stop.", "en")

    assert found.words == (
        "The", "children", "were", "running", ".", "They", "do", "n't", "stop", ".",
    )  # fmt: skip
    assert found.lemmas[1:4] == ("child", "be", "run")
    assert found.xpos[:4] == ("DT", "NNS", "VBD", "VBG")
    assert found.upos[:3] == ("DET", "NOUN", "AUX")
    assert found.sentences == (0, 5)
    assert "Number=Plur" in found.feats[1]


@pytest.mark.parametrize("language", ["eng", "afr", "zul", "xho", "nbl", "ssw"])
def test_a_model_comes_along_and_gives_every_token_a_tag(language):
    assert language in shipped_languages()

    found = Izwi(AnnotatorSettings(language))(["Ngiyabonga, dankie. 2020!", "Siyakhuluma"])

    for column in (found.lemmas, found.upos, found.xpos, found.feats, found.stems):
        assert len(column) == len(found.words)
    assert all(found.upos)
    assert all(found.xpos)
    assert all(found.lemmas)


def test_isizulu_words_are_found_behind_their_prefixes():
    found = izwi.annotate("izidingo zomphakathi nomphakathi", "zu")

    assert found.stems == ("dingo", "phakathi", "phakathi")


def test_a_language_without_a_model_gets_lemmas_from_word_lists():
    found = izwi.annotate("Die Häuser schliefen.", "de")

    assert found.lemmas[1] == "Haus"
    assert found.upos == ("",) * 4


def test_a_capital_at_the_beginning_of_a_sentence_is_no_name():
    found = izwi.annotate("„Książki można wypożyczyć. Lubię książki.", "pl")

    lemmas = dict(zip(found.words, found.lemmas, strict=True))
    assert lemmas["Książki"] == lemmas["książki"] == "książka"


def test_a_name_that_no_list_has_keeps_its_capital():
    found = izwi.annotate("Nomvula mora em Quelimane com Thabiso. As casas são novas.", "pt")

    lemmas = dict(zip(found.words, found.lemmas, strict=True))
    assert lemmas["Thabiso"] == "Thabiso"
    assert lemmas["casas"] == "casa"


def test_a_language_nobody_knows_gets_lower_case():
    found = izwi.annotate("Xyz Abc", "qaa")

    assert found.lemmas == ("xyz", "abc")


@pytest.mark.parametrize("text", ["", " ", "\n\n", ".", "\ud800", "a" * 3000, "😀" * 50])
def test_odd_texts_are_annotated(text):
    found = izwi.annotate(text, "en")

    assert len(found.words) == len(found.lemmas) == len(found.xpos)


@pytest.mark.parametrize(
    ("line", "words"),
    [("maas", "line 1"), ("maas\t", "line 1"), ("two words\tNOUN\tx", "more than one word"),
     ("a\tb\tc\td", "line 1")],
)  # fmt: skip
def test_a_bad_line_of_a_lexicon_is_named(line, words):
    with pytest.raises(ConfigError, match=words):
        parse_lexicon([line])


def test_a_lexicon_entry_without_a_lemma_is_its_own(tmp_path):
    path = tmp_path / "words.tsv"
    path.write_text("\ufeffLekker\tADJ\n", encoding="utf-8")

    assert read_lexicon(path).find("Lekker").lemma == "Lekker"
    assert read_lexicon(path).find("lekker") is None


def test_a_lexicon_that_is_not_there_is_said(tmp_path):
    with pytest.raises(ConfigError, match=r"words\.tsv"):
        read_lexicon(tmp_path / "words.tsv")


def test_a_file_that_is_no_tagger_is_said(tmp_path):
    path = tmp_path / "model.npz"
    path.write_bytes(b"nothing")

    with pytest.raises(PluginError, match=r"model\.npz"):
        read_model(Path(path))


def test_rare_words_have_their_lemma_from_the_word_list():
    # A tagger that knows one word: every other lemma would be the word itself.
    gold = GoldSentence((GoldWord("Hus", "Hus", "NOUN", "", "_"),) * 3)
    tagger = Tagger(train([gold, gold], "deu"))
    words = ("Hus", "Kindern")

    found = tagged(tagger, Annotation(words, (), (), (0,), ()), ("lemmas",), NO_LEXICON)

    assert found["lemmas"] == ["hus", "Kind"]


def test_a_word_that_is_an_ending_alone_has_itself_for_lemma():
    tagger = Tagger(shipped_model("eng"))
    words = ["ed", "est", "s", "ing"]
    tags = range(len(tagger.model.tags))

    found = [tagger.lemmas(words, np.full(len(words), tag)) for tag in tags]

    assert all(lemma for lemmas in found for lemma in lemmas)
