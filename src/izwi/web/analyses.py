"""Pages that count: one form and one table, each number a link to the lines it counts."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from inspect import Parameter, Signature, signature
from typing import Any

from fastapi import APIRouter, Request
from starlette.responses import HTMLResponse

from izwi.model.errors import QueryError
from izwi.service.corpus import Corpus
from izwi.service.use_cases import USE_CASES
from izwi.web import analysing, tables
from izwi.web.errors import PROBLEMS, status_of
from izwi.web.figures import figure
from izwi.web.messages import gettext as _
from izwi.web.opening import Here, here, lines_address
from izwi.web.repeating import Call, analysis_ways
from izwi.web.site import Site, ThisSite
from izwi.web.tables import Column, FormField
from izwi.web.twins import twins

router = APIRouter(tags=["pages"], responses=PROBLEMS)


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
    # Parameters whose defaults differ between the surfaces, with ours.
    stated: tuple[tuple[str, object], ...] = (("most", 100),)
    positional: tuple[str, ...] = ("q",)
    is_drawn: bool = True

    @property
    def call(self) -> Call:
        """How the same is asked elsewhere."""
        case = USE_CASES[self.function.__name__]
        return Call(case.command, case.name, self.positional)


def _analyses() -> tuple[Analysis, ...]:
    return (
        Analysis(
            "wordlist", analysing.wordlist, lambda: _("Word list"), tables.word_columns,
            tables.word_fields, needs_query=False, order="sort", positional=(),
            is_drawn=False,
        ),
        Analysis(
            "freq", analysing.frequencies, lambda: _("Frequencies"), tables.frequency_columns,
            tables.frequency_fields, order="sort",
        ),
        Analysis(
            "coll", analysing.collocations, lambda: _("Collocations"), tables.collocate_columns,
            tables.collocation_fields, order="measure",
        ),
        Analysis(
            "keywords", analysing.keywords, lambda: _("Keywords"), tables.keyword_columns,
            tables.keyword_fields, needs_query=False, order="measure", positional=("reference",),
        ),
        Analysis(
            "ngrams", analysing.ngrams, lambda: _("N-grams"), tables.ngram_columns,
            tables.ngram_fields, needs_query=False, positional=("size",), is_drawn=False,
            stated=(("most", 100), ("size", 2)),
        ),
        Analysis(
            "dispersion", analysing.dispersion, lambda: _("Dispersion"), tables.part_columns,
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
        if analysis.needs_query and not given["q"].strip():
            return _show(site, own["corpus"], analysis, place, {})
        try:
            found = analysis.function(**own)
        except QueryError as error:
            content = {"problem": site.without_folders(str(error))}
            return _show(site, own["corpus"], analysis, place, content, status=status_of(error))
        base = str(request.base_url).rstrip("/")
        return _show(site, own["corpus"], analysis, place, _result(analysis, place, found, base))

    answer.__signature__ = _with_page(taken.values())  # type: ignore[attr-defined]
    answer.__doc__ = analysis.function.__doc__
    return answer


def _with_page(taken: Any) -> Signature:
    """Return a signature that also takes the request and the site; a query may be missing."""
    own = [
        each.replace(kind=Parameter.KEYWORD_ONLY, **({"default": ""} if each.name == "q" else {}))
        for each in taken
        if each.name != "site"
    ]
    more = [
        Parameter("request", Parameter.KEYWORD_ONLY, annotation=Request),
        Parameter("site", Parameter.KEYWORD_ONLY, annotation=ThisSite),
    ]
    return Signature([*own, *more], return_annotation=HTMLResponse)


def _result(analysis: Analysis, place: Here, found: Any, base: str) -> dict[str, object]:
    corpus = place.path.split("/")[2]
    ways = analysis_ways(
        corpus, analysis.call, place, dict(analysis.stated), version=found.snapshot, base=base
    )
    chart = figure(found, corpus) if analysis.is_drawn else ""
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
        "columns": analysis.columns(),
        "fields": analysis.fields(corpus.config.index.attributes),
        "opened": lambda opens: lines_address(
            corpus.name, opens, int(version) if version.isdecimal() else None
        ),
        "found": None,
        "problem": "",
        "chart": "",
    }
    return site.pages.page("analysis.html", {**fixed, **content}, status=status)


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
