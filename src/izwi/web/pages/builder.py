"""A query put together from fields, token by token, for those who do not write CQL.

The fields read CQL back and offer what the corpus has.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import zip_longest
from typing import Annotated

from fastapi import APIRouter, Query
from starlette.responses import HTMLResponse

from izwi.cases.corpus import Corpus
from izwi.cases.lines import mean_the_same
from izwi.model.errors import QueryError
from izwi.web.api.twins import twins
from izwi.web.errors import PROBLEMS
from izwi.web.site import ThisCorpus, ThisSite

router = APIRouter(tags=["pages"], responses=PROBLEMS)
# Counting while somebody chooses must not hold up the page.
_MOST_SECONDS = 5.0
MOST_TOKENS = 12
# How a value is compared, and the expression that does it.
HOWS = {
    "is": "{}",
    "begins": "{}.*",
    "ends": ".*{}",
    "contains": ".*{}.*",
    "not": "{}",
    "expression": "{}",
}
TIMES = {"once": "", "optional": "?", "some": "+", "any": "*", "up-to-3": "{0,3}"}
WITHIN = {"s": " within <s/>", "p": " within <p/>", "doc": ""}
_SPECIAL = str.maketrans({sign: f"\\{sign}" for sign in ".+*?()[]{}|^$\\"})

# A token of a query that fields can stand for, and how often it is repeated.
_READ = re.compile(
    r"""\s*(?:\[\s*(?:(\w+)\s*(!?=)\s*("(?:[^"\\]|\\.)*"))?\s*\]|("(?:[^"\\]|\\.)*"))"""
    r"""\s*(\?|\+|\*|\{\s*0?\s*,\s*3\s*\})?"""
)
_READ_WITHIN = re.compile(r"\s*within\s*<\s*([sp])\s*/>\s*$")
_READ_TIMES = {"": "once", "?": "optional", "+": "some", "*": "any"}
# Values offered for what is being typed; of tags and the like all are.
_MOST_OFFERED, _FEW = 12, 60

Values = Annotated[tuple[str, ...], Query(description="One for each token, in order.")]


@dataclass(frozen=True, slots=True)
class TokenField:
    """What is asked of one token; an empty value stands for any token."""

    attribute: str = "lc"
    how: str = "is"
    value: str = ""
    times: str = "once"


@dataclass(frozen=True, slots=True)
class Built:
    """The query that the fields stand for."""

    cql: str


def built_cql(tokens: Sequence[TokenField], within: str) -> str:
    """Return the fields as CQL; empty if they ask for nothing.

    >>> built_cql([TokenField("lemma", "is", "take"), TokenField(times="up-to-3")], "s")
    '[lemma="take"] []{0,3} within <s/>'
    """
    if not any(token.value for token in tokens):
        return ""
    return " ".join(map(_token, tokens)) + WITHIN.get(within, "")


@twins(router, "/c/{corpus}/builder", summary="Query builder")
def builder_twin(
    corpus: ThisCorpus,
    attribute: Values = (),
    how: Values = (),
    value: Values = (),
    times: Values = (),
    within: Annotated[str, Query(description="s, p or doc.")] = "s",
) -> Built:
    """Put a query together from fields and return it as CQL."""
    return Built(built_cql(token_fields(attribute, how, value, times), within))


@router.get("/c/{corpus}/builder", response_class=HTMLResponse, summary="Query builder")
def builder(
    site: ThisSite,
    corpus: ThisCorpus,
    attribute: Values = (),
    how: Values = (),
    value: Values = (),
    times: Values = (),
    within: Annotated[str, Query(description="s, p or doc.")] = "s",
    act: Annotated[str, Query(description="more: one token more; less: one fewer.")] = "",
    cql: Annotated[str, Query(description="A query to be read into the fields.")] = "",
) -> HTMLResponse:
    """Show the fields and the query they stand for."""
    read = read_fields(cql) if cql.strip() else None
    if read is not None:
        fields, within = read
    else:
        fields = token_fields(attribute, how, value, times) or [TokenField()]
    if act == "more" and len(fields) < MOST_TOKENS:
        fields.append(TokenField())
    if act == "less" and len(fields) > 1:
        fields.pop()
    # What the fields cannot stand for is kept as it was written.
    is_too_much = bool(cql.strip()) and read is None
    made = cql.strip() if is_too_much else built_cql(fields, within)
    hits, problem, proposals = _counted(corpus, made) if made else (None, "", ())
    content = {
        "corpus": corpus,
        "fields": fields,
        "within": within if within in WITHIN else "s",
        "cql": made,
        "is_too_much": is_too_much and not problem,
        "problem": problem,
        "proposals": proposals,
        "hits": hits,
        "attributes": corpus.attributes or corpus.config.index.attributes,
        "offered": [offered_values(corpus, field) for field in fields],
        "hows": HOWS,
        "times": TIMES,
    }
    return site.pages.page("builder.html", content)


def token_fields(
    attribute: Sequence[str], how: Sequence[str], value: Sequence[str], times: Sequence[str]
) -> list[TokenField]:
    """Return the fields of each token; unknown words fall back to the first choice."""
    rows = zip_longest(attribute, how, value, times, fillvalue="")
    return [
        TokenField(
            name if name.isidentifier() else "lc",
            way if way in HOWS else "is",
            text,
            many if many in TIMES else "once",
        )
        for name, way, text, many in list(rows)[:MOST_TOKENS]
    ]


def _token(token: TokenField) -> str:
    repeated = TIMES[token.times]
    if not token.value:
        return f"[]{repeated}"
    is_plain = token.how != "expression"
    text = token.value.translate(_SPECIAL) if is_plain else token.value
    if token.attribute == "lc" and is_plain:
        text = text.lower()
    text = HOWS[token.how].format(text).replace('"', '\\"')
    sign = "!=" if token.how == "not" else "="
    return f'[{token.attribute}{sign}"{text}"]{repeated}'


def _counted(corpus: Corpus, cql: str) -> tuple[int | None, str, tuple[str, ...]]:
    """Return how many hits a query has, or what is wrong with it and what may be meant."""
    try:
        found = corpus.concordance(cql, mode="cql", size=1, timeout=_MOST_SECONDS)
    except QueryError as error:
        return None, str(error), error.proposals
    return found.hits, "", ()


def read_fields(cql: str) -> tuple[list[TokenField], str] | None:
    """Return the fields that stand for a query, None if it says more than fields can.

    >>> read_fields('[lemma="take"] []{0,3} "bak.*" within <s/>')[0][2]
    TokenField(attribute='word', how='begins', value='bak', times='once')
    >>> read_fields('[lemma="a" | lemma="b"]') is None
    True
    """
    tail = _READ_WITHIN.search(cql)
    within = tail[1] if tail else "doc"
    rest, fields = cql[: tail.start()] if tail else cql, list[TokenField]()
    while rest.strip():
        found = _READ.match(rest)
        if found is None or not found[0].strip() or len(fields) == MOST_TOKENS:
            return None
        fields.append(_read_token(found))
        rest = rest[found.end() :]
    return (fields, within) if fields and mean_the_same(built_cql(fields, within), cql) else None


def _read_token(found: re.Match[str]) -> TokenField:
    attribute, sign, quoted, alone, repeated = found.groups()
    times = _READ_TIMES.get(repeated or "", "up-to-3")
    text = (quoted or alone or '""')[1:-1].replace('\\"', '"')
    if not text:
        return TokenField(times=times)
    name = attribute or "word"
    if sign == "!=":
        return TokenField(name, "not", _plain(text), times)
    for how in ("is", "begins", "ends", "contains"):
        before, _, after = HOWS[how].partition("{}")
        inner = text.removeprefix(before).removesuffix(after) if before or after else text
        if HOWS[how].format(inner) == text and _plain(inner).translate(_SPECIAL) == inner:
            return TokenField(name, how, _plain(inner), times)
    return TokenField(name, "expression", text, times)


def _plain(expression: str) -> str:
    return re.sub(r"\\(.)", r"\1", expression)


def offered_values(corpus: Corpus, field: TokenField) -> tuple[str, ...]:
    """Return values of an attribute that begin as what is being typed; all, if they are few."""
    if field.how == "expression" or field.attribute not in corpus.attributes:
        return ()
    begun = field.value.translate(_SPECIAL)
    try:
        few = corpus.wordlist(
            attribute=field.attribute, pattern=".+", most=_FEW + 1, case=True,
            timeout=_MOST_SECONDS,
        ) if not begun else None  # fmt: skip
        if few is not None:
            return tuple(line.value for line in few.lines) if len(few.lines) <= _FEW else ()
        found = corpus.wordlist(
            attribute=field.attribute, pattern=f"{begun}.*", most=_MOST_OFFERED, case=True,
            timeout=_MOST_SECONDS,
        )  # fmt: skip
    except QueryError:
        return ()
    return tuple(line.value for line in found.lines)
