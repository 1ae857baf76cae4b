"""The walk of one query to its page: how many modules somebody passes who follows it."""

import re
import sys
import threading
from pathlib import Path

from starlette.requests import Request
from starlette.testclient import TestClient

import izwi
from izwi.cases.corpus import create_corpus
from izwi.demoweb import PUBLICATIONS, DemoWeb
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
    threading.setprofile(note)
    try:
        answer = act()
    finally:
        sys.setprofile(None)
        threading.setprofile(None)
    return {each for each in passed if not each.startswith("kernels")}, answer


def test_a_page_passes_the_files_that_the_architecture_page_names(tmp_path):
    folder = tmp_path / "walk"
    with DemoWeb() as web:
        corpus = create_corpus(folder, contact="https://izwi.example/bot", delay=0.0)
        corpus.add_source(PUBLICATIONS["umgeniherald"].home, depth=1)
        passed, _ = modules_passed(lambda: corpus.gather(pages=32, proxy=web.proxy_url))
        built, report = modules_passed(lambda: corpus.build(workers=1))

    assert report.funnel[-1].documents, "only lists were gathered, which are not tagged"
    assert named_in_the_walk("of one URL") - passed - built == set()


def test_a_query_passes_the_files_that_the_architecture_page_names(corpus_folder):
    addresses = ("conc?q=[lemma%3D%22be%22]", "conc?q=the+bakkie&sort=left", "freq?q=the")

    def ask():
        with TestClient(create_app([corpus_folder]), base_url="http://localhost") as browser:
            return [browser.get(f"/c/tiny/{address}").status_code for address in addresses]

    passed, answers = modules_passed(ask)

    assert answers == [200] * len(addresses)
    assert named_in_the_walk("of one query") - passed == set()


def named_in_the_walk(which):
    """Return the files that the architecture page names on a walk."""
    page = (Path(__file__).parents[2] / "docs" / "explanation" / "architecture.md").read_text()
    _, _, walk = page.partition(f"## The walk {which}")
    return set(re.findall(r"`((?:\w+/)+\w+\.py)`", walk.partition("\n## ")[0]))
