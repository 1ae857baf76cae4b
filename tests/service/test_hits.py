import pytest
from typer.testing import CliRunner

from izwi.cases.corpora import import_vertical
from izwi.cases.corpus import Corpus
from izwi.cli.main import app
from izwi.model.errors import QueryError

FIRST = '<doc id="a">\nThe\ndog\nbarks\nat\nthe\ndog\n</doc>\n'
MORE = '<doc id="b">\nA\ncat\n</doc>\n'


@pytest.fixture
def corpus(tmp_path):
    (tmp_path / "a.vert").write_text(FIRST, encoding="utf-8")
    (tmp_path / "b.vert").write_text(MORE, encoding="utf-8")
    import_vertical(tmp_path / "a.vert", tmp_path / "dogs")
    return Corpus(tmp_path / "dogs")


@pytest.mark.parametrize("query", ['"dog"', '"the" "dog"', "[]{3}", "<doc/>"])
def test_every_line_is_found_by_its_id_again_in_a_corpus_that_grew(corpus, tmp_path, query):
    lines = corpus.concordance(query).lines
    import_vertical(tmp_path / "b.vert", tmp_path / "dogs")

    grown = Corpus(corpus.path)

    assert lines
    assert [grown.hit(line.id) for line in lines] == list(lines)


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("nonsense", "is not the name of a hit"),
        ("a.x.12345678", "is not the name of a hit"),
        ("a.1.00000000", "is not in this version"),
        ("a.99.00000000", "is not in this version"),
        ("z.1.00000000", "is not in this version"),
    ],
)
def test_a_hit_that_is_not_there_is_named(corpus, name, words):
    with pytest.raises(QueryError, match=words):
        corpus.hit(name)


def test_the_command_prints_the_line(corpus):
    (line, _) = corpus.concordance('"dog"').lines

    printed = CliRunner().invoke(app, ["hit", str(corpus.path), line.id]).stdout

    assert printed.splitlines()[0] == "The dog barks at the dog"
