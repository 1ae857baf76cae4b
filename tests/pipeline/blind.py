"""Workers of a cluster that do not see a folder: processes for which another is mounted there."""

import os
import shlex
import subprocess
import sys
from contextlib import contextmanager

import distributed
import pytest

from tests.waiting import until


@contextmanager
def blind_cluster(folder, workers=1, room="1g"):
    """Yield the address of a scheduler whose workers find an empty folder in the place of one.

    They put there what they work on, and it has only so much room.
    """
    tried = subprocess.run(
        ["unshare", "-m", "mount", "-t", "tmpfs", "none", folder], capture_output=True
    )
    if tried.returncode:
        pytest.skip("needs the right to mount (root): a folder is hidden from a process by it")
    with distributed.LocalCluster(
        n_workers=0, host="127.0.0.1", dashboard_address=":0", silence_logs=50
    ) as cluster:
        address = cluster.scheduler_address
        python = [sys.executable, "-m", "distributed.cli.dask_worker", address]
        options = ["--nthreads", "1", "--nworkers", str(workers), "--no-dashboard"]
        options += ["--local-directory", str(folder.parent / "dask")]
        hiding = f"mount -t tmpfs -o size={room} none {shlex.quote(str(folder))}"
        hidden = f"{hiding} && exec {shlex.join(python + options)}"
        with subprocess.Popen(
            ["unshare", "-m", "sh", "-c", hidden], stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL, cwd="/", env={**os.environ, "TMPDIR": str(folder)},
        ) as process:  # fmt: skip
            try:
                until(lambda: len(cluster.scheduler_info["workers"]) == workers, process)
                yield address
            finally:
                process.terminate()
