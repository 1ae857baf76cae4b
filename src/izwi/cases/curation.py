"""What curators decide about documents, words, settings, audits and subcorpora; the record."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

from izwi.cases.case import (
    READER,
    Doing,
    Done,
    Nothing,
    Policy,
    Says,
    case_of,
    each_as,
    place,
    sentence,
)
from izwi.model.commands import typed
from izwi.model.curation import Change, Comparison, Decision, Inspection, Judgement
from izwi.model.errors import QueryError
from izwi.model.lexicography import WordDecision
from izwi.model.notation import now_text

if TYPE_CHECKING:
    from izwi.curation.decisions import Audit
    from izwi.model.curation import Comparison, Inspection
    from izwi.service.folder import CorpusFolder
    from izwi.service.ledger import ReasonSample
    from izwi.service.subcorpora import Subcorpus

_MOST_NUMBER = 2**31


def _settings(pairs: Sequence[str]) -> dict[str, Any]:
    """Return the keys and values that a command was given as KEY=VALUE."""
    from izwi.model.notation import typed

    split = (pair.partition("=") for pair in pairs)
    return {key.strip(): typed(value.strip()) if value else None for key, _, value in split}


@dataclass(frozen=True, kw_only=True)
class DocumentVerdict:
    """A decision about one document, against the rules."""

    document: Annotated[str, place("A document's id or URL.", metavar="DOCUMENT")]
    verdict: Annotated[str, place("keep, drop, or rules (as the rules say).")]
    comment: Annotated[str, Says("Why; kept in the record.")] = ""


@dataclass(frozen=True, kw_only=True)
class DocumentVerdicts:
    """One decision about several documents, against the rules."""

    verdict: Annotated[str, place("keep, drop, or rules (as the rules say).")]
    documents: Annotated[Sequence[str], place("Ids or URLs.", metavar="DOCUMENT...")]
    comment: Annotated[str, Says("Why; kept in the record.")] = ""


@dataclass(frozen=True, kw_only=True)
class ChangeNumber:
    """A change by its number."""

    number: Annotated[int, place("The change's number.", least=0, most=_MOST_NUMBER)]


@dataclass(frozen=True, kw_only=True)
class Keys:
    """Keys of corpus.toml with their values."""

    changes: Annotated[
        Mapping[str, Any],
        Says('Keys and values, e.g. {"language.minimum": 0.4}; on the command line repeatable.',
             name="set", metavar="KEY=VALUE", is_first=True, words=_settings),
    ]  # fmt: skip


@dataclass(frozen=True, kw_only=True)
class NewSettings(Keys):
    """Keys with their values, and why."""

    comment: Annotated[str, Says("Why; kept in the record.")] = ""


@dataclass(frozen=True, kw_only=True)
class TriedSettings(Keys):
    """Keys with their values, and on which pages they are tried."""

    sample: Annotated[int, Says("So many pages.", least=1, web_most=2000)] = 100
    seed: Annotated[int, Says("Which pages.", least=0, most=_MOST_NUMBER)] = 1


@dataclass(frozen=True, kw_only=True)
class NewAudit:
    """A sample to be drawn."""

    size: Annotated[int, Says("How many documents.", least=1, most=5000)] = 100
    seed: Annotated[int, Says("Which documents.", least=0, most=_MOST_NUMBER)] = 1


@dataclass(frozen=True, kw_only=True)
class AuditNumber:
    """An audit by its number."""

    audit: Annotated[int, place("The audit's number.", least=0, most=_MOST_NUMBER)]


@dataclass(frozen=True, kw_only=True)
class Judging:
    """What is wrong with a document of an audit."""

    audit: Annotated[int, place("The audit's number.", least=0, most=_MOST_NUMBER)]
    document: Annotated[str, place("The document's id.", metavar="DOCUMENT")]
    faults: Annotated[
        Sequence[str],
        Says("language, boilerplate, machine, date, offensive; nothing if it is well.",
             name="fault", is_first=True),
    ] = ()  # fmt: skip


@dataclass(frozen=True, kw_only=True)
class ChangesPage:
    """Which part of a long list."""

    first: Annotated[int, Says("Leave out so many.", least=0, most=_MOST_NUMBER)] = 0
    most: Annotated[int, Says("At most so many.", least=1, web_most=1000)] = 100


@dataclass(frozen=True, kw_only=True)
class Inspected:
    """One document, and by which other extractor it is judged."""

    document: Annotated[str, place("Its id or URL.", metavar="DOCUMENT")]
    method: Annotated[str, Says("Judge its paragraphs by this extractor, too.")] = ""
    cutoff: Annotated[
        float | None, Says("With a method: the score from which text is kept.", least=0, most=1)
    ] = None


@dataclass(frozen=True, kw_only=True)
class NewSubcorpus:
    """A condition on documents to be saved."""

    name: Annotated[str, place("What to call it.")]
    where: Annotated[str, place('A condition, e.g. source="herald".', metavar="CONDITION")]


@dataclass(frozen=True, kw_only=True)
class WordVerdict:
    """What was decided about a word."""

    word: Annotated[str, place("A word.")]
    decision: Annotated[str, place("accept, reject, later, name, error or known.")]
    note: Annotated[str, Says("Why.")] = ""


@dataclass(frozen=True, kw_only=True)
class Sampled:
    """How many pages of each reason, and which."""

    each: Annotated[int, Says("So many pages of each reason.", least=1, most=50)] = 5
    seed: Annotated[int, Says("Which pages.", least=0, most=_MOST_NUMBER)] = 1


@dataclass(frozen=True, kw_only=True)
class ReasonVerdict:
    """Whether pages are rightly dropped for a reason."""

    stage: Annotated[str, place("The stage that dropped them.", example="select")]
    reason: Annotated[str, place("Its reason.", example="too-short")]
    verdict: Annotated[
        Literal["right", "wrong"],
        place("right: they stay out, and it is noted; wrong: up to 200 of them are restored."),
    ]  # fmt: skip


def drop_samples(
    folder: "CorpusFolder", asked: Sampled, doing: Doing
) -> "tuple[ReasonSample, ...]":
    """Show some pages of each reason by which texts were dropped, and who agreed with it."""
    from izwi.curation import decisions as curating
    from izwi.service import ledger
    from izwi.store.catalog import Catalog

    layout = folder._layout
    with Catalog.read(layout.catalog) as catalog:
        lines = ledger.ledger_lines(layout, folder.config, catalog)
        agreed = curating.reviews(layout)
        return ledger.samples(lines, each=asked.each, seed=asked.seed, agreed=agreed)


def review_drops(folder: "CorpusFolder", asked: ReasonVerdict, doing: Doing) -> int:
    """Agree with a reason by which texts were dropped, or restore them; the next build obeys."""
    from izwi.curation import decisions as curating
    from izwi.service import ledger
    from izwi.store.catalog import Catalog

    layout, config = folder._layout, folder.config
    wanted = ledger.Wanted("dropped", asked.stage, asked.reason)
    with Catalog.read(layout.catalog) as catalog:
        lines = ledger.ledger_lines(layout, config, catalog)
        found = [line for line in lines if line.document and wanted.matches(line)]
    return curating.review(
        layout, config, found, (asked.stage, asked.reason), is_right=asked.verdict == "right",
        who=doing.who,
    )  # fmt: skip


def decide_document(folder: "CorpusFolder", asked: DocumentVerdict, doing: Doing) -> Decision:
    """Overrule the rules for one document (keep, drop, or rules); the next build obeys."""
    several = DocumentVerdicts(
        verdict=asked.verdict, documents=(asked.document,), comment=asked.comment
    )
    return decide_documents(folder, several, doing)[0]


def decide_documents(
    folder: "CorpusFolder", asked: DocumentVerdicts, doing: Doing
) -> tuple[Decision, ...]:
    """Overrule the rules for several documents, for all of them or none; the next build obeys."""
    from izwi.curation import decisions as curating

    wanted = "" if asked.verdict == "rules" else asked.verdict
    return curating.decide_all(
        folder._layout, folder.config, tuple(asked.documents), wanted, who=doing.who,
        comment=asked.comment,
    )  # fmt: skip


def document_decisions(
    folder: "CorpusFolder", asked: Nothing, doing: Doing
) -> tuple[Decision, ...]:
    """List the documents for which curators overrule the rules."""
    from izwi.store.curation import read_decisions

    return tuple(each for each in read_decisions(folder._layout) if each.verdict)


def inspect(folder: "CorpusFolder", asked: Inspected, doing: Doing) -> Inspection:
    """Show a document: its capture, its paragraphs with their reasons, its dates."""
    from izwi.curation import decisions as curating

    return curating.inspect(
        folder._layout, folder.config, asked.document, method=asked.method, cutoff=asked.cutoff
    )


def changes(folder: "CorpusFolder", asked: ChangesPage, doing: Doing) -> tuple[Change, ...]:
    """List what curators changed, with who and when, the newest first."""
    from izwi.curation import decisions as curating

    return curating.changes(folder._layout, first=asked.first, most=asked.most)


def undo(folder: "CorpusFolder", asked: ChangeNumber, doing: Doing) -> Change:
    """Take a change back, unless the same thing was changed again since."""
    from izwi.curation import decisions as curating

    made = curating.undo(folder._layout, asked.number, who=doing.who)
    folder._reload()
    return made


def settings(folder: "CorpusFolder", asked: Nothing, doing: Doing) -> str:
    """Return corpus.toml as it is written, with its comments."""
    from izwi.store.files import disk_errors

    with disk_errors():
        return folder._layout.config.read_text(encoding="utf-8-sig")


def change_settings(
    folder: "CorpusFolder", asked: NewSettings, doing: Doing
) -> "Mapping[str, Any]":
    """Write keys into corpus.toml with a comment; nothing but these keys changes."""
    from izwi.service import settings

    settings.change_settings(folder._layout, asked.changes, who=doing.who, comment=asked.comment)
    folder._reload()
    return dict(asked.changes)


def try_settings(folder: "CorpusFolder", asked: TriedSettings, doing: Doing) -> Comparison:
    """Compare settings with those in use on a sample of pages; nothing is changed."""
    from izwi.curation import playground
    from izwi.service import settings

    other = settings.with_settings(folder._layout, asked.changes)
    return playground.compare(
        folder._layout, folder.config, other, sample=asked.sample, seed=asked.seed
    )


def start_audit(folder: "CorpusFolder", asked: NewAudit, doing: Doing) -> int:
    """Draw a random sample of documents to be judged and return the audit's number."""
    from izwi.curation import decisions as auditing

    number, segments = folder._snapshot(None)
    return auditing.start(
        folder._layout, segments, number, size=asked.size, seed=asked.seed, who=doing.who
    )


def judge(folder: "CorpusFolder", asked: Judging, doing: Doing) -> tuple[str, ...]:
    """Write down what is wrong with a document of an audit; nothing, if it is well."""
    from izwi.curation import decisions as auditing

    auditing.judge(folder._layout, asked.audit, asked.document, asked.faults, who=doing.who)
    return tuple(asked.faults)


def audits(folder: "CorpusFolder", asked: Nothing, doing: Doing) -> "tuple[Audit, ...]":
    """List the audits with the share of each fault and its interval."""
    from izwi.curation import decisions as auditing

    return auditing.audits(folder._layout)


def audit_sample(folder: "CorpusFolder", asked: AuditNumber, doing: Doing) -> tuple[Judgement, ...]:
    """List the documents of an audit with what was found wrong with each; null is not judged."""
    from izwi.curation import decisions as auditing

    return auditing.judgements(folder._layout, asked.audit)


def subcorpora(folder: "CorpusFolder", asked: Nothing, doing: Doing) -> "tuple[Subcorpus, ...]":
    """List the saved subcorpora: conditions on documents by name."""
    from izwi.service.subcorpora import list_subcorpora

    return list_subcorpora(folder.name)


def save_subcorpus(folder: "CorpusFolder", asked: NewSubcorpus, doing: Doing) -> "Subcorpus":
    """Save a condition on documents under a name, and count what it holds now."""
    from izwi.query.engine import Filter, condition_of, count_documents
    from izwi.service import subcorpora
    from izwi.store.curation import changing

    number, segments = folder._snapshot(None)
    condition_of(asked.where)
    documents = count_documents(segments, Filter(where=asked.where)) if number else None
    with changing(folder._layout, doing.who) as desk:
        known = {each.name: each.where for each in subcorpora.list_subcorpora(folder.name)}
        made = subcorpora.save_subcorpus(folder.name, asked.name, asked.where)
        after = {"corpus": folder.name, "where": asked.where}
        desk.record("subcorpus", asked.name, known.get(asked.name), after)
    return replace(made, documents=documents)


def decide_word(folder: "CorpusFolder", asked: WordVerdict, doing: Doing) -> WordDecision:
    """Remember what was decided about a word: accept, reject, later, name, error or known."""
    from izwi.model.lexicography import DECISIONS
    from izwi.store.curation import append_decision

    if asked.decision not in DECISIONS:
        raise QueryError(f"A decision is one of {', '.join(DECISIONS)}, not '{asked.decision}'.")
    if not asked.word.strip():
        raise QueryError("A decision is about a word; none was given.")
    made = WordDecision(asked.word.strip(), asked.decision, doing.who, now_text(), asked.note)
    append_decision(folder._layout, made)
    return made


def _word_decided(asked: WordVerdict, _: object) -> Done:
    return Done("word", asked.word.strip(), None, {"decision": asked.decision, "note": asked.note})


def decisions(folder: "CorpusFolder", asked: Nothing, doing: Doing) -> tuple[WordDecision, ...]:
    """List what was decided about words, in the order it was; the last of a word counts."""
    from izwi.store.curation import read_word_decisions

    return read_word_decisions(folder._layout)


def _decided(asked: DocumentVerdict, made: Decision, folder: Path) -> Iterator[str]:
    yield f"{made.url}: {asked.verdict or 'rules'}. Next: izwi build {typed(folder)}"


def _samples_told(asked: Sampled, found: "Sequence[ReasonSample]", folder: Path) -> Iterator[str]:
    for each in found:
        agreed = f", {each.agreed} of them agreed by {each.agreed_by}" if each.agreed else ""
        yield f"{each.stage} {each.reason}: {each.count}{agreed}"
        yield from (f"  {line.url}" for line in each.lines)
    if not found:
        yield "No text was dropped."


def _reviewed(asked: ReasonVerdict, count: int, folder: Path) -> Iterator[str]:
    if asked.verdict == "right":
        yield f"{asked.stage} {asked.reason}: {count} rightly dropped."
    else:
        yield f"{asked.stage} {asked.reason}: {count} restored. Next: izwi build {typed(folder)}"


def _judged(asked: Judging, faults: Sequence[str], folder: Path) -> Iterator[str]:
    yield f"{asked.document}: {', '.join(faults) or 'well'}."


def _inspected(asked: Inspected, found: Inspection, folder: Path) -> Iterator[str]:
    verdict = found.document.verdict
    yield f"{found.document.url}  {verdict.outcome} {verdict.stage} {verdict.reason}".strip()
    yield from (f"{claim.property}: {claim.value}  {claim.evidence}" for claim in found.dates)
    judged = found.tried if asked.method else found.paragraphs
    yield from (f"{each.letter}  {each.reason}  {each.text}" for each in judged)


def _saved(asked: NewSubcorpus, made: "Subcorpus", folder: Path) -> Iterator[str]:
    if made.documents == 0:
        yield "Saved, but it holds 0 documents: no document of the corpus is so."
        return
    number = made.documents
    held = "" if number is None else f" It holds {number:,} document{'s' * (number != 1)}."
    yield f"Saved.{held} Use it: izwi query {folder} WORD --subcorpus {made.name}"


def _changed(asked: NewSettings, made: Mapping[str, Any], folder: Path) -> Iterator[str]:
    yield f"Changed {', '.join(made)}. Next: izwi build {typed(folder)}"


def _tried(asked: TriedSettings, found: Comparison, folder: Path) -> Iterator[str]:
    for name, side in (("now", found.before), ("then", found.after)):
        yield f"{name}: {side.kept} documents, {side.words} words"
    yield f"{found.changed_in_all} documents change"


def _audits_told(asked: Nothing, found: "Iterable[Audit]", folder: Path) -> Iterator[str]:
    for each in found:
        for figure in each.figures:
            yield (
                f"audit {each.id}  version {each.version}  {each.judged} of {each.size} judged  "
                f"{figure.fault}: {figure.count} ({figure.low:.1%} to {figure.high:.1%})"
            )


def _sample_told(asked: AuditNumber, found: Iterable[Judgement], folder: Path) -> Iterator[str]:
    for each in found:
        judged = "not judged" if each.faults is None else ", ".join(each.faults) or "well"
        yield f"{each.place}  {each.document}  {judged}  {each.who}".rstrip()


def _words_told(asked: Nothing, made: Iterable[WordDecision], folder: Path) -> Iterator[str]:
    for each in made:
        note = f" - {each.note}" if each.note else ""
        yield f"{each.when} {each.word}: {each.decision} ({each.who}){note}"


_ITSELF = Policy("curator", record="itself")
_SETTINGS = Policy("curator", "settings", record="itself")
_case = partial(case_of, "Decisions, settings, audits and the record of them")
_line = partial(case_of, "Lines")
_word = partial(case_of, "Words")

CASES = (
    _case("decide_document", "curate decide", "documents/decisions", DocumentVerdict,
          decide_document, "https://example.org/page keep", _ITSELF, status=201, tells=_decided),
    _case("decide_documents", "curate decide-all", "documents/decisions/all", DocumentVerdicts,
          decide_documents, "keep https://example.org/1 https://example.org/2", _ITSELF,
          status=201, tells=each_as("{0.url}: {0.verdict}")),
    _case("document_decisions", "curate decisions", "documents/decisions", Nothing,
          document_decisions, tells=each_as("{0.verdict}  {0.url}  {0.who}  {0.time}")),
    _case("drop_samples", "curate drops", "drops/samples", Sampled, drop_samples,
          tells=_samples_told),
    _case("review_drops", "curate review", "drops/review", ReasonVerdict, review_drops,
          "select too-short right", _ITSELF, key="pages", tells=_reviewed),
    _case("inspect", "inspect", "inspect", Inspected, inspect, "https://example.org/page",
          tells=_inspected),
    _case("changes", "curate changes", "changes", ChangesPage, changes, tells=each_as(
        "{0.id}  {0.time}  {0.who}  {0.kind}  {0.target}  {0.comment}")),
    _case("undo", "curate undo", "undo", ChangeNumber, undo, "1", _SETTINGS,
          tells=sentence("Took back change {asked.number}.")),
    _case("settings", "settings show", "settings", Nothing, settings, key="toml",
          media="application/toml"),
    _case("change_settings", "settings change", "settings", NewSettings, change_settings,
          "--set language.minimum=0.4", _SETTINGS, tells=_changed),
    _case("try_settings", "settings try", "settings/try", TriedSettings, try_settings,
          "--set select.minimum_words=50", verb="POST", tells=_tried),
    _case("start_audit", "audit start", "audits", NewAudit, start_audit, "--size 100", _ITSELF,
          key="audit", status=201,
          tells=sentence("Audit {answer} is ready to be judged in the browser.")),
    _case("judge", "audit judge", "audits/judge", Judging, judge, "1 ID --fault date", _ITSELF,
          tells=_judged),
    _case("audits", "audit report", "audits", Nothing, audits, tells=_audits_told),
    _case("audit_sample", "audit show", "audits/sample", AuditNumber, audit_sample, "1",
          tells=_sample_told),
    _line("subcorpora", "subcorpora list", "subcorpora", Nothing, subcorpora, policy=READER,
          tells=each_as("{0.name}: {0.where}")),
    _line("save_subcorpus", "subcorpora save", "subcorpora", NewSubcorpus, save_subcorpus,
          """herald 'source="herald.*"'""", _ITSELF, tells=_saved),
    _word("decide", "decide", "decisions", WordVerdict, decide_word, "lockdown accept",
          Policy("curator", record=_word_decided), status=201,
          tells=sentence("{answer.word}: {answer.decision} ({answer.who})")),
    _word("decisions", "decisions", "decisions", Nothing, decisions, policy=READER,
          tells=_words_told),
)  # fmt: skip
