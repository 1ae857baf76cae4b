"""Languages and taggers without a corpus: identified, listed, made, tried, trained, evaluated."""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from izwi.cases.case import Says, each_as, place, text_of
from izwi.cases.functions import function_case
from izwi.model.results import Listener, ignore

if TYPE_CHECKING:
    from izwi.annotate.training import TrainingPlan
    from izwi.evaluate.language import LanguageEvaluation
    from izwi.model import languages as known
    from izwi.model.document import Annotation, LanguageGuess, LanguageRun, VarietyScore
    from izwi.text.language.new_language import Added

TOPIC = "Languages and taggers"
_PACK = "A language pack: a folder, or the name of an installed one."
_LINES = "Plain text, one sentence or paragraph a line."
_TSV = "A file of lines: word TAB tag TAB lemma."


def words_of(path: Path) -> tuple[str, ...]:
    """Return the words of a list, one a line; gzip is understood."""
    from izwi.cases.languages import sample_lines

    return tuple(line.strip() for line in sample_lines(path))


def _rows_of(path: Path) -> tuple[str, ...]:
    return tuple(text_of(path).splitlines())


Text = Annotated[str, place("The text, or a file with it; - reads standard input.", has_stdin=True)]
Model = Annotated[str | Path | None, Says("A model made by izwi train language.", metavar="FILE")]
Packs = Annotated[Sequence[str | Path], Says(_PACK, name="pack")]
Code = Annotated[str, Says("The language's ISO 639-3 code.")]
Language = Annotated[str, Says("Its language, e.g. en or zul.")]
WordList = Annotated[Collection[str], Says("A file, one word a line.", file=words_of)]


def identify(
    text: Text,
    *,
    method: Annotated[str, Says("izwi, pycld2, lingua, profile-distance or kneser-ney.")] = "izwi",
    model: Model = None,
    packs: Packs = (),
    expect: Annotated[
        Sequence[str],
        Says("A language that is expected, as a corpus expects its own; repeatable."),
    ] = (),
    prior: Annotated[
        float, Says("How many times as often as elsewhere those expected are met.", least=1)
    ] = 5.0,
) -> "tuple[LanguageGuess, ...]":
    """Say which language a text is in, and how sure one is.

    Languages are named by ISO 639-3, the best first. Other methods than izwi's own name the most
    probable language only, whatever is expected.
    """
    from izwi.cases import languages
    from izwi.text.language.base import expected_of

    expected = expected_of(expect, prior)
    return languages.identified(text, method=method, model=model, packs=packs, expected=expected)


def language_runs(
    text: Text,
    *,
    languages: Annotated[
        Sequence[str], Says("Only between these languages; repeatable.", name="only")
    ] = (),
) -> "tuple[LanguageRun, ...]":
    """Say which languages are inside a text, and where each begins and ends."""
    from izwi.cases.languages import runs_in

    return runs_in(text, languages)


# Of fewer letters, and with a lower score, the first language is often not the right one.
_SURE_LETTERS = 40
_SURE_SCORE = 0.8


def _guesses_told(asked: Any, found: "Sequence[LanguageGuess]", folder: Path) -> Iterator[str]:
    for each in found[:5]:
        yield f"{each.code}  {each.score:.3f}  {each.reason}".rstrip()
    letters = sum(map(str.isalpha, asked.text))
    if letters < _SURE_LETTERS and found and found[0].score < _SURE_SCORE:
        yield f"note: {letters} letters are too short to be sure"


def _run_told(asked: Any, found: "Sequence[LanguageRun]", folder: Path) -> Iterator[str]:
    return (f"{run.code}  {asked.text[run.start : run.end]}" for run in found)


def list_languages(
    codes: Annotated[Sequence[str], place("Only these languages; all without.")] = (),
    *,
    packs: Packs = (),
) -> "list[known.KnownLanguage]":
    """List the languages: told from others, connected text, tags, lemmas; how good, where from."""
    from izwi.cases.languages import known_languages
    from izwi.model.languages import iso639_3

    wanted = set(map(iso639_3, codes))
    return [each for each in known_languages(packs) if not wanted or each.code in wanted]


def stop_words(
    codes: Annotated[Sequence[str], place("Only these languages; all without.")] = (),
    *,
    packs: Packs = (),
) -> tuple[str, ...]:
    """List the words that texts of these languages are full of (their stop lists)."""
    from izwi.cases.languages import stop_lists

    return stop_lists([each.code for each in list_languages(codes, packs=packs)])


@dataclass(frozen=True, slots=True)
class Samples:
    """What a language is learnt from."""

    texts: Annotated[tuple[Path, ...], Says(_LINES, name="text")] = ()
    treebanks: Annotated[
        tuple[Path, ...], Says("Sentences tagged by hand, in CoNLL-U.", name="treebank")
    ] = ()
    tests: Annotated[
        tuple[Path, ...], Says("CoNLL-U to measure by; else a tenth is kept apart.", name="test")
    ] = ()
    lexicon: Annotated[Path | None, Says(_TSV)] = None
    abbreviations: Annotated[
        Path | None, Says("Abbreviations, one a line; more are found in the text.")
    ] = None
    source: Annotated[str, Says("Where the samples come from, for the card.")] = ""
    licence: Annotated[str, Says("Their licence, for the card.")] = ""


NO_SAMPLES = Samples()


def make_pack(
    code: Annotated[str, place("The language's ISO 639-3 code.")],
    folder: Annotated[
        Path | None, Says("The folder of the pack; named by the code if absent.", name="output")
    ] = None,
    samples: Samples = NO_SAMPLES,
    *,
    plan: "TrainingPlan | None" = None,
) -> "known.MadePack":
    """Make a language pack from samples, and say how good it is and what others lose by it.

    A language that izwi tells already keeps its identifier, which learnt beside all others' text.
    """
    from izwi.cases.language_packs import write_pack

    return write_pack(code, folder or Path(code), samples, plan)


def _pack_told(asked: Any, made: "known.MadePack", folder: Path) -> Iterator[str]:
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


def variety_score(
    text: Text,
    *,
    words: WordList = (),
    spellings: WordList = (),
    other_spellings: WordList = (),
    hosts: Annotated[
        Sequence[str], Says("An end of host names, e.g. .za; may be repeated.", name="host")
    ] = (),
    url: Annotated[str, Says("Where the text comes from.")] = "",
) -> "VarietyScore":
    """Score how much of a text speaks for a variety, by your own lists; its parts are shown."""
    from izwi.text.language.base import VarietyLists
    from izwi.text.language.base import variety_score as score_of

    lists = VarietyLists(words, spellings, other_spellings, tuple(hosts))
    return score_of(text, lists, url=url)


def _variety_told(asked: Any, found: "VarietyScore", folder: Path) -> Iterator[str]:
    parts = f"lexicon {found.lexicon:.2f}, spelling {found.spelling:.2f}, host {found.host:.2f}"
    yield f"{found.score:.2f} of 1: {parts}"
    yield from (f"  {word}: {count}" for word, count in found.found)
    yield "This is a score of what speaks for the variety, not a verdict on the writer."


def train_language(
    code: Code,
    sample: Annotated[Path, Says(_LINES, name="text")],
    model: Annotated[Path, Says("The file to extend; made from izwi's own if absent.")] = Path(
        "alternatives.json.gz"
    ),
    *,
    method: Annotated[str, Says("profile-distance or kneser-ney.")],
) -> "Added":
    """Add a language to an alternative identifier, and say how well it went."""
    from izwi.cases.languages import add_language

    return add_language(code, sample, model, method)


def _language_told(asked: Any, report: "Added", folder: Path) -> Iterator[str]:
    yield (
        f"{asked.model}: added {report.code} from {report.letters:,} letters; of "
        f"{report.snippets} snippets kept apart {report.accuracy:.1%} are told rightly."
    )
    yield from (f"  taken for {other}: {count}" for other, count in report.confusions[:10])
    yield f'In a corpus: [language] method = "{asked.method}" model = "{asked.model.name}"'


def train_profile(
    code: Code,
    sample: Annotated[Path, Says(_LINES, name="text")],
    profiles: Annotated[Path, Says("The file of profiles to extend.")] = Path("profiles.json"),
) -> "known.TrainedProfile":
    """Learn what connected text of a language is like, with a threshold of its own."""
    from izwi.cases.languages import add_profile

    return add_profile(code, sample, profiles)


def evaluate_language(
    labelled: Annotated[Path, place("Lines of code, source and text between tabs.")],
    *,
    method: Annotated[str, Says("The identifier.")] = "izwi",
    model: Model = None,
) -> "LanguageEvaluation":
    """Measure an identifier: by length, by source, what it confuses, how fast it is."""
    from izwi.cases.languages import measured

    return measured(labelled, method, model)


def _evaluation_told(asked: Any, found: "LanguageEvaluation", folder: Path) -> Iterator[str]:
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


def train_tagger(
    samples: Annotated[
        Sequence[Path], Says("Sentences tagged by hand; repeatable.", name="conllu")
    ],
    output: Annotated[Path, Says("Where the tagger is written (.npz).")],
    *,
    language: Language,
    base: Annotated[Sequence[Path], Says("A larger treebank it is added to; repeatable.")] = (),
    onto: Annotated[
        str, Says("A tagger that learns on from the sample: a file, or 'shipped'.")
    ] = "",
) -> "known.TrainedTagger":
    """Train a tagger from sentences in CoNLL-U; name it in corpus.toml as model.

    A small sample counts several times as much as the base it is added to, as in bootstrapping.
    """
    from izwi.cases.tagging import write_tagger

    return write_tagger(samples, output, language, base, onto)


def _tagger_told(asked: Any, made: "known.TrainedTagger", folder: Path) -> Iterator[str]:
    told = f"{made.tags} tags from {made.words} words, {made.size_bytes} bytes"
    named = f'[annotate.{asked.language}] model = "{made.path}"'
    yield f"Wrote {made.path}: {told}. Next: {named}"


def train_segments(
    samples: Annotated[Sequence[Path], Says("Plain text; repeatable.", name="text")],
    output: Annotated[Path, Says("Where the segments are written.")],
    *,
    language: Language,
    most: Annotated[
        int, Says("How many of the most frequent words to use.", name="words")
    ] = 30_000,
    listener: Listener = ignore,
) -> "known.TrainedSegments":
    """Learn prefixes, stems and suffixes from plain text, so that stems can be searched."""
    from izwi.cases.tagging import write_pieces

    return write_pieces(samples, output, language, most, listener)


def _segments_told(asked: Any, made: "known.TrainedSegments", folder: Path) -> Iterator[str]:
    yield (
        f"Wrote {made.path}: {made.pieces} pieces of {made.words} words. Next: "
        f'[annotate.{asked.language}] segments = "{made.path}", and stem in [index] attributes.'
    )


def evaluate_tagger(
    path: Annotated[Path, place("A gold standard in CoNLL-U.", metavar="FILE")],
    *,
    language: Language,
    model: Annotated[str, Says("A trained tagger; the one shipped if absent.")] = "",
    lexicon: Annotated[Path | None, Says(_TSV, metavar="FILE")] = None,
    raw: Annotated[bool, Says("From plain text, not gold words.")] = False,
) -> "known.TaggerScore":
    """Measure a tagger: tags, lemmas, unknown words, confusions; with --raw tokens too."""
    from izwi.cases.tagging import measured

    return measured(path, language, model, lexicon, is_raw=raw)


def annotate(
    text: Text,
    language: Language,
    *,
    lexicon: Annotated[Sequence[str], Says(_TSV, metavar="FILE", file=_rows_of)] = (),
    pack: Annotated[str | Path, Says(_PACK)] = "",
) -> "Annotation":
    """Show sentences, tokens, tags and lemmas of a text."""
    from izwi.annotate.izwi import annotate

    return annotate(text, language, lexicon=lexicon, pack=pack)


def _case(do: Any, command: str, example: str, **more: Any) -> Any:
    return function_case(do, command, example, TOPIC, **more)


FUNCTIONS = (
    _case(identify, "identify", "'Umuntu ngumuntu ngabantu'",
          tells=_guesses_told),
    _case(language_runs, "identify", "'Umuntu ngumuntu' --runs", switch="runs", tells=_run_told),
    _case(list_languages, "languages", "zul sv"),
    _case(stop_words, "languages", "zul --stop-words", switch="stop_words", tells=each_as("{0}")),
    _case(make_pack, "language make", "bem --text sample.txt", tells=_pack_told),
    _case(variety_score, "variety", "'The bakkie' --words words.txt", tells=_variety_told),
    _case(train_language, "train language",
          "--code bem --text s.txt --method kneser-ney --model m.gz", tells=_language_told),
    _case(train_profile, "train profile", "--code bem --text sample.txt",
          tells=lambda asked, made, folder: (
              f"{made.profiles}: profile of {made.code}, threshold {made.threshold:.2f}",)),
    _case(evaluate_language, "evaluate language", "labelled.tsv", tells=_evaluation_told),
    _case(train_tagger, "train tagger", "--conllu mine.conllu --language en --output my.npz",
          tells=_tagger_told),
    _case(train_segments, "train segments",
          "--text sample.txt --language sot --output sot.segments", tells=_segments_told),
    _case(evaluate_tagger, "evaluate tagger", "gold.conllu --language en --raw"),
    _case(annotate, "annotate", "'Ja, nee.' --language af"),
)  # fmt: skip
