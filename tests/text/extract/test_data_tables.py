"""Tables that belong to a text are text whole; those that lay a page out are not."""

import numpy as np
import pytest

from izwi.text.blocks import segment
from izwi.text.extract.data_tables import with_data_tables

SAID = "The match was decided in the last minute, when the goalkeeper came out of his area."
HEAD = "<tr><th>Club</th><th>Points</th></tr>"
ROWS = "".join(f"<tr><td>Bergsig {at}</td><td>{30 - at}</td></tr>" for at in range(5))
TABLE = f"<table>{HEAD}{ROWS}</table>"
BARE = f"<table>{ROWS}</table>"
STORY = f"<p>{SAID}</p><p>{SAID} So it was.</p>"


def _cells(html: str, chance: float) -> list[bool]:
    page = segment(f"<body><main>{html}</main></body>")
    marks = np.array([SAID in text for text in page.texts])
    chances = np.where(marks, 0.9, chance).astype(np.float32)

    found = with_data_tables(page, chances, marks)

    are_cells = np.array([text[:7] in ("Bergsig", "Club", "Points") for text in page.texts])
    are_cells |= np.array([text.isdigit() for text in page.texts])
    assert found[~are_cells].tolist() == marks[~are_cells].tolist()
    return found[are_cells].tolist()


@pytest.mark.parametrize(
    ("html", "chance", "is_text"),
    [
        (f"<h2>Standings</h2>{TABLE}{STORY}", 0.45, True),
        (f"{STORY}{TABLE}", 0.45, True),
        (f"{STORY}{TABLE}", 0.3, False),
        (f"{STORY}{BARE}", 0.45, False),
        (f"{STORY}{BARE}{STORY}", 0.55, True),
        (f"{STORY}{BARE}{STORY}", 0.45, False),
        (f"{TABLE}{'<p>Menu</p>' * 9}{STORY}", 0.45, False),
        (f"<aside>{TABLE}</aside>{STORY}", 0.55, False),
        (f"<table><tr><td>{TABLE}</td></tr></table>{STORY}", 0.45, True),
    ],
    ids=["above", "below", "unlikely", "without-heads", "between", "unlikely-between", "far-away",
         "set-apart", "in-a-layout"],
)  # fmt: skip
def test_tables_among_the_text_are_text_whole(html, chance, is_text):
    cells = _cells(html, chance)

    assert cells
    assert set(cells) == {is_text}


def test_a_table_of_links_is_no_text():
    linked = ROWS.replace("<td>Bergsig", "<td><a href='/club'>Bergsig").replace(
        "</td><td>", "</a></td><td>"
    )

    assert set(_cells(f"{STORY}<table>{HEAD}{linked}</table>{STORY}", 0.55)) == {False}
