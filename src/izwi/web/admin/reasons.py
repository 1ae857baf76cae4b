"""Why pages are not in the corpus, in words instead of codes."""

from izwi.model.results import LedgerLine
from izwi.web.messages import gettext as _

# Stages after which there is a text that could be restored.
_WITHOUT_TEXT = ("extract", "fetch", "build", "takedown")


def in_words(reason: str) -> str:
    """Return a reason in words, empty if it speaks for itself."""
    words = {
        "not-connected": _("a list or a menu, no running text"),
        "other-language": _("in another language"),
        "uncertain-language": _("its language is not certain"),
        "too-short": _("too few words"),
        "too-long": _("too many words"),
        "exact-copy": _("the same text as another page"),
        "exact-blocks-copy": _("made of paragraphs of other pages"),
        "ngrams-copy": _("nearly the same text as another page"),
        "near-copy": _("nearly the same text as another page"),
        "no-main-text": _("no main text was found"),
        "repetition": _("says the same again and again"),
        "robots": _("robots.txt forbids it"),
        "robots-unreachable": _("robots.txt could not be had"),
        "unreachable": _("the site could not be reached"),
        "trap": _("an endless series of addresses, a trap for crawlers"),
        "taken-down": _("taken down"),
        "takedown": _("taken down"),
        "source-paused": _("its source is paused"),
        "source-removed": _("its source was removed"),
        "is-a-feed": _("a feed, which only names pages"),
        "is-a-sitemap": _("a site map, which only names pages"),
        "noindex": _("its owner does not want it indexed"),
        "noarchive": _("its owner does not want it kept"),
        "noai": _("its owner does not want it used"),
        "tdm-reservation": _("its owner reserves text mining"),
        "http-status": _("the site answered with an error"),
        "too-large": _("too large"),
        "media-type": _("neither a page nor a text"),
        "not-built": _("gathered, waits for a build"),
        "excluded": _("excluded by a curator"),
        "restored": _("restored by a curator"),
        "page-type": _("a type of page that is not wanted"),
        "quota": _("its site has given enough"),
        "already-captured": _("was captured before"),
    }
    return words.get(reason, "")


def measured(line: LedgerLine) -> str:
    """Return by how much a page missed its threshold, in words."""
    if line.value is None:
        return ""
    value = _short(line.value)
    if line.threshold is None:
        return _("certain by %(value)s") % {"value": value} if "language" in line.reason else value
    limit = _short(line.threshold)
    sentences = {
        "not-connected": _("distance from running text %(value)s, at most %(limit)s"),
        "too-short": _("%(value)s words, at least %(limit)s"),
        "too-long": _("%(value)s words, at most %(limit)s"),
        "other-language": _("certain by %(value)s, at least %(limit)s"),
        "uncertain-language": _("certain by %(value)s, at least %(limit)s"),
    }
    copied = _("%(value)s of it is copied, at most %(limit)s")
    plain = _("measured %(value)s, threshold %(limit)s")
    words = sentences.get(line.reason, copied if line.reason.endswith("-copy") else plain)
    return words % {"value": value, "limit": limit}


def can_be_restored(line: LedgerLine) -> bool:
    """Return whether a curator can put a page back."""
    return bool(line.document) and line.stage not in _WITHOUT_TEXT and line.outcome != "kept"


def why_not(line: LedgerLine) -> str:
    """Return why nothing can be decided about a page."""
    if line.outcome == "waiting":
        return _("waits")
    if line.stage == "fetch":
        return _("never fetched")
    return _("has no text")


def _short(value: float) -> str:
    if value <= 1:
        return f"{value:.2f}"
    return f"{value:.0f}" if value == int(value) else f"{value:.1f}"
