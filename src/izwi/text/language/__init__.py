"""Which language a text is in: identifiers, word runs, and how they are trained."""

from izwi.text.language.base import UNKNOWN, Identifier, Language, LanguageConfig

__all__ = ["UNKNOWN", "Identifier", "Language", "LanguageConfig"]
