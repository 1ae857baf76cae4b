"""Rewriting sealed shards: several joined into one, or one without what was taken down.

New files are written beside the old ones; a plan, written last, makes them count. From then on the
rest is only to be finished, and every run that writes does that first, so a kill at any moment
leaves the old files or the new ones. The joined shard has the name of its first, so corpus order
stays, and no row of a layer changes: columns are copied.
"""

import json
import os
import shutil
import zlib
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import IO

from izwi.model.capture import CaptureEntry
from izwi.model.errors import CorruptShard, StoreError
from izwi.store.catalog import Catalog
from izwi.store.files import make_durable, replacing, write_text
from izwi.store.layer_formats import FORMATS
from izwi.store.layers import count_rows, drop_rows, join_rows, read_columns
from izwi.store.layout import Layout
from izwi.store.ownership.shard_runs import read_holders, write_holders
from izwi.store.warc import read_entries, write_entries

Keep = Callable[[str], bool]
_NEW = ".new"
_CHUNK = 1 << 20


@dataclass(frozen=True, slots=True)
class Rewriting:
    """A plan: these shards become the first of them; these layers are written anew already."""

    shards: tuple[str, ...]
    layers: tuple[str, ...] = ()


def join_shards(layout: Layout, catalog: Catalog, shards: Sequence[str]) -> None:
    """Make one shard of several that follow each other, with all that was made of them."""
    _forget_unplanned(layout)
    first = shards[0]
    with _new_file(layout.warc(first)) as output:
        entries = [
            replace(entry, offset=base + entry.offset)
            for shard in shards
            for base in [_copy_whole(layout.warc(shard), output)]
            for entry in read_entries(layout.captures(shard))
        ]
    write_entries(_new(layout.captures(first)), entries)
    layers = tuple(
        folder.name
        for folder in sorted(layout.layers.glob("*-*"))
        if _join_layer(folder, [f"{shard}.parquet" for shard in shards])
    )
    _carry_out(layout, catalog, Rewriting(tuple(shards), layers))


def rewrite_shard(layout: Layout, catalog: Catalog, shard: str, keep: Keep) -> bool:
    """Write a shard without some of its URLs, and so what was made of it; say whether all was.

    What cannot be told by rows, since pages were joined or taken apart, is to be made again.
    """
    _forget_unplanned(layout)
    warc, listing = layout.warc(shard), layout.captures(shard)
    before = list(read_entries(listing))
    with _new_file(warc) as output, warc.open("rb") as file:
        entries = list(_copy_kept(file, before, output, keep))
    write_entries(_new(listing), entries)
    urls = [entry.url for entry in before]
    layers: list[str] = []
    made = sorted(layout.layers.glob(f"*-*/{shard}.parquet"))
    if all(_is_by_page(text, urls, keep) for text in layout.layers.glob(f"text-*/{shard}.parquet")):
        layers = [path.parent.name for path in made if _drop_from_layer(path, urls, keep)]
    _carry_out(layout, catalog, Rewriting((shard,), tuple(layers)))
    return len(layers) == len(made)


def finish_rewriting(layout: Layout, catalog: Catalog) -> None:
    """Finish what an earlier run planned and did not live to do; twice does no harm."""
    try:
        plan = json.loads(layout.rewriting.read_text(encoding="utf-8"))
        rewriting = Rewriting(tuple(plan["shards"]), tuple(plan["layers"]))
    except FileNotFoundError:
        return
    except (OSError, ValueError, KeyError) as error:
        raise StoreError(f"{layout.rewriting} cannot be read ({error}).") from error
    first, *others = rewriting.shards
    for path in (layout.warc(first), layout.captures(first)):
        _put_in_place(path)
    for folder in layout.layers.glob("*-*"):
        _finish_layer(folder, first, others, is_joined=folder.name in rewriting.layers)
    catalog.join_shards(
        first, others, list(read_entries(layout.captures(first))), layout.warc(first).stat().st_size
    )
    if not others:  # what left the file leaves the index, too
        catalog.renew(first)
    catalog.commit()
    for shard in others:
        layout.captures(shard).unlink(missing_ok=True)
        layout.warc(shard).unlink(missing_ok=True)
    layout.rewriting.unlink()


def _carry_out(layout: Layout, catalog: Catalog, rewriting: Rewriting) -> None:
    write_text(layout.rewriting, json.dumps(asdict(rewriting)))
    finish_rewriting(layout, catalog)


def _finish_layer(folder: Path, first: str, others: Sequence[str], *, is_joined: bool) -> None:
    joined = folder / f"{first}.parquet"
    if is_joined:
        _put_in_place(joined)
    else:
        joined.unlink(missing_ok=True)
    for shard in others:
        (folder / f"{shard}.parquet").unlink(missing_ok=True)


def _join_layer(folder: Path, names: Sequence[str]) -> bool:
    """Write the files of a layer as one, if all are there and it is one of rows; say whether.

    Who owns what is found out again: that is cheap, and depends on the documents alone.
    """
    paths = [folder / name for name in names]
    if not all(path.exists() for path in paths):
        return False
    layer = folder.name.rpartition("-")[0]
    try:
        if layer in FORMATS:
            join_rows(_new(paths[0]), layer, paths)
    except CorruptShard:
        return False  # what is damaged is made again by the next build
    return _new(paths[0]).exists()


def _is_by_page(text: Path, urls: Sequence[str], keep: Keep) -> bool:
    """Whether each row is a page, and none that goes was joined with another."""
    try:
        table = read_columns(text, ["url", "verdict"])
    except CorruptShard:
        return False
    parts = [
        (url, verdict["detail"])
        for url, verdict in zip(urls, table.column("verdict").to_pylist(), strict=False)
        if verdict["reason"] == "part-of"
    ]
    return table.column("url").to_pylist() == list(urls) and all(
        keep(url) for pair in parts for url in pair
    )


def _drop_from_layer(path: Path, urls: Sequence[str], keep: Keep) -> bool:
    """Write a shard of a layer without the rows of some pages, if it has a row for each page."""
    layer = path.parent.name.rpartition("-")[0]
    try:
        if layer == "own":
            return _drop_holders(path, keep)
        if layer not in FORMATS or count_rows(path) != len(urls):
            return False
        drop_rows(_new(path), layer, path, {n for n, url in enumerate(urls) if not keep(url)})
    except CorruptShard:
        return False  # what is damaged is made again by the next build
    return True


def _drop_holders(path: Path, keep: Keep) -> bool:
    """Write the list of who holds texts without some pages, if these own nothing any more."""
    found = read_holders(path)
    if any(not each.is_excluded and not keep(each.url) for each in found.documents):
        return False
    write_holders(_new(path), found.run, [each for each in found.documents if keep(each.url)])
    return True


def _copy_whole(source: Path, output: IO[bytes]) -> int:
    """Append a file and return where it begins."""
    base = output.tell()
    with source.open("rb") as file:
        shutil.copyfileobj(file, output, _CHUNK)
    return base


def _copy_kept(
    file: IO[bytes], entries: Sequence[CaptureEntry], output: IO[bytes], keep: Keep
) -> Iterator[CaptureEntry]:
    """Copy the captures that may stay, and what stands between captures; yield their places."""
    place = 0
    for entry in sorted(entries, key=lambda entry: entry.offset):
        _copy_between(file, place, entry.offset, output, keep)
        if keep(entry.url):
            yield replace(entry, offset=output.tell())
            file.seek(entry.offset)
            output.write(file.read(entry.length))
        place = entry.offset + entry.length
    _copy_between(file, place, file.seek(0, os.SEEK_END), output, keep)


def _copy_between(file: IO[bytes], start: int, end: int, output: IO[bytes], keep: Keep) -> None:
    """Copy the records that are no part of a capture: the file's own, and revisits."""
    file.seek(start)
    for member, record in _members(file.read(end - start)):
        url = _target(record)
        if not url or keep(url):
            output.write(member)


def _members(raw: bytes) -> Iterator[tuple[bytes, bytes]]:
    """Yield the gzip members of some bytes, packed and unpacked; damage ends them."""
    while raw:
        unpacker = zlib.decompressobj(31)
        try:
            record = unpacker.decompress(raw)
        except zlib.error:
            return
        rest = unpacker.unused_data
        yield raw[: len(raw) - len(rest)], record
        raw = rest


def _target(record: bytes) -> str:
    head = record.partition(b"\r\n\r\n")[0].decode("utf-8", "replace")
    pairs = (line.partition(": ") for line in head.split("\r\n"))
    return next((value for name, _, value in pairs if name.lower() == "warc-target-uri"), "")


def _new(path: Path) -> Path:
    return path.with_name(path.name + _NEW)


@contextmanager
def _new_file(path: Path) -> Iterator[IO[bytes]]:
    """Give a file beside another, open for writing, that is whole or absent."""
    with replacing(_new(path)) as temporary, temporary.open("wb") as file:
        yield file


def _put_in_place(path: Path) -> None:
    if _new(path).exists():
        _new(path).replace(path)
        make_durable(path.parent)


def _forget_unplanned(layout: Layout) -> None:
    """Remove new files of a run that was killed before it had a plan."""
    for folder in (layout.warcs, layout.layers):
        for path in folder.rglob(f"*{_NEW}"):
            path.unlink()
