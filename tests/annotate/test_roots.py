"""Roots of treebanks, found inside words."""

import numpy as np
import pytest

from izwi.annotate.conllu import GoldSentence, GoldWord
from izwi.annotate.conventions import text_hash
from izwi.annotate.roots import root_list, roots_of
from izwi.annotate.tagger import Vocabulary, pack, read_model, shipped_model, write_model
from izwi.kernels.features_of_words import BEFORE, BEHIND, ROOT, ROOT_KIND

NOTHING = np.zeros(0, np.int64)


def facts_of(word, roots):
    found = root_list(map(text_hash, roots), range(1, len(roots) + 1))
    vocabulary = Vocabulary(NOTHING, NOTHING, weighs_beginnings=True, roots=found)
    facts = pack([word], [0], vocabulary, 1023).facts[2]
    return tuple(facts[[ROOT, ROOT_KIND, BEFORE, BEHIND]].tolist())


@pytest.mark.parametrize(
    ("word", "before", "root", "behind"),
    [
        ("bayathengisa", "baya", "theng", "isa"),
        # The longest one; of two as long the later one.
        ("Ukubhekana", "uku", "bheka", "na"),
        ("zindlela", "zin", "dlela", ""),
        ("dlelatheng", "dlela", "theng", ""),
    ],
)
def test_the_longest_root_in_a_word_is_found_with_what_is_round_it(word, before, root, behind):
    roots = ("theng", "bhek", "bheka", "dlela")

    found = facts_of(word, roots)

    number = roots.index(root) + 1
    assert found == (text_hash(root), number, text_hash(before), text_hash(behind))


def test_a_word_without_a_root_has_no_facts_of_one():
    assert facts_of("umuntu", ("theng",)) == (0, 0, 0, 0)


def test_roots_of_one_word_count_if_a_sister_has_them():
    def sentence(*words):
        rows = [GoldWord(form, "_", "", "V", "_", morphemes=marks) for form, marks in words]
        return GoldSentence(tuple(rows))

    own = sentence(
        ("wathenga", "wa[SC1]-theng[VRoot]-a[VerbTerm]"),
        ("bathenga", "ba[SC2]-theng[VRoot]-a[VerbTerm]"),
        ("wabheka", "wa[SC1]-bhek[VRoot]-a[VerbTerm]"),
        ("wavala", "wa[SC1]-val[VRoot]-a[VerbTerm]"),
    )
    sister = sentence(("uvala", "u[SC1]-val[VRoot]-a[VerbTerm]"))

    hashes, _ = roots_of([own], [sister]).sorted()

    assert set(hashes.tolist()) == {text_hash("theng"), text_hash("val")}


def test_roots_are_kept_in_the_file_of_a_model(tmp_path):
    model = shipped_model("zul")

    write_model(tmp_path / "zul.npz", model)

    again = read_model(tmp_path / "zul.npz").vocabulary.roots
    assert len(again) == len(model.vocabulary.roots) > 1000
    assert again.sorted()[1].tolist() == model.vocabulary.roots.sorted()[1].tolist()
