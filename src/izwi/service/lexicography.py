"""What lexicographers bring and get: lists of words, good examples, headwords that are watched.

The watched are listed in `headwords.tsv` in the corpus folder; what was found is added to
`antedatings.jsonl` by the build that found it, and told by a feed and by mail.
"""

import json
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import date
from email.message import EmailMessage
from pathlib import Path

from izwi.analyse.attestations import STRONG, first_attestation, known_span, span_of, verdict_of
from izwi.analyse.examples import good_examples
from izwi.analyse.selection import Selection
from izwi.analyse.sketch_grammar import Grammar, grammar_for, languages
from izwi.analyse.word_forms import difference, has_universal_tags
from izwi.annotate.attestation import other_lemmas
from izwi.annotate.base import parse_lexicon
from izwi.annotate.izwi import attests, is_listed
from izwi.config.schema import AlertsSection, CorpusConfig
from izwi.index.limits import Deadline
from izwi.index.reader import Segment
from izwi.model.commands import typed
from izwi.model.errors import LaterChange, QueryError, StoreError
from izwi.model.languages import iso639_3
from izwi.model.lexicography import (
    Attestation,
    Attestations,
    GoodExamples,
    Headword,
    HeadwordReport,
    Variant,
)
from izwi.model.notation import now_text
from izwi.model.results import Progress
from izwi.presentation.catalogues import catalogue
from izwi.query.engine import Filter
from izwi.query.hits import SegmentHits
from izwi.query.tree import format_query
from izwi.service.querying import Understood, understood
from izwi.store.files import disk_errors, write_text
from izwi.store.layout import Layout


def examples(
    selection: Selection, asked: Understood, most: int, avoid: tuple[str, ...], language: str
) -> GoodExamples:
    """Return the best examples of a query, with what could not be judged."""
    parts = selection.hits(asked.query)
    has_grammar = iso639_3(language) in languages()
    anaphora = grammar_for(language).anaphora if has_grammar else frozenset[str]()
    lines, judged = good_examples(selection, parts, most=most, anaphora=anaphora, avoid=avoid)
    hits = sum(map(len, parts))
    notes = []
    if judged < hits:
        notes.append(f"{judged:,} of {hits:,} lines were judged, spread over the corpus.")
    if not anaphora:
        notes.append("Whether a sentence stands alone is not judged in this language.")
    if not hits:
        notes.append(f"'{asked.text}' does not occur in the text chosen.")
    return GoodExamples(
        asked.text, format_query(asked.query), selection.number, hits, judged, lines, tuple(notes)
    )


_ORDER = ("antedating", "same", "no-known-date", "later", "undated", "absent")


def attestations(selection: Selection, headwords: Sequence[Headword]) -> Attestations:
    """Return the first dated line of each headword, antedatings first, the largest first."""
    lines = []
    for number, each in enumerate(headwords):
        selection.listener(Progress("dating", number, len(headwords), each.word))
        lines.append(_report(selection, each))
    lines.sort(key=lambda line: (_ORDER.index(line.verdict), -(line.days or 0), line.headword))
    notes = () if headwords else ("No headwords were given.",)
    return Attestations(selection.number, tuple(lines), notes)


def _report(selection: Selection, headword: Headword) -> HeadwordReport:
    segments = selection.segments
    forms, parts = [], list[SegmentHits]()
    for form in dict.fromkeys((headword.word, *headword.variants)):
        asked = understood(form, "word", segments, is_exact_case=False)
        own = [part for part in selection.hits(asked.query) if len(part)]
        forms.append(Variant(form, sum(map(len, own)), _reason(headword.word, form)))
        parts += own
    found = first_attestation(segments, parts, headword.word)
    surer = None
    if found is not None and found.certainty != STRONG:
        surer = first_attestation(segments, parts, headword.word, is_sure=True)
    hits = sum(form.hits for form in forms)
    verdict, days = _verdict(headword, found, hits)
    return HeadwordReport(
        headword.word, verdict, headword.known, days, hits, found, surer, tuple(forms)
    )


def _reason(word: str, form: str) -> str:
    return "" if form == word else difference(word, form) or "as given"


def _verdict(headword: Headword, found: Attestation | None, hits: int) -> tuple[str, int | None]:
    if found is None:
        return ("undated" if hits else "absent"), None
    if not headword.known:
        return "no-known-date", None
    return verdict_of(span_of(found.date, found.precision), known_span(headword.known))


MOST_HEADWORDS = 100_000
_MAIL_SECONDS = 20.0


@dataclass(frozen=True, slots=True)
class Antedating:
    """An earlier line of a headword: before the known date, or the first of one without a date."""

    headword: str
    known: str
    date: str
    precision: str
    evidence: str
    certainty: str
    # How many days earlier than known; none where nothing was known.
    days: int | None
    line: str
    text: str
    publication: str
    url: str
    # The version that brought it, and when that was noticed.
    version: int
    noticed: str


def watched(layout: Layout) -> tuple[Headword, ...]:
    """Return the headwords of the list, in its order."""
    return tuple(map(headword_of, _rows(layout).values()))


def watch(layout: Layout, lines: Iterable[str]) -> dict[str, str]:
    """Add headwords to the list, or give those on it another date; return their lines."""
    new = {headword_of(line).word: _row(headword_of(line)) for line in lines if line.strip()}
    if not new:
        raise QueryError("Name headwords, or a list of them.")
    rows = {**_rows(layout), **new}
    if len(rows) > MOST_HEADWORDS:
        raise QueryError(f"At most {MOST_HEADWORDS:,} headwords can be watched.")
    _write(layout, rows)
    return new


def forget(layout: Layout, words: Iterable[str]) -> tuple[str, ...]:
    """Take headwords off the list; return those that were on it."""
    rows = _rows(layout)
    gone = tuple(word for word in dict.fromkeys(words) if word in rows)
    if not gone:
        raise QueryError("None of these is watched. See: izwi headwords list")
    _write(layout, {word: row for word, row in rows.items() if word not in gone})
    return gone


def rows_of(layout: Layout, words: Iterable[str]) -> dict[str, str | None]:
    """Return the lines of some headwords as the list has them, none for those not on it."""
    rows = _rows(layout)
    return {word: rows.get(word) for word in words}


def put_back(
    layout: Layout, after: Mapping[str, str | None], before: Mapping[str, str | None]
) -> None:
    """Give headwords the lines they had, unless somebody changed them since."""
    rows = _rows(layout)
    if any(rows.get(word) != row for word, row in after.items()):
        raise LaterChange("One of these headwords was changed again since.")
    kept = {word: row for word, row in rows.items() if word not in before}
    _write(layout, kept | {word: row for word, row in before.items() if row is not None})


def found_so_far(layout: Layout) -> tuple[Antedating, ...]:
    """Return what was found, the newest first."""
    try:
        lines = layout.antedatings.read_text(encoding="utf-8").splitlines()
    except FileNotFoundError:
        return ()
    try:
        return tuple(Antedating(**json.loads(line)) for line in reversed(lines) if line.strip())
    except (ValueError, TypeError) as error:
        raise StoreError(f"{layout.antedatings} is damaged: {error}. Delete that line.") from error


def look(layout: Layout, segments: Sequence[Segment], version: int) -> tuple[Antedating, ...]:
    """Return the lines that are earlier than all that was known or told, and write them down."""
    everything = Selection(tuple(segments), Filter(), None, version, Deadline(None))
    report = attestations(everything, watched(layout))
    now = now_text()
    told = {each.headword: each.date for each in reversed(found_so_far(layout))}
    new = tuple(
        _antedating(line, version, now)
        for line in report.lines
        if line.found is not None
        and line.verdict in ("antedating", "no-known-date")
        and (line.headword not in told or line.found.date < date.fromisoformat(told[line.headword]))
    )
    if new:
        with disk_errors(), layout.antedatings.open("a", encoding="utf-8") as file:
            file.writelines(json.dumps(asdict(each), ensure_ascii=False) + "\n" for each in new)
    return new


def tell(
    layout: Layout,
    alerts: AlertsSection,
    title: str,
    new: Sequence[Antedating],
    hear: Callable[[str], None],
) -> None:
    """Say what is new, by mail too if somebody wants it; a mail that fails loses nothing."""
    if not new:
        return
    names = ", ".join(each.headword for each in new[:5]) + (" ..." if len(new) > 5 else "")
    hear(
        f"Earlier lines of {len(new)} headwords: {names}. "
        f"See: izwi headwords alerts {typed(layout.root)}"
    )
    if not alerts.mail:
        return
    host, _, port = alerts.smtp.partition(":")
    # Few corpora send letters; every question about words would load it.
    import smtplib

    try:
        with smtplib.SMTP(host, int(port or 25), timeout=_MAIL_SECONDS) as server:
            server.send_message(letter(alerts, title, new))
    except (OSError, smtplib.SMTPException) as error:
        hear(f"The alert could not be sent by {alerts.smtp}: {error}.")


def letter(alerts: AlertsSection, title: str, new: Sequence[Antedating]) -> EmailMessage:
    """Return the mail about new lines, in the language of whoever gets it."""

    def say(message: str, **filled: object) -> str:
        return catalogue(alerts.language).one(message) % filled

    mail = EmailMessage()
    mail["Subject"] = say("%(title)s: earlier hits of %(n)s headwords", title=title, n=len(new))
    mail["From"], mail["To"] = alerts.sender or alerts.mail[0], ", ".join(alerts.mail)
    mail.set_content("\n".join(_told(each, say) for each in new))
    return mail


def _told(each: Antedating, say: Callable[..., str]) -> str:
    if each.days is None:
        head = say("%(word)s: first hit %(date)s", word=each.headword, date=each.date)
    else:
        head = say(
            "%(word)s: %(date)s, %(days)s days before %(known)s",
            word=each.headword, date=each.date, days=each.days, known=each.known,
        )  # fmt: skip
    place = f"{each.publication} {each.url}"
    return f"{head} ({each.evidence}: {each.certainty})\n  {each.text}\n  {place}\n"


def _antedating(line: HeadwordReport, version: int, now: str) -> Antedating:
    assert line.found is not None
    found, document = line.found, line.found.line.document
    return Antedating(
        line.headword, line.known, f"{found.date}", found.precision, found.evidence,
        found.certainty, line.days, found.line.id,
        " ".join(f"{found.line.left}{found.line.match}{found.line.right}".split()),
        document.site or document.source, document.url, version, now,
    )  # fmt: skip


def _rows(layout: Layout) -> dict[str, str]:
    try:
        lines = layout.headwords.read_text(encoding="utf-8-sig").splitlines()
    except FileNotFoundError:
        return {}
    except (OSError, UnicodeDecodeError) as error:
        raise StoreError(f"{layout.headwords} cannot be read: {error}.") from error
    return {headword_of(line).word: line for line in lines if line.strip()}


def _row(headword: Headword) -> str:
    row = (headword.word, headword.known, "; ".join(headword.variants))
    return "\t".join(row).rstrip("\t")


def _write(layout: Layout, rows: Mapping[str, str]) -> None:
    with disk_errors():
        write_text(layout.headwords, "".join(f"{row}\n" for row in rows.values()))


# Where a corpus keeps lists that readers of the web may name.
LISTS = "lists"


def known_words(folder: Path, lists: Iterable[str | Path]) -> frozenset[str]:
    """Return the words of some lists, folded: the first column of each line counts."""
    found: set[str] = set()
    for name in lists:
        lines = _lines(list_path(folder, name))
        found.update(line.split("\t")[0].strip().casefold() for line in lines)
    return frozenset(found - {""})


def listed_words(folder: Path, name: str) -> tuple[str, ...]:
    """Return the words of a list as they stand, each once: the first column of each line."""
    lines = _lines(list_path(folder, name))
    return tuple(filter(None, dict.fromkeys(line.split("\t")[0].strip() for line in lines)))


@dataclass(frozen=True, slots=True)
class GeneralList:
    """The words that a language has anyway, from what is shipped and what the corpus is set to."""

    language: str
    # What the lexicon of the corpus has.
    own: frozenset[str] = frozenset()

    @property
    def name(self) -> str:
        """What it is called in a sentence."""
        return f"the general word list of the language ({self.language})"

    def holds(self, word: str) -> bool:
        """Whether a word or a form of it is in the list."""
        folded = word.casefold()
        return folded in self.own or is_listed(folded, self.language)


def general_list(language: str, config: CorpusConfig) -> GeneralList:
    """Return the general list of a language."""
    code = iso639_3(language)
    told = config.annotate.languages.get(code)
    lines = told.lexicon_lines if told else ()
    return GeneralList(code, frozenset(line.split("\t")[0].strip().casefold() for line in lines))


@dataclass(frozen=True, slots=True)
class LemmaList:
    """The lemmas that are attested, by what is shipped and by what the corpus is set to."""

    language: str
    # What the lexicon of the corpus has.
    own: frozenset[str] = frozenset()

    def attests(self, lemma: str) -> bool:
        """Whether some list has a lemma."""
        return lemma in self.own or attests(lemma, self.language)

    def offers(self, form: str) -> tuple[str, ...]:
        """Return the lemmas that a form may have by its ending, the likeliest first."""
        return other_lemmas(form) if self.language == "eng" else ()


def lemma_list(language: str, config: CorpusConfig) -> LemmaList:
    """Return what attests lemmas of a language."""
    code = iso639_3(language)
    told = config.annotate.languages.get(code)
    return LemmaList(code, parse_lexicon(told.lexicon_lines if told else ()).lemmas)


def list_path(folder: Path, name: str | Path) -> Path:
    """Return the file of a list: a path, or the name of one that lies with the corpus."""
    own = folder / LISTS / Path(name).name
    return Path(name) if Path(name).exists() or not own.exists() else own


def headwords(path: Path) -> tuple[Headword, ...]:
    """Return the headwords of a list: word, first date known, variants, divided by tabs."""
    return tuple(headword_of(line) for line in _lines(path) if line.strip())


def headword_of(line: str) -> Headword:
    """Return the headword a line describes.

    >>> headword_of("load-shedding\\t2007\\tloadshedding; load shedding").variants
    ('loadshedding', 'load shedding')
    """
    word, known, variants = [*(part.strip() for part in line.split("\t")), "", ""][:3]
    if not word:
        raise QueryError("A headword is missing: write word, tab, known date, tab, variants.")
    if known:
        known_span(known)
    forms = (form.strip() for form in variants.split(";"))
    return Headword(word, known, tuple(form for form in forms if form))


def _lines(path: Path) -> list[str]:
    try:
        return path.read_text(encoding="utf-8-sig").splitlines()
    except OSError as error:
        raise QueryError(f"The list {path} cannot be read: {error.strerror}.") from error
    except UnicodeDecodeError as error:
        raise QueryError(f"The list {path} is not UTF-8 text.") from error


def grammar_of(
    language: str, config: CorpusConfig, segments: Sequence[Segment], folder: Path
) -> Grammar:
    """Return the sketch grammar of a language, of the corpus's own if none is named."""
    has_ud = any(has_universal_tags(segment) for segment in segments)
    return grammar_for(language or main_language(config, segments), folder, has_ud=has_ud)


def main_language(config: CorpusConfig, segments: Sequence[Segment]) -> str:
    """Return the first language a corpus is set to, or else the one most of its documents have."""
    if config.corpus.languages:
        return config.corpus.languages[0]
    counted: Counter[str] = Counter()
    for segment in segments:
        counted.update(filter(None, segment.cards.column("language").to_pylist()))
    return max(counted, key=counted.__getitem__, default="")
