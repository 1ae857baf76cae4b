import pytest

from izwi.service.searching import as_indexed, tokenisations
from tests.index.corpora import document, on_disk


@pytest.mark.parametrize(
    ("query", "ways"),
    [
        pytest.param("taxi", [("taxi",)], id="word"),
        pytest.param("don't", [("don't",), ("do", "n't")], id="clitic"),
        pytest.param("", [()], id="nothing"),
    ],
)
def test_a_query_is_cut_in_every_way_texts_are(query, ways):
    assert tokenisations(query) == ways


def test_the_way_that_occurs_is_taken():
    english = [document("a", "the blue - light brigade")]
    afrikaans = [document("b", "die blue-light brigade")]

    with on_disk(english) as segments:
        assert as_indexed("blue-light", segments, is_exact_case=False) == ["blue", "-", "light"]
    with on_disk(afrikaans) as segments:
        assert as_indexed("blue-light", segments, is_exact_case=False) == ["blue-light"]
