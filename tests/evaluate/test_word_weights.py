"""What words speak for: of a page they say what type it is, each counted by the hosts it is on."""

import numpy as np

from izwi.evaluate.gold_pages import GoldPage, example
from izwi.evaluate.word_weights import vocabulary
from izwi.text.elements import hash_of
from izwi.text.features import PAGE_TYPES, features, page_row

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
    known = vocabulary([*pages(THREAD, "forum"), *pages(SHOP, "product")], 4)

    assert leaning(known.page_words, "reply") == ("forum", True)
    assert leaning(known.page_words, "basket") == ("product", True)
    assert leaning(known.page_names, "posting") == ("forum", True)
    # What stands on pages of all types speaks for none.
    both = vocabulary([*pages(THREAD, "forum"), *pages(THREAD, "product")], 4).page_words
    assert np.abs(both.values).max() < 0.01 < np.abs(known.page_words.values).max()


def test_a_new_page_is_seen_to_lean_to_its_type():
    known = vocabulary([*pages(THREAD, "forum"), *pages(SHOP, "product")], 4)
    page = pages("<body><table class=posting><td>Reply<td>Rain", "forum")[0].page
    seen = page_row(page, features(page, known), known)[-2 * len(PAGE_TYPES) :]
    names, words = seen.reshape(2, -1)

    assert PAGE_TYPES[int(names.argmax())] == PAGE_TYPES[int(words.argmax())] == "forum"


def test_pages_of_no_known_type_teach_none():
    known = vocabulary([*pages(THREAD, ""), *pages(SHOP, "")], 4)

    assert not len(known.page_names.hashes)
    assert np.isfinite(known.names.values).all()
