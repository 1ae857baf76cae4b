"""From text to sentences and tokens, tags and lemmas.

The package has the name of what it does, and can be called: `izwi.annotate("Ja, nee.", "af")`.
"""

import sys
from collections.abc import Sequence
from types import ModuleType
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

    from izwi.model.document import Annotation


class _Annotating(ModuleType):
    """This package as a function; `izwi.annotate` is the package once any part of it is loaded."""

    def __call__(
        self, text: str, language: str, *, lexicon: Sequence[str] = (), pack: "str | Path" = ""
    ) -> "Annotation":
        from izwi.annotate.izwi import annotate
        from izwi.model.notation import explained

        return explained(annotate)(text, language, lexicon=lexicon, pack=pack)


sys.modules[__name__].__class__ = _Annotating
