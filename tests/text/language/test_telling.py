"""Close languages are told apart by what tells them from each other; nothing else changes."""

import io
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from izwi.text.language.ngrams import Izwi
from izwi.text.language.telling import Telling, read_telling, shipped_telling
from izwi.text.language.world import shipped_world

# Written for this test, everyday sentences of close languages.
SENTENCES = {
    "glg": "Onte a miña nai mercou dúas mazás e unha botella de leite na tenda da esquina.",
    "por": "Ontem a minha mãe comprou duas maçãs e uma garrafa de leite na loja da esquina.",
    "spa": "Ayer mi madre compró dos manzanas y una botella de leche en la tienda de la esquina.",
    "ast": "Ayeri la mio ma mercó dos mazanes y una botella de lleche na tienda de la esquina.",
    "nob": "I går kjøpte moren min to epler og en flaske melk i butikken på hjørnet.",
    "nno": "I går kjøpte mor mi to eple og ei flaske mjølk i butikken på hjørnet.",
    "dan": "I går købte min mor to æbler og en flaske mælk i butikken på hjørnet.",
    "deu": "Gestern kaufte meine Mutter zwei Äpfel und eine Flasche Milch im Laden an der Ecke.",
    "ltz": "Gëschter huet meng Mamm zwee Äppel an eng Fläsch Mëllech am Geschäft um Eck kaaft.",
    "ceb": "Gahapon mipalit ang akong inahan og duha ka mansanas ug usa ka botelya sa gatas.",
    "tgl": "Kahapon bumili ang nanay ko ng dalawang mansanas at isang bote ng gatas sa tindahan.",
    "gle": "Inné cheannaigh mo mháthair dhá úll agus buidéal bainne sa siopa ar an gcúinne.",
    "gla": "An-dè cheannaich mo mhàthair dà ubhal agus botal bainne anns a' bhùth air an oisean.",
    "sot": "Maobane mme o rekile diapole tse pedi le botlolo ya lebese lebenkeleng.",
    "tsn": "Maabane mme o rekile diapole di le pedi le botlolo ya mašwi kwa lebenkeleng.",
    "nso": "Maabane mma o rekile diapola tše pedi le lepotlelo la maswi lebenkeleng.",
}


@pytest.fixture(scope="module")
def model():
    found = shipped_telling()
    assert found is not None
    return found


@pytest.fixture(scope="module")
def identify():
    return Izwi()


@pytest.fixture(scope="module")
def before(model):
    """As if nothing were told apart: what was said counts in full, and nothing else."""
    return Izwi(telling=replace(model, kept=np.ones_like(model.kept), told=0 * model.told))


@pytest.mark.parametrize("code", SENTENCES)
def test_close_languages_are_told_apart(identify, code):
    assert identify(SENTENCES[code]).code == code


def test_short_windows_of_close_languages_are_told_better_than_before(identify, before):
    pieces = [
        (code, " ".join(words[start : start + 4]))
        for code, words in ((code, text.split()) for code, text in SENTENCES.items())
        for start in range(0, len(words) - 3, 2)
    ]
    right, then = (
        sum(each(text).code == code for code, text in pieces) for each in (identify, before)
    )

    assert right > then
    assert right / len(pieces) > 0.75


def test_what_a_family_has_together_stays(identify, before):
    told, first = (
        {g.code: g.score for g in each.guesses("Onte a miña nai")} for each in (identify, before)
    )
    family = ("spa", "ast", "glg", "por", "cat", "oci")

    assert told["glg"] != pytest.approx(first["glg"], abs=0.01)
    assert sum(told[c] for c in family) == pytest.approx(sum(first[c] for c in family))
    assert {c: s for c, s in told.items() if c not in family} == pytest.approx(
        {c: s for c, s in first.items() if c not in family}
    )
    assert sum(g.score for g in identify.guesses("Onte a miña nai")) == pytest.approx(1)


def test_a_language_without_close_ones_is_told_as_before(identify, before):
    text = "A kutya átugrott a kerítésen"

    assert identify(text) == before(text)
    assert identify(text).code == "hun"


def test_the_first_guess_is_the_answer(identify):
    for text in SENTENCES.values():
        short = text[:18]
        assert identify.guesses(short)[0] == identify(short)


def test_a_family_whose_members_are_not_all_named_has_the_others(model):
    world = shipped_world()
    classes = tuple("und" if code == "glg" else code for code in world.classes)
    telling = Telling(model, classes)
    shares = np.zeros(len(classes))
    places = {code: classes.index(code) for code in ("por", "spa")}
    shares[places["por"]], shares[places["spa"]] = 0.3, 0.2
    letters = np.array([32, *map(ord, "não"), 32], np.uint32)

    assert telling.settle(letters, len(letters), shares, places["por"])
    assert shares[places["por"]] > 0.4
    assert shares.sum() == pytest.approx(0.5)


def test_a_model_is_written_and_read(model, monkeypatch):
    monkeypatch.syspath_prepend(str(Path(__file__).parents[3] / "tools"))
    sys.modules.pop("train_telling", None)
    from train_telling import write_telling

    file = io.BytesIO()
    write_telling(model, file)
    file.seek(0)
    found = read_telling(file)

    assert found.lists.classes == model.lists.classes
    assert (found.families == model.families).all()
    assert (found.kept == model.kept).all()
    assert (found.told == model.told).all()
    for told, held in zip(found.lists.tables(), model.lists.tables(), strict=True):
        assert (told == held).all()


def test_indonesian_is_said_as_malay_would_and_back(monkeypatch):
    monkeypatch.syspath_prepend(str(Path(__file__).parents[3] / "tools"))
    from malay import as_indonesian, as_malay

    assert as_malay(["Karena universitas itu jauh."]) == ["kerana universiti itu jauh."]
    assert as_indonesian(["Bahawa polis di universiti"]) == ["bahwa polisi di universitas"]
    # Words that both have and mean alike stay.
    assert as_indonesian(["kereta, wilayah dan umur"]) == ["kereta, wilayah dan umur"]


def test_the_model_stays_small(model):
    from importlib.resources import files

    assert len((files("izwi") / "models" / "telling.npz").read_bytes()) < 1_000_000
    assert len(set(model.families.tolist())) >= 20
