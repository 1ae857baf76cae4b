"""Collections of others: treebanks, parliaments, old prints, lexical software's own TEI."""

import shutil
from pathlib import Path

import pytest

import izwi
from izwi.export.conllu import read_conllu_documents
from izwi.export.tei_reading import read_tei
from izwi.model.errors import SourceError
from tests.export.conllurules import broken_rules

HERE = Path(__file__).parent / "collections"
ROOT = HERE / "parlamint" / "Parliament.ana.xml"
INCLUDE = '<xi:include xmlns:xi="http://www.w3.org/2001/XInclude" href="{}"{}/>'
CORPUS = '<teiCorpus xmlns="http://www.tei-c.org/ns/1.0">{}</teiCorpus>'


def test_a_parliament_is_read_from_its_root_file():
    first, second = read_tei(ROOT)

    assert first.metadata.title == "Debates of a parliament, sitting of 4 March"
    assert str(first.metadata.date.value) == "2015-03-04"
    assert first.metadata.licence.endswith("/by/4.0/")
    assert [each.text for each in first.paragraphs] == ["We open sittings.", "cannot"]
    assert [each.text for each in second.paragraphs] == ["We close the sitting.", "Thank you."]


def test_its_words_have_universal_tags_features_and_dependencies():
    given = next(read_tei(ROOT)).given

    assert given.words == ("We", "open", "sittings", ".", "cannot")
    assert given.upos[:4] == ("PRON", "VERB", "NOUN", "PUNCT")
    assert given.feats[0] == "Case=Nom"
    assert given.lemmas[2] == "sitting"
    assert given.heads == ("2", "0", "2", "2", "")
    assert given.deprels == ("nsubj", "root", "obj", "punct", "")


def test_a_folder_with_a_root_file_has_every_text_once():
    assert len(list(read_tei(ROOT.parent))) == 2


@pytest.mark.parametrize(
    ("href", "more", "words"),
    [
        ("../outside.xml", "", "outside"),
        ("/etc/passwd", "", "outside"),
        ("http://example.org/a.xml", "", "only whole files"),
        ("file:///etc/passwd", "", "only whole files"),
        ("//host/share.xml", "", "only whole files"),
        ("link.xml", "", "outside"),
        ("missing.xml", "", "not there"),
        ("part.xml", ' parse="text"', "only whole files"),
        ("part.xml", ' xpointer="a"', "only whole files"),
        ("", "", "only whole files"),
    ],
)
def test_what_is_included_lies_below_the_folder_and_nowhere_else(tmp_path, href, more, words):
    (tmp_path / "outside.xml").write_text("<TEI/>")
    folder = tmp_path / "corpus"
    folder.mkdir()
    (folder / "link.xml").symlink_to(tmp_path / "outside.xml")
    (folder / "root.xml").write_text(CORPUS.format(INCLUDE.format(href, more)))

    with pytest.raises(SourceError, match=words):
        list(read_tei(folder / "root.xml"))


def test_files_that_include_each_other_end(tmp_path):
    for name, other in (("a", "b"), ("b", "a")):
        (tmp_path / f"{name}.xml").write_text(CORPUS.format(INCLUDE.format(f"{other}.xml", "")))

    with pytest.raises(SourceError, match="no element TEI"):
        list(read_tei(tmp_path / "a.xml"))


def test_files_may_not_lie_too_deep_in_each_other(tmp_path):
    for number in range(30):
        content = CORPUS.format(INCLUDE.format(f"{number + 1}.xml", ""))
        (tmp_path / f"{number}.xml").write_text(content)

    with pytest.raises(SourceError, match="deep"):
        list(read_tei(tmp_path / "0.xml"))


def test_an_old_print_is_read_without_heads_of_pages_and_line_breaks():
    (found,) = read_tei(HERE / "dta.xml")

    assert (found.metadata.title, found.metadata.author) == (
        "Reise nach dem Kap",
        "Anna Maria Beispiel",
    )
    assert (found.metadata.date.value.year, found.metadata.date.precision) == (1791, "year")
    assert [(each.kind, " ".join(each.text.split())) for each in found.paragraphs] == [
        ("h", "Erſtes Kapitel."),
        ("p", "Wir kamen an die Hauptſtadt und ſahen den Tafelberg, der ſehr hoch iſt. "
              "Er hieß Tafelberg."),
        ("p", "Dann gingen wir."),
        ("li", "Erſtens"),
        ("li", "Zweitens"),
    ]  # fmt: skip


def test_words_of_txm_have_their_form_tag_and_lemma():
    (found,) = read_tei(HERE / "txm.xml")

    assert found.given.words == ("Les", "chats", "jouent")
    assert found.given.lemmas == ("le", "chat", "jouer")
    assert found.given.xpos == ("DET:ART", "NOM", "VER:pres")
    assert (found.metadata.title, found.metadata.author) == ("Un discours", "Marie Martin")
    assert (str(found.metadata.date.value), found.metadata.section) == ("1969-06-20", "discours")


def test_heads_of_a_treebank_are_counted_in_tokens():
    (found,) = read_conllu_documents(HERE / "treebank.conllu")

    assert found.given.words == ("She", "doesn't", "like", "maas", ".", "Maas", "sours")
    assert found.given.heads == ("3", "3", "0", "3", "3", "2", "0")
    assert found.given.deprels == ("nsubj", "aux", "root", "obj", "punct", "nsubj", "root")


@pytest.fixture(scope="module")
def treebank(tmp_path_factory):
    """A corpus made of the treebank alone, with no key set by hand."""
    folder = tmp_path_factory.mktemp("treebank") / "bank"
    corpus = izwi.create(folder, contact="https://izwi.example/", languages=("en",))
    report = corpus.import_conllu(HERE / "treebank.conllu")
    corpus.build(workers=1)
    return corpus, report


@pytest.mark.parametrize(
    ("query", "words"),
    [
        ('[deprel="nsubj"]', ["She", "Maas"]),
        ('[upos="NOUN"]', ["maas", "Maas"]),
        ('[feats="Number=Sing"]', ["maas", "Maas"]),
        ('[head="0"]', ["like", "sours"]),
        ('[deprel="nsubj"] [deprel="root"]', ["Maas sours"]),
        ('[lemma="maas" & deprel="obj"]', ["maas"]),
    ],
)
def test_what_a_treebank_says_can_be_searched_after_the_import(treebank, query, words):
    corpus, _ = treebank

    found = [line.match for line in corpus.concordance(query)]

    assert sorted(found) == sorted(words)


def test_the_import_says_what_it_made_searchable_and_it_can_be_taken_back(treebank):
    corpus, report = treebank

    assert any("upos, feats, head, deprel" in warning for warning in report.warnings)
    change = next(each for each in corpus.changes() if each.kind == "settings")
    assert "treebank.conllu" in change.comment


def test_a_treebank_comes_out_with_its_trees(treebank, tmp_path):
    corpus, _ = treebank
    corpus.export("conllu", tmp_path / "out")

    text = (tmp_path / "out" / "bank.conllu").read_text(encoding="utf-8")

    rows = [line.split("\t") for line in text.splitlines() if line and line[0] != "#"]
    assert [(row[1], row[6], row[7]) for row in rows[:3]] == [
        ("She", "3", "nsubj"), ("doesn't", "3", "aux"), ("like", "0", "root"),
    ]  # fmt: skip
    assert "dependencies = none" not in text
    assert broken_rules(text) == []


def test_a_parliament_in_a_corpus_is_searched_by_its_relations(tmp_path):
    folder = tmp_path / "parliament"
    corpus = izwi.create(folder, contact="https://izwi.example/", languages=("en",))
    shutil.copytree(ROOT.parent, tmp_path / "files")
    corpus.import_tei(tmp_path / "files" / ROOT.name)
    corpus.build(workers=1)

    assert [line.match for line in corpus.concordance('[deprel="obj" & upos="NOUN"]')] == [
        "sittings"
    ]
