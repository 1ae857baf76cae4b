"""A query put together from fields, token by token, for those who do not write CQL."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import zip_longest
from typing import Annotated

from fastapi import APIRouter, Query
from starlette.responses import HTMLResponse

from izwi.cases.corpus import Corpus
from izwi.model.errors import QueryError
from izwi.query.cql import parse
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
) -> HTMLResponse:
    """Show the fields and the query they stand for."""
    fields = token_fields(attribute, how, value, times) or [TokenField()]
    if act == "more" and len(fields) < MOST_TOKENS:
        fields.append(TokenField())
    if act == "less" and len(fields) > 1:
        fields.pop()
    cql = built_cql(fields, within)
    hits, problem = _counted(corpus, cql) if any(field.value for field in fields) else (None, "")
    content = {
        "corpus": corpus,
        "fields": fields,
        "within": within if within in WITHIN else "s",
        "cql": cql,
        "problem": problem or _problem(cql),
        "hits": hits,
        "attributes": corpus.config.index.attributes,
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


def _counted(corpus: Corpus, cql: str) -> tuple[int | None, str]:
    """Return how many hits a query has, or what is wrong with it."""
    try:
        found = corpus.concordance(cql, mode="cql", size=1, timeout=_MOST_SECONDS)
    except QueryError as error:
        return None, str(error)
    return found.hits, ""


def _problem(cql: str) -> str:
    try:
        if cql:
            parse(cql)
    except QueryError as error:
        return str(error)
    return ""
