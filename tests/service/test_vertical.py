import json

import pytest
from starlette.testclient import TestClient
from typer.testing import CliRunner

from izwi.cases.corpora import import_vertical
from izwi.cases.corpus import Corpus
from izwi.cli.main import app
from izwi.model.errors import ConfigError, IzwiError, QueryError, SourceError
from izwi.service.importing import shape_of
from izwi.store.layout import Layout
from izwi.store.snapshots import current
from izwi.web.app import create_app
from izwi.web.pages.citing import line_citation

TEXT = """<doc id="1" source="herald" date="2014-03-01">
<s>
Dogs\tdog\tNNS
bark\tbark\tVB
</s>
</doc>
<doc id="2" source="courant">
<s>
The\tthe\tDT
dog\tdog\tNN
barked\tbark\tVBD
</s>
</doc>
"""
NAMES = ("word", "lemma", "tag")


@pytest.fixture
def corpus(tmp_path, monkeypatch):
    monkeypatch.setenv("IZWI_WORKSPACE", str(tmp_path / "workspace"))
    (tmp_path / "dogs.vert").write_text(TEXT, encoding="utf-8")
    import_vertical(tmp_path / "dogs.vert", tmp_path / "dogs", attributes=NAMES)
    return Corpus(tmp_path / "dogs")


def matches(found):
    return [line.match for line in found]


def test_an_imported_corpus_is_searched_in_every_mode(corpus):
    assert matches(corpus.concordance("dog")) == ["dog"]
    assert matches(corpus.concordance("dog", mode="word")) == ["Dogs", "dog"]
    assert matches(corpus.concordance("dog bark", mode="lemma")) == ["Dogs bark", "dog barked"]
    assert matches(corpus.concordance('[tag="V.*"]')) == ["bark", "barked"]
    assert corpus.concordance("dog").cql == '[word="dog" %c]'


def test_a_document_and_a_hit_of_an_imported_corpus_have_their_pages(corpus):
    line = corpus.concordance("dog").lines[0]
    found = corpus.document(line.document.id)

    assert [each.text for each in found.paragraphs] == ["The dog barked"]
    assert (found.id, found.source, found.snapshot) == ("2", "courant", 1)
    with TestClient(create_app([corpus.path]), base_url="http://127.0.0.1") as client:
        hit = client.get(f"/c/{corpus.name}/hit/{line.id}")
        page = client.get(f"/c/{corpus.name}/doc/2")
        assert (hit.status_code, page.status_code) == (200, 200)
        assert client.get(f"/c/{corpus.name}/doc/3").status_code == 404
    assert "captured" not in line_citation(line, "dogs", 1)
    assert "Accessed" not in hit.text


def test_a_second_file_adds_a_version_and_the_first_stays(corpus, tmp_path):
    done = import_vertical(tmp_path / "dogs.vert", tmp_path / "dogs", attributes=NAMES)

    assert done.snapshot == 2
    assert corpus.concordance("dog").hits == 2
    assert corpus.concordance("dog", version=1).hits == 1


def test_many_imports_leave_few_segments_and_those_of_another_shape_stay_apart(corpus, tmp_path):
    (tmp_path / "cats.vert").write_text("<doc mood='sad'>\ncat\n</doc>\n", encoding="utf-8")
    for _ in range(4):
        import_vertical(tmp_path / "dogs.vert", tmp_path / "dogs", attributes=NAMES)
    import_vertical(tmp_path / "cats.vert", tmp_path / "dogs")

    segments = current(Layout(tmp_path / "dogs")).segments

    assert [entry.documents for entry in segments][-1] == 1
    assert len(segments) <= 4
    assert sum(entry.documents for entry in segments) == 11
    assert corpus.concordance("dog").hits == 5
    assert corpus.concordance("dog", version=2).hits == 2
    assert corpus.concordance("cat").hits == 1


def test_a_build_leaves_imported_segments_alone(corpus):
    report = corpus.build(workers=1)

    assert not report.failures
    assert corpus.concordance("dog").hits == 1


def test_subcorpora_are_saved_by_name(corpus):
    corpus.save_subcorpus("early", 'date="2014.*"')

    assert [(each.name, each.where) for each in corpus.subcorpora()] == [("early", 'date="2014.*"')]
    assert corpus.concordance('[lemma="dog"]', subcorpus="early").hits == 1
    with pytest.raises(QueryError, match="no subcorpus 'late'"):
        corpus.concordance("dog", subcorpus="late")


def test_the_command_imports_and_searches(tmp_path):
    (tmp_path / "dogs.vert").write_text(TEXT, encoding="utf-8")
    (tmp_path / "registry").write_text(
        "NAME Dogs\nATTRIBUTE word\nATTRIBUTE lemma\nSTRUCTURE doc\n", encoding="utf-8"
    )
    run = CliRunner().invoke
    folder = str(tmp_path / "dogs")

    done = run(app, ["import", "vertical", str(tmp_path / "dogs.vert"), folder,
                     "--registry", str(tmp_path / "registry"), "--json"])  # fmt: skip
    found = run(app, ["query", folder, '[lemma="dog"]', "--csv"])

    assert json.loads(done.stdout)["tokens"] == 5
    assert [row.split(",")[2] for row in found.stdout.splitlines()] == ["match", "Dogs", "dog"]


@pytest.mark.parametrize(
    ("names", "error", "words"),
    [
        (("lemma",), ConfigError, "has to be called word"),
        (("word", "word"), ConfigError, "named twice"),
        (("word", "a b"), ConfigError, "'a b' cannot be the name"),
    ],
    ids=["no-word", "twice", "bad-name"],
)
def test_names_are_checked(names, error, words):
    with pytest.raises(error, match=words):
        shape_of(names, (), None)


def test_what_is_not_there_is_not_imported(tmp_path):
    with pytest.raises(SourceError, match="is not a file"):
        import_vertical(tmp_path / "nothing.vert", tmp_path / "corpus")


def test_lines_become_a_table_in_a_notebook(corpus):
    page = corpus.concordance("dog")._repr_html_()

    assert "<b>dog</b>" in page
    assert "1 hits" in page


def test_lemmas_are_asked_of_a_corpus_that_has_them(tmp_path):
    (tmp_path / "plain.vert").write_text("a\nb\n", encoding="utf-8")
    import_vertical(tmp_path / "plain.vert", tmp_path / "plain")

    with pytest.raises(IzwiError, match="has no lemmas"):
        Corpus(tmp_path / "plain").concordance("a", mode="lemma")


PRESS = """<doc id="1" url="http://Herald.example:80/a b?utm_source=feed#top">
<s>
Anna
phoned
</s>
</doc>
<doc id="2" url="http://courant.example/2">
<s>
Berta
phoned
</s>
</doc>
<doc id="letters">
<s>
Clara
phoned
</s>
</doc>
"""


@pytest.fixture
def press(tmp_path, monkeypatch):
    monkeypatch.setenv("IZWI_WORKSPACE", str(tmp_path / "workspace"))
    (tmp_path / "press.vert").write_text(PRESS, encoding="utf-8")
    import_vertical(tmp_path / "press.vert", tmp_path / "press")
    return Corpus(tmp_path / "press")


def callers(corpus):
    """Return who phoned, by lines, words and documents, which have to say the same."""
    found = {line.left.strip() for line in corpus.concordance("phoned")}
    assert {each.value for each in corpus.wordlist()} - {"phoned"} == found
    assert corpus.concordance("phoned").hits == len(tuple(corpus.documents())) == len(found)
    return sorted(found)


@pytest.mark.parametrize(
    ("target", "left"),
    [
        ("http://herald.example/a%20b", ["Berta", "Clara"]),
        ("herald.example", ["Berta", "Clara"]),
        ("http://press.texts.invalid/letters", ["Anna", "Berta"]),
        ("press.texts.invalid", ["Anna", "Berta"]),
    ],
    ids=["address", "host", "no-address", "all-without"],
)
def test_what_is_taken_down_leaves_an_imported_segment_at_once(press, target, left):
    assert press.foresee_takedown(target).documents == 1

    report = press.takedown(target, reason="asked by the owner")

    assert report.captures == 1
    assert callers(press) == left
    assert [each.reason for each in press.takedowns()] == ["asked by the owner"]
    assert any(each.kind == "takedown" for each in press.changes())


def test_what_was_taken_down_stays_gone_whatever_comes_after(press, tmp_path):
    press.takedown("herald.example", reason="asked")
    for _ in range(4):  # the same file again: its segments become one
        import_vertical(tmp_path / "press.vert", tmp_path / "press")
    assert press.concordance("Anna").hits == 0
    press.build(workers=1)
    assert press.concordance("Anna").hits == 0
    assert press.concordance("Berta").hits == 5

    press.compact(workers=1)

    assert press.concordance("Anna").hits == 0
    assert press.concordance("Berta").hits == 5
    assert not [path for path in (tmp_path / "press/index").rglob("*")
                if path.is_file() and b"Anna" in path.read_bytes()]  # fmt: skip


def test_an_imported_corpus_that_is_all_taken_down_is_empty(press):
    for target in ("herald.example", "courant.example", "press.texts.invalid"):
        press.takedown(target, reason="asked")

    press.compact(workers=1)

    assert press.concordance("phoned").hits == len(tuple(press.documents())) == 0
