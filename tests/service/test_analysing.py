import json
import shutil
import threading
from datetime import date

import pytest
from typer.testing import CliRunner

from izwi.cases.corpora import import_vertical
from izwi.cases.corpus import Corpus
from izwi.cli.main import app
from izwi.index.limits import Memory
from izwi.model.errors import QueryError, QueryTimeout

DOC = '<doc id="{id}" date="{date}" source="{source}" url="https://{source}.example/{id}">\n{lines}</doc>\n'
TEXTS = (
    ("a", "2010-02-01", "herald", "the blue light brigade sped past the robot"),
    ("b", "2011-03-01", "herald", "a blue light brigade again at the robot"),
    ("c", "2012-04-01", "post", "the bakkie at the robot and the bakkie at the dam"),
    ("d", "2013-05-01", "post", "a blue light and the bakkie"),
    ("e", "2014-06-01", "star", "the brigade of light and the blue robot"),
)
TAGS = {"blue": "JJ", "light": "NN", "brigade": "NN", "robot": "NN", "bakkie": "NN", "dam": "NN"}


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A corpus of five short texts of three sources, with tags."""
    place = tmp_path_factory.mktemp("analysing")
    text = ""
    for id, day, source, words in TEXTS:
        lines = "".join(f"{word}\t{TAGS.get(word, 'X')}\n" for word in words.split())
        text += DOC.format(id=id, date=day, source=source, lines=f"<s>\n{lines}</s>\n")
    (place / "texts.vert").write_text(text, encoding="utf-8")
    import_vertical(place / "texts.vert", place / "small", attributes=("word", "tag"))
    return place / "small"


@pytest.fixture
def corpus(folder, monkeypatch, tmp_path):
    monkeypatch.setenv("IZWI_WORKSPACE", str(tmp_path))
    with Corpus(folder) as corpus:
        yield corpus


# Each analysis, as Python asks it and as the command line does.
CASES = {
    "freq": (lambda c: c.frequencies("brigade", by="source"), ["brigade", "--by", "source"]),
    "wordlist": (lambda c: c.wordlist(most=5), ["--most", "5"]),
    "ngrams": (lambda c: c.ngrams(3), ["3"]),
    "dispersion": (lambda c: c.dispersion("light", most=20), ["light"]),
    "collocations": (
        lambda c: c.collocations("light", least=1, most=50),
        ["light", "--least", "1"],
    ),
    "keywords": (
        lambda c: c.keywords(sources=("herald",), least=1, most=50),
        ["--source", "herald", "--least", "1"],
    ),
    "terms": (
        lambda c: c.terms(where='source="herald|post"', least=1, most=50),
        ["--where", 'source="herald|post"', "--least", "1"],
    ),
    "trend": (lambda c: c.trend("bakkie", by="year"), ["bakkie", "--by", "year"]),
    "compare": (
        lambda c: c.compare('where:source="herald"', query="light", most=20),
        ['where:source="herald"', "--query", "light"],
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_the_command_gives_what_the_method_gives(corpus, name):
    ask, arguments = CASES[name]
    found = ask(corpus)

    printed = CliRunner().invoke(app, [name, str(corpus.path), *arguments, "--json"])

    assert printed.exit_code == 0, printed.output
    answer = json.loads(printed.stdout)
    assert len(answer.get("lines", answer.get("points"))) == len(found)
    assert answer["snapshot"] == found.snapshot == 1


@pytest.mark.parametrize("name", CASES)
def test_the_command_prints_a_table(corpus, name):
    printed = CliRunner().invoke(app, [name, str(corpus.path), *CASES[name][1]])

    assert printed.exit_code == 0, printed.output
    assert "version 1" in printed.stdout
    assert len(printed.stdout.splitlines()) > 2


@pytest.mark.parametrize("name", CASES)
def test_results_are_rows_of_a_data_frame(corpus, name):
    found = CASES[name][0](corpus)

    rows = found.rows()
    # A comparison has more to tell than its lines.
    assert len(rows) >= len(found) if name == "compare" else len(rows) == len(found)
    assert all(set(row) == set(rows[0]) for row in rows)


@pytest.mark.parametrize("name", CASES)
def test_an_answer_is_kept_for_the_same_question(corpus, name):
    ask, _ = CASES[name]

    assert ask(corpus) is ask(corpus)


def test_a_corpus_that_grew_is_asked_anew(folder, tmp_path):
    import shutil

    own = shutil.copytree(folder, tmp_path / "own")
    more = tmp_path / "more.vert"
    more.write_text(
        DOC.format(id="z", date="2015-01-01", source="star", lines="bakkie\tNN\n"), encoding="utf-8"
    )
    corpus = Corpus(own)
    before = corpus.frequencies("bakkie")
    import_vertical(more, own, attributes=("word", "tag"))

    after = corpus.frequencies("bakkie")

    assert (before.hits, after.hits) == (3, 4)
    assert corpus.frequencies("bakkie", version=before.snapshot).hits == 3


def test_numbers_open_their_lines(corpus):
    for found in (
        corpus.frequencies("light", by="source", and_by="year").lines,
        corpus.trend("light", by="year").points,
        corpus.wordlist().lines,
        corpus.ngrams(2).lines,
        corpus.keywords(sources=("post",), least=1).lines,
        corpus.terms(sources=("herald", "post"), least=1).lines,
        corpus.dispersion("light", by="source").lines,
    ):
        assert found
        for line in found:
            lines = corpus.concordance(line.opens.query, **line.opens.arguments())
            assert lines.hits == line.hits, line


def test_a_subcorpus_is_counted_alone(corpus):
    corpus.save_subcorpus("heralds", 'source="herald"')

    found = corpus.frequencies("blue", by="year", subcorpus="heralds")
    keys = corpus.keywords(subcorpus="heralds", least=1)

    assert found.hits == 2
    assert keys.focus == "subcorpus heralds"
    assert keys.focus_tokens + keys.reference_tokens == sum(len(t[3].split()) for t in TEXTS)


def test_references_of_all_kinds(corpus, tmp_path):
    words = tmp_path / "list.tsv"
    words.write_text("the\t5000\nrobot\t3\nblue\t10\n", encoding="utf-8")
    corpus.save_subcorpus("posts", 'source="post"')

    rest = corpus.keywords(sources=("herald",), least=1)
    part = corpus.keywords("subcorpus:posts", sources=("herald",), least=1)
    there = corpus.keywords('where:source="post"', sources=("herald",), least=1)
    listed = corpus.keywords(words, least=1)
    itself = corpus.keywords(corpus.path, sources=("herald",), least=1)

    assert part.lines == there.lines
    assert rest.reference_tokens > part.reference_tokens
    assert listed.reference_tokens == 5013
    assert {line.value for line in listed.lines if line.reference_hits} == {"the", "robot", "blue"}
    assert itself.reference == "the corpus small"
    terms = corpus.terms(words, least=1)
    assert all(line.reference_hits == 0 for line in terms.lines)


def test_a_reference_that_is_nothing_is_an_error(corpus):
    with pytest.raises(QueryError, match="no text to compare with"):
        corpus.keywords("nowhere")
    with pytest.raises(QueryError, match="no subcorpus 'x'"):
        corpus.keywords("subcorpus:x")
    with pytest.raises(QueryError):
        corpus.keywords("where:=")


def test_two_texts_side_by_side(corpus):
    found = corpus.compare('where:source="herald"', 'where:source="post"', query="light", least=1)

    assert [(side.hits, side.tokens) for side in found.sides] == [(2, 16), (1, 17)]
    assert found.logratio == pytest.approx(1.087, abs=0.01)
    assert found.ll > 0
    herald = {line.value for line in found.first_keywords.lines}
    assert herald <= {word for text in TEXTS[:2] for word in text[3].split()}
    # Near light: brigade twice among the heralds, never in the post; blue in both.
    rows = {line.value: (line.first_total, line.second_total) for line in found.lines}
    assert rows["brigade"] == (2, 0)
    assert rows["blue"] == (2, 1)
    for side in found.sides:
        assert corpus.concordance(side.opens.query, **side.opens.arguments()).hits == side.hits


def test_a_list_is_not_a_text_to_put_beside_another(corpus, tmp_path):
    (tmp_path / "list.tsv").write_text("the\t1\n", encoding="utf-8")

    with pytest.raises(QueryError, match="list of frequencies"):
        corpus.compare(tmp_path / "list.tsv", query="light")


@pytest.mark.parametrize("name", CASES)
def test_nothing_chosen_is_a_clear_answer(corpus, name):
    nothing = {"since": date(2030, 1, 1)}
    asked = {
        "freq": lambda: corpus.frequencies("light", **nothing),
        "wordlist": lambda: corpus.wordlist(**nothing),
        "ngrams": lambda: corpus.ngrams(2, **nothing),
        "dispersion": lambda: corpus.dispersion("light", **nothing),
        "collocations": lambda: corpus.collocations("light", **nothing),
        "keywords": lambda: corpus.keywords(**nothing),
        "terms": lambda: corpus.terms(**nothing),
        "trend": lambda: corpus.trend("light", **nothing),
        "compare": lambda: corpus.compare("", query="light", **nothing).first_keywords,
    }[name]()

    assert not asked.rows()
    assert asked.notes


def test_a_question_may_be_cancelled_and_has_its_time(corpus):
    stopped = threading.Event()
    stopped.set()

    with pytest.raises(QueryTimeout, match="cancelled"):
        corpus.collocations("light", cancelled=stopped, least=2)
    with pytest.raises(QueryTimeout):
        corpus.wordlist(timeout=-1.0, least=2)
    # What could not be answered is not kept.
    assert corpus.wordlist(least=2).lines


def test_queries_look_words_up_in_their_corpus(corpus, folder):
    (folder / "lists").mkdir(exist_ok=True)
    (folder / "lists" / "cars.txt").write_text("bakkie\nrobot\n", encoding="utf-8")

    assert corpus.concordance("$cars").hits == 7
    assert corpus.concordance('[word=$cars & word!="robot"]').hits == 3
    assert corpus.concordance('term("blue light")').hits == 3
    counted = corpus.frequencies('[tag="JJ"] @[]', by="target.word", mode="cql")
    assert {line.values[0]: line.hits for line in counted} == {"light": 3, "robot": 1}


def test_lines_are_sorted_by_a_token_of_the_hit_on_all_surfaces(corpus):
    query = '[word="the"] @[]'
    found = corpus.concordance(query, sort="-target.word,date")
    printed = CliRunner().invoke(
        app, ["query", str(corpus.path), query, "--sort", "-target.word,date", "--json"]
    )

    assert [line.match.split()[1] for line in found][:4] == ["robot", "robot", "robot", "dam"]
    assert json.loads(printed.output)["lines"][0]["match"] == found[0].match


def test_what_a_corpus_keeps_has_the_limit_of_its_settings(folder, tmp_path):
    small = tmp_path / "small"
    shutil.copytree(folder, small)
    with (small / "corpus.toml").open("a", encoding="utf-8") as settings:
        settings.write('\n[search]\nmemory = "1 kB"\n')
    with Corpus(small) as corpus:
        for least in range(1, 5):
            corpus.wordlist(least=least)

        assert corpus.config.search.memory == "1 kB"
        assert len(corpus._answers) == 1


def test_of_many_answers_the_oldest_is_forgotten():
    answers, made = Memory(most=2), []

    def answer(name):
        return answers.of(name, lambda: made.append(name) or name)

    assert [answer(name) for name in "abacab"] == list("abacab")
    assert made == ["a", "b", "c", "b"]


@pytest.mark.parametrize(
    "arguments",
    [
        ["freq", "light", "--by", "planet"], ["trend", "light", "--by", "age"],
        ["collocations", "light", "--measure", "x"], ["ngrams", "99"],
        ["keywords", "--stop", "/nowhere/list"], ["wordlist", "--pattern", "("],
        ["freq", "light", "--where", "nonsense"], ["terms", "--cql", "["],
    ],
)  # fmt: skip
def test_bad_questions_are_errors_with_a_sentence(corpus, arguments):
    name, *rest = arguments
    printed = CliRunner().invoke(app, [name, str(corpus.path), *rest])

    assert isinstance(printed.exception, QueryError)


def test_stop_words_come_from_a_file(corpus, tmp_path):
    (tmp_path / "stop.txt").write_text("the\na\n", encoding="utf-8")
    printed = CliRunner().invoke(
        app, ["wordlist", str(corpus.path), "--stop", str(tmp_path / "stop.txt"), "--json"]
    )

    assert not {"the", "a"} & {line["value"] for line in json.loads(printed.stdout)["lines"]}
