from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from izwi.export.rows import sort_lines


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=30)
@given(lines=st.lists(st.from_regex(r"[a-z0-9é]{0,5}", fullmatch=True), max_size=20))
def test_lines_are_sorted_piece_by_piece(lines, tmp_path):
    path = tmp_path / "index"
    path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")

    sort_lines(path, tmp_path / "sorted", most=3)

    found = (tmp_path / "sorted").read_text(encoding="utf-8")
    assert found.split("\n")[:-1] == sorted(lines)
    assert {each.name for each in tmp_path.iterdir()} == {"index", "sorted"}
