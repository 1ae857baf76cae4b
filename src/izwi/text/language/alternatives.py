"""A new language for the alternative identifiers, from a raw sample: its ranking and its counts."""

from collections.abc import Sequence
from pathlib import Path

from izwi.model.errors import ConfigError
from izwi.text.language.adding import Added, held_back, report_on
from izwi.text.language.base import Identifier
from izwi.text.language.distance import ProfileDistance, ranking
from izwi.text.language.kneserney import KneserNey, count_characters
from izwi.text.language.models import Alternatives, load_alternatives

METHODS = ("profile-distance", "kneser-ney")


def add_alternative(
    known: Alternatives, code: str, lines: Sequence[str], *, method: str
) -> tuple[Alternatives, Added]:
    """Return what both methods know with one more language, and how one of them fares with it."""
    learnt, snippets = held_back(code, lines)
    made = Alternatives(
        {**known.rankings, code: tuple(ranking(" ".join(learnt)))},
        {**known.characters, code: count_characters(learnt)},
    )
    identify = alternative(method, made)
    return made, report_on(identify, code, snippets, sum(map(len, lines)))


def alternative(method: str, known: Alternatives) -> Identifier:
    """Return the identifier of that name with what it is to know."""
    if method == "profile-distance":
        return ProfileDistance(known.rankings)
    return KneserNey(known.characters)


def open_alternatives(path: str | Path) -> Alternatives:
    """Return what is in a file; a sentence if it cannot be read."""
    try:
        return load_alternatives(Path(path).read_bytes())
    except OSError as error:
        raise ConfigError(
            f"{path} is not a file of rankings and counts. Try: izwi train language --method"
        ) from error
    except (ValueError, KeyError, EOFError) as error:
        raise ConfigError(f"{path} is not a file of rankings and counts: {error}.") from error
