from izwi.demoweb import article_url, load_articles
from tests.demoweb.truth import ground_truth


def test_the_truth_has_every_article_once():
    truth = ground_truth()

    assert len(truth) == len(load_articles())
    assert {article_url(article) for article in load_articles()} == set(truth)


def test_the_truth_says_what_the_article_says():
    truth = ground_truth()
    for article in load_articles():
        document = truth[article_url(article)]

        for name in ("title", "author", "date", "shown_date", "paragraphs", "comments", "copy_of"):
            assert getattr(document, name) == getattr(article, name)
