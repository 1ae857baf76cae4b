"""Everything that can go wrong in a way a user can act on.

    IzwiError
    ├── ConfigError            corpus.toml is missing, malformed or asks for something unknown
    ├── SourceError            a source cannot be read the way it is described
    ├── StoreError             the corpus folder cannot be read or written
    │   ├── CorpusLocked       another process is writing
    │   ├── CorruptShard       a file of one shard is damaged
    │   ├── DiskFull           no space left, or the folder is read-only
    │   └── OutOfMemory        no memory left, or a limit on the process is reached
    ├── QueryError             a query cannot be answered
    │   ├── CqlSyntaxError     ... because of the character it points at
    │   ├── QueryTimeout       ... within the time it was given
    │   └── NotFound           ... because what it names is not there
    │       └── TakenDown      ... at its owner's wish
    ├── PluginError            a named part is not installed
    │   └── MissingExtra       ... and one line installs it
    ├── NotAllowed             somebody asked for what only curators may do
    ├── LaterChange            somebody changed the same thing since
    └── BuildError             some shards could not be built

Messages say what happened, to what, and what one can do. Each error is made from its message alone,
so it survives the journey home from a worker process.
"""

import errno
import re
from pathlib import Path


class Terminated(KeyboardInterrupt):
    """SIGTERM asked the process to end: as Ctrl-C does, with an exit status of its own."""


# What the system says of a file: its number, and the name that the sentence gives already.
_OF_SYSTEM = re.compile(r"\[Errno -?\d+\] ([^:\n]+)(?:: '[^'\n]*'(?: -> '[^'\n]*')?)?")
_OF_CODEC = re.compile(
    r"'utf-?8' codec can't decode bytes? .*? in position (\d+)[^:\n]*: [a-z ]+", re.IGNORECASE
)


# So many characters are still read by somebody.
_LONGEST = 2_000


class IzwiError(Exception):
    """Base of all errors a user may read; its text is one complete sentence or two.

    >>> print(IzwiError("a.tsv cannot be read: [Errno 2] No such file or directory: 'a.tsv'."))
    a.tsv cannot be read: No such file or directory.
    """

    def __init__(self, message: object = "", *more: object) -> None:
        text = _OF_SYSTEM.sub(r"\1", str(message))
        if len(text) > _LONGEST:  # it repeats something long that it was given
            text = f"{text[: _LONGEST // 2]} … {text[-_LONGEST // 4 :]}"
        super().__init__(_OF_CODEC.sub(r"it is not UTF-8 text, at byte \1", text), *more)


class ConfigError(IzwiError):
    """corpus.toml is missing, malformed or asks for something unknown."""


class SourceError(IzwiError):
    """A source cannot be read the way it is described."""


class StoreError(IzwiError):
    """The corpus folder cannot be read or written."""


class CorpusLocked(StoreError):
    """Another process is writing to this corpus."""


class CorruptShard(StoreError):
    """A file of one shard is damaged; `path` names it."""

    def __init__(self, message: str, path: str = "") -> None:
        super().__init__(message, path)
        self.path = path

    def __str__(self) -> str:
        return str(self.args[0])


class DiskFull(StoreError):
    """No space is left, or the folder cannot be written."""


class OutOfMemory(StoreError):
    """No memory is left, or the process may not have more."""


class NotAllowed(IzwiError):
    """Somebody asked for what only curators may do."""


class LaterChange(IzwiError):
    """Somebody changed the same thing since, so that a change cannot be taken back alone."""


class QueryError(IzwiError):
    """A query cannot be answered; `proposals` are queries that may have been meant."""

    proposals: tuple[str, ...] = ()

    def propose(self, queries: tuple[str, ...]) -> None:
        """Say what may have been meant, also where Python shows the error."""
        self.proposals = queries
        if queries:
            self.add_note(f"Perhaps: {'   or   '.join(queries)}")


class CqlSyntaxError(QueryError):
    """A query is not CQL; `position` is the character, counted from 0, at which that shows."""

    def __init__(self, message: str, position: int = 0) -> None:
        super().__init__(message, position)
        self.position = position

    def __str__(self) -> str:
        return str(self.args[0])


class QueryTimeout(QueryError):
    """A query was stopped because its time was up or somebody cancelled it."""


class NotFound(QueryError):
    """What was asked for by name is not in this corpus, or not in this version of it."""


class TakenDown(NotFound):
    """What was asked for was taken down at its owner's wish."""


class PluginError(IzwiError):
    """A part named in corpus.toml is not installed."""


class MissingExtra(PluginError):
    """A part needs an optional package; the message has the line that installs it."""


class BuildError(IzwiError):
    """Some shards could not be built."""


_ENVIRONMENT = {
    errno.ENOSPC: "The disk is full",
    errno.EDQUOT: "Your disk quota is used up",
    errno.EROFS: "The folder is on a read-only file system",
    errno.EACCES: "This user may not write there",
    errno.EPERM: "This user may not write there",
}


_NO_MEMORY = (
    "There is not enough memory. What was committed before is safe: end other programs, use fewer "
    "workers or raise the limit (ulimit -v), then run the same command again."
)
# What loaders, threads and C++ say where Python would raise a MemoryError.
_SAID_OF_MEMORY = (
    "cannot allocate memory", "failed to map segment", "can't start new thread", "bad_alloc",
)  # fmt: skip

# Packages that come with an extra, by the name one imports.
_EXTRAS = {
    "scipy": "train", "lightgbm": "train", "playwright": "browser", "spacy": "spacy",
    "pandas": "pandas", "polars": "polars", "trafilatura": "trafilatura", "pycld2": "pycld2",
    "lingua": "lingua", "ufal": "udpipe", "morfessor": "segments", "distributed": "dask",
    "dask": "dask", "mcp": "mcp", "jieba": "spaceless", "janome": "spaceless",
    "pythainlp": "spaceless", "rensa": "bench", "datasketch": "bench", "psutil": "bench",
    "altair": "altair", "psycopg": "postgresql", "justext": "justext", "lxml_html_clean": "justext",
    "resiliparse": "resiliparse",
}  # fmt: skip


def missing_extra(error: ImportError) -> MissingExtra | None:
    """Return the error that names the extra of a package that is not there; None if none has it.

    >>> missing_extra(ModuleNotFoundError(name="scipy.sparse")).args[0]
    "This needs the package scipy. Install it with: pip install 'izwi[train]'"
    """
    package = (error.name or "").partition(".")[0]
    extra = _EXTRAS.get(package)
    if extra is None:
        return None
    line = f"pip install 'izwi[{extra}]'"
    return MissingExtra(f"This needs the package {package}. Install it with: {line}")


def environment_error(error: Exception) -> DiskFull | OutOfMemory | None:
    """Return the error that stops all work when the machine, and not the data, is at fault.

    >>> environment_error(OSError(errno.ENOSPC, "No space left", "/data/a.warc.gz")).args[0][:16]
    'The disk is full'
    >>> environment_error(MemoryError()).args[0][:26]
    'There is not enough memory'
    """
    if _is_for_memory(error):
        return OutOfMemory(_NO_MEMORY)
    words = _ENVIRONMENT.get(error.errno or 0) if isinstance(error, OSError) else None
    if words is None or not isinstance(error, OSError):
        return None
    place = f" ({error.filename})" if error.filename else ""
    return DiskFull(
        f"{words}{place}. What was committed before is safe: make room or change the "
        "permissions, then run the same command again."
    )


def unreadable(message: str, path: Path, error: Exception) -> CorruptShard | OutOfMemory:
    """Return the error that a file is damaged, unless it was memory that lacked to read it.

    >>> type(unreadable("a.parquet is damaged.", Path("a.parquet"), MemoryError())).__name__
    'OutOfMemory'
    """
    return OutOfMemory(_NO_MEMORY) if _is_for_memory(error) else CorruptShard(message, str(path))


def _is_for_memory(error: BaseException | None) -> bool:
    """Return whether an error came of a lack of memory; libraries say it in their own words."""
    if error is None:
        return False
    if isinstance(error, MemoryError) or getattr(error, "errno", None) == errno.ENOMEM:
        return True
    words = str(error).lower()
    return any(each in words for each in _SAID_OF_MEMORY) or _is_for_memory(error.__cause__)


def of_damaged_arrays() -> tuple[type[Exception], ...]:
    """Return what NumPy and its parts may raise where a file of arrays is damaged or none."""
    # Asked once something is wrong: few commands need these modules.
    from lzma import LZMAError
    from zipfile import BadZipFile
    from zlib import error as NotPacked

    said = (OSError, ValueError, TypeError, LookupError, EOFError, RuntimeError)
    return (*said, BadZipFile, LZMAError, NotPacked)


def no_corpus(folder: Path) -> ConfigError:
    """Return the error that a folder holds no corpus."""
    place = folder.resolve()
    around = next((each for each in place.parents if (each / "corpus.toml").is_file()), None)
    if around is not None:
        return ConfigError(f"{place} is not a corpus but lies in one; name its folder: {around}")
    if place.is_file():
        return ConfigError(f"{place} is a file; a corpus is a folder that holds a corpus.toml.")
    return ConfigError(f"There is no corpus.toml in {place}. Make a corpus with: izwi init {place}")
