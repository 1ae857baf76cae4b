"""Which attributes of a segment hold forms, lemmas and tags: corpora from elsewhere name others."""

from izwi.index.reader import Attribute, Segment
from izwi.model.errors import QueryError

_TAGS = ("pos", "tag", "xpos")


def form_attribute(segment: Segment) -> Attribute:
    """Return the forms in lower case, or as written where those were not made."""
    return segment.attribute("lc" if "lc" in segment.attributes else "word")


def lemma_attribute(segment: Segment) -> Attribute:
    """Return what words are counted by: lemmas, or forms where there are none."""
    return segment.attribute("lemma") if "lemma" in segment.attributes else form_attribute(segment)


def tags_named(segment: Segment, names: tuple[str, ...] = _TAGS) -> str:
    """Return what the tags of a segment are called; nothing where it has none."""
    return next((name for name in names if name in segment.attributes), "")


def has_universal_tags(segment: Segment) -> bool:
    """Return whether a segment has tags of Universal Dependencies, under whatever name."""
    if "upos" in segment.attributes:
        return True
    names = (name for name in _TAGS if name in segment.attributes)
    return any(segment.attribute(name).number("NOUN") is not None for name in names)


def tag_attribute(segment: Segment, names: tuple[str, ...] = ()) -> Attribute:
    """Return the tags of some name, else of a language's own set; an error says how to get some."""
    found = tags_named(segment, names or _TAGS)
    if not found:
        raise QueryError(
            "Sketches need tags, and this corpus has none. Let an annotator make them: "
            'attributes = ["word", "lc", "lemma", "pos"] under [index] in corpus.toml.'
        )
    return segment.attribute(found)
