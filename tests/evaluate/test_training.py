"""A model is trained from few pages, also if all of them are of one host."""

from dataclasses import replace

import pytest

from izwi.evaluate.examples import example
from izwi.evaluate.training import TrainingOptions, train
from tests.evaluate.goldpages import gold_pages

SMALL = TrainingOptions(first_trees=3, second_trees=3, type_trees=2, least_hosts=1)


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
        chances, _ = model.answers(each.page)
        assert len(chances) == len(each.page)
