"""Training a tagger from a hand-tagged sample, and measuring one against a gold standard."""

import time
from collections.abc import Iterator, Sequence
from itertools import accumulate
from pathlib import Path

from izwi.annotate.attestation import Attestation
from izwi.annotate.base import NO_LEXICON, AnnotatorSettings, Lexicon, read_lexicon
from izwi.annotate.conllu import GoldSentence, read_conllu
from izwi.annotate.izwi import Izwi, tagged, with_lexicon
from izwi.annotate.segments import count_words, learn_pieces, write_segments
from izwi.annotate.tagger import (
    Tagger,
    TaggerModel,
    read_model,
    shipped_languages,
    shipped_model,
    write_model,
)
from izwi.annotate.training import extend, train
from izwi.evaluate.tagging import raw_text, score_raw, score_words
from izwi.model.document import Annotation
from izwi.model.errors import PluginError, QueryError, SourceError
from izwi.model.languages import TaggerScore, TrainedSegments, TrainedTagger, iso639_3
from izwi.model.results import Listener, Progress

# How often all words are gone through that segments are learnt from.
_ROUNDS = 5
_COLUMNS = ("lemmas", "upos", "xpos", "feats")


def write_tagger(
    samples: Sequence[Path], output: Path, language: str, base: Sequence[Path], onto: str
) -> TrainedTagger:
    """Train a tagger from CoNLL-U files and write it; files in `base` are counted once."""
    own = [sentence for path in samples for sentence in read_conllu(path)]
    if onto:
        if base:
            raise QueryError(
                "A sample is added to treebanks (base) or to a tagger (onto), not both."
            )
        model = extend(_model("" if onto == "shipped" else onto, language), own)
    else:
        model = _trained(own, base, language)
    size = write_model(output, model)
    words = sum(len(sentence.words) for sentence in own)
    return TrainedTagger(str(output), model.language, len(own), words, len(model.tags), size)


def _trained(own: Sequence[GoldSentence], base: Sequence[Path], language: str) -> TaggerModel:
    more = [sentence for path in base for sentence in read_conllu(path)]
    times = max(1, min(5, len(more) // max(1, len(own))))
    repeated = [sentence for _ in range(times) for sentence in own]
    return train([*more, *repeated], iso639_3(language), notes={"source": "trained by a user"})


def write_pieces(
    samples: Sequence[Path], output: Path, language: str, most: int, listener: Listener
) -> TrainedSegments:
    """Learn the pieces that words of plain text are built of, and write them."""
    words = count_words((line for path in samples for line in _lines(path)), most=most)
    if not words:
        raise SourceError(f"There is no word in {', '.join(map(str, samples))}.")
    pieces = learn_pieces(
        words, rounds=_ROUNDS, progress=lambda done: listener(Progress("segments", done, _ROUNDS))
    )
    size = write_segments(output, pieces, language=iso639_3(language))
    return TrainedSegments(str(output), iso639_3(language), len(words), len(pieces), size)


def _lines(path: Path) -> Iterator[str]:
    try:
        with path.open(encoding="utf-8") as text:
            yield from text
    except (OSError, UnicodeDecodeError) as error:
        raise SourceError(f"{path} cannot be read: {error}.") from error


def measured(
    path: Path, language: str, model: str, lexicon: Path | None, *, is_raw: bool
) -> TaggerScore:
    """Compare a tagger with a gold standard, on its own words or, if raw, from the plain text."""
    sentences = read_conllu(path)
    if is_raw:
        return _from_raw(sentences, language, model, lexicon)
    return score_model(
        _model(model, language), sentences, read_lexicon(lexicon) if lexicon else NO_LEXICON
    )


def score_model(
    model: TaggerModel, sentences: Sequence[GoldSentence], lexicon: Lexicon = NO_LEXICON
) -> TaggerScore:
    """Compare a tagger with gold sentences, on their own words."""
    tagger = Tagger(model)
    words = [word for sentence in sentences for word in sentence.words]
    found, seconds = _timed(tagger, sentences, lexicon)
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
    is_english = tagger.model.language == "eng"
    attested = Attestation(lexicon.lemmas) if is_english else None
    tagged(tagger, Annotation(forms[:1], (), (), (0,), ()), _COLUMNS, lexicon, attested)
    begun = time.process_time()
    values = with_lexicon(forms, tagged(tagger, tokens, _COLUMNS, lexicon, attested), lexicon)
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
