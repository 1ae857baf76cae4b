"""Google's Compact Language Detector 2, through the package pycld2."""

import unicodedata
from typing import ClassVar

from izwi.model.document import LanguageGuess
from izwi.model.errors import MissingExtra
from izwi.model.languages import iso639_3
from izwi.text.language.base import LONGEST, NEEDED, UNKNOWN


class Pycld2:
    """Names the language with the largest share of the text."""

    depends_on: ClassVar[tuple[str, ...]] = ("pycld2",)

    def __init__(self) -> None:
        try:
            import pycld2
        except ImportError as error:
            raise MissingExtra(NEEDED.format("pycld2")) from error
        self._detect, self._error = pycld2.detect, pycld2.error

    def __call__(self, text: str) -> LanguageGuess:
        """Return the language with the largest share of the text, and that share."""
        printable = "".join(map(_printable, text[:LONGEST]))
        try:
            is_reliable, _, details = self._detect(printable, isPlainText=True)
        except self._error:
            return UNKNOWN
        _, code, percent, _ = details[0]
        # "xx-Runr" names a script, not a language.
        if not is_reliable or code == "un" or code.startswith("xx-"):
            return UNKNOWN
        return LanguageGuess(iso639_3(code), percent / 100)


def _printable(character: str) -> str:
    # pycld2 refuses control characters and unpaired surrogates.
    return " " if unicodedata.category(character) in ("Cc", "Cs", "Cn", "Co") else character
