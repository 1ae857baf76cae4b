"""Compiled templates kept from one start of a server to the next."""

import pickle
from contextlib import suppress
from hashlib import blake2b
from importlib.metadata import version
from pathlib import Path

from jinja2 import FileSystemBytecodeCache
from jinja2.bccache import Bucket


class KeptTemplates(FileSystemBytecodeCache):
    """Templates compiled before, of the same text and options; all of them take a second.

    A folder that cannot be read or written costs that second again and nothing else.
    """

    def __init__(self, folder: Path, options: object) -> None:
        # Jinja itself looks at the text and at the version of Python.
        made = repr((options, version("izwi"), version("jinja2")))
        super().__init__(str(folder), f"{blake2b(made.encode(), digest_size=6).hexdigest()}-%s")
        with suppress(OSError):
            folder.mkdir(parents=True, exist_ok=True, mode=0o700)

    def load_bytecode(self, bucket: Bucket) -> None:
        """Take what was kept, if it is whole."""
        try:
            super().load_bytecode(bucket)
        except (OSError, pickle.UnpicklingError):
            bucket.reset()

    def dump_bytecode(self, bucket: Bucket) -> None:
        """Keep what was compiled, where that is possible."""
        with suppress(OSError):
            super().dump_bytecode(bucket)
