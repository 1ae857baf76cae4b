"""The stage that runs an extractor over a shard's pages, and parts joined to pages."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import timedelta
from typing import Any, ClassVar

from selectolax.lexbor import LexborHTMLParser

from izwi import plugins
from izwi.kernels.letters import encoded
from izwi.model.capture import PDF, TEXT, Page
from izwi.model.document import (
    KEPT,
    READY_MADE,
    Claim,
    Document,
    Paragraph,
    Verdict,
    dropped,
    failed,
)
from izwi.model.errors import ConfigError
from izwi.model.portal import Portal, Rewritten
from izwi.text.comments import (
    Comment,
    comments_of_answer,
    comments_of_page,
    metadata_of,
    paragraphs_of,
)
from izwi.text.decode import CUT, Decoded, decode
from izwi.text.extract.judging import (
    Blocks,
    Extractor,
    JudgedPage,
    claims_of,
    judge,
    notes_of,
    with_note,
)
from izwi.text.linewise import cleaned
from izwi.text.listings import is_mostly_linked
from izwi.text.metadata.bylines import is_byline
from izwi.text.metadata.chosen import choose, read_claims
from izwi.text.metadata.claims import feed_claims, host_claims
from izwi.text.other_documents import (
    ScannedPdf,
    UnreadableFile,
    file_type,
    read_file,
    read_ready_made,
)
from izwi.text.other_documents import document_id as document_id
from izwi.text.unscripted import needs_browser

_HTML = frozenset({"text/html", "application/xhtml+xml", ""})
STAGE = "extract"
CUT_SHORT = "cut-short"
# Bytes that no text in a charset of eight bits has; more than a few make a page something else.
_NEVER_IN_TEXT = bytes([*range(9), *range(14, 27), *range(28, 32)])
_LOOKED_AT = 1 << 16
_MOST_CONTROLS = 0.03
# Who wrote a text is told in one of its first lines, or in its last.
_HEAD, _SIGNED = 3, "signed so"


@dataclass(frozen=True, slots=True)
class ExtractConfig:
    """Which extractor, with which options, and which sources want another."""

    method: str = "izwi"
    options: Any = None
    max_size: str = "50 MiB"
    methods: Mapping[str, str] = field(default_factory=dict)
    # Options of a source's own method, and rules for its pages, by the source's name.
    source_options: Mapping[str, Any] = field(default_factory=dict)
    portals: Mapping[str, Portal] = field(default_factory=dict)
    # Whether comments in pages become documents, and how their users are called.
    comments: bool = False
    users: str = "pseudonym"
    # Sources whose articles in parts are not joined.
    apart: tuple[str, ...] = ()


class Extract:
    """Pages in, documents out: one for each page, whatever becomes of it, and its comments."""

    name: ClassVar[str] = STAGE
    version: ClassVar[int] = 30

    def __init__(self, config: ExtractConfig) -> None:
        self._config = config
        self._extractors: dict[str, Extractor] = {}

    def __call__(self, pages: Iterator[Page]) -> Iterator[Document]:
        """Yield a document for each page; one that cannot be read says so in its verdict.

        A thread of comments becomes as many documents as it has comments; those in a page follow
        it, if they are wanted.
        """
        group: list[tuple[Page, list[Document]]] = []
        for page in pages:
            # Before the next one is begun: a page that ends the process is to be known.
            made = list(self._made(page))
            if group and page.hints.part_of == group[0][0].entry.url:
                group.append((page, made))
                continue
            yield from self._whole(group)
            group = [(page, made)]
        yield from self._whole(group)

    def _whole(self, group: Sequence[tuple[Page, list[Document]]]) -> Iterator[Document]:
        """Yield a page and those that were asked to complete it, joined if that is wanted."""
        firsts = [made[0] for _, made in group]
        if len(group) > 1 and group[0][0].entry.source not in self._config.apart:
            roles = [page.hints.part_as for page, _ in group[1:]]
            firsts = joined(firsts[0], list(zip(firsts[1:], roles, strict=True)))
        for first, (_, made) in zip(firsts, group, strict=True):
            yield from (first, *made[1:])

    def _made(self, page: Page) -> Iterator[Document]:
        """Yield the document of a page and those of its comments, if they are wanted."""
        if page.entry.kind == "comments" and page.verdict.is_kept:
            yield from self._thread(page)
            return
        document, comments = self._document(page)
        yield document
        if document.paragraphs:
            yield from (self._comment(page, each, page.entry.url) for each in comments)

    def _thread(self, page: Page) -> Iterator[Document]:
        """Yield the comments of an interface's answer; without any, the answer says why."""
        try:
            found = comments_of_answer(page.body)
        except ValueError as error:
            yield _bare(page, failed(STAGE, "no-comments", detail=str(error)[:300]))
            return
        if not found:
            yield _bare(page, dropped(STAGE, "no-comments"))
        for comment in found:
            yield self._comment(page, comment, page.hints.parent or page.entry.url)

    def _comment(self, page: Page, comment: Comment, parent: str) -> Document:
        part = f"comment-{comment.key.removeprefix('comment-')}"
        return replace(
            _bare(page, Verdict()),
            id=document_id(parent, page.entry.time, part),
            url=comment.url or f"{parent}#{part}",
            metadata=metadata_of(comment, parent, self._config.users),
            paragraphs=paragraphs_of(comment),
        )

    def _document(self, page: Page) -> tuple[Document, Sequence[Comment]]:
        """Return the document of a page, and what readers wrote in it, if that is wanted."""
        verdict = page.verdict if not page.verdict.is_kept else unsuitable(page)
        kind = file_type(page.entry.media_type, page.entry.url, page.body)
        is_other = verdict is not None and verdict.reason == "media-type"
        is_file = bool(kind) and (is_other or (verdict is None and kind == PDF))
        if verdict is not None and not is_file:
            return _bare(page, verdict), ()
        try:
            return (_document_of_file(page, kind), ()) if is_file else self._extracted(page)
        except (ConfigError, MemoryError):  # no page can be read before it is mended
            raise
        except Exception as error:  # the document grade: it fails alone, with its reason
            words = f"{type(error).__name__}: {error}"[:300]
            return _bare(page, failed(STAGE, "extractor-error", detail=words)), ()

    def _extracted(self, page: Page) -> tuple[Document, Sequence[Comment]]:
        entry = page.entry
        if entry.media_type == READY_MADE:
            return read_ready_made(page), ()
        decoded = decode(page.body, page.content_type, entry.url)
        html = decoded.text
        if not html.strip():
            return _bare(page, dropped(STAGE, "empty", detail=decoded.cut)), ()
        if is_binary(page.body, decoded.charset):
            return _bare(page, dropped(STAGE, "no-main-text")), ()
        # All but the blocks is read from one tree; a portal's rules change it, so they come last.
        tree = LexborHTMLParser(encoded(html, "replace"))
        said = read_claims(html, entry.url, page.hints, tree)
        comments = comments_of_page(tree) if self._config.comments else ()
        portal = self._config.portals.get(entry.source)
        rewritten = _rewritten(tree, portal) if portal else Rewritten(html)
        lean = b"" if portal else decoded.lean
        found = self._judged(entry.source, rewritten, lean)
        if decoded.cut:
            found = with_note(found, decoded.cut)
        paragraphs = cleaned(found.paragraphs)
        # Pages tell local time: the latest date it can be anywhere on earth at the capture.
        latest = (entry.time + timedelta(hours=14)).date()
        # What the rules for a portal found counts before all else.
        metadata = choose((*rewritten.claims, *said), entry.url, latest, found.page_type)
        if not rewritten.has_body:
            paragraphs = unsigned(paragraphs, metadata.author)
        has_text = any(paragraph.is_main for paragraph in paragraphs)
        lacking = "" if has_text else "needs-browser" if needs_browser(html) else "no-main-text"
        claims = (*metadata.claims, _charset_claim(decoded), *claims_of(found))
        document = replace(
            _bare(page, _verdict_of(found, lacking=lacking)),
            metadata=replace(metadata, claims=claims),
            paragraphs=paragraphs,
        )
        return document, comments

    def _judged(self, source: str, page: Rewritten, lean: bytes) -> JudgedPage:
        """Return the blocks of a page and its type; a portal's body is main text as it stands."""
        if page.has_body:
            from izwi.text.portal_rules import body_paragraphs

            return Blocks(body_paragraphs(page.html))
        return judge(self._extractor(source), page.html, lean)

    def _extractor(self, source: str) -> Extractor:
        method = self._config.methods.get(source) or self._config.method
        # A source with options of its own has an extractor of its own.
        key = source if source in self._config.source_options else f"method {method}"
        if key not in self._extractors:
            kind = plugins.load("izwi.extractors", method)
            options = self._config.options if method == self._config.method else None
            own = self._config.source_options.get(source)
            self._extractors[key] = kind(own or options or kind.Options())
        return self._extractors[key]


def unsigned(paragraphs: tuple[Paragraph, ...], author: str) -> tuple[Paragraph, ...]:
    """Return blocks of which the line that signs a text, at its head or end, is no text of it."""
    main = [place for place, each in enumerate(paragraphs) if each.is_main] if author else []
    ends = {*main[:_HEAD], *main[-1:]}
    signed = {place for place in ends if is_byline(paragraphs[place].text, author)}
    # Of a page that says nothing else all stays.
    if not signed or len(signed) == len(main):
        return paragraphs
    return tuple(
        replace(each, is_main=False, marks=(), reason=_SIGNED) if place in signed else each
        for place, each in enumerate(paragraphs)
    )


def _document_of_file(page: Page, kind: str) -> Document:
    """Return the document of a PDF, a text or an office file; all of its text is main text."""
    charset = page.content_type if kind == TEXT else ""
    try:
        found = read_file(kind, page.body, lambda body: decode(body, charset, page.entry.url).text)
    except ScannedPdf as error:
        return _bare(page, dropped(STAGE, "scanned", detail=str(error)))
    except UnreadableFile as error:
        return _bare(page, failed(STAGE, "unreadable-file", detail=str(error)))
    paragraphs = cleaned(found.paragraphs)
    claims = (*found.claims, *feed_claims(page.hints), *host_claims(page.entry.url))
    latest = (page.entry.time + timedelta(hours=14)).date()
    return replace(
        _bare(page, Verdict() if paragraphs else dropped(STAGE, "no-main-text")),
        metadata=choose(claims, page.entry.url, latest),
        paragraphs=paragraphs,
    )


def _verdict_of(found: JudgedPage, *, lacking: str) -> Verdict:
    """Return the verdict of a page that was read, which says if that was not all of it."""
    cut = next((note for note in notes_of(found) if note.startswith(CUT)), "")
    if lacking:
        return dropped(STAGE, lacking, detail=cut)
    return Verdict("kept", STAGE, CUT_SHORT, detail=cut) if cut else Verdict()


def _charset_claim(decoded: Decoded) -> Claim:
    return Claim("charset", decoded.charset, decoded.evidence)


def _rewritten(tree: LexborHTMLParser, portal: Portal) -> Rewritten:
    # Compiled code stands behind it, which is loaded only where it is needed.
    from izwi.text.portal_rules import rewrite

    return rewrite(tree, portal)


def unsuitable(page: Page) -> Verdict | None:
    """Return why a capture is not a document, or None if it may be one."""
    if page.entry.kind != "page":
        return dropped(STAGE, f"is-a-{page.entry.kind}")
    if page.entry.status != 200:
        return dropped(STAGE, "http-status", value=page.entry.status, threshold=200)
    if page.entry.media_type not in (*_HTML, READY_MADE):
        return dropped(STAGE, "media-type", detail=page.entry.media_type)
    return None


def is_binary(body: bytes, charset: str) -> bool:
    """Return whether bytes said to be a page are something else, such as a picture."""
    beginning = body[:_LOOKED_AT]
    if charset.startswith(("utf-16", "utf-32")) or not beginning:
        return False
    return len(beginning.translate(None, _NEVER_IN_TEXT)) < (1 - _MOST_CONTROLS) * len(beginning)


def _bare(page: Page, verdict: Verdict) -> Document:
    entry = page.entry
    return Document(
        id=document_id(entry.url, entry.time),
        url=entry.url,
        captured=entry.time,
        source=entry.source,
        media_type=entry.media_type,
        verdict=verdict,
    )


# The property of schema.org under which a document names the pages it was joined from.
PART_CLAIM = "hasPart"


def joined(first: Document, others: Sequence[tuple[Document, str]]) -> list[Document]:
    """Return a page and those that complete it, each with what it is, all text with the first.

    What brings no text, or could not be read, stays as it is.
    """
    useful = [(each, role) for each, role in others if each.verdict.is_kept and each.text]
    is_framed = any(role == "frame" for _, role in useful)
    if is_framed:
        useful = [(each, role) for each, role in useful if not is_mostly_linked(each)]
    if not useful:
        return [first, *(each for each, _ in others)]
    wholes = [each for each, role in useful if role == "whole"]
    sources = wholes[:1] or [*([] if is_framed else [first]), *(each for each, _ in useful)]
    # What a page of frames says to readers without frames is not its text.
    rest = [replace(block, is_main=False) if is_framed or wholes else block
            for block in first.paragraphs if is_framed or wholes or not block.is_main]  # fmt: skip
    claims = tuple(Claim(PART_CLAIM, each.url, role) for each, role in useful)
    described = _described(first, useful[0][0]) if is_framed else first
    whole = replace(
        described,
        verdict=KEPT,
        paragraphs=(*_each_once(sources), *rest),
        metadata=replace(described.metadata, claims=(*described.metadata.claims, *claims)),
    )
    taken = {each.id for each, _ in useful}
    parts = (_taken(each, first.url) if each.id in taken else each for each, _ in others)
    return [whole, *parts]


def _described(first: Document, frame: Document) -> Document:
    """Return a page of frames with what only its frame tells: frames have titles, pages dates."""
    told, own = frame.metadata, first.metadata
    return replace(
        first,
        metadata=replace(
            told,
            title=own.title or told.title,
            date=own.date or told.date,
            author=own.author or told.author,
            url_canonical=own.url_canonical,
            claims=(*own.claims, *told.claims),
        ),
    )


def _each_once(documents: Iterable[Document]) -> Iterator[Paragraph]:
    """Yield the main text of pages; headings and leads that the next page repeats stand once."""
    seen: set[str] = set()
    for number, document in enumerate(documents):
        fresh = []
        for block in document.paragraphs:
            key = " ".join(block.text.casefold().split())
            if block.is_main and not (number and key in seen):
                fresh.append(key)
                yield block
        seen.update(fresh)


def _taken(part: Document, first: str) -> Document:
    return replace(part, verdict=dropped(STAGE, "part-of", detail=first))
