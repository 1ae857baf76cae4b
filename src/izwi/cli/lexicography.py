"""Commands of lexicographers: sketches, similar words, good examples, new words, first dates."""

from pathlib import Path
from typing import Annotated, Any

import typer

from izwi.cli.choosing import DOCUMENTS, choosing
from izwi.cli.options import AsJson, Folder

_Word = Annotated[str, typer.Argument(help="A word.", metavar="WORD")]
_Pos = Annotated[
    str, typer.Option(help="Only as a noun, verb, adjective or adverb.", metavar="POS")
]
_Language = Annotated[str, typer.Option(help="The language; the corpus's own if absent.")]
_Least = Annotated[int, typer.Option(help="Leave out what is rarer.", min=1)]
_Most = Annotated[int, typer.Option(help="Show at most so many.", min=1)]


def register(app: typer.Typer) -> None:
    """Add the commands of this file."""
    app.command(epilog="Example: izwi examples news bakkie --most 5")(examples)
    app.command(epilog="Example: izwi attestations news bakkie lobola")(attestations)
    app.command(epilog="Example: izwi decide news lockdown accept")(decide)
    app.command(epilog="Example: izwi decisions news")(decisions)


@choosing(*DOCUMENTS, "mode")
def examples(
    folder: Folder,
    text: Annotated[str, typer.Argument(help="A word, a phrase or CQL.", metavar="QUERY")],
    most: _Most = 10,
    avoid: Annotated[
        list[str] | None, typer.Option(help="Sentences with this word are worse; repeatable.")
    ] = None,
    factors: Annotated[
        bool, typer.Option("--factors", help="Say what each score is made of.")
    ] = False,
    language: _Language = "",
    as_json: AsJson = False,
    **chosen: Any,
) -> None:
    """Find the sentences that show a word best, with what makes them good examples."""
    from izwi.cases.corpus import Corpus
    from izwi.cli import describing, render

    found = Corpus(folder).good_examples(
        text,
        most=most,
        avoid=tuple(avoid or ()),
        language=language,
        **chosen,
    )
    render.show_json(found) if as_json else describing.show_examples(found, has_factors=factors)


@choosing("where", "subcorpus", "version")
def attestations(
    folder: Folder,
    words: Annotated[
        list[str] | None, typer.Argument(help="Headwords.", metavar="[WORD]...")
    ] = None,
    list_: Annotated[
        Path | None,
        typer.Option(
            "--list", help="Headwords: word, tab, known date, tab, variants.", metavar="FILE"
        ),
    ] = None,
    as_json: AsJson = False,
    **chosen: Any,
) -> None:
    """Find the first dated line of each headword, and antedatings of the dates known."""
    from izwi.cases.corpus import Corpus
    from izwi.cli import describing, render
    from izwi.service.wordlists import headwords

    wanted = [*(words or ()), *(headwords(list_) if list_ else ())]
    found = Corpus(folder).attestations(wanted, timeout=None, **chosen)
    render.show_json(found) if as_json else describing.show_attestations(found)


def decide(
    folder: Folder,
    word: _Word,
    decision: Annotated[
        str, typer.Argument(help="accept, reject, later, name, error or known.", metavar="DECISION")
    ],
    who: Annotated[str, typer.Option(help="Who decides; you if absent.")] = "",
    note: Annotated[str, typer.Option(help="Why.")] = "",
    as_json: AsJson = False,
) -> None:
    """Remember with the corpus what was decided about a word."""
    from izwi.cases.corpus import Corpus
    from izwi.cli import render

    made = Corpus(folder).decide(word, decision, by=who, note=note)
    if as_json:
        render.show_json(made)
        return
    render.out.print(f"{made.word}: {made.decision} ({made.who})", markup=False)


def decisions(folder: Folder, as_json: AsJson = False) -> None:
    """List what was decided about words; the last decision about a word counts."""
    from izwi.cases.corpus import Corpus
    from izwi.cli import describing, render

    made = Corpus(folder).decisions()
    render.show_json(made) if as_json else describing.show_decisions(made)
