"""Building as a use case: which runner, and what the report says."""

import os
from dataclasses import replace

from izwi import plugins
from izwi.config.schema import CorpusConfig
from izwi.config.units import size_bytes
from izwi.dedup.ownership import NothingExcluded
from izwi.model.results import Notice
from izwi.pipeline.build import Builder
from izwi.pipeline.runners import Runner
from izwi.service.runs import Run
from izwi.store.captures import CaptureStore
from izwi.store.layout import Layout
from izwi.store.takedowns import read_takedowns

__all__ = ["Run", "build"]


def build(layout: Layout, config: CorpusConfig, run: Run, *, workers: int) -> None:
    """Do what is stale and note it in the run's report."""
    store = CaptureStore(
        layout, run.catalog, shard_bytes=size_bytes(config.gather.warc_size), software="izwi"
    )
    for notice in store.recover():
        run.hear(Notice(notice))
    store.close()
    # Who was taken down owns no text: the next in rank does.
    gone = read_takedowns(layout)
    excluded = gone if gone.entries else NothingExcluded()
    result = Builder(layout, config, run.catalog, _runner(workers), run.hear, excluded).run()
    run.report = replace(
        run.report,
        shards_built=result.shards_built,
        snapshot=result.snapshot.number,
        failures=(*run.report.failures, *result.failures),
        warnings=(*run.report.warnings, *result.warnings),
    )


def _runner(workers: int) -> Runner:
    """Return one process for one worker, else a pool; IZWI_WORKERS is the machine's own setting."""
    count = workers or int(os.environ.get("IZWI_WORKERS", "0") or 0) or os.cpu_count() or 1
    if count == 1:
        serial: Runner = plugins.load("izwi.runners", "serial")()
        return serial
    pool: Runner = plugins.load("izwi.runners", "processes")(count)
    return pool
