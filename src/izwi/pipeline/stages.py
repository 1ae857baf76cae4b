"""The stages in order: what each reads and writes, and which keys of corpus.toml it listens to."""

import hashlib
from collections.abc import Callable, Sequence
from dataclasses import asdict, replace
from typing import Any

from izwi import plugins
from izwi.config.fingerprint import Recipe, fingerprint, settings
from izwi.config.schema import CorpusConfig
from izwi.model.document import COLUMN_BY_ATTRIBUTE, TOKEN_COLUMNS
from izwi.model.records import dataclass


@dataclass(frozen=True, slots=True)
class StageSpec:
    """A stage's place in the pipeline."""

    name: str
    # That of the stage's own class, said here too so that a plan needs no stage's code.
    version: int
    reads: tuple[str, ...]
    writes: str
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
    corpus: CorpusConfig

    @property
    def config(self) -> Any:
        """The stage's own settings, made from those of the corpus."""
        from izwi.pipeline.stage_configs import config_of

        return config_of(self.spec.name, self.corpus)


def _extract_settings(config: CorpusConfig) -> dict[str, Any]:
    methods = {f"source.{s.name}.method": s.method for s in config.sources if s.method}
    apart = {f"source.{name}.parts": False for name in sources_apart(config)}
    found = settings(extract=config.extract) | methods | apart | _source_settings(config)
    # Of a model its content counts, not where it lies.
    digests = {
        (f"source.{name}.options.model" if name else "extract.options.model"): digest
        for name, digest in config.model_digests.items()
    }
    return found | digests


def sources_apart(config: CorpusConfig) -> tuple[str, ...]:
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
    shared = ["chardetng-py", "lxml", "selectolax"]  # they parse and decode for every extractor
    own = [p for name in sorted(names) for p in plugins.depends_on("izwi.extractors", name)]
    return shared + own


def _dedup_keys(config: CorpusConfig, *names: str) -> dict[str, Any]:
    wanted = {f"dedup.{name}" for name in names}
    return {key: value for key, value in settings(dedup=config.dedup).items() if key in wanted}


def _sift_settings(config: CorpusConfig) -> dict[str, Any]:
    found = settings(language=config.language, select=config.select)
    for name in (
        "method",
        "prior",
        "keep",
        "model",
        "profiles",
        "packs",
        "digests",
        "connected_by",
    ):
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
    # Whole documents are told alike whatever the corpus wants, unless that is expected of them.
    is_expected = config.language.prior != 1 and config.language.method == "izwi"
    if config.language.keep == "documents" and not is_expected:
        return found
    return found | settings(**{"corpus.languages": config.corpus.languages})


def token_columns(config: CorpusConfig) -> tuple[str, ...]:
    """Return the columns that the attributes of the index need."""
    wanted = {COLUMN_BY_ATTRIBUTE.get(attribute, "") for attribute in config.index.attributes}
    return tuple(column for column in TOKEN_COLUMNS if column in wanted)


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
    if token_columns(config) != _USUAL_COLUMNS:
        found["index.attributes"] = list(token_columns(config))
    return found


_USUAL_COLUMNS = ("lemmas", "xpos")


def _annotator_packages(config: CorpusConfig) -> Sequence[str]:
    methods = {choice.method for choice in config.annotate.languages.values()} - {""}
    names = sorted({config.annotate.method, *methods})
    return [p for name in names for p in plugins.depends_on("izwi.annotators", name)]


def _nothing(config: CorpusConfig) -> dict[str, Any]:
    return {}


STAGES: tuple[StageSpec, ...] = (
    StageSpec("extract", 30, (), "text", _extract_settings, _extractor_packages),
    StageSpec(
        "language",
        12,
        ("text",),
        "lang",
        _language_settings,
        lambda config: plugins.depends_on("izwi.languages", config.language.method),
    ),
    StageSpec("sift", 17, ("text", "lang"), "sift", _sift_settings),
    StageSpec("sign", 3, ("text",), "sign", _nothing),
    StageSpec(
        "own",
        12,
        ("text", "sign", "sift"),
        "own",
        lambda config: _dedup_keys(config, "ngram", "method", "ignored", "marks"),
    ),
    StageSpec(
        "judge",
        11,
        ("text", "sign", "own"),
        "dup",
        lambda config: _dedup_keys(
            config, "threshold", "own", "stub", "rest", "edited", "similarity"
        ),
    ),
    StageSpec(
        "select",
        6,
        ("text", "lang", "dup", "sift"),
        "select",
        lambda config: _dedup_keys(
            config, "exact", "documents", "blocks", "document", "rest", "sources"
        ),
    ),
    StageSpec(
        "annotate",
        13,
        ("text", "lang", "select"),
        "tokens",
        _annotate_settings,
        _annotator_packages,
    ),
)

# What a segment is made from; its recipe works like a layer's.
INDEX = StageSpec(
    "index",
    3,
    ("text", "lang", "dup", "select", "tokens"),
    "segments",
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
            {name: plugins.version(name) for name in spec.depends_on(config)},
            [made[layer] for layer in spec.reads],
        )
        made[spec.writes] = fingerprint(recipe)
        planned.append(Planned(spec, recipe, made[spec.writes], config))
    return tuple(planned)
