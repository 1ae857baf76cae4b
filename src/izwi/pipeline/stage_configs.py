"""The settings that each stage is given, made from the whole of corpus.toml.

Apart from the recipes, because it needs the stages' own code: what is only asked whether anything
is stale need not wait for that.
"""

from collections.abc import Callable, Mapping
from typing import Any

from izwi.annotate.base import AnnotateConfig, LanguageChoice
from izwi.config.schema import CorpusConfig, SelectSection
from izwi.dedup.batch import NgramReading
from izwi.dedup.copied_blocks import Settings
from izwi.dedup.judge import JudgeConfig
from izwi.dedup.signatures import DocumentMethod, SignConfig
from izwi.pipeline.holding import OwnConfig
from izwi.pipeline.stages import sources_apart, token_columns
from izwi.text.extract.base import ExtractConfig
from izwi.text.language import LanguageConfig
from izwi.text.language.base import VarietyLists
from izwi.text.quality import Rules
from izwi.text.verdicts import SelectConfig, SiftConfig


def config_of(stage: str, config: CorpusConfig) -> Any:
    """Return the settings of one stage."""
    return _CONFIGURE[stage](config)


def _extract_config(config: CorpusConfig) -> ExtractConfig:
    own = config.extract
    methods = {source.name: source.method for source in config.sources if source.method}
    return ExtractConfig(
        own.method, own.options, own.max_size, methods, config.source_options, config.portals,
        own.comments, own.users, sources_apart(config),
    )  # fmt: skip


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
        own.prior,
    )


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


def _rules(section: SelectSection) -> Rules:
    return Rules(
        section.maximum_words,
        section.maximum_repetition,
        section.minimum_letters,
        section.maximum_symbols,
        section.maximum_capitals,
        section.word_length,
    )


def _dedup_settings(config: CorpusConfig) -> Settings:
    own = config.dedup
    # No share reaches 2: edited copies are not looked for.
    contained = Settings().contained if own.edited else 2.0
    reading = NgramReading(own.ngram, has_marks=own.marks, ignored=tuple(sorted(set(own.ignored))))
    return Settings(reading, own.threshold, own.stub, own.own, contained=contained, rest=own.rest)


def _document_method(config: CorpusConfig) -> DocumentMethod | None:
    own = config.dedup
    return None if own.method == "blocks" else DocumentMethod(own.method, own.similarity)


def _select_config(config: CorpusConfig) -> SelectConfig:
    own = config.dedup
    return SelectConfig(own.exact, own.documents, own.blocks, own.document, own.rest, own.sources)


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
    return AnnotateConfig(config.annotate.method, choices, token_columns(config))


_CONFIGURE: Mapping[str, Callable[[CorpusConfig], Any]] = {
    "extract": _extract_config,
    "language": _language_config,
    "sift": _sift_config,
    "sign": lambda config: SignConfig(),
    "own": lambda config: OwnConfig(_dedup_settings(config).reading, _document_method(config)),
    "judge": lambda config: JudgeConfig(_dedup_settings(config), _document_method(config)),
    "select": _select_config,
    "annotate": _annotate_config,
    "index": lambda config: config.index,
}
