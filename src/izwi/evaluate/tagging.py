"""Tags, lemmas, tokens and sentences beside a gold standard."""

from collections import Counter, defaultdict
from collections.abc import Container, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from izwi.annotate.conllu import GoldSentence, GoldWord
from izwi.annotate.conventions import text_hash
from izwi.model.document import Annotation
from izwi.model.languages import Confusion, TagAccuracy, TaggerScore

_END_MARKS = ".!?…"
_CLOSING = "\"'”’)]»"
_MOST_CONFUSIONS = 20

Span = tuple[int, int]
Columns = Mapping[str, Sequence[str]]


@dataclass(frozen=True, slots=True)
class RawGold:
    """The text of a treebank as paragraphs, with the places of its sentences and words."""

    paragraphs: tuple[str, ...]
    sentences: tuple[Span, ...]
    words: Mapping[Span, GoldWord]


def score_words(
    words: Sequence[GoldWord], found: Columns, *, known: Container[int], seconds: float
) -> TaggerScore:
    """Return how well columns fit the gold words they stand beside."""
    fits = list(zip(words, found["upos"], found["xpos"], found["lemmas"], strict=True))
    unknown = [fit for fit in fits if text_hash(fit[0].form) not in known]
    return TaggerScore(
        words=len(words),
        upos=_share([word.upos == upos for word, upos, _, _ in fits if word.upos]),
        xpos=_share([word.xpos == xpos for word, _, xpos, _ in fits if word.xpos]),
        lemma=_share([word.lemma == lemma for word, _, _, lemma in fits]),
        unknown=_share([_is_tag_right(word, upos, xpos) for word, upos, xpos, _ in unknown]),
        unknown_words=len(unknown),
        tokens_per_second=round(len(words) / seconds, 1) if seconds else 0.0,
        by_tag=_by_tag([(_tag(word), _found_tag(word, u, x)) for word, u, x, _ in fits]),
        confusions=_confusions([(_tag(word), _found_tag(word, u, x)) for word, u, x, _ in fits]),
        feats=_feats(words, found.get("feats")),
    )


def _feats(words: Sequence[GoldWord], found: Sequence[str] | None) -> float | None:
    if found is None:
        return None
    return _share([word.feats == feats for word, feats in zip(words, found, strict=True)])


def score_raw(gold: RawGold, found: Annotation, *, seconds: float) -> TaggerScore:
    """Return how well an annotation of the plain text fits; a word cut wrongly is wrong in all."""
    spans = list(zip(found.starts, found.ends, strict=True))
    sentences = _sentence_spans(found, spans)
    place = {span: number for number, span in enumerate(spans)}
    right = [(word, place.get(span)) for span, word in gold.words.items()]
    columns = {
        name: ["" if at is None else getattr(found, name)[at] for _, at in right]
        for name in ("upos", "xpos", "lemmas")
    }
    words = [word for word, _ in right]
    score = score_words(words, columns, known=(), seconds=seconds)
    return TaggerScore(
        **{name: getattr(score, name) for name in score.__slots__ if not name.endswith("_f1")},
        sentences_f1=_f1(gold.sentences, sentences),
        tokens_f1=_f1(gold.words, spans),
        sentence_ends_f1=_f1(_ends(gold.sentences), _ends(sentences)),
        token_edges_f1=_f1(_edges(gold.words), _edges(spans)),
    )


def raw_text(sentences: Sequence[GoldSentence]) -> RawGold:
    """Return the text of gold sentences.

    A new line begins where the treebank says so, and after a sentence that no mark ends: such
    sentences (headings, signatures) stood on lines of their own, which CoNLL-U does not keep.
    """
    paragraphs: list[str] = []
    spans: list[Span] = []
    words: dict[Span, GoldWord] = {}
    base, line, is_ended = 0, "", True
    for sentence in sentences:
        if line and (sentence.begins_paragraph or not is_ended):
            paragraphs.append(line)
            base += len(line) + 1
            line = ""
        line += " " if line else ""
        begin = base + len(line)
        for number, word in enumerate(sentence.words, 1):
            words[base + len(line), base + len(line) + len(word.form)] = word
            line += word.form
            line += " " if word.space_after and number < len(sentence.words) else ""
        spans.append((begin, base + len(line)))
        is_ended = _is_ended(line)
    return RawGold((*paragraphs, line), tuple(spans), words)


def _is_ended(line: str) -> bool:
    return line.rstrip(_CLOSING)[-1:] in _END_MARKS and bool(line.rstrip(_CLOSING))


def _sentence_spans(found: Annotation, spans: Sequence[Span]) -> list[Span]:
    ends = (*found.sentences[1:], len(spans))
    return [(spans[a][0], spans[b - 1][1]) for a, b in zip(found.sentences, ends, strict=True)]


def _ends(spans: Iterable[Span]) -> list[int]:
    return [end for _, end in spans]


def _edges(spans: Iterable[Span]) -> list[int]:
    return [edge for span in spans for edge in span]


def _f1(gold: Iterable[Hashable], found: Iterable[Hashable]) -> float:
    right, ours = set(gold), set(found)
    if not right and not ours:
        return 1.0
    return round(2 * len(right & ours) / (len(right) + len(ours)), 5)


def _share(right: Sequence[bool]) -> float:
    return round(sum(right) / len(right), 5) if right else 0.0


def _tag(word: GoldWord) -> str:
    return word.xpos or word.upos


def _found_tag(word: GoldWord, upos: str, xpos: str) -> str:
    return xpos if word.xpos else upos


def _is_tag_right(word: GoldWord, upos: str, xpos: str) -> bool:
    return _tag(word) == _found_tag(word, upos, xpos)


def _by_tag(pairs: Sequence[tuple[str, str]]) -> tuple[TagAccuracy, ...]:
    found: defaultdict[str, Counter[str]] = defaultdict(Counter)
    for gold, tag in pairs:
        found[gold][tag] += 1
    return tuple(
        TagAccuracy(
            tag, counts.total(), round(counts[tag] / counts.total(), 5), _other(tag, counts)
        )
        for tag, counts in sorted(found.items(), key=lambda pair: -pair[1].total())
    )


def _other(tag: str, counts: Counter[str]) -> str:
    return next((other for other, _ in counts.most_common(2) if other != tag), "")


def _confusions(pairs: Sequence[tuple[str, str]]) -> tuple[Confusion, ...]:
    wrong = Counter(pair for pair in pairs if pair[0] != pair[1])
    return tuple(Confusion(*pair, times) for pair, times in wrong.most_common(_MOST_CONFUSIONS))
