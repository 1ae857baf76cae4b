"""Sites of kinds nobody tuned anything for: every page that is a document once, and no other."""

import pytest

from tests.gather.site_kinds import FOOTER, HOST, KINDS, ROOT
from tests.gather.small_sites import evaluated, site

# How much of the text a reader finds, at least; what lacks are prices, names beside posts, lines
# of recipes that stand in others too.
FLOORS = {
    "forum_of_three_templates": 0.93,
    "forum_with_forms": 0.9,
    "wiki": 0.95,
    "shop": 0.95,
    "recipes": 0.92,
    "questions": 0.96,
    "letters_to_a_list": 0.97,
    "posts_to_fill": 0.97,
    "shouts": 0.98,
    # What a song says again is kept once.
    "songs": 0.74,
}


@pytest.mark.parametrize("kind", KINDS)
def test_a_site_of_any_kind_becomes_a_true_corpus(web, hosts, make, kind):
    made = KINDS[kind]()
    hosts[HOST] = site(made.pages)
    corpus = make({"type": "crawl", "seeds": [f"{ROOT}/"]})
    corpus.gather(proxy=web.proxy_url)
    corpus.build()

    truth = evaluated(corpus, made.gold)

    assert truth.kept == truth.gold, truth.reasons
    assert truth.f1 >= FLOORS.get(kind, 0.99)
    assert (truth.others_kept, truth.owned_by_others, truth.twice) == (0, 0, 0)
    assert truth.titles in (1.0, None)
    # What stands below every page is text once at most.
    assert corpus.concordance(" ".join(FOOTER.split()[:6])).hits <= 1
