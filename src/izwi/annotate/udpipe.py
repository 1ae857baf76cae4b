"""UDPipe as annotator: any model of version 1, read from a file."""

from collections.abc import Iterator, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any, ClassVar

from izwi.annotate.base import AnnotatorSettings, ForeignToken, aligned
from izwi.model.document import Annotation
from izwi.model.errors import ConfigError, PluginError
from izwi.model.languages import iso639_3

_ANY = AnnotatorSettings()
# Parsing takes longer than all the rest, so it is done only where it is asked for.
_DEPENDENCIES = frozenset(("heads", "deprels"))


class Udpipe:
    """Annotates with a UDPipe model; `model` is its file."""

    depends_on: ClassVar[tuple[str, ...]] = ("ufal.udpipe",)

    def __init__(self, settings: AnnotatorSettings = _ANY) -> None:
        self._language = iso639_3(settings.language)
        self._columns = settings.columns
        self._model = _model(settings.model)

    def __call__(self, paragraphs: Sequence[str]) -> Annotation:
        """Return the tokens of the paragraphs with what the model says of them."""
        found = [list(self._tokens(paragraph)) for paragraph in paragraphs]
        return aligned(paragraphs, found, columns=self._columns, language=self._language)

    def _tokens(self, paragraph: str) -> Iterator[ForeignToken]:
        from ufal import udpipe

        cutter = self._model.newTokenizer(udpipe.Model.TOKENIZER_RANGES)
        cutter.setText(paragraph)
        sentence, before = udpipe.Sentence(), 0
        while cutter.nextSentence(sentence):
            self._model.tag(sentence, udpipe.Model.DEFAULT)
            if not _DEPENDENCIES.isdisjoint(self._columns):
                self._model.parse(sentence, udpipe.Model.DEFAULT)
            found = list(_sentence_tokens(sentence, before))
            before += len(found)
            yield from found


@lru_cache(maxsize=4)
def _model(path: str) -> Any:
    if not path:
        raise ConfigError("The annotator udpipe needs a file: write its place as model.")
    try:
        from ufal import udpipe
    except ImportError as error:
        raise PluginError(f"UDPipe is missing ({error}): pip install 'izwi[udpipe]'") from error
    found = udpipe.Model.load(path) if Path(path).is_file() else None
    if found is None:
        raise ConfigError(f"UDPipe cannot read a model from '{path}'.")
    return found


def _sentence_tokens(sentence: Any, before: int) -> Iterator[ForeignToken]:
    """Yield the tokens as written: of words written in one (du = de + le) all parts are named.

    `before` tokens of the paragraph stand in earlier sentences.
    """
    words = list(sentence.words)[1:]
    together = {each.idFirst: each for each in sentence.multiwordTokens}
    spans, done = [], 0
    for word in words:
        if word.id > done:
            done = together[word.id].idLast if word.id in together else word.id
            spans.append((word.id, done))
    place = {0: -1} | {
        number: before + token
        for token, (first, last) in enumerate(spans)
        for number in range(first, last + 1)
    }
    for token, (first, last) in enumerate(spans):
        own = words[first - 1 : last]
        # The head of words written in one is that of the word whose head is another token.
        outer = next((word for word in own if not first <= word.head <= last), own[0])
        yield _token(
            together.get(first, own[0]), own, begins=token == 0,
            deprel=outer.deprel, head=place.get(outer.head) if outer.deprel else None,
        )  # fmt: skip


def _token(
    place: Any, words: Sequence[Any], *, begins: bool, deprel: str, head: int | None
) -> ForeignToken:
    return ForeignToken(
        place.getTokenRangeStart(),
        place.getTokenRangeEnd(),
        begins,
        lemma="+".join(word.lemma for word in words),
        upos="+".join(word.upostag for word in words),
        xpos="+".join(word.xpostag or word.upostag for word in words),
        feats="|".join(word.feats for word in words if word.feats) or "_",
        deprel=deprel,
        head=head,
    )
