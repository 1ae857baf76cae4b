import pytest
from selectolax.lexbor import LexborHTMLParser

from izwi.model.portal import Portal, Rule, as_toml
from izwi.text.portal_rules import body_paragraphs, inventory, rewrite, suggest

TEXT = (
    "In the year {n} the old bakkie of the miller went over the pass with {n} bags of meal, and "
    "nobody in the valley had seen so many bags before. The miller said that {n} was his number. "
)


def page(number):
    story = "".join(f"<p>{TEXT.format(n=number * 7 + step)}</p>" for step in range(4))
    return f"""<html><head><title>Story {number} of the miller</title></head><body>
<div class="menu"><a href="/">Home</a> <a href="/sport">Sport</a></div>
<div class="wrap"><h1 class="head">Story {number} of the miller</h1>
<span class="byline">By Writer {number}</span> <time datetime="2019-03-{number:02}">then</time>
<div class="story" id="story-{number}">{story}
<div class="promo">Subscribe now to the Valley Herald and never miss another word again!</div></div>
</div>
<div class="foot">The Valley Herald is published by the Valley Press, all rights reserved.</div>
</body></html>"""


PAGES = [page(number) for number in range(1, 9)]


def test_tags_are_counted_over_pages_without_their_numbers():
    found = inventory([(f"http://a.example/{n}", html) for n, html in enumerate(PAGES)])

    lines = {line.tag: line for line in found.tags}
    assert found.pages == 8
    assert lines["div.story"].count == 8
    assert lines["p"].count == 32
    assert lines["div.story"].descendants == 5
    assert lines["div.story"].text_length > lines["div.promo"].text_length
    assert len(lines["p"].samples) == 3


def test_the_merged_tree_has_each_place_once():
    found = inventory([("", html) for html in PAGES], body="div.wrap")

    places = [(line.depth, line.tag) for line in found.tree]
    assert places[0] == (0, "div.wrap")
    assert len(places) == len(set(places))
    (leaf,) = [line for line in found.tree if line.tag == "div.promo"]
    assert (leaf.count, leaf.is_leaf) == (8, True)


# A story of the house among those of the valley, on each page, that reads like the rest of it.
HOUSE = (
    "The house by the river was built when the mill was young, and the people who lived in it were "
    "known for their bread. They baked it twice a week, and then one could smell it as far "
    "as the church, where the children waited for the end of the lesson and for their share. "
)


def with_a_house(number):
    promo = f'<div class="house"><p>{HOUSE}</p><p>{HOUSE.replace("bread", "wine")}</p></div>'
    return page(number).replace('<div class="promo">', promo + '<div class="promo">')


def without_a_name(html):
    """Return a page whose author only an element with a word nobody knows holds."""
    named = html.replace('<span class="byline">By ', '<b class="authorised-by">')
    return named.replace("</span> <time", "</b> <time")


HOUSED = [with_a_house(number) for number in range(1, 9)]


def test_rules_that_better_the_text_are_proposed():
    found = suggest(HOUSED)

    assert found.portal.body == "div.story"
    assert "div.story div.house" in {rule.at for rule in found.portal.rules}
    assert any("all rights reserved" in text for text in found.template)
    assert found.covered > 0.9
    assert found.with_rules > 0.99 > found.without


def test_nothing_is_proposed_where_the_extractor_is_right():
    found = suggest(PAGES)

    assert found.portal == Portal()
    assert found.with_rules == found.without > 0.99


def test_labels_tell_what_is_better():
    wrong = {
        at: [(line, False) for line in (HOUSE.strip(), HOUSE.replace("bread", "wine").strip())]
        for at in range(4)
    }

    found = suggest(HOUSED, wrong)

    assert found.portal.body == "div.house"
    assert (found.labelled, round(found.with_rules, 2)) == (4, 1.0)
    assert suggest(HOUSED, {0: wrong[0]}).portal == suggest(HOUSED).portal


def test_an_element_is_proposed_for_what_pages_lack_without_it():
    assert suggest(PAGES).portal.author == ""
    assert suggest([without_a_name(html) for html in PAGES]).portal.author == "b.authorised-by"


def test_what_is_proposed_can_be_written_into_the_settings():
    import tomllib

    text = "[[source]]\n" + as_toml(suggest(HOUSED).portal)

    (source,) = tomllib.loads(text)["source"]
    assert source["portal"]["body"] == "div.story"
    assert {"do": "drop", "at": "div.story div.promo"} in source["portal"]["rules"]


def test_pages_without_text_give_no_rules():
    assert suggest(["", "<p>x"]).portal == Portal()


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
