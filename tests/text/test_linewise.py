import pytest

from izwi.model.document import Paragraph
from izwi.text.decode import mend_mojibake
from izwi.text.linewise import clean_line, cleaned


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("One<br />two<br/>three", "One two three"),
        ("<p>One</p> two", "One two"),
        ("Use the <br> tag", "Use the <br> tag"),
        ("a &lt;b&gt;bold&lt;/b&gt; word", "a bold word"),
        ("fish &amp; chips", "fish & chips"),
        ("Ja!!!!!!!!", "Ja!!!"),
        ("wait......... what", "wait... what"),
        ("5 - 3 == 2", "5 - 3 == 2"),
        ("1 < 2 and 3 > 2", "1 < 2 and 3 > 2"),
    ],
)
def test_a_line_is_cleaned(text, expected):
    assert clean_line(text) == expected


def test_a_line_said_twice_in_a_row_is_main_text_once():
    blocks = [Paragraph(text) for text in ("one", "two", "two", "one")]

    assert [block.is_main for block in cleaned(blocks)] == [True, True, False, True]


def test_code_stays_as_it_is_written():
    block = Paragraph("x = '<b></b>' # !!!!!!", "code")

    assert cleaned([block]) == (block,)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("cafÃ© Ã© Ã¨", "café é è"),
        ("donâ€™t, canâ€™t, wonâ€™t", "don’t, can’t, won’t"),
        ("ÐŸÑ€Ð¸Ð²ÐµÑ‚", "Привет"),
        ("São João é â", "São João é â"),
        ("one Ã© only", "one Ã© only"),
        ("北京", "北京"),
    ],
)
def test_text_read_in_the_wrong_charset_is_put_right(text, expected):
    assert mend_mojibake(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        "Story continues below advertisement Bulk packs at your butcher, while stocks last.",
        "Article continues after this ad",
        "ADVERTISEMENT",
        "- Anzeige -",
        "Advertensie",
    ],
)
def test_an_advertisement_that_says_it_is_one_is_no_main_text(text):
    (block,) = cleaned([Paragraph(text)])
    assert (block.is_main, block.reason) == (False, "advertisement")


@pytest.mark.parametrize(
    ("kind", "text"),
    [
        ("h", "Werbung"),
        ("li", "Advertisement"),
        ("p", "Advertisement of the post closed on Friday."),
        ("p", "The story continues below the dam, where advertisements are forbidden."),
        ("p", "Story continues below advertisement " + "The mayor said no more. " * 20),
    ],
)
def test_text_about_advertisements_is_main_text(kind, text):
    (block,) = cleaned([Paragraph(text, kind)])
    assert block.is_main
