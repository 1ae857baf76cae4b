import pytest

from izwi.cases.corpus import Corpus, create_corpus
from izwi.model.errors import QueryError, SourceError
from izwi.model.reports import HostBias, bias_curve, compare, plain, slug


def test_addresses_are_compared_without_what_differs_between_two_crawls():
    assert plain("HTTPS://www.A.example:8080/x/?utm=1#top") == "a.example/x"
    assert slug("http://a.example/old/rain-at-last?x") == slug("http://b.example/rain-at-last")
    assert slug("http://a.example/") == ""


def test_slugs_match_where_addresses_changed():
    ours = ["http://a.example/2020/07/rain", "http://a.example/2020/07/wind"]
    theirs = ["http://a.example/news/rain", "http://a.example/news/snow"]

    assert compare(ours, theirs).both == 0
    found = compare(ours, theirs, "slug")
    assert (found.both, found.share, found.only_theirs) == (1, 0.5, (theirs[1],))


@pytest.fixture
def corpus(tmp_path):
    folder = tmp_path / "pages"
    folder.mkdir()
    for name in ("one", "two", "three"):
        (folder / f"{name}.html").write_text(f"<h1>{name}</h1><p>" + "Some words here. " * 30)
    create_corpus(tmp_path / "c", contact="x@example.org", name="c")
    made = Corpus(tmp_path / "c")
    made.import_files(folder, name="files", address="http://a.example/x")
    return made


def test_captured_pages_are_compared_with_a_list(corpus, tmp_path):
    cdx = tmp_path / "list.cdx"
    cdx.write_text(
        "a 20140301 http://www.a.example/x/one.html text/html 200 X\n"
        "a 20140301 http://a.example/x/four.html text/html 200 X\n"
        "a 20140301 http://a.example/logo.png image/png 200 X\n"
        "a 20140301 http://a.example/gone text/html 404 X\n"
        "a 20991231 http://a.example/later text/html 200 X\n"
    )

    found = corpus.coverage(str(cdx), source="files")

    assert (found.ours, found.theirs, found.both) == (3, 2, 1)
    assert found.only_theirs == ("http://a.example/x/four.html",)


def test_list_that_is_none_is_told(corpus, tmp_path):
    (tmp_path / "page.html").write_text("<html>")

    with pytest.raises(SourceError, match="is no CDX list"):
        corpus.coverage(str(tmp_path / "page.html"))
    with pytest.raises(SourceError, match="cannot be read"):
        corpus.coverage(str(tmp_path / "absent"))
    with pytest.raises(QueryError, match="one of 'url', 'slug'"):
        corpus.coverage(str(tmp_path / "page.html"), by="title")


def test_bias_says_how_few_hosts_make_up_half():
    curve = bias_curve("corpus", {"a": 50, "b": 30, "c": 15, "d": 5})

    assert (curve.documents, curve.hosts, curve.half) == (100, 4, 1)
    assert curve.points == ((1, 0.5), (2, 0.8), (4, 1.0))


def test_bias_is_drawn_with_its_words():
    from lxml import etree

    picture = HostBias((bias_curve("seeds", {"a": 2, "b": 2}), bias_curve("corpus", {}))).svg()

    root = etree.fromstring(picture.encode())
    assert "half of 4 from 1 of 2" in "".join(root.itertext())


def test_bias_of_a_corpus_counts_captures_and_documents(built):
    seeds, captures, documents = built.host_bias().curves

    assert seeds.documents >= 1
    assert captures.documents >= documents.documents >= 1
    assert documents.points[-1][1] == 1.0
