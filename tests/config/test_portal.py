import pytest

from izwi.config.load import parse
from izwi.model.errors import ConfigError
from izwi.model.portal import Portal, Rule
from izwi.pipeline.stages import plan
from izwi.text.extract.boilerpipe import BoilerpipeOptions

BASE = "[corpus]\nname = 'news'\n[gather]\ncontact = 'x'\n"
SOURCE = "[[source]]\nname = 'herald'\ntype = 'seeds'\nurls = ['http://a.example/']\n"


def fingerprint(text):
    return plan(parse(BASE + SOURCE + text))[0].fingerprint


def test_a_source_may_have_rules_for_its_pages():
    config = parse(
        BASE + SOURCE + "[source.portal]\nbody = 'article'\ntitle = 'h1'\n"
        "rules = [{ do = 'drop', at = '.ad' },\n"
        "{ do = 'rename', at = 'b', to = 'h2', within = '.x' }]"
    )

    assert config.portals["herald"] == Portal(
        "article", "h1", rules=(Rule("drop", ".ad"), Rule("rename", "b", "h2", ".x"))
    )


def test_a_source_may_have_options_of_its_method():
    config = parse(BASE + SOURCE + "method = 'boilerpipe'\noptions = { variant = 'article' }\n")

    assert config.source_options["herald"] == BoilerpipeOptions(variant="article")


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("[source.portal]\nbody = 'div['", ["herald", "'div['", "CSS selector"]),
        ("[source.portal]\nbodi = 'div'", ["'bodi'", "did you mean 'body'?"]),
        ("[source.portal]\nrules = [{ do = 'eat', at = 'p' }]", ["rules", "'eat'"]),
        ("[source.portal]\nrules = [{ do = 'rename', at = 'p' }]", ["rename takes 1"]),
        ("options = { x = 1 }", ["options", "method"]),
        ("method = 'bte'\noptions = { tag_weigt = 1 }", ["did you mean 'tag_weight'?"]),
    ],
)
def test_rules_that_make_no_sense_are_refused(text, words):
    with pytest.raises(ConfigError) as caught:
        parse(BASE + SOURCE + text)

    assert all(word in str(caught.value) for word in words)


def test_rules_make_the_text_anew():
    plain = fingerprint("")

    assert fingerprint("[source.portal]\n") == plain
    assert fingerprint("[source.portal]\nbody = 'article'") != plain
    assert fingerprint("[source.portal]\nrules = [{ do = 'drop', at = 'p' }]") != plain
    assert fingerprint("method = 'bte'\noptions = { tag_weight = 3 }") != fingerprint(
        "method = 'bte'"
    )


def test_a_model_counts_by_its_content(tmp_path):
    def built(content):
        (tmp_path / "mine.npz").write_bytes(content)
        text = BASE + "[extract]\noptions = { model = 'mine.npz' }\n"
        return parse(text, str(tmp_path / "corpus.toml"))

    first, second = built(b"one"), built(b"two")

    assert first.extract.options.model == str(tmp_path / "mine.npz")
    assert plan(first)[0].fingerprint != plan(second)[0].fingerprint
    assert plan(first)[0].fingerprint == plan(built(b"one"))[0].fingerprint


def test_a_model_that_is_not_there_is_an_error():
    with pytest.raises(ConfigError, match=r"there is no model 'nowhere.npz'"):
        parse(BASE + "[extract]\noptions = { model = 'nowhere.npz' }\n")
