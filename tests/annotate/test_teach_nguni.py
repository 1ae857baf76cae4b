"""The teacher of the Nguni taggers (tools/teach_nguni.py) and its net learn what they should."""

import gzip
import importlib
from pathlib import Path

import numpy as np
import pytest

from izwi.annotate.conllu import GoldSentence, GoldWord

TOOLS = Path(__file__).parents[2] / "tools"


@pytest.fixture
def teacher(monkeypatch):
    monkeypatch.syspath_prepend(TOOLS)
    return importlib.import_module("teach_nguni")


@pytest.fixture
def nets(monkeypatch):
    monkeypatch.syspath_prepend(TOOLS)
    return importlib.import_module("pieces_net")


def sentence(*words):
    rows = [GoldWord(form, form, "", tag, "_", morphemes=marks) for form, tag, marks in words]
    return GoldSentence(tuple(rows))


# What the middle word is only its neighbour says.
BANK = [
    sentence(("abantu", "N02", "aba[B2]-ntu[NStem]"), ("leli", first, ""), (last, "V", ""))
    for first, last in (("CDEM05", "zwe"), ("V", "bona"))
] * 40


def test_the_net_learns_what_the_next_word_says_and_keeps_languages_apart(teacher, monkeypatch):
    monkeypatch.setattr(teacher, "_WORDS_A_STEP", 30)
    monkeypatch.setattr(teacher, "_FEWEST_MORPHEMES", 1)
    other = [sentence(("abantu", "ABANTU", "")) for _ in range(80)]

    net = teacher.learnt_net([BANK, other], seed=1)

    tags = [teacher.Tag("", tag) for tag in ("ABANTU", "CDEM05", "N02", "V")]
    asked = [(0, ["abantu", "leli", "zwe"]), (0, ["abantu", "leli", "bona"]), (1, ["abantu"])]
    found = [tags[n].xpos for n in net.scores(asked, tags).argmax(1)]
    assert found == ["N02", "CDEM05", "V", "N02", "V", "V", "ABANTU"]


def test_slopes_are_those_of_the_loss(nets, teacher, monkeypatch):
    monkeypatch.setattr(nets, "_LEFT_OUT", 0.0)
    monkeypatch.setattr(nets, "_OF_LAYERS", 1e-12)
    pieces = teacher.Pieces({(w.form, 0) for each in BANK for w in each.words})
    net = nets.PiecesNet(len(pieces), 3, 2, 1, seed=3)
    batch = pieces.batch([(0, [w.form for w in each.words]) for each in BANK[:3]])
    gold = np.arange(len(batch.is_word)) % 3
    marks = np.eye(2, dtype=np.float32)[gold % 2]
    counted = batch.is_word[:, 0] / batch.is_word.sum()

    def loss():
        tags, own = net._forward(net._weights, batch, {}, 0.0)
        chances = tags - np.logaddexp.reduce(tags, axis=1, keepdims=True)
        target = np.full(tags.shape, 0.1 / 3) + 0.9 * np.eye(3)[gold]
        of_marks = np.logaddexp(0, own) - own * marks
        return -(chances * target * counted[:, None]).sum() + 0.3 * (of_marks.T * counted).sum()

    known = {}
    tags, own = net._forward(net._weights, batch, known, 1e-12)
    _, of_tags = nets._tag_slopes(tags, gold, counted)
    of_marks = (1 / (1 + np.exp(-own)) - marks) * (0.3 * counted)[:, None]
    slopes, _ = net._backward(batch, known, of_tags, of_marks)

    for name, slope in slopes.items():
        place = np.unravel_index(np.abs(slope).argmax(), slope.shape)
        sides = []
        for step in (0.01, -0.02):
            net._weights[name][place] += step
            sides.append(loss())
        assert (sides[0] - sides[1]) / 0.02 == pytest.approx(slope[place], rel=0.05, abs=1e-4), name
        net._weights[name][place] += 0.01


def test_plain_text_is_that_of_sources_that_may_train_and_each_sentence_once(teacher, tmp_path):
    rows = (
        "govza\tAbantu bayakhuluma kakhulu. Abantu bayakhuluma kakhulu.",
        "masakhanews\tA b c d.",
    )
    with gzip.open(tmp_path / "zul.train.tsv.gz", "wt", encoding="utf-8") as file:
        file.write("\n".join(rows))

    assert teacher.plain_sentences(tmp_path, "zul") == [("Abantu", "bayakhuluma", "kakhulu", ".")]
