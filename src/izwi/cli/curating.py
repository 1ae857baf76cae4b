"""What curators do, on the command line: decisions, settings, audits, and the record of them."""

from collections.abc import Sequence
from typing import Annotated, Any

import typer

from izwi.cli.groups import labels_app, sources_app
from izwi.cli.options import AsJson, Folder, me

curate_app = typer.Typer(help="Decisions against the rules, and the record.", no_args_is_help=True)
settings_app = typer.Typer(help="Keys of corpus.toml, tried and changed.", no_args_is_help=True)
audit_app = typer.Typer(help="Random samples judged by people.", no_args_is_help=True)
Document = Annotated[str, typer.Argument(help="A document's id or URL.", metavar="DOCUMENT")]
By = Annotated[str, typer.Option(help="Who does it; you, if absent.")]
Comment = Annotated[str, typer.Option(help="Why; kept in the record.")]
Keys = Annotated[
    list[str],
    typer.Option("--set", help="A key and its value; repeatable.", metavar="KEY=VALUE"),
]


def register(app: typer.Typer) -> None:
    """Add the commands of this file to `izwi`."""
    curate_app.command(
        "decide", epilog="Example: izwi curate decide news https://example.org/page keep"
    )(decide)
    curate_app.command("decisions", epilog="Example: izwi curate decisions news")(decisions)
    curate_app.command("changes", epilog="Example: izwi curate changes news")(changes)
    curate_app.command("undo", epilog="Example: izwi curate undo news 1")(undo)
    settings_app.command(
        "try", epilog="Example: izwi settings try news --set select.minimum_words=50"
    )(try_settings)
    settings_app.command(
        "change", epilog="Example: izwi settings change news --set language.minimum=0.4"
    )(change_settings)
    audit_app.command("start", epilog="Example: izwi audit start news --size 100")(start_audit)
    audit_app.command("judge", epilog="Example: izwi audit judge news 1 ID --fault date")(judge)
    audit_app.command("report", epilog="Example: izwi audit report news")(audits)
    labels_app.command("queue", epilog="Example: izwi labels queue news --order random")(queue)
    labels_app.command("train", epilog="Example: izwi labels train news my-model")(train)
    labels_app.command("models", epilog="Example: izwi labels models news")(models)
    sources_app.command("health", epilog="Example: izwi sources health news")(health)
    app.command(epilog="Example: izwi inspect news https://example.org/page")(inspect)
    app.command(epilog="Example: izwi runs news")(runs)
    app.command(epilog="Example: izwi takedowns news")(takedowns)
    app.add_typer(curate_app, name="curate")
    app.add_typer(settings_app, name="settings")
    app.add_typer(audit_app, name="audit")


def decide(
    folder: Folder,
    document: Document,
    verdict: Annotated[str, typer.Argument(help="keep, drop, or rules (as the rules say).")],
    by: By = "",
    comment: Comment = "",
    as_json: AsJson = False,
) -> None:
    """Overrule the rules for one document; the next build obeys."""
    wanted = "" if verdict == "rules" else verdict
    made = _corpus(folder).decide_document(document, wanted, by=by or me(), comment=comment)
    _say(f"{made.url}: {verdict}. Next: izwi build {folder}", made, as_json)


def decisions(folder: Folder, as_json: AsJson = False) -> None:
    """List the documents for which curators overrule the rules."""
    found = _corpus(folder).document_decisions()
    _list(
        [f"{each.verdict}  {each.url}  {each.who}  {each.time}" for each in found], found, as_json
    )


def changes(
    folder: Folder,
    most: Annotated[int, typer.Option(help="At most so many.", min=1)] = 100,
    as_json: AsJson = False,
) -> None:
    """List what curators changed, with who and when, the newest first."""
    found = _corpus(folder).changes(most=most)
    lines = [
        f"{each.id}  {each.time}  {each.who}  {each.kind}  {each.target}  {each.comment}"
        for each in found
    ]
    _list(lines, found, as_json)


def undo(
    folder: Folder,
    number: Annotated[int, typer.Argument(help="The change's number.")],
    by: By = "",
    as_json: AsJson = False,
) -> None:
    """Take a change back, unless the same thing was changed again since."""
    made = _corpus(folder).undo(number, by=by or me())
    _say(f"Took back change {number}.", made, as_json)


def try_settings(
    folder: Folder,
    keys: Keys,
    sample: Annotated[int, typer.Option(help="So many pages.", min=1)] = 100,
    seed: Annotated[int, typer.Option(help="Which pages.")] = 1,
    as_json: AsJson = False,
) -> None:
    """Compare settings with those in use on a sample of pages; nothing is changed."""
    found = _corpus(folder).try_settings(_settings(keys), sample=sample, seed=seed)
    sides = (("now", found.before), ("then", found.after))
    lines = [f"{name}: {side.kept} documents, {side.words} words" for name, side in sides]
    _list([*lines, f"{found.changed_in_all} documents change"], found, as_json)


def change_settings(
    folder: Folder, keys: Keys, comment: Comment = "", by: By = "", as_json: AsJson = False
) -> None:
    """Write keys into corpus.toml with a comment; nothing but these keys changes."""
    made = _corpus(folder).change_settings(_settings(keys), by=by or me(), comment=comment)
    _say(f"Changed {', '.join(made)}. Next: izwi build {folder}", dict(made), as_json)


def start_audit(
    folder: Folder,
    size: Annotated[int, typer.Option(help="How many documents.", min=1)] = 100,
    seed: Annotated[int, typer.Option(help="Which documents.")] = 1,
    by: By = "",
    as_json: AsJson = False,
) -> None:
    """Draw a random sample of documents to be judged."""
    number = _corpus(folder).start_audit(size=size, seed=seed, by=by or me())
    _say(f"Audit {number} is ready to be judged in the browser.", {"audit": number}, as_json)


def judge(
    folder: Folder,
    audit: Annotated[int, typer.Argument(help="The audit's number.")],
    document: Document,
    fault: Annotated[
        list[str] | None,
        typer.Option(help="language, boilerplate, machine, date or offensive; repeatable."),
    ] = None,
    by: By = "",
    as_json: AsJson = False,
) -> None:
    """Write down what is wrong with a document of an audit; nothing, if it is well."""
    faults = _corpus(folder).judge(audit, document, fault or [], by=by or me())
    _say(f"{document}: {', '.join(faults) or 'well'}.", {"faults": faults}, as_json)


def audits(folder: Folder, as_json: AsJson = False) -> None:
    """List the audits with the share of each fault and its interval."""
    found = _corpus(folder).audits()
    lines = [
        f"audit {each.id}  version {each.version}  {each.judged} of {each.size} judged  "
        f"{figure.fault}: {figure.count} ({figure.low:.1%} to {figure.high:.1%})"
        for each in found
        for figure in each.figures
    ]
    _list(lines, found, as_json)


def queue(
    folder: Folder,
    source: Annotated[str, typer.Option(help="Only pages of this source.")] = "",
    pages: Annotated[int, typer.Option(help="At most so many.", min=1)] = 10,
    order: Annotated[str, typer.Option(help="disagreement, random or first.")] = "disagreement",
    seed: Annotated[int, typer.Option(help="Which pages are looked at.")] = 1,
    as_json: AsJson = False,
) -> None:
    """List pages to be labelled next: where methods disagree most, at random, or the first."""
    found = _corpus(folder).label_queue(source=source, pages=pages, order=order, seed=seed)
    _list([page.url for page in found], found, as_json)


def train(
    folder: Folder,
    name: Annotated[str, typer.Argument(help="What to call the model.")],
    method: Annotated[str, typer.Option(help="perceptron or izwi.")] = "perceptron",
    source: Annotated[str, typer.Option(help="Only pages of this source.")] = "",
    by: By = "",
    as_json: AsJson = False,
) -> None:
    """Train an extractor from the labels and save it under a name with its figures."""
    made = _corpus(folder).train_from_labels(name, method=method, source=source, by=by or me())
    _list(_figures(made), made, as_json)


def models(folder: Folder, as_json: AsJson = False) -> None:
    """List the models trained from this corpus's labels, with their figures."""
    found = _corpus(folder).models()
    _list([line for model in found for line in _figures(model)], found, as_json)


def health(folder: Folder, as_json: AsJson = False) -> None:
    """Say how each source does: what it yields, what it usually yields, and why less."""
    found = _corpus(folder).source_health()
    lines = [
        f"{each.state:12}{each.name}  {each.kept} of {each.pages} kept, last {each.share:.0%} "
        f"(usually {each.usual:.0%})"
        + (f"; {each.suspicion.reason} {each.suspicion.share:.0%}" if each.suspicion else "")
        for each in found
    ]
    _list(lines, found, as_json)


def inspect(folder: Folder, document: Document, as_json: AsJson = False) -> None:
    """Show a document: its capture, its paragraphs with their reasons, its dates."""
    found = _corpus(folder).inspect(document)
    verdict = found.document.verdict
    lines = [f"{found.document.url}  {verdict.outcome} {verdict.stage} {verdict.reason}".strip()]
    lines += [f"{claim.property}: {claim.value}  {claim.evidence}" for claim in found.dates]
    lines += [f"{each.letter}  {each.reason}  {each.text}" for each in found.paragraphs]
    _list(lines, found, as_json)


def runs(
    folder: Folder,
    most: Annotated[int, typer.Option(help="At most so many.", min=1)] = 50,
    as_json: AsJson = False,
) -> None:
    """List the runs and how each stands, the newest first."""
    found = _corpus(folder).runs(most=most)
    _list(
        [f"{each.run}  {each.command}  {each.state}  {each.who}" for each in found], found, as_json
    )


def takedowns(folder: Folder, as_json: AsJson = False) -> None:
    """List what was taken down, when and why."""
    found = _corpus(folder).takedowns()
    _list([f"{each.asked}  {each.target}  {each.reason}" for each in found], found, as_json)


def _figures(model: Any) -> list[str]:
    best = model.best
    return [
        f"{model.name}: {model.pages} pages, {model.paragraphs} paragraphs, {model.method}; "
        f"best cut-off {best.cutoff:.2f} (F1 {best.f1:.3f})",
        *(
            f"  {each.cutoff:.2f}  accuracy {each.accuracy:.3f}  precision {each.precision:.3f}  "
            f"recall {each.recall:.3f}  F1 {each.f1:.3f}"
            for each in model.cutoffs
        ),
    ]


def _settings(keys: Sequence[str]) -> dict[str, Any]:
    from izwi.service.settings import typed

    pairs = (key.partition("=") for key in keys)
    return {key.strip(): typed(value.strip()) if value else None for key, _, value in pairs}


def _corpus(folder: Any) -> Any:
    from izwi.cases.corpus import Corpus

    return Corpus(folder)


def _say(sentence: str, row: object, as_json: bool) -> None:
    _list([sentence], row, as_json)


def _list(lines: Sequence[str], rows: object, as_json: bool) -> None:
    from izwi.cli import render

    if as_json:
        render.show_json(rows)
        return
    for line in lines:
        render.out.print(line, markup=False, soft_wrap=True)
