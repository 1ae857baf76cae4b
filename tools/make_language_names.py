"""Write the names by which people ask for languages: English ones, and what each calls itself.

    python tools/make_language_names.py LOCALENAMES ISO src/izwi/models/language_names.txt

LOCALENAMES is the unpacked npm package cldr-localenames-full (48.2.0; Unicode License v3), ISO the package
iso-639-3 (names of SIL's table, for those that CLDR has no name for). Languages that izwi can tell are listed,
one a line: the code and its names, between tabs.
"""

import json
import re
import sys
from pathlib import Path

from izwi.model.languages import iso639_3
from izwi.text.language.world import named_languages

# Names that neither has, or that belong to several languages there: those who ask mean this one.
ALSO = {
    "nso": "Sepedi Pedi", "nbl": "isiNdebele Ndebele", "ssw": "siSwati Swazi", "pcm": "Pidgin Naija",
    "zho": "Mandarin", "fas": "Farsi", "tgl": "Filipino Pilipino", "kmr": "Kurdish Kurmanji", "nob": "Norwegian",
    "ven": "Venda Tshivenda", "tso": "Tsonga Xitsonga", "sot": "Sotho", "mri": "Maori",
    "srp": "srpski", "run": "Kirundi", "nya": "Chichewa", "lug": "Luganda", "sna": "chiShona",
}  # fmt: skip
# Parts of what the data has under the code of the whole (as tools/people.py).
WHOLE = {
    "arb": "ara", "azj": "aze", "cmn": "zho", "ekk": "est", "fil": "tgl", "khk": "mon", "kur": "kmr",
    "lvs": "lav", "nor": "nob", "npi": "nep", "ory": "ori", "pes": "fas", "prs": "fas", "swh": "swa", "twi": "aka",
    "uzn": "uzb", "ydd": "yid",
}  # fmt: skip


def main() -> None:
    """Read, write."""
    main_folder, iso, out = Path(sys.argv[1]) / "main", Path(sys.argv[2]), Path(sys.argv[3])
    told = named_languages()
    names: dict[str, dict[str, None]] = {code: {} for code in sorted(told)}
    taken: set[str] = set()

    def add(code: str, name: str) -> None:
        plain = re.sub(r"\s*\(.*?\)", "", name).strip()
        if code in names and len(plain) > 3 and plain.casefold() not in taken:
            taken.add(plain.casefold())
            names[code][plain] = None

    for code, listed in ALSO.items():
        for name in listed.split():
            add(code, name)
    for found in (cldr(main_folder, "en"), own_names(main_folder), iso_names(iso)):
        for tag, name in found.items():
            code = iso639_3(tag)
            add(WHOLE.get(code, code), name)
    lines = ["\t".join((code, *own)) for code, own in names.items() if own]
    out.write_text("\n".join(lines) + "\n", encoding="utf-8")


def cldr(folder: Path, locale: str) -> dict[str, str]:
    """Return the names of languages in a language, by code; variants of one left out."""
    held = json.loads((folder / locale / "languages.json").read_text(encoding="utf-8"))
    names = held["main"][locale]["localeDisplayNames"]["languages"]
    return {tag: name for tag, name in names.items() if "-" not in tag}


def own_names(folder: Path) -> dict[str, str]:
    """Return what each language calls itself."""
    found = {}
    for path in sorted(folder.iterdir()):
        is_one = "-" not in path.name and (path / "languages.json").exists()
        names = cldr(folder, path.name) if is_one else {}
        if path.name in names:
            found[path.name] = names[path.name]
    return found


def iso_names(folder: Path) -> dict[str, str]:
    """Return the English names of SIL's table."""
    text = (folder / "iso6393.js").read_text(encoding="utf-8")
    return {
        code[1]: name[1]
        for entry in re.findall(r"\{(.*?)\}", text, re.DOTALL)
        if (name := re.search(r"name: ['\"](.+?)['\"],?\n", entry + "\n"))
        and (code := re.search(r"iso6393: '(\w+)'", entry))
    }


if __name__ == "__main__":
    main()
