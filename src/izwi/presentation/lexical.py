"""Quotations as entries of dictionaries in the field's standards: OntoLex with FrAC, and DMLex."""

import json
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import groupby
from typing import Any
from urllib.parse import quote

from izwi.model.reading import Quotation
from izwi.presentation.layouts import filled, lasting_name

Address = Callable[[Quotation], str]


def by_headword(quotations: Sequence[Quotation]) -> Iterator[tuple[str, list[Quotation]]]:
    """Yield headwords with their quotations by sense and date; the words found if there is none."""
    ordered = sorted(
        quotations, key=lambda each: (_headword(each), each.sense, each.date or "9999")
    )
    for word, group in groupby(ordered, key=_headword):
        yield word, list(group)


def _headword(quotation: Quotation) -> str:
    return quotation.headword.strip() or quotation.match.strip().lower() or "?"


def words_of(quotation: Quotation) -> tuple[str, int]:
    """Return the quoted words, and where in them the match begins."""
    left = quotation.left.lstrip()
    return f"{left}{quotation.match}{quotation.right.rstrip()}", len(left)


def ontolex(quotations: Sequence[Quotation], address: Address) -> str:
    """Return entries with their attestations in Turtle: OntoLex-Lemon and its module FrAC."""
    return filled(
        "ontolex.ttl",
        corpora=list({(each.corpus, each.version): each for each in quotations}.values()),
        entries=list(by_headword(quotations)),
        senses=by_sense,
        words=words_of,
        quoted=partial(quote, safe=""),
        name=lambda each: lasting_name(address(each)),
    )


def by_sense(quotations: Sequence[Quotation]) -> list[tuple[str, list[Quotation]]]:
    """Return senses with their quotations, in the order in which they come."""
    groups = groupby(quotations, key=lambda each: each.sense.strip())
    return [(sense, list(group)) for sense, group in groups]


def dmlex(quotations: Sequence[Quotation], address: Address) -> str:
    """Return entries in the JSON serialisation of DMLex 1.0, with its annotation module."""
    sites = sorted({each.published_in for each in quotations} - {""})
    corpora = sorted({f"{each.corpus}, version {each.version}" for each in quotations})
    resource = {
        "title": "; ".join(corpora) or "no corpus",
        "langCode": "und",
        "entries": [
            _dmlex_entry(number, word, group, address)
            for number, (word, group) in enumerate(by_headword(quotations), 1)
        ],
        "sourceIdentityTags": [{"tag": site} for site in sites],
    }
    return json.dumps(resource, ensure_ascii=False, indent=1) + "\n"


def _dmlex_entry(
    number: int, word: str, quotations: Sequence[Quotation], address: Address
) -> dict[str, Any]:
    senses = []
    for place, (sense, group) in enumerate(by_sense(quotations), 1):
        definitions = {"definitions": [{"text": sense}]} if sense else {}
        examples = [_dmlex_example(each, address(each)) for each in group]
        senses.append({"id": f"e{number}-s{place}", **definitions, "examples": examples})
    return {"id": f"e{number}", "headword": word, "senses": senses}


def _dmlex_example(quotation: Quotation, link: str) -> dict[str, Any]:
    words, start = words_of(quotation)
    told = (quotation.author, quotation.title, quotation.date, quotation.url, link)
    end = start + len(quotation.match)
    return {
        "text": words,
        **({"sourceIdentity": quotation.published_in} if quotation.published_in else {}),
        "sourceElaboration": ", ".join(part for part in told if part),
        **({"headwordMarkers": [{"startIndex": start, "endIndex": end}]} if end > start else {}),
    }
