import unicodedata

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from izwi.text.blocks import segment, segment_lean
from izwi.text.decode import as_page, tidy
from izwi.text.stripped_html import (
    COMPOSES,
    CONTROL,
    lean,
    letters_outside_tags,
    suspects,
    without_hostility,
)

MANY = 30_000
PIECES = (
    "<p>", "</p>", "<div class='a b' data-x=1 id=main>", "</div>", "word ", "Other\n\n  ", "<b>",
    "</b>", "<a href='/x?a=1&amp;b' onclick=\"go('>')\">", "</a>", "<br/>", "<!-- no > no -->",
    "<!-->", "<!--->", "<!-- no --!>", "<script>if (a<b) '</p>'</script>",
    "<style>p > b {}</style>", "<ul><li>one",
    "<table><tr><td>", "<input type=hidden>", "<svg><path d='M 1'/><style/></svg>", "<svg>",
    "</svg>", "<![CDATA[x > y]]>", "<textarea><p>x</textarea>", "<title>A &amp; B</title>",
    "<p style='display: none'>", "<p hidden>", "<iframe><p></iframe>", "< 3 >", "</>", "</ x>",
    "<?php x ?>", "<!doctype html>", "<h1 =a b = c / d>", "&nbsp;&eacute;", "<noscript>",
    "</noscript>", "<pre>\n\n  a\n</pre>", "<select><option>x</select>", "<P CLASS=Big>", "<",
    "<svg a=/>", "<p", "<p title='",
    "<math><mi>x</mi></math>", "<font color=red>", "<template><p>x</template>",
)  # fmt: skip


def blocks_of(page):
    return (
        page.title,
        [(block.text, block.kind, block.node, block.links, block.formats) for block in page.blocks],
        [(node.parent, node.tag, node.flags, node.depth) for node in page.nodes],
        page.names.tolist(),
    )


@given(st.lists(st.sampled_from(PIECES), max_size=40).map("".join))
@example("<p>foo<!-- no -->Bar")
@example("<p>a<script>'<!--'</script>b")
@example("<svg><style><p></style><p>in")
def test_a_lean_page_has_the_same_blocks(html):
    assert blocks_of(segment_lean(html)) == blocks_of(segment(html))


@given(st.binary(max_size=300))
def test_any_bytes_are_read(raw):
    assert len(lean(raw).markup) <= 2 * len(raw) + 16
    assert without_hostility(raw).count(b">") <= raw.count(b">")


def test_scripts_that_name_scripts_in_comments_are_left_out_whole():
    page = "<p>One<script><!--\ndocument.write('<script></script>'); //--></script><p>two"

    assert segment_lean(page).texts == ["One", "two"]


def test_only_what_lies_too_deep_loses_its_tags():
    page = "<div>" * MANY + "deep" + "</div>" * MANY + "<b>after</b>"

    found = as_page(page).text

    assert found == "<div>" * 1000 + "deep" + "</div>" * 1000 + "<b>after</b>"


@pytest.mark.parametrize(
    "piece",
    [
        "<span><div></span>",
        "<span><div></span></div>",
        "<span><div></span></x>",
        "<rt>",
        "<optgroup>",
    ],
)
def test_end_tags_that_parsers_overlook_do_not_hide_how_deep_a_page_is(piece):
    assert lean(piece.encode() * 10_000).is_hostile


def test_what_closes_itself_in_a_drawing_does_not_where_the_drawing_holds_a_page():
    assert lean(b"<svg><foreignObject>" + b"<div/>" * 10_000).is_hostile
    assert not lean(b"<svg><desc>a</desc>" + b"<path/>" * 10_000 + b"</svg>").is_hostile


def test_end_tags_of_nothing_do_not_hide_how_deep_a_page_is():
    assert as_page("<div></x>" * MANY).text.count("<div>") == 1000


@pytest.mark.parametrize("piece", ["<tr><td>x", "<b>x</b>", "<br>", "<p>a<i>b</i>"])
def test_long_pages_stay_as_they_are(piece):
    assert as_page(piece * MANY).text == piece * MANY


def test_attributes_beyond_count_are_left_out():
    page = "<p " + " ".join(f'a{n}="<"' for n in range(MANY)) + ">text</p>"

    found = as_page(page)

    assert found.text.startswith('<p a0="<" a1="<" ')
    assert found.text.count("=") == 200
    assert found.text.endswith('a199="<">text</p>')


def test_unfinished_tags_are_none():
    assert lean(b"<p>text<a href='" + b"<b>" * MANY).markup == b"<p>text"


@given(st.text(max_size=60))
@example("e\u0301")
@example("\u1100\u1161")
@example("\ufb1d\U0002f800")
def test_what_is_not_suspect_is_tidy(text):
    # Long texts are looked at by compiled code, short ones are not.
    long = text + "x" * 2_000
    raw = text.encode("utf-8", "surrogatepass")
    assert (suspects(raw) > 0) or tidy(text) == text
    assert tidy(long) == tidy(text) + "x" * 2_000
    assert (suspects(raw) & COMPOSES) or unicodedata.is_normalized("NFC", text)


def test_suspects_are_told_apart():
    assert suspects(b"tabs\t and ends\r\n") == 0
    assert suspects(b"abcdefgh\x7f") == CONTROL
    assert suspects("0123456\u0300 \x01".encode()) == CONTROL | COMPOSES
    assert suspects("\U0001f600 \u4e2d\u6587 \u0436".encode()) == 0


def test_letters_are_counted_outside_tags_and_scripts():
    assert letters_outside_tags(b"<p class=x>ab<style>p{}</style>\xe9<b>c") == (3, 1)
    assert letters_outside_tags(b"<script>x" * 3) == (3, 0)
    assert letters_outside_tags(b"<" * 100_000) == (0, 0)
