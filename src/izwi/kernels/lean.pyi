def lean(utf8: bytes, is_whole: bool = False) -> tuple[bytes, bool]:
    """Return markup without what is not read, and whether it would make a parser slow."""
