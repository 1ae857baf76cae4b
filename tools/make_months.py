"""Write what months are called, from the Unicode Common Locale Data Repository (as Babel has it).

    python tools/make_months.py

One line a month, all names and short forms in lower case, what a name is made of joined by "_". A name that is another
month in another language counts as in most languages that have it.
"""

import re
from collections import Counter, defaultdict
from pathlib import Path
from unicodedata import normalize

from babel import Locale, localedata

PLACE = Path(__file__).parents[1] / "src/izwi/text/metadata/months.txt"
# Forms that pages write and the repository does not have; the months of isiZulu and isiXhosa by
# their own names, and names of Setswana, Sepedi, Sesotho, Xitsonga and siSwati as they are spelled.
_ALSO = {
    1: "jānvāris urtarrilaren umasingana kumasingana masingana eyomqungu janaware",
    2: "fév otsailaren dibokwane unhlolanja kunhlolanja nhlolanja eyomdumba feberware",
    3: "martxoaren undasa kundasa ndasa eyokwindla mopitlwe indlovulenkhulu",
    4: "aprila apirilaren umbasa kumbasa mbasa utshazimpuzi",
    5: "maiatzaren unhlaba kunhlaba ucanzibe motsheganong",
    6: "juna ekainaren unhlangulana kunhlangulana nhlangulana eyesilimela",
    7: "jula uztailaren mosegemanye untulikazi kuntulikazi ntulikazi eyekhala",
    8: "avgusta aoû abuztuaren uncwaba kuncwaba ncwaba eyethupha agostose",
    9: "wrzesnia irailaren lewedi umandulo kumandulo mandulo eyomsintsi loetse",
    10: "urriaren umfumfu kumfumfu mfumfu eyedwarha nhlangula oktobha",
    11: "azaroaren dibatsela ulwezi kulwezi lwezi eyenkanga ilweti",
    12: "abenduaren manthole uzibandlela kuzibandlela eyomnga nwendzamhala n'wendzamhala n’wendzamhala desemere",
}


def names() -> dict[str, Counter[int]]:
    """Return every name with the months it stands for, and in how many languages."""
    found: dict[str, Counter[int]] = defaultdict(Counter)
    for language in (name for name in localedata.locale_identifiers() if "_" not in name):
        ways = Locale.parse(language).months.values()
        listed = [way[form] for way in ways for form in ("wide", "abbreviated") if form in way]
        forms = {(month, name) for months in listed for month, name in months.items()}
        # Hebrew writes "in" together with the month.
        forms |= {(month, f"ב{name}") for month, name in forms if language == "he"}
        for month, name in {(m, normalize("NFC", name).lower().strip(".")) for m, name in forms}:
            found[name][month] += 1
    return found


def is_told(name: str, languages: int) -> bool:
    """Return whether a name has no figures, and is no short form that only one language has."""
    least = 3 if name.isascii() else 2
    is_word = not any(sign.isdigit() or sign in ",()" for sign in name)
    return is_word and len(name) >= least and (languages > 1 or len(name) > least)


def main() -> None:
    """Write the file."""
    listed = {month: set(_ALSO.get(month, "").split()) for month in range(1, 13)}
    for name, months in names().items():
        month, languages = months.most_common(1)[0]
        if is_told(name, languages):
            listed[month].add(re.sub(r"[\s.-]+", "_", name.replace("'", "’")))
    lines = (" ".join(sorted(listed[month])) for month in sorted(listed))
    PLACE.write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
