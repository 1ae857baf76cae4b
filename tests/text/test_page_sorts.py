"""What a page's head, data and address say of its sort."""

import pytest

from izwi.text.blocks import segment, segment_lean
from izwi.text.page_sorts import SORT_NAMES, own_address, sorts_of


def names_of(html: str) -> set[str]:
    sorts = sorts_of(html)
    return {name for bit, name in enumerate(SORT_NAMES) if sorts >> bit & 1}


@pytest.mark.parametrize(
    ("address", "sort"),
    [
        ("https://forum.frogs.example/d/12", "at_forum"),
        ("https://frogs.example/threads/how-to-keep-frogs.99/", "at_forum"),
        ("https://frogs.example/viewtopic.php?t=4", "at_forum"),
        ("https://frogs.example/products/green-net", "at_goods"),
        ("https://shop.frogs.example/green-net", "at_goods"),
        ("https://frogs.example/category/ponds/", "at_list"),
        ("https://frogs.example/find?q=pond", "at_list"),
        ("https://docs.frogs.example/nets", "at_manual"),
        ("https://frogs.example/wiki/Pond", "at_manual"),
        ("https://frogs.example/2024/05/ponds", "at_article"),
        ("https://frogs.example/why-frogs-sing-at-night", "at_article"),
        ("https://frogs.example/", "at_front"),
        ("https://frogs.example/en-gb/", "at_front"),
    ],
)
def test_the_address_of_a_page_tells_its_sort(address, sort):
    linked = f'<head><link rel="canonical" href="{address}"></head><p>Frogs</p>'
    told = f"<head><meta content='{address}' property='og:url'></head><p>Frogs</p>"
    assert sort in names_of(linked)
    assert names_of(told) == names_of(linked)


def test_goods_within_a_collection_are_no_list():
    page = '<link rel="canonical" href="https://frogs.example/collections/nets/products/green">'
    assert names_of(page) == {"at_goods"}


@pytest.mark.parametrize(
    "html",
    [
        "",
        "<p>See the canonical forum: https://forum.frogs.example/</p>",
        '<link rel="canonical" href="/threads/12">',
        "<link rel=canonical href=https://forum.frogs.example/12>",
        '<link rel="canonical" href="https://forum.frogs.example/' + "x" * 5000 + '">',
        '<link rel="canonical" href="',
    ],
)
def test_a_page_that_does_not_say_where_it_stands_has_no_address(html):
    assert own_address(html) == ""
    assert not any(name.startswith("at_") for name in names_of(html))


def test_a_quoted_name_is_a_type_only_where_data_have_types():
    typed = '<script type="application/ld+json">{"@type": "Person", "price": "3"}</script>'
    assert names_of(typed) == {"written", "shop"}
    assert names_of(typed.replace('"@type"', '"kind"')) == set()


def test_both_ways_to_read_a_page_see_the_same_sorts():
    page = (
        '<html><head><title>T</title><link rel="canonical" href="https://a.example/threads/1/">'
        '<meta property="og:type" content="website"></head><body><p>Frogs.</p></body></html>'
    )
    assert segment(page).sorts == segment_lean(page).sorts == sorts_of(page) > 0
