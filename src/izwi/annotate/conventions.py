"""Where the words of a language are cut: its abbreviations, clitics and hyphens."""

import re
from collections import Counter
from collections.abc import Iterable
from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Hashes = NDArray[np.int64]

# Written with a full stop that belongs to the word and rarely ends a sentence.
_TITLES = """mr mrs ms dr prof rev adv gen col capt sgt lt hon sen rep reps gov fr cpl maj messrs
    mme mnr mev mej ds drr proff st mt ft pres supt insp brig cmdr ald cllr vs nos
    nr nrs bv dw bl fig figs vol vols eds pp approx ca cf viz attn tel ext dept univ
    assn eg ie mnre mevv sk wnd asst e.g i.e a.k.a u.s.a w.r.t c.f m.a.w d.w.s d.m.v
    m.b.t n.a.v p.s ps ph esp jan feb mrt apr aug sept oct okt nov dec tue tues wed thur thurs
    fri"""
# The same, but often the last word of a sentence: only a capital after it decides.
_CLOSERS = """etc inc corp co ltd bros jr sr plc ens m.m a.m p.m blvd ave rd sq min mins hrs
    yrs oz lb lbs al vgm nm n.m"""
# Abbreviations that always have something after them.
_OPENERS = "e.g i.e eg ie cf c.f viz a.k.a vs c ca p.s ps esp"
# Words with a capital that begin a sentence rather than continue a name.
_STARTERS = """the a an this that these those it he she they we i you there here in on at for from
    but and or so if when while although as after before since his her their our my
    its what who how why where then however also no not with by to please thanks die
    dit hy sy hulle ons ek daar hier maar en toe as wanneer dus ook 'n baie lo le
    leli lesi kodwa futhi uma ngakho"""
# Abbreviations before a number only; otherwise words.
_COUNTERS = "no nos art arts sec sect para p pp fig ch c"
# EWT keeps these prefixes with their hyphen and splits every other hyphenated word.
_PREFIXES = """e agro ante anti arch be bi bio co counter cross cyber de eco ex extra inter intra
    macro mega micro mid mini multi neo non over peri post pre pro pseudo quasi re
    semi socio sub super supra trans tri ultra un under uni vice electro gastro homo
    hetero ortho photo psycho afro"""
_SUFFIXES = "esque ette fest fold gate itis less most o rama ever wise"
# Words that are two words written as one, with the length of the first.
_FUSED = """can|not gon|na wan|na got|ta gim|me lem|me do|nt did|nt does|nt wo|nt ca|nt could|nt
    would|nt should|nt is|nt are|nt was|nt were|nt have|nt has|nt had|nt ai|nt i|m
    i|ve out|ta that|s there|s what|s he|s let|s you|re they|re it|ll you|ll they|ll
    c'm|on d'|ye y'|all"""

# The same as titles, in one language each: what is often the last word of a sentence is left out.
_NORDIC = "f.eks bl.a dvs kl nr kr mill mrd evt inkl jf pr stk kap s.k"
_SOUTH_SLAVIC = "npr tzv tj br str čl dr mr prof tis mil oko"
_BY_LANGUAGE = {
    "afr": "",
    "bel": "т.зв напр гл вул праф акад тыс млн млрд",
    "bos": _SOUTH_SLAVIC,
    "bul": "напр т.е т.нар проф ул бр лв хил млн млрд",
    "cat": "sr sra srta dr dra pàg núm av p.ex",
    "ces": "např tzv mj resp čl č odst str tj mgr ing tis mil mld sb",
    "dan": _NORDIC,
    "deu": "bzw ca evtl ggf inkl z.b d.h u.a z.t vgl nr abs bspw sog zzgl mio mrd hr fr str geb",
    "ell": "π.χ δηλ βλ αρ σελ κ κα δρ",
    "eng": "",
    "est": "nt st s.t sh lk nr prof",
    "fin": "esim mm ns klo nro vrt puh tri",
    "fra": "m mm mme mlle mgr env av apr p.ex éd art boul",
    "gle": "uimh lgh m.sh",
    "hrv": _SOUTH_SLAVIC,
    "hun": "pl ill kb ún ti",
    "ind": "dr drs ir jl no hlm tgl yg spt a.n",
    "isl": "t.d þ.e m.a kl kr nr hv hæstv sbr skv u.þ.b bls",
    "ita": "sig dott prof pag art es avv ing arch on",
    "lav": "piem t.i t.sk nr lpp milj tūkst plkst prof",
    "lit": "pvz tūkst mln mlrd nr t.y m d el pan",
    "nld": "bijv d.w.z o.a m.b.t t.a.v nl dhr mevr drs ir ing blz jl nr",
    "nno": _NORDIC,
    "nob": _NORDIC,
    "pol": "np tzw m.in tj godz ul nr prof św tys mln mld ok art ust",
    "por": "sr sra srta dr dra exmo exma av pág p.ex núm art",
    "ron": "nr str dl dna art pag ex mil mld",
    "rus": "т.е напр см проф акад ул им тыс млн млрд руб",
    "slk": "napr tzv resp čl č ods str tj t.j mgr ing tis mil mld",
    "slv": "npr oz t.i št str čl dr mag prof tis mio",
    "spa": "sr sra srta dr dra ud uds pág p.ej aprox núm av avda gral lic",
    "srp": f"{_SOUTH_SLAVIC} нпр тзв тј бр стр чл др мр проф",
    "swe": "t.ex bl.a d.v.s dvs s.k ca kl nr kr ang resp",
    "tur": "örn sn bkz no yy doç av",
    "ukr": "напр див ст ім вул проф акад тис млн млрд",
}  # fmt: skip
# Often the last words of a sentence, in one language each: only a capital after them decides.
_CLOSERS_BY_LANGUAGE = {
    "bos": "itd",
    "ces": "atd apod",
    "dan": "osv m.m m.fl o.l",
    "deu": "usw usf etc",
    "ell": "κ.λπ κλπ κ.ά κ.α",
    "est": "jne jms",
    "fin": "jne ym yms",
    "hrv": "itd",
    "hun": "stb",
    "isl": "o.fl o.s.frv",
    "ita": "ecc",
    "lav": "u.c utt",
    "lit": "kt",
    "nld": "enz",
    "nno": "osv m.m m.fl o.l",
    "nob": "osv m.m m.fl o.l",
    "pol": "itd itp",
    "slk": "atď apod",
    "slv": "itd ipd",
    "srp": "itd итд",
    "swe": "osv m.m m.fl o.d",
    "tur": "vb vs",
}
# Titles of the Nguni languages, which stand behind the prefix of a name as others do (uMnu.).
_NGUNI_TITLES = {
    "zul": "mnu mnumz nkk nksz dkt mfu slz",
    "xho": "mnu mnumz nkosk nksk nksz nks gqr mfund",
    "nbl": "mnu mnumz nom nomz kkz mm mk dorh",
    "ssw": "mnu mnumz nkkt nkk nksz dkt mfu",
}
_NGUNI_PREFIXES = "u no ku ka ngu ngo kwa na nga njengo waka lika zika yika kuka bo"
_PREFIXED_TITLES = "dr prof adv rev mr mrs ms gen col capt sen gov hon insp brig cllr"
# Languages that write ordinals as a number with a full stop.
_ORDINALS = """bar bos ces csb dan deu dsb est eus fao fin gsw hrv hsb hun isl lav ltz nds nno nob
    pol slk slv srp tur"""
# The languages that write ordinals so, and those whose abbreviations are known.
WITH_ORDINALS = frozenset(_ORDINALS.split())
# Languages that write endings to abbreviations and numbers with a colon (EU:n, 3:e), and those
# whose full stop looks like a colon and is mostly typed as one.
_INFLECTED_AT_COLONS = frozenset(("fin", "swe"))
_ENDING_AT_COLONS = frozenset(("hye", "hyw"))
ABBREVIATED = frozenset((*_BY_LANGUAGE, *_NGUNI_TITLES))

# Words that lean on the next one and are written to it with an apostrophe or a hyphen; and, since
# they are cut alike, those that always end in an apostrophe (po', ta').
_FRENCH = "l' d' j' n' s' c' m' t' qu' jusqu' lorsqu' puisqu' quoiqu'"
_ITALIAN = """l' un' d' c' s' v' dell' all' dall' nell' sull' coll' quell' bell' sant' quest' gl'
    m' t' ch' dov' com' cos' nessun' quant' tutt' senz' mezz' po' mo' e' da' di' fa' va' sta'"""
_MALTESE = """l- il- iċ- id- in- ir- is- it- ix- iz- iż- ċ- d- n- r- s- t- x- z- ż- tal- taċ-
    tad- tan- tar- tas- tat- tax- taz- taż- fil- fiċ- fid- fin- fir- fis- fit- fix- fiz- fiż-
    bil- biċ- bid- bin-
    bir- bis- bit- bix- biz- biż- mal- maċ- mad- man- mar- mas- mat- max- maz- maż- mill- miċ-
    mid- min- mir- mis- mit- mix- għall- għaċ- għad- għan- għar- għas- għat- għax- sal- sas-
    bħall- lill- liċ- lid- lin- lir- lis- lit- lix- liż- dal- dan- das- dat- fl- bl- b' f' x' m'
    ta' ma' sa' fi' bi' ra' ja' reġa' erba' disa' jista' tista' nista' jibqa' tibqa' qata' sema'
    waqa' baqa' tela'"""
_ROMANIAN = """s- m- l- i- v- c- n- d- ne- le- te- se- de- dintr- într- printr- mi- ți- ţi- vi- ni-
    li-"""
_GAELIC = "a' d' b' m' t' th' dh' bh'"
_PROCLITICS = {
    "fra": _FRENCH,
    "ita": _ITALIAN,
    "cat": "l' d' n' s' m' t'",
    "oci": "l' d' n' s' m' t' qu'",
    "gla": _GAELIC,
    "gle": "d' b' m' t'",
    "mlt": _MALTESE,
    "ron": _ROMANIAN,
}
# Words that lean on the one before them.
_ENCLITICS = {
    "cym": "'r 'n 'i 'w 'u 'm 'th 'ch 'na 'ma",
    "gle": "'n",
}
# Seen so often with its full stop, a word is taken for an abbreviation.
_LEAST_STOPPED = 3
# What follows the last point of a host name or a file name.
_HOSTS = "com net org edu gov za uk co ac info ca au de ly tv biz io"
_FILES = """doc docx pdf htm html xls xlsx ppt pptx jpg jpeg gif png txt zip exe mp3 mp4 php asp csv
    json xml rtf js css dll"""


class Conventions(NamedTuple):
    """The lists of a language as sorted hashes, then switches."""

    titles: Hashes
    closers: Hashes
    counters: Hashes
    openers: Hashes
    starters: Hashes
    prefixes: Hashes
    suffixes: Hashes
    fused: Hashes
    fused_at: Hashes
    hosts: Hashes
    files: Hashes
    whole: Hashes
    proclitics: Hashes
    enclitics: Hashes
    splits_clitics: bool
    splits_hyphens: bool
    has_ordinals: bool
    joins_colons: bool
    ends_at_colons: bool

    @property
    def lists(self) -> tuple[Hashes, ...]:
        """Return the lists in their order, as the scanner reads them."""
        return self[:14]

    @property
    def switches(self) -> tuple[bool, ...]:
        """Return the switches in their order."""
        return self[14:]


def text_hash(text: str) -> int:
    """Return the 32-bit FNV-1a hash of a text's code points in lower case."""
    value = 2166136261
    for sign in text.lower():
        value = ((value ^ ord(sign)) * 16777619) & 0xFFFFFFFF
    return value


@lru_cache(maxsize=64)
def conventions(
    language: str = "und",
    whole: frozenset[str] = frozenset(),
    abbreviations: frozenset[str] = frozenset(),
    proclitics: frozenset[str] = frozenset(),
) -> Conventions:
    """Return the conventions of a language (ISO 639-3); `whole` are words never to be cut.

    English follows the UD treebanks: clitics and most hyphens are cut. In the other languages a
    hyphen or an apostrophe inside a word belongs to it (Suid-Afrika, i-IDP, foto's), unless it
    ends a word that leans on the next (l'homme, il-ktieb).
    """
    is_english = language == "eng"
    fused = sorted((text_hash(word.replace("|", "")), word.index("|")) for word in _FUSED.split())
    return Conventions(
        titles=_hashes([*_TITLES.split(), *_abbreviations(language), *abbreviations]),
        closers=_hashes([*_CLOSERS.split(), *_CLOSERS_BY_LANGUAGE.get(language, "").split()]),
        counters=_hashes(_COUNTERS.split()),
        openers=_hashes(_OPENERS.split()),
        starters=_hashes(_STARTERS.split()),
        prefixes=_hashes(_PREFIXES.split()),
        suffixes=_hashes(_SUFFIXES.split()),
        fused=np.array([value for value, _ in fused], np.int64),
        fused_at=np.array([place for _, place in fused], np.int64),
        hosts=_hashes(_HOSTS.split()),
        files=_hashes(_FILES.split()),
        whole=_hashes(whole),
        proclitics=_hashes([*_PROCLITICS.get(language, "").split(), *proclitics]),
        enclitics=_hashes(_ENCLITICS.get(language, "").split()),
        splits_clitics=is_english,
        splits_hyphens=is_english,
        has_ordinals=language in WITH_ORDINALS,
        joins_colons=language in _INFLECTED_AT_COLONS,
        ends_at_colons=language in _ENDING_AT_COLONS,
    )


def _abbreviations(language: str) -> list[str]:
    """Return the abbreviations of one language, titles of Nguni languages with their prefixes."""
    own = _BY_LANGUAGE.get(language, "").split()
    if language not in _NGUNI_TITLES:
        return own
    titles = _NGUNI_TITLES[language].split()
    behind = [*titles, *_PREFIXED_TITLES.split()]
    prefixes = [prefix + sign for prefix in _NGUNI_PREFIXES.split() for sign in ("", "-")]
    return [*titles, *(prefix + title for prefix in prefixes for title in behind)]


def _hashes(words: Iterable[str]) -> Hashes:
    return np.array(sorted({text_hash(word) for word in words}), np.int64)


# A short word with its full stop before what goes on in lower case, and any word.
_STOPPED = re.compile(
    r"(?<![^\s(\"'«„“])([^\W\d_](?:[\w.]{0,6}[^\W\d_])?)\.(?=,|\s+[a-zß-öø-ÿ\d(])"
)
_ANY_WORD = re.compile(r"[^\W\d_](?:[\w.]*[^\W\d_])?")


def find_abbreviations(lines: Iterable[str]) -> tuple[str, ...]:
    """Return the words that are mostly written with a full stop inside sentences.

    >>> find_abbreviations(["Sie kam z.B. am Montag bzw. am Dienstag."] * 4)
    ('bzw', 'z.b')
    """
    stopped, written = Counter[str](), Counter[str]()
    for line in lines:
        stopped.update(word.lower() for word in _STOPPED.findall(line))
        written.update(word.lower() for word in _ANY_WORD.findall(line))
    return tuple(
        sorted(w for w, n in stopped.items() if n >= _LEAST_STOPPED and 2 * n > written[w])
    )
