"""Building as a use case: which runner, and what the report says."""

import os
from dataclasses import replace
from types import MappingProxyType

from izwi import plugins
from izwi.config.schema import CorpusConfig
from izwi.dedup.ownership import NothingExcluded
from izwi.model.notation import size_bytes
from izwi.model.results import Notice
from izwi.pipeline.build import Builder
from izwi.pipeline.mending import Mending
from izwi.pipeline.runners import Runner
from izwi.pipeline.stages import plan
from izwi.pipeline.staleness import Rewritten
from izwi.service.runs import Run
from izwi.store.captures import CaptureStore
from izwi.store.files import disk_errors, remove_leftovers
from izwi.store.layout import Layout
from izwi.store.sums import look, note_sums
from izwi.store.takedowns import read_takedowns

__all__ = ["Rewritten", "Run", "build"]


def build(
    layout: Layout,
    config: CorpusConfig,
    run: Run,
    *,
    workers: int,
    runner: str = "",
    rewritten: Rewritten = MappingProxyType({}),
) -> None:
    """Mend what is damaged, do what is stale, and note it in the run's report.

    Of shards that were rewritten without what was taken down it is given by what the index knows
    them: no more has to leave it than that.
    """
    chosen = _runner(layout, config, workers, runner)
    with disk_errors():
        found = look(layout)
    mending = Mending(layout, plan(config), run.catalog)
    mending.mend(found.amiss)
    for notice in mending.notices:
        run.hear(Notice(notice))
    try:
        _build(layout, config, run, chosen, rewritten)
    except KeyboardInterrupt as error:
        error.add_note(
            f"steps of the build that are done stay: {run.report.shards_built}; the same command "
            "goes on, and does anew what was under way, at most one step a worker."
        )
        # Workers were ended in the middle of a file.
        for folder in (layout.layers, layout.segments, layout.snapshots):
            remove_leftovers(folder)
        # Nor was it the fault of the page that a worker was at.
        for trace in layout.layers.rglob(".*.under-way"):
            trace.unlink(missing_ok=True)
        raise
    finally:
        failures = (*run.report.failures, *mending.failures)
        run.report = replace(run.report, failures=failures)
        with disk_errors():
            note_sums(layout, found, lost=mending.lost)


def _build(
    layout: Layout, config: CorpusConfig, run: Run, chosen: Runner, rewritten: Rewritten
) -> None:
    store = CaptureStore(
        layout, run.catalog, shard_bytes=size_bytes(config.gather.warc_size), software="izwi"
    )
    for notice in store.recover():
        run.hear(Notice(notice))
    store.close()
    # Who was taken down owns no text: the next in rank does.
    gone = read_takedowns(layout)
    excluded = gone if gone.entries else NothingExcluded()
    builder = Builder(layout, config, run.catalog, chosen, run.hear, excluded, rewritten)
    result = builder.run()
    run.report = replace(
        run.report,
        shards_built=result.shards_built,
        snapshot=result.snapshot.number,
        failures=(*run.report.failures, *result.failures),
        warnings=(*run.report.warnings, *result.warnings),
    )


def _runner(layout: Layout, config: CorpusConfig, workers: int, name: str) -> Runner:
    """Return what is asked for or set; else one process for one worker, or a pool.

    IZWI_WORKERS is the machine's own setting.
    """
    count = workers or int(os.environ.get("IZWI_WORKERS", "0") or 0) or os.cpu_count() or 1
    name = name or config.build.runner or ("serial" if count == 1 else "processes")
    make = plugins.load("izwi.runners", name)
    if name == "dask" and config.build.scheduler:
        from izwi.pipeline.cluster import Elsewhere

        cluster = make(count, scheduler=config.build.scheduler)
        return Elsewhere(cluster, layout.root, config.store.objects)
    made: Runner = make(count)
    return made
