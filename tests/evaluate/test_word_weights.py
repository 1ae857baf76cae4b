"""What words speak for: of a page they say what type it is, each counted by the hosts it is on."""

import numpy as np

from izwi.evaluate.gold_pages import GoldPage, example, part_of
from izwi.evaluate.word_weights import blind_leanings, leanings
from izwi.model.document import PAGE_TYPES
from izwi.text.elements import hash_of
from izwi.text.page_types import leaning_row

HOSTS = 8
TEXT = "The ferry was late again, said the master, and nobody asked why it was."
THREAD = f"<body><div class=posting><p>{TEXT}</p><p>Reply</p></div>"
SHOP = f"<body><div class=wares><p>{TEXT}</p><p>Basket</p></div>"


def pages(html, kind):
    made = [GoldPage(html, TEXT, f"{kind}{n}", f"{kind}{n}.example", kind) for n in range(HOSTS)]
    return [found for page in made if (found := example(page))]


def leaning(known, name):
    """Return the type that a word speaks for most, and whether it speaks against another."""
    values = known.values[known.hashes.tolist().index(hash_of(name))]
    return PAGE_TYPES[int(values.argmax())], bool(values.min() < 0)


def test_words_and_names_speak_for_the_type_of_pages_that_have_them():
    known = leanings([*pages(THREAD, "forum"), *pages(SHOP, "product")], 4)

    assert leaning(known.words, "reply") == ("forum", True)
    assert leaning(known.words, "basket") == ("product", True)
    assert leaning(known.names, "posting") == ("forum", True)
    # What stands on pages of all types speaks for none.
    both = leanings([*pages(THREAD, "forum"), *pages(THREAD, "product")], 4).words
    assert np.abs(both.values).max() < 0.01 < np.abs(known.words.values).max()


def test_a_new_page_is_seen_to_lean_to_its_type():
    known = leanings([*pages(THREAD, "forum"), *pages(SHOP, "product")], 4)
    page = pages("<body><table class=posting><td>Reply<td>Rain", "forum")[0].page
    names, words = leaning_row(page, known).reshape(2, -1)

    assert PAGE_TYPES[int(names.argmax())] == PAGE_TYPES[int(words.argmax())] == "forum"


def test_what_is_learnt_blind_knows_no_word_of_the_hosts_held_out():
    examples = [*pages(THREAD, "forum"), *pages(SHOP, "product")]
    others = [one for one in examples if part_of(one.host, 2)]
    alone = "<body><div class=harvest><p>Rain</p></div>"
    own = [one for one in pages(alone, "listing") if not part_of(one.host, 2)]

    without, with_own = blind_leanings([*others, *own], 2, 1)

    assert own
    assert hash_of("harvest") not in without.names.hashes
    assert hash_of("harvest") in with_own.names.hashes


def test_pages_of_no_known_type_teach_none():
    known = leanings([*pages(THREAD, ""), *pages(SHOP, "")], 4)

    assert not len(known.names.hashes)
    assert not len(known.words.hashes)
