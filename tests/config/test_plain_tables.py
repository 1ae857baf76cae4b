import dataclasses
from typing import Annotated

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import Field, TypeAdapter, ValidationError, field_validator

from izwi.config.load import NOT_PLAIN, SECTIONS, parse, plain_record
from izwi.gather.sources.crawl import CrawlSource
from izwi.gather.sources.feeds import FeedSource
from izwi.model.errors import ConfigError

KINDS = (*SECTIONS.values(), FeedSource, CrawlSource)
VALUES = st.one_of(
    st.sampled_from(["news", "en", "1 MiB", "fold", "documents", "http://a.example/", "2h", ""]),
    st.booleans(),
    st.integers(-3, 60),
    st.floats(-1, 20, allow_nan=False),
    st.lists(st.sampled_from(["en", "word", "lc", 7, "listing"]), max_size=3),
    st.dictionaries(st.sampled_from(["a", "b"]), st.sampled_from(["keep", 1]), max_size=2),
)


@given(st.data())
def test_what_passes_as_plain_is_what_the_validator_would_make(data):
    kind = data.draw(st.sampled_from(KINDS))
    names = [field.name for field in dataclasses.fields(kind)]
    table = data.draw(st.dictionaries(st.sampled_from(names), VALUES, max_size=4))

    found = plain_record(kind, table)

    if found is not NOT_PLAIN:
        assert found == TypeAdapter(kind).validate_python(table)


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.__name__)
def test_plain_tables_pass(kind):
    given = {
        "name": "news",
        "contact": "x",
        "url": "http://a.example/",
        "seeds": ["http://b.example/"],
    }
    names = {field.name for field in dataclasses.fields(kind)}

    found = plain_record(kind, {key: value for key, value in given.items() if key in names})

    assert isinstance(found, kind)


def test_what_a_record_refuses_is_told_in_the_words_of_the_validator():
    with pytest.raises(ConfigError, match=r"\[gather\] delay = -1.0 is not between 0 and 86400"):
        parse("[corpus]\nname = 'a'\n[gather]\ncontact = 'x'\ndelay = -1\n")


@dataclasses.dataclass(frozen=True)
class Bounded:
    depth: Annotated[int, Field(gt=0)] = 1


@dataclasses.dataclass(frozen=True)
class Checked:
    depth: int = 1

    @field_validator("depth")
    @classmethod
    def is_small(cls, value):
        if value > 3:
            raise ValueError("too deep")
        return value


@pytest.mark.parametrize(
    ("kind", "depth"), [(Bounded, 0), (Checked, 9)], ids=["bounds", "function"]
)
def test_what_others_have_checked_by_pydantic_is_left_to_it(kind, depth):
    assert plain_record(kind, {"depth": depth}) is NOT_PLAIN
    with pytest.raises(ValidationError):
        TypeAdapter(kind).validate_python({"depth": depth})
