"""spaCy as annotator: any pipeline that is installed, or lies in a folder."""

from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Any, ClassVar

from izwi.annotate.base import AnnotatorSettings, ForeignToken, aligned
from izwi.model.document import Annotation
from izwi.model.errors import ConfigError, PluginError
from izwi.model.languages import iso639_3

_ANY = AnnotatorSettings()


class Spacy:
    """Annotates with a spaCy pipeline; `model` is its name or folder."""

    depends_on: ClassVar[tuple[str, ...]] = ("spacy",)

    def __init__(self, settings: AnnotatorSettings = _ANY) -> None:
        self._language = iso639_3(settings.language)
        self._columns = settings.columns
        self._pipeline = _pipeline(settings.model)

    def __call__(self, paragraphs: Sequence[str]) -> Annotation:
        """Return the tokens of the paragraphs with what the pipeline says of them."""
        found = [list(_tokens(each)) for each in self._pipeline.pipe(paragraphs)]
        return aligned(paragraphs, found, columns=self._columns, language=self._language)


@lru_cache(maxsize=4)
def _pipeline(model: str) -> Any:
    if not model:
        raise ConfigError(
            "The annotator spacy needs a pipeline: write its name or folder as model, "
            'for instance [annotate.en] model = "en_core_web_sm".'
        )
    try:
        import spacy

        return spacy.load(model)
    except ImportError as error:
        raise PluginError(f"spaCy is missing ({error}): pip install 'izwi[spacy]'") from error
    except (OSError, ValueError) as error:
        raise ConfigError(f"spaCy cannot load '{model}': {error}") from error


def _tokens(document: Any) -> Iterator[ForeignToken]:
    """Yield the tokens of a paragraph; spaCy's tokens of mere space are left out."""
    begins = True
    places = {token.i: n for n, token in enumerate(t for t in document if not t.is_space)}
    for token in document:
        begins = begins or bool(token.is_sent_start)
        if token.is_space:
            continue
        yield ForeignToken(
            token.idx,
            token.idx + len(token.text),
            begins,
            token.lemma_ or token.text.lower(),
            token.pos_,
            token.tag_ or token.pos_,
            str(token.morph) or "_",
            token.dep_.lower(),
            (-1 if token.head.i == token.i else places.get(token.head.i)) if token.dep_ else None,
        )
        begins = False
