"""A language from nothing: samples become a folder that corpora, commands and packages can name."""

import json
import shutil
import sys
from contextlib import suppress

import numpy as np
import pytest

from izwi import annotate, identify, plugins
from izwi.cases.language_tools import Samples, make_pack
from izwi.cases.languages import known_languages
from izwi.config.language_packs import find_pack, open_pack
from izwi.config.load import load
from izwi.model.errors import ConfigError
from izwi.service.setup import create
from izwi.text.language.new_language import read_column

SYLLABLES = ("qex", "wyv", "zoq", "fyx", "juv", "xaq", "vyz", "quf")


def sentence(n):
    words = [SYLLABLES[(n * k) % 8] + SYLLABLES[(n + k) % 8] for k in range(1, 9)]
    return f"{' '.join(words)} prv. {words[0]}."


def treebank(count):
    rows = []
    for _ in range(count):
        for k, (form, tag) in enumerate((("qexes", "NOUN"), ("wyvot", "VERB"), (".", "PUNCT")), 1):
            lemma = form[:-2] if len(form) > 1 else form
            feats = {"NOUN": "Number=Plur", "VERB": "Tense=Past"}.get(tag, "_")
            rows.append(f"{k}\t{form}\t{lemma}\t{tag}\t_\t{feats}\t0\troot\t_\t_")
        rows.append("")
    return "\n".join(rows) + "\n"


@pytest.fixture(scope="module")
def pack(tmp_path_factory):
    folder = tmp_path_factory.mktemp("packs")
    (folder / "text.txt").write_text("\n".join(sentence(n) for n in range(400)), encoding="utf-8")
    (folder / "bank.conllu").write_text(treebank(120), encoding="utf-8")
    (folder / "words.tsv").write_text("zoqyl\tADJ\tzoq\nfyxil\tVERB\tfyx\nfyxil\tNOUN\tfyxi\n")
    samples = Samples(
        (folder / "text.txt",),
        (folder / "bank.conllu",),
        lexicon=folder / "words.tsv",
        source="written for this test",
        licence="CC0",
    )
    return make_pack("qvx", folder / "qvx", samples), folder / "qvx"


def test_a_pack_holds_its_parts_and_says_how_good_they_are(pack):
    made, folder = pack
    card = json.loads((folder / "card.json").read_text())

    assert {"identifier.npz", "profile.json", "tagger.npz", "lexicon.tsv"} <= {*made.parts}
    assert made.figures["identified, 6-15 words"] > 0.9
    assert made.figures["lost by other languages"] < 0.01
    assert made.figures["running text dropped"] <= 0.05
    assert made.figures["tags"] == made.figures["features"] == 1.0
    assert (card["licence"], card["figures"]["tags"]) == ("CC0", 1.0)


def test_its_language_is_told_with_it_only(pack):
    text = sentence(3)

    assert identify(text, packs=[pack[1]])[0].code == "qvx"
    assert identify(text)[0].code != "qvx"
    assert identify("Die kinders loop elke oggend skool toe.", packs=[pack[1]])[0].code == "afr"


def test_words_are_tagged_by_it_and_by_its_lexicon(pack):
    found = annotate("qexes wyvot zoqyl.", "qvx", pack=pack[1])

    assert found.upos[:3] == ("NOUN", "VERB", "ADJ")
    assert found.lemmas[:3] == ("qex", "wyv", "zoq")
    assert found.feats[:2] == ("Number=Plur", "Tense=Past")


def test_a_word_that_the_lexicon_has_twice_is_left_to_the_tagger(pack):
    assert "fyxil" not in (pack[1] / "lexicon.tsv").read_text()


def test_its_abbreviations_end_no_sentence(pack):
    text = "Qexwyv zoqfyx prv. Juvxaq vyzquf."

    assert len(annotate(text, "qvx", pack=pack[1]).sentences) == 1
    assert len(annotate(text, "qvx").sentences) == 2


def test_a_corpus_takes_a_pack_along_and_its_stages_read_it(tmp_path, pack):
    folder = tmp_path / "news"
    create(folder, contact="a@example.org", languages=("qvx",), packs=[pack[1]])

    config = load(folder / "corpus.toml")

    assert config.corpus.language_packs == ("packs/qvx",)
    assert config.annotate.languages["qvx"].model == str(folder.resolve() / "packs/qvx/tagger.npz")
    assert "qvx.identifier.npz" in config.language.digests


def test_a_corpus_without_the_pack_is_refused_the_language(tmp_path):
    with pytest.raises(ConfigError, match="izwi language make qvx"):
        create(tmp_path / "news", contact="a@example.org", languages=("qvx",))


def test_languages_list_what_a_pack_knows(pack):
    found = {each.code: each for each in known_languages([pack[1]])}

    assert (found["qvx"].identified, found["qvx"].tags) == (True, "tagger")
    assert found["qvx"].origin == str(pack[1].resolve())
    assert "qvx" not in {each.code for each in known_languages()}


@pytest.fixture
def installed(tmp_path, pack, monkeypatch):
    """Install a small distribution that carries the pack."""
    shutil.copytree(pack[1], tmp_path / "izwi_qvx")
    (tmp_path / "izwi_qvx" / "__init__.py").write_text('"""A language pack."""\n')
    info = tmp_path / "izwi_qvx-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: izwi-qvx\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text("[izwi.language_packs]\nqvx = izwi_qvx\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    plugins._found.cache_clear()
    yield
    plugins._found.cache_clear()
    sys.modules.pop("izwi_qvx", None)


@pytest.mark.usefixtures("installed")
def test_a_package_may_carry_a_pack(tmp_path):
    assert find_pack("qvx", tmp_path).code == "qvx"
    assert identify(sentence(3), packs=["qvx"])[0].code == "qvx"
    assert "qvx" in {each.code for each in known_languages()}

    config = create(tmp_path / "c", contact="a@example.org", languages=("qvx",), packs=["qvx"])
    assert config.corpus.language_packs == ("qvx",)


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda folder: make_pack("QVX", folder, Samples()), "ISO 639-3"),
        (lambda folder: make_pack("qvx", folder, Samples()), "--text, --treebank or --lexicon"),
        (lambda folder: make_pack("qvx", folder, Samples((folder / "no.txt",))), "cannot be read"),
        (lambda folder: open_pack(folder), "no language pack"),
        (lambda folder: find_pack("nothing", folder), "neither a folder"),
    ],
    ids=["code", "no sample", "no file", "no card", "no pack"],
)
def test_what_cannot_be_made_or_found_is_said(tmp_path, make, message):
    with pytest.raises(ConfigError, match=message):
        make(tmp_path)


CARDS = {
    "a code that is a way out": {"code": "../../elsewhere"},
    "a code of other signs": {"code": "a b"},
    "figures that are no numbers": {"code": "qvx", "figures": {"tags": "many"}},
    "figures that are a list": {"code": "qvx", "figures": [1]},
    "a list": ["qvx"],
}


@pytest.mark.parametrize("card", [*map(json.dumps, CARDS.values()), "[" * 100_000])
def test_a_card_that_is_none_is_one_sentence(tmp_path, card):
    (tmp_path / "card.json").write_text(card, encoding="utf-8")

    with pytest.raises(ConfigError, match="is no language pack"):
        open_pack(tmp_path)


@pytest.mark.parametrize("part", ["format", "prints", "weights", "bias"])
@pytest.mark.parametrize("spoil", [lambda held: held[:0], lambda held: held[1:] * np.nan])
def test_an_identifier_whose_lists_do_not_match_is_one_sentence(tmp_path, pack, part, spoil):
    with np.load(pack[1] / "identifier.npz") as held:
        parts = dict(held)
    with np.errstate(invalid="ignore"):
        np.savez(tmp_path / "identifier.npz", **{**parts, part: spoil(parts[part])})

    with pytest.raises(ConfigError, match="is not the identifier of a language pack"):
        read_column(tmp_path / "identifier.npz")


def test_an_identifier_with_wrong_bytes_anywhere_is_one_sentence(tmp_path, pack):
    whole, path = (pack[1] / "identifier.npz").read_bytes(), tmp_path / "identifier.npz"
    refused = 0
    for place in range(0, len(whole), max(1, len(whole) // 300)):
        path.write_bytes(whole[:place] + bytes([whole[place] ^ 0x5A]) + whole[place + 1 :])
        # A byte that says nothing of what is held may be another one.
        with suppress(ConfigError):
            read_column(path)
            continue
        refused += 1

    assert refused > 200


def test_a_corpus_takes_nothing_along_that_lies_beside_the_parts(tmp_path, pack):
    folder = shutil.copytree(pack[1], tmp_path / "qvx")
    (folder / "everything").symlink_to("/")

    create(tmp_path / "c", contact="a@example.org", languages=("qvx",), packs=[folder])

    assert not (tmp_path / "c/packs/qvx/everything").exists()
    assert (tmp_path / "c/packs/qvx/tagger.npz").exists()


def test_a_pack_is_not_made_among_other_things(tmp_path):
    (tmp_path / "thesis.tex").write_text("all of it")
    sample = tmp_path / "text.txt"
    sample.write_text(sentence(3))

    with pytest.raises(ConfigError, match="holds other things"):
        make_pack("qvx", tmp_path, Samples((sample,)))


def test_words_written_as_one_are_learnt_as_they_are_written(tmp_path):
    whole = "1-2\tdul\t_\t_\t_\t_\t_\t_\t_\t_\n1\tde\tde\tADP\t_\t_\t2\tcase\t_\t_\n"
    rest = "2\tul\tul\tDET\t_\t_\t0\troot\t_\t_\n3\tqex\tqex\tNOUN\t_\t_\t2\tx\t_\t_\n\n"
    (tmp_path / "bank.conllu").write_text((whole + rest) * 120)
    made = make_pack("qvx", tmp_path / "qvx", Samples(treebanks=(tmp_path / "bank.conllu",)))

    found = annotate("dul qex", "qvx", pack=tmp_path / "qvx")

    assert (made.figures["tags"], made.figures["words learnt from"]) == (1.0, 330)
    assert (found.upos, found.lemmas) == (("ADP+DET", "NOUN"), ("de+ul", "qex"))


def test_a_pack_of_a_language_that_is_told_already_keeps_its_identifier(tmp_path):
    (tmp_path / "text.txt").write_text("\n".join(sentence(n) for n in range(30)))
    made = make_pack("swe", tmp_path / "swe", Samples((tmp_path / "text.txt",)))

    assert "identifier.npz" not in made.parts


def test_a_sample_without_text_makes_no_pack(tmp_path):
    (tmp_path / "empty.txt").write_text("\n\n")

    with pytest.raises(ConfigError, match="holds no text"):
        make_pack("qvx", tmp_path / "qvx", Samples((tmp_path / "empty.txt",)))

    assert not (tmp_path / "qvx").exists()


def test_nothing_is_left_of_a_pack_that_could_not_be_made(tmp_path):
    (tmp_path / "few.txt").write_text("Bakele lamu.\n", encoding="utf-8")

    with pytest.raises(ConfigError):
        make_pack("qvx", tmp_path / "pack", Samples((tmp_path / "few.txt",)))

    assert not (tmp_path / "pack").exists()


def test_a_small_sample_says_how_much_lacks_for_a_profile(tmp_path):
    (tmp_path / "text.txt").write_text("\n".join(sentence(n) for n in range(100)))

    made = make_pack("qvx", tmp_path / "qvx", Samples((tmp_path / "text.txt",)))

    assert "profile.json" not in made.parts
    assert made.words_short == 2_000 - 1_000


def test_a_pack_that_does_not_tell_its_language_does_not_open_a_corpus(tmp_path):
    (tmp_path / "words.tsv").write_text("zoqyl\tADJ\tzoq\n")
    make_pack("qvx", tmp_path / "qvx", Samples(lexicon=tmp_path / "words.tsv"))

    with pytest.raises(ConfigError, match="'qvx' is none of"):
        create(tmp_path / "c", contact="a@b.org", languages=("qvx",), packs=[tmp_path / "qvx"])
