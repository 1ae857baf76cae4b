"""A runner whose processes let everybody else on the machine go first."""

import os
from collections.abc import Iterator, Sequence
from functools import partial

from izwi.model.results import ShardReport
from izwi.pipeline.runners import Processes, Work
from izwi.pipeline.shard import Task

LOWEST = 19


class Gently:
    """Made once a build, with the number of workers that was asked for."""

    def __init__(self, workers: int = 0) -> None:
        self._processes = Processes(workers)

    def map(self, work: Work, tasks: Sequence[Task], *, retries: int = 2) -> Iterator[ShardReport]:
        """Yield one report a task, in any order; work and tasks can be sent to other processes."""
        return self._processes.map(partial(gently, work), tasks, retries=retries)


def gently(work: Work, task: Task) -> ShardReport:
    """Do a task after everybody else."""
    os.nice(LOWEST - os.nice(0))
    return work(task)
