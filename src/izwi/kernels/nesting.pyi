from array import array

def hash_of(name: bytes) -> int:
    """Return the FNV-1a hash of a name."""

def nested(
    markup: bytes,
    out: bytearray,
    names: tuple[array[int], array[int], array[int], array[int]],
    references: tuple[array[int], array[int], array[int]],
    stack: memoryview,
    hashes: memoryview,
    formats: memoryview,
) -> tuple[int, int, bool, int]:
    """Return how much is written, where a title begins, whether some may not be seen, and more."""
