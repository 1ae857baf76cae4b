"""Forms with files: split at their boundaries alone, and into no more parts than a form has."""

import pytest
from starlette.exceptions import HTTPException

from izwi.web.api.uploads import parts_of

KIND = "multipart/form-data; boundary=b"


def part(name, content, more=""):
    return f'--b\r\nContent-Disposition: form-data; name="{name}"{more}\r\n\r\n{content}\r\n'


def test_a_boundary_within_a_line_is_content():
    body = (
        part("title", "a--b c\r\n") + part("file", "x--b\r\n", '; filename="a.html"') + "--b--\r\n"
    )

    fields, files = parts_of(body.encode(), KIND)

    assert fields == [("title", "a--b c\r\n")]
    assert files["file"].body == b"x--b\r\n"


def test_a_form_of_very_many_parts_is_refused():
    with pytest.raises(HTTPException) as refused:
        parts_of(b"\r\n--b" * 1_000_000, KIND)

    assert refused.value.status_code == 413
