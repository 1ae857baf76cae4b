"""The form under which a URL is remembered, which are worth a lead, which form a host prefers.

Which form of a URL a host prefers: https, www, a slash at the end. Learnt from its redirects, and
from the addresses its pages give themselves (link rel=canonical).
"""

import ipaddress
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache, reduce
from itertools import product
from urllib.parse import quote, urljoin, urlsplit, urlunsplit

_PORTS = {"http": "80", "https": "443"}
# Parameters that only tell where a reader came from.
_TRACKING = re.compile(
    r"(?:utm_\w+|fbclid|gclid|dclid|msclkid|mc_cid|mc_eid|igshid|yclid|_ga|ref_src)=", re.IGNORECASE
)
# Parameters that only tell readers apart: PHP, Java, ColdFusion, ASP and home-made ones.
_SESSION = re.compile(
    r"(?:phpsessid|jsessionid|cfid|cftoken|aspsessionid\w*|sessionid|session_id|sid|zenid|oscsid)=",
    re.IGNORECASE,
)
_SESSION_IN_PATH = re.compile(r";jsessionid=[^/?#]*|/\(S\([a-z0-9]{20,}\)\)", re.IGNORECASE)
_NOT_TEXT = re.compile(
    r"\.(?:jpe?g|png|gif|webp|svg|ico|css|js|json|mp[34]|m4a|avi|mov|webm|ogg|wav|zip|gz|tar|rar|7z|"
    r"exe|dmg|iso|woff2?|ttf|eot|doc|xlsx?|pptx?|apk)$",
    re.IGNORECASE,
)
_SAFE = "%/:?#[]@!$&'()*+,;=-._~"
LONGEST = 2000
# What is taken off before a URL is measured (tracking, sessions) is not longer.
_FAR_TOO_LONG = 8 * LONGEST
# No name has a blank, a sign that is none or an escaped one in it.
_HOST = re.compile(r"[a-z0-9._~-]+|[0-9a-f.]*:[0-9a-f:.]*(%[a-z0-9._~-]+)?")
_NAT64 = ipaddress.IPv6Network("64:ff9b::/96")
# What the registries of special addresses list and older Pythons take for public
# (iana.org/assignments/iana-ipv6-special-registry, rfc 3879 for fec0::/10).
_SPECIAL = tuple(
    map(
        ipaddress.ip_network,
        (
            "fec0::/10", "64:ff9b:1::/48", "100::/64", "100:0:0:1::/64", "2001::/23",
            "2001:db8::/32", "3fff::/20", "5f00::/16", "fc00::/7", "fe80::/10", "ff00::/8",
            "2620:4f:8000::/48", "192.0.0.0/24", "192.88.99.0/24", "192.31.196.0/24",
            "192.52.193.0/24", "192.175.48.0/24", "198.18.0.0/15", "100.64.0.0/10", "240.0.0.0/4",
        ),
    )
)  # fmt: skip


# Most links are clean already; taking these as they are is fifteen times faster than parsing.
_CLEAN_PATH = re.compile(r"/(?!/)[A-Za-z0-9\-_~!$&'*+,:@/%]*(?:\.[A-Za-z0-9]+)?")
_CLEAN_ORIGIN = re.compile(
    r"https?://[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?)*(?=/)"
)


# An address as people say it: example.org/news
_BARE = re.compile(r"[\w-]+(\.[\w-]+)*\.[^\W\d]{2,}(:\d+)?(/\S*)?")


def completed(url: str) -> str:
    """Return an address as people say it with its scheme; every other text as it is.

    >>> completed("example.org/news"), completed("http://example.org/"), completed("news")
    ('https://example.org/news', 'http://example.org/', 'news')
    """
    text = url.strip()
    return f"https://{text}" if _BARE.fullmatch(text) else text


def canonical(url: str, base: str = "") -> str | None:
    """Return the form under which a URL is remembered, or None if it cannot be fetched.

    >>> canonical("HTTP://Example.org:80/a b/?utm_source=x&q=1#top")
    'http://example.org/a%20b/?q=1'
    """
    if len(url) > _FAR_TOO_LONG:  # pictures written into pages, too: none is to be remembered
        return None
    if url.startswith("/") and not url.startswith("//"):
        origin = _clean_origin(base)
        if origin and len(url) < LONGEST // 2 and _CLEAN_PATH.fullmatch(url):
            return origin + url
        # Without the path of its page, the same link of the next page is found in the cache.
        return _canonical(url, f"{origin}/" if origin else base)
    if url.startswith(("http://", "https://")) and len(url) < LONGEST // 2:
        origin = _clean_origin(url)
        if origin:
            is_clean = _CLEAN_PATH.fullmatch(url, len(origin))
            return url if is_clean else _canonical(url, "")
    return _canonical(url, base)


@lru_cache(maxsize=2_000)
def _clean_origin(url: str) -> str:
    match = _CLEAN_ORIGIN.match(url)
    return match[0] if match else ""


@lru_cache(maxsize=20_000)
def _canonical(url: str, base: str) -> str | None:
    try:
        parts = urlsplit(urljoin(base, url.strip()) if base else url.strip())
        host = (parts.hostname or "").encode("idna").decode("ascii").lower()
        port, path, query = (
            parts.port,
            _quoted(_SESSION_IN_PATH.sub("", parts.path) or "/"),
            _quoted(_query(parts.query)),
        )
    except (ValueError, UnicodeError):
        return None
    scheme = parts.scheme.lower()
    if scheme not in _PORTS or not _HOST.fullmatch(host):
        return None
    if ":" in host:
        if not _is_ipv6(host):
            return None
        host = f"[{host}]"
    place = host if port is None or str(port) == _PORTS[scheme] else f"{host}:{port}"
    found = urlunsplit((scheme, place, path, query, ""))
    return found if len(found) <= LONGEST else None


def _is_ipv6(host: str) -> bool:
    try:
        ipaddress.IPv6Address(host)
    except ValueError:
        return False
    return True


def may_be_text(url: str) -> bool:
    """Return whether a URL's ending leaves a chance that text is behind it."""
    return not _NOT_TEXT.search(url.partition("?")[0])


def same_host(url: str, other: str) -> bool:
    """Return whether two URLs are on one host, with or without www."""
    return _bare_host(url) == _bare_host(other)


def is_private_address(host: str) -> bool:
    """Return whether a host, written as an IP address, is not on the public internet.

    >>> is_private_address("127.0.0.1"), is_private_address("example.org")
    (True, False)
    """
    try:
        address = ipaddress.ip_address(host.strip("[]"))
    except ValueError:
        # 127.1, 0x7f000001 and the like: not names of any registry, but resolvers take them.
        last = host.rstrip(".").rsplit(".", 1)[-1]
        return (
            last.lower() == "localhost" or re.fullmatch(r"0[xX][0-9a-fA-F]*|\d+", last) is not None
        )
    inner = _embedded(address) if isinstance(address, ipaddress.IPv6Address) else None
    real = inner or address
    is_special = any(real in network for network in _SPECIAL if network.version == real.version)
    return is_special or real.is_multicast or not real.is_global


def _embedded(address: ipaddress.IPv6Address) -> ipaddress.IPv4Address | None:
    """Return the IPv4 address that an IPv6 one stands for: mapped, 6to4, NAT64 or compatible."""
    if address.ipv4_mapped or address.sixtofour:
        return address.ipv4_mapped or address.sixtofour
    if address in _NAT64 or int(address) >> 32 == 0:
        return ipaddress.IPv4Address(int(address) & 0xFFFFFFFF)
    return None


def _query(query: str) -> str:
    return "&".join(
        part
        for part in query.split("&")
        if part and not _TRACKING.match(part) and not _SESSION.match(part)
    )


def _quoted(text: str) -> str:
    return quote(text, safe=_SAFE)


def _bare_host(url: str) -> str:
    return (urlsplit(url).hostname or "").removeprefix("www.")


# So many changes of one kind, more than of its opposite, make a habit.
_HABIT = 3
_OPPOSITES = {"www": "bare", "bare": "www", "slash": "no-slash", "no-slash": "slash"}


def changes_of_form(url: str, target: str) -> tuple[str, ...]:
    """Return the changes that make one URL of the other, none if they differ in more than form.

    >>> changes_of_form("http://a.example/b", "https://www.a.example/b/")
    ('https', 'www', 'slash')
    """
    if url == target:
        return ()
    for kinds in product(("", "https"), ("", "www", "bare"), ("", "slash", "no-slash")):
        changes = tuple(filter(None, kinds))
        if reduce(applied, changes, url) == target:
            return changes
    return ()


def applied(url: str, kind: str) -> str:
    """Return a URL with one change of form made."""
    parts = urlsplit(url)
    path = parts.path
    if kind == "https" and parts.scheme == "http":
        return urlunsplit(parts._replace(scheme="https"))
    if kind == "www" and not parts.netloc.startswith("www."):
        return urlunsplit(parts._replace(netloc=f"www.{parts.netloc}"))
    if kind == "bare" and parts.netloc.startswith("www."):
        return urlunsplit(parts._replace(netloc=parts.netloc.removeprefix("www.")))
    if kind == "slash" and not path.endswith("/") and "." not in path.rpartition("/")[2]:
        return urlunsplit(parts._replace(path=f"{path}/"))
    if kind == "no-slash" and len(path) > 1 and path.endswith("/"):
        return urlunsplit(parts._replace(path=path.rstrip("/")))
    return url


@dataclass(slots=True)
class Habits:
    """How often a host made each change; a habit is made before asking, and saves the redirect."""

    counts: dict[str, int] = field(default_factory=dict)

    @classmethod
    def from_text(cls, counts: Mapping[str, str]) -> "Habits":
        """Return the habits as the catalog keeps them."""
        return cls({kind: int(count) for kind, count in counts.items()})

    def as_text(self) -> dict[str, str]:
        """Return the habits for the catalog."""
        return {kind: str(count) for kind, count in self.counts.items()}

    def learn(self, url: str, target: str) -> bool:
        """Take note of what a host made of a URL; return whether it changed its form alone."""
        kinds = changes_of_form(url, target)
        for kind in kinds:
            self.counts[kind] = self.counts.get(kind, 0) + 1
        return bool(kinds)

    def preferred(self, url: str) -> str:
        """Return a URL in the form the host prefers."""
        for kind, count in self.counts.items():
            if count - self.counts.get(_OPPOSITES.get(kind, ""), 0) >= _HABIT:
                url = applied(url, kind)
        return url
