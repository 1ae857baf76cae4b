"""The walk of one query to its page: how many modules somebody passes who follows it."""

import sys
from pathlib import Path

from starlette.requests import Request

import izwi
from izwi.web.app import create_app
from izwi.web.pages import views
from izwi.web.pages.addresses import Asked

# The aim; never more.
_MOST_MODULES = 30
_SOURCE = Path(izwi.__file__).parent


def test_a_query_passes_no_more_modules_on_its_way_to_a_page(corpus_folder):
    site = create_app([corpus_folder]).state.site
    corpus = site.corpus("tiny")
    scope = {"type": "http", "method": "GET", "path": "/c/tiny/conc", "query_string": b""}
    request = Request({**scope, "headers": [], "server": ("tiny.example", 80), "scheme": "http"})
    # What a first question alone does (opening files, compiling templates) is no part of the way.
    views.conc(request, site, corpus, Asked('[lemma="bakkie"]'))

    passed, page = modules_passed(lambda: views.conc(request, site, corpus, Asked('[lemma="be"]')))

    assert b'class="kwic' in page.body
    assert len(passed) <= _MOST_MODULES, "\n".join(sorted(passed))


def modules_passed(act):
    """Return the modules of izwi in which something was called, kernels aside, and the answer."""
    passed = set()

    def note(frame, event, argument):
        place = Path(frame.f_code.co_filename)
        if event == "call" and place.suffix == ".py" and place.is_relative_to(_SOURCE):
            passed.add(str(place.relative_to(_SOURCE)))

    sys.setprofile(note)
    try:
        answer = act()
    finally:
        sys.setprofile(None)
    return {each for each in passed if not each.startswith("kernels")}, answer
