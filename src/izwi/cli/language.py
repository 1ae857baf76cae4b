"""Commands about languages: identify, train, evaluate."""

import sys
from pathlib import Path
from typing import Annotated

import typer

from izwi.cli.groups import evaluate_app, report_app, train_app

AsJson = Annotated[bool, typer.Option("--json", help="Print JSON for programs.")]
Model = Annotated[
    Path | None, typer.Option(help="A model made by izwi train language.", metavar="FILE")
]
Code = Annotated[str, typer.Option(help="The language's ISO 639-3 code.")]
Sample = Annotated[
    Path, typer.Option("--text", help="Plain text, one sentence or paragraph a line.", exists=True)
]


def register(app: typer.Typer) -> None:
    """Add these commands to `izwi`."""
    app.command(epilog="Example: izwi identify 'Sanibonani nonke'")(identify)
    app.command("languages", epilog="Example: izwi languages zul sv")(languages)
    app.command(epilog="Example: izwi variety 'The bakkie' --words words.txt")(variety)


def identify(
    text: Annotated[str, typer.Argument(help="The text; - reads standard input.")],
    runs: Annotated[bool, typer.Option("--runs", help="The languages inside the text.")] = False,
    method: Annotated[
        str, typer.Option(help="izwi, pycld2, lingua, profile-distance or kneser-ney.")
    ] = "izwi",
    model: Model = None,
    as_json: AsJson = False,
) -> None:
    """Say which language a text is in, and how sure one is."""
    from izwi.cli import render
    from izwi.service import languages

    given = sys.stdin.read() if text == "-" else text
    if runs:
        found = languages.language_runs(given)
        if as_json:
            render.show_json(found)
            return
        for run in found:
            render.out.print(f"{run.code}  {given[run.start : run.end]}", markup=False)
        return
    guesses = languages.identify(given, method=method, model=model)
    if as_json:
        render.show_json(guesses)
        return
    for guess in guesses[:5]:
        render.out.print(f"{guess.code}  {guess.score:.3f}  {guess.reason}".rstrip())


def languages(
    codes: Annotated[
        list[str] | None, typer.Argument(help="Only these languages; all without.")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """List the languages: told from others, connected text, tags and lemmas."""
    from rich.table import Table

    from izwi.cli import render
    from izwi.model.languages import iso639_3
    from izwi.service.languages import known_languages

    wanted = {iso639_3(code) for code in codes or ()}
    found = [each for each in known_languages() if not wanted or each.code in wanted]
    if as_json:
        render.show_json(found)
        return
    table = Table("language", "identified", "connected text", "tags", "lemmas", box=None)
    for each in found:
        flags = ("yes" if known else "" for known in (each.identified, each.connected))
        table.add_row(each.code, *flags, each.tags, each.lemmas)
    render.out.print(table)


WordList = Annotated[Path | None, typer.Option(help="A file, one word a line.", exists=True)]


def variety(
    text: Annotated[str, typer.Argument(help="The text; - reads standard input.")],
    words: WordList = None,
    spellings: WordList = None,
    other_spellings: WordList = None,
    host: Annotated[
        list[str] | None, typer.Option(help="An end of host names, e.g. .za; may be repeated.")
    ] = None,
    url: Annotated[str, typer.Option(help="Where the text comes from.")] = "",
    as_json: AsJson = False,
) -> None:
    """Score how much of a text speaks for a variety, by your own lists; its parts are shown."""
    from izwi.cli import render
    from izwi.service import languages

    found = languages.variety_score(
        sys.stdin.read() if text == "-" else text,
        words=languages.read_list(words),
        spellings=languages.read_list(spellings),
        other_spellings=languages.read_list(other_spellings),
        hosts=host or (),
        url=url,
    )
    if as_json:
        render.show_json(found)
        return
    parts = f"lexicon {found.lexicon:.2f}, spelling {found.spelling:.2f}, host {found.host:.2f}"
    render.out.print(f"{found.score:.2f} of 1: {parts}", soft_wrap=True)
    for word, count in found.found:
        render.out.print(f"  {word}: {count}", markup=False)
    render.out.print("This is a score of what speaks for the variety, not a verdict on the writer.")


@report_app.command("languages", epilog="Example: izwi report languages news")
def report_languages(
    folder: Annotated[Path, typer.Argument(help="The corpus folder.", metavar="CORPUS")],
    as_json: AsJson = False,
) -> None:
    """Say which languages the documents are in, how surely, and how many are kept."""
    from rich.table import Table

    from izwi.cases.corpus import open_corpus
    from izwi.cli import render

    with open_corpus(folder) as corpus:
        shares = corpus.languages()
    if as_json:
        render.show_json(shares)
        return
    table = Table("language", "documents", "kept", "certainty", "not connected", "variety")
    for one in shares:
        name = f"{one.language} {one.reason}".strip()
        numbers = (str(one.documents), str(one.kept), f"{one.certainty:.2f}")
        scored = "" if one.variety is None else f"{one.variety:.2f}"
        table.add_row(name, *numbers, str(one.not_connected), scored)
    render.out.print(table)


@train_app.command("language", epilog="Example: izwi train language --code bem --text sample.txt")
def train_language(
    code: Code,
    text: Sample,
    model: Annotated[
        Path, typer.Option(help="The model to extend; made from izwi's own if absent.")
    ] = Path("language.npz"),
    method: Annotated[
        str, typer.Option(help="izwi, or its alternatives profile-distance and kneser-ney.")
    ] = "izwi",
    as_json: AsJson = False,
) -> None:
    """Add a language to the identifier from a sample of text, and say how well it went."""
    from izwi.cli import render
    from izwi.service.languages import train_language

    report = train_language(code, text, model, method=method)
    if as_json:
        render.show_json(report)
        return
    render.out.print(
        f"{model}: added {report.code} from {report.letters:,} letters; of {report.snippets} "
        f"snippets kept apart {report.accuracy:.1%} are told rightly.",
        soft_wrap=True,
    )
    for other, count in report.confusions[:10]:
        render.out.print(f"  taken for {other}: {count}")
    if method == "izwi":
        render.out.print(f"Use it: izwi identify TEXT --model {model}")
    render.out.print(f'In a corpus: [language] method = "{method}" model = "{model.name}"')


@train_app.command("profile", epilog="Example: izwi train profile --code bem --text sample.txt")
def train_profile(
    code: Code,
    text: Sample,
    profiles: Annotated[Path, typer.Option(help="The file of profiles to extend.")] = Path(
        "profiles.json"
    ),
    as_json: AsJson = False,
) -> None:
    """Learn what connected text of a language is like, with a threshold of its own."""
    from izwi.cli import render
    from izwi.service.languages import train_profile_of

    threshold = train_profile_of(code, text, profiles)
    if as_json:
        render.show_json({"code": code, "threshold": threshold, "profiles": str(profiles)})
        return
    render.out.print(f"{profiles}: profile of {code}, threshold {threshold:.2f}")


@evaluate_app.command("language", epilog="Example: izwi evaluate language labelled.tsv")
def evaluate_language(
    labelled: Annotated[
        Path, typer.Argument(help="Lines of code, source and text between tabs.", exists=True)
    ],
    method: Annotated[str, typer.Option(help="The identifier.")] = "izwi",
    model: Model = None,
    as_json: AsJson = False,
) -> None:
    """Measure an identifier: by length, by source, what it confuses, how fast it is."""
    from izwi.cli import render
    from izwi.service.languages import evaluate_language

    found = evaluate_language(labelled, method=method, model=model)
    if as_json:
        render.show_json(found)
        return
    for score in found.scores:
        render.out.print(
            f"{score.length:>11}: {score.accuracy:.1%} right of {score.texts:,}, South African "
            f"{score.south_african:.1%}, others taken for South African "
            f"{score.accepted_wrongly:.2%}",
            soft_wrap=True,
        )
    for one in found.sources:
        render.out.print(f"  {one.length}, {one.language}, {one.source}: {one.accuracy:.1%}")
    for confusion in found.confusions[:20]:
        words = f"{confusion.language} as {confusion.taken_for}: {confusion.count}"
        render.out.print(f"  {confusion.length}, {words} ({confusion.share:.1%})")
    render.out.print(
        f"{found.megabytes_per_second:.1f} MB/s; certainty is off by {found.calibration_error:.3f}"
    )
