import subprocess
import sys

import pytest

from izwi.config.load import parse
from izwi.pipeline.stages import INDEX, STAGES, plan

MINIMAL = {
    "corpus": 'name = "news"',
    "gather": 'contact = "x"',
    "source": 'type = "feed"\nname = "one"\nurl = "http://a.example/"',
}
ALL = {spec.name for spec in (*STAGES, INDEX)}
FROM_SELECT = {"select", "annotate", "index"}
FROM_OWN = {"own", "judge", *FROM_SELECT}
FROM_SIFT = {"sift", *FROM_OWN}

# A line of corpus.toml, and the stages whose output it changes.
CHANGES = {
    "extract.options": ("extract", "options = { cutoff = 0.4 }", ALL),
    "extract.max_size": ("extract", 'max_size = "1 MiB"', ALL),
    "language.minimum": ("language", "minimum = 0.8", FROM_SIFT),
    "dedup.exact": ("dedup", "exact = false", FROM_SELECT),
    "dedup.method": ("dedup", 'method = "sentences"', FROM_OWN),
    "dedup.ignored": ("dedup", 'ignored = ["the"]', FROM_OWN),
    "dedup.marks": ("dedup", "marks = true", FROM_OWN),
    "dedup.similarity": ("dedup", "similarity = 0.3", FROM_OWN - {"own"}),
    "select.minimum_words": ("select", "minimum_words = 5", FROM_SIFT),
    "corpus.languages": ("corpus", 'languages = ["en"]', {"language", *FROM_SIFT}),
    "index.attributes": ("index", 'attributes = ["lc", "word"]', {"annotate", "index"}),
    "source.method": ("source", 'method = "justext"', ALL),
    "corpus.title": ("corpus", 'title = "News"', set()),
    "gather.delay": ("gather", "delay = 7.0", set()),
    "gather.max_size": ("gather", 'max_size = "1 MiB"', set()),
    "gather.warc_size": ("gather", 'warc_size = "1 MiB"', set()),
    "gather.warc_pages": ("gather", "warc_pages = 10", set()),
    "source.every": ("source", 'every = "2h"', set()),
}
DEFAULTS = {
    "extract": 'method = "izwi"\nmax_size = "50 MiB"',
    "extract options": "options = { cutoff = 0.65 }",
    "language": 'method = "izwi"\nminimum = 0.5',
    "dedup": "exact = true",
    "select": "minimum_words = 20",
    "annotate": 'method = "izwi"',
    "index": 'attributes = ["word", "lc", "lemma", "pos"]',
}


def fingerprints(section="", line=""):
    """Return the fingerprint of each stage, with one line added to a section."""
    tables = MINIMAL | ({section: f"{MINIMAL.get(section, '')}\n{line}"} if section else {})
    heads = {"source": "[[source]]"}
    text = "\n".join(f"{heads.get(name, f'[{name}]')}\n{body}" for name, body in tables.items())
    return {planned.spec.name: planned.fingerprint for planned in plan(parse(text))}


@pytest.mark.parametrize(("section", "line", "stages"), CHANGES.values(), ids=CHANGES)
def test_changed_key_makes_exactly_the_stages_stale_that_depend_on_it(section, line, stages):
    before, after = fingerprints(), fingerprints(section, line)

    assert {name for name in before if before[name] != after[name]} == stages


@pytest.mark.parametrize(
    ("section", "lines"), [(name.split()[0], lines) for name, lines in DEFAULTS.items()],
    ids=DEFAULTS,
)  # fmt: skip
def test_defaults_written_out_change_nothing(section, lines):
    assert fingerprints(section, lines) == fingerprints()


def test_two_spellings_of_a_language_are_two_settings():
    # They mean the same, but the recipe says what the user wrote.
    assert fingerprints("corpus", 'languages = ["en"]') != fingerprints(
        "corpus", 'languages = ["eng"]'
    )


def test_stages_read_only_what_an_earlier_one_writes():
    written = set()
    for spec in (*STAGES, INDEX):
        assert set(spec.reads) <= written, spec.name
        written.add(spec.writes)


def test_every_stage_has_its_own_fingerprint():
    assert len(set(fingerprints().values())) == len(ALL)


def test_recipe_names_the_versions_it_depends_on():
    stages = {
        planned.spec.name: planned
        for planned in plan(parse("[corpus]\nname='a'\n[gather]\ncontact='x'"))
    }

    assert set(stages["extract"].recipe.depends_on) == {"chardetng-py", "lxml", "selectolax"}
    assert set(stages["language"].recipe.depends_on) == set()


def test_thresholds_of_four_sections_reach_their_stages():
    config = parse(
        '[corpus]\nname = "a"\nlanguages = ["en"]\n[gather]\ncontact = "x"\n'
        "[language]\nminimum = 0.7\n[dedup]\nexact = false\n[select]\nminimum_words = 3\n"
    )

    chosen = {planned.spec.name: planned.config for planned in plan(config)}

    sift = chosen["sift"]
    assert (sift.languages, sift.minimum, sift.minimum_words) == (("en",), 0.7, 3)
    assert chosen["select"].exact is False


def test_versions_of_the_plan_are_those_of_the_stages():
    # The plan says them itself, so that nobody waits for the stages' code to learn them.
    from izwi.annotate.base import Annotate
    from izwi.dedup.judge import Judge
    from izwi.dedup.signatures import Sign
    from izwi.index.writer import FORMAT
    from izwi.text.extract.base import Extract
    from izwi.text.language import Language
    from izwi.text.verdicts import Select, Sift

    own = (Extract, Language, Sift, Sign, Judge, Select, Annotate)
    said = {stage.name: stage.version for stage in own} | {"index": FORMAT}

    assert {spec.name: spec.version for spec in (*STAGES, INDEX) if spec.name != "own"} == said


def test_a_plan_loads_no_code_of_a_stage():
    asked = (
        "import sys\nfrom izwi.config.load import parse\nfrom izwi.pipeline.stages import plan\n"
        "plan(parse(\"[corpus]\\nname='a'\\n[gather]\\ncontact='x'\"))\n"
        "print(*sorted(sys.modules))"
    )

    found = subprocess.run(
        [sys.executable, "-c", asked], capture_output=True, text=True, check=True
    )

    loaded = set(found.stdout.split())
    heavy = {"pydantic", "pyarrow", "numpy", "selectolax", "multiprocessing", "izwi.index.writer"}
    stages = {"izwi.text.extract.base", "izwi.text.language.ngrams", "izwi.annotate.izwi"}
    assert "izwi.pipeline.stages" in loaded
    assert loaded & (heavy | stages) == set()
