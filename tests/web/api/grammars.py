"""Whether an answer has the shape that its protocol describes."""

from functools import cache
from pathlib import Path

from lxml import etree


def assert_valid(top, name):
    """Assert that an answer follows `schemas/NAME.rng`."""
    grammar = _grammar(name)
    assert grammar.validate(top), grammar.error_log


@cache
def _grammar(name):
    return etree.RelaxNG(etree.parse(Path(__file__).parent / "schemas" / f"{name}.rng"))
