"""Pages from templates, with style sheet, script and sections; whatever they show is escaped."""

import pickle
import re
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import lru_cache
from hashlib import blake2b
from importlib.metadata import version
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from fastapi import APIRouter, Request
from jinja2 import (
    Environment,
    FileSystemBytecodeCache,
    PackageLoader,
    StrictUndefined,
    Template,
)
from jinja2.bccache import Bucket
from markupsafe import Markup, escape
from starlette.exceptions import HTTPException
from starlette.responses import HTMLResponse, Response

from izwi.model.languages import iso639_3
from izwi.model.reasons import in_words
from izwi.model.results import LedgerLine
from izwi.web.pages.citing import rests_on
from izwi.web.session import reader as messages
from izwi.web.session.reader import LANGUAGES, THEMES, basket_size, reader, visitor
from izwi.web.session.reader import gettext as _

# No character of XML either, of which feeds are made.
_CONTROL = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ud800-\udfff\ufffe\uffff]")
# How thousands and decimals are set apart, where not as in English.
_MARKS = {"af": str.maketrans({",": "\u00a0", ".": ","})}
# What a line cut out of its sentence may begin with by chance: the end of a word, a comma, a stop.
_LEFT_OVER = re.compile(r"^(?:[-’']\w[\w-]*|[.,;:!?…)\]”’»–—%-])+\s+")


_OPTIONS: dict[str, Any] = {
    "autoescape": True,
    "undefined": StrictUndefined,
    "trim_blocks": True,
    "lstrip_blocks": True,
}


# A page of lines escapes three thousand values, of which a few have something to escape.
_TO_ESCAPE = re.compile("[&<>\"']").search


def _escaped(value: object) -> str:
    """Return a value as it may stand in HTML; what needs nothing is passed on as it is."""
    kind = type(value)
    if kind is Markup or (kind is str and not _TO_ESCAPE(value)):  # type: ignore[call-overload]
        return value  # type: ignore[return-value]
    return str(value) if kind is int else escape(value)


class _Template(Template):
    """A template that takes the shorter way to escape, which was a quarter of a page of lines."""

    @classmethod
    def from_code(cls, *given: Any, **named: Any) -> Template:
        """Return a template made of compiled code."""
        made = super().from_code(*given, **named)
        made.root_render_func.__globals__["escape"] = _escaped
        return made


class _Templates(Environment):
    template_class = _Template


class Pages:
    """The templates, ready to be filled; compiled ones are kept in a folder, if one is given."""

    def __init__(self, kept_in: Path | None = None) -> None:
        self._templates = _Templates(
            loader=PackageLoader("izwi.web"),
            bytecode_cache=KeptTemplates(kept_in, _OPTIONS) if kept_in else None,
            **_OPTIONS,
        )
        self._templates.globals |= {
            # Jinja's own go through three calls for each of a page's three hundred texts.
            "_": _told,
            "ngettext": _counted,
            "izwi_version": version("izwi"),
            "static": static_address,
            "reader": reader,
            "LANGUAGES": LANGUAGES,
            "THEMES": THEMES,
            "sections": sections,
            "analyses": analyses,
            "basket_size": basket_size,
            "visitor": visitor,
        }
        self._templates.filters |= {
            "number": number,
            "rate": rate,
            "score": score,
            "fine": fine,
            "tidy": without_left_over,
            "said": messages.sentence,
            "language_name": language_name,
            "web_link": web_link,
            "apart": apart,
            "by_relation": by_relation,
            "why": lambda reason: messages.sentence(in_words(reason)),
            "rests_on": rests_on,
            "measured": measured,
        }

    def load_ahead(self) -> None:
        """Compile all templates, those of readers first: 85 of them take a second once."""
        for name in sorted(self._templates.list_templates(), key=lambda name: "/" in name):
            self._templates.get_template(name)

    def page(
        self,
        template: str,
        content: Mapping[str, object],
        *,
        status: int = 200,
        headers: Mapping[str, str] | None = None,
    ) -> HTMLResponse:
        """Return a filled page."""
        return HTMLResponse(self.text(template, content), status, headers)

    def text(self, template: str, content: Mapping[str, object]) -> str:
        """Return a filled template."""
        # Looked through once: asked of every value, it took a sixth of a page of lines.
        told = {**content}
        # Whatever went wrong below is said in the reader's language, on every page.
        for name in ("problem", "trouble", "message"):
            if isinstance(content.get(name), str):
                told[name] = messages.sentence(str(content[name]))
        return visible(self._templates.get_template(template).render(told))


def without_left_over(text: str) -> str:
    """Return the left side without what belongs to the words that were cut off.

    >>> without_left_over(", he said. "), without_left_over("-year-old man ")
    ('he said. ', 'man ')
    """
    # Directly before the match even a mark tells something.
    return _LEFT_OVER.sub("", text) or text


def visible(value: str) -> str:
    """Return a text with its control characters as pictures or replacement characters.

    >>> visible("a\\x00b\\x9bc\\uffff")
    'a␀b�c�'
    """
    return _CONTROL.sub(_picture, value)


def apart(value: object) -> Markup:
    """Return a text that cannot turn round what stands beside it, for use inside a message."""
    return Markup("<bdi>{}</bdi>").format(value)


def by_relation(shared: Sequence[str]) -> str:
    """Return what two words share, each relation once, in the reader's language.

    >>> by_relation(["object: drive", "adjective: white", "object: park"])
    'object: drive, park; adjective: white'
    """
    words_by_name: dict[str, list[str]] = {}
    for each in shared:
        name, _, word = each.partition(": ")
        words_by_name.setdefault(name, []).append(word)
    told = ((messages.sentence(name), words) for name, words in words_by_name.items())
    return "; ".join(f"{name}: {', '.join(words)}" for name, words in told)


def _picture(found: re.Match[str]) -> str:
    code = ord(found[0])
    if code < 0x20:
        return chr(0x2400 + code)
    return "␡" if code == 0x7F else "\ufffd"


def number(value: int) -> str:
    """Return a count as people read it.

    >>> number(1234567)
    '1,234,567'
    """
    return _localised(f"{value:,}")


def _told(message: str, /, **named: object) -> Markup:
    """Return a message in the reader's language, with escaped values in their places."""
    text = Markup(messages.gettext(message))
    return text % named if "%" in text else text


def _counted(single: str, plural: str, count: int, /, **named: object) -> Markup:
    """Return a message as its number wants it; numbers are written as everywhere."""
    text = Markup(messages.ngettext(single, plural, count))
    return text % {**named, "num": number(count)} if "%" in text else text


def rate(value: float) -> str:
    """Return a rate with as many places as tell something.

    >>> rate(2054.95), rate(8.13), rate(0.0421), rate(0)
    ('2,055', '8.1', '0.042', '0')
    """
    if value >= 100:
        return _localised(f"{value:,.0f}")
    if value >= 1:
        return _localised(f"{value:.1f}")
    return _localised(f"{value:.2g}")


def score(value: float) -> str:
    """Return a score with two places, large ones with none.

    >>> score(11.257), score(2054.9), score(-0.5)
    ('11.26', '2,055', '−0.50')
    """
    text = f"{value:,.0f}" if abs(value) >= 1000 else f"{value:.2f}"
    return _localised(text.replace("-", "\u2212") if float(text.replace(",", "")) else "0.00")


def fine(value: float) -> str:
    """Return a score that lies near zero with four places.

    >>> fine(0.00214), fine(-0.00001)
    ('0.0021', '0.0000')
    """
    return _localised(f"{value:.4f}".replace("-0.0000", "0.0000").replace("-", "\u2212"))


def language_name(code: str) -> str:
    """Return what a language is called, as far as that is known here; else its code."""
    known = {
        "eng": _("English"),
        "afr": _("Afrikaans"),
        "zul": _("isiZulu"),
        "xho": _("isiXhosa"),
        "sot": _("Sesotho"),
        "deu": _("German"),
        "fra": _("French"),
        "nld": _("Dutch"),
    }
    return known.get(iso639_3(code), code)


def _localised(text: str) -> str:
    return text.translate(_MARKS.get(reader().language, {}))


def web_link(url: str) -> str:
    """Return an address that may be made a link; empty for javascript: and the like.

    >>> web_link("https://example.org/a"), web_link("javascript:alert(1)")
    ('https://example.org/a', '')
    """
    try:
        parts = urlsplit(url)
    except ValueError:
        return ""
    return url if parts.scheme in ("http", "https") and parts.netloc else ""


STATIC = Path(__file__).parent / "static"
_YEAR_SECONDS = 31_536_000
_TYPES = {".css": "text/css", ".js": "text/javascript", ".svg": "image/svg+xml"}
# What is joined, in the order of the file names, and under which name it is sent.
_JOINED = {"izwi.css": "styles/*.css", "izwi.js": "scripts/*.js"}
# Anybody may ask for names that are not there.
_MOST_NAMES = 64

router = APIRouter(include_in_schema=False)


@dataclass(frozen=True, slots=True)
class Asset:
    """A file as it is sent; the digest is in its address, which changes when the file does."""

    body: bytes
    media_type: str
    digest: str


@lru_cache(_MOST_NAMES)
def asset(name: str) -> Asset | None:
    """Return a file of ours by the name under which pages ask for it."""
    if name in _JOINED:
        parts = sorted(STATIC.glob(_JOINED[name]))
        body = b"\n".join(part.read_bytes() for part in parts)
    elif name in {path.name for path in STATIC.iterdir() if path.is_file()}:
        body = (STATIC / name).read_bytes()
    else:
        return None
    media_type = _TYPES.get(Path(name).suffix, "application/octet-stream")
    return Asset(body, media_type, blake2b(body, digest_size=5).hexdigest())


def static_address(name: str) -> str:
    """Return the address of a file of ours."""
    found = asset(name)
    assert found is not None, f"no file {name} in {STATIC}"
    return f"/static/{name}?{found.digest}"


@router.get("/static/{name}")
def static(request: Request, name: str) -> Response:
    """Send a file of ours; under an address with the right digest it may be kept for good."""
    found = asset(name)
    if found is None:
        raise HTTPException(404)
    is_exact = request.url.query == found.digest
    kept = f"public, max-age={_YEAR_SECONDS}, immutable" if is_exact else "no-cache"
    headers = {"Cache-Control": kept, "ETag": f'"{found.digest}"'}
    if headers["ETag"] in request.headers.get("If-None-Match", ""):
        return Response(status_code=304, headers=headers)
    return Response(found.body, media_type=found.media_type, headers=headers)


@dataclass(frozen=True, slots=True)
class Section:
    """A page of a corpus: its key, its path below the corpus, what it is called.

    The letter leads there from every page, after a g. What it takes says how a query gets there:
    as `q` (any query), as `word` or in its `path` (one word).
    """

    key: str
    path: str
    name: str
    letter: str = ""
    takes: str = ""


def sections() -> Sequence[Section]:
    """Return the main sections of a corpus."""
    return (
        Section("conc", "conc", _("Search"), "s"),
        Section("words", "wordlist", _("Words"), "w"),
        Section("trend", "trend", _("Trends"), "t"),
        Section("new", "new", _("New words"), "n"),
        Section("docs", "docs", _("Documents"), "d"),
    )


def analyses(query: str = "", mode: str = "") -> Sequence[Section]:
    """Return the pages that count words, below the section Words; of a query those that take it."""
    every = (
        Section("wordlist", "wordlist", _("Word list")),
        Section("conc", "conc", _("Lines"), takes="q"),
        Section("freq", "freq", _("Frequencies"), takes="q"),
        Section("coll", "coll", _("Collocations"), takes="q"),
        Section("dispersion", "dispersion", _("Dispersion"), takes="q"),
        Section("trend", "trend", _("Trend"), takes="q"),
        Section("word", "word", _("Word profile"), takes="path"),
        Section("sketch", "sketch", _("Word sketch"), takes="word"),
        Section("sketch-difference", "sketch-difference", _("Sketch difference"), takes="word"),
        Section("thesaurus", "thesaurus", _("Thesaurus"), takes="word"),
        Section("keywords", "keywords", _("Keywords")),
        Section("ngrams", "ngrams", _("N-grams")),
        Section("compare", "compare", _("Compare")),
        Section("watch", "watch", _("Headword watch")),
    )
    if not query:
        return [each for each in every if each.key not in ("conc", "trend", "word")]
    is_word = mode != "cql" and not _NO_WORD.search(query)
    return [each for each in every if each.takes == "q" or (each.takes and is_word)]


# What a phrase or a query in CQL has and one word has not.
_NO_WORD = re.compile(r"[\s\[\]\"<>]")


class KeptTemplates(FileSystemBytecodeCache):
    """Templates compiled before, of the same text and options; all of them take a second.

    A folder that cannot be read or written costs that second again and nothing else.
    """

    def __init__(self, folder: Path, options: object) -> None:
        # Jinja itself looks at the text and at the version of Python.
        made = repr((options, version("izwi"), version("jinja2")))
        super().__init__(str(folder), f"{blake2b(made.encode(), digest_size=6).hexdigest()}-%s")
        with suppress(OSError):
            folder.mkdir(parents=True, exist_ok=True, mode=0o700)

    def load_bytecode(self, bucket: Bucket) -> None:
        """Take what was kept, if it is whole."""
        try:
            super().load_bytecode(bucket)
        except (OSError, pickle.UnpicklingError):
            bucket.reset()

    def dump_bytecode(self, bucket: Bucket) -> None:
        """Keep what was compiled, where that is possible."""
        with suppress(OSError):
            super().dump_bytecode(bucket)


def measured(line: LedgerLine) -> str:
    """Return by how much a page missed its threshold, in words."""
    # The status of an answer stands in its reason.
    if line.value is None or line.reason.startswith("http-"):
        return ""
    value = _short(line.value)
    if line.threshold is None:
        return _("certainty %(value)s") % {"value": value} if "language" in line.reason else value
    limit = _short(line.threshold)
    sentences = {
        "not-connected": _("distance from running text %(value)s, at most %(limit)s is allowed"),
        "too-short": _("%(value)s words, at least %(limit)s are needed"),
        "too-long": _("%(value)s words, at most %(limit)s are allowed"),
        "other-language": _("certainty %(value)s, at least %(limit)s is needed"),
        "page-type": _("certainty %(value)s, at least %(limit)s is needed"),
        "uncertain": _("certainty %(value)s, at least %(limit)s is needed"),
    }
    copied = _("share copied %(value)s, at most %(limit)s is allowed")
    plain = _("measured %(value)s, threshold %(limit)s")
    words = sentences.get(line.reason, copied if line.reason.endswith("-copy") else plain)
    return words % {"value": value, "limit": limit}


def _short(value: float) -> str:
    if value <= 1:
        return f"{value:.2f}"
    return f"{value:.0f}" if value == int(value) else f"{value:.1f}"
