"""The word behind its prefixes and suffixes, for languages that write them in one."""

# Morphemes that carry the meaning of a word in the SADiLaR annotation.
_ROOTS = ("NStem", "VRoot", "AdjStem", "AdvStem", "RelStem", "QuantStem", "NumStem", "Foreign")


def root_of(morphemes: str) -> str:
    """Return the first root in an annotation such as i[NPrePre8]-zi[BPre8]-dingo[NStem].

    >>> root_of("i[NPrePre8]-zi[BPre8]-dingo[NStem]")
    'dingo'
    """
    for part in morphemes.split("-"):
        text, _, label = part.partition("[")
        if text and label.startswith(_ROOTS):
            return text
    return ""
