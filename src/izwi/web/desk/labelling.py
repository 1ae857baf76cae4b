"""Judging by keys: paragraphs labelled, models trained from the labels, audits of a sample."""

from typing import Annotated, get_args

from fastapi import Path, Query
from selectolax.lexbor import LexborHTMLParser
from starlette.responses import HTMLResponse, Response

from izwi.cases.corpus import Corpus
from izwi.model.curation import FAULTS, LEAST_PAGES, ORDERS, Label, LabelledBlock, LabelledPage
from izwi.model.errors import IzwiError, QueryError
from izwi.model.notation import now_text
from izwi.web.desk.frame import Desk, ThisDesk, back_to, last_change, share_of
from izwi.web.middleware import ARCHIVED_HEADERS
from izwi.web.pages.documents import harmless
from izwi.web.session.rights import MOST_NUMBER, Fields, ThisForm, ThisVisitor, curator_pages
from izwi.web.site import ThisCorpus

router = curator_pages()
_QUEUE = 8


@router.get("/label", response_class=HTMLResponse)
def label(
    desk: ThisDesk,
    corpus: ThisCorpus,
    visitor: ThisVisitor,
    order: Annotated[str, Query()] = "disagreement",
    source: Annotated[str, Query()] = "",
    url: Annotated[str, Query()] = "",
) -> HTMLResponse:
    """Show a page's paragraphs to be labelled: one that is asked for, or the next of the queue."""
    stored = [page for page in corpus.labels() if page.time]
    queue = () if url else corpus.label_queue(source=source, pages=_QUEUE, order=order)
    page = corpus.label_page(url, by=visitor.name) if url else next(iter(queue), None)
    content = {
        "page": page,
        "title": title_of(page.html) if page else "",
        "waiting": queue[1:],
        "order": order,
        "orders": ORDERS,
        "source": source,
        "sources": [each.name for each in corpus.config.sources],
        "pages": len(stored),
        "paragraphs": sum(len(each.blocks) for each in stored),
    }
    return desk.page("label", corpus, "label", content)


@router.get("/label/archived")
def archived(corpus: ThisCorpus, url: Annotated[str, Query()]) -> Response:
    """Send a page that is being labelled as it was captured."""
    found = corpus.label_page(url).html
    return HTMLResponse(harmless(found).encode("utf-8", "replace"), headers=ARCHIVED_HEADERS)


@router.post("/label")
def save(corpus: ThisCorpus, form: ThisForm, visitor: ThisVisitor) -> Response:
    """Save the labels of a page."""
    since = last_change(corpus)
    page = _labelled(corpus, form, visitor.name)
    corpus.import_labels((page,), by=visitor.name)
    asked = {name: form.get(name, "") for name in ("order", "source")}
    return back_to(corpus, "label", "labelled", since=since, **asked)


@router.get("/models", response_class=HTMLResponse)
def models(desk: ThisDesk, corpus: ThisCorpus) -> HTMLResponse:
    """List the models with their figures, and train another."""
    return _models_page(desk, corpus, Fields([]))


def _models_page(
    desk: Desk, corpus: Corpus, form: Fields, *, error: IzwiError | None = None
) -> HTMLResponse:
    stored = [page for page in corpus.labels() if page.time]
    content = {
        "models": corpus.models(),
        "pages": len(stored),
        "paragraphs": sum(len(each.blocks) for each in stored),
        "sources": [each.name for each in corpus.config.sources],
        "used": getattr(corpus.config.extract.options, "model", ""),
        "form": form,
        "least": LEAST_PAGES,
    }
    return desk.page("models", corpus, "models", content, error=error)


@router.post("/models/train")
def train(desk: ThisDesk, corpus: ThisCorpus, form: ThisForm, visitor: ThisVisitor) -> Response:
    """Train a model from the labels and save it under a name."""
    try:
        corpus.train_from_labels(
            form.get("name", "").strip(),
            method=form.get("method") or "perceptron",
            source=form.get("source", ""),
            by=visitor.name,
        )
    except IzwiError as error:
        return _models_page(desk, corpus, form, error=error)
    return back_to(corpus, "models", "trained")


@router.post("/models/use")
def use(corpus: ThisCorpus, form: ThisForm, visitor: ThisVisitor) -> Response:
    """Write a model, and one of its cut-offs, into the settings of the corpus or of a source."""
    since = last_change(corpus)
    model = next((each for each in corpus.models() if each.name == form.get("name")), None)
    if model is None:
        raise QueryError(f"There is no model '{form.get('name', '')}'.")
    place = f"source.{model.source}" if model.source else "extract"
    cutoff = share_of(form.get("cutoff", ""))
    options = {"model": model.file, "cutoff": model.best.cutoff if cutoff is None else cutoff}
    corpus.change_settings(
        {f"{place}.method": model.method, f"{place}.options": options},
        by=visitor.name,
        comment=f"model {model.name}",
    )
    return back_to(corpus, "models", "saved", since=since)


def title_of(markup: str) -> str:
    """Return what a page calls itself.

    >>> title_of("<title> A  page </title>")
    'A page'
    """
    found = LexborHTMLParser(markup).css_first("title")
    return " ".join(found.text().split()) if found is not None else ""


def _labelled(corpus: Corpus, form: Fields, who: str) -> LabelledPage:
    """Return a page with the labels of a form."""
    draft = corpus.label_page(form.get("url", ""), by=who)
    labels = [form.get(f"label-{number}", block.label) for number, block in enumerate(draft.blocks)]
    if str(len(draft.blocks)) != form.get("blocks", ""):
        raise QueryError("The page was taken apart otherwise since. Open it again and label it.")
    wrong = next((each for each in labels if each not in get_args(Label)), None)
    if wrong is not None:
        raise QueryError(f"'{wrong}' is not a label.")
    blocks = tuple(
        LabelledBlock(block.text, label)  # type: ignore[arg-type]
        for block, label in zip(draft.blocks, labels, strict=True)
    )
    now = now_text()
    return LabelledPage(draft.url, draft.html, blocks, draft.page_type, who, now)


Number = Annotated[int, Path(ge=0, le=MOST_NUMBER)]


@router.get("/audit", response_class=HTMLResponse)
def audits(desk: ThisDesk, corpus: ThisCorpus) -> HTMLResponse:
    """List the audits with their figures, and begin another."""
    return desk.page("audits", corpus, "audit", {"audits": corpus.audits()})


@router.post("/audit/start")
def start(corpus: ThisCorpus, form: ThisForm, visitor: ThisVisitor) -> Response:
    """Draw a sample."""
    size, seed = form.number("size", 100), form.number("seed", 1)
    number = corpus.start_audit(size=max(1, min(size, 5000)), seed=seed, by=visitor.name)
    return back_to(corpus, f"audit/{number}")


@router.get("/audit/{number}", response_class=HTMLResponse)
def audit(desk: ThisDesk, corpus: ThisCorpus, number: Number, place: int = 0) -> HTMLResponse:
    """Show a document of a sample: the one asked for, or the next that nobody has judged."""
    sample = corpus.audit_sample(number)
    open_ones = [each for each in sample if each.faults is None]
    shown = next((each for each in sample if each.place == place), None)
    shown = shown or (open_ones[0] if open_ones else None)
    content = {
        "audit": next(each for each in corpus.audits() if each.id == number),
        "shown": shown,
        "size": len(sample),
        "document": corpus.inspect(shown.document) if shown else None,
        "faults": FAULTS,
    }
    return desk.page("audit", corpus, "audit", content)


@router.post("/audit/{number}/judge")
def judge(corpus: ThisCorpus, number: Number, form: ThisForm, visitor: ThisVisitor) -> Response:
    """Note what is wrong with a document, and go on to the next."""
    since = last_change(corpus)
    corpus.judge(number, form.get("document", ""), form.all("fault"), by=visitor.name)
    return back_to(corpus, f"audit/{number}", "judged", since=since)
