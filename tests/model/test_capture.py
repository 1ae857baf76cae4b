from datetime import UTC, datetime

import pytest

from izwi.model.capture import Capture, Hints, Lead


@pytest.mark.parametrize("name", ["Content-Type", "content-type", "CONTENT-TYPE"])
def test_header_is_found_whatever_its_case(name):
    headers = (("content-Type", "text/html"), ("Content-Type", "second"))
    capture = Capture(Lead("http://a/", "one"), datetime.now(UTC), 200, "OK", headers, b"")

    assert capture.header(name) == "text/html"


def test_header_that_was_not_sent_is_empty():
    capture = Capture(Lead("http://a/", "one"), datetime.now(UTC), 200, "OK", (), b"")

    assert capture.header("Content-Type") == ""


def test_lead_is_a_page_nobody_said_anything_about():
    lead = Lead("http://a/", "one")

    assert (lead.kind, lead.hints, lead.depth) == ("page", Hints(), 0)
