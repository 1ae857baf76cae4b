from types import SimpleNamespace

from hypothesis import given
from hypothesis import strategies as st

from izwi.cases.corpus import Corpus
from izwi.curation.decisions import wilson
from izwi.curation.labelling import disagreement
from izwi.curation.playground import stratified


def places(counts):
    return [
        ("shard", SimpleNamespace(source=source, url=f"{source}{n}"))
        for source, count in counts.items()
        for n in range(count)
    ]


@given(
    st.dictionaries(st.sampled_from("abcde"), st.integers(0, 30)),
    st.integers(1, 60),
    st.integers(0, 5),
)
def test_a_sample_has_as_many_pages_of_each_source_as_can_be(counts, size, seed):
    given_places = places(counts)

    drawn = stratified(given_places, size, seed)

    assert len(drawn) == min(size, len(given_places))
    assert len({entry.url for _, entry in drawn}) == len(drawn)
    taken = {name: sum(entry.source == name for _, entry in drawn) for name in counts}
    least = min((taken[name] for name in counts if taken[name] < counts[name]), default=0)
    if least:
        assert max(taken.values()) <= least + 1
    assert stratified(given_places, size, seed) == drawn


@given(st.integers(0, 200), st.integers(1, 200))
def test_an_interval_holds_the_share_and_stays_between_nothing_and_all(count, of):
    count = min(count, of)

    low, high = wilson(count, of)

    assert 0 <= low <= count / of + 1e-12
    assert count / of - 1e-12 <= high <= 1


def test_methods_agree_about_a_plain_article_more_than_about_a_list():
    sentences = "The owls of the valley met on Thursday in the old hall and spoke for long. "
    article = "".join(f"<p>{sentences * 4}</p>" for _ in range(6))
    links = "".join(f"<li><a href=/{n}>{sentences}</a></li>" for n in range(12))

    agreed = disagreement(f"<html><body>{article}</body></html>")
    doubted = disagreement(f"<html><body><ul>{links}</ul><p>{sentences}</p></body></html>")

    assert 0 <= agreed < doubted <= 1


def test_settings_are_compared_on_the_same_pages(built_folder):
    found = Corpus(built_folder).try_settings({"select.minimum_words": 1000}, sample=10)

    assert found.before.kept > found.after.kept == 0
    assert found.changed_in_all == found.before.kept
    assert all(each.after.verdict == "too-short" for each in found.changed)
    assert all(each.lost and not each.gained for each in found.changed)


def test_the_same_settings_change_nothing(built_folder):
    found = Corpus(built_folder).try_settings({"select.minimum_words": 20}, sample=10)

    assert found.before == found.after
    assert found.changed == ()
