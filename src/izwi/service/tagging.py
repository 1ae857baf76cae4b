"""Training a tagger from a hand-tagged sample, and measuring one against a gold standard."""

import time
from collections.abc import Sequence
from itertools import accumulate
from pathlib import Path

from izwi.annotate.base import AnnotatorSettings
from izwi.annotate.conllu import GoldSentence, read_conllu
from izwi.annotate.izwi import Izwi, tagged, with_lexicon
from izwi.annotate.lexicon import NO_LEXICON, Lexicon, read_lexicon
from izwi.annotate.models import read_model, shipped_languages, shipped_model, write_model
from izwi.annotate.tagger import Tagger, TaggerModel
from izwi.annotate.training import train
from izwi.evaluate.tagging import raw_text, score_raw, score_words
from izwi.model.document import Annotation
from izwi.model.errors import PluginError
from izwi.model.languages import iso639_3
from izwi.model.tagging import TaggerScore, TrainedTagger

_COLUMNS = ("lemmas", "upos", "xpos")


def train_tagger(
    samples: Sequence[Path], output: Path, *, language: str, base: Sequence[Path] = ()
) -> TrainedTagger:
    """Train a tagger from CoNLL-U files and write it; files in `base` are counted once.

    A small sample counts several times as much as the base it is added to, as in bootstrapping.
    """
    own = [sentence for path in samples for sentence in read_conllu(path)]
    more = [sentence for path in base for sentence in read_conllu(path)]
    times = max(1, min(5, len(more) // max(1, len(own))))
    model = train([*more, *own * times], iso639_3(language), notes={"source": "trained by a user"})
    size = write_model(output, model)
    words = sum(len(sentence.words) for sentence in own)
    return TrainedTagger(str(output), model.language, len(own), words, len(model.tags), size)


def evaluate_tagger(
    path: Path, *, language: str, model: str = "", lexicon: Path | None = None, raw: bool = False
) -> TaggerScore:
    """Compare a tagger with a gold standard, on its own words or, if raw, from the plain text."""
    sentences = read_conllu(path)
    if raw:
        return _from_raw(sentences, language, model, lexicon)
    tagger = Tagger(_model(model, language))
    words = [word for sentence in sentences for word in sentence.words]
    found, seconds = _timed(tagger, sentences, read_lexicon(lexicon) if lexicon else NO_LEXICON)
    known = frozenset(tagger.model.vocabulary.known.tolist())
    return score_words(words, found, known=known, seconds=seconds)


def _model(model: str, language: str) -> TaggerModel:
    found = read_model(Path(model)) if model else shipped_model(iso639_3(language))
    if found is None:
        raise PluginError(
            f"There is no tagger for '{language}'; those that come along are "
            f"{', '.join(shipped_languages())}. Train one: izwi train tagger --conllu FILE"
        )
    return found


def _timed(
    tagger: Tagger, sentences: Sequence[GoldSentence], lexicon: Lexicon
) -> tuple[dict[str, list[str]], float]:
    """Return the columns for gold words, and the CPU seconds it took without the compiler's."""
    forms = tuple(word.form for sentence in sentences for word in sentence.words)
    begins = tuple(accumulate((len(s.words) for s in sentences[:-1]), initial=0))
    tokens = Annotation(forms, (), (), begins, ())
    tagged(tagger, Annotation(forms[:1], (), (), (0,), ()), _COLUMNS, lexicon)
    begun = time.process_time()
    values = with_lexicon(forms, tagged(tagger, tokens, _COLUMNS, lexicon), lexicon)
    return values, time.process_time() - begun


def _from_raw(
    sentences: Sequence[GoldSentence], language: str, model: str, lexicon: Path | None
) -> TaggerScore:
    lines = tuple(lexicon.read_text(encoding="utf-8").splitlines()) if lexicon else ()
    annotate = Izwi(AnnotatorSettings(language, model, lines, _COLUMNS))
    gold = raw_text(sentences)
    annotate(gold.paragraphs[:1])
    begun = time.process_time()
    found = annotate(gold.paragraphs)
    return score_raw(gold, found, seconds=time.process_time() - begun)
