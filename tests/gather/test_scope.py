import re
from fnmatch import translate

import pytest
from hypothesis import given
from hypothesis import strategies as st

from izwi.gather.scope import Glob, Scope

SHORT = st.text(alphabet="ab/", max_size=8)


@given(st.text(alphabet="ab/*", max_size=6), SHORT)
def test_a_glob_matches_what_the_regular_expression_matches(pattern, text):
    assert Glob(pattern).fullmatch(text) == bool(re.fullmatch(translate(pattern), text))


@pytest.mark.parametrize(
    ("url", "depth", "reason"),
    [
        pytest.param("http://www.news.example/a/1", 1, "", id="inside"),
        pytest.param("http://news.example:8080/a/1", 1, "", id="port"),
        pytest.param("http://badnews.example/a/1", 1, "other-domain", id="other-domain"),
        pytest.param("http://news.example/b/1", 1, "not-included", id="not-included"),
        pytest.param("http://news.example/a/print/1", 1, "excluded", id="excluded"),
        pytest.param("http://news.example/a/1", 4, "too-deep", id="too-deep"),
    ],
)
def test_rules_say_why_a_url_is_outside(url, depth, reason):
    scope = Scope(("news.example",), ("*/a/*",), ("*/print/*",), depth=3)

    assert scope.refusal(url, depth) == reason


def test_a_whole_ending_is_a_rule():
    scope = Scope((".za",))

    assert not scope.refusal("http://a.co.za/", 0)
    assert scope.refusal("http://a.zaza/", 0) == "other-domain"
