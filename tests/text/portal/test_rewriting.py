import pytest
from selectolax.lexbor import LexborHTMLParser

from izwi.model.portal import Portal, Rule
from izwi.text.portal.rewriting import body_paragraphs, rewrite

PAGE = """<body><nav>Menu</nav><article><h1>Robots &amp; taxis</h1><div class="by">By Jo Zulu</div>
<time datetime="2019-03-04">long ago</time>
<div class="lead">Lead <span>with <b>bold</b></span></div>
<p class="q">A quotation</p><div class="ad">Buy</div><div class="box"><b>Facts</b></div>
<p>Plain <b>text</b></p></article></body>"""


def body_of(*rules):
    html = rewrite(LexborHTMLParser(PAGE), Portal(body="article", rules=rules)).html
    return {block.text: block.kind for block in body_paragraphs(html) if block.is_main}


def test_only_the_body_is_main_text():
    blocks = body_paragraphs(rewrite(LexborHTMLParser(PAGE), Portal(body="article")).html)

    assert [block.text for block in blocks if not block.is_main] == ["Menu"]


def test_what_is_dropped_is_gone():
    assert "Buy" not in body_of(Rule("drop", ".ad"))


def test_unwrapping_keeps_what_is_inside():
    html = rewrite(LexborHTMLParser(PAGE), Portal(rules=(Rule("unwrap", ".lead span"),))).html

    assert "Lead with <b>bold</b>" in html


def test_unwrapping_all_below_leaves_plain_text():
    html = rewrite(LexborHTMLParser(PAGE), Portal(rules=(Rule("unwrap-below", ".lead"),))).html

    assert '<div class="lead">Lead with bold</div>' in html


def test_renaming_changes_the_kind():
    assert body_of(Rule("rename", ".lead", "blockquote"))["Lead with bold"] == "quote"


def test_renaming_in_context_spares_the_rest():
    html = rewrite(LexborHTMLParser(PAGE), Portal(rules=(Rule("rename", "b", "h2", ".box"),))).html

    assert "<h2>Facts</h2>" in html
    assert "Plain <b>text</b>" in html


def test_splitting_makes_an_outer_and_an_inner_element():
    html = rewrite(
        LexborHTMLParser(PAGE), Portal(rules=(Rule("split", ".q", "blockquote p"),))
    ).html

    assert '<blockquote class="q"><p>A quotation</p></blockquote>' in html


def test_claims_are_read_before_the_rules_change_the_page():
    portal = Portal(title="h1", author=".by", date="time", rules=(Rule("drop", ".by"),))

    found = {
        claim.property: claim.value for claim in rewrite(LexborHTMLParser(PAGE), portal).claims
    }
    assert found == {
        "headline": "Robots & taxis",
        "author": "By Jo Zulu",
        "datePublished": "2019-03-04",
    }


def test_nested_elements_of_one_rule_are_each_done():
    html = rewrite(
        LexborHTMLParser("<div class=x>a<div class=x>b</div></div>"),
        Portal(rules=(Rule("unwrap", ".x"),)),
    ).html

    assert "<body>ab</body>" in html


@pytest.mark.parametrize(
    ("do", "to"),
    [("rename", ""), ("split", "p"), ("drop", "p"), ("rename", "p q"), ("rename", "<p")],
)
def test_a_rule_that_makes_no_sense_is_refused(do, to):
    with pytest.raises(ValueError, match="to = "):
        Rule(do, ".x", to)
