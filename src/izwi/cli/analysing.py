"""Commands that count: frequencies, word lists, collocations, keywords, trends."""

from pathlib import Path
from typing import Annotated, Any

import typer

from izwi.cli.choosing import ASKED, COUNTED, choosing
from izwi.cli.options import AsJson, Chart, Folder

Query = Annotated[str, typer.Argument(help="A word, a phrase or CQL.", metavar="QUERY")]
Least = Annotated[int, typer.Option(help="Leave out what is rarer.")]
Most = Annotated[int, typer.Option(help="Show at most so many lines.")]
Attribute = Annotated[
    str, typer.Option(help="word, lc, lemma, pos; words in lower case if absent.")
]
Pattern = Annotated[str, typer.Option(help="Only values this expression matches whole.")]
Stop = Annotated[Path | None, typer.Option(help="A file of words to leave out, one a line.")]
LETTERS = r".*\p{L}.*"
# Which documents are compared is said by the two texts.
_COMPARED = ("since", "until", "copies", "case", "mode", "version", "timeout")


def register(app: typer.Typer) -> None:
    """Add the commands of this file."""
    app.command(epilog="Example: izwi freq news bakkie --by year")(freq)
    app.command(epilog="Example: izwi wordlist news --attribute lemma --most 50")(wordlist)
    app.command(epilog="Example: izwi ngrams news 3")(ngrams)
    app.command(epilog="Example: izwi dispersion news bakkie --by source")(dispersion)
    app.command(epilog="Example: izwi collocations news bakkie --measure logdice")(collocations)
    app.command(epilog="""Example: izwi keywords news --where 'source="herald"'""")(keywords)
    app.command(epilog="""Example: izwi terms news --where 'source="herald"'""")(terms)
    app.command(epilog="Example: izwi trend news bakkie --by year")(trend)
    app.command(
        epilog="""Example: izwi compare news 'where:source="herald"' 'where:source="post"'"""
    )(compare)


def _stop_words(path: Path | None) -> tuple[str, ...]:
    from izwi.model.errors import QueryError

    if path is None:
        return ()
    try:
        return tuple(path.read_text(encoding="utf-8").split("\n"))
    except (OSError, UnicodeDecodeError) as error:
        raise QueryError(f"The stop list {path} cannot be read: {error}.") from None


@choosing(*ASKED)
def freq(
    folder: Folder,
    query: Query,
    by: Annotated[
        str, typer.Option(help="source, host, year, month, word, lemma, L1.word, R2.lemma, ...")
    ] = "source",
    and_by: Annotated[str, typer.Option(help="A second thing to count by.")] = "",
    sort: Annotated[str, typer.Option(help="hits, rate or value.")] = "hits",
    least: Least = 1,
    most: Most = 100,
    chart: Chart = None,
    as_json: AsJson = False,
    **chosen: Any,
) -> None:
    """Count a query by metadata, period, form or neighbour, per million with an interval."""
    from izwi.cli import tables
    from izwi.service.corpus import Corpus

    found = Corpus(folder).frequencies(
        query, by=by, and_by=and_by, sort=sort, least=least, most=most, **chosen
    )
    tables.show(found, as_json=as_json, chart=chart)


@choosing(*COUNTED)
def wordlist(
    folder: Folder,
    attribute: Attribute = "",
    pattern: Pattern = LETTERS,
    stop: Stop = None,
    sort: Annotated[str, typer.Option(help="hits, value, documents or sites.")] = "hits",
    least: Least = 1,
    most: Most = 100,
    chart: Chart = None,
    as_json: AsJson = False,
    **chosen: Any,
) -> None:
    """List the words of the chosen text by frequency, with their spread."""
    from izwi.cli import tables
    from izwi.service.corpus import Corpus

    found = Corpus(folder).wordlist(
        attribute=attribute, pattern=pattern, stop=_stop_words(stop), sort=sort, least=least,
        most=most, **chosen,
    )  # fmt: skip
    tables.show(found, as_json=as_json, chart=chart)


@choosing(*COUNTED, seconds=300.0)
def ngrams(
    folder: Folder,
    size: Annotated[int, typer.Argument(help="How many words, 1 to 8.")] = 2,
    attribute: Attribute = "",
    within: Annotated[str, typer.Option(help="What a sequence lies in: s, p or doc.")] = "s",
    pattern: Pattern = LETTERS,
    stop: Stop = None,
    least: Least = 2,
    most: Most = 100,
    chart: Chart = None,
    as_json: AsJson = False,
    **chosen: Any,
) -> None:
    """List the most frequent sequences of so many words."""
    from izwi.cli import render, tables
    from izwi.service.corpus import Corpus

    with render.progress(is_quiet=as_json) as listener:
        found = Corpus(folder).ngrams(
            size, attribute=attribute, within=within, pattern=pattern, stop=_stop_words(stop),
            least=least, most=most, listener=listener, **chosen,
        )  # fmt: skip
    tables.show(found, as_json=as_json, chart=chart)


@choosing(*ASKED)
def dispersion(
    folder: Folder,
    query: Query,
    by: Annotated[str, typer.Option(help="document, source, host, year, ...")] = "document",
    most: Most = 20,
    chart: Chart = None,
    as_json: AsJson = False,
    **chosen: Any,
) -> None:
    """Say how evenly a query is spread: range, Juilland's D, Gries's DP, ARF."""
    from izwi.cli import tables
    from izwi.service.corpus import Corpus

    found = Corpus(folder).dispersion(query, by=by, most=most, **chosen)
    tables.show(found, as_json=as_json, chart=chart)


@choosing(*ASKED)
def collocations(
    folder: Folder,
    query: Query,
    left: Annotated[int, typer.Option(help="Tokens to the left.")] = 5,
    right: Annotated[int, typer.Option(help="Tokens to the right.")] = 5,
    attribute: Attribute = "",
    counting: Annotated[
        str, typer.Option(help="tokens (in the window), sentence (tokens), or hits (once each).")
    ] = "tokens",
    measure: Annotated[
        str,
        typer.Option(
            help="mi, mi3, t, z, ll, chi2, dice, logdice, minsens, deltap, deltap_back; or left, "
            "right, total, frequency."
        ),
    ] = "logdice",
    over: Annotated[str, typer.Option(help="Also count by this period: year, month, ...")] = "",
    words: Annotated[
        str, typer.Option(help="all, or content: nouns, verbs, adjectives and adverbs only.")
    ] = "all",
    pattern: Pattern = LETTERS,
    stop: Stop = None,
    least: Least = 3,
    most: Most = 50,
    chart: Chart = None,
    as_json: AsJson = False,
    **chosen: Any,
) -> None:
    """List the words near a query with all measures of attraction, left and right apart."""
    from izwi.cli import tables
    from izwi.service.corpus import Corpus

    found = Corpus(folder).collocations(
        query, left=left, right=right, attribute=attribute, counting=counting, measure=measure,
        over=over, words=words, pattern=pattern, stop=_stop_words(stop), least=least, most=most,
        **chosen,
    )  # fmt: skip
    tables.show(found, as_json=as_json, chart=chart)


Reference = Annotated[
    str,
    typer.Option(
        help="subcorpus:NAME, where:CONDITION, a corpus folder or a frequency list; the rest of "
        "the corpus if absent."
    ),
]
Measure = Annotated[str, typer.Option(help="simple, logratio, ll or diff.")]
Smoothing = Annotated[float, typer.Option(help="The constant of simple maths.")]
Sites = Annotated[int, typer.Option(help="In at least so many sites.")]


@choosing(*COUNTED, seconds=60.0)
def keywords(
    folder: Folder,
    reference: Reference = "",
    attribute: Attribute = "",
    measure: Measure = "simple",
    smoothing: Smoothing = 1.0,
    sites: Sites = 2,
    pattern: Pattern = LETTERS,
    stop: Stop = None,
    least: Least = 5,
    most: Most = 50,
    chart: Chart = None,
    as_json: AsJson = False,
    **chosen: Any,
) -> None:
    """List the words that set the chosen text apart from the rest, another text or a list."""
    from izwi.cli import tables
    from izwi.service.corpus import Corpus

    found = Corpus(folder).keywords(
        reference, attribute=attribute, measure=measure, smoothing=smoothing, sites=sites,
        pattern=pattern, stop=_stop_words(stop), least=least, most=most, **chosen,
    )  # fmt: skip
    tables.show(found, as_json=as_json, chart=chart)


@choosing(*COUNTED, seconds=60.0)
def terms(
    folder: Folder,
    reference: Reference = "",
    patterns: Annotated[
        list[str] | None,
        typer.Option("--cql", help="A pattern of tags; repeatable. Nouns if absent."),
    ] = None,
    attribute: Attribute = "",
    measure: Measure = "simple",
    smoothing: Smoothing = 1.0,
    sites: Sites = 2,
    pattern: Pattern = LETTERS,
    stop: Stop = None,
    least: Least = 3,
    most: Most = 50,
    chart: Chart = None,
    as_json: AsJson = False,
    **chosen: Any,
) -> None:
    """List the terms of several words, found by tag patterns, that set the chosen text apart."""
    from izwi.cli import tables
    from izwi.service.corpus import Corpus

    found = Corpus(folder).terms(
        reference, patterns=tuple(patterns or ()), attribute=attribute, measure=measure,
        smoothing=smoothing, sites=sites, pattern=pattern, stop=_stop_words(stop), least=least,
        most=most, **chosen,
    )  # fmt: skip
    tables.show(found, as_json=as_json, chart=chart)


@choosing(*ASKED)
def trend(
    folder: Folder,
    query: Query,
    by: Annotated[str, typer.Option(help="day, week, month, quarter, year or decade.")] = "month",
    panel: Annotated[
        bool, typer.Option("--panel", help="Only sources with text in every period.")
    ] = False,
    chart: Chart = None,
    as_json: AsJson = False,
    **chosen: Any,
) -> None:
    """Follow a query through time: rates with intervals, slope, changes of level."""
    from izwi.cli import tables
    from izwi.service.corpus import Corpus

    tables.show(
        Corpus(folder).trend(query, by=by, panel=panel, **chosen), as_json=as_json, chart=chart
    )


@choosing(*_COMPARED, seconds=60.0)
def compare(
    folder: Folder,
    first: Annotated[str, typer.Argument(help="subcorpus:NAME, where:CONDITION or a folder.")],
    second: Annotated[str, typer.Argument(help="The same; the whole corpus if absent.")] = "",
    query: Annotated[str, typer.Option(help="Also compare this word, phrase or CQL.")] = "",
    measure: Annotated[str, typer.Option(help="The measure of collocates.")] = "logdice",
    keyness: Annotated[str, typer.Option(help="The measure of keywords.")] = "simple",
    attribute: Attribute = "",
    least: Least = 3,
    most: Most = 20,
    chart: Chart = None,
    as_json: AsJson = False,
    **chosen: Any,
) -> None:
    """Put two corpora or subcorpora side by side: keywords, a query, and its collocates."""
    from izwi.cli import tables
    from izwi.service.corpus import Corpus

    found = Corpus(folder).compare(
        first, second, query=query, measure=measure, keyness=keyness, attribute=attribute,
        least=least, most=most, **chosen,
    )  # fmt: skip
    tables.show(found, as_json=as_json, chart=chart)
