"""Two settings side by side on a sample, and the better one saved."""

from dataclasses import dataclass
from typing import Any

from fastapi import Request
from starlette.responses import HTMLResponse, Response

from izwi import plugins
from izwi.config.schema import CorpusConfig
from izwi.model.errors import ConfigError, IzwiError, QueryError
from izwi.service.settings import typed
from izwi.web.admin.desk import ThisDesk, back_to
from izwi.web.messages import gettext as _
from izwi.web.rights import ThisForm, ThisVisitor, curator_pages
from izwi.web.site import ThisCorpus, ThisSite

router = curator_pages("playground")
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
    knobs = knobs_of(corpus.config)
    asked = {key: value for key, value in request.query_params.items() if value}
    changes = turned(knobs, asked)
    comparison, problem = None, ""
    if changes:
        try:
            comparison = corpus.try_settings(
                changes, sample=_number(asked, "sample", SAMPLE), seed=_number(asked, "seed", 1)
            )
        except IzwiError as error:
            problem = desk.site.without_folders(str(error))
    content = {
        "knobs": knobs,
        "asked": asked,
        "changes": changes,
        "found": comparison,
        "problem": problem,
        "sample": _number(asked, "sample", SAMPLE),
        "seed": _number(asked, "seed", 1),
    }
    return desk.page("playground", corpus, "playground", content)


@router.post("/playground/save")
def save(corpus: ThisCorpus, site: ThisSite, form: ThisForm, visitor: ThisVisitor) -> Response:
    """Save the knobs that were turned as the corpus's settings, with a comment."""
    changes = turned(knobs_of(corpus.config), form)
    comment = form.get("comment", "").strip()
    if not comment:
        raise QueryError("Say in a few words why; it is kept with the settings.")
    with site.adding:
        corpus.change_settings(changes, by=visitor.name, comment=comment)
    return back_to(corpus, "playground", "saved")


def knobs_of(config: CorpusConfig) -> tuple[Knob, ...]:
    """Return the settings that can be tried, with their values now."""
    extract, language, select, dedup = config.extract, config.language, config.select, config.dedup
    methods = tuple(each.name for each in plugins.installed("izwi.extractors"))
    cutoff = getattr(extract.options, "cutoff", None)
    found = [Knob("extract.method", _("extractor"), extract.method, methods)]
    if cutoff is not None:
        found.append(Knob("extract.options.cutoff", _("its cut-off"), cutoff, step="0.05"))
    return (
        *found,
        Knob("select.minimum_words", _("fewest words"), select.minimum_words, step="1"),
        Knob("language.minimum", _("sureness of language"), language.minimum, step="0.05"),
        Knob(
            "language.connected", _("drop what is not running text"),
            str(language.connected).lower(), ("true", "false"),
        ),
        Knob(
            "select.maximum_repetition", _("most repetition"), select.maximum_repetition,
            step="0.05",
        ),
        Knob("select.minimum_letters", _("fewest letters"), select.minimum_letters, step="0.05"),
        Knob("dedup.document", _("share that makes a copy"), dedup.document, step="0.05"),
        Knob("dedup.documents", _("copied documents"), dedup.documents, ("fold", "drop", "keep")),
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
