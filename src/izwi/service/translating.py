"""Words of another language: from a list the user gives, or from a LibreTranslate-like service."""

import json
import urllib.error
import urllib.request
from collections.abc import Sequence
from pathlib import Path

from izwi.config.schema import CorpusConfig
from izwi.model.errors import QueryError
from izwi.model.languages import iso639_1

# What stands for the service that corpus.toml names.
SERVICE = "service"
# Word lists of a corpus lie in this folder of it, as NAME.tsv.
LISTS = "translations"
_SECONDS = 10.0
_MOST_BYTES = 1 << 20
_ALTERNATIVES = 5


def is_service(translate: str) -> bool:
    """Return whether a translator is a service, not a list of words."""
    return translate == SERVICE or translate.startswith(("http://", "https://"))


def address_of(translate: str, config: CorpusConfig) -> str:
    """Return the address of a service, given as such or by corpus.toml."""
    if translate != SERVICE:
        return translate
    if not config.search.translator:
        raise QueryError(
            'corpus.toml names no translation service: set translator = "http://..." in [search].'
        )
    return config.search.translator


def list_of(translate: str, folder: Path) -> Path:
    """Return the file of a word list: one of the corpus by its name, or any by its path."""
    own = folder / LISTS / f"{translate}.tsv"
    return own if own.is_file() else Path(translate)


def own_lists(folder: Path) -> tuple[str, ...]:
    """Return the names of the word lists that lie in a corpus folder."""
    return tuple(sorted(path.stem for path in (folder / LISTS).glob("*.tsv")))


def ask_service(
    address: str, text: str, languages: Sequence[str], *, seconds: float | None
) -> tuple[str, ...]:
    """Return what a text means in the first of some languages, the likeliest meaning first."""
    if not languages:
        raise QueryError("A translation needs the language of the corpus: set it in corpus.toml.")
    asked = {
        "q": text,
        "source": "auto",
        "target": iso639_1(languages[0]) or languages[0],
        "format": "text",
        "alternatives": _ALTERNATIVES,
    }
    answer = _answer(f"{address.rstrip('/')}/translate", asked, min(seconds or _SECONDS, _SECONDS))
    others = answer.get("alternatives")
    found = [answer.get("translatedText"), *(others if isinstance(others, list) else ())]
    meanings = dict.fromkeys(each.strip() for each in found if isinstance(each, str))
    known = tuple(meaning for meaning in meanings if meaning)
    if not known:
        raise QueryError(f"The translation service knows no meaning of '{text}'.")
    return known


def _answer(address: str, asked: dict[str, object], seconds: float) -> dict[str, object]:
    request = urllib.request.Request(
        address, json.dumps(asked).encode(), {"Content-Type": "application/json"}
    )
    try:
        with urllib.request.urlopen(request, timeout=seconds) as response:
            found = json.loads(response.read(_MOST_BYTES))
    except (OSError, ValueError) as error:
        raise QueryError(
            f"The translation service at {address} did not answer as expected ({error})."
        ) from None
    if not isinstance(found, dict):
        raise QueryError(f"The translation service at {address} answered with no translation.")
    return found
