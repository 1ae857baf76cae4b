"""Languages and taggers without a corpus: identified, listed, made, tried, trained, evaluated."""

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from izwi.cli.groups import GROUPS, AsJson, evaluate_app, train_app
from izwi.model.errors import QueryError

if TYPE_CHECKING:
    from izwi.model.document import Annotation
    from izwi.model.languages import KnownLanguage, MadePack, TaggerScore


Model = Annotated[
    Path | None, typer.Option(help="A model made by izwi train language.", metavar="FILE")
]
Packs = Annotated[
    list[str] | None,
    typer.Option("--pack", help="A language pack: a folder, or the name of an installed one."),
]
Code = Annotated[str, typer.Option(help="The language's ISO 639-3 code.")]
Sample = Annotated[
    Path, typer.Option("--text", help="Plain text, one sentence or paragraph a line.", exists=True)
]


def register(app: typer.Typer) -> None:
    """Add these commands to `izwi`."""
    app.command(epilog="Example: izwi identify 'Sanibonani nonke'")(identify)
    app.command(epilog="Example: izwi annotate 'Ja, nee.' --language af")(annotate)
    app.command("languages", epilog="Example: izwi languages zul sv")(languages)
    app.command(epilog="Example: izwi variety 'The bakkie' --words words.txt")(variety)


def identify(
    text: Annotated[str, typer.Argument(help="The text; - reads standard input.")],
    runs: Annotated[bool, typer.Option("--runs", help="The languages inside the text.")] = False,
    method: Annotated[
        str, typer.Option(help="izwi, pycld2, lingua, profile-distance or kneser-ney.")
    ] = "izwi",
    model: Model = None,
    pack: Packs = None,
    as_json: AsJson = False,
) -> None:
    """Say which language a text is in, and how sure one is."""
    from izwi.cases import languages
    from izwi.cli import render

    given = sys.stdin.read() if text == "-" else text
    if runs:
        found = languages.language_runs(given)
        if as_json:
            render.show_json(found)
            return
        for run in found:
            render.out.print(f"{run.code}  {given[run.start : run.end]}", markup=False)
        return
    guesses = languages.identify(given, method=method, model=model, packs=pack or ())
    if as_json:
        render.show_json(guesses)
        return
    for guess in guesses[:5]:
        render.out.print(f"{guess.code}  {guess.score:.3f}  {guess.reason}".rstrip())


def languages(
    codes: Annotated[
        list[str] | None, typer.Argument(help="Only these languages; all without.")
    ] = None,
    pack: Packs = None,
    stop_words: Annotated[
        bool, typer.Option("--stop-words", help="Print their stop lists, one word a line.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """List the languages: told from others, connected text, tags, lemmas; how good, where from."""
    from izwi.cases.languages import known_languages, stop_lists
    from izwi.cli import render
    from izwi.model.languages import iso639_3

    wanted = {iso639_3(code) for code in codes or ()}
    found = [each for each in known_languages(pack or ()) if not wanted or each.code in wanted]
    if stop_words:
        for word in stop_lists([each.code for each in found]):
            render.out.print(word, markup=False)
        return
    if as_json:
        render.show_json(found)
        return
    names = ("identified", "taken for", "connected text", "stop words", "sentences", "tags")
    heads = ("language", *names, "lemmas", "features", "from")
    if found:
        render.show_table(heads, [(each.code, *_cells(each)) for each in found])
    for code in sorted(wanted - {each.code for each in found}):
        render.out.print(
            f"{code}: not known. To add it: izwi language make {code} --text sample.txt"
        )


def _cells(known: "KnownLanguage") -> tuple[str, ...]:
    """Return what a row of the list says, each part with its figure if there is one."""
    figures = known.figures
    told = [figures.get(f"identified, {size}") for size in ("1-5 words", "6-15 words", "paragraph")]
    right = " / ".join(f"{100 * share:.0f}" for share in told if share is not None)
    dropped, stopped = figures.get("running text dropped"), figures.get("running text stopped")
    taken = [f"{code} {100 * figures[f'taken for {code}']:.0f} %" for code in known.close_to]
    conventions = ("abbreviations", known.sentences), ("ordinals", known.ordinals)
    return (
        (f"{right} %" if right else "yes") if known.identified else "",
        ", ".join(taken),
        ("yes" if dropped is None else f"{100 * dropped:.1f} % lost") if known.connected else "",
        _with_share(str(known.stop_words or ""), stopped),
        ", ".join(name for name, is_known in conventions if is_known),
        _with_share(known.tags, figures.get("tags")),
        _with_share(known.lemmas, figures.get("lemmas")),
        _with_share("yes" if "features" in figures else "", figures.get("features")),
        known.origin,
    )


def _with_share(word: str, share: float | None) -> str:
    return f"{word}, {100 * share:.1f} %" if word and share is not None else word


@GROUPS["language"].command("make", epilog="Example: izwi language make bem --text sample.txt")
def make_language(
    code: Annotated[str, typer.Argument(help="The language's ISO 639-3 code.")],
    text: Annotated[
        list[Path] | None, typer.Option(help="Plain text, one sentence or paragraph a line.")
    ] = None,
    treebank: Annotated[
        list[Path] | None, typer.Option(help="Sentences tagged by hand, in CoNLL-U.")
    ] = None,
    test: Annotated[
        list[Path] | None, typer.Option(help="CoNLL-U to measure by; else a tenth is kept apart.")
    ] = None,
    lexicon: Annotated[
        Path | None, typer.Option(help="A file of lines: word TAB tag TAB lemma.")
    ] = None,
    abbreviations: Annotated[
        Path | None, typer.Option(help="Abbreviations, one a line; more are found in the text.")
    ] = None,
    output: Annotated[
        Path | None, typer.Option(help="The folder of the pack; named by the code if absent.")
    ] = None,
    source: Annotated[str, typer.Option(help="Where the samples come from, for the card.")] = "",
    licence: Annotated[str, typer.Option(help="Their licence, for the card.")] = "",
    as_json: AsJson = False,
) -> None:
    """Make a language pack from samples, and say how good it is and what others lose by it."""
    from izwi.cases.language_packs import Samples, make_pack
    from izwi.cli import render

    samples = Samples(
        tuple(text or ()),
        tuple(treebank or ()),
        tuple(test or ()),
        lexicon,
        abbreviations,
        source,
        licence,
    )
    made = make_pack(code, output or Path(code), samples)
    render.show_json(made) if as_json else _show_pack(made)


def _show_pack(made: "MadePack") -> None:
    from izwi.cli import render

    size = f"{made.size_bytes / 1e6:.2f} MB"
    render.out.print(f"Wrote {made.path}: {', '.join(made.parts)} ({size}).", soft_wrap=True)
    for name, value in made.figures.items():
        render.out.print(f"  {name}: {value:.1%}" if value <= 1 else f"  {name}: {value:,.0f}")
    if made.words_short:
        render.out.print(
            f"  no profile of running text: {made.words_short:,} more words of text are needed"
        )
    for words, pairs in (
        ("pieces of it are taken for", made.confused),
        ("languages that lose texts to it", made.losers),
        ("its text was taken before for", made.rivals),
    ):
        if pairs:
            listed = ", ".join(f"{code} ({times})" for code, times in pairs[:5])
            render.out.print(f"  {words}: {listed}", soft_wrap=True)
    render.out.print(
        f"Next: izwi init news --language {made.code} --pack {made.path}, or in the corpus.toml of "
        f'a corpus whose folder holds it: [corpus] language_packs = ["{made.code}"]',
        soft_wrap=True,
        markup=False,
    )


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
    from izwi.cases import languages
    from izwi.cli import render

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


@train_app.command(
    "language",
    epilog="Example: izwi train language --code bem --text s.txt --method kneser-ney --model m.gz",
)
def train_language(
    code: Code,
    text: Sample,
    method: Annotated[str, typer.Option(help="profile-distance or kneser-ney.")],
    model: Annotated[
        Path, typer.Option(help="The file to extend; made from izwi's own if absent.")
    ] = Path("alternatives.json.gz"),
    as_json: AsJson = False,
) -> None:
    """Add a language to an alternative identifier, and say how well it went."""
    from izwi.cases.languages import train_language
    from izwi.cli import render

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
    from izwi.cases.languages import train_profile_of
    from izwi.cli import render

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
    from izwi.cases.languages import evaluate_language
    from izwi.cli import render

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


Language = Annotated[str, typer.Option(help="Its language, e.g. en or zul.")]
LexiconFile = Annotated[
    Path | None, typer.Option(help="A file of lines: word TAB tag TAB lemma.", metavar="FILE")
]


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
