import socket

import pytest

from izwi.cli import demo
from izwi.cli.serving import listen_from
from izwi.demoweb import PUBLICATIONS, ground_truth, page_for
from izwi.demoweb.sites import article_path, views
from izwi.model.errors import IzwiError
from izwi.service.corpus import create_corpus
from izwi.service.demo_rules import PORTALS
from izwi.text.portal.rewriting import body_paragraphs, rewrite


def rewritten(key, path):
    page = page_for(PUBLICATIONS[key], path)
    return rewrite(page.body.decode("utf-8", "replace"), PORTALS[key])


@pytest.mark.parametrize("key", PORTALS)
def test_nothing_is_left_of_the_demo_s_lists(key):
    lists = {path: view for path, view in views(PUBLICATIONS[key]).items() if view.articles}
    for path, view in list(lists.items())[:5]:
        left = rewritten(key, path).html

        assert not any(article.teaser[:40] in left for article in view.articles), path


@pytest.mark.parametrize("key", [key for key, portal in PORTALS.items() if portal.body])
def test_of_the_demo_s_articles_only_the_story_is_text(key):
    stories = [view.article for view in views(PUBLICATIONS[key]).values() if view.article]
    for article in stories[:5]:
        paragraphs = body_paragraphs(rewritten(key, article_path(article)).html)
        main = [each.text for each in paragraphs if each.is_main]

        assert main == [article.title, *(" ".join(text.split()) for text in article.paragraphs)]


def test_the_demo_corpus_has_the_rules(tmp_path):
    corpus = demo.demo_corpus(tmp_path / "demo")

    assert corpus.config.portals["egolipost-feed"] == PORTALS["egolipost"]
    assert corpus.config.select.without_types == ("listing", "collection")
    assert demo.demo_corpus(tmp_path / "demo").name == "demo"


def test_the_demo_leaves_other_corpora_alone(tmp_path):
    create_corpus(tmp_path / "mine", contact="https://izwi.example/mine", name="demo")

    with pytest.raises(IzwiError, match="a corpus of yours"):
        demo.demo_corpus(tmp_path / "mine")


def test_a_port_that_is_taken_is_said_before_anything_is_built(tmp_path):
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        with pytest.raises(IzwiError, match=f"{port} cannot be used"):
            demo.run_demo(
                tmp_path / "demo", is_served=True, is_shown=False, port=port, as_json=True
            )

    assert list(tmp_path.iterdir()) == []


def test_the_next_free_port_is_taken():
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        with listen_from("127.0.0.1", port) as found:
            assert port < found.getsockname()[1] < port + 20


def test_every_site_of_the_demo_has_rules():
    assert PORTALS.keys() == {document.publication for document in ground_truth().values()}
