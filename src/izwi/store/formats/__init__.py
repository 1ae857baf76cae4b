"""The formats of all layers, one file for each stage that writes one."""

from collections.abc import Mapping

from izwi.store.formats.base import LayerFormat, Row
from izwi.store.formats.copies import DUP, SIGN
from izwi.store.formats.language import LANG
from izwi.store.formats.select import SELECT, SIFT
from izwi.store.formats.text import TEXT, document_of
from izwi.store.formats.tokens import TOKENS

__all__ = ["FORMATS", "TEXT", "LayerFormat", "Row", "document_of"]

FORMATS: Mapping[str, LayerFormat] = {
    form.name: form for form in (TEXT, LANG, SIFT, SIGN, DUP, SELECT, TOKENS)
}
