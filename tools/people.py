"""How many people read each language and can afford to be on the web, from CLDR."""

import json
from collections import defaultdict
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as etree

from izwi.model.languages import iso639_3

# What is said of each country: percentages, incomes, and percentages by language.
Countries = dict[str, dict[str, Any]]
# Parts that the data has under the code of the whole (`world/README.md`).
_WHOLE = {
    "arb": "ara", "azj": "aze", "cmn": "zho", "ekk": "est", "fil": "tgl", "khk": "mon", "knn": "kok",
    "kur": "kmr", "lvs": "lav", "nor": "nob", "npi": "nep", "ory": "ori", "pes": "fas", "prs": "fas",
    "swh": "swa", "twi": "aka", "uzn": "uzb", "ydd": "yid", "zlm": "msa", "zsm": "msa",
}  # fmt: skip
# Nobody is known to read a language: as if it were so many. A reader with this income counts once.
FEWEST, _INCOME = 1e5, 1e4


def readers(path: Path) -> dict[str, float]:
    """Return for each language its readers in all countries, each weighed by the country's income."""
    held = _of_xml(path) if path.suffix == ".xml" else _of_json(path)
    found: dict[str, float] = defaultdict(float)
    for country in held.values():
        incomes = float(country["_gdp"]) / _INCOME
        for locale, own in country.get("languagePopulation", {}).items():
            code = iso639_3(locale.partition("_")[0])
            literate = own.get("_literacyPercent", country["_literacyPercent"])
            part = _share(own["_populationPercent"]) * _share(literate)
            part *= _share(own.get("_writingPercent", 100))
            found[_WHOLE.get(code, code)] += part * incomes
    return {code: max(FEWEST, number) for code, number in found.items()}


def _of_json(path: Path) -> Countries:
    """Return what npm's cldr-core says of each country."""
    found: Countries = json.loads(path.read_text(encoding="utf-8"))["supplemental"]["territoryInfo"]
    return found


def _of_xml(path: Path) -> Countries:
    """Return the same of CLDR's own file, supplementalData.xml."""
    found: Countries = {}
    for country in etree.parse(path).iterfind("territoryInfo/territory"):
        languages = {
            own.get("type", ""): {f"_{name}": value for name, value in own.items()}
            for own in country.iterfind("languagePopulation")
        }
        numbers = {f"_{name}": value for name, value in country.items()}
        found[country.get("type", "")] = {**numbers, "languagePopulation": languages}
    return found


def _share(percent: str | float) -> float:
    return float(percent) / 100
