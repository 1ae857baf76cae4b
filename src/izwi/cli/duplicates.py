"""Commands about copies."""

from pathlib import Path
from typing import Annotated

import typer

AsJson = Annotated[bool, typer.Option("--json", help="Print JSON for programs.")]


def register(app: typer.Typer) -> None:
    """Add the commands of this file."""
    app.command(epilog="Example: izwi dedup pages.jsonl decisions.jsonl --state seen")(dedup)


def dedup(
    source: Annotated[
        Path, typer.Argument(help='Lines of {"id": ..., "paras": [...]}.', metavar="IN")
    ],
    target: Annotated[Path, typer.Argument(help="The decisions, a line each.", metavar="OUT")],
    state: Annotated[
        Path | None, typer.Option(help="Remember what was seen in this folder, to go on later.")
    ] = None,
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
    from izwi.cli import render
    from izwi.config.units import size_bytes
    from izwi.model.errors import SourceError
    from izwi.service.deduplicating import Options, deduplicate

    try:
        words = tuple(ignore.read_text(encoding="utf-8").split()) if ignore else ()
        memory_bytes = size_bytes(memory)
    except (OSError, ValueError) as error:
        raise SourceError(f"{error}.") from None
    options = Options(ngram, threshold, stub, words, marks, edited, memory_bytes)
    report = deduplicate(source, target, state=state, options=options)
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
