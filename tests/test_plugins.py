import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner

from izwi import plugins
from izwi.annotate.tokens import Tokeniser
from izwi.cli.main import app
from izwi.gather.sources.feeds import FeedSource
from izwi.gather.sources.seeds import SeedsSource
from izwi.model.errors import PluginError
from izwi.pipeline.runners import Processes, Serial
from izwi.text.extract.justext import Justext
from izwi.text.language.cld2 import Pycld2

BUILT_IN = {
    ("izwi.sources", "seeds"): SeedsSource,
    ("izwi.sources", "feed"): FeedSource,
    ("izwi.extractors", "justext"): Justext,
    ("izwi.languages", "pycld2"): Pycld2,
    ("izwi.annotators", "tokens"): Tokeniser,
    ("izwi.runners", "serial"): Serial,
    ("izwi.runners", "processes"): Processes,
}

SOURCES = [
    "archive",
    "comments",
    "crawl",
    "feed",
    "focused",
    "portal",
    "search",
    "seeds",
    "sitemap",
]


@pytest.fixture
def third_party(tmp_path, monkeypatch):
    """Install a small distribution with one good and two broken parts."""
    info = tmp_path / "izwi_extra-2.5.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: izwi-extra\nVersion: 2.5\n")
    (info / "entry_points.txt").write_text(
        "[izwi.exporters]\n"
        "logdice = izwi_extra_part:logdice\n"
        "absent = izwi_extra_part:nothing_of_that_name\n"
        "needy = izwi_extra_part_that_is_not_there:measure\n"
    )
    (tmp_path / "izwi_extra_part.py").write_text("def logdice():\n    return 14\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    plugins._found.cache_clear()
    yield
    plugins._found.cache_clear()
    sys.modules.pop("izwi_extra_part", None)


@pytest.mark.parametrize(
    ("group", "name", "part"),
    [(*key, part) for key, part in BUILT_IN.items()],
    ids=[f"{group} {name}" for group, name in BUILT_IN],
)
def test_built_in_parts_come_in_by_entry_points(group, name, part):
    assert plugins.load(group, name) is part
    assert plugins.describe(group, name).distribution == "izwi"


def test_group_lists_its_parts_by_name():
    names = [part.name for part in plugins.installed("izwi.sources")]

    assert names == SOURCES


def test_every_built_in_part_is_in_a_known_group():
    assert {group for group, _ in BUILT_IN} <= set(plugins.GROUPS)


def test_group_without_parts_is_empty():
    assert plugins.installed("izwi.exporters") == []


@pytest.mark.parametrize("look", [plugins.load, plugins.describe], ids=["load", "describe"])
def test_unknown_part_is_an_error_with_a_suggestion(look):
    with pytest.raises(PluginError) as caught:
        look("izwi.extractors", "justtext")

    assert str(caught.value) == (
        "There is no extractor 'justtext'. Did you mean 'justext'? Installed: boilerpipe, bte, "
        "izwi, justext, perceptron, resiliparse, trafilatura, tree."
    )


def test_unknown_part_far_from_any_name_lists_what_there_is():
    with pytest.raises(PluginError) as caught:
        plugins.load("izwi.sources", "telepathy")

    assert str(caught.value) == f"There is no source 'telepathy'. Installed: {', '.join(SOURCES)}."


def test_unknown_part_of_an_empty_group_says_that_there_is_none():
    with pytest.raises(PluginError, match=r"There is no exporter 'x'\. Installed: none\."):
        plugins.load("izwi.exporters", "x")


@pytest.mark.usefixtures("third_party")
def test_part_of_another_distribution_is_found_with_its_version():
    part = plugins.describe("izwi.exporters", "logdice")

    assert plugins.load("izwi.exporters", "logdice")() == 14
    assert (part.distribution, part.version) == ("izwi-extra", "2.5")


@pytest.mark.usefixtures("third_party")
@pytest.mark.parametrize("name", ["absent", "needy"], ids=["no such name", "no such module"])
def test_part_that_cannot_be_imported_is_an_error_of_the_part(name):
    with pytest.raises(PluginError) as caught:
        plugins.load("izwi.exporters", name)

    assert f"The exporter '{name}' cannot be loaded" in str(caught.value)


@pytest.mark.usefixtures("third_party")
def test_the_list_says_where_parts_come_from_and_what_keeps_one_from_loading():
    tried = {part.name: part for part in plugins.overview(is_tried=True)}

    assert (tried["logdice"].target, tried["logdice"].problem) == ("izwi_extra_part:logdice", "")
    assert "nothing_of_that_name" in tried["absent"].problem
    assert tried["seeds"].problem == ""
    assert (Path(tried["logdice"].place) / "izwi_extra_part.py").is_file()


@pytest.mark.usefixtures("third_party")
def test_the_command_names_what_fails_and_ends_with_one():
    listed = CliRunner().invoke(app, ["plugins"])
    tried = CliRunner().invoke(app, ["plugins", "--check"])

    assert (listed.exit_code, tried.exit_code) == (0, 1)
    assert "izwi-extra 2.5" in listed.stdout
    assert "izwi_extra_part_that_is_not_there" in tried.stdout


def test_every_group_leads_somewhere():
    """A group that nothing asks for would be a door painted on the wall."""
    code = "\n".join(
        path.read_text(encoding="utf-8")
        for path in Path(plugins.__file__).parent.rglob("*.py")
        if path.name != "plugins.py"
    )
    assert [group for group in plugins.GROUPS if f'"{group}"' not in code] == []


def test_packages_of_the_usual_parts_are_those_their_classes_name():
    for target, packages in plugins._OWN_PACKAGES.items():
        (group, name) = next(
            (part.group, part.name) for part in plugins.overview() if part.target == target
        )
        assert plugins.load(group, name).depends_on == packages == plugins.depends_on(group, name)


def test_parts_and_versions_are_those_that_the_standard_library_finds(third_party):
    from importlib.metadata import distributions, entry_points, version

    for group in plugins.GROUPS:
        expected = {each.name: each.value for each in entry_points(group=group)}
        assert {part.name: part.target for part in plugins.installed(group)} == expected
    names = {each.name for each in distributions()}
    assert {name: plugins.version(name) for name in names} == {
        name: version(name) for name in names
    }
    assert "izwi-extra" in names


def test_a_package_that_is_not_installed_has_no_version():
    from importlib.metadata import PackageNotFoundError

    with pytest.raises(PackageNotFoundError):
        plugins.version("no-such-package")
