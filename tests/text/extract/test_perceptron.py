import numpy as np
import pytest

from izwi.evaluate.extraction import cutoffs_on, held_out_cutoffs
from izwi.evaluate.gold_pages import GoldPage, example
from izwi.evaluate.training import NetworkOptions, train_network
from izwi.model.scores import best_cutoff
from izwi.testing import check_extractor
from izwi.text.blocks import segment
from izwi.text.extract.perceptron import (
    NINE,
    Perceptron,
    PerceptronOptions,
    nine,
    read_network,
    write_network,
)

SENTENCE = "The old bakkie went slowly up the pass while the farmer counted his sheep again. "
MENU = "".join(f'<li><a href="/{word}">{word}</a></li>' for word in ("Home", "News", "Sport", "X"))


def gold(number):
    words = SENTENCE * (2 + number % 3)
    html = (
        f"<ul>{MENU}</ul><p>{words}</p><p>{SENTENCE}</p><div><span><b>© {number}</b></span></div>"
    )
    return GoldPage(html, f"{words}\n{SENTENCE}", str(number), f"host{number}")


@pytest.fixture(scope="module")
def examples():
    return [example(gold(number)) for number in range(24)]


def test_it_conforms():
    assert check_extractor(Perceptron) is None


def test_each_paragraph_has_nine_numbers():
    rows = nine(segment(f"<ul>{MENU}</ul><p>{SENTENCE}</p>"))

    assert rows.shape == (5, len(NINE))
    assert np.isfinite(rows).all()
    shares = rows[:, [0, 1, 2, 5, 6, 7, 8]]
    assert ((shares >= 0) & (shares <= 1)).all()
    # Text that carries little markup, and lies at the end of the page's text.
    assert rows[-1, 0] > rows[0, 0]
    assert rows[-1, 8] > rows[0, 8]


def test_training_tells_text_from_menus(examples):
    network = train_network(examples, NetworkOptions(steps=300))

    best = best_cutoff(cutoffs_on(examples, network))
    assert best.accuracy > 0.9
    assert best.f1 > 0.9


def test_figures_come_from_hosts_that_were_not_trained_on(examples):
    trained_on = []

    def train(chosen):
        trained_on.extend(one.host for one in chosen)
        return train_network(chosen, NetworkOptions(steps=50))

    cutoffs = held_out_cutoffs(examples, train)

    assert 0 < len(set(trained_on)) < len(examples)
    assert [one.cutoff for one in cutoffs] == [number / 20 for number in range(1, 20)]


def test_a_network_comes_back_from_its_file(examples, tmp_path):
    network = train_network(examples, NetworkOptions(steps=20))
    path = tmp_path / "mine.npz"
    path.write_bytes(write_network(network))
    page = examples[0].page

    assert np.array_equal(read_network(path.read_bytes()).chances(page), network.chances(page))
    blocks = Perceptron(PerceptronOptions(model=str(path), cutoff=0.5))(gold(1).html)
    assert all(block.reason.startswith("value ") for block in blocks)


def test_the_cutoff_decides(examples):
    html = gold(1).html

    strict = Perceptron(PerceptronOptions(cutoff=0.99))(html)
    lenient = Perceptron(PerceptronOptions(cutoff=0.01))(html)
    assert sum(b.is_main for b in strict) < sum(b.is_main for b in lenient)
    with pytest.raises(ValueError, match="not between 0 and 1"):
        PerceptronOptions(cutoff=1.5)
