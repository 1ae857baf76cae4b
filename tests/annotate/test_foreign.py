"""Other people's annotators: real pipelines, made small for the test."""

import pytest

from izwi.annotate.base import COLUMNS, AnnotatorSettings
from izwi.annotate.spacy import Spacy
from izwi.annotate.udpipe import Udpipe
from izwi.model.errors import ConfigError
from izwi.testing import check_annotator

PARAGRAPHS = ["The maas is sour.  We braai 😀 today.", "", "Bakkies stop."]
TREEBANK = """\
1	The	the	DET	DT	_	2	det	_	_
2	maas	maas	NOUN	NN	Number=Sing	4	nsubj	_	_
3	is	be	AUX	VBZ	_	4	cop	_	_
4	sour	sour	ADJ	JJ	_	0	root	_	SpaceAfter=No
5	.	.	PUNCT	.	_	4	punct	_	_

1	We	we	PRON	PRP	_	2	nsubj	_	_
2	braai	braai	VERB	VBP	_	0	root	_	_
3	today	today	NOUN	NN	_	2	obl	_	SpaceAfter=No
4	.	.	PUNCT	.	_	2	punct	_	_

"""


@pytest.fixture(scope="module")
def spacy_folder(tmp_path_factory):
    spacy = pytest.importorskip("spacy")
    pipeline = spacy.blank("en")
    pipeline.add_pipe("sentencizer")
    ruler = pipeline.add_pipe("attribute_ruler")
    ruler.add([[{"LOWER": "maas"}]], {"TAG": "NN", "POS": "NOUN", "LEMMA": "maas"})
    folder = tmp_path_factory.mktemp("spacy")
    pipeline.to_disk(folder)
    return folder


@pytest.fixture(scope="module")
def udpipe_file(tmp_path_factory):
    udpipe = pytest.importorskip("ufal.udpipe")
    sentences = udpipe.Sentences()
    reader = udpipe.InputFormat.newConlluInputFormat()
    reader.setText(TREEBANK * 8)
    sentence, problem = udpipe.Sentence(), udpipe.ProcessingError()
    while reader.nextSentence(sentence, problem):
        sentences.append(sentence)
        sentence = udpipe.Sentence()
    options = ("dimension=16;epochs=1;batch_size=10", "models=1;iterations=2", udpipe.Trainer.NONE)
    content = udpipe.Trainer.train(
        "morphodita_parsito", sentences, udpipe.Sentences(), *options, problem
    )
    assert not problem.occurred(), problem.message
    path = tmp_path_factory.mktemp("udpipe") / "tiny.udpipe"
    path.write_bytes(content if isinstance(content, bytes) else content.encode("latin-1"))
    return path


def check_places(found, paragraphs):
    """Words stand where they say, and nothing but space stands between them."""
    text = "\n".join(paragraphs)
    assert [text[a:b] for a, b in zip(found.starts, found.ends, strict=True)] == list(found.words)
    rest = list(text)
    for start, end in zip(found.starts, found.ends, strict=True):
        rest[start:end] = " " * (end - start)
    assert not "".join(rest).strip()


def test_spacy_tokens_stand_in_the_text(spacy_folder):
    found = Spacy(AnnotatorSettings("en", str(spacy_folder)))(PARAGRAPHS)

    check_places(found, PARAGRAPHS)
    place = found.words.index("maas")
    assert (found.lemmas[place], found.upos[place], found.xpos[place]) == ("maas", "NOUN", "NN")
    assert [found.words[n] for n in found.sentences] == ["The", "We", "Bakkies"]
    assert [found.words[n] for n in found.paragraphs] == ["The", "Bakkies"]
    assert found.language == "eng"


def test_udpipe_tokens_stand_in_the_text(udpipe_file):
    found = Udpipe(AnnotatorSettings("en", str(udpipe_file)))(PARAGRAPHS)

    check_places(found, PARAGRAPHS)
    place = found.words.index("maas")
    assert (found.lemmas[place], found.upos[place], found.xpos[place]) == ("maas", "NOUN", "NN")
    assert found.starts[found.paragraphs[1]] == "\n".join(PARAGRAPHS).index("Bakkies")


def test_spacy_conforms(spacy_folder):
    assert check_annotator(lambda: Spacy(AnnotatorSettings("en", str(spacy_folder)))) is None


def test_udpipe_conforms(udpipe_file):
    assert check_annotator(lambda: Udpipe(AnnotatorSettings("en", str(udpipe_file)))) is None


def test_only_the_columns_asked_for_are_made(spacy_folder):
    found = Spacy(AnnotatorSettings("en", str(spacy_folder), columns=("upos",)))(PARAGRAPHS)

    assert [name for name in COLUMNS if getattr(found, name)] == ["upos"]


@pytest.mark.parametrize("kind", [Spacy, Udpipe])
@pytest.mark.parametrize("model", ["", "/nowhere/at/all"])
def test_a_model_that_is_not_there_is_named(kind, model):
    with pytest.raises(ConfigError, match=model or "model"):
        kind(AnnotatorSettings("en", model))
