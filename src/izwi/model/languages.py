"""Language codes, what is known of a language; what making a pack or training a tagger gives."""

from collections.abc import Mapping
from dataclasses import field
from difflib import get_close_matches
from functools import cache
from importlib.resources import files

from izwi.model.records import dataclass

# ISO 639-1 to 639-3 for the languages the shipped adapters name; other codes pass unchanged.
_PAIRS = """
aa:aar ab:abk af:afr ak:aka sq:sqi am:amh ar:ara hy:hye as:asm ay:aym az:aze ba:bak eu:eus
be:bel bn:ben bs:bos br:bre bg:bul my:mya ca:cat ny:nya zh:zho co:cos hr:hrv cs:ces da:dan
nl:nld dz:dzo en:eng eo:epo et:est ee:ewe fo:fao fj:fij fi:fin fr:fra fy:fry gl:glg lg:lug
ka:kat de:deu el:ell gn:grn gu:guj ht:hat ha:hau he:heb iw:heb hi:hin hu:hun is:isl ig:ibo
id:ind ga:gle it:ita ja:jpn jv:jav kn:kan kk:kaz km:khm rw:kin rn:run ko:kor ku:kmr ky:kir
lo:lao la:lat lv:lav ln:lin lt:lit lb:ltz mk:mkd mg:mlg ms:msa ml:mal mt:mlt mi:mri mr:mar
mn:mon na:nau nr:nbl ne:nep no:nob nb:nob nn:nno oc:oci or:ori om:orm ps:pus fa:fas pl:pol
pt:por pa:pan qu:que ro:ron rm:roh ru:rus sm:smo sg:sag sa:san gd:gla sr:srp st:sot tn:tsn
sn:sna sd:snd si:sin ss:ssw sk:slk sl:slv so:som es:spa su:sun sw:swa sv:swe tl:tgl tg:tgk
ta:tam tt:tat te:tel th:tha bo:bod ti:tir to:ton ts:tso tr:tur tk:tuk tw:aka ug:uig uk:ukr
ur:urd uz:uzb ve:ven vi:vie vo:vol cy:cym wo:wol xh:xho yi:yid yo:yor za:zha zu:zul
bh:bih bi:bis dv:div gv:glv ia:ina ie:ile ik:ipk iu:iku jw:jav kl:kal ks:kas os:oss
an:arg av:ava ce:che ch:cha cv:chv ff:ful kg:kon ki:kik kr:kau kv:kom kw:cor
li:lim lu:lub nd:nde nv:nav sc:srd se:sme ty:tah wa:wln
"""
_THREE_BY_TWO = dict(pair.split(":") for pair in _PAIRS.split())
_TWO_BY_THREE = {three: two for two, three in _THREE_BY_TWO.items() if two != "iw"}


# Longer ones are names.
_LONGEST_CODE = 3


def iso639_3(code: str) -> str:
    """Return the three-letter code for a tag as people write it, or for a language's name.

    >>> iso639_3("en"), iso639_3("en-ZA"), iso639_3("nso"), iso639_3("isiZulu")
    ('eng', 'eng', 'nso', 'zul')
    """
    primary = code.strip().lower().replace("_", "-").split("-")[0]
    if len(primary) <= _LONGEST_CODE:
        return _THREE_BY_TWO.get(primary, primary)
    return code_of_name(code) or code_of_name(primary) or primary


def code_of_name(name: str) -> str:
    """Return the code of a language by its English name or what it calls itself; else nothing."""
    return _codes_by_name().get(name.strip().casefold(), "")


def names_like(name: str) -> str:
    """Return names of languages that are spelt nearly so, with their codes, as a sentence ends.

    >>> names_like("isiZulo")
    ' (similar: isizulu is zul)'
    """
    near = get_close_matches(name.strip().casefold(), sorted(_codes_by_name()), 3, 0.8)
    told = ", ".join(f"{each} is {_codes_by_name()[each]}" for each in near)
    return f" (similar: {told})" if told else ""


@cache
def _codes_by_name() -> Mapping[str, str]:
    """Return the codes by names in small letters, of the languages that can be told."""
    text = (files("izwi") / "models" / "language_names.txt").read_text(encoding="utf-8")
    rows = (line.split("\t") for line in text.splitlines())
    return {name.casefold(): code for code, *names in rows for name in names}


def iso639_1(code: str) -> str:
    """Return the two-letter code of a language, the code itself if it has none.

    >>> iso639_1("eng"), iso639_1("nso")
    ('en', 'nso')
    """
    return _TWO_BY_THREE.get(iso639_3(code), code)


@dataclass(frozen=True, slots=True)
class KnownLanguage:
    """What can be done with a language, with what comes along or with packs."""

    code: str
    # Whether it is told from others, and running text from lists.
    identified: bool
    connected: bool
    # Whether its abbreviations are known, so that sentences end where they should.
    sentences: bool
    # Where tags and lemmas come from: a tagger, word lists, or nothing.
    tags: str
    lemmas: str
    # Words of its stop list, and whether a number with a full stop is an ordinal (2. Juli).
    stop_words: int = 0
    ordinals: bool = False
    # Languages it is often taken for (6 to 15 words), the nearest first.
    close_to: tuple[str, ...] = ()
    # Who brings it: izwi, or the folder or name of a pack.
    origin: str = "izwi"
    # Shares from 0 to 1, measured on text held out.
    figures: Mapping[str, float] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class MadePack:
    """A language pack that was written, and how good its parts are on text held out.

    `confused` says what pieces of the language are taken for, `losers` which languages lose texts
    to it (each with how often), `rivals` what its text was taken for before. So many words of text
    lack (`words_short`) to learn what running text is like.
    """

    code: str
    path: str
    size_bytes: int
    parts: tuple[str, ...]
    figures: Mapping[str, float]
    confused: tuple[tuple[str, int], ...] = ()
    losers: tuple[tuple[str, int], ...] = ()
    rivals: tuple[tuple[str, int], ...] = ()
    words_short: int = 0


@dataclass(frozen=True, slots=True)
class TrainedTagger:
    """A tagger that was written, and what it was learnt from."""

    path: str
    language: str
    sentences: int
    words: int
    tags: int
    size_bytes: int


@dataclass(frozen=True, slots=True)
class TrainedProfile:
    """What running text of a language is like, learnt into a file of profiles."""

    code: str
    threshold: float
    profiles: str


@dataclass(frozen=True, slots=True)
class TrainedSegments:
    """Pieces of words that were written, and from how many words they were learnt."""

    path: str
    language: str
    words: int
    pieces: int
    size_bytes: int


@dataclass(frozen=True, slots=True)
class TagAccuracy:
    """How often a tag of the gold standard was found, and what was said most often instead."""

    tag: str
    words: int
    accuracy: float
    instead: str = ""


@dataclass(frozen=True, slots=True)
class Confusion:
    """A tag taken for another, so many times."""

    gold: str
    found: str
    times: int


@dataclass(frozen=True, slots=True)
class TaggerScore:
    """A tagger beside a gold standard; shares from 0 to 1.

    From raw text, `sentences_f1` and `tokens_f1` are given too, and a word counts as right only if
    it was cut out rightly. `unknown` is the share right among words not frequent in training.
    """

    words: int
    upos: float
    xpos: float
    lemma: float
    unknown: float
    unknown_words: int
    tokens_per_second: float
    by_tag: tuple[TagAccuracy, ...] = ()
    confusions: tuple[Confusion, ...] = ()
    sentences_f1: float | None = None
    tokens_f1: float | None = None
    # The same by single cuts: one wrong cut spoils two sentences or tokens, but is one error here.
    sentence_ends_f1: float | None = None
    token_edges_f1: float | None = None
    # Words whose features are all right, where features were asked for.
    feats: float | None = None
