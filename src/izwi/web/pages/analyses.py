"""Pages that count: one form and one table, each number a link to the lines it counts."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from inspect import Parameter, Signature, signature
from typing import Any

from fastapi import APIRouter, Request
from starlette.responses import HTMLResponse

from izwi.cases.corpus import Corpus
from izwi.model.analyses import WHERE, Dispersion, escaped
from izwi.model.errors import QueryError
from izwi.model.results import DocumentCard
from izwi.web.api.derived import CaseRoute, endpoint
from izwi.web.api.twins import twins
from izwi.web.errors import PROBLEMS, status_of
from izwi.web.pages import tables
from izwi.web.pages.addresses import Here, corpus_address, here, lines_address, ways_of
from izwi.web.pages.tables import Column, FormField, figure
from izwi.web.pages.text_menu import (
    contrasts,
    example_words,
    name_among,
    parts_of,
    texts_of,
    with_text,
)
from izwi.web.session.reader import gettext as _
from izwi.web.site import Site, ThisSite, site_address

router = APIRouter(tags=["pages"], responses=PROBLEMS, route_class=CaseRoute)
# Documents that are shown by their titles; a longer list has ids from there on.
_MOST_CARDS = 1000


@dataclass(frozen=True, slots=True)
class Analysis:
    """A page that counts: its key, what answers it, its columns and its form."""

    key: str
    function: Callable[..., Any]
    name: Callable[[], str]
    columns: Callable[[], Sequence[Column]]
    fields: Callable[[Sequence[str]], Sequence[FormField]]
    needs_query: bool = True
    # The parameter by which the table is ordered.
    order: str = ""
    is_drawn: bool = True


def _analyses() -> tuple[Analysis, ...]:
    return (
        Analysis(
            "wordlist", endpoint("wordlist"), lambda: _("Word list"), tables.word_columns,
            tables.word_fields, needs_query=False, order="sort",
            is_drawn=False,
        ),
        Analysis(
            "freq", endpoint("frequencies"), lambda: _("Frequencies"), tables.frequency_columns,
            tables.frequency_fields, order="sort",
        ),
        Analysis(
            "coll", endpoint("collocations"), lambda: _("Collocations"), tables.collocate_columns,
            tables.collocation_fields, order="measure",
        ),
        Analysis(
            "keywords", endpoint("keywords"), lambda: _("Keywords"), tables.keyword_columns,
            tables.keyword_fields, needs_query=False, order="measure",
        ),
        Analysis(
            "ngrams", endpoint("ngrams"), lambda: _("N-grams"), tables.ngram_columns,
            tables.ngram_fields, needs_query=False, is_drawn=False,
        ),
        Analysis(
            "dispersion", endpoint("dispersion"), lambda: _("Dispersion"), tables.part_columns,
            tables.dispersion_fields, is_drawn=False,
        ),
    )  # fmt: skip


ANALYSES = {each.key: each for each in _analyses()}


def _page(analysis: Analysis) -> Callable[..., HTMLResponse]:
    """Return the function that answers an analysis's page; it takes what the analysis takes."""
    taken = signature(analysis.function).parameters

    def answer(**given: Any) -> HTMLResponse:
        request, site = given["request"], given["site"]
        place = here(request)
        own = {name: given[name] for name in taken}
        if analysis.key == "keywords":
            place, changed = _chosen_texts(place)
            own |= changed
        if analysis.key == "coll":
            place = _with_words(place, own["corpus"])
            own["words"] = place.first("words", "all")
        if not _is_asked(analysis, place):
            return _show(site, own["corpus"], analysis, place, {})
        try:
            found = analysis.function(**own)
        except QueryError as error:
            content = {"problem": site.without_folders(str(error))}
            return _show(site, own["corpus"], analysis, place, content, status=status_of(error))
        base = site_address(request)
        content = _result(own["corpus"], analysis, place, found, base)
        if analysis.key == "dispersion" and found.by == "document":
            content["cards"] = _cards(own["corpus"], found, given["version"])
        return _show(site, own["corpus"], analysis, place, content)

    answer.__signature__ = _with_page(taken.values())  # type: ignore[attr-defined]
    answer.__doc__ = analysis.function.__doc__
    return answer


def _cards(corpus: Corpus, found: Dispersion, version: int | None) -> dict[str, DocumentCard]:
    """Return what is known of the documents of a dispersion, by their ids."""
    ids = [line.value for line in found.lines[:_MOST_CARDS]]
    if not ids:
        return {}
    where = f'id="{"|".join(map(escaped, ids))}"'
    known = corpus.documents(where=where, copies=True, size=len(ids), version=version)
    return {card.id: card for card in known.documents}


def _is_asked(analysis: Analysis, place: Here) -> bool:
    """Return whether there is anything to count: a word, or for keywords a text."""
    if analysis.needs_query:
        return bool(place.first("q").strip())
    chosen = ("reference", "where", "src", "from", "to", "subcorpus")
    return analysis.key != "keywords" or any(map(place.first, chosen))


def _chosen_texts(place: Here) -> tuple[Here, dict[str, object]]:
    """Return the address and the question with the texts that were chosen or typed in its form.

    The form has a list and a field for each text: the analysis knows `where` and `reference` only.
    """
    of, where = place.first("of"), place.first("where")
    joined = f"({of}) & ({where})" if of and where else of or where
    typed = place.first("against")
    reference = f"{WHERE}{typed}" if typed else place.first("reference")
    place = with_text(with_text(place, "where", joined, "of"), "reference", reference, "against")
    return place, {"where": joined, "reference": reference}


def _with_words(place: Here, corpus: Corpus) -> Here:
    """Return the address with the kind of words: content words, where there are tags."""
    if place.first("words") or "pos" not in corpus.attributes:
        return place
    return with_text(place, "words", "content")


def _texts(site: Site, corpus: Corpus, place: Here) -> dict[str, object]:
    """Return what the form of keywords offers, and what of it is chosen."""
    parts, others = parts_of(corpus), texts_of(site, corpus)
    where, reference = place.first("where"), place.first("reference")
    return {
        "own_texts": parts,
        "others": others,
        "contrasts": contrasts(corpus),
        "focus_name": name_among(parts, where),
        "other_name": name_among(others, reference),
        "chosen_part": where if name_among(parts, where) else "",
        "chosen_other": reference if name_among(others, reference) else "",
    }


def _with_page(taken: Any) -> Signature:
    """Return a signature that also takes the request and the site; a query may be missing."""
    own = [
        each.replace(default="") if each.name == "query" else each
        for each in taken
        if each.name != "site"
    ]
    more = [
        Parameter("request", Parameter.KEYWORD_ONLY, annotation=Request),
        Parameter("site", Parameter.KEYWORD_ONLY, annotation=ThisSite),
    ]
    return Signature([*own, *more], return_annotation=HTMLResponse)


def _result(
    corpus: Corpus, analysis: Analysis, place: Here, found: Any, base: str
) -> dict[str, object]:
    method = analysis.function.__name__
    ways = ways_of(corpus.path.name, method, place, version=found.snapshot, base=base)
    address, is_half = corpus_address(corpus.name, place.first("v")), analysis.key == "coll"
    chart = figure(found, address, is_half=is_half) if analysis.is_drawn else ""
    return {"found": found, "ways": ways, "chart": chart}


def _show(
    site: Site,
    corpus: Corpus,
    analysis: Analysis,
    place: Here,
    content: dict[str, object],
    *,
    status: int = 200,
) -> HTMLResponse:
    version = place.first("v")
    fixed = {
        "corpus": corpus,
        "analysis": analysis,
        "here": place,
        "columns": _columns(analysis, place),
        "cards": {},
        "fields": analysis.fields(corpus.attributes or corpus.config.index.attributes),
        "opened": lambda opens: lines_address(
            corpus.name, opens, int(version) if version.isdecimal() else None
        ),
        "found": None,
        "problem": "",
        "chart": "",
        "examples": () if _is_asked(analysis, place) else example_words(corpus),
        **(_texts(site, corpus, place) if analysis.key == "keywords" else {}),
    }
    return site.pages.page("analysis.html", {**fixed, **content}, status=status)


def _columns(analysis: Analysis, place: Here) -> Sequence[Column]:
    """Return the columns; of many measures only some, unless all are wanted."""
    columns = analysis.columns()
    if analysis.key != "coll" or not place.first("measures"):
        return columns
    return (*columns, *tables.more_measures())


def _register(analysis: Analysis) -> None:
    path, name = f"/c/{{corpus}}/{analysis.key}", analysis.function.__name__
    twins(router, path, summary=analysis.key.capitalize())(analysis.function)
    route = router.get(
        path,
        response_class=HTMLResponse,
        summary=analysis.key.capitalize(),
        operation_id=f"{name}_page",
    )
    route(_page(analysis))


for _analysis in ANALYSES.values():
    _register(_analysis)
