"""Quotations as entries of dictionaries in the field's standards: OntoLex with FrAC, and DMLex."""

import json
import re
from collections.abc import Callable, Iterator, Sequence
from itertools import groupby
from typing import Any
from urllib.parse import quote

from izwi.model.reading import Quotation

Address = Callable[[Quotation], str]
_PREFIXES = {
    "dct": "http://purl.org/dc/terms/",
    "frac": "http://www.w3.org/ns/lemon/frac#",
    "ontolex": "http://www.w3.org/ns/lemon/ontolex#",
    "rdfs": "http://www.w3.org/2000/01/rdf-schema#",
    "skos": "http://www.w3.org/2004/02/skos/core#",
    "xsd": "http://www.w3.org/2001/XMLSchema#",
}
_KIND_BY_LENGTH = {4: "gYear", 7: "gYearMonth", 10: "date"}
# What Turtle does not take in an address, and what it wants escaped in a text.
_SAFE_IN_ADDRESS = "/:?#[]@!$&'()*+,;=-._~%"
_IN_TEXT = {
    "\\": "\\\\", '"': '\\"', "\n": "\\n", "\r": "\\r", "\t": "\\t", "\b": "\\b", "\f": "\\f",
}  # fmt: skip
_WEB = re.compile(r"https?://[^/?#\s]")


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
    lines = [f"@prefix {name}: <{space}> .\n" for name, space in _PREFIXES.items()]
    corpora = {(each.corpus, each.version): each for each in quotations}
    lines += [
        f"\n{_corpus_name(each, address)} a frac:Corpus ;\n"
        f'    dct:title {_text(each.corpus)} ;\n    dct:hasVersion "{each.version}" .\n'
        for each in corpora.values()
    ]
    lines += [_entry(word, group, address) for word, group in by_headword(quotations)]
    return "".join(lines)


def _corpus_name(quotation: Quotation, address: Address) -> str:
    before = _place(address(quotation)).partition("/hit/")[0]
    return _named(f"{before}?v={quotation.version}")


def _entry(word: str, quotations: Sequence[Quotation], address: Address) -> str:
    home = _place(address(quotations[0])).partition("/hit/")[0]
    name = f"{home}/entry/{quote(word, safe='')}"
    parts = [
        f"\n{_named(name)} a ontolex:LexicalEntry ;\n    rdfs:label {_text(word)} ;\n"
        f"    ontolex:canonicalForm [ a ontolex:Form ; ontolex:writtenRep {_text(word)} ]"
    ]
    attested = []
    for number, (sense, group) in enumerate(groupby(quotations, key=lambda q: q.sense.strip()), 1):
        named = [_attestation(each, address) for each in group]
        attested += [text for _, text in named]
        links = ", ".join(link for link, _ in named)
        if not sense:
            parts.append(f" ;\n    frac:attestation {links}")
            continue
        own = _named(f"{name}#sense-{number}")
        parts.append(f" ;\n    ontolex:sense {own}")
        attested.append(
            f"\n{own} a ontolex:LexicalSense ;\n    skos:definition {_text(sense)} ;\n"
            f"    frac:attestation {links} .\n"
        )
    return "".join((*parts, " .\n", *attested))


def _attestation(quotation: Quotation, address: Address) -> tuple[str, str]:
    """Return the name of an attestation, and what is said of it."""
    link = _place(address(quotation))
    words, _ = words_of(quotation)
    said = [
        f"{_named(f'{link}#attestation')} a frac:Attestation",
        f"frac:quotation {_text(words)}",
        f"frac:locus {_named(link)}",
        f"frac:observedIn {_corpus_name(quotation, address)}",
    ]
    if _WEB.match(quotation.url):
        said.append(f"dct:source {_named(quotation.url)}")
    if kind := _KIND_BY_LENGTH.get(len(quotation.date)):
        said.append(f'dct:date "{quotation.date}"^^xsd:{kind}')
    said += [
        f"dct:{name} {_text(value)}"
        for name, value in (("title", quotation.title), ("creator", quotation.author))
        if value
    ]
    if quotation.note:
        said.append(f"rdfs:comment {_text(quotation.note)}")
    return _named(f"{link}#attestation"), "\n" + " ;\n    ".join(said) + " .\n"


def _place(link: str) -> str:
    """Return a link as a name that holds everywhere; without a site it is a name and no address."""
    path = link.partition("?")[0]
    return path if _WEB.match(path) else f"urn:izwi:{path.lstrip('/')}"


def _named(address: str) -> str:
    return f"<{quote(address, safe=_SAFE_IN_ADDRESS)}>"


def _text(text: str) -> str:
    return '"' + "".join(_IN_TEXT.get(sign, sign) for sign in text) + '"'


def dmlex(quotations: Sequence[Quotation], address: Address) -> str:
    """Return entries in the JSON serialisation of DMLex 1.0, with its annotation module."""
    sites = sorted({_site(each) for each in quotations} - {""})
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
    for place, (sense, group) in enumerate(groupby(quotations, key=lambda q: q.sense.strip()), 1):
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
        **({"sourceIdentity": _site(quotation)} if _site(quotation) else {}),
        "sourceElaboration": ", ".join(part for part in told if part),
        **({"headwordMarkers": [{"startIndex": start, "endIndex": end}]} if end > start else {}),
    }


def _site(quotation: Quotation) -> str:
    return quotation.site or quotation.source
