"""What training and measuring a tagger give."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class TrainedTagger:
    """A tagger that was written, and what it was learnt from."""

    path: str
    language: str
    sentences: int
    words: int
    tags: int
    size_bytes: int


@dataclass(frozen=True, slots=True)
class TrainedSegments:
    """Pieces of words that were written, and from how many words they were learnt."""

    path: str
    language: str
    words: int
    pieces: int
    size_bytes: int


@dataclass(frozen=True, slots=True)
class TagAccuracy:
    """How often a tag of the gold standard was found, and what was said most often instead."""

    tag: str
    words: int
    accuracy: float
    instead: str = ""


@dataclass(frozen=True, slots=True)
class Confusion:
    """A tag taken for another, so many times."""

    gold: str
    found: str
    times: int


@dataclass(frozen=True, slots=True)
class TaggerScore:
    """A tagger beside a gold standard; shares from 0 to 1.

    From raw text, `sentences_f1` and `tokens_f1` are given too, and a word counts as right only if
    it was cut out rightly. `unknown` is the share right among words not frequent in training.
    """

    words: int
    upos: float
    xpos: float
    lemma: float
    unknown: float
    unknown_words: int
    tokens_per_second: float
    by_tag: tuple[TagAccuracy, ...] = ()
    confusions: tuple[Confusion, ...] = ()
    sentences_f1: float | None = None
    tokens_f1: float | None = None
    # The same by single cuts: one wrong cut spoils two sentences or tokens, but is one error here.
    sentence_ends_f1: float | None = None
    token_edges_f1: float | None = None
    # Words whose features are all right, where features were asked for.
    feats: float | None = None
