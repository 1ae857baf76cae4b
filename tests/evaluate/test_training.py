"""A model is trained from few pages, also if all of them are of one host."""

from dataclasses import replace

import pytest

from izwi.evaluate.gold_pages import example
from izwi.evaluate.training import TrainingOptions, held_out_marks, train, train_and_answer
from tests.evaluate.goldpages import gold_pages

SMALL = TrainingOptions(trees=3, type_trees=2, telling_trees=2, least_hosts=1)


@pytest.mark.parametrize("pages", [1, 2, 8])
@pytest.mark.parametrize("hosts", [1, 8])
def test_a_model_is_trained_from_few_pages_and_few_hosts(pages, hosts):
    chosen = list(gold_pages())[:pages]
    examples = [
        one
        for number, page in enumerate(chosen)
        if (one := example(replace(page, host=f"host{number % hosts}.example")))
    ]
    assert examples

    model = train(examples, SMALL)

    for each in examples:
        chances = model.chances(each.page)
        assert len(chances) == len(each.page)


def test_pages_are_judged_by_a_choice_that_was_learnt_from_other_hosts():
    examples = [one for page in list(gold_pages())[:6] if (one := example(page))]
    _, answered = train_and_answer(examples, SMALL)

    marks = held_out_marks(answered, len(examples), SMALL)

    assert [len(each) for each in marks] == [len(one.page) for one in examples]
    assert len(answered) > len(examples)
