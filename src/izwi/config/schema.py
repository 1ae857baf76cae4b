"""The keys of corpus.toml as plain frozen data; each field's comment is its documentation.

The comment above a field is what the reference page prints, so it is written for users.
"""

import re
from collections.abc import Mapping
from dataclasses import field
from typing import Any, ClassVar, Literal, Protocol

from izwi.model.document import PAGE_TYPES
from izwi.model.languages import code_of_name, names_like
from izwi.model.notation import size_bytes
from izwi.model.portal import Portal
from izwi.model.records import dataclass

# Read by pydantic at the edge (config/load.py): a key nobody knows is an error.
STRICT: Mapping[str, Any] = {"extra": "forbid"}

_LANGUAGE = re.compile(r"[A-Za-z]{2,3}([-_][A-Za-z0-9]{2,8})*")
_NAME = re.compile(r"[a-z0-9][a-z0-9_-]{0,62}")
_TIME_OF_DAY = re.compile(r"([01]\d|2[0-3]):[0-5]\d")


def check_name(name: str) -> None:
    """Raise ValueError unless the name can stand in a URL and in a file name."""
    if not _NAME.fullmatch(name):
        raise ValueError(
            f"name = '{name}' cannot be a name; use lower-case letters, digits, '-' and '_'"
        )


def check_size(key: str, size: str) -> None:
    """Raise ValueError, naming the key, unless the size can be read."""
    try:
        size_bytes(size)
    except ValueError as error:
        raise ValueError(f"{key} = {error}") from None


@dataclass(frozen=True, slots=True)
class CorpusSection:
    """What the corpus is called and which languages it is for."""

    __pydantic_config__: ClassVar[Mapping[str, Any]] = STRICT
    # Short name, used in addresses and citations: lower-case letters, digits, - and _.
    name: str
    # The name people read.
    title: str = ""
    # Languages wanted (ISO 639 codes such as en or zul); empty keeps every language.
    languages: tuple[str, ...] = ()
    # Language packs (izwi language make): folders in the corpus folder, or names of installed ones.
    language_packs: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        check_name(self.name)
        for code in self.languages:
            if not _LANGUAGE.fullmatch(code):
                named = code_of_name(code)
                hint = f'; its code is {named}: write "{named}"' if named else names_like(code)
                raise ValueError(
                    f"languages: '{code}' is not a code such as en, zul or en-ZA{hint}"
                )


@dataclass(frozen=True, slots=True)
class GatherSection:
    """How pages are fetched, and how politely."""

    __pydantic_config__: ClassVar[Mapping[str, Any]] = STRICT
    # A page or address where site owners reach you; it goes into the User-Agent. Required.
    contact: str
    # Seconds between two requests to one host; robots.txt may ask for more.
    delay: float = 2.0
    # Seconds one exchange may take in all.
    timeout: float = 30.0
    # Larger pages are not kept.
    max_size: str = "10 MiB"
    # Hosts asked at the same time.
    concurrency: int = 8
    # How often a page that fails for a passing reason is tried.
    attempts: int = 3
    # How many redirects in a row are followed.
    max_redirects: int = 5
    # Address of an HTTP proxy through which everything goes; it also resolves the names.
    proxy: str = ""
    # Whether private and loopback addresses may be fetched.
    allow_private: bool = False
    # Requests to one host at the same time; the delay is kept between them.
    per_host: int = 1
    # Whether cookies are sent back to the hosts that set them.
    cookies: bool = False
    # Signals of a page's owner that keep it out: noindex, noarchive, noai, tdm-reservation.
    respect: tuple[str, ...] = ("noindex", "noarchive", "noai", "tdm-reservation")
    # A WARC file is sealed, and becomes a shard, when it reaches this size or holds so many pages.
    warc_size: str = "256 MiB"
    # A shard is what a worker of a build does at a time, and what an ended build may lose.
    warc_pages: int = 2000

    def __post_init__(self) -> None:
        check_size("max_size", self.max_size)
        check_size("warc_size", self.warc_size)
        if self.proxy and not self.proxy.startswith(("http://", "https://")):
            raise ValueError(
                f"proxy = '{self.proxy}' is not an address such as http://127.0.0.1:3128"
            )
        if not 0 <= self.delay <= 86400:
            raise ValueError(f"delay = {self.delay} is not between 0 and 86400 seconds")
        # No time at all would mean no limit to aiohttp.
        if not 0 < self.timeout <= 86400:
            raise ValueError(f"timeout = {self.timeout} is not above 0 and up to 86400 seconds")
        if not 1 <= self.warc_pages <= 1_000_000:
            raise ValueError(f"warc_pages = {self.warc_pages} is not between 1 and 1000000")
        for name in ("concurrency", "attempts", "per_host"):
            if not 1 <= getattr(self, name) <= 1000:
                raise ValueError(f"{name} = {getattr(self, name)} is not between 1 and 1000")
        if not 0 <= self.max_redirects <= 100:
            raise ValueError(f"max_redirects = {self.max_redirects} is not between 0 and 100")
        if not self.contact.isprintable():
            raise ValueError("contact has a line break or another character that is not printed")
        if not self.contact.strip():
            raise ValueError("contact is empty; give a page or address where site owners reach you")


@dataclass(frozen=True, slots=True)
class ExtractSection:
    """How the main text is found in a page."""

    __pydantic_config__: ClassVar[Mapping[str, Any]] = STRICT
    # The extractor; a source may name another with its own `method`.
    method: str = "izwi"
    # Settings of that extractor.
    options: Any = None
    # A page that unpacks to more than this is not read.
    max_size: str = "50 MiB"
    # Whether readers' comments that stand in pages become documents of their own.
    comments: bool = False
    # How those who comment are called: pseudonym (one for each site), name or none.
    users: Literal["pseudonym", "name", "none"] = "pseudonym"

    def __post_init__(self) -> None:
        check_size("max_size", self.max_size)


@dataclass(frozen=True, slots=True)
class LanguageSection:
    """How the language of a document is told, and how sure one must be."""

    __pydantic_config__: ClassVar[Mapping[str, Any]] = STRICT
    # The identifier: izwi, or another that is installed.
    method: str = "izwi"
    # Documents whose language is less certain than this (0 to 1) are dropped.
    minimum: float = 0.5
    # How many times as often as elsewhere the corpus meets its own languages ([corpus] languages):
    # by so much short texts are told so that could be in several (1: all languages count alike).
    prior: float = 5.0
    # What is kept of a page in several languages: all, its paragraphs or its words in `languages`.
    keep: Literal["documents", "paragraphs", "target"] = "documents"
    # Whether word lists, tag clouds, tables and menus (text that is not connected) are dropped.
    connected: bool = True
    # How far from running text a text may be: by its language's own threshold, or the fixed one
    # of the source (ten frequent words, 10).
    connected_by: Literal["language", "fixed"] = "language"
    # A model made by `izwi train language` (a file in the corpus folder) instead of izwi's own.
    model: str = ""
    # Profiles made by `izwi train profile` (a file in the corpus folder) beside izwi's own.
    profiles: str = ""
    # Folders of the language packs by code, found with the configuration; not written by hand.
    packs: Mapping[str, str] = field(default_factory=dict)
    # What the files named above hold, as hashes; not written by hand.
    digests: Mapping[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if not 0 <= self.minimum <= 1:
            raise ValueError(f"minimum = {self.minimum} is not between 0 and 1")
        if not 1 <= self.prior <= 1000:
            raise ValueError(f"prior = {self.prior} is not between 1 and 1000")


@dataclass(frozen=True, slots=True)
class VarietySection:
    """What is typical of the variety one looks for; every document then gets a score."""

    __pydantic_config__: ClassVar[Mapping[str, Any]] = STRICT
    # Files in the corpus folder, one word a line: words of the region, its spellings, and the
    # spellings of other varieties.
    words: str = ""
    spellings: str = ""
    other_spellings: str = ""
    # Ends of host names, e.g. [".za"].
    hosts: tuple[str, ...] = ()
    # Documents with a lower score (0 to 1) are dropped; 0 drops none.
    minimum: float = 0.0
    # The words of the files, read with the configuration; not written by hand.
    lists: Mapping[str, tuple[str, ...]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if not 0 <= self.minimum <= 1:
            raise ValueError(f"minimum = {self.minimum} is not between 0 and 1")

    @property
    def is_given(self) -> bool:
        """Whether there is anything to score by."""
        return bool(self.hosts or self.lists)


@dataclass(frozen=True, slots=True)
class DedupSection:
    """Which copies are kept out of the index."""

    __pydantic_config__: ClassVar[Mapping[str, Any]] = STRICT
    # Whether documents with the same text (but for case, punctuation and spacing) are dropped.
    exact: bool = True
    # How copies are found: blocks (paragraphs, by n-grams), or whole documents by sentences or
    # by shingles.
    method: str = "blocks"
    # For sentences and shingles: documents more alike than this are copies (0 to 1); 0 for the
    # method's own value, which is 0.2 for sentences and 0.05 for shingles.
    similarity: float = 0.0
    # Tokens in the n-grams by which copied paragraphs are found.
    ngram: int = 7
    # Words that are passed over when n-grams are made (stop words), and whether punctuation counts.
    ignored: tuple[str, ...] = ()
    marks: bool = False
    # A paragraph is a copy if earlier documents' n-grams cover this share of it (0 to 1).
    threshold: float = 0.8
    # A paragraph with so many new words in a row, a sentence or a verse of its own, is no copy
    # whatever else is in it; 0 for none.
    own: int = 16
    # Rests of no more words between copied paragraphs are taken for copied too: a headline of its
    # own above another's article.
    stub: int = 8
    # Whether heavily edited copies are looked for.
    edited: bool = True
    # A document is a copy if this share of its words is copied (0 to 1) ...
    document: float = 0.8
    # ... and no more words than so many are its own; with more it stays, without what is copied.
    rest: int = 20
    # What becomes of copied documents: fold (left out, listed with their original), drop, keep.
    documents: str = "fold"
    # What becomes of copied paragraphs in other documents: fold (left out of the index) or keep.
    blocks: str = "fold"
    # What becomes of copied documents of single sources, by name: { agency = "keep" }.
    sources: Mapping[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if self.method not in ("blocks", "sentences", "shingles"):
            raise ValueError(f"method = {self.method!r} is not blocks, sentences or shingles")
        if not 0 <= self.similarity < 1:
            raise ValueError(f"similarity = {self.similarity} is not from 0 to below 1")
        if not 2 <= self.ngram <= 50:
            raise ValueError(f"ngram = {self.ngram} is not between 2 and 50")
        for name in ("threshold", "document"):
            if not 0 < getattr(self, name) <= 1:
                raise ValueError(f"{name} = {getattr(self, name)} is not above 0 and up to 1")
        for name in ("own", "stub", "rest"):
            if getattr(self, name) < 0:
                raise ValueError(f"{name} = {getattr(self, name)} is less than 0")
        for policy in (self.documents, *self.sources.values()):
            if policy not in ("fold", "drop", "keep"):
                raise ValueError(f"'{policy}' is no policy; write fold, drop or keep")
        if self.blocks not in ("fold", "keep"):
            raise ValueError(f"blocks = '{self.blocks}' is no policy; write fold or keep")


# Who asks for longer documents than this wants no notes.
_USUAL_LEAST = 20


@dataclass(frozen=True, slots=True)
class SelectSection:
    """Which documents enter the index."""

    __pydantic_config__: ClassVar[Mapping[str, Any]] = STRICT
    # Documents with fewer words of main text are dropped.
    minimum_words: int = 20
    # Whether pages with fewer words that are whole all the same (notes, dictionary entries,
    # profiles, poems, posts) are kept, from three words on; left out, unless minimum_words is more
    # than 20.
    notes: bool | None = None
    # Documents with more words are dropped; 0 is no limit.
    maximum_words: int = 0
    # Documents with a larger share (0 to 1) of words in lines said before are dropped; of a text
    # that says 100 words once half of the rest may be repeated, too: 0.75 at 0.5.
    maximum_repetition: float = 0.5
    # Documents with a smaller share of letters among the characters but spaces are dropped.
    minimum_letters: float = 0.6
    # Documents with a larger share of signs (neither letter, digit nor punctuation) are dropped.
    maximum_symbols: float = 0.1
    # Documents with a larger share of capitals among the letters are dropped.
    maximum_capitals: float = 0.5
    # Documents whose words are shorter or longer than this on average (letters) are dropped.
    word_length: tuple[float, float] = (2.0, 15.0)
    # Types of pages that are dropped: listing (front pages, sections, tags, searches), and article,
    # forum, collection, documentation, product, service, as the extractor izwi tells them.
    without_types: tuple[str, ...] = ("listing",)
    # Types of pages that are dropped of single sources, by name: { shop = [] }.
    sources: Mapping[str, tuple[str, ...]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        types = {*self.without_types, *(name for own in self.sources.values() for name in own)}
        unknown = sorted(types - set(PAGE_TYPES))
        if unknown:
            raise ValueError(f"without_types = {unknown}: known are {', '.join(PAGE_TYPES)}")
        if self.minimum_words < 0:
            raise ValueError(f"minimum_words = {self.minimum_words} is below 0")

    @property
    def has_notes(self) -> bool:
        """Whether whole pages of a few words are kept."""
        return self.minimum_words <= _USUAL_LEAST if self.notes is None else self.notes


@dataclass(frozen=True, slots=True)
class AnnotateLanguage:
    """How the texts of one language are annotated, in a table such as [annotate.en]."""

    __pydantic_config__: ClassVar[Mapping[str, Any]] = STRICT
    # The annotator for this language; empty for the corpus's own.
    method: str = ""
    # A trained tagger (a file in the corpus folder), or the name of a model of the annotator.
    model: str = ""
    # A file of lines `word TAB tag TAB lemma`; what it says wins over the model.
    lexicon: str = ""
    # Segments learnt by `izwi train segments` (a file in the corpus folder): they make the stems.
    segments: str = ""
    # The lexicon's lines, read with the configuration; not written by hand.
    lexicon_lines: tuple[str, ...] = ()
    # Abbreviations, and words that lean on the next, of a language pack; not written by hand.
    abbreviations: tuple[str, ...] = ()
    clitics: tuple[str, ...] = ()
    # What the files named above hold, as hashes; not written by hand.
    digests: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class AnnotateSection:
    """How text becomes sentences, tokens, tags and lemmas."""

    __pydantic_config__: ClassVar[Mapping[str, Any]] = STRICT
    # The annotator.
    method: str = "izwi"
    # Single languages, each as a table [annotate.CODE] with method, model, lexicon, segments.
    languages: Mapping[str, AnnotateLanguage] = field(default_factory=dict)


ATTRIBUTES = ("word", "lc", "lemma", "pos", "upos", "feats", "stem", "head", "deprel", "lang")


@dataclass(frozen=True, slots=True)
class IndexSection:
    """What can be searched."""

    __pydantic_config__: ClassVar[Mapping[str, Any]] = STRICT
    # Token attributes: word as written, lc in lower case, lemma, pos (the language's own tag),
    # upos, feats, stem, head, deprel, lang. Always word and lc; the annotator makes what is asked
    # for, as far as it knows it; imported treebanks bring their own.
    attributes: tuple[str, ...] = ("word", "lc", "lemma", "pos")

    def __post_init__(self) -> None:
        unknown = sorted(set(self.attributes) - set(ATTRIBUTES))
        if unknown:
            raise ValueError(f"attributes = {unknown}: known are {', '.join(ATTRIBUTES)}")
        if not {"word", "lc"} <= set(self.attributes):
            raise ValueError(f'attributes must hold "word" and "lc", not {sorted(self.attributes)}')
        if len(set(self.attributes)) < len(self.attributes):
            raise ValueError("attributes holds a name twice")


@dataclass(frozen=True, slots=True)
class BuildSection:
    """Where the work of a build is done."""

    __pydantic_config__: ClassVar[Mapping[str, Any]] = STRICT
    # "serial", "processes" or "dask"; empty for processes, or this one if there is one worker.
    runner: str = ""
    # Address of a Dask scheduler, such as "tcp://10.0.0.1:8786"; empty for a cluster of one's own.
    scheduler: str = ""
    # What each process may take to find out which text is whose; more than 16 bytes for each word
    # are done in parts. It changes nothing in the corpus.
    memory: str = "256 MiB"

    def __post_init__(self) -> None:
        check_size("memory", self.memory)
        if self.scheduler and "://" not in self.scheduler:
            raise ValueError(
                f"scheduler = {self.scheduler!r} is not an address such as tcp://10.0.0.1:8786"
            )
        if self.scheduler and self.runner != "dask":
            raise ValueError('scheduler is for runner = "dask"')


@dataclass(frozen=True, slots=True)
class StoreSection:
    """Where the corpus keeps what does not lie in its folder."""

    __pydantic_config__: ClassVar[Mapping[str, Any]] = STRICT
    # The queue of addresses in a PostgreSQL database ("postgresql://user@host/database"), so that
    # several machines gather at once; empty for a file in the folder. Passwords go to ~/.pgpass.
    catalog: str = ""
    # An address such as "s3://bucket/news" to which every run sends what it made, so that other
    # machines can read it; empty for none. Keys come from the environment, as for other tools.
    objects: str = ""

    def __post_init__(self) -> None:
        if self.objects and "://" not in self.objects:
            raise ValueError("objects is not an address such as s3://bucket/news")
        if self.catalog and not self.catalog.startswith(("postgresql://", "postgres://")):
            raise ValueError("catalog is not an address such as postgresql://user@host/database")


@dataclass(frozen=True, slots=True)
class SearchSection:
    """How the corpus is searched."""

    __pydantic_config__: ClassVar[Mapping[str, Any]] = STRICT
    # The address of a LibreTranslate-like service, for searches in another language.
    translator: str = ""
    # What a process keeps in memory of answers and orders, to be quick when it is asked again.
    memory: str = "128 MiB"

    def __post_init__(self) -> None:
        check_size("memory", self.memory)
        if self.translator and not self.translator.startswith(("http://", "https://")):
            raise ValueError(f"translator = {self.translator!r} is not an http address")


@dataclass(frozen=True, slots=True)
class ScheduleSection:
    """When the corpus grows by itself: obeyed by `izwi watch`, and by `izwi serve --schedule`."""

    __pydantic_config__: ClassVar[Mapping[str, Any]] = STRICT
    # Time of day, such as "03:00" by the machine's clock, at which a run begins; empty for none.
    daily: str = ""
    # A run by the clock fetches at most so many pages; 0 is no limit.
    limit: int = 0

    def __post_init__(self) -> None:
        if self.daily and not _TIME_OF_DAY.fullmatch(self.daily):
            raise ValueError(f"daily = '{self.daily}' is not a time of day such as 03:00")
        if self.limit < 0:
            raise ValueError(f"limit = {self.limit} is below 0")


@dataclass(frozen=True, slots=True)
class AlertsSection:
    """Who is told by mail what the headword watch finds."""

    __pydantic_config__: ClassVar[Mapping[str, Any]] = STRICT
    # Addresses that get a mail when a build finds earlier lines of watched headwords.
    mail: tuple[str, ...] = ()
    # The server that takes mails, as host or host:port.
    smtp: str = "127.0.0.1:25"
    # The address they come from; the first of `mail` if empty.
    sender: str = ""
    # The language they are written in: en, af, zu.
    language: str = "en"

    def __post_init__(self) -> None:
        for address in (*self.mail, *filter(None, (self.sender,))):
            if not re.fullmatch(r"[^\s@,;<>]+@[^\s@,;<>]+", address):
                raise ValueError(f"'{address}' is not an address of mail")
        if not re.fullmatch(r"[^\s:/]+(:\d{1,5})?", self.smtp):
            raise ValueError(f"smtp = '{self.smtp}' is not a server such as mail.example.org:25")


class Source(Protocol):
    """What every configured source has; the rest is its own (see gather/sources)."""

    type: ClassVar[str]

    @property
    def name(self) -> str:
        """Its name in corpus.toml."""

    @property
    def method(self) -> str:
        """The extractor for its pages; empty for the corpus's own."""


@dataclass(frozen=True, slots=True)
class CorpusConfig:
    """One corpus.toml, checked."""

    corpus: CorpusSection
    gather: GatherSection
    sources: tuple[Source, ...] = ()
    extract: ExtractSection = field(default_factory=ExtractSection)
    language: LanguageSection = field(default_factory=LanguageSection)
    dedup: DedupSection = field(default_factory=DedupSection)
    select: SelectSection = field(default_factory=SelectSection)
    annotate: AnnotateSection = field(default_factory=AnnotateSection)
    index: IndexSection = field(default_factory=IndexSection)
    variety: VarietySection = field(default_factory=VarietySection)
    search: SearchSection = field(default_factory=SearchSection)
    build: BuildSection = field(default_factory=BuildSection)
    store: StoreSection = field(default_factory=StoreSection)
    schedule: ScheduleSection = field(default_factory=ScheduleSection)
    alerts: AlertsSection = field(default_factory=AlertsSection)
    # Sources that rest until they are resumed: `paused = true` below any [[source]].
    paused: frozenset[str] = frozenset()
    # What readers see a source's documents as part of, by source: `publication = "The Herald"`
    # below any [[source]]; where nothing is said, what the pages and feeds call their site.
    publications: Mapping[str, str] = field(default_factory=dict)
    # Rules for the pages of single sources, and options of their extractors, by source's name.
    portals: Mapping[str, Portal] = field(default_factory=dict)
    source_options: Mapping[str, Any] = field(default_factory=dict)
    # What is in the model files that extractors' options name, by source; "" is the corpus's own.
    model_digests: Mapping[str, str] = field(default_factory=dict)
