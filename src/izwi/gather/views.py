"""Whether an address shows a page of a wiki in another way: its history, a difference, a form.

MediaWiki makes dozens of them of every page, each with words of its own (who changed what), so what
they bring does not tell them from pages. Their addresses do: they are the same on all its sites.
"""

import re
from functools import lru_cache
from urllib.parse import parse_qsl, unquote

from izwi.store.leads import split_url

# What its special pages are called, by language.
_SPECIAL = re.compile(
    r"(?:^|/)(?:special|spezial|spécial|especial|speciale|speciaal|spesiaal|spesial|speciel|specjalna"
    r"|speciální|špeciálne|speciális|posebno|посебно|служебная|спеціальна"
    r"|спецыяльныя|специални|toiminnot|eri|specialus|speciāls|kerfissíða|specialaĵo|istimewa|khas"
    r"|özel|xüsusi|đặc[_ ]biệt|natatangi|maalum|arbennig|speisialta|berezi|ειδικό|ویژه|خاص|מיוחד"
    r"|विशेष|বিশেষ|சிறப்பு|พิเศษ|特別|特殊|특수):([^/]+)(/.+)?$",
    re.IGNORECASE,
)
# These name other pages, and go on from a name.
_LISTS = ("allpages", "prefixindex", "categories")
_WHERE_ON = frozenset({"from", "to", "prefix", "namespace", "pagefrom"})
# What may be done with a page; other systems have actions, too.
_DOINGS = frozenset(
    ("edit", "submit", "history", "info", "raw", "purge", "delete", "protect", "watch", "unwatch",
     "rollback", "credits", "print", "revert", "markpatrolled")
)  # fmt: skip
_VERSION = re.compile(r"(?:\d+|prev|next|cur)$")
_WIKI = re.compile(r"/wiki/")


@lru_cache(maxsize=2_000)
def is_view(url: str) -> bool:
    """Whether a URL is one of a wiki's views of a page that has an address of its own.

    >>> [is_view(f"http://a.example/w/index.php?title=Rain{keys}") for keys in ("", "&action=edit")]
    [False, True]
    >>> is_view("http://a.example/wiki/Spezial:Beiträge/Anna")
    True
    """
    path, _, query = split_url(url)[2].partition("?")
    keys = dict(parse_qsl(query, keep_blank_values=True)) if query else {}
    title = keys.pop("title", "")
    if not (title or _WIKI.search(path)):
        return False
    special = _SPECIAL.search(title or unquote(path))
    if special:
        name, target = special[1].replace("_", "").lower(), special[2]
        return bool(target and name not in _LISTS) or not _WHERE_ON.issuperset(keys)
    is_version = any(_VERSION.match(keys.get(key, "")) for key in ("oldid", "diff"))
    is_form = keys.get("action", "").lower() in _DOINGS or bool(keys.get("veaction"))
    return is_version or is_form or keys.get("printable") == "yes"
