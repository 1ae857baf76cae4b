from dataclasses import dataclass

import pytest

from izwi.model.tabular import Tabular


@dataclass(frozen=True, slots=True)
class Word:
    value: str
    url: str


@dataclass(frozen=True, slots=True, repr=False)
class Words(Tabular[Word]):
    query: str
    lines: tuple[Word, ...]


WORDS = Words("b*", tuple(Word(f"bakkie{n}", f"https://x.example/{n}") for n in range(60)))


def test_a_result_is_indexed_sliced_counted_and_walked():
    assert WORDS[0].value == "bakkie0"
    assert WORDS[-1].value == "bakkie59"
    assert [word.value for word in WORDS[:2]] == ["bakkie0", "bakkie1"]
    assert len(WORDS) == 60 == len(list(WORDS))
    with pytest.raises(IndexError):
        WORDS[60]


def test_its_name_is_short():
    assert repr(WORDS) == "<Words of 'b*': 60 lines>"


def test_rows_become_tables_of_three_libraries():
    assert WORDS.arrow().to_pylist() == WORDS.rows()
    assert list(WORDS.df()["value"]) == [word.value for word in WORDS]
    assert WORDS.pl()["value"].to_list() == [word.value for word in WORDS]


def test_a_notebook_shows_links_to_pages_and_how_many_more_there_are():
    shown = WORDS._repr_html_()

    assert '<a href="https://x.example/0"' in shown
    assert "and 10 more" in shown


def test_a_notebook_never_takes_text_for_markup():
    hostile = Words("<script>", (Word("<img src=x onerror=alert(1)>", "javascript:alert(1)"),))

    shown = hostile._repr_html_()

    assert "<script" not in shown
    assert "<img" not in shown
    assert "href" not in shown
