from collections import defaultdict

from izwi.demoweb import PUBLICATIONS, load_articles
from izwi.demoweb.articles import articles_of


def test_every_publication_has_articles_over_many_years():
    for key in PUBLICATIONS:
        years = {article.date.year for article in articles_of(key)}

        assert len(years) >= 8, key


def test_exact_copies_have_the_same_paragraphs_and_edited_ones_do_not():
    copies = defaultdict(list)
    for article in load_articles():
        if article.copy_of:
            copies[article.copy_of].append(article)

    assert copies
    for stories in copies.values():
        assert len({each.paragraphs for each in stories if each.exact_copy}) <= 1


def test_articles_come_newest_first():
    dates = [article.date for article in load_articles()]

    assert dates == sorted(dates, reverse=True)


def test_some_page_shows_a_wrong_date():
    assert any(article.shown_date not in (None, article.date) for article in load_articles())
