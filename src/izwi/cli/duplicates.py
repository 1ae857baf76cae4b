"""Commands about copies."""

from functools import partial
from pathlib import Path
from typing import Annotated

import typer

from izwi.cli.groups import Answer, command
from izwi.model.results import Agreement, CopyScores, NgramRow


@command("dedup", "pages.jsonl decisions.jsonl --state seen")
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
) -> Answer:
    """Say which paragraphs of a collection copy earlier ones; no corpus is needed."""
    from izwi.cases.deduplicating import Options, deduplicate, deduplicate_documents
    from izwi.model.errors import SourceError
    from izwi.model.notation import size_bytes

    try:
        words = tuple(ignore.read_text(encoding="utf-8").split()) if ignore else ()
        memory_bytes = size_bytes(memory)
    except (OSError, ValueError) as error:
        raise SourceError(f"{error}.") from None
    if method != "blocks":
        if state is not None:
            raise SourceError(f"--state works with --method blocks only, not {method}.")
        report = deduplicate_documents(source, target, method=method)
    else:
        options = Options(ngram, threshold, stub, words, marks, edited, memory_bytes)
        report = deduplicate(source, target, state=state, options=options)
    share = report.copied_tokens / max(report.tokens, 1)
    told = (
        f"{report.documents:,} documents, {report.blocks:,} paragraphs, {report.tokens:,} words: "
        f"{report.copied_blocks:,} paragraphs ({share:.1%} of the words) copy earlier ones. "
        f"Decisions in {target}."
    )
    return Answer(report, [told])


@command("evaluate dedup", "pages.jsonl")
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
) -> Answer:
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
        rows = ngram_tables(source, most=most, stop_words=words)
        return Answer(rows, partial(_show_tables, rows))
    if pairwise:
        found = agreements(source, most=min(most, 1000), seed=seed)
        return Answer(found, partial(_show_agreements, found))
    scores = evaluate_copies(
        source, most=most, seed=seed, ngrams=sizes, thresholds=shares, ignored=words
    )
    return Answer(scores, partial(_show_scores, scores))


def _show_scores(found: tuple[CopyScores, ...]) -> None:
    from izwi.cli.render import show_table

    kinds = [kind for kind, _ in found[0].found]
    rows = [
        (
            *(str(row.ngram), f"{row.threshold:g}", str(row.ignored)),
            *(f"{share:.3f}" for _, share in row.found),
            *(f"{row.duplicate_left:.2%}", f"{row.unique_lost:.2%}"),
        )
        for row in found
    ]
    show_table(("n", "threshold", "ignored", *kinds, "10-grams left", "unique lost"), rows)


def _show_tables(found: tuple[NgramRow, ...]) -> None:
    from izwi.cli.render import show_table

    heads = ("threshold", "stop words", "punctuation", "n", "repeated n-grams", "words left")
    rows = [
        (
            f"{row.threshold:g}",
            "yes" if row.has_stop_words else "no",
            "yes" if row.has_marks else "no",
            str(row.ngram),
            f"{row.duplicate_ngrams:,} {row.duplicate_share:.2%}",
            f"{row.words:,} {row.words_share:.2%}",
            f"{row.ten_grams:,} {row.ten_grams_share:.2%}",
        )
        for row in found
    ]
    show_table((*heads, "repeated 10-grams left"), rows)


def _show_agreements(found: tuple[Agreement, ...]) -> None:
    from izwi.cli.render import show_table

    heads = ("method", "judged", "copies by both", "by the method alone", "pairwise alone")
    counts = ("judged", "both", "only_method", "only_pairwise")
    rows = [
        (row.method, *(f"{getattr(row, name):,}" for name in counts), f"{row.share:.2%}")
        for row in found
    ]
    show_table((*heads, "agreement"), rows)
