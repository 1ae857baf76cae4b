"""What answers need beside their corpus, loaded before somebody asks: code and word lists."""

import pkgutil
from collections.abc import Iterable
from importlib import import_module

from izwi.cases.corpus import Corpus


def load_ahead(corpora: Iterable[Corpus]) -> None:
    """Load the code of all analyses and the word lists of the corpora's first languages."""
    import pyarrow

    from izwi import analyse
    from izwi.annotate.izwi import is_listed

    # Arrow loads pandas, where that is installed, when it is given the first Python object.
    pyarrow.array([""])
    for module in pkgutil.iter_modules(analyse.__path__):
        import_module(f"{analyse.__name__}.{module.name}")
    firsts = (corpus.config.corpus.languages[:1] for corpus in corpora)
    for language in dict.fromkeys(code for codes in firsts for code in codes):
        is_listed("a", language)
