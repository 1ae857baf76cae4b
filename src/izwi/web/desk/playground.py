"""Two settings side by side on a sample, and the better one saved."""

from dataclasses import dataclass
from typing import Any

from fastapi import Request
from starlette.responses import HTMLResponse, Response

from izwi.cases.corpus import Corpus
from izwi.model.curation import Comparison
from izwi.model.errors import ConfigError, IzwiError, QueryError
from izwi.model.notation import typed
from izwi.web.desk import frame
from izwi.web.desk.frame import Desk, ThisDesk, back_to, extractor_names, last_change
from izwi.web.session.reader import gettext as _
from izwi.web.session.rights import ThisForm, ThisVisitor, curator_pages
from izwi.web.site import ThisCorpus, ThisSite

router = curator_pages()
SAMPLE = 60


@dataclass(frozen=True, slots=True)
class Knob:
    """A setting that can be turned: its key, its words, what it is now, and its choices or step."""

    key: str
    words: str
    now: Any
    choices: tuple[str, ...] = ()
    step: str = ""


@router.get("/playground", response_class=HTMLResponse)
def playground(request: Request, desk: ThisDesk, corpus: ThisCorpus) -> HTMLResponse:
    """Show the knobs; with some of them turned, what that does to a sample."""
    return _page(desk, corpus, {key: value for key, value in request.query_params.items() if value})


def _page(
    desk: Desk, corpus: Corpus, asked: dict[str, str], *, error: IzwiError | None = None
) -> HTMLResponse:
    knobs = knobs_of(corpus)
    changes: dict[str, Any] = {}
    comparison = None
    try:
        changes = turned(knobs, asked)
        if changes and error is None:
            comparison = corpus.try_settings(
                changes, sample=_number(asked, "sample", SAMPLE), seed=_number(asked, "seed", 1)
            )
    except IzwiError as trouble:
        error = error or trouble
    content = {
        "reasons": frame,
        "losses": _losses(comparison) if comparison else [],
        "knobs": knobs,
        "asked": asked,
        "changes": changes,
        "found": comparison,
        "sample": _number(asked, "sample", SAMPLE),
        "seed": _number(asked, "seed", 1),
    }
    return desk.page("playground", corpus, "playground", content, error=error)


@router.post("/playground/save")
def save(
    desk: ThisDesk, corpus: ThisCorpus, site: ThisSite, form: ThisForm, visitor: ThisVisitor
) -> Response:
    """Save the knobs that were turned as the corpus's settings, with a comment."""
    since = last_change(corpus)
    try:
        changes = turned(knobs_of(corpus), form)
        comment = form.get("comment", "").strip()
        if not comment:
            raise QueryError("Say in a few words why; it is kept with the settings.")
        with site.adding:
            corpus.change_settings(changes, by=visitor.name, comment=comment)
    except IzwiError as error:
        return _page(desk, corpus, dict(form), error=error)
    return back_to(corpus, "playground", "saved", since=since)


def _losses(found: Comparison) -> list[tuple[str, int, int]]:
    """Return why documents go, with how many by both settings, the most frequent first."""
    before, after = dict(found.before.reasons), dict(found.after.reasons)
    rows = [(name, before.get(name, 0), after.get(name, 0)) for name in {*before, *after}]
    return sorted(rows, key=lambda row: (-max(row[1:]), row[0]))


def knobs_of(corpus: Corpus) -> tuple[Knob, ...]:
    """Return the settings that can be tried, with their values now."""
    config, methods = corpus.config, tuple(extractor_names())
    extract, language, select, dedup = config.extract, config.language, config.select, config.dedup
    cutoff = getattr(extract.options, "cutoff", None)
    found = [
        Knob("extract.method", _("which extractor finds the main text"), extract.method, methods)
    ]
    if cutoff is not None:
        found.append(
            Knob(
                "extract.options.cutoff",
                _("the score from which a paragraph is kept as text"),
                cutoff,
                step="0.05",
            )
        )
    return (
        *found,
        Knob(
            "select.minimum_words", _("minimum words per document"), select.minimum_words, step="1"
        ),
        Knob(
            "language.minimum", _("minimum certainty of the language"), language.minimum,
            step="0.05",
        ),
        Knob(
            "language.connected", _("drop lists and menus"), str(language.connected).lower(),
            ("true", "false"),
        ),
        Knob(
            "select.maximum_repetition", _("maximum share of repeated words"),
            select.maximum_repetition, step="0.05",
        ),
        Knob(
            "select.minimum_letters", _("minimum share of letters"), select.minimum_letters,
            step="0.05",
        ),
        Knob(
            "dedup.document", _("share of copied words from which a text is a copy"),
            dedup.document, step="0.05",
        ),
        Knob(
            "dedup.documents", _("what happens to copies"), dedup.documents,
            ("fold", "drop", "keep"),
        ),
    )  # fmt: skip


def turned(knobs: tuple[Knob, ...], given: Any) -> dict[str, Any]:
    """Return the settings that differ from those in use."""
    found = {}
    for knob in knobs:
        value = given.get(knob.key, "")
        if value and value != str(knob.now):
            found[knob.key] = _value(knob, value)
    return found


def _value(knob: Knob, text: str) -> Any:
    value = typed(text)
    if knob.step and (isinstance(value, bool) or not isinstance(value, int | float)):
        raise ConfigError(f"{knob.key} = '{text}' is not a number.")
    if knob.choices and text not in knob.choices:
        raise ConfigError(f"{knob.key} = '{text}' is not one of: {', '.join(knob.choices)}.")
    return value


def _number(asked: dict[str, str], name: str, usual: int) -> int:
    text = asked.get(name, "")
    # Not more digits than a number may have: Python refuses to read thousands of them.
    if not text.isdecimal() or len(text) > 9:
        return usual
    return min(int(text), 1000) or usual
