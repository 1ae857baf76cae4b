"""Commands about copies."""

from pathlib import Path
from typing import Annotated

import typer

from izwi.cli.groups import evaluate_app
from izwi.cli.options import AsJson
from izwi.model.results import Agreement, CollectionReport, CopyScores, NgramRow


def register(app: typer.Typer) -> None:
    """Add the commands of this file."""
    app.command(epilog="Example: izwi dedup pages.jsonl decisions.jsonl --state seen")(dedup)
    evaluate_app.command("dedup", epilog="Example: izwi evaluate dedup pages.jsonl")(evaluate_dedup)


def dedup(
    source: Annotated[
        Path, typer.Argument(help='Lines of {"id": ..., "paras": [...]}.', metavar="IN")
    ],
    target: Annotated[Path, typer.Argument(help="The decisions, a line each.", metavar="OUT")],
    state: Annotated[
        Path | None, typer.Option(help="Remember what was seen in this folder, to go on later.")
    ] = None,
    method: Annotated[
        str, typer.Option(help="blocks, or whole documents by sentences or by shingles.")
    ] = "blocks",
    ngram: Annotated[int, typer.Option(help="Tokens in an n-gram.", min=2, max=50)] = 7,
    threshold: Annotated[
        float, typer.Option(help="A paragraph with this share seen before is a copy.", min=0, max=1)
    ] = 0.5,
    stub: Annotated[
        int, typer.Option(help="Rests of so few words beside copies go too.", min=0)
    ] = 20,
    ignore: Annotated[
        Path | None, typer.Option(help="A file of words to pass over, one a line.")
    ] = None,
    marks: Annotated[bool, typer.Option("--marks", help="Punctuation counts as words.")] = False,
    edited: Annotated[bool, typer.Option(help="Look for heavily edited copies too.")] = True,
    memory: Annotated[str, typer.Option(help="Fingerprints beyond this stay on disk.")] = "512 MiB",
    as_json: AsJson = False,
) -> None:
    """Say which paragraphs of a collection copy earlier ones; no corpus is needed."""
    from izwi.cases.deduplicating import Options, deduplicate, deduplicate_documents
    from izwi.model.errors import SourceError
    from izwi.model.units import size_bytes

    try:
        words = tuple(ignore.read_text(encoding="utf-8").split()) if ignore else ()
        memory_bytes = size_bytes(memory)
    except (OSError, ValueError) as error:
        raise SourceError(f"{error}.") from None
    if method != "blocks":
        if state is not None:
            raise SourceError(f"--state works with --method blocks only, not {method}.")
        _show_collection(deduplicate_documents(source, target, method=method), target, as_json)
        return
    options = Options(ngram, threshold, stub, words, marks, edited, memory_bytes)
    _show_collection(deduplicate(source, target, state=state, options=options), target, as_json)


def _show_collection(report: CollectionReport, target: Path, as_json: bool) -> None:
    from izwi.cli import render

    if as_json:
        render.show_json(report)
        return
    share = report.copied_tokens / max(report.tokens, 1)
    render.out.print(
        f"{report.documents:,} documents, {report.blocks:,} paragraphs, {report.tokens:,} words: "
        f"{report.copied_blocks:,} paragraphs ({share:.1%} of the words) copy earlier ones. "
        f"Decisions in {target}.",
        soft_wrap=True,
    )


def evaluate_dedup(
    source: Annotated[
        Path, typer.Argument(help='Lines of {"id": ..., "paras": [...]}.', metavar="IN")
    ],
    most: Annotated[int, typer.Option(help="Use at most so many documents.", min=20)] = 2000,
    seed: Annotated[int, typer.Option(help="For the choice of copies.")] = 1,
    ngrams: Annotated[str, typer.Option(help="Sizes to compare, with commas.")] = "7",
    thresholds: Annotated[str, typer.Option(help="Thresholds to compare.")] = "0.5",
    ignore: Annotated[
        Path | None, typer.Option(help="Compare also without these words, one a line.")
    ] = None,
    tables: Annotated[
        bool, typer.Option("--tables", help="What each length and kind of n-gram leaves instead.")
    ] = False,
    pairwise: Annotated[
        bool, typer.Option("--pairwise", help="Agreement with a full comparison instead.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Make copies of known kinds in a collection and say how many of each are found."""
    from izwi.cases.evaluating import agreements, evaluate_copies, ngram_tables
    from izwi.model.errors import SourceError

    try:
        sizes = [int(size) for size in ngrams.split(",")]
        shares = [float(share) for share in thresholds.split(",")]
        words = tuple(ignore.read_text(encoding="utf-8").split()) if ignore else ()
    except (OSError, ValueError) as error:
        raise SourceError(f"{error}.") from None
    if tables:
        _show_tables(ngram_tables(source, most=most, stop_words=words), as_json)
    elif pairwise:
        _show_agreements(agreements(source, most=min(most, 1000), seed=seed), as_json)
    else:
        found = evaluate_copies(
            source, most=most, seed=seed, ngrams=sizes, thresholds=shares, ignored=words
        )
        _show_scores(found, as_json)


def _show_scores(found: tuple[CopyScores, ...], as_json: bool) -> None:
    from rich.table import Table

    from izwi.cli import render

    if as_json:
        render.show_json(found)
        return
    kinds = [kind for kind, _ in found[0].found]
    table = Table("n", "threshold", "ignored", *kinds, "10-grams left", "unique lost", box=None)
    for row in found:
        shown = [f"{share:.3f}" for _, share in row.found]
        rest = (f"{row.duplicate_left:.2%}", f"{row.unique_lost:.2%}")
        table.add_row(str(row.ngram), f"{row.threshold:g}", str(row.ignored), *shown, *rest)
    render.out.print(table)


def _show_tables(found: tuple[NgramRow, ...], as_json: bool) -> None:
    from rich.table import Table

    from izwi.cli import render

    if as_json:
        render.show_json(found)
        return
    heads = ("threshold", "stop words", "punctuation", "n", "repeated n-grams", "words left")
    table = Table(*heads, "repeated 10-grams left", box=None, pad_edge=False)
    for row in found:
        table.add_row(
            f"{row.threshold:g}",
            "yes" if row.has_stop_words else "no",
            "yes" if row.has_marks else "no",
            str(row.ngram),
            f"{row.duplicate_ngrams:,} {row.duplicate_share:.2%}",
            f"{row.words:,} {row.words_share:.2%}",
            f"{row.ten_grams:,} {row.ten_grams_share:.2%}",
        )
    render.out.print(table)


def _show_agreements(found: tuple[Agreement, ...], as_json: bool) -> None:
    from rich.table import Table

    from izwi.cli import render

    if as_json:
        render.show_json(found)
        return
    heads = ("method", "judged", "copies by both", "by the method alone", "pairwise alone")
    table = Table(*heads, "agreement", box=None, pad_edge=False)
    for row in found:
        counts = (row.judged, row.both, row.only_method, row.only_pairwise)
        table.add_row(row.method, *(f"{count:,}" for count in counts), f"{row.share:.2%}")
    render.out.print(table)
