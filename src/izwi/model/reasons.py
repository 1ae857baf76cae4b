"""The reasons of the ledger in words: what `izwi drops` prints, and the reference lists."""

from collections.abc import Mapping

REASONS: Mapping[str, str] = {
    "already-captured": "fetched before, and unchanged",
    "bad-address": "no address that can be asked",
    "bad-certificate": "the site's certificate is not valid",
    "bad-redirect": "the site sent the crawler to something that is no address",
    "broken-encoding": "packed in a way that could not be undone",
    "broken-response": "the answer broke off or made no sense",
    "browser-missing": "it needs a browser, and none is installed",
    "cut-short": "kept, but only its beginning was read: larger than any page people read",
    "damaged-capture": "its bytes in the WARC file are damaged",
    "deep-path": "an address with so many folders that it is probably a trap",
    "dropped-copy": "a copy, and the copies of its source are dropped",
    "edited-copy": "a copy of another page, heavily edited",
    "empty": "the answer held nothing",
    "ending": "not asked for: its address ends as a picture, a film or a program does",
    "exact-blocks-copy": "all its paragraphs stand in other pages, word for word",
    "exact-copy": "word for word the text of another page",
    "excluded": "a curator took it out",
    "extractor-error": "the extractor failed on this page",
    "fatal": "reading it ended the process, twice; it was left out",
    "few-letters": "too few letters to be running text",
    "gatherer-error": "a fault of izwi while fetching; the log tells more",
    "http-status": "the site answered with an error",
    "long-words": "its words are too long on average to be words",
    "many-capitals": "too many capitals to be running text",
    "many-symbols": "too many signs to be running text",
    "media-type": "neither a page nor a text: a picture, a film, a program",
    "scanned": "a PDF whose pages are pictures, without text",
    "unreadable-file": "a PDF or an office file that is damaged",
    "needs-browser": "scripts make its text: write browser = true below its source",
    "ngrams-copy": "most of its words stand in other pages, in the same order",
    "no-answer": "a record of a web archive that is no answer of a site",
    "no-comments": "the site gives no comments for this page",
    "no-main-text": "nothing on the page looks like its main text",
    "noai": "its owner does not want it used by machines that learn",
    "noarchive": "its owner does not want it kept",
    "noindex": "its owner does not want it indexed",
    "not-a-memento": "the web archive gave a page of its own instead of a stored one",
    "not-built": "fetched, not yet built: run izwi build",
    "not-connected": "a list, table or menu rather than running text",
    "maybe-not-connected": "kept, but it reads like a list and is too short to tell",
    "other-language": "not in a language of the corpus",
    "other-variety": "too little that is typical of the variety",
    "page-type": "a type of page that [select] without_types leaves out",
    "part-of": "a further page, a print view or a frame: its text stands with the first page",
    "private-address": "an address inside a private network",
    "quota": "the source has as many pages as it may have",
    "redirect-loop": "the site sends the crawler round in circles",
    "repeated-path": "an address that repeats itself, probably a trap",
    "repetitive": "it says the same lines again and again",
    "restored": "a curator put it back",
    "robots": "the site's robots.txt forbids it",
    "robots-unreachable": "the site's robots.txt cannot be had, so the site is left alone",
    "sentences-copy": "it shares most of its sentences with another page",
    "shingles-copy": "it shares most of its sequences of words with another page",
    "short-words": "its words are too short on average to be words",
    "source-removed": "its source is no longer in corpus.toml",
    "source-paused": "its source is paused",
    "taken-down": "taken down on request; never fetched or served again",
    "tdm-reservation": "its owner reserves text and data mining",
    "too-large": "larger than [gather] max_size",
    "too-long": "more words than [select] maximum_words",
    "too-many-redirects": "the site redirects too often",
    "too-short": "fewer words than [select] minimum_words",
    "trap": "one of endless addresses that bring nothing new, as of a calendar",
    "uncertain": "its language is not certain enough",
    "unpacks-too-large": "larger than [extract] max_size once unpacked",
    "unpromising": "the pages before it were in other languages",
    "unreachable": "the site did not answer",
}


def in_words(reason: str) -> str:
    """Return a reason in words; nothing, if it needs none or nobody wrote them.

    >>> in_words("http-404"), in_words("is-a-feed")
    ('the site answered 404', 'a feed, a list for programs')
    """
    if reason.startswith("http-") and reason not in REASONS:
        return f"the site answered {reason.removeprefix('http-')}"
    if reason.startswith("is-a-"):
        return f"a {reason.removeprefix('is-a-')}, a list for programs"
    return REASONS.get(reason, "")
