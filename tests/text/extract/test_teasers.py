import numpy as np
import pytest

from izwi.model.document import PAGE_TYPES
from izwi.text.blocks import segment
from izwi.text.extract.teasers import without_teasers

SAID = "The ferry was late again on Monday, said the harbour master, who had waited since dawn."
OWN = f"<p>{SAID}</p><p>{SAID} So it was.</p>"
MENU = "<ul><li><a href=/>Home</a></li><li><a href=/news>News</a></li></ul>"


def cards(*targets, day=""):
    """Return linked titles, each with the beginning of another page below."""
    return "".join(
        f"<div class=card><h3><a href='{target}'>Read of the {target} dam</a></h3>{day}"
        f"<p class=excerpt>The water in the {target} dam has sunk to a third of it</p></div>"
        for target in targets
    )


def left(html, *, page_type="article", chance=0.7):
    page = segment(f"<body>{MENU}<main>{html}</main></body>")
    marks = np.array([text not in ("Home", "News") for text in page.texts])
    types = np.array([float(name == page_type) for name in PAGE_TYPES], dtype=np.float32)
    chances = np.full(len(page), chance, dtype=np.float32)
    kept = without_teasers(page, chances, marks, types)
    return [text for text, is_kept in zip(page.texts, kept, strict=True) if is_kept]


@pytest.mark.parametrize("day", ["", "<time>3 May 2021</time>"], ids=["bare", "with-a-day"])
def test_linked_titles_with_beginnings_below_a_text_are_teasers(day):
    found = left(f"{OWN}<section><h2>More</h2>{cards('/a', '/b', '/c', day=day)}</section>")

    assert [each for each in found if "2021" not in each] == [SAID, f"{SAID} So it was."]


@pytest.mark.parametrize(
    ("html", "how"),
    [
        (f"{cards('/a', '/b', '/c')}", {}),
        (f"<p>News of dams</p>{cards('/a', '/b', '/c')}", {}),
        (f"{OWN}{cards('/a', '/b', '/c')}", {"page_type": "listing"}),
        (f"{OWN}{cards('/a', '/b', '/c')}", {"page_type": "documentation"}),
        (f"{OWN}{cards('/a', '/b', '/c')}", {"chance": 0.95}),
        (f"{OWN}{cards('#a', '#b', '#c')}", {}),
        (f"{OWN}{cards('https://a.example/1', 'https://b.example/2')}", {}),
        (f"{OWN}{cards('/a')}", {}),
        (f"{OWN}{cards('/a', '/a')}", {}),
        (f"{OWN}{cards(*(f'/{n}' for n in range(9)))}", {}),
    ],
    ids=[
        "a-list", "a-list-with-a-line-above", "called-a-list", "a-manual", "sure",
        "places-on-the-page", "pages-of-others", "only-one", "one-page-twice", "a-page-of-many",
    ],
)  # fmt: skip
def test_what_a_page_is_made_of_is_no_teaser(html, how):
    assert any("has sunk" in each for each in left(html, **how))
