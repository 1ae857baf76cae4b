"""Queries and corpora drawn by chance."""

from hypothesis import strategies as st

from izwi.query.hits import STRATEGIES
from izwi.query.tree import (
    AllOf,
    Alternatives,
    AnyOf,
    Both,
    Boundary,
    Check,
    Combined,
    Comparison,
    Either,
    Limit,
    Measured,
    Meet,
    Nested,
    Not,
    NotThat,
    Query,
    Region,
    Repeat,
    Sequence,
    Span,
    Test,
    Token,
    Union,
    labels_of,
)

VALUES = {
    "word": ("a", "A", "b", "ab", "é", "É", "e", "abc", "bca"),
    "lemma": ("a", "b", "e"),
    "tag": ("N", "V"),
}
PATTERNS = ("a", "b", "A", "e", "é", "a.*", ".*b", "a.*c", ".*", "a|b", "[ab]", "a?b+", "(a|b)c?.*",
            "N", "V", "", "x", ".*bc.*", "ab?c?", r"\w")  # fmt: skip
STRUCTURES = ("s", "p")
OPERATORS = ("=", "!=", "<", "<=", ">", ">=")

tests = st.builds(
    Test,
    attribute=st.sampled_from(list(VALUES)),
    pattern=st.sampled_from(PATTERNS),
    is_negated=st.booleans(),
    is_literal=st.just(False),
    flags=st.sampled_from(["", "", "", "c", "d", "cd"]),
)
conditions = st.recursive(
    tests,
    lambda inner: st.one_of(
        st.builds(Not, inner),
        st.lists(inner, min_size=2, max_size=3).map(lambda items: Both(tuple(items))),
        st.lists(inner, min_size=2, max_size=3).map(lambda items: Either(tuple(items))),
    ),
    max_leaves=4,
)
structure_tests = st.builds(
    Test, st.just("n"), st.sampled_from(["1", "2", ".*"]), is_negated=st.booleans()
)
boundaries = st.builds(
    Boundary, st.sampled_from(STRUCTURES), st.just(True), st.none() | structure_tests
) | st.builds(Boundary, st.sampled_from(STRUCTURES), st.just(False))
look_aheads = st.builds(Boundary, st.just(""), st.just(True), conditions)
regions = st.builds(Region, st.sampled_from(STRUCTURES), st.none() | structure_tests)
tokens = st.builds(Token, st.none() | conditions, st.sampled_from(["", "", "", "1", "2"]))


@st.composite
def repeats(draw, inner):
    least = draw(st.integers(0, 2))
    most = draw(st.none() | st.integers(max(1, least), 3))
    return Repeat(draw(inner), least, most)


patterns = st.recursive(
    st.one_of(tokens, tokens, tokens, boundaries, regions, look_aheads),
    lambda inner: st.one_of(
        st.lists(inner, min_size=2, max_size=3).map(lambda items: Sequence(tuple(items))),
        st.lists(inner, min_size=2, max_size=3).map(lambda items: Alternatives(tuple(items))),
        repeats(inner),
    ),
    max_leaves=5,
)
parts = st.recursive(
    tokens,
    lambda inner: st.one_of(
        st.builds(Meet, inner, inner, st.integers(-3, 0), st.integers(0, 3)),
        st.builds(Meet, inner, inner, structure=st.sampled_from(STRUCTURES)),
        st.builds(Union, inner, inner),
    ),
    max_leaves=3,
)
spans = st.builds(Span, st.integers(1, 4), st.sampled_from(["", "s", "p"]))
limits = st.builds(Limit, regions | patterns, st.booleans(), st.booleans()) | st.builds(
    Limit, spans
)


def global_conditions(labels):
    label = st.sampled_from([*labels, "match", "matchend"])
    attribute, operator = st.sampled_from(["word", "lemma"]), st.sampled_from(OPERATORS)
    single = st.one_of(
        st.builds(Comparison, label, attribute, label, attribute, st.booleans()),
        st.builds(Check, label, tests),
        st.builds(Measured, label, st.just(""), attribute, operator, st.integers(0, 4)),
        st.builds(Measured, label, label, st.just(""), operator, st.integers(-2, 3), st.booleans()),
    )
    return st.recursive(
        single,
        lambda inner: st.one_of(
            st.builds(NotThat, inner),
            st.lists(inner, min_size=2, max_size=2).map(lambda items: AllOf(tuple(items))),
            st.lists(inner, min_size=2, max_size=2).map(lambda items: AnyOf(tuple(items))),
        ),
        max_leaves=3,
    )


EXPANDED = ("", "", "", "s", "p", "1", "3")


@st.composite
def queries(draw, depth=2):
    """Draw a query; what limits it, or is put together, is a query of its own now and then."""
    if depth and draw(st.integers(0, 9)) == 0:
        both = (draw(queries(depth=0)) for _ in range(2))
        operator = draw(st.sampled_from(["union", "intersect", "difference"]))
        own = draw(st.lists(limits, max_size=1))
        comparisons = draw(st.lists(global_conditions(()), max_size=1))
        return Query(Combined(operator, *both), tuple(own), tuple(comparisons))
    if depth and draw(st.integers(0, 19)) == 0:
        whole = draw(queries(depth=0))
        return Query(Nested(whole), (draw(limits),))
    pattern = draw(st.one_of(patterns, patterns, patterns, parts))
    own = draw(st.lists(limits, max_size=2))
    if depth and draw(st.integers(0, 4)) == 0:
        inner = Nested(draw(queries(depth=depth - 1)))
        own.append(Limit(inner, draw(st.booleans()), draw(st.booleans())))
    labels = labels_of(pattern)
    comparisons = []
    if draw(st.booleans()) if labels else draw(st.integers(0, 5)) == 0:
        comparisons = [draw(global_conditions(labels))]
    # Tokens that meet are one hit each, whatever the strategy.
    is_part = isinstance(pattern, Meet | Union)
    strategy = "" if is_part else draw(st.sampled_from(list(STRATEGIES)))
    expand, side = draw(st.sampled_from(EXPANDED)), draw(st.sampled_from(["both", "left", "right"]))
    side = side if expand else "both"
    return Query(pattern, tuple(own), tuple(comparisons), strategy, expand, side)


@st.composite
def vertical_texts(draw):
    """Draw vertical text of some documents with paragraphs and sentences."""
    lines = []
    sentence = st.lists(
        st.tuples(*(st.sampled_from(values) for values in VALUES.values())), min_size=1, max_size=4
    )
    for _ in range(draw(st.integers(0, 3))):
        lines.append("<doc>")
        for _ in range(draw(st.integers(0, 2))):
            lines.append(f'<p n="{draw(st.integers(1, 2))}">')
            for _ in range(draw(st.integers(0, 2))):
                lines.append(f'<s n="{draw(st.integers(1, 2))}">')
                lines += ["\t".join(token) for token in draw(sentence)]
                lines.append("</s>")
                # A token outside any sentence.
                lines += ["\t".join(token) for token in draw(sentence)[:1] if draw(st.booleans())]
            lines.append("</p>")
        lines.append("</doc>")
    return "".join(f"{line}\n" for line in lines)
