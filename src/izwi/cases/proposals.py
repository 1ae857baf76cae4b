"""What may have been meant by a query in CQL that cannot be answered: queries that have lines."""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextvars import ContextVar
from difflib import get_close_matches
from itertools import islice
from time import monotonic
from typing import TYPE_CHECKING

from izwi.index.structures import structure_meant
from izwi.model.errors import CqlSyntaxError, NotFound, QueryError, QueryTimeout

if TYPE_CHECKING:
    from izwi.cases.corpus import Corpus

# Trying what may be meant must not hold up the answer: so long for all tries together, so many of
# them, and only for queries that somebody typed.
_MOST_SECONDS = 5.0
_MOST_TRIED = 24
_LONGEST = 500
_MOST_WORDS = 12
_MOST_PROPOSED = 3
# Values worth proposing: words, not punctuation marks.
_SAYING = r"\p{L}{2,}.*"
# Where a query may be cut, what hangs on at its end, and one that ends before a value.
_PLACES = re.compile(r"$|(?=[\s\[(<])")
_HANGING = re.compile(
    r"(?:\s|[&|!:;({\[<]|\b(?:within|containing|cut|expand(?:\s+to)?|meet|union)\b)+$"
)
_UNFINISHED = re.compile(r"([\[&|(!]\s*)(\w+)(\s*!?={1,2}\s*)[\"']?\]?\s*$")
_OPENED = {"[": "]", "(": ")", "{": "}"}
_SPECIAL = str.maketrans({sign: f"\\{sign}" for sign in ".+*?()[]{}|^$\\"})
# Signs and words of other languages for &, | and !.
_SIGNS = re.compile(
    r"&&|\|\||(?<=[\s\"'\])])(?:and|or)(?=[\s\[(\"])|(?<=[\s\[(&|])not(?=\s)", re.IGNORECASE
)
_MEANT_SIGNS = {"&&": "&", "and": "&", "||": "|", "or": "|", "not": "!"}
# Where structures are named, and those that nearly every corpus has.
_STRUCTURE = re.compile(r"(?:(?<=<)|(?<=</)|(?<=within )|(?<=to ))[A-Za-z_]\w*(?!\w|\s*=)")
_STRUCTURES = ("doc", "p", "s")
# Queries that are tried need no proposals themselves.
_IS_TRYING = ContextVar("is_trying", default=False)


def propose(error: QueryError, corpus: Callable[[], "Corpus"], request: object) -> None:
    """Give an error about a query in CQL the queries that may have been meant instead."""
    query = getattr(request, "query", None)
    is_ours = _IS_TRYING.get() or isinstance(error, QueryTimeout | NotFound)
    if not is_ours and isinstance(query, str) and _is_cql(query, getattr(request, "mode", "")):
        error.propose(proposals(corpus(), query))


def _is_cql(query: str, mode: str) -> bool:
    from izwi.query.cql_cursor import looks_like_cql

    return mode == "cql" or (mode == "auto" and looks_like_cql(query))


def proposals(corpus: "Corpus", cql: str) -> tuple[str, ...]:
    """Return queries that may have been meant by one that cannot be read; each has lines."""
    if len(cql) > _LONGEST:
        return ()
    trying, until = _IS_TRYING.set(True), monotonic() + _MOST_SECONDS
    try:
        fault = _fault(corpus, cql)
        if fault is None:
            return ()
        mended = (*_finished(corpus, cql), *_mended(cql, corpus.attributes))
        made = (*mended, *_begun(cql, fault), _bare(cql))
        others = islice((each for each in made if each.strip() and each != cql), _MOST_TRIED)
        found = (each for each in _told_apart(others) if _has_lines(corpus, each, until))
        return tuple(islice(found, _MOST_PROPOSED))
    finally:
        _IS_TRYING.reset(trying)


def _told_apart(queries: Iterable[str]) -> Iterator[str]:
    """Yield queries of which no two mean the same."""
    from izwi.cases.lines import mean_the_same

    seen: list[str] = []
    for query in queries:
        if not any(query == each or mean_the_same(query, each) for each in seen):
            seen.append(query)
            yield query


def _fault(corpus: "Corpus", cql: str) -> QueryError | None:
    """Return what is wrong with a query itself; nothing if it was something else."""
    try:
        corpus.explain(cql, mode="cql")
    except QueryError as error:
        return error
    return None


def _has_lines(corpus: "Corpus", cql: str, until: float) -> bool:
    left = until - monotonic()
    try:
        return left > 0 and bool(corpus.concordance(cql, mode="cql", size=1, timeout=left).hits)
    except QueryError:
        return False


def _finished(corpus: "Corpus", cql: str) -> Iterator[str]:
    """Yield a query that ends before a value, with those the corpus has most of."""
    ends = _UNFINISHED.search(cql)
    if ends:
        name = _nearest(ends[2], corpus.attributes)
        begin = f"{cql[: ends.start()]}{ends[1]}{name}{ends[3]}"
        for value in _most_frequent(corpus, name):
            yield _closed(f'{begin}"{value.translate(_SPECIAL)}"')


def _most_frequent(corpus: "Corpus", attribute: str) -> tuple[str, ...]:
    """Return some values of an attribute, the most frequent first."""
    try:
        found = corpus.wordlist(
            attribute=attribute, pattern=_SAYING, most=_MOST_PROPOSED, case=True,
            timeout=_MOST_SECONDS,
        )  # fmt: skip
    except QueryError:
        return ()
    return tuple(line.value for line in found.lines)


def _begun(cql: str, fault: QueryError) -> Iterator[str]:
    """Yield a query up to where it goes wrong, without what hangs on at its end."""
    if not isinstance(fault, CqlSyntaxError):
        # It can be read; what is wrong with it is not where it breaks off.
        return
    # The longest part in front of it that can be read is the likeliest.
    before = cql[: fault.position]
    for end in (each.start() for each in reversed(list(_PLACES.finditer(before)))):
        yield _closed(_HANGING.sub("", before[:end]))


def _mended(cql: str, attributes: Sequence[str]) -> Iterator[str]:
    """Yield a query with one thing after another put right."""
    plain = re.sub("[“”„«»]", '"', cql)
    plain = re.sub(r"(?<=[\s\])}\"'])([a-z]{4,})(?=\s*(<|[a-z]+\s*$))", _keyword, plain)
    plain = re.sub(r"=\s*'([^']*)'", r'="\1"', plain)
    plain = re.sub(r"(!?=)\s*([^\s\"'\]=&|<>/]+)", r'\1"\2"', plain)
    plain = _SIGNS.sub(lambda found: _MEANT_SIGNS[found[0].lower()], plain)
    plain = re.sub(r"(\(meet\b[^()]*[\s\"\]])(\d+)\s*\)", r"\1-\2 \2)", plain)
    plain = _STRUCTURE.sub(lambda found: structure_meant(found[0], _STRUCTURES) or found[0], plain)
    named = re.sub(r"(?<=[\[&|(!])(\s*)(\w+)(?=\s*!?=)", lambda m: _meant(m, attributes), plain)
    for text in (plain, named):
        yield text
        yield _closed(text)


def _bare(cql: str) -> str:
    """Return the words of a query, without what is wanted of them."""
    bare = re.findall(r"\w+", re.sub(r"\w+\s*!?=|within.*", " ", cql))
    return " ".join(f'"{word}"' for word in bare[:_MOST_WORDS])


def _keyword(found: re.Match[str]) -> str:
    """Return a word as CQL has it, if it was meant: within, containing."""
    return next(iter(get_close_matches(found[0], ("within", "containing"), 1, 0.7)), found[0])


def _meant(found: re.Match[str], attributes: Sequence[str]) -> str:
    return f"{found[1]}{_nearest(found[2], attributes)}"


def _nearest(name: str, attributes: Sequence[str]) -> str:
    """Return the attribute of the corpus that a name stands for or is nearest to."""
    if name in attributes:
        return name
    alike = {"tag": "pos", "pos": "upos", "xpos": "pos", "lempos": "lemma", "form": "word"}
    near = get_close_matches(name, attributes, 1, 0.5)
    return alike[name] if alike.get(name) in attributes else next(iter(near), name)


def _closed(text: str) -> str:
    """Return a text in which every quote and bracket that was opened is closed."""
    open_ones, is_quoted = list[str](), False
    made = ""
    for sign in text:
        if sign == '"':
            is_quoted = not is_quoted
        elif (
            is_quoted and sign in "])" and not re.search(r"[\[(][^\])]*$", made.rpartition('"')[2])
        ):
            made, is_quoted = f'{made}"', False
        if not is_quoted and sign in _OPENED:
            open_ones.append(_OPENED[sign])
        if not is_quoted and open_ones and sign == open_ones[-1]:
            open_ones.pop()
        made += sign
    return made + ('"' if is_quoted else "") + "".join(reversed(open_ones))
