"""Is a page of a few words a document: a note, an entry, a profile, a poem, a post?

Such pages have an address of their own and words of their own. What serves a site (ways to reach
it, to log in, to search), what says that nothing is there, and what only links to others is none.
"""

import re
from urllib.parse import unquote, urlsplit

from izwi.model.document import Document

# Below so many words a page is short, and from so many on it may be a document.
SHORT, _SHORTEST = 20, 3
_MOSTLY_LINKED = 0.5
# Folders and names of pages that serve a site; longer names may only hold such a word.
_SERVICE = re.compile(
    r"(?i)(?:contact\w*|kontakt\w*|kontak|about(?:us)?|imprint|impressum|privacy\w*|datenschutz|terms"
    r"|legal|disclaimer|cookies?|log-?in|log-?out|sign-?(?:in|up|out)|register|registration|account"
    r"|passwords?|search|suche|zoek|recherche|buscar|cart|basket|checkout|wishlist|subscribe"
    r"|unsubscribe|newsletter|feed|rss|sitemap|share|errors?|404|403|500|admin|wp-\w+|advertising|advertise"
    r"|index|home|default|menu|nav)(?:\.\w+)?"
)
_NOTHING_THERE = re.compile(
    r"(?i)\b(?:not found|not exist|no (?:results?|posts?|entries|pages|items|articles|events)"
    r"|nothing (?:here|found)|access denied|not available|being redirected|enable javascript"
    r"|logged in|sign in|coming soon|under construction|nicht gefunden|niet gevonden|nie gevind"
    r"|introuvable|no encontrad\w*|não encontrad\w*|click here)\b"
)


def is_note(document: Document, words: int) -> bool:
    """Return whether a page with less text than others need is a document all the same."""
    if words < _SHORTEST:
        return False
    return not (
        _serves(document.url) or _NOTHING_THERE.search(document.text) or is_mostly_linked(document)
    )


def _serves(url: str) -> bool:
    """Whether an address is that of a site, or of a page that serves it."""
    parts = urlsplit(url)
    folders = [part for part in unquote(parts.path).split("/") if part]
    if not folders and not parts.query:
        return True
    names = [*folders, *(re.split(r"[-_]", folders[-1]) if folders else ())]
    # Of a name of many words one may well be such a word.
    names = names if len(names) <= len(folders) + 2 else folders
    return any(_SERVICE.fullmatch(name) for name in names)


def is_mostly_linked(document: Document) -> bool:
    """Return whether most of a page's text leads elsewhere, as that of a menu does."""
    main = [block for block in document.paragraphs if block.is_main]
    linked = sum(m.end - m.start for block in main for m in block.marks if m.name == "a")
    return linked > _MOSTLY_LINKED * sum(len(block.text) for block in main)
