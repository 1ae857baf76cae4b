from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from izwi.annotate.base import AnnotatorSettings
from izwi.annotate.conllu import parse_conllu, read_conllu
from izwi.annotate.conventions import text_hash
from izwi.annotate.edits import edit_between, edit_from_text
from izwi.annotate.izwi import Izwi
from izwi.annotate.tagger import Tagger, WordList, read_model, write_model
from izwi.annotate.training import TrainingPlan, extend, root_of, train
from izwi.cases.language_tools import evaluate_tagger, train_tagger
from izwi.evaluate.tagging import raw_text
from izwi.model.errors import QueryError, SourceError

SAMPLE = """\
# newpar
# text = The maas is sour.
1	The	the	DET	DT	_	0	_	_	_
2	maas	maas	NOUN	NN	Number=Sing	0	_	_	_
3	is	be	AUX	VBZ	_	0	_	_	_
4	sour	sour	ADJ	JJ	_	0	_	_	SpaceAfter=No
5	.	.	PUNCT	.	_	0	_	_	_

# text = We don't braai
1	We	we	PRON	PRP	_	0	_	_	_
2-3	don't	_	_	_	_	_	_	_	_
2	do	do	AUX	VBP	_	0	_	_	_
3	n't	not	PART	RB	_	0	_	_	_
4	braai	braai	VERB	VB	_	0	_	_	_

# text = Bakkies
1	Bakkies	bakkie	NOUN	NNS	Number=Plur	0	_	_	_

"""


@pytest.fixture
def sample(tmp_path):
    path = tmp_path / "sample.conllu"
    path.write_text(SAMPLE * 10, encoding="utf-8")
    return path


def test_a_tagger_trained_from_a_sample_knows_the_sample(sample, tmp_path):
    made = train_tagger([sample], tmp_path / "mine.npz", language="en")
    score = evaluate_tagger(sample, language="en", model=made.path)

    assert (made.sentences, made.words, made.language) == (30, 100, "eng")
    assert (score.upos, score.xpos, score.lemma) == (1.0, 1.0, 1.0)
    assert score.confusions == ()
    assert score.tokens_per_second > 0


def test_what_a_teacher_tagged_teaches_tags_and_no_lemmas(sample):
    by_hand = read_conllu(sample)
    new = parse_conllu(["1\tsour\t_\tADJ\tJJ\t_\t0\t_\t_\t_",
                        "2\tqwop\t_\tADJ\tJJ\t_\t0\t_\t_\t_",
                        "3\tmaas\t_\tNOUN\tNN\t_\t0\t_\t_\t_"])  # fmt: skip
    taught = [*new] * 20
    plan = TrainingPlan(epochs=4, times_by_hand=2)
    words = ["The", "qwop", "is", "sour", "."]

    with_teacher = Tagger(train(by_hand, "eng", plan=plan, taught=taught))
    without = Tagger(train(by_hand, "eng", plan=plan))

    def found(tagger):
        return [tagger.model.tags[number].xpos for number in tagger.tag(words, [0])]

    assert found(with_teacher) == ["DT", "JJ", "VBZ", "JJ", "."]
    assert found(without) == ["DT", "NN", "VBZ", "JJ", "."]
    assert with_teacher.model.lemmas.exceptions == without.model.lemmas.exceptions
    assert with_teacher.model.tags == without.model.tags


def test_small_weights_are_left_out_as_the_plan_says(sample):
    by_hand = read_conllu(sample)

    few, many = (
        train(by_hand, "eng", plan=TrainingPlan(least_weight=least)).weights for least in (40, 1)
    )

    assert 0 < np.count_nonzero(few) < np.count_nonzero(many)
    assert np.abs(few[few != 0].astype(int)).min() > 40


def test_training_twice_gives_the_same_tagger(sample, tmp_path):
    first = train_tagger([sample], tmp_path / "first.npz", language="en")
    second = train_tagger([sample], tmp_path / "second.npz", language="en")

    assert first.size_bytes == second.size_bytes


def test_a_tagger_is_measured_from_raw_text(sample):
    score = evaluate_tagger(sample, language="en", raw=True)

    assert score.tokens_f1 == 1.0
    assert score.sentences_f1 == 1.0
    assert 0.5 < score.xpos <= 1.0


def test_wrong_tags_are_counted_as_confusions(sample, tmp_path):
    lexicon = tmp_path / "lexicon.tsv"
    lexicon.write_text("maas\tXX\tmassa\n", encoding="utf-8")

    score = evaluate_tagger(sample, language="en", lexicon=lexicon)

    assert [(c.gold, c.found, c.times) for c in score.confusions if c.found == "XX"] == [
        ("NN", "XX", 10)
    ]


def test_gold_text_has_its_spaces_and_lines():
    gold = raw_text(list(parse_conllu(SAMPLE.splitlines())))

    assert gold.paragraphs == ("The maas is sour. We don't braai", "Bakkies")


@pytest.mark.parametrize("text", ["", "no tabs here\n", "1\ttwo\tcolumns\n"])
def test_a_file_that_is_not_conllu_is_said(text, tmp_path):
    path = tmp_path / "bad.conllu"
    path.write_text(text, encoding="utf-8")

    with pytest.raises(SourceError, match=r"bad\.conllu"):
        read_conllu(path)


WORDS = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\t\n"), max_size=12)


@given(WORDS, WORDS)
def test_the_edit_between_a_word_and_its_lemma_makes_the_lemma(word, lemma):
    edit = edit_between(word, lemma)

    assert edit.apply(word) == lemma
    assert edit_from_text(edit.as_text()) == edit


def test_the_root_is_the_first_morpheme_that_carries_meaning():
    assert root_of("i[SC4]-ye[Pres]-enz[VRoot]-iw[PassExt]-a[VerbTerm]") == "enz"
    assert root_of("kanye[Conj]") == ""


def test_a_sample_is_added_to_the_shipped_tagger(tmp_path):
    sample = tmp_path / "mine.conllu"
    rows = [
        "1\tThe\tthe\tDET\tDT\t_\t0\t_\t_\t_",
        "2\tindaba\tindaba\tNOUN\tIND\t_\t0\t_\t_\t_",
        "3\tendures\tendura\tVERB\tVBZ\t_\t0\t_\t_\tSpaceAfter=No",
        "4\t.\t.\tPUNCT\t.\t_\t0\t_\t_\t_",
    ]
    sample.write_text(("\n".join(rows) + "\n\n") * 5, encoding="utf-8")

    made = train_tagger([sample], tmp_path / "mine.npz", language="en", onto="shipped")
    before = evaluate_tagger(sample, language="en")
    after = evaluate_tagger(sample, language="en", model=made.path)

    assert before.xpos < 1
    assert (after.xpos, after.upos, after.lemma) == (1.0, 1.0, 1.0)


def test_a_tagger_that_learns_on_forgets_nothing(sample, tmp_path):
    """What the shipped tagger said of other sentences it still says."""
    made = train_tagger([sample], tmp_path / "mine.npz", language="en", onto="shipped")
    text = ["The minister said on Tuesday that the new rules will not change before winter."]
    old, new = (Izwi(AnnotatorSettings("en", model))(text).xpos for model in ("", made.path))

    assert sum(a == b for a, b in zip(old, new, strict=True)) >= len(old) - 1


def test_a_sample_is_added_to_one_thing_only(sample, tmp_path):
    with pytest.raises(QueryError, match="not both"):
        train_tagger([sample], tmp_path / "x", language="en", base=[sample], onto="shipped")


def words_listed():
    names = ["bakkies", "maas", "sour"]
    rows = {
        text_hash(name): (1 + number, 2, 300_000 + number, 0) for number, name in enumerate(names)
    }
    return WordList(np.array(sorted(rows)), np.array([rows[each] for each in sorted(rows)]))


def test_a_tagger_keeps_its_word_list_and_the_tags_in_mind(sample, tmp_path):
    plan = TrainingPlan(epochs=3, keeps=("V", "MD"), attests=True, trainings=2)
    made = train(read_conllu(sample), "eng", plan=plan, listed=words_listed())
    write_model(tmp_path / "made.npz", made)
    read = read_model(tmp_path / "made.npz")
    words = ["Bakkies", "don", "sour", "maas", "is"]

    assert read.keeps == ("V", "MD")
    assert read.lemmas.attested == made.lemmas.attested != {}
    assert read.vocabulary.listed.columns.tolist() == made.vocabulary.listed.columns.tolist()
    assert Tagger(read).tag(words, [0]).tolist() == Tagger(made).tag(words, [0]).tolist()


def test_a_word_seen_nowhere_is_tagged_by_what_the_list_says_of_it():
    """Nouns of the list are of one kind, verbs of another: so is a new word of the list."""
    nouns, verbs = [f"q{c}z" for c in "bcdfg"], [f"q{c}z" for c in "hjklm"]
    lines = [f"1\t{w}\t{w}\tNOUN\tNN\t_\t0\t_\t_\t_" for w in nouns[:4]]
    lines += [f"1\t{w}\t{w}\tVERB\tVB\t_\t0\t_\t_\t_" for w in verbs[:4]]
    gold = list(parse_conllu(("\n\n".join(lines * 5) + "\n").splitlines()))
    rows = {text_hash(w): (kind, 1, kind, 0) for kind, own in ((1, nouns), (2, verbs)) for w in own}
    listed = WordList(np.array(sorted(rows)), np.array([rows[each] for each in sorted(rows)]))
    tagger = Tagger(train(gold, "eng", listed=listed))

    found = [tagger.model.tags[n].xpos for n in tagger.tag([nouns[4], verbs[4]], [0, 1])]

    assert found == ["NN", "VB"]


CASES = """\
1	mit	mit	ADP	_	_	0	_	_	_
2	der	der	DET	_	Case=Dat	0	_	_	_
3	Lampe	Lampe	NOUN	_	Case=Dat|Number=Sing	0	_	_	_

1	wo	wo	ADV	_	_	0	_	_	_
2	der	der	DET	_	Case=Nom	0	_	_	_
3	Hund	Hund	NOUN	_	Case=Nom|Number=Sing	0	_	_	_

"""


@pytest.fixture
def learnt():
    sentences = list(parse_conllu((CASES * 20).splitlines()))
    return train(sentences, "deu", plan=TrainingPlan(bits=12, learns_features=True))


def test_features_of_a_word_are_chosen_in_its_sentence(learnt, tmp_path):
    write_model(tmp_path / "deu.npz", learnt)
    words, begins = ["mit", "der", "Lampe", "wo", "der", "Hund", "mit", "der", "Tonne"], (0, 3, 6)
    for tagger in (Tagger(learnt), Tagger(read_model(tmp_path / "deu.npz"))):
        found = tagger.feats(words, tagger.tag(words, begins), begins)

        nouns = ["Case=Dat|Number=Sing", "Case=Nom|Number=Sing", "Case=Dat|Number=Sing"]
        assert found[1::3] == ["Case=Dat", "Case=Nom", "Case=Dat"]
        assert found[2::3] == nouns


def test_words_of_a_sample_added_later_have_the_features_it_says(learnt):
    line = "1\ttschüss\ttschüss\tINTJ\t_\tPolite=Infm\t0\t_\t_\t_\n\n"
    tagger = Tagger(extend(learnt, list(parse_conllu((line * 5).splitlines()))))
    words, begins = ["tschüss", "mit", "der", "Lampe"], (0, 1)

    found = tagger.feats(words, tagger.tag(words, begins), begins)

    assert found == ["Polite=Infm", "_", "Case=Dat", "Case=Dat|Number=Sing"]


def test_a_pack_made_before_gives_the_features_usual_for_a_tag(learnt, tmp_path):
    usual = {f"\t{number}": "Usual=Yes" for number in range(len(learnt.tags))}
    write_model(tmp_path / "old.npz", replace(learnt, features=None, feats=usual))
    tagger = Tagger(read_model(tmp_path / "old.npz"))

    assert tagger.feats(["der"], np.zeros(1, np.int64), (0,)) == ["Usual=Yes"]


def test_a_tagger_that_weighs_beginnings_keeps_to_it(sample, tmp_path):
    made = train(read_conllu(sample), "zul", plan=TrainingPlan(epochs=3, weighs_beginnings=True))
    plain = train(read_conllu(sample), "zul", plan=TrainingPlan(epochs=3))
    write_model(tmp_path / "made.npz", made)
    read = read_model(tmp_path / "made.npz")
    later = extend(read, read_conllu(sample), plan=TrainingPlan(epochs=1))
    words = ["Bakkies", "don", "sour", "maas", "is"]

    assert later.vocabulary.weighs_beginnings
    assert Tagger(read).tag(words, [0]).tolist() == Tagger(made).tag(words, [0]).tolist()
    assert (made.weights != plain.weights).any()
