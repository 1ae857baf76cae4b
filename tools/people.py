"""How many people read each language and can afford to be on the web, from CLDR."""

import json
from collections import defaultdict
from pathlib import Path

from izwi.model.languages import iso639_3

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
    held = json.loads(path.read_text(encoding="utf-8"))["supplemental"]["territoryInfo"]
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


def _share(percent: str | float) -> float:
    return float(percent) / 100
