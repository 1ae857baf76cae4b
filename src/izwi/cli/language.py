"""Languages and taggers without a corpus: identified, listed, made, tried, trained, evaluated."""

import sys
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from izwi.cli.groups import Answer, command

if TYPE_CHECKING:
    from izwi.model.document import Annotation
    from izwi.model.languages import KnownLanguage, MadePack, TaggerScore
    from izwi.model.results import Listener


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


@command("identify", "'Sanibonani nonke'")
def identify(
    text: Annotated[str, typer.Argument(help="The text; - reads standard input.")],
    runs: Annotated[bool, typer.Option("--runs", help="The languages inside the text.")] = False,
    method: Annotated[
        str, typer.Option(help="izwi, pycld2, lingua, profile-distance or kneser-ney.")
    ] = "izwi",
    model: Model = None,
    pack: Packs = None,
) -> Answer:
    """Say which language a text is in, and how sure one is."""
    from izwi.cases import languages

    given = sys.stdin.read() if text == "-" else text
    if runs:
        found = languages.language_runs(given)
        return Answer(found, (f"{run.code}  {given[run.start : run.end]}" for run in found))
    guesses = languages.identify(given, method=method, model=model, packs=pack or ())
    told = (f"{each.code}  {each.score:.3f}  {each.reason}".rstrip() for each in guesses[:5])
    return Answer(guesses, told)


@command("languages", "zul sv")
def languages(
    codes: Annotated[
        list[str] | None, typer.Argument(help="Only these languages; all without.")
    ] = None,
    pack: Packs = None,
    stop_words: Annotated[
        bool, typer.Option("--stop-words", help="Print their stop lists, one word a line.")
    ] = False,
) -> Answer:
    """List the languages: told from others, connected text, tags, lemmas; how good, where from."""
    from izwi.cases.languages import known_languages, stop_lists
    from izwi.model.languages import iso639_3

    wanted = {iso639_3(code) for code in codes or ()}
    found = [each for each in known_languages(pack or ()) if not wanted or each.code in wanted]
    if stop_words:
        words = stop_lists([each.code for each in found])
        return Answer(words, words)
    return Answer(found, partial(_show_languages, found, wanted))


def _show_languages(found: "Sequence[KnownLanguage]", wanted: set[str]) -> None:
    from izwi.cli import render

    names = ("identified", "taken for", "connected text", "stop words", "sentences", "tags")
    heads = ("language", *names, "lemmas", "features", "from")
    rows = [(each.code, *_cells(each)) for each in found]
    if wanted:
        # Some languages are read one by one: ten columns are wider than most windows.
        for row in rows:
            said = [
                f"  {head}: {cell}" for head, cell in zip(heads[1:], row[1:], strict=True) if cell
            ]
            render.say(row[0], *said)
    elif rows:
        render.show_table(heads, rows)
    for code in sorted(wanted - {each.code for each in found}):
        render.say(f"{code}: not known. To add it: izwi language make {code} --text sample.txt")


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


@command("language make", "bem --text sample.txt")
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
) -> Answer:
    """Make a language pack from samples, and say how good it is and what others lose by it."""
    from izwi.cases.language_packs import Samples, make_pack

    texts, treebanks, tests = (tuple(paths or ()) for paths in (text, treebank, test))
    samples = Samples(texts, treebanks, tests, lexicon, abbreviations, source, licence)
    made = make_pack(code, output or Path(code), samples)
    return Answer(made, _pack_told(made))


def _pack_told(made: "MadePack") -> Iterator[str]:

    size = f"{made.size_bytes / 1e6:.2f} MB"
    yield f"Wrote {made.path}: {', '.join(made.parts)} ({size})."
    for name, value in made.figures.items():
        yield f"  {name}: {value:.1%}" if value <= 1 else f"  {name}: {value:,.0f}"
    if made.words_short:
        yield f"  no profile of running text: {made.words_short:,} more words of text are needed"
    for words, pairs in (
        ("pieces of it are taken for", made.confused),
        ("languages that lose texts to it", made.losers),
        ("its text was taken before for", made.rivals),
    ):
        if pairs:
            listed = ", ".join(f"{code} ({times})" for code, times in pairs[:5])
            yield f"  {words}: {listed}"
    yield (
        f"Next: izwi init news --language {made.code} --pack {made.path}, or in the corpus.toml of "
        f'a corpus whose folder holds it: [corpus] language_packs = ["{made.code}"]'
    )


WordList = Annotated[Path | None, typer.Option(help="A file, one word a line.", exists=True)]


@command("variety", "'The bakkie' --words words.txt")
def variety(
    text: Annotated[str, typer.Argument(help="The text; - reads standard input.")],
    words: WordList = None,
    spellings: WordList = None,
    other_spellings: WordList = None,
    host: Annotated[
        list[str] | None, typer.Option(help="An end of host names, e.g. .za; may be repeated.")
    ] = None,
    url: Annotated[str, typer.Option(help="Where the text comes from.")] = "",
) -> Answer:
    """Score how much of a text speaks for a variety, by your own lists; its parts are shown."""
    from izwi.cases import languages

    found = languages.variety_score(
        sys.stdin.read() if text == "-" else text,
        words=languages.read_list(words),
        spellings=languages.read_list(spellings),
        other_spellings=languages.read_list(other_spellings),
        hosts=host or (),
        url=url,
    )
    parts = f"lexicon {found.lexicon:.2f}, spelling {found.spelling:.2f}, host {found.host:.2f}"
    told = (
        f"{found.score:.2f} of 1: {parts}",
        *(f"  {word}: {count}" for word, count in found.found),
        "This is a score of what speaks for the variety, not a verdict on the writer.",
    )
    return Answer(found, told)


@command("train language", "--code bem --text s.txt --method kneser-ney --model m.gz")
def train_language(
    code: Code,
    text: Sample,
    method: Annotated[str, typer.Option(help="profile-distance or kneser-ney.")],
    model: Annotated[
        Path, typer.Option(help="The file to extend; made from izwi's own if absent.")
    ] = Path("alternatives.json.gz"),
) -> Answer:
    """Add a language to an alternative identifier, and say how well it went."""
    from izwi.cases.languages import train_language

    report = train_language(code, text, model, method=method)
    told = (
        f"{model}: added {report.code} from {report.letters:,} letters; of {report.snippets} "
        f"snippets kept apart {report.accuracy:.1%} are told rightly.",
        *(f"  taken for {other}: {count}" for other, count in report.confusions[:10]),
        f'In a corpus: [language] method = "{method}" model = "{model.name}"',
    )
    return Answer(report, told)


@command("train profile", "--code bem --text sample.txt")
def train_profile(
    code: Code,
    text: Sample,
    profiles: Annotated[Path, typer.Option(help="The file of profiles to extend.")] = Path(
        "profiles.json"
    ),
) -> Answer:
    """Learn what connected text of a language is like, with a threshold of its own."""
    from izwi.cases.languages import train_profile_of

    threshold = train_profile_of(code, text, profiles)
    found = {"code": code, "threshold": threshold, "profiles": str(profiles)}
    return Answer(found, [f"{profiles}: profile of {code}, threshold {threshold:.2f}"])


@command("evaluate language", "labelled.tsv")
def evaluate_language(
    labelled: Annotated[
        Path, typer.Argument(help="Lines of code, source and text between tabs.", exists=True)
    ],
    method: Annotated[str, typer.Option(help="The identifier.")] = "izwi",
    model: Model = None,
) -> Answer:
    """Measure an identifier: by length, by source, what it confuses, how fast it is."""
    from izwi.cases.languages import evaluate_language

    found = evaluate_language(labelled, method=method, model=model)
    return Answer(found, _evaluation_told(found))


def _evaluation_told(found: Any) -> Iterator[str]:
    for score in found.scores:
        yield (
            f"{score.length:>11}: {score.accuracy:.1%} right of {score.texts:,}, South African "
            f"{score.south_african:.1%}, others taken for South African "
            f"{score.accepted_wrongly:.2%}"
        )
    for one in found.sources:
        yield f"  {one.length}, {one.language}, {one.source}: {one.accuracy:.1%}"
    for confusion in found.confusions[:20]:
        words = f"{confusion.language} as {confusion.taken_for}: {confusion.count}"
        yield f"  {confusion.length}, {words} ({confusion.share:.1%})"
    speed = f"{found.megabytes_per_second:.1f} MB/s"
    yield f"{speed}; certainty is off by {found.calibration_error:.3f}"


Language = Annotated[str, typer.Option(help="Its language, e.g. en or zul.")]
LexiconFile = Annotated[
    Path | None, typer.Option(help="A file of lines: word TAB tag TAB lemma.", metavar="FILE")
]


@command("train tagger", "--conllu mine.conllu --language en --output my.npz")
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
) -> Answer:
    """Train a tagger from sentences in CoNLL-U; name it in corpus.toml as model."""
    from izwi.cases.tagging import train_tagger as train

    made = train(conllu, output, language=language, base=base or (), onto=onto)
    told = f"{made.tags} tags from {made.words} words, {made.size_bytes} bytes"
    return Answer(
        made, [f'Wrote {made.path}: {told}. Next: [annotate.{language}] model = "{made.path}"']
    )


@command("train segments", "--text sample.txt --language sot --output sot.segments")
def train_segments(
    text: Annotated[list[Path], typer.Option(help="Plain text; repeatable.")],
    language: Language,
    output: Annotated[Path, typer.Option(help="Where the segments are written.")],
    words: Annotated[int, typer.Option(help="How many of the most frequent words to use.")] = 30000,
    *,
    listener: "Listener",
) -> Answer:
    """Learn prefixes, stems and suffixes from plain text, so that stems can be searched."""
    from izwi.cases.tagging import train_segments as train

    made = train(text, output, language=language, most=words, listener=listener)
    told = (
        f"Wrote {made.path}: {made.pieces} pieces of {made.words} words. "
        f'Next: [annotate.{language}] segments = "{made.path}", and stem in [index] attributes.'
    )
    return Answer(made, [told])


@command("evaluate tagger", "gold.conllu --language en --raw")
def evaluate_tagger(
    file: Annotated[Path, typer.Argument(help="A gold standard in CoNLL-U.", metavar="FILE")],
    language: Language,
    model: Annotated[str, typer.Option(help="A trained tagger; the one shipped if absent.")] = "",
    lexicon: LexiconFile = None,
    raw: Annotated[bool, typer.Option("--raw", help="From plain text, not gold words.")] = False,
) -> Answer:
    """Measure a tagger: tags, lemmas, unknown words, confusions; with --raw tokens too."""
    from izwi.cases.tagging import evaluate_tagger as evaluate

    score = evaluate(file, language=language, model=model, lexicon=lexicon, raw=raw)
    return Answer(score, partial(_show_score, score))


@command("annotate", "'Ja, nee.' --language af")
def annotate(
    text: Annotated[str, typer.Argument(help="A text, or - to read standard input.")],
    language: Language,
    lexicon: LexiconFile = None,
    pack: Annotated[
        str, typer.Option(help="A language pack: a folder, or the name of an installed one.")
    ] = "",
) -> Answer:
    """Show sentences, tokens, tags and lemmas of a text."""
    from izwi.cases.case import text_of
    from izwi.cases.tagging import annotate as annotated

    lines = text_of(lexicon).splitlines() if lexicon else []
    given = sys.stdin.read() if text == "-" else text
    found = annotated(given, language, lexicon=lines, pack=pack)
    return Answer(found, partial(_show_tokens, found))


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
