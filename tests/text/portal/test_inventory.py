from izwi.model.portal import Portal, as_toml
from izwi.text.portal.inventory import inventory
from izwi.text.portal.suggesting import suggest

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


def test_the_body_and_the_fields_are_proposed():
    found = suggest(PAGES)

    assert found.portal.body == "div.story"
    assert found.portal.title == "h1.head"
    assert found.portal.author == "span.byline"
    assert found.portal.date == "time"
    assert [rule.at for rule in found.portal.rules] == ["div.story div.promo"]
    assert any("all rights reserved" in text for text in found.template)
    assert found.covered > 0.9


def test_what_is_proposed_can_be_written_into_the_settings():
    import tomllib

    text = "[[source]]\n" + as_toml(suggest(PAGES).portal)

    (source,) = tomllib.loads(text)["source"]
    assert source["portal"]["body"] == "div.story"
    assert source["portal"]["rules"] == [{"do": "drop", "at": "div.story div.promo"}]


def test_pages_without_text_give_no_rules():
    assert suggest(["", "<p>x"]).portal == Portal()
