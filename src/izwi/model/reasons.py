"""The reasons of the ledger in words, said once: commands print them, pages translate them."""

from collections.abc import Mapping

REASONS: Mapping[str, str] = {
    "already-captured": "was captured before",
    "bad-address": "no address that can be asked",
    "bad-certificate": "the site's certificate is not valid",
    "bad-redirect": "the site led to something that is no address",
    "broken-encoding": "packed in a way that could not be undone",
    "broken-response": "the answer broke off or made no sense",
    "browser-missing": "needs a browser, and none is installed",
    "cut-short": "kept, but only its beginning was read",
    "damaged-capture": "its bytes in the archive are damaged",
    "deep-path": "an address so deep that it is probably a trap",
    "dropped-copy": "a copy, and the copies of its source are dropped",
    "edited-copy": "another page, heavily edited",
    "empty": "the answer held nothing",
    "ending": "its address ends as a picture, a film or a program does",
    "exact-blocks-copy": "made of paragraphs of other pages",
    "exact-copy": "the same text as another page",
    "excluded": "excluded by a curator",
    "extractor-error": "the extractor failed on it",
    "fatal": "reading it ended the process, twice",
    "few-letters": "too few letters for running text",
    "gatherer-error": "a fault of izwi while fetching; the log tells more",
    "http-status": "the site answered with an error",
    "is-a-feed": "a feed, which only names pages",
    "is-a-sitemap": "a site map, which only names pages",
    "long-words": "its words are too long to be words",
    "many-capitals": "too many capitals for running text",
    "many-symbols": "too many signs for running text",
    "maybe-not-connected": "kept, but it may be a list",
    "media-type": "neither a page nor a text",
    "needs-browser": "scripts make its text: its source needs a browser",
    "ngrams-copy": "nearly the same text as another page",
    "no-answer": "a record of a web archive that is no answer of a site",
    "no-comments": "the site gives no comments for it",
    "no-main-text": "no main text was found",
    "noai": "its owner does not want it used",
    "noarchive": "its owner does not want it kept",
    "noindex": "its owner does not want it indexed",
    "not-a-memento": "the web archive gave a page of its own instead",
    "not-built": "gathered, waits for a build",
    "not-connected": "a list or a menu, no running text",
    "other-language": "in another language",
    "other-variety": "too little that is typical of the variety",
    "page-type": "a type of page that is not wanted",
    "part-of": "a further page of an article: its text stands with the first",
    "private-address": "an address inside a private network",
    "quota": "its site has given enough",
    "redirect-loop": "the site leads round in circles",
    "repeated-path": "an address that repeats itself, probably a trap",
    "repetitive": "says the same again and again",
    "restored": "restored by a curator",
    "robots": "robots.txt forbids it",
    "robots-unreachable": "robots.txt could not be had",
    "scanned": "a PDF whose pages are pictures",
    "sentences-copy": "shares most of its sentences with another page",
    "shingles-copy": "nearly the same text as another page",
    "short-words": "its words are too short to be words",
    "source-paused": "its source is paused",
    "source-removed": "its source was removed",
    "stage-error": "a fault of izwi while working on it; its detail tells more",
    "taken-down": "taken down",
    "tdm-reservation": "its owner reserves text mining",
    "too-large": "too large",
    "too-long": "too many words",
    "too-many-redirects": "the site leads on too often",
    "too-short": "too few words",
    "trap": "an endless series of addresses, a trap for crawlers",
    "uncertain": "its language is not certain",
    "unpacks-too-large": "too large",
    "unpromising": "the pages before it were in other languages",
    "unreachable": "the site could not be reached",
    "unreadable-file": "a damaged PDF or office file",
}
# What bounds it, or what would mend it, for who runs the corpus.
SETTINGS: Mapping[str, str] = {
    "needs-browser": "[[source]] browser",
    "page-type": "[select] without_types",
    "too-large": "[gather] max_size",
    "too-long": "[select] maximum_words",
    "too-short": "[select] minimum_words",
    "unpacks-too-large": "[extract] max_size",
}


def in_words(reason: str) -> str:
    """Return a reason in words; nothing, if it needs none or nobody wrote them.

    >>> in_words("http-404"), in_words("is-a-feed")
    ('the server answered 404', 'a feed, which only names pages')
    """
    if reason.removeprefix("http-").isdecimal():
        return f"the server answered {reason.removeprefix('http-')}"
    return REASONS.get(reason, "")


def with_settings(reason: str) -> str:
    """Return a reason in words, with the setting that bounds it.

    >>> with_settings("too-short"), with_settings("robots")
    ('too few words: [select] minimum_words', 'robots.txt forbids it')
    """
    return ": ".join(filter(None, (in_words(reason), SETTINGS.get(reason, ""))))
