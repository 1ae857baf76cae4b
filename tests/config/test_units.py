import pytest
from hypothesis import given
from hypothesis import strategies as st

from izwi.model.notation import seconds, size_bytes


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("0", 0),
        ("17", 17),
        ("17 B", 17),
        ("10kB", 10_000),
        ("1.5 kB", 1500),
        ("2 MB", 2_000_000),
        ("1 GB", 10**9),
        ("1KiB", 1024),
        ("256 MiB", 256 * 2**20),
        ("0.5 GiB", 2**29),
        ("  3  mib  ", 3 * 2**20),
    ],
)
def test_size_is_read_the_way_people_write_it(text, expected):
    assert size_bytes(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("90 s", 90),
        ("30min", 1800),
        ("2m", 120),
        ("1h", 3600),
        ("1.5 H", 5400),
        ("2d", 172_800),
        ("1w", 604_800),
    ],
)
def test_duration_is_read_the_way_people_write_it(text, expected):
    assert seconds(text) == expected


@pytest.mark.parametrize(
    "text", ["", "MiB", "-1 kB", "1 potato", "1,5 MB", "1 2 MB", "1e3", "٣ MB"]
)
def test_what_is_not_a_size_is_quoted_with_an_example(text):
    with pytest.raises(ValueError, match="is not a size; write for example") as caught:
        size_bytes(text)

    assert f"'{text}'" in str(caught.value)


@pytest.mark.parametrize("text", ["", "1", "h", "-1h", "1 year", "1:30"])
def test_what_is_not_a_duration_is_quoted_with_an_example(text):
    with pytest.raises(ValueError, match="is not a duration; write for example") as caught:
        seconds(text)

    assert f"'{text}'" in str(caught.value)


@given(st.integers(0, 10**6), st.sampled_from(["B", "kB", "KB", "MiB", "mib", "GB"]))
def test_spaces_and_case_do_not_change_a_size(number, unit):
    plain = size_bytes(f"{number}{unit}")

    assert size_bytes(f" {number}  {unit.upper()} ") == plain
    assert plain % max(number, 1) == 0
