"""A real S3 server for tests: moto's, in a process of its own on loopback."""

import os
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from tests.waiting import until

KEYS = {
    "AWS_ACCESS_KEY_ID": "tests", "AWS_SECRET_ACCESS_KEY": "not-a-secret",
    "AWS_EC2_METADATA_DISABLED": "true",
}  # fmt: skip


@dataclass
class Server:
    """A running server."""

    port: int

    def url(self, name: str, bucket: str = "corpora") -> str:
        """Return the address of a place in it."""
        where = f"endpoint_override=127.0.0.1:{self.port}&scheme=http&region=us-east-1"
        return f"s3://{bucket}/{name}?{where}"

    def client(self):
        """Return another program's way to it."""
        import boto3

        return boto3.client(
            "s3", endpoint_url=f"http://127.0.0.1:{self.port}", region_name="us-east-1",
            aws_access_key_id="tests", aws_secret_access_key="not-a-secret",
        )  # fmt: skip

    def names(self, prefix: str) -> set[str]:
        """Return what lies below a name."""
        pages = self.client().get_paginator("list_objects_v2")
        found = pages.paginate(Bucket="corpora", Prefix=f"{prefix}/")
        return {
            each["Key"].removeprefix(f"{prefix}/")
            for page in found
            for each in page.get("Contents", ())
        }


@contextmanager
def running(**environment: str) -> Iterator[Server]:
    """Run a server for as long as it is wanted."""
    server = Server(_free_port())
    words = [sys.executable, "-m", "moto.server", "-H", "127.0.0.1", "-p", str(server.port)]
    with subprocess.Popen(
        words, env={**os.environ, **environment}, stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL, text=True,
    ) as process:  # fmt: skip
        try:
            until(lambda: _answers(server.port), process)
            yield server
        finally:
            process.kill()


def _answers(port: int) -> bool:
    with socket.create_connection(("127.0.0.1", port), timeout=5):
        return True


def _free_port() -> int:
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return int(found.getsockname()[1])
