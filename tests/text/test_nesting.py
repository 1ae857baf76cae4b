"""What is written without a parser is what a parser writes, to the last byte."""

import random

import pytest
from selectolax.lexbor import LexborHTMLParser

import izwi.kernels.nesting
from izwi.kernels import groups
from izwi.text import nesting
from izwi.text.blocks import _title, _visible
from izwi.text.nesting import written
from izwi.text.stripped_html import lean
from tests.kernels.interpreted import interpreted
from tests.text.test_lean import PIECES

NAMES = (
    "p", "div", "ul", "ol", "li", "dl", "dt", "dd", "b", "i", "a", "font", "nobr", "span", "h1",
    "h2", "table", "tbody", "thead", "tr", "td", "th", "caption", "colgroup", "col", "form",
    "button", "select", "option", "optgroup", "pre", "textarea", "object", "center", "article",
    "noscript", "head", "body", "html", "title", "br", "hr", "img", "input", "svg", "path",
    "template", "label", "address", "script", "style", "link", "iframe", "x-box", "blockquote",
)  # fmt: skip
TEXTS = (
    "word ", "Other\n", " ", "\n", "a\r\nb", "&amp;", "&copy", "&copy;", "&nbsp;", "&#8217;",
    "&#146;", "&#xe9;", "&shy;", "&notit;", "& b", "&unknown;", "\u00a0", "caf\u00e9", "so\u00adft",
    "< 3", "</>", "</ x>", "<!x>", "<?xml y?>", "<?php z?>", "<!---->", "<!doctype html>",
    "<input type=HIDDEN>", "<lineargradient id=a />", "<path d=1 />", '<p class="a" CLASS=b id>',
    "<a href='?a=1&copy=2&lt=3&amp;b&reg'>", "<body class=late>", "<html id=late>",
    "</body></html>",
    "<table><form><input type=hidden>", "<table><tr><td>x</table>", "</br>", "\x00", "\u200b",
)  # fmt: skip
TAGS = (*(f"<{name}>" for name in NAMES), *(f"</{name}>" for name in NAMES))


def soups(number):
    """Return pages put together by chance, the same every time: some of tags that close."""
    chance = random.Random(number)
    for _ in range(number):
        pieces = []
        for _ in range(chance.randrange(30)):
            way = chance.random()
            if way < 0.35:
                name = chance.choice(NAMES)
                pieces.append(f"<{name}>{chance.choice(TEXTS)}</{name}>")
            else:
                pieces.append(chance.choice(TAGS if way < 0.7 else (*TEXTS, *PIECES)))
        chance.shuffle(pieces)
        yield lean("".join(pieces).encode()).markup


def parsed(markup):
    page = LexborHTMLParser(markup)
    return (page.html or "").encode(), _title(page)


def test_made_pages_are_written_as_a_parser_writes_them_or_not_at_all():
    read = 0
    for markup in soups(4_000):
        found = written(markup)
        if found:
            read += 1
            assert (found.markup, found.title) == parsed(markup), markup
            assert found.may_hide or _visible(found.markup) == found.markup, markup
    assert read > 1_000


@pytest.mark.parametrize(
    "page",
    [
        "",
        "<!DOCTYPE html><title> A &amp; B </title><p class=a>One<p>two",
        "<!doctype html public '-//W3C//DTD HTML 3.2//EN'><P ALIGN=left ID=x>old",
        "<!doctype html><p>a<table><tr><td>x",
        "<p>a<table><tr><td>x</table>b",
        "<ul><li>a<li>b<ul><li>c</ul></ul><dl><dt>a<dd>b<dt>c</dl>",
        "<table><tr><td>a<td>b<tr><th>c<tfoot><tr><td>d</table>",
        "<table><caption>a<col><thead><tr><td>x</caption><tr><td>y</td></tr></table>",
        "<b>one<p>two</b>three<p>four",
        "<font size=1><div><p>a</font>b</div>c",
        "<a href=x>one<a href=y>two<div><a href=z>three</div>four",
        "<p><b class=x>a<p>b</b>c<i>d<p>e",
        "<head><noscript><img></noscript></head><body class=late>x",
        "<svg><lineargradient/><title>drawn</title><path class=x /></svg><title>late</title>",
        "<template><p>a</template><p>b<template><li>c</template>",
        "<select><optgroup><option>a<option>b<optgroup><option>c</select>",
        "</head> \n<script>x</script> <body id=a>b</body> <!-- c --></html> <!-- d -->\n",
        "<pre>\n\n a\n</pre><textarea>\nx</textarea>&#x2014;&Eacute;&eacute;&hellip;&nbsp;",
    ],
)
def test_what_most_pages_have_needs_no_parser(page):
    markup = lean(page.encode()).markup

    found = written(markup)

    assert found
    assert (found.markup, found.title) == parsed(markup)


@pytest.mark.parametrize(
    "page",
    [
        "<table>text<tr><td>x</table>",
        "<b><span><p>x</b>",
        "<math><mi>x",
        "<div>" * 300,
        "<form><div></form>x",
        "<svg><p>x",
        "\x00",
        "<title>" + "</t" * 9_000,
    ],
)
def test_what_needs_a_parser_is_left_to_it(page):
    assert written(lean(page.encode()).markup) is None


@pytest.mark.parametrize(
    "piece",
    ["<b><p>", "<b></p>", "<i><div></i>x", "<p>", "<b>" * 3 + "<p>", "<body class=a>", "</p>"],
)
def test_no_page_grows_without_bounds(piece):
    markup = lean(piece.encode() * 20_000).markup

    found = written(markup)

    assert found is None or len(found.markup) <= 2 * len(markup) + 1024


def filled(module, markup):
    """Return what a pass writes, and where the title begins."""
    room = bytearray(2 * len(markup) + 1024)
    tables = [tuple(map(memoryview, made())) for made in (nesting._names, nesting._references)]
    size, *rest = module.nested(markup, room, *tables, *nesting._stacks())
    return bytes(room[: max(size, 0)]), size, rest


def test_the_pass_is_the_same_interpreted():
    plain = interpreted("nesting")

    for markup in soups(150):
        assert filled(izwi.kernels.nesting, markup) == filled(plain, markup)


def test_a_pass_without_room_is_an_error_or_writes_nothing():
    tables = nesting._names(), nesting._references()

    size, *_ = izwi.kernels.nesting.nested(b"<p>word", bytearray(8), *tables, *nesting._stacks())

    assert size == -1
    stacks = [stack[: groups.MOST_FORMATS // 2] for stack in nesting._stacks()]
    with pytest.raises(IndexError):
        izwi.kernels.nesting.nested(b"<p>word", bytearray(90), *tables, *stacks)
