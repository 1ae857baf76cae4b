"""What a site is called, and a title without that name at either end."""

import re
from collections.abc import Iterator, Sequence

from izwi.model.document import Claim

ARTICLE = re.compile(r"^(?:the|der|die|das|el|la|le|il|de)\s+", re.I)
_SEPARATORS = re.compile(r"(\s+[|»«·•:—–/-]+\s+(?:[|»«·•:—–/-]+\s+)?|\s*[|•]\s*|\s+[-–—]{2}\s*)")
# Where words are not spaced, the site's name stands behind a bare hyphen.
_EAST = r"\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af"
_EASTERN_SITE = re.compile(rf"(?<=[{_EAST}！？。」』”》]{{5}})(?:[-_|][{_EAST}]{{2,10}}){{1,3}}$")
_LEAST_SITE = 4


def site_names(claims: Sequence[Claim]) -> Iterator[str]:
    """Yield what the site is called, letters only: a page by "GlossGenius" has no author."""
    for claim in claims:
        if claim.property == "publisher":
            yield letters(ARTICLE.sub("", claim.value))
            yield from (letters(part) for part in claim.value.split(".") if len(part) > 2)


def without_site(title: str, sites: set[str]) -> str:
    """Return a title without the site's name at its end or beginning.

    >>> without_site("Robots are out | Karoo Courant", {"karoocourant"})
    'Robots are out'
    """
    parts = title_parts(_EASTERN_SITE.sub("", title))
    if len(parts) > 2 and letters(parts[0]) in sites and letters(parts[-1]) not in sites:
        # Named at its place, the site may be spoken of in the headline.
        return "".join(parts[2:]).strip()
    while len(parts) > 2 and names_site(parts[-1], sites):
        parts = parts[:-2]
    if len(parts) > 2 and letters(parts[0]) in sites:
        parts = parts[2:]
    return "".join(parts).strip()


def title_parts(title: str) -> list[str]:
    """Return the parts of a title, and between every two what parts them."""
    return _SEPARATORS.split(title)


def names_site(part: str, sites: set[str]) -> bool:
    """Return whether a part of a title is the name of the site, or one with it."""
    own = letters(part)
    return own in sites or any(
        len(site) >= _LEAST_SITE and (site in own or (len(own) >= _LEAST_SITE and own in site))
        for site in sites
    )


def letters(value: str) -> str:
    """Return the letters and digits of a name alone, in one case."""
    return "".join(filter(str.isalnum, value.casefold()))
