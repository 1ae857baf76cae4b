"""The stages in order: what each reads and writes, and which keys of corpus.toml it listens to."""

import hashlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from importlib.metadata import version
from typing import Any, ClassVar, Protocol

from izwi import plugins
from izwi.annotate.base import (
    COLUMNS,
    Annotate,
    AnnotateConfig,
    LanguageChoice,
)
from izwi.config.fingerprint import Recipe, fingerprint, settings
from izwi.config.schema import CorpusConfig, SelectSection
from izwi.dedup.batch import NgramReading
from izwi.dedup.documents import DocumentMethod
from izwi.dedup.judge import Judge, JudgeConfig
from izwi.dedup.judgement import Settings
from izwi.dedup.signatures import Sign, SignConfig
from izwi.index.writer import FORMAT as INDEX_FORMAT
from izwi.model.document import COLUMN_BY_ATTRIBUTE, Document
from izwi.pipeline.owning import OwnConfig
from izwi.text.extract.base import Extract, ExtractConfig
from izwi.text.language import Language, LanguageConfig
from izwi.text.quality import Rules
from izwi.text.select import Select, SelectConfig
from izwi.text.sift import Sift, SiftConfig
from izwi.text.variety import VarietyLists


class Stage(Protocol):
    """A pure function from a shard's documents to as many documents, in the same order."""

    # Raised by hand when the meaning of the output changes.
    version: ClassVar[int]

    def __call__(self, documents: Iterator[Document]) -> Iterator[Document]:
        """Yield each document with what this stage adds."""


@dataclass(frozen=True, slots=True)
class StageSpec:
    """A stage's place in the pipeline."""

    name: str
    version: int
    reads: tuple[str, ...]
    writes: str
    # Its own frozen config, made from the whole.
    configure: Callable[[CorpusConfig], Any]
    # The keys of corpus.toml that change its output, those at their defaults left out.
    listens: Callable[[CorpusConfig], dict[str, Any]]
    # Installed distributions whose version changes its output.
    depends_on: Callable[[CorpusConfig], Sequence[str]] = lambda config: ()


@dataclass(frozen=True, slots=True)
class Planned:
    """A stage as one corpus wants it, with the fingerprint of its output."""

    spec: StageSpec
    recipe: Recipe
    fingerprint: str
    config: Any


def _extract_config(config: CorpusConfig) -> ExtractConfig:
    own = config.extract
    methods = {source.name: source.method for source in config.sources if source.method}
    return ExtractConfig(
        own.method, own.options, own.max_size, methods, config.source_options, config.portals,
        own.comments, own.users, _apart(config),
    )  # fmt: skip


def _extract_settings(config: CorpusConfig) -> dict[str, Any]:
    methods = {f"source.{s.name}.method": s.method for s in config.sources if s.method}
    apart = {f"source.{name}.parts": False for name in _apart(config)}
    found = settings(extract=config.extract) | methods | apart | _source_settings(config)
    # Of a model its content counts, not where it lies.
    digests = {
        (f"source.{name}.options.model" if name else "extract.options.model"): digest
        for name, digest in config.model_digests.items()
    }
    return found | digests


def _apart(config: CorpusConfig) -> tuple[str, ...]:
    """Return the sources that want articles in parts left as they are."""
    return tuple(sorted(each.name for each in config.sources if not getattr(each, "parts", True)))


def _source_settings(config: CorpusConfig) -> dict[str, Any]:
    """Return the portals' rules and the sources' own options, those at their defaults left out."""
    found: dict[str, Any] = {}
    for name, portal in config.portals.items():
        keys = {key: value for key, value in asdict(portal).items() if value}
        found |= {f"source.{name}.portal.{key}": _plain(value) for key, value in keys.items()}
    for name, options in config.source_options.items():
        found |= settings(**{f"source.{name}.options": options})
    return found


def _plain(value: Any) -> Any:
    return list(value) if isinstance(value, tuple) else value


def _extractor_packages(config: CorpusConfig) -> Sequence[str]:
    names = {config.extract.method, *(source.method for source in config.sources)} - {""}
    shared = ["lxml", "resiliparse", "selectolax"]  # they parse and decode for every extractor
    own = [p for name in sorted(names) for p in plugins.load("izwi.extractors", name).depends_on]
    return shared + own


def _dedup_settings(config: CorpusConfig) -> Settings:
    own = config.dedup
    # No share reaches 2: edited copies are not looked for.
    contained = Settings().contained if own.edited else 2.0
    reading = NgramReading(own.ngram, has_marks=own.marks, ignored=tuple(sorted(set(own.ignored))))
    return Settings(reading, own.threshold, own.stub, contained=contained)


def _document_method(config: CorpusConfig) -> DocumentMethod | None:
    own = config.dedup
    return None if own.method == "blocks" else DocumentMethod(own.method, own.similarity)


def _dedup_keys(config: CorpusConfig, *names: str) -> dict[str, Any]:
    wanted = {f"dedup.{name}" for name in names}
    return {key: value for key, value in settings(dedup=config.dedup).items() if key in wanted}


def _select_config(config: CorpusConfig) -> SelectConfig:
    own = config.dedup
    return SelectConfig(own.exact, own.documents, own.blocks, own.document, own.stub, own.sources)


def _sift_config(config: CorpusConfig) -> SiftConfig:
    return SiftConfig(
        config.corpus.languages,
        config.language.minimum,
        config.select.minimum_words,
        config.language.connected,
        config.select.has_notes,
        _rules(config.select),
        config.variety.minimum,
        config.select.without_types,
        config.select.sources,
    )


def _sift_settings(config: CorpusConfig) -> dict[str, Any]:
    found = settings(language=config.language, select=config.select)
    for name in ("method", "keep", "model", "profiles", "packs", "digests", "connected_by"):
        found.pop(f"language.{name}", None)
    if config.variety.minimum:
        found["variety.minimum"] = config.variety.minimum
    return found | settings(**{"corpus.languages": config.corpus.languages})


def _language_settings(config: CorpusConfig) -> dict[str, Any]:
    found = settings(language=config.language)
    # Of files their content counts, not their names.
    for name in ("minimum", "connected", "model", "profiles", "packs"):
        found.pop(f"language.{name}", None)
    if config.variety.is_given:
        lists = repr((sorted(config.variety.lists.items()), config.variety.hosts)).encode()
        found["variety"] = hashlib.blake2b(lists, digest_size=8).hexdigest()
    if "lang" in config.index.attributes:
        found["index.attributes"] = "lang"
    # Whole documents are told alike whatever the corpus wants.
    if config.language.keep == "documents":
        return found
    return found | settings(**{"corpus.languages": config.corpus.languages})


def _language_config(config: CorpusConfig) -> LanguageConfig:
    own, variety = config.language, config.variety
    return LanguageConfig(
        own.method,
        own.keep,
        config.corpus.languages,
        own.model,
        own.profiles,
        own.packs,
        own.connected_by,
        VarietyLists(**variety.lists, hosts=variety.hosts) if variety.is_given else None,
        "lang" in config.index.attributes,
    )


def _rules(section: SelectSection) -> Rules:
    return Rules(
        section.maximum_words,
        section.maximum_repetition,
        section.minimum_letters,
        section.maximum_symbols,
        section.maximum_capitals,
        section.word_length,
    )


def _columns(config: CorpusConfig) -> tuple[str, ...]:
    """Return the columns that the attributes of the index need."""
    wanted = {COLUMN_BY_ATTRIBUTE.get(attribute, "") for attribute in config.index.attributes}
    return tuple(column for column in COLUMNS if column in wanted)


def _annotate_config(config: CorpusConfig) -> AnnotateConfig:
    choices = {
        code: LanguageChoice(
            own.method,
            own.model,
            own.lexicon_lines,
            own.segments,
            own.abbreviations,
            own.clitics,
        )
        for code, own in config.annotate.languages.items()
    }
    return AnnotateConfig(config.annotate.method, choices, _columns(config))


def _annotate_settings(config: CorpusConfig) -> dict[str, Any]:
    """Return what changes the tokens; of a file its content counts, not its name."""
    own = replace(config.annotate, languages={})
    found = settings(annotate=own)
    for code, choice in config.annotate.languages.items():
        lines = "\n".join(choice.lexicon_lines).encode()
        named = {"method": choice.method, "model": choice.model, "segments": choice.segments}
        named |= choice.digests
        named["lexicon"] = hashlib.blake2b(lines, digest_size=8).hexdigest() if lines else ""
        named["abbreviations"] = " ".join((*choice.abbreviations, *choice.clitics))
        found |= {f"annotate.{code}.{key}": value for key, value in named.items() if value}
    if _columns(config) != _USUAL_COLUMNS:
        found["index.attributes"] = list(_columns(config))
    return found


_USUAL_COLUMNS = ("lemmas", "xpos")


def _annotator_packages(config: CorpusConfig) -> Sequence[str]:
    methods = {choice.method for choice in config.annotate.languages.values()} - {""}
    names = sorted({config.annotate.method, *methods})
    return [p for name in names for p in plugins.load("izwi.annotators", name).depends_on]


def _nothing(config: CorpusConfig) -> dict[str, Any]:
    return {}


STAGES: tuple[StageSpec, ...] = (
    StageSpec(
        "extract",
        Extract.version,
        (),
        "text",
        _extract_config,
        _extract_settings,
        _extractor_packages,
    ),
    StageSpec(
        "language",
        Language.version,
        ("text",),
        "lang",
        _language_config,
        _language_settings,
        lambda config: plugins.load("izwi.languages", config.language.method).depends_on,
    ),
    StageSpec("sift", Sift.version, ("text", "lang"), "sift", _sift_config, _sift_settings),
    StageSpec("sign", Sign.version, ("text",), "sign", lambda config: SignConfig(), _nothing),
    StageSpec(
        "own",
        6,
        ("text", "sign", "sift"),
        "own",
        lambda config: OwnConfig(_dedup_settings(config).reading, _document_method(config)),
        lambda config: _dedup_keys(config, "ngram", "method", "ignored", "marks"),
    ),
    StageSpec(
        "judge",
        Judge.version,
        ("text", "sign", "own"),
        "dup",
        lambda config: JudgeConfig(_dedup_settings(config), _document_method(config)),
        lambda config: _dedup_keys(config, "threshold", "stub", "edited", "similarity"),
    ),
    StageSpec(
        "select",
        Select.version,
        ("text", "lang", "dup", "sift"),
        "select",
        _select_config,
        lambda config: _dedup_keys(config, "exact", "documents", "blocks", "document", "sources"),
    ),
    StageSpec(
        "annotate",
        Annotate.version,
        ("text", "lang", "select"),
        "tokens",
        _annotate_config,
        _annotate_settings,
        _annotator_packages,
    ),
)

# What a segment is made from; its recipe works like a layer's.
INDEX = StageSpec(
    "index",
    INDEX_FORMAT,
    ("text", "lang", "dup", "select", "tokens"),
    "segments",
    lambda config: config.index,
    lambda config: settings(index=config.index),
)


def plan(config: CorpusConfig) -> tuple[Planned, ...]:
    """Return the stages as this corpus wants them, the index last."""
    made: dict[str, str] = {}
    planned = []
    for spec in (*STAGES, INDEX):
        recipe = Recipe(
            spec.name,
            spec.version,
            spec.listens(config),
            {name: version(name) for name in spec.depends_on(config)},
            [made[layer] for layer in spec.reads],
        )
        made[spec.writes] = fingerprint(recipe)
        planned.append(Planned(spec, recipe, made[spec.writes], spec.configure(config)))
    return tuple(planned)
