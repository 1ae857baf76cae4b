import numpy as np
import pytest

from izwi.model.document import PAGE_TYPES
from izwi.text.blocks import segment
from izwi.text.extract.corrections import (
    with_code,
    with_tables,
    without_invitations,
    without_notices,
)

ASKING = (
    "We use cookies so that the site works as you expect, and our partners count you with them."
)
SAID = "The ferry was late again on Monday, said the harbour master, who had waited since dawn."


@pytest.mark.parametrize(
    ("html", "chance", "is_text"),
    [
        (f"<p>{SAID}</p><p>{SAID} So it was.</p><div>{ASKING}</div>", 0.6, False),
        (f"<p>{SAID}</p><p>{SAID} So it was.</p><div>{ASKING}</div>", 0.8, True),
        (f"<main><p>{SAID}</p><p>{SAID} So it was.</p><div>{ASKING}</div></main>", 0.6, True),
        (f"<p>Cookies</p><div>{ASKING}</div><p>{ASKING} You may refuse.</p>", 0.6, True),
    ],
    ids=["a-notice", "a-sure-block", "inside-the-text", "a-page-about-them"],
)
def test_an_unsure_block_about_cookies_beside_a_text_is_a_notice(html, chance, is_text):
    page = segment(f"<body>{html}</body>")
    marks = np.ones(len(page), dtype=bool)

    left = without_notices(page, np.full(len(page), chance, dtype=np.float32), marks)

    assert left.all() == is_text
    assert left.sum() >= len(page) - 1


INVITING = "<p>Get the best stories from the harbour every Friday morning.</p>"
FORM = "<form><input type=email><button>Subscribe</button></form>"
STORY = f"<p>{SAID}</p><p>{SAID} So it was.</p><p>{SAID} Nobody knew why.</p>" * 2


@pytest.mark.parametrize(
    ("html", "chance", "is_text"),
    [
        (f"{STORY}<div>{INVITING}{FORM}</div>", 0.55, False),
        (f"{STORY}<div>{INVITING}{FORM}</div>", 0.7, True),
        (f"{STORY}<div>{INVITING}</div>", 0.55, True),
        (f"<form>{STORY}<div>{INVITING}</div><button>Search</button></form>", 0.55, True),
        (f"<div>{STORY}{INVITING}{FORM}</div>", 0.55, True),
        (f"<div>{INVITING}{FORM}</div>", 0.55, True),
    ],
    ids=["an-invitation", "sure", "no-form", "a-page-in-a-form", "in-a-long-text", "all-there-is"],
)
def test_unsure_text_in_a_small_element_with_a_form_is_an_invitation(html, chance, is_text):
    page = segment(f"<body><main>{html}</main></body>")
    is_said = np.array([text not in ("Subscribe", "Search") for text in page.texts])
    inviting = np.array(["every Friday" in text for text in page.texts])
    chances = np.where(inviting, chance, 0.9).astype(np.float32)

    left = without_invitations(page, chances, is_said)

    assert left[inviting].all() == is_text
    assert left[is_said & ~inviting].all()


CODE = "<pre>speed = 12\nengine = 'old'</pre>"


@pytest.mark.parametrize(
    ("html", "is_text"),
    [
        (f"<p>{SAID}</p>{CODE}<p>{SAID} So it was.</p>", True),
        (f"<p>{SAID}</p>{CODE}", False),
        (f"{CODE}<p>{SAID}</p>", False),
        (f"<p>{SAID}</p>{'<p>Menu</p>' * 7}{CODE}<p>{SAID} So it was.</p>", False),
        (f"<p>{SAID}</p><div hidden>{CODE}</div><p>{SAID} So it was.</p>", False),
        (CODE, False),
    ],
    ids=["between", "below", "above", "far-from-it", "hidden", "alone"],
)
def test_code_between_blocks_of_the_text_is_text(html, is_text):
    page = segment(f"<body>{html}</body>")
    marks = np.array([text.startswith("The ferry") for text in page.texts])

    found = with_code(page, marks)

    is_code = np.array([text.startswith("speed") for text in page.texts])
    assert found[is_code].tolist() == [is_text]
    assert found[~is_code].tolist() == marks[~is_code].tolist()


OPTIONS = "<tr><td>--quiet</td><td>Say nothing</td></tr>"


@pytest.mark.parametrize(
    ("times", "sort", "chance", "html", "is_text"),
    [
        (60, "documentation", 0.3, OPTIONS, True),
        (60, "documentation", 0.1, OPTIONS, False),
        (6, "documentation", 0.3, OPTIONS, False),
        (60, "article", 0.3, OPTIONS, False),
        (60, "documentation", 0.3, f"<div hidden>{OPTIONS}</div>", False),
    ],
    ids=["a-manual", "its-menu", "a-short-one", "an-article", "hidden"],
)
def test_the_tables_of_a_long_manual_are_its_text(times, sort, chance, html, is_text):
    table = html.replace("<tr>", "<table><tr>").replace("</tr>", "</tr></table>")
    page = segment(f"<body>{f'<p>{SAID}</p>' * times}{table}<p>{SAID}</p></body>")
    marks = np.array([text.startswith("The ferry") for text in page.texts])
    chances = np.where(marks, 0.9, chance).astype(np.float32)
    types = np.array([0.6 if name == sort else 0.1 for name in PAGE_TYPES], dtype=np.float32)

    found = with_tables(page, chances, marks, types)

    assert found[marks].all()
    assert found[~marks].tolist() == [is_text] * 2
