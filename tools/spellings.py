"""Text of a language in the other script or spelling that it is written in, too.

The data has many languages in one of two spellings only: Serbian mostly in Cyrillic, Karakalpak in
Latin letters, Bambara with the letters of a typewriter. What can be told of the other by rules
is made here, so that such text is not taken for a neighbour's.
"""

import re
from collections.abc import Callable
from functools import cache, partial

Respell = Callable[[str], str]

_SERBIAN = (
    "љ lj њ nj џ dž а a б b в v г g д d ђ đ е e ж ž з z и i ј j к k л l м m н n о o п p р r с s т t ћ ć "
    "у u ф f х h ц c ч č ш š"
)
_KARAKALPAK = (
    "sh ш ch ч ya я yu ю á ә b б v в g г ǵ ғ d д e е j ж z з i и ı ы y й k к q қ l л m м n н ń ң "
    "o о ó ө p п r р s с t т u у ú ү w ў f ф x х h ҳ c ц a а"
)
_UZBEK = (
    "o' ў g' ғ sh ш ch ч ya я yo ё yu ю ye е ts ц a а b б d д e е f ф g г h ҳ i и j ж k к l л m м "
    "n н o о p п q қ r р s с t т u у v в x х y й z з"
)
_CRIMEAN = (
    "ya я yu ю yo ё şç щ â я ç ч ş ш ğ гъ q къ ñ нъ ı ы ö ё ü ю a а b б c дж d д e е f ф g г h х i и j ж "
    "k к l л m м n н o о p п r р s с t т u у v в y й z з"
)
_LINGUA_FRANCA = (
    "a а b б c к d д e е f ф g г h х i и j ж l л m м n н o о p п r р s с t т u у v в x ш z з"
)
# West African languages: letters of the linguists' alphabet, and as French is spelt.
_AS_FRENCH = "ɛ è ɔ ô ɲ gn ŋ ng u ou j dj c tch"
_AS_AFRICAN = "ou u è ɛ é e ê ɛ ò ɔ ô ɔ gn ɲ ny ɲ tch c dj j"
_TYPED = "è ɛ ò ɔ ny ɲ"

# Two scripts, from the one to the other.
TRANSLITERATED = {
    "srp": _SERBIAN, "kaa": _KARAKALPAK, "uzb": _UZBEK, "crh": _CRIMEAN, "lfn": _LINGUA_FRANCA,
}  # fmt: skip
# One script, written in two ways.
_SPELLINGS = {"dyu": _AS_FRENCH, "bci": _AS_AFRICAN, "bam": _TYPED}
_CHINESE = ("zho", "yue", "wuu", "gan", "nan", "hak", "hsn", "lzh", "cdo")
RESPELT = (*_SPELLINGS, *_CHINESE)


def respelt(code: str, lines: list[str]) -> list[str]:
    """Return the lines of a language in its other spellings."""
    ways = _chinese() if code in _CHINESE else (_by(_SPELLINGS[code]),)
    made = ((way(line.lower()), line.lower()) for way in ways for line in lines)
    return [other for other, line in made if other != line]


def in_both_scripts(code: str, lines: list[str]) -> tuple[list[str], list[str]]:
    """Return the lines in the first of a language's scripts, and those and all others in the second."""
    way = _by(TRANSLITERATED[code])
    second = [way(line.lower()) for line in lines]
    pairs = zip(lines, second, strict=True)
    return [line for line, other in pairs if other != line.lower()], second


def _by(table: str) -> Respell:
    """Return what replaces the first of each pair by the second, longer ones before shorter."""
    signs = table.split()
    pairs = dict(zip(signs[::2], signs[1::2], strict=True))
    found = re.compile("|".join(sorted(pairs, key=len, reverse=True)))

    def replace(line: str) -> str:
        plain = re.sub("[ʻʼ‘’`]", "'", line)
        return found.sub(lambda match: pairs[match[0]], plain)

    return replace


@cache
def _chinese() -> tuple[Respell, ...]:
    """Return the ways to simplified and to traditional characters."""
    from opencc import OpenCC

    return tuple(partial(_converted, OpenCC(name)) for name in ("t2s", "s2t"))


def _converted(converter, line: str) -> str:
    return str(converter.convert(line))
