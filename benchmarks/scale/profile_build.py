"""Where a build's time goes: the stages of one corpus under cProfile, in this process."""

import argparse
import cProfile
import itertools
import pstats
import tempfile
import time
from pathlib import Path

from build import make_corpus

from izwi.config.load import load
from izwi.model.results import ShardReport
from izwi.pipeline.build import Builder
from izwi.pipeline.runners import Serial
from izwi.store.catalog import Catalog
from izwi.store.layout import Layout


def main() -> None:
    """Print seconds per stage, then the functions that take longest."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--pages", type=int, default=300)
    parser.add_argument("--data", type=Path)
    parser.add_argument("--functions", action="store_true")
    parser.add_argument("--order", default="tottime")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as parent:
        for count in (20, given.pages):  # the first warms up what is loaded once
            folder = Path(parent) / str(count)
            make_corpus(folder, count, given.data)
            _build(folder, given.order if given.functions and count == given.pages else "")


def _build(folder: Path, order: str) -> None:
    times = [("", time.process_time())]

    def hear(event: object) -> None:
        if isinstance(event, ShardReport):
            times.append((event.stage, time.process_time()))

    profile = cProfile.Profile()
    with Catalog.write(Layout(folder).catalog) as catalog:
        builder = Builder(Layout(folder), load(folder / "corpus.toml"), catalog, Serial(), hear)
        if order:
            profile.enable()
        builder.run()
        profile.disable()
    times.append(("index", time.process_time()))
    for (_, before), (stage, after) in itertools.pairwise(times):
        print(f"{stage:10} {after - before:8.2f} CPU s")
    print(f"{'all':10} {times[-1][1] - times[0][1]:8.2f} CPU s")
    if order:
        pstats.Stats(profile).sort_stats(order).print_stats(45)


if __name__ == "__main__":
    main()
