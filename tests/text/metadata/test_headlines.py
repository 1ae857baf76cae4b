# ruff: noqa: E501 -- tables of markup
from datetime import date

import pytest

from izwi.model.capture import Hints
from izwi.text.metadata.chosen import read_metadata

SITE = '<meta property="og:site_name" content="Karoo Courant">'


def title_of(html, *, url="https://courant.example/stories/robots"):
    return read_metadata(html, url, Hints(), captured=date(2020, 6, 15)).title


@pytest.mark.parametrize(
    "heading",
    [
        pytest.param('<span class="article__roofline">Traffic</span> Robots are out', id="roofline"),
        pytest.param('<div class="topic-label">Traffic</div>Robots are out', id="label"),
        pytest.param('<span class="visually-hidden">Story:</span> Robots are out', id="hidden"),
        pytest.param('<span class="sr-only">Story:</span><span>Robots are out</span>', id="for-readers-aloud"),
        pytest.param('Robots are out <span class="entry-subtitle">Drivers are lost</span>', id="subtitle"),
        pytest.param('Robots are out <button>Share</button>', id="button"),
        pytest.param('Robots are out<form><b>Follow</b></form>', id="form"),
    ],
)  # fmt: skip
def test_what_stands_in_a_heading_beside_the_headline_is_no_part_of_it(heading):
    page = f"{SITE}<title>Traffic: Robots are out - Karoo Courant</title><h1>{heading}</h1>"

    assert title_of(page) == "Robots are out"


@pytest.mark.parametrize(
    "heading",
    [
        pytest.param('<span class="kicker">Robots are out</span>', id="nothing-else"),
        pytest.param('Robots <span class="hidden-phone">are</span> out', id="hidden-on-some"),
        pytest.param('Robots <em class="marked">are</em> out', id="another-name"),
    ],
)
def test_a_heading_keeps_what_is_not_named_as_beside_it(heading):
    assert title_of(f"<title>Robots are out</title><h1>{heading}</h1>") == "Robots are out"


@pytest.mark.parametrize(
    ("title", "headline"),
    [
        pytest.param("Karoo Forum • View topic - Robots: who mends them?", "Robots: who mends them?", id="en"),
        pytest.param("Karoo • Thema anzeigen - Ampeln aus", "Ampeln aus", id="de"),
        pytest.param("Ver Tema - Semáforos", "Semáforos", id="es"),
        pytest.param("View topics of the Karoo", "View topics of the Karoo", id="another-title"),
    ],
)  # fmt: skip
def test_a_thread_is_not_called_as_its_forum_shows_it(title, headline):
    assert title_of(f"<title>{title}</title>") == headline


def test_a_heading_that_ends_in_the_sites_name_is_cut_at_rules_as_titles_are():
    said = "Robots are out | Traffic | Karoo Courant"

    assert title_of(f"{SITE}<title>{said}</title><h1>{said}</h1>") == "Robots are out"


def test_a_heading_without_the_sites_name_keeps_its_rule():
    said = "Robots are out | All of the streets"

    assert title_of(f"{SITE}<title>{said} | Karoo Courant</title><h1>{said}</h1>") == said


def test_a_heading_is_the_headline_though_the_title_goes_on_without_a_space():
    title = "Ampelwerk 31All of the robots in the Karoo | All of the robots in the Karoo"

    assert title_of(f"<title>{title}</title><h1>Ampelwerk 31</h1><h1>Menu</h1>") == "Ampelwerk 31"


@pytest.mark.parametrize(
    "title",
    ["Anna's Robots: Out again", "Anna's Robots » Out again", "anna's robots | Out again"],
)
def test_a_heading_that_leads_to_the_folder_of_a_weblog_is_its_name(title):
    page = f'<title>{title}</title><h1><a href="/robots/">Anna\'s Robots</a></h1><h3>Out again</h3>'

    assert title_of(page, url="https://blogs.example/robots/2020/03/out-again.html") == "Out again"


def test_a_heading_that_leads_to_its_own_page_is_no_weblogs_name():
    page = '<title>Robots: out again</title><h1><a href="/robots/">Robots: out again</a></h1>'

    assert title_of(page, url="https://blogs.example/robots/") == "Robots: out again"
