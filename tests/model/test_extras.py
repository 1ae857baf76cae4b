"""Every package of an extra is known by it, so that a command names the line that installs it."""

import tomllib
from pathlib import Path

import pytest

from izwi.model.errors import missing_extra

PROJECT = tomllib.loads((Path(__file__).parents[2] / "pyproject.toml").read_text(encoding="utf-8"))
# Where a package is imported under another name than it is installed under.
IMPORTED = {
    "ufal.udpipe": "ufal",
    "lingua-language-detector": "lingua",
    "Morfessor": "morfessor",
    "psycopg[binary]": "psycopg",
}
EXTRAS = PROJECT["project"]["optional-dependencies"]


@pytest.mark.parametrize(
    ("extra", "package"),
    [
        (extra, line.partition(">")[0])
        for extra, lines in EXTRAS.items()
        if extra not in ("dev", "docs", "bench")
        for line in lines
    ],
)
def test_a_missing_package_is_named_with_its_extra(extra, package):
    name = IMPORTED.get(package, package)

    found = missing_extra(ModuleNotFoundError(f"No module named '{name}'", name=name))

    assert f"izwi[{extra}]" in str(found)


def test_a_module_of_ours_is_no_extra():
    assert missing_extra(ModuleNotFoundError(name="izwi.kernels.lean")) is None
