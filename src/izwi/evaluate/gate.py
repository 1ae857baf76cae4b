"""Floors under the quality of the default extractor; a change that sinks below one is refused.

The floors stand here and in docs/explanation/extraction.md; a test compares the two, so that no
floor is lowered without a word about it. They hold for the pages of the demo web and the pages
in tests/evaluate/goldpages.py, which were written for the project.
"""

from collections.abc import Mapping

from izwi.evaluate.extraction import Scores

EXTRACTION_FLOORS: Mapping[str, float] = {
    "f1": 0.95,
    "f05": 0.95,
    "precision": 0.94,
    "recall": 0.94,
}
# A larger share of pages under 0.5, or a page in more pieces, is refused too.
EXTRACTION_CEILINGS: Mapping[str, float] = {"under_half": 0.02, "fragments": 2.5}


def failures(scores: Scores) -> list[str]:
    """Return one sentence for each measure that is worse than it may be."""
    low = [
        f"{name} is {getattr(scores, name):.3f}, below the floor of {floor}"
        for name, floor in EXTRACTION_FLOORS.items()
        if getattr(scores, name) < floor
    ]
    high = [
        f"{name} is {getattr(scores, name):.3f}, above the ceiling of {ceiling}"
        for name, ceiling in EXTRACTION_CEILINGS.items()
        if getattr(scores, name) > ceiling
    ]
    return [*low, *high]
