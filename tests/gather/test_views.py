"""Views that wikis make of every page are left alone; pages, lists of pages and others are not."""

import pytest

from izwi.gather.traps import Traps
from izwi.gather.views import is_view
from izwi.store.catalog import Catalog

VIEWS = (
    "w/index.php?action=history&title=Rain", "w/index.php?title=Rain&oldid=4711",
    "w/index.php?diff=prev&oldid=4711&title=Rain", "wiki/Rain?action=edit",
    "wiki/Rain?veaction=edit",
    "wiki/Special:WhatLinksHere/Rain", "wiki/Spezial:Beitr%C3%A4ge/Anna",
    "wiki/Spesiaal:Wysigings/Reën",
    "w/index.php?title=Special:RecentChanges&days=30", "wiki/特別:最近の更新?limit=50",
    "w/index.php?printable=yes&title=Rain", "w/index.php?title=Special:UserLogin&returnto=Rain",
)  # fmt: skip
PAGES = (
    "wiki/Rain", "w/index.php?title=Rain", "wiki/Talk:Rain", "wiki/Category:Weather?from=M",
    "wiki/Special:AllPages", "w/index.php?title=Special:AllPages&from=Rain",
    "wiki/Special:AllPages/R",
    "index.php?title=Rain&action=view", "wiki/Special", "news/Special:Offer/2024",
    "list?action=edit",
    "index.php?action=show&id=4", "index.php?action=profile;u=7", "index.php?diff=2", 
    "w/rain?action=edit",
    "story?oldid=4", "history/diff/4", "wiki/Rain?diff=none",
)  # fmt: skip


@pytest.mark.parametrize("path", VIEWS)
def test_views_of_a_wiki_are_left_alone_and_named(tmp_path, path):
    url = f"http://a.example/{path}"
    with Catalog.write(tmp_path / "catalog.sqlite") as catalog:
        verdict = Traps(catalog).verdict(url)
        opened = Traps(catalog, frozenset({verdict.detail}))

        assert (verdict.reason, verdict.detail.partition("/")[0]) == ("view", "a.example")
        assert opened.verdict(url) is None


@pytest.mark.parametrize("path", PAGES)
def test_pages_and_lists_of_pages_are_no_views(path):
    assert not is_view(f"http://a.example/{path}")
