from izwi.gather.sources.search import SearchSource
from izwi.service.gathering import frequencies, frequencies_of, keywords, with_words


def segments_of(corpus):
    return corpus._snapshot(None)[1]


def test_words_of_a_source_are_counted_apart(built):
    segments = segments_of(built)
    names = segments[0].sources[1]

    whole, parts = frequencies(segments), [frequencies_of(segments, name) for name in names]

    assert sum(whole.values()) == sum(sum(part.values()) for part in parts) > 0
    assert not frequencies_of(segments, "nobody")


def test_keywords_are_those_that_the_rest_does_not_use():
    found = keywords({"bakkie": 30, "today": 30, "stoep": 2}, {"bakkie": 31, "today": 900}, 5)

    assert found == ("bakkie", "today")


def test_rounds_take_their_words_from_the_corpus(built):
    segments = segments_of(built)
    name = segments[0].sources[1][0]
    fields = {"words": ("one", "two", "three"), "letters": 3, "ranks": (1, 100)}
    middle = SearchSource(name, "http://a.example/", words_from="corpus", **fields)
    typical = SearchSource(name, "http://a.example/", words_from="keywords", **fields)

    assert with_words(middle, segments, 0) == middle
    assert set(with_words(middle, segments, 1).words) <= set(frequencies(segments))
    assert set(with_words(typical, segments, 1).words) <= set(frequencies_of(segments, name))
    assert with_words(typical, segments, 4).queries() == []
