"""izwi builds, grows and searches a web corpus of one language or variety.

    import izwi

    with izwi.open("news") as corpus:
        for line in corpus.concordance("bakkie"):
            print(line.left, line.match, line.right, line.document.url)

Everything a user does is a method of the corpus; the same methods stand behind the `izwi` command
and the web pages.
"""

import logging
import os
from functools import cache
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from izwi.annotate.izwi import annotate as annotate
    from izwi.cases.backup import move as move
    from izwi.cases.backup import restore as restore
    from izwi.cases.collection_tools import deduplicate as deduplicate
    from izwi.cases.corpus import Corpus as Corpus
    from izwi.cases.corpus import create_corpus as create
    from izwi.cases.corpus import open_corpus as open
    from izwi.cases.language_tools import Samples as Samples
    from izwi.cases.language_tools import identify as identify
    from izwi.cases.language_tools import language_runs as language_runs
    from izwi.cases.language_tools import make_pack as make_pack
    from izwi.cases.language_tools import variety_score as variety_score
    from izwi.cases.languages import identify_many as identify_many
    from izwi.cases.languages import is_connected as is_connected
    from izwi.model.errors import IzwiError as IzwiError
    from izwi.text.extract.page import Extraction as Extraction
    from izwi.text.extract.page import extract as extract

__all__ = [
    "Corpus",
    "Extraction",
    "IzwiError",
    "Samples",
    "annotate",
    "create",
    "deduplicate",
    "extract",
    "identify",
    "identify_many",
    "is_connected",
    "language_runs",
    "make_pack",
    "move",
    "open",
    "restore",
    "variety_score",
]

# Threads of NumPy's that nothing asks for wait for work at full speed for 20 ms; they may sleep.
os.environ.setdefault("OPENBLAS_THREAD_TIMEOUT", "4")
logging.getLogger(__name__).addHandler(logging.NullHandler())

# Looked up when first used, so that `izwi --help` does not load the index.
_HOMES = {
    "Corpus": ("izwi.cases.corpus", "Corpus"),
    "IzwiError": ("izwi.model.errors", "IzwiError"),
    "annotate": ("izwi.annotate.izwi", "annotate"),
    "create": ("izwi.cases.corpus", "create_corpus"),
    "deduplicate": ("izwi.cases.collection_tools", "deduplicate"),
    "open": ("izwi.cases.corpus", "open_corpus"),
    "move": ("izwi.cases.backup", "move"),
    "restore": ("izwi.cases.backup", "restore"),
    "identify": ("izwi.cases.language_tools", "identify"),
    "identify_many": ("izwi.cases.languages", "identify_many"),
    "is_connected": ("izwi.cases.languages", "is_connected"),
    "language_runs": ("izwi.cases.language_tools", "language_runs"),
    "Samples": ("izwi.cases.language_tools", "Samples"),
    "make_pack": ("izwi.cases.language_tools", "make_pack"),
    "variety_score": ("izwi.cases.language_tools", "variety_score"),
    "Extraction": ("izwi.text.extract.page", "Extraction"),
    "extract": ("izwi.text.extract.page", "extract"),
}


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module 'izwi' has no attribute '{name}'")
    from importlib import import_module

    module, attribute = _HOMES[name]
    found = getattr(import_module(module), attribute)
    return found if isinstance(found, type) else _explained(name, found)


@cache
def _explained(name: str, function: Any) -> Any:
    """Return a function for users, who may give it anything."""
    from izwi.model.notation import explained

    made = explained(function)
    # Where users have it from: other processes, to which it is sent by name, find it there.
    made.__module__, made.__qualname__ = __name__, name
    return made
