"""The commands that train a tagger, measure one, and show what it says of a text."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from izwi.model.errors import QueryError

if TYPE_CHECKING:
    from izwi.model.document import Annotation
    from izwi.model.languages import TaggerScore

from izwi.cli.groups import evaluate_app, train_app

AsJson = Annotated[bool, typer.Option("--json", help="Print JSON for programs.")]
Language = Annotated[str, typer.Option(help="Its language, e.g. en or zul.")]
LexiconFile = Annotated[
    Path | None, typer.Option(help="A file of lines: word TAB tag TAB lemma.", metavar="FILE")
]


def register(app: typer.Typer) -> None:
    """Add the command that is in no group."""
    app.command(epilog="Example: izwi annotate 'Ja, nee.' --language af")(annotate)


@train_app.command(
    "tagger", epilog="Example: izwi train tagger --conllu mine.conllu --language en --output my.npz"
)
def train_tagger(
    conllu: Annotated[list[Path], typer.Option(help="Sentences tagged by hand; repeatable.")],
    language: Language,
    output: Annotated[Path, typer.Option(help="Where the tagger is written (.npz).")],
    base: Annotated[
        list[Path] | None, typer.Option(help="A larger treebank it is added to; repeatable.")
    ] = None,
    onto: Annotated[
        str, typer.Option(help="A tagger that learns on from the sample: a file, or 'shipped'.")
    ] = "",
    as_json: AsJson = False,
) -> None:
    """Train a tagger from sentences in CoNLL-U; name it in corpus.toml as model."""
    from izwi.cases.tagging import train_tagger as train
    from izwi.cli import render

    made = train(conllu, output, language=language, base=base or (), onto=onto)
    if as_json:
        render.show_json(made)
        return
    render.out.print(
        f"Wrote {made.path}: {made.tags} tags from {made.words} words, {made.size_bytes} bytes. "
        f'Next: [annotate.{language}] model = "{made.path}"',
        soft_wrap=True,
    )


@train_app.command(
    "segments",
    epilog="Example: izwi train segments --text sample.txt --language sot --output sot.segments",
)
def train_segments(
    text: Annotated[list[Path], typer.Option(help="Plain text; repeatable.")],
    language: Language,
    output: Annotated[Path, typer.Option(help="Where the segments are written.")],
    words: Annotated[int, typer.Option(help="How many of the most frequent words to use.")] = 30000,
    as_json: AsJson = False,
) -> None:
    """Learn prefixes, stems and suffixes from plain text, so that stems can be searched."""
    from izwi.cases.tagging import train_segments as train
    from izwi.cli import render

    with render.progress(is_quiet=as_json) as listener:
        made = train(text, output, language=language, most=words, listener=listener)
    if as_json:
        render.show_json(made)
        return
    render.out.print(
        f"Wrote {made.path}: {made.pieces} pieces of {made.words} words. "
        f'Next: [annotate.{language}] segments = "{made.path}", and stem in [index] attributes.',
        soft_wrap=True,
    )


@evaluate_app.command(
    "tagger", epilog="Example: izwi evaluate tagger gold.conllu --language en --raw"
)
def evaluate_tagger(
    file: Annotated[Path, typer.Argument(help="A gold standard in CoNLL-U.", metavar="FILE")],
    language: Language,
    model: Annotated[str, typer.Option(help="A trained tagger; the one shipped if absent.")] = "",
    lexicon: LexiconFile = None,
    raw: Annotated[bool, typer.Option("--raw", help="From plain text, not gold words.")] = False,
    as_json: AsJson = False,
) -> None:
    """Measure a tagger: tags, lemmas, unknown words, confusions; with --raw tokens too."""
    from izwi.cases.tagging import evaluate_tagger as evaluate
    from izwi.cli import render

    score = evaluate(file, language=language, model=model, lexicon=lexicon, raw=raw)
    render.show_json(score) if as_json else _show_score(score)


def annotate(
    text: Annotated[str, typer.Argument(help="A text, or - to read standard input.")],
    language: Language,
    lexicon: LexiconFile = None,
    pack: Annotated[
        str, typer.Option(help="A language pack: a folder, or the name of an installed one.")
    ] = "",
    as_json: AsJson = False,
) -> None:
    """Show sentences, tokens, tags and lemmas of a text."""
    import sys

    from izwi.cases.tagging import annotate as annotated
    from izwi.cli import render

    lines = _lines(lexicon) if lexicon else []
    given = sys.stdin.read() if text == "-" else text
    found = annotated(given, language, lexicon=lines, pack=pack)
    render.show_json(found) if as_json else _show_tokens(found)


def _lines(path: Path) -> list[str]:
    try:
        return path.read_text(encoding="utf-8-sig").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise QueryError(f"The lexicon {path} cannot be read: {error}.") from error


def _show_tokens(found: "Annotation") -> None:
    from izwi.cli.render import show_table

    columns = (found.words, found.lemmas, found.upos, found.xpos, found.feats)
    begins, rows = {*found.sentences[1:]}, list[tuple[str, ...]]()
    for place, row in enumerate(zip(*columns, strict=True)):
        rows += [(), row] if place in begins else [row]
    show_table(("token", "lemma", "upos", "tag", "features"), rows)


_RAW_MEASURES = ("sentences_f1", "sentence_ends_f1", "tokens_f1", "token_edges_f1")


def _show_score(score: "TaggerScore") -> None:
    from izwi.cli.render import say, show_table

    names = ("upos", "xpos", "lemma", "unknown", *_RAW_MEASURES)
    values = [(name, getattr(score, name)) for name in names]
    shown = ", ".join(f"{name} {100 * value:.2f} %" for name, value in values if value is not None)
    say(f"{score.words} words: {shown}; {score.tokens_per_second:.0f} words a second")
    rows = [
        (each.tag, str(each.words), f"{100 * each.accuracy:.1f} %", each.instead)
        for each in score.by_tag[:30]
    ]
    show_table(("tag", "words", "right", "else mostly"), rows)
