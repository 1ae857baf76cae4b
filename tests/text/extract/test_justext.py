import sys

import justext as package
import pytest
from hypothesis import given
from hypothesis import strategies as st

from izwi.model.errors import MissingExtra
from izwi.text.extract.justext import Justext, JustextOptions
from tests.text.pages import LONG

PAGE = f"""<html><body>
<nav><ul><li><a href="/">Home</a></li><li><a href="/sport">Sport</a></li></ul></nav>
<h1>The bakkie</h1>
<p>{LONG}</p>
<p>Nobody had asked them, and nobody thanked them, but it passed the time until lunch.</p>
<ul><li>{LONG}</li></ul>
<blockquote><p>{LONG}</p></blockquote>
<table><tr><td>{LONG}</td><th>{LONG}</th></tr></table>
<pre>{LONG}</pre>
<footer><a href="/terms">Terms</a> <a href="/privacy">Privacy</a></footer>
</body></html>"""


def blocks_of(html, **options):
    return Justext(JustextOptions(**options))(html)


def test_main_text_is_kept_and_navigation_and_footer_are_not():
    blocks = blocks_of(PAGE)

    main = {block.text for block in blocks if block.is_main}
    other = {block.text for block in blocks if not block.is_main}
    assert {"The bakkie", LONG.strip()} <= main
    assert other == {"Home", "Sport", "Terms Privacy"}


def test_blocks_come_in_the_order_of_the_page_with_their_kinds():
    kinds = [block.kind for block in blocks_of(PAGE)]

    assert kinds == ["li", "li", "h", "p", "p", "li", "quote", "td", "td", "pre", "p"]


def test_the_class_of_justext_is_the_reason():
    blocks = {block.text: block for block in blocks_of(PAGE)}

    assert blocks[LONG.strip()].reason == "good"
    assert blocks["Terms Privacy"].reason == "bad"


def test_white_space_in_a_block_is_folded():
    (block,) = blocks_of(f"<p>A \n\t bakkie.&nbsp; {LONG}</p>")

    assert block.text == f"A bakkie. {LONG.strip()}"


@pytest.mark.parametrize(
    ("html", "text"),
    [
        pytest.param("<b>blue</b> <i>light</i>", "blue light", id="elements"),
        pytest.param("<span>blue</span>\n<a href='/x'>light</a>", "blue light", id="line-end"),
        pytest.param("<b><i>blue</i></b> <i>light</i>", "blue light", id="nested"),
        pytest.param("<b><i>blue</i> </b><i>light</i>", "blue light", id="inside"),
        pytest.param("<b>blue</b><i>light</i>", "bluelight", id="no-space"),
        pytest.param("5<sup>th</sup> light", "5th light", id="before-text"),
    ],
)
def test_words_of_neighbouring_elements_stay_apart(html, text):
    (block,) = blocks_of(f"<p>{html} {LONG}</p>")

    assert block.text == f"{text} {LONG.strip()}"


def test_html5_sections_part_blocks():
    html = f"<header>Courant</header><section>{LONG}</section><footer>Terms</footer>"

    assert [block.text for block in blocks_of(html)] == ["Courant", LONG.strip(), "Terms"]


def test_scripts_and_styles_are_no_text():
    (block,) = blocks_of(f"<style>p {{}}</style><p>{LONG}</p><script>var bakkie = 1;</script>")

    assert block.text == LONG.strip()


@pytest.mark.parametrize(
    ("html", "is_main"),
    [
        pytest.param(f"<p>{LONG}</p>", True, id="english"),
        pytest.param("<p>" + "qzx wvk jjq " * 30 + "</p>", False, id="no-stop-words"),
    ],
)
def test_a_stop_list_asks_for_function_words(html, is_main):
    (block,) = blocks_of(html, stoplist="English")

    assert block.is_main is is_main


def test_without_a_stop_list_length_decides():
    (block,) = blocks_of("<p>" + "qzx wvk jjq " * 30 + "</p>")

    assert block.is_main


@pytest.mark.parametrize(
    ("options", "is_main"),
    [
        pytest.param({}, True, id="defaults"),
        pytest.param({"length_high": 1000}, False, id="longer-good-blocks"),
        pytest.param({"length_low": 500}, False, id="longer-short-blocks"),
    ],
)
def test_options_move_the_thresholds(options, is_main):
    (block,) = blocks_of(f"<p>{LONG}</p>", **options)

    assert block.is_main is is_main


def test_link_density_is_an_option():
    html = f'<p>{LONG} <a href="/x">{LONG[:100]}</a></p>'

    assert [block.is_main for block in blocks_of(html)] == [False]
    assert [block.is_main for block in blocks_of(html, max_link_density=0.9)] == [True]


def test_an_unknown_stop_list_is_refused_with_the_known_ones():
    with pytest.raises(ValueError, match=r"'Klingon' is not one of: .*Afrikaans.*English"):
        JustextOptions(stoplist="Klingon")


@pytest.mark.parametrize(
    "html",
    [
        pytest.param("", id="nothing"),
        pytest.param(" \n ", id="spaces"),
        pytest.param("<!-- only a comment -->", id="comment"),
        pytest.param("<html></html>", id="bare"),
    ],
)
def test_a_page_without_text_has_no_blocks(html):
    assert list(blocks_of(html)) == []


def test_an_xml_declaration_is_no_hindrance():
    (block,) = blocks_of(f"<?xml version='1.0' encoding='utf-16'?><html><p>{LONG}</p></html>")

    assert block.text == LONG.strip()


@given(
    st.lists(
        st.sampled_from(
            ["<p>", "</p>", "<div>", "</table>", "<li>", "<a href='x'>", "</a>", "<!--", "<script>",
             "<td>", "&amp;", "&#0;", "&#xd800;", "<", ">", '"', "word ", LONG, "\x00", "<svg>"]
        ),
        max_size=30,
    )
)  # fmt: skip
def test_broken_markup_never_raises_and_gives_no_empty_block(parts):
    blocks = blocks_of("".join(parts))

    assert all(block.text.strip() for block in blocks)


SIMPLE = (
    PAGE.replace("<nav>", "<div>")
    .replace("</nav>", "</div>")
    .replace("<footer>", "<p>")
    .replace("</footer>", "</p>"),
    "<h1>News</h1>"
    + "".join(f"<p>{LONG[:size]}</p><h2>{LONG[:20]}</h2>" for size in (20, 90, 210, 60, 300)),
    "".join(f"<p>{LONG[:size]}</p>" for size in (300, 40, 100, 30, 20, 120, 30, 300, 10, 90)),
    f'<p>{LONG} © Courant</p><p><a href="/">{LONG}</a></p><p>{LONG[:50]}</p><p>{LONG}</p>',
)


@pytest.mark.parametrize("html", SIMPLE, ids=["page", "headings", "lengths", "links"])
@pytest.mark.parametrize("stoplist", ["", "English"])
def test_the_classes_are_those_of_the_package(html, stoplist):
    words = package.get_stoplist(stoplist) if stoplist else frozenset()
    limits = {} if stoplist else {"stopwords_low": 0, "stopwords_high": 0}
    expected = [
        ("".join(found.text.split()), found.class_type)
        for found in package.justext(f"<html><body>{html}</body></html>", words, **limits)
    ]

    blocks = blocks_of(html, stoplist=stoplist)

    # The package forgets white space between inline elements; the classes do not depend on it.
    assert [("".join(block.text.split()), block.reason) for block in blocks] == expected


@given(
    sizes=st.lists(
        st.tuples(st.integers(1, 400), st.sampled_from(["p", "h2"])), min_size=1, max_size=25
    )
)
def test_any_sequence_of_blocks_gets_the_classes_of_the_package(sizes):
    text = " ".join([LONG] * 4)
    html = "".join(f"<{tag}>{text[:size].strip() or 'a'}</{tag}>" for size, tag in sizes)
    expected = package.justext(
        f"<html><body>{html}</body></html>", frozenset(), stopwords_low=0, stopwords_high=0
    )

    assert [block.reason for block in blocks_of(html)] == [found.class_type for found in expected]


def test_a_stop_list_by_name_without_the_package_says_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "justext", None)

    with pytest.raises(MissingExtra, match=r"pip install izwi\[justext\]"):
        JustextOptions(stoplist="English")
    assert Justext(JustextOptions(stopwords=("the",)))("<p>The end.</p>")
