from hypothesis import given, settings
from hypothesis import strategies as st

from izwi.index.lexicon import Lexicon, Trigrams, codes_of, write_lexicon, write_trigrams

WORDS = st.sets(st.text("abAéß'x", max_size=5), max_size=25)


def lexicon_of(folder, words):
    values = sorted(word.encode() for word in words)
    write_lexicon(folder / "word", values)
    return Lexicon(folder / "word")


@settings(max_examples=60)
@given(words=WORDS, asked=st.text("abAéßx", max_size=3))
def test_every_look_up_finds_what_a_linear_search_finds(tmp_path_factory, words, asked):
    lexicon = lexicon_of(tmp_path_factory.mktemp("lexicon"), words)
    values = sorted(words, key=str.encode)

    assert lexicon.to_pylist() == list(lexicon) == values
    assert [lexicon.number(word) for word in values] == list(range(len(values)))
    assert (lexicon.number(asked) is None) == (asked not in words)
    first, last = lexicon.beginning_with(asked.encode())
    assert values[first:last] == [word for word in values if word.startswith(asked)]
    ending = lexicon.ending_with(asked.encode())
    assert sorted(ending.tolist()) == [n for n, word in enumerate(values) if word.endswith(asked)]
    same = [n for n, word in enumerate(values) if word.casefold() == asked.casefold()]
    assert lexicon.same_but_for_case(asked).tolist() == same
    by_rank = sorted(range(len(values)), key=lambda n: (values[n].casefold(), values[n]))
    assert sorted(range(len(values)), key=lambda n: lexicon.ranks[n]) == by_rank


@settings(max_examples=30)
@given(words=st.sets(st.text("abAé", max_size=6), min_size=2), asked=st.text("abAé", max_size=5))
def test_trigrams_lose_no_value_that_holds_a_text(tmp_path_factory, words, asked):
    path = tmp_path_factory.mktemp("trigrams") / "word.trigrams"
    values = sorted(word.encode() for word in words)
    patched = write_trigrams.__globals__
    least, patched["TRIGRAMS_FROM"] = patched["TRIGRAMS_FROM"], 0
    try:
        write_trigrams(path, values)
    finally:
        patched["TRIGRAMS_FROM"] = least

    found = Trigrams(path).holding([asked.encode()])

    if found is None:
        assert not codes_of(asked.encode())
    else:
        wanted = {n for n, value in enumerate(values) if asked.encode() in value}
        assert wanted <= set(found.tolist())
