import time

import pytest

from izwi.model.reading import MOST_WORDS, differences


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (["a"] * 9000, ["a", "b"] * 4500),
        ([str(each % 100) for each in range(9000)], [str(-each % 100) for each in range(9000)]),
    ],
    ids=["one word", "backwards"],
)
def test_no_text_takes_long(before, after):
    began = time.process_time()

    differences(before, after)

    assert time.process_time() - began < 2


def test_the_end_of_the_words_compared_is_no_difference():
    before = [str(each) for each in range(MOST_WORDS + 100)]

    found = differences(before, ["new", *before])

    assert [kind for kind, *_ in found] == ["insert", "equal"]


def test_two_texts_with_nothing_in_common_differ():
    assert differences(["a"] * 10, ["b"] * 10, most=5) == [("replace", 0, 5, 0, 5)]
