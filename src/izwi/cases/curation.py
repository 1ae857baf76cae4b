"""What curators change: documents, words, labels, settings, sources, audits, subcorpora."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any

from izwi.cases.case import Case, Doing, Done, Policy, Says
from izwi.model.errors import ConfigError, QueryError
from izwi.model.labelled import LabelledPage

if TYPE_CHECKING:
    from izwi.model.curation import Change, Decision
    from izwi.model.lexicography import WordDecision
    from izwi.service.folder import CorpusFolder
    from izwi.service.models import TrainedModel
    from izwi.service.subcorpora import Subcorpus

_SOURCES = "Sources"
_DESK = "Decisions, settings, labels, audits and the record of them"
_WORDS = "Words"


@dataclass(frozen=True, kw_only=True)
class DocumentVerdict:
    """A decision about one document, against the rules."""

    document: Annotated[str, Says("A document's id or URL.", is_place=True)]
    verdict: Annotated[str, Says("keep, drop, or nothing (as the rules say).", is_place=True)]
    comment: Annotated[str, Says("Why; kept in the record.")] = ""


@dataclass(frozen=True, kw_only=True)
class ChangeNumber:
    """A change by its number."""

    number: Annotated[int, Says("The change's number.", least=0, most=2**31, is_place=True)]


@dataclass(frozen=True, kw_only=True)
class NewSettings:
    """Keys of corpus.toml with their values."""

    changes: Annotated[
        Mapping[str, Any], Says('Keys and values, e.g. {"language.minimum": 0.4}.', is_place=True)
    ]
    comment: Annotated[str, Says("Why; kept in the record.")] = ""


@dataclass(frozen=True, kw_only=True)
class NewModel:
    """A model to be trained."""

    name: Annotated[str, Says("What to call it.", is_place=True)]
    method: Annotated[str, Says("perceptron or izwi.")] = "perceptron"
    source: Annotated[str, Says("Only pages of this source.")] = ""


@dataclass(frozen=True, kw_only=True)
class NewAudit:
    """A sample to be drawn."""

    size: Annotated[int, Says("How many documents.", least=1, most=5000)] = 100
    seed: Annotated[int, Says("Which documents.", least=0, most=2**31)] = 1


@dataclass(frozen=True, kw_only=True)
class Judging:
    """What is wrong with a document of an audit."""

    audit: Annotated[int, Says("The audit's number.", least=0, most=2**31, is_place=True)]
    document: Annotated[str, Says("The document's id.", is_place=True)]
    faults: Annotated[
        Sequence[str],
        Says("language, boilerplate, machine, date, offensive; nothing if it is well.",
             is_place=True),
    ] = ()  # fmt: skip


@dataclass(frozen=True, kw_only=True)
class LabelledPages:
    """Pages with labels."""

    pages: Annotated[Iterable[LabelledPage], Says("Labelled pages.", is_place=True)]


@dataclass(frozen=True, kw_only=True)
class NewSource:
    """A feed, archive or seed page."""

    url: Annotated[str, Says("A feed, or a page to begin from.", is_place=True)]
    type: Annotated[str, Says("Its kind; guessed from the address if absent.")] = ""
    name: Annotated[str, Says("Its name; made from the address if absent.")] = ""
    depth: Annotated[int, Says("seeds: how many links to follow.", least=0)] = 0
    every: Annotated[str, Says('feed: how often it is read, e.g. "1h".')] = ""
    since: Annotated[str, Says("portal, archive: first date, 2010-01-31.")] = ""


@dataclass(frozen=True, kw_only=True)
class PackName:
    """A pack of sources."""

    pack: Annotated[str, Says("The pack's name.", is_place=True)]


@dataclass(frozen=True, kw_only=True)
class SourceNames:
    """Sources by name."""

    names: Annotated[Sequence[str], Says("Names of sources.", is_place=True)]


@dataclass(frozen=True, kw_only=True)
class Opml:
    """A list of feeds."""

    text: Annotated[str, Says("The OPML text.", is_place=True)]


@dataclass(frozen=True, kw_only=True)
class NewSubcorpus:
    """A condition on documents to be saved."""

    name: Annotated[str, Says("What to call it.", is_place=True)]
    where: Annotated[str, Says('A condition, e.g. source="herald".', is_place=True)]


@dataclass(frozen=True, kw_only=True)
class WordVerdict:
    """What was decided about a word."""

    word: Annotated[str, Says("A word.", is_place=True)]
    decision: Annotated[
        str, Says("accept, reject, later, name, error or known.", is_place=True)
    ]  # fmt: skip
    note: Annotated[str, Says("Why.")] = ""


def decide_document(folder: "CorpusFolder", asked: DocumentVerdict, doing: Doing) -> "Decision":
    """Overrule the rules for one document (keep, drop, or nothing); the next build obeys."""
    from izwi.service import curating

    return curating.decide(
        folder._layout, folder.config, asked.document, asked.verdict, who=doing.who,
        comment=asked.comment,
    )  # fmt: skip


def undo(folder: "CorpusFolder", asked: ChangeNumber, doing: Doing) -> "Change":
    """Take a change back, unless the same thing was changed again since."""
    from izwi.service import curating

    made = curating.undo(folder._layout, asked.number, who=doing.who)
    folder._reload()
    return made


def change_settings(
    folder: "CorpusFolder", asked: NewSettings, doing: Doing
) -> "Mapping[str, Any]":
    """Write keys into corpus.toml with a comment; nothing but these keys changes."""
    from izwi.service import settings

    settings.change_settings(folder._layout, asked.changes, who=doing.who, comment=asked.comment)
    folder._reload()
    return dict(asked.changes)


def train(folder: "CorpusFolder", asked: NewModel, doing: Doing) -> "TrainedModel":
    """Train an extractor from the labels and save it under a name with its figures."""
    from izwi.service import models

    return models.train_named(
        folder._layout, folder.config, asked.name, method=asked.method, source=asked.source,
        who=doing.who,
    )  # fmt: skip


def start_audit(folder: "CorpusFolder", asked: NewAudit, doing: Doing) -> int:
    """Draw a random sample of documents to be judged and return the audit's number."""
    from izwi.service import auditing

    number, segments = folder._snapshot(None)
    return auditing.start(
        folder._layout, segments, number, size=asked.size, seed=asked.seed, who=doing.who
    )


def judge(folder: "CorpusFolder", asked: Judging, doing: Doing) -> tuple[str, ...]:
    """Write down what is wrong with a document of an audit; nothing, if it is well."""
    from izwi.service import auditing

    auditing.judge(folder._layout, asked.audit, asked.document, asked.faults, who=doing.who)
    return tuple(asked.faults)


def import_labels(folder: "CorpusFolder", asked: LabelledPages, doing: Doing) -> int:
    """Take in labels and say how many; a page labelled again replaces its labels."""
    from izwi.service import curating

    return curating.record_labels(folder._layout, tuple(asked.pages), who=doing.who)


def add_source(folder: "CorpusFolder", asked: NewSource, doing: Doing) -> str:
    """Add a feed, archive or seed page to corpus.toml and return its name."""
    from izwi.service import setup

    folder._reload()
    fields = setup.source_fields(
        asked.url, asked.type, asked.name, depth=asked.depth, every=asked.every,
        since=asked.since, languages=folder.config.corpus.languages,
        taken=[source.name for source in folder.config.sources],
    )  # fmt: skip
    folder._config = setup.add_source(folder.path, fields, who=doing.who)
    return str(fields["name"])


def add_pack(folder: "CorpusFolder", asked: PackName, doing: Doing) -> tuple[str, ...]:
    """Add the sources of a pack that are not there yet; return the names. Fetches nothing."""
    from izwi.service import packs

    folder._reload()
    return _add_all(folder, packs.new_sources(packs.pack_named(asked.pack), folder.config), doing)


@dataclass(frozen=True, kw_only=True)
class NoTrap:
    """A pattern of addresses that was taken for a trap."""

    source: Annotated[str, Says("The crawl's name.", is_place=True)]
    pattern: Annotated[
        str, Says("The pattern as the ledger has it, e.g. example.org/calendar.", is_place=True)
    ]


def import_opml(folder: "CorpusFolder", asked: Opml, doing: Doing) -> tuple[str, ...]:
    """Add every feed of an OPML list that is not there yet; return the names."""
    from izwi.service import opml

    folder._reload()
    return _add_all(folder, opml.new_feeds(asked.text, folder.config), doing)


def _add_all(
    folder: "CorpusFolder", sources: Iterable[Mapping[str, object]], doing: Doing
) -> tuple[str, ...]:
    from izwi.service import setup

    added = tuple(sources)
    if added:
        folder._config = setup.add_sources(folder.path, added, who=doing.who)
    return tuple(str(fields["name"]) for fields in added)


def pause_sources(folder: "CorpusFolder", asked: SourceNames, doing: Doing) -> tuple[str, ...]:
    """Let sources rest: nothing of them is fetched until they are resumed."""
    return _put_paused(folder, asked.names, True, doing)


def resume_sources(folder: "CorpusFolder", asked: SourceNames, doing: Doing) -> tuple[str, ...]:
    """Let sources that rest go on from where they were."""
    return _put_paused(folder, asked.names, None, doing)


def _put_paused(
    folder: "CorpusFolder", names: Sequence[str], value: bool | None, doing: Doing
) -> tuple[str, ...]:
    from izwi.service import settings

    keys = {f"source.{name}.paused": value for name in names}
    folder._config = settings.change_settings(folder._layout, keys, who=doing.who)
    return tuple(names)


def open_trap(folder: "CorpusFolder", asked: NoTrap, doing: Doing) -> tuple[str, ...]:
    """Say that a pattern of addresses is no trap: the next run fetches what was left out of it.

    Returns all patterns of which that is said of the source.
    """
    from izwi.service import settings

    folder._reload()
    known = {each.name: each for each in folder.config.sources}
    source = known.get(asked.source)
    if source is None:
        raise ConfigError(f"There is no source '{asked.source}'. See: izwi sources list")
    if not hasattr(source, "no_traps"):
        raise ConfigError(f"Source '{asked.source}' is no crawl: only crawls mind traps.")
    patterns = tuple(dict.fromkeys((*source.no_traps, asked.pattern)))
    keys = {f"source.{asked.source}.no_traps": list(patterns)}
    folder._config = settings.change_settings(folder._layout, keys, who=doing.who)
    return patterns


def save_subcorpus(folder: "CorpusFolder", asked: NewSubcorpus, doing: Doing) -> "Subcorpus":
    """Save a condition on documents under a name."""
    from izwi.service import subcorpora
    from izwi.store.curation import changing

    with changing(folder._layout, doing.who) as desk:
        known = {each.name: each.where for each in subcorpora.list_subcorpora(folder.name)}
        made = subcorpora.save_subcorpus(folder.name, asked.name, asked.where)
        after = {"corpus": folder.name, "where": asked.where}
        desk.record("subcorpus", asked.name, known.get(asked.name), after)
    return made


def decide_word(folder: "CorpusFolder", asked: WordVerdict, doing: Doing) -> "WordDecision":
    """Remember what was decided about a word: accept, reject, later, name, error or known."""
    from datetime import UTC, datetime

    from izwi.model.lexicography import DECISIONS, WordDecision
    from izwi.store.decisions import append_decision

    if asked.decision not in DECISIONS:
        raise QueryError(f"A decision is one of {', '.join(DECISIONS)}, not '{asked.decision}'.")
    if not asked.word.strip():
        raise QueryError("A decision is about a word; none was given.")
    when = datetime.now(UTC).isoformat(timespec="seconds")
    made = WordDecision(asked.word.strip(), asked.decision, doing.who, when, asked.note)
    append_decision(folder._layout, made)
    return made


def _word_decided(asked: WordVerdict, _: object) -> Done:
    return Done("word", asked.word.strip(), None, {"decision": asked.decision, "note": asked.note})


_ITSELF = Policy("curator", record="itself")


def _case(
    method: str, command: str, route: str, request: type, do: Any, example: str, topic: str,
    policy: Policy = _ITSELF,
) -> Case[Any, Any]:  # fmt: skip
    return Case(
        method, command, f"POST /api/v1/c/{{corpus}}/{route}", request, do,
        f"izwi {command} {example}", topic, policy, ("by",), by_hand=("command", "route"),
    )  # fmt: skip


CASES = (
    _case("decide_document", "curate decide", "documents/decisions", DocumentVerdict,
          decide_document, "news https://example.org/page keep", _DESK),
    _case("undo", "curate undo", "undo", ChangeNumber, undo, "news 1", _DESK),
    _case("change_settings", "settings change", "settings", NewSettings, change_settings,
          "news --set language.minimum=0.4", _DESK),
    _case("train_from_labels", "labels train", "labels/train", NewModel, train,
          "news my-model", _DESK),
    _case("start_audit", "audit start", "audits", NewAudit, start_audit, "news --size 100", _DESK),
    _case("judge", "audit judge", "audits/judge", Judging, judge, "news 1 ID --fault date", _DESK),
    _case("import_labels", "labels import", "labels", LabelledPages, import_labels,
          "news done.jsonl", _DESK),
    _case("add_source", "sources add", "sources", NewSource, add_source,
          "news https://example.org/feed.xml", _SOURCES),
    _case("add_pack", "sources add", "sources/pack", PackName, add_pack, "news --pack demo",
          _SOURCES),
    _case("import_opml", "sources import", "sources/opml", Opml, import_opml, "news feeds.opml",
          _SOURCES),
    _case("pause_sources", "sources pause", "sources/pause", SourceNames, pause_sources,
          "news egolipost", _SOURCES),
    _case("resume_sources", "sources resume", "sources/resume", SourceNames, resume_sources,
          "news egolipost", _SOURCES),
    _case("open_trap", "sources no-trap", "sources/no-trap", NoTrap, open_trap,
          "news crawl example.org/calendar", _SOURCES),
    _case("save_subcorpus", "subcorpora save", "subcorpora", NewSubcorpus, save_subcorpus,
          """news herald 'source="herald.*"'""", "Lines"),
    _case("decide", "decide", "decisions", WordVerdict, decide_word, "news lockdown accept",
          _WORDS, Policy("curator", record=_word_decided)),
)  # fmt: skip
