"""The identifier of the package lingua-language-detector, an extra."""

from typing import ClassVar

from izwi.model.document import LanguageGuess
from izwi.model.errors import MissingExtra
from izwi.text.language.base import LONGEST, NEEDED, UNKNOWN


class Lingua:
    """Names the most probable of lingua's 75 languages."""

    depends_on: ClassVar[tuple[str, ...]] = ("lingua-language-detector",)

    def __init__(self) -> None:
        try:
            from lingua import LanguageDetectorBuilder
        except ImportError as error:
            raise MissingExtra(NEEDED.format("lingua")) from error
        self._detector = LanguageDetectorBuilder.from_all_languages().build()

    def __call__(self, text: str) -> LanguageGuess:
        """Return the most probable language and its probability."""
        readable = text[:LONGEST].encode("utf-8", "replace").decode("utf-8")
        found = self._detector.compute_language_confidence_values(readable)
        if not found or found[0].value == 0.0:
            return UNKNOWN
        best = found[0]
        return LanguageGuess(str(best.language.iso_code_639_3.name).lower(), float(best.value))
