"""The teacher of the English tagger (tools/teach_tagger.py) sums up what the tagger itself does."""

import importlib
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from izwi.annotate.conllu import parse_conllu, read_conllu
from izwi.annotate.tagger import Tag, Tagger, kept_tags, pack
from izwi.annotate.training import TrainingPlan, train

TOOLS = Path(__file__).parents[2] / "tools"
LINE = "{}\t{}\t{}\tX\t{}\t_\t0\t_\t_\t_"
TEXT = """We/PRP have/VBP not/RB gone/VBN ./.
They/PRP go/VBP and/CC have/VBP dams/NNS
Dams/NNS"""


@pytest.fixture
def teacher(monkeypatch):
    monkeypatch.syspath_prepend(TOOLS)
    return importlib.import_module("teach_tagger")


@pytest.fixture
def treebank():
    lines = []
    for sentence in TEXT.splitlines():
        pairs = [part.rsplit("/", 1) for part in sentence.split()]
        lines += [LINE.format(n, word, word, tag) for n, (word, tag) in enumerate(pairs, 1)]
        lines.append("")
    return list(parse_conllu(lines)) * 5


def test_the_sums_of_weights_are_largest_for_the_tags_chosen(teacher, treebank):
    plan = TrainingPlan(bits=14, keeps=("V",), epochs=1)
    learnt = train(treebank, "eng", plan=plan)
    # Where weights are left to chance, every row decides.
    weights = np.random.default_rng(1).integers(-20, 20, learnt.weights.shape).astype(np.int8)
    model = replace(learnt, weights=weights)
    words = ["They", "have", "gone", "We", "Dams", "not", "dams", ".", "go", "x", "y"]
    sample = teacher.Sample([words, words[::-1], ["We"], words[::2], words * 3])
    tags = Tagger(model).tag(sample.words, sample.begins)
    mask = len(model.weights) - 2

    packed = pack(sample.words, sample.begins, model.vocabulary, mask)
    rows = teacher.rows_of_words(packed, tags, kept_tags(model.tags, model.keeps), mask)

    assert (model.weights[rows].astype(int).sum(1).argmax(1) == tags).all()


def test_rows_in_mirror_stand_beside_the_mirrored_words(teacher):
    sample = teacher.Sample([["a", "b", "c"], ["d"], ["e", "f"]])

    assert sample.in_mirror(np.array(sample.words)).tolist() == sample.mirrored().words
    assert sample.mirrored().words == ["c", "b", "a", "d", "f", "e"]


def test_what_was_tagged_is_read_by_the_tagger_in_training(teacher, tmp_path):
    path = tmp_path / "taught.conllu.gz"

    teacher.write(
        path, teacher.Sample([["We", "go"], ["Dams"]]), [Tag("X", "A"), *[Tag("X", "B")] * 2]
    )

    found = [[(word.form, word.xpos) for word in each.words] for each in read_conllu(path)]
    assert found == [[("We", "A"), ("go", "B")], [("Dams", "B")]]
