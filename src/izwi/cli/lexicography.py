"""Commands of lexicographers: sketches, similar words, good examples, new words, first dates."""

from pathlib import Path
from typing import Annotated, Any

import typer

from izwi.cli.options import AsJson, Chart, Folder

_Word = Annotated[str, typer.Argument(help="A word.", metavar="WORD")]
_Pos = Annotated[
    str, typer.Option(help="Only as a noun, verb, adjective or adverb.", metavar="POS")
]
_Language = Annotated[str, typer.Option(help="The language; the corpus's own if absent.")]
_Least = Annotated[int, typer.Option(help="Leave out what is rarer.", min=1)]
_Most = Annotated[int, typer.Option(help="Show at most so many.", min=1)]
_Where = Annotated[
    str, typer.Option(help="Only documents for which this holds.", metavar="CONDITION")
]
_Subcorpus = Annotated[str, typer.Option(help="Only documents of a saved subcorpus.")]
_Version = Annotated[int | None, typer.Option(help="An earlier version of the corpus.")]
_From = Annotated[str, typer.Option("--from", help="First year or date.", metavar="DATE")]
_To = Annotated[str, typer.Option("--to", help="Last year or date.", metavar="DATE")]
_Sources = Annotated[
    list[str] | None, typer.Option("--source", help="Only this source; repeatable.")
]


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


def _chosen(
    since: str,
    until: str,
    sources: list[str] | None,
    where: str,
    subcorpus: str,
    version: int | None,
) -> dict[str, Any]:
    """Return which documents count, as all of these commands are asked."""
    from izwi.service.dates import read_date

    return {
        "since": read_date(since, is_end=False) if since else None,
        "until": read_date(until, is_end=True) if until else None,
        "sources": tuple(sources or ()),
        "where": where,
        "subcorpus": subcorpus,
        "version": version,
    }


def sketch(
    folder: Folder,
    word: _Word,
    pos: _Pos = "",
    language: _Language = "",
    least: _Least = 2,
    most: _Most = 10,
    since: _From = "",
    until: _To = "",
    source: _Sources = None,
    where: _Where = "",
    subcorpus: _Subcorpus = "",
    version: _Version = None,
    chart: Chart = None,
    as_json: AsJson = False,
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
        **_chosen(since, until, source, where, subcorpus, version),
    )
    draw(found, chart)
    render.show_json(found) if as_json else describing.show_sketch(found)


def sketch_difference(
    folder: Folder,
    word: _Word,
    other: Annotated[str, typer.Argument(help="The word to compare it with.", metavar="OTHER")],
    pos: _Pos = "",
    language: _Language = "",
    least: _Least = 2,
    most: _Most = 10,
    since: _From = "",
    until: _To = "",
    source: _Sources = None,
    where: _Where = "",
    subcorpus: _Subcorpus = "",
    version: _Version = None,
    chart: Chart = None,
    as_json: AsJson = False,
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
        **_chosen(since, until, source, where, subcorpus, version),
    )
    draw(found, chart)
    render.show_json(found) if as_json else describing.show_difference(found)


def thesaurus(
    folder: Folder,
    word: _Word,
    pos: _Pos = "",
    language: _Language = "",
    least: _Least = 5,
    most: _Most = 40,
    since: _From = "",
    until: _To = "",
    source: _Sources = None,
    where: _Where = "",
    subcorpus: _Subcorpus = "",
    version: _Version = None,
    chart: Chart = None,
    as_json: AsJson = False,
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
        **_chosen(since, until, source, where, subcorpus, version),
    )
    draw(found, chart)
    render.show_json(found) if as_json else describing.show_thesaurus(found)


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
    mode: Annotated[
        str, typer.Option(help="auto, phrase, word (all its forms), lemma or cql.")
    ] = "auto",
    language: _Language = "",
    since: _From = "",
    until: _To = "",
    source: _Sources = None,
    where: _Where = "",
    subcorpus: _Subcorpus = "",
    version: _Version = None,
    as_json: AsJson = False,
) -> None:
    """Find the sentences that show a word best, with what makes them good examples."""
    from izwi.cli import describing, render
    from izwi.service.corpus import Corpus

    found = Corpus(folder).good_examples(
        text,
        most=most,
        avoid=tuple(avoid or ()),
        mode=mode,
        language=language,
        **_chosen(since, until, source, where, subcorpus, version),
    )
    render.show_json(found) if as_json else describing.show_examples(found, has_factors=factors)


def new_words(
    folder: Folder,
    since: _From = "",
    until: _To = "",
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
    where: _Where = "",
    subcorpus: _Subcorpus = "",
    version: _Version = None,
    chart: Chart = None,
    as_json: AsJson = False,
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
        **_chosen(since, until, None, where, subcorpus, version),
    )
    draw(found, chart)
    render.show_json(found) if as_json else describing.show_new_words(found)


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
    where: _Where = "",
    subcorpus: _Subcorpus = "",
    version: _Version = None,
    as_json: AsJson = False,
) -> None:
    """Find the first dated line of each headword, and antedatings of the dates known."""
    from izwi.cli import describing, render
    from izwi.service.corpus import Corpus
    from izwi.service.wordlists import headwords

    wanted = [*(words or ()), *(headwords(list_) if list_ else ())]
    found = Corpus(folder).attestations(
        wanted, where=where, subcorpus=subcorpus, version=version, timeout=None
    )
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
