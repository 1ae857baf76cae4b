"""Gathering as a use case: sources, politeness and store put together for one run."""

from collections.abc import Sequence
from dataclasses import replace
from importlib.metadata import version
from typing import cast

from izwi.config.schema import CorpusConfig
from izwi.config.units import size_bytes
from izwi.gather.focus import Tell
from izwi.gather.loop import Bounds, Gatherer
from izwi.gather.sources.base import Source
from izwi.model.errors import ConfigError
from izwi.service.runs import Run
from izwi.store.captures import CaptureStore
from izwi.store.layout import Layout
from izwi.store.takedowns import read_takedowns


def gather(
    layout: Layout,
    config: CorpusConfig,
    run: Run,
    *,
    seconds: float | None,
    pages: int | None,
    size: int | None = None,
) -> None:
    """Fetch what the sources offer and note it in the run's report."""
    if not config.sources:
        raise ConfigError(
            f"{layout.config} has no source yet. Add one: izwi sources add {layout.root} URL"
        )
    software = f"izwi/{version('izwi')}"
    store = CaptureStore(
        layout, run.catalog, shard_bytes=size_bytes(config.gather.warc_size), software=software
    )
    gatherer = Gatherer(
        settings=config.gather,
        sources={source.name: cast(Source, source) for source in config.sources},
        catalog=run.catalog,
        store=store,
        listener=run.hear,
        user_agent=f"{software} (+{config.gather.contact})",
        bounds=Bounds(seconds, pages, size),
        gone=read_takedowns(layout),
        tell=_teller(config) if any(each.type == "focused" for each in config.sources) else None,
    )
    fetched = gatherer.run()
    run.report = replace(run.report, fetched=fetched, was_stopped=gatherer.was_stopped)


def _teller(config: CorpusConfig) -> Tell:
    """Return what names the language of each text, as the corpus itself will."""
    from izwi.text.language.base import identifier

    identify = identifier(config.language.method, config.language.model)

    def tell(texts: Sequence[str]) -> Sequence[str]:
        return [identify(text).code for text in texts]

    return tell
