"""Commands of lexicographers: sketches, similar words, good examples, new words, first dates."""

from pathlib import Path
from typing import Annotated, Any

import typer

from izwi.cli.choosing import DOCUMENTS, choosing
from izwi.cli.options import AsJson, Chart, Folder

_Word = Annotated[str, typer.Argument(help="A word.", metavar="WORD")]
_Pos = Annotated[
    str, typer.Option(help="Only as a noun, verb, adjective or adverb.", metavar="POS")
]
_Language = Annotated[str, typer.Option(help="The language; the corpus's own if absent.")]
_Least = Annotated[int, typer.Option(help="Leave out what is rarer.", min=1)]
_Most = Annotated[int, typer.Option(help="Show at most so many.", min=1)]


def register(app: typer.Typer) -> None:
    """Add the commands of this file."""
    app.command(epilog="Example: izwi sketch news bakkie")(sketch)
    app.command("sketch-difference", epilog="Example: izwi sketch-difference news bakkie taxi")(
        sketch_difference
    )
    app.command(epilog="Example: izwi thesaurus news bakkie")(thesaurus)
    app.command(epilog="Example: izwi examples news bakkie --most 5")(examples)
    app.command("new-words", epilog="Example: izwi new-words news --from 2020")(new_words)
    app.command(epilog="Example: izwi attestations news bakkie lobola")(attestations)
    app.command(epilog="Example: izwi decide news lockdown accept")(decide)
    app.command(epilog="Example: izwi decisions news")(decisions)


@choosing(*DOCUMENTS)
def sketch(
    folder: Folder,
    word: _Word,
    pos: _Pos = "",
    language: _Language = "",
    least: _Least = 2,
    most: _Most = 10,
    chart: Chart = None,
    as_json: AsJson = False,
    **chosen: Any,
) -> None:
    """Say which words stand in which relations to a word: its word sketch."""
    from izwi.cli import describing, render
    from izwi.cli.drawing import draw
    from izwi.service.corpus import Corpus

    found = Corpus(folder).word_sketch(
        word,
        pos=pos,
        language=language,
        least=least,
        most=most,
        **chosen,
    )
    draw(found, chart)
    render.show_json(found) if as_json else describing.show_sketch(found)


@choosing(*DOCUMENTS)
def sketch_difference(
    folder: Folder,
    word: _Word,
    other: Annotated[str, typer.Argument(help="The word to compare it with.", metavar="OTHER")],
    pos: _Pos = "",
    language: _Language = "",
    least: _Least = 2,
    most: _Most = 10,
    chart: Chart = None,
    as_json: AsJson = False,
    **chosen: Any,
) -> None:
    """Say how the company of two words differs."""
    from izwi.cli import describing, render
    from izwi.cli.drawing import draw
    from izwi.service.corpus import Corpus

    found = Corpus(folder).sketch_difference(
        word,
        other,
        pos=pos,
        language=language,
        least=least,
        most=most,
        **chosen,
    )
    draw(found, chart)
    render.show_json(found) if as_json else describing.show_difference(found)


@choosing(*DOCUMENTS)
def thesaurus(
    folder: Folder,
    word: _Word,
    pos: _Pos = "",
    language: _Language = "",
    least: _Least = 5,
    most: _Most = 40,
    chart: Chart = None,
    as_json: AsJson = False,
    **chosen: Any,
) -> None:
    """List the words most like a word in the company they keep."""
    from izwi.cli import describing, render
    from izwi.cli.drawing import draw
    from izwi.service.corpus import Corpus

    found = Corpus(folder).thesaurus(
        word,
        pos=pos,
        language=language,
        least=least,
        most=most,
        **chosen,
    )
    draw(found, chart)
    render.show_json(found) if as_json else describing.show_thesaurus(found)


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
    from izwi.cli import describing, render
    from izwi.service.corpus import Corpus

    found = Corpus(folder).good_examples(
        text,
        most=most,
        avoid=tuple(avoid or ()),
        language=language,
        **chosen,
    )
    render.show_json(found) if as_json else describing.show_examples(found, has_factors=factors)


@choosing("since", "until", "where", "subcorpus", "version")
def new_words(
    folder: Folder,
    list_: Annotated[
        list[Path] | None,
        typer.Option("--list", help="A list of words that are known; repeatable.", metavar="FILE"),
    ] = None,
    least: Annotated[int, typer.Option(help="Hits there must be in the period.", min=1)] = 3,
    sites: Annotated[int, typer.Option(help="Sites it must be on.", min=1)] = 2,
    most: _Most = 50,
    decided: Annotated[
        bool, typer.Option("--decided", help="Show words decided before, too.")
    ] = False,
    chart: Chart = None,
    as_json: AsJson = False,
    **chosen: Any,
) -> None:
    """List words first seen in a period that spread over sites, with the reasons."""
    from izwi.cli import describing, render
    from izwi.cli.drawing import draw
    from izwi.service.corpus import Corpus

    found = Corpus(folder).new_words(
        lists=tuple(list_ or ()),
        least=least,
        sites=sites,
        most=most,
        decided=decided,
        **chosen,
    )
    draw(found, chart)
    render.show_json(found) if as_json else describing.show_new_words(found)


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
    from izwi.cli import describing, render
    from izwi.service.corpus import Corpus
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
    from izwi.cli import render
    from izwi.service.corpus import Corpus

    made = Corpus(folder).decide(word, decision, who=who, note=note)
    if as_json:
        render.show_json(made)
        return
    render.out.print(f"{made.word}: {made.decision} ({made.who})", markup=False)


def decisions(folder: Folder, as_json: AsJson = False) -> None:
    """List what was decided about words; the last decision about a word counts."""
    from izwi.cli import describing, render
    from izwi.service.corpus import Corpus

    made = Corpus(folder).decisions()
    render.show_json(made) if as_json else describing.show_decisions(made)
