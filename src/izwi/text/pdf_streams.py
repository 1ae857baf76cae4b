"""To how much the parts of a PDF unpack, before anything that would hold it in memory reads it."""

import re
import zlib
from base64 import a85decode
from binascii import unhexlify
from bisect import bisect_left
from collections import Counter, deque
from collections.abc import Iterator
from contextlib import suppress
from itertools import chain, pairwise

_STREAM = re.compile(rb"\bstream\r?\n")
# Of one page, one font, one list of objects; a file of 1 MB may unpack to many GB in the reader.
LARGEST_STREAM = 128 << 20
# All of them; or one that is named a picture, which is not unpacked for its text.
LARGEST_FILE = 4 * LARGEST_STREAM
_PIECE = 1 << 16
# Text of some letters round what is packed, and packed twice by mistake; more is a bomb.
_MOST_WRAPPINGS = 3
_CONTENTS = re.compile(rb"/Contents\s*\[([^\]]*)\]")
_REFERENCE = re.compile(rb"(\d{1,10})\s+\d+\s+R")
_MOST_REPEATED = 8


class _Endless(Exception):
    """More unpacks than fits into memory."""


def has_endless_part(body: bytes) -> bool:
    """Whether a PDF unpacks to more than fits into memory.

    It goes by what the parts hold, not by what they are said to hold, which has many spellings.
    """
    total, read = 0, [0]
    ends = [found.start() for found in re.finditer(b"endstream", body)]
    try:
        for begin in _STREAM.finditer(body):
            described = body[max(0, begin.start() - 400) : begin.start()].rpartition(b"obj")[2]
            is_picture = b"/Image" in described
            place = bisect_left(ends, begin.end())
            cuts = (begin.end(), ends[place] if place < len(ends) else len(body), len(body))
            raw = (piece for span in pairwise(cuts) for piece in _in_pieces(body, *span))
            most = LARGEST_FILE if is_picture else LARGEST_STREAM
            # Parts do not overlap, but for those made to be read again and again.
            size = _unpacked_size(_counted(raw, read, 4 * len(body) + _PIECE), most)
            total += 0 if is_picture else size
    except _Endless:
        return True
    shown = (Counter(map(int, _REFERENCE.findall(found[1]))) for found in _CONTENTS.finditer(body))
    is_repeated = any(max(each.values(), default=0) > _MOST_REPEATED for each in shown)
    return is_repeated or total > LARGEST_FILE


def _unpacked_size(pieces: Iterator[bytes], most: int, wrappings: int = 0) -> int:
    """Return to how much something unpacks that may be packed more than once."""
    first = next(pieces, b"")
    unpack = next((unpack for begins, unpack in _WRAPPINGS if begins(first)), None)
    if wrappings > _MOST_WRAPPINGS:
        raise _Endless
    sizes = [len(first)] if wrappings else [0]
    if unpack is not None:
        inside = unpack(chain((first,), _counted(pieces, sizes, most)))
        return max(_unpacked_size(inside, most, wrappings + 1), sizes[0])
    if wrappings:
        deque(_counted(pieces, sizes, most), maxlen=0)
    return sizes[0]


def _counted(pieces: Iterator[bytes], sizes: list[int], most: int) -> Iterator[bytes]:
    for piece in pieces:
        sizes[0] += len(piece)
        if sizes[0] > most:
            raise _Endless
        yield piece


def _is_inflatable(first: bytes) -> bool:
    return len(first) > 1 and first[0] & 15 == 8 and int.from_bytes(first[:2], "big") % 31 == 0


def _inflated(pieces: Iterator[bytes]) -> Iterator[bytes]:
    unpacking = zlib.decompressobj()
    with suppress(zlib.error):
        for piece in pieces:
            while piece and not unpacking.eof:
                if found := unpacking.decompress(piece, _PIECE):
                    yield found
                piece = unpacking.unconsumed_tail
            if unpacking.eof:
                return


def _from_hex(pieces: Iterator[bytes]) -> Iterator[bytes]:
    for piece in _up_to(pieces, b">"):
        digits = re.sub(rb"[^0-9A-Fa-f]", b"", piece)
        yield unhexlify(digits[: len(digits) // 2 * 2])


def _from_base_85(pieces: Iterator[bytes]) -> Iterator[bytes]:
    with suppress(ValueError):
        yield from _in_pieces(found := a85decode(b"".join(_up_to(pieces, b"~>"))), 0, len(found))


def _up_to(pieces: Iterator[bytes], mark: bytes) -> Iterator[bytes]:
    for piece in pieces:
        yield piece.partition(mark)[0]
        if mark in piece:
            return


def _in_pieces(data: bytes, begin: int, end: int) -> Iterator[bytes]:
    return (data[n : min(n + _PIECE, end)] for n in range(begin, end, _PIECE))


def _is_hex(first: bytes) -> bool:
    found = re.match(rb"\s*((?:[0-9A-Fa-f]{2}){2,16})", first)
    return found is not None and _is_wrapped(unhexlify(found[1]))


def _is_base_85(first: bytes) -> bool:
    found = re.match(rb"\s*((?:[!-u]{5}){1,4})", first)
    with suppress(ValueError):
        return found is not None and _is_wrapped(a85decode(found[1]))
    return False


def _is_wrapped(first: bytes) -> bool:
    return any(begins(first) for begins, _ in _WRAPPINGS)


# What may be wrapped round the bytes of a part: how it begins, what takes it off.
_WRAPPINGS = ((_is_inflatable, _inflated), (_is_hex, _from_hex), (_is_base_85, _from_base_85))
