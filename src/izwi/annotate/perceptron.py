"""Choosing a tag for each word, and learning to: an averaged perceptron over hashed features.

Plain functions, fit to be compiled. Words are tagged from left to right; the two tags before a
word are features too. `rows` are the rows of weights a word looks at; the row behind the last
(mask + 1) holds zeros and stands for a feature that is left out.
"""

import numpy as np

from izwi.annotate.features import CLASS, DYNAMIC, ENDING, STATIC, WORD, Array, mixed


def tag_features(
    last: int, before_last: int, facts: Array, row: int, mask: int, rows: Array
) -> None:
    """Write the rows of weights that depend on the two tags before a word."""
    here, after = facts[row], facts[row + 1]
    rows[STATIC] = mixed(last, 101) & mask
    rows[STATIC + 1] = mixed(mixed(last, before_last), 102) & mask
    rows[STATIC + 2] = mixed(mixed(last, here[WORD]), 103) & mask
    rows[STATIC + 3] = mixed(mixed(last, after[WORD]), 104) & mask
    rows[STATIC + 4] = mixed(mixed(last, here[CLASS] * 4096 + after[CLASS]), 105) & mask
    rows[STATIC + 5] = mixed(mixed(last, here[ENDING + 3]), 106) & mask
    rows[STATIC + 6] = mixed(mixed(mixed(last, before_last), here[CLASS]), 107) & mask
    rows[STATIC + 7] = mixed(mixed(before_last, here[WORD]), 108) & mask


def add_scores(weights: Array, rows: Array, scores: Array) -> None:
    """Write the sum of the weights of each tag."""
    tags = len(scores)
    for tag in range(tags):
        scores[tag] = 0
    for number in range(len(rows)):
        row = weights[rows[number]]
        for tag in range(tags):
            scores[tag] += row[tag]


def best_but(scores: Array, excluded: int) -> int:
    """Return the tag with the highest score, one left out."""
    best = 0 if excluded != 0 else 1
    for tag in range(len(scores)):
        if tag != excluded and scores[tag] > scores[best]:
            best = tag
    return best


def tag_words(
    features: Array,
    facts: Array,
    sentences: Array,
    fixed: Array,
    weights: Array,
    scores: Array,
    rows: Array,
    mask: int,
    tags: Array,
) -> None:
    """Write the best tag of every word; words with a fixed tag keep it."""
    for number in range(len(sentences) - 1):
        last, before_last = -1, -1
        for word in range(sentences[number], sentences[number + 1]):
            tag = fixed[word]
            if tag < 0:
                for place in range(STATIC):
                    rows[place] = features[word, place]
                tag_features(last + 1, before_last + 1, facts, word + 2, mask, rows)
                add_scores(weights, rows, scores)
                tag = best_but(scores, -1)
            tags[word] = tag
            before_last, last = last, tag


def correct(
    weights: Array, sums: Array, rows: Array, none: int, right: int, wrong: int, step: float
) -> None:
    """Move the weights of one word towards the right tag."""
    for place in range(len(rows)):
        row = rows[place]
        if row != none:
            weights[row, right] += 1
            weights[row, wrong] -= 1
            sums[row, right] += step
            sums[row, wrong] -= step


def leave_out(rows: Array, share: float, none: int) -> None:
    """Leave out each feature with some chance, so that no single one is relied upon."""
    for place in range(len(rows)):
        if np.random.random() < share:
            rows[place] = none


def learn(
    features: Array,
    facts: Array,
    sentences: Array,
    order: Array,
    gold: Array,
    weights: Array,
    sums: Array,
    scores: Array,
    rows: Array,
    mask: int,
    plan: tuple[float, float],
    step: float,
) -> float:
    """Go once through the sentences, correcting the weights, and return the steps made.

    `plan` holds the share of features left out and the margin that counts as sure.
    """
    share, margin = plan
    for number in order:
        last, before_last = -1, -1
        for word in range(sentences[number], sentences[number + 1]):
            for place in range(STATIC):
                rows[place] = features[word, place]
            tag_features(last + 1, before_last + 1, facts, word + 2, mask, rows)
            leave_out(rows, share, mask + 1)
            add_scores(weights, rows, scores)
            right = gold[word]
            other = best_but(scores, right)
            if scores[right] - scores[other] <= margin:
                correct(weights, sums, rows, mask + 1, right, other, step)
            step += 1
            before_last, last = last, right if scores[right] > scores[other] else other
    return step


def seed(number: int) -> None:
    """Make the features left out the same in every training."""
    np.random.seed(number)


def choose(features: Array, weights: Array, scores: Array, chosen: Array) -> None:
    """Write the best class of each row of features, each on its own."""
    for item in range(len(features)):
        add_scores(weights, features[item], scores)
        chosen[item] = best_but(scores, -1)


def learn_choices(
    features: Array,
    order: Array,
    gold: Array,
    weights: Array,
    sums: Array,
    scores: Array,
    rows: Array,
    none: int,
    plan: tuple[float, float],
    step: float,
) -> float:
    """Go once through single items, correcting the weights, and return the steps made."""
    share, margin = plan
    for item in order:
        for place in range(len(rows)):
            rows[place] = features[item, place]
        leave_out(rows, share, none)
        add_scores(weights, rows, scores)
        other = best_but(scores, gold[item])
        if scores[gold[item]] - scores[other] <= margin:
            correct(weights, sums, rows, none, gold[item], other, step)
        step += 1
    return step


ROWS = STATIC + DYNAMIC
# The modules whose functions are called, and our own, callees first: so they are compiled.
CALLS = ("izwi.annotate.features",)
KERNELS = (
    "tag_features", "add_scores", "best_but", "tag_words", "correct", "leave_out", "learn", "seed",
    "choose", "learn_choices",
)  # fmt: skip
