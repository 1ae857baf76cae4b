"""How often a page that does not say its charset is read right.

    python benchmarks/extraction/charsets.py DATA/language/world/dev.tsv.gz

Texts of languages in the charsets that their pages were written in, 1, 2, 5 or 40 of them a page.
A page counts if every character is right.
"""

import argparse
import gzip
import random
from collections import Counter, defaultdict
from pathlib import Path

from izwi.text.decode import decode

WRITTEN_IN = {
    "cp1252": "afr deu fra spa por ita nld swe dan fin isl cat eus sqi glg nno fao gle run som wol",
    "cp1250": "pol ces slk hun slv hrv bos ron", "iso8859-2": "pol ces slk hun slv hrv ron",
    "cp1251": "rus ukr bul srp mkd bel", "koi8-r": "rus", "koi8-u": "ukr", "cp866": "rus",
    "iso8859-5": "rus bul", "cp1253": "ell", "iso8859-7": "ell", "cp1254": "tur", "cp1255": "heb",
    "cp1256": "arb pes urd", "cp1257": "lit lvs est", "cp874": "tha", "big5hkscs": "cmn zho yue",
    "gb18030": "cmn zho", "euc_jp": "jpn", "cp932": "jpn", "cp949": "kor",
}  # fmt: skip
SIZES, TIMES = (1, 2, 5, 40), 8


def texts_by_language(path: Path) -> dict[str, list[str]]:
    found = defaultdict(list)
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        for line in lines:
            language, _, _, text = line.rstrip("\n").split("\t", 3)
            found[language].append(text)
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("texts", type=Path)
    texts, chance = texts_by_language(parser.parse_args().texts), random.Random(1)
    pages, right = Counter(), Counter()
    for charset, languages in WRITTEN_IN.items():
        for language in languages.split():
            for size in SIZES * TIMES if language in texts else ():
                drawn = chance.sample(texts[language], min(size, len(texts[language])))
                body = "".join(f"<p>{text}</p>\n" for text in drawn).encode(charset, "ignore")
                if not body.isascii():
                    pages[charset] += 1
                    right[charset] += decode(body).text == body.decode(charset)
    for charset, count in pages.items():
        print(f"{charset:10} {right[charset]:4} of {count}")
    print(f"{'all':10} {right.total():4} of {pages.total()} ({right.total() / pages.total():.1%})")


if __name__ == "__main__":
    main()
