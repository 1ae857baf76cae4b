# ruff: noqa: E501 -- tables of markup
import json
from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from izwi.model.capture import Hints
from izwi.model.document import Metadata, PublicationDate
from izwi.text.metadata.chosen import first, read_claims, read_metadata
from izwi.text.metadata.dates import find_date

CAPTURED = date(2020, 6, 15)
URL = "https://courant.example/stories/robots"

OPEN_GRAPH = """
    <meta property="og:title" content="Robots are out">
    <meta property="og:site_name" content="Karoo Courant">
    <meta name="author" content="T. Mokoena">
    <meta property="article:section" content="Traffic">
    <meta property="article:published_time" content="2020-03-02T08:15:00+02:00">
"""
MICRODATA = '<article><meta itemprop="datePublished" content="2020-03-03"></article>'
MICRODATA_TIME = '<time itemprop="datePublished" datetime="2020-03-03T10:00">3 March</time>'
TIME = '<time datetime="2020-03-05">5 March</time>'


def json_ld(value):
    return f'<script type="application/ld+json">{json.dumps(value)}</script>'


def article(**fields):
    return {"@type": "NewsArticle", **fields}


def metadata_of(html, *, url=URL, hints=None, captured=CAPTURED):
    return read_metadata(html, url, hints or Hints(), captured=captured)


def date_of(html="", **place):
    return metadata_of(html, **place).date


def day(month, day_, evidence):
    return PublicationDate(date(2020, month, day_), "day", evidence)


FULL = article(
    headline="Robots are out",
    author={"@type": "Person", "name": "T. Mokoena"},
    datePublished="2020-03-01T08:00:00+02:00",
    articleSection="Traffic",
)


@pytest.mark.parametrize(
    "value",
    [
        pytest.param(FULL, id="object"),
        pytest.param([{"@type": "Organization", "name": "Courant"}, FULL], id="list"),
        pytest.param({"@graph": [{"@type": "WebSite"}, "noise", FULL]}, id="graph"),
        pytest.param(FULL | {"@type": ["Thing", "BlogPosting"]}, id="list-of-types"),
    ],
)
def test_json_ld_describes_the_article(value):
    assert metadata_of(json_ld(value)) == Metadata(
        "Robots are out", "T. Mokoena", day(3, 1, "JSON-LD"), "Traffic", "courant.example"
    )


@pytest.mark.parametrize(
    ("author", "name"),
    [
        pytest.param("T. Mokoena", "T. Mokoena", id="string"),
        pytest.param({"name": "T. Mokoena"}, "T. Mokoena", id="person"),
        pytest.param([{"name": "T. Mokoena"}, "J. Nel"], "T. Mokoena, J. Nel", id="list"),
        pytest.param([{"name": None}, {"name": "J. Nel"}, 7], "J. Nel", id="nameless"),
        pytest.param([], "", id="empty-list"),
        pytest.param({"name": ["T. Mokoena"]}, "", id="name-is-no-string"),
        pytest.param(None, "", id="none"),
    ],
)
def test_authors_of_json_ld_are_joined(author, name):
    assert metadata_of(json_ld(article(author=author))).author == name


@pytest.mark.parametrize(
    "script",
    [
        pytest.param('<script type="application/ld+json">{"@type": "NewsArt</script>', id="cut"),
        pytest.param('<script type="application/ld+json"></script>', id="empty"),
        pytest.param('<script type="application/ld+json">' + "[" * 5000 + "</script>", id="deep"),
        pytest.param(json_ld(12), id="number"),
        pytest.param(json_ld({"@graph": "none"}), id="graph-is-no-list"),
        pytest.param(json_ld({"@type": "Organization", "headline": "No"}), id="other-type"),
    ],
)
def test_json_ld_that_says_nothing_gives_way_to_open_graph(script):
    assert metadata_of(script + OPEN_GRAPH) == Metadata(
        "Robots are out",
        "T. Mokoena",
        day(3, 2, "meta article:published_time"),
        "Traffic",
        "Karoo Courant",
    )


def test_a_broken_script_does_not_hide_the_next():
    broken = '<script type="application/ld+json">{,}</script>'

    assert metadata_of(broken + json_ld(FULL)).title == "Robots are out"


def test_json_ld_is_believed_before_open_graph():
    found = metadata_of(OPEN_GRAPH + json_ld(article(headline="Lights are out")))

    assert found.title == "Lights are out"
    assert found.author == "T. Mokoena"


def test_the_feed_knows_what_the_page_does_not():
    hints = Hints(title="Robots are out", author="T. Mokoena", date="2020-03-04")

    found = metadata_of("<title>Courant | home</title>", hints=hints)

    assert found == Metadata(
        "Robots are out", "T. Mokoena", day(3, 4, "feed"), "", "courant.example"
    )


def test_the_title_element_is_the_last_resort():
    assert metadata_of("<title>\n Robots \t are\n out </title>").title == "Robots are out"


@pytest.mark.parametrize(
    ("html", "url", "hint", "expected"),
    [
        pytest.param(json_ld(FULL) + MICRODATA, URL, "", day(3, 1, "JSON-LD"), id="json-ld"),
        pytest.param(
            json_ld(FULL) + OPEN_GRAPH, URL, "", day(3, 2, "meta article:published_time"), id="shared"
        ),
        pytest.param(
            OPEN_GRAPH + MICRODATA, URL, "", day(3, 2, "meta article:published_time"), id="meta"
        ),
        pytest.param(MICRODATA + TIME, URL, "2020-03-04", day(3, 3, "microdata"), id="microdata"),
        pytest.param(MICRODATA_TIME, URL, "", day(3, 3, "microdata"), id="microdata-time"),
        pytest.param(TIME, URL, "2020-03-04", day(3, 4, "feed"), id="feed"),
        pytest.param(TIME, URL, "", day(3, 5, "time element"), id="time-element"),
        pytest.param(TIME, "https://a.example/2020/03/06/x", "", day(3, 6, "URL"),
                     id="url-before-time-element"),
        pytest.param("", "https://a.example/2020/03/06/x", "", day(3, 6, "URL"), id="url"),
        pytest.param("<time datetime='noon'>", URL, "yesterday", None, id="no-dates"),
        pytest.param(
            json_ld(article(datePublished="2020-02-30")) + TIME, URL, "", day(3, 5, "time element"),
            id="no-day-of-the-calendar",
        ),
        pytest.param(
            json_ld(article(datePublished=20200301)) + TIME, URL, "", day(3, 5, "time element"),
            id="date-is-no-string",
        ),
    ],
)  # fmt: skip
def test_the_most_trusted_date_is_taken(html, url, hint, expected):
    assert date_of(html, url=url, hints=Hints(date=hint)) == expected


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        pytest.param("/2019/04/07/robots", (date(2019, 4, 7), "day"), id="slashes"),
        pytest.param("/news/2019-04-07-robots", (date(2019, 4, 7), "day"), id="hyphens"),
        pytest.param("/news/2019-04-07_robots", (date(2019, 4, 7), "day"), id="underscore"),
        pytest.param("/news/2019/04/07", (date(2019, 4, 7), "day"), id="at-the-end"),
        pytest.param("/2019/04/robots", (date(2019, 4, 1), "month"), id="month"),
        pytest.param("/2019/04/77/robots", (date(2019, 4, 1), "month"), id="impossible-day"),
        pytest.param("/2019/april/07/robots", (date(2019, 4, 7), "day"), id="month-by-name"),
        pytest.param("/2019/ferry/07/robots", None, id="no-month"),
        pytest.param("/2019/13/robots", None, id="impossible-month"),
        pytest.param("/2019/robots", None, id="year-alone"),
        pytest.param("/12019/04/07/x", None, id="longer-number"),
        pytest.param("/1819/04/07/x", None, id="before-the-web"),
        pytest.param("/1905/03/02/a", None, id="of-an-event"),
        pytest.param("/x?d=/2019/04/07/", None, id="in-the-query"),
    ],
)
def test_a_date_in_the_url_is_as_exact_as_it_is_written(path, expected):
    found = date_of(url=f"https://a.example{path}")

    assert (found and (found.value, found.precision)) == expected
    assert found is None or found.evidence == "URL"


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        pytest.param(
            json_ld(article(datePublished="2020-06-16")) + OPEN_GRAPH,
            day(3, 2, "meta article:published_time"),
            id="next-evidence",
        ),
        pytest.param(json_ld(article(datePublished="2020-06-16")), None, id="no-other-evidence"),
        pytest.param(
            json_ld(article(datePublished="2020-06-15")), day(6, 15, "JSON-LD"), id="same-day"
        ),
    ],
)
def test_a_date_after_the_capture_is_refused(html, expected):
    assert date_of(html) == expected


def test_a_future_date_in_the_url_is_refused():
    assert date_of(url="https://a.example/2021/01/01/x") is None


def test_a_page_that_says_nothing_has_only_its_site():
    assert metadata_of("<p>Robots</p>") == Metadata(site="courant.example")


def test_character_references_and_combining_marks_become_nfc():
    assert metadata_of("<title>Cafe&#769; in Se\u0301te</title>").title == "Café in Séte"


def test_half_a_surrogate_pair_in_json_ld_does_not_reach_the_store():
    script = '<script type="application/ld+json">%s</script>'
    page = script % r'{"@type": "NewsArticle", "headline": "Robots \ud83d out", "author": "\udc00"}'

    found = metadata_of(page)

    assert (found.title, found.author) == ("Robots out", "")


def test_long_titles_are_cut():
    assert len(metadata_of(f"<title>{'robot ' * 1000}</title>").title) == 500


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(alphabet=st.characters(), max_size=10),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(["@type", "@graph", "headline", "author", "name", "datePublished"]),
            inner | st.sampled_from(["NewsArticle", "2020-01-01"]),
            max_size=4,
        )
    ),
    max_leaves=8,
)


@given(value=JSON, hint=st.text(max_size=12))
def test_whatever_json_ld_holds_the_metadata_can_be_stored(value, hint):
    found = metadata_of(json_ld(value), hints=Hints(hint, hint, hint))

    for text in (found.title, found.author, found.section, found.site):
        assert text.encode("utf-8").decode("utf-8") == text
    assert found.date is None or found.date.value <= CAPTURED


@pytest.mark.parametrize(
    ("html", "title"),
    [
        pytest.param(
            "<title>Robots are out | Courant</title><h1>Robots are out</h1>",
            "Robots are out",
            id="h1",
        ),
        pytest.param(
            "<title>Robots are out</title><h1>The Karoo Courant</h1>",
            "Robots are out",
            id="site-h1",
        ),
        pytest.param(
            '<meta property="og:site_name" content="Karoo Courant"><title>Robots out - Karoo Courant</title>',
            "Robots out",
            id="site-at-the-end",
        ),
        pytest.param(
            "<title>Board - The heart of the Karoo</title><h1>The robots are out again</h1>",
            "The robots are out again",
            id="the-address-has-its-words",
        ),
        pytest.param(
            '<meta property="og:title" content="Courant knows all"><title>Why the robots are out</title>'
            "<h1>Why the robots are out</h1>",
            "Why the robots are out",
            id="the-title-element-repeats-it",
        ),
        pytest.param(
            "<title>Courant online - News - Robots are out</title><h1>Courant</h1><h1>News</h1><h1>Robots are out</h1>",
            "Robots are out",
            id="the-last-part-where-the-site-is-first",
        ),
        pytest.param(
            "<title>Robots out today | What to do | Courant</title><h1>Robots out today | What to do</h1>",
            "Robots out today | What to do",
            id="a-rule-in-the-headline",
        ),
        pytest.param(
            "<title>Say here what you think of Courant 7.1 - courant.example</title><h1>courant.example</h1>",
            "Say here what you think of Courant 7.1",
            id="a-thread-that-speaks-of-the-site",
        ),
        pytest.param(
            "<title>courant.example - News - Robots on courant.example</title>",
            "News - Robots on courant.example",
            id="the-site-first-and-in-the-headline",
        ),
        pytest.param(
            "<title>How thieves took robots in George, Knysna, Uniondale and nine other towns</title>"
            "<h1>Choose one</h1><h1>Knysna</h1>",
            "How thieves took robots in George, Knysna, Uniondale and nine other towns",
            id="no-section-that-the-title-names-among-others",
        ),
        pytest.param(
            '<meta property="og:title" content="Karoo robots policy"><title>robots policy: Karoo robots policy</title>'
            "<h1>robots policy</h1>",
            "Karoo robots policy",
            id="a-blog-before-its-post",
        ),
        pytest.param(
            "<title>Robots of the Karoo: Lights out</title><h1><a href='/'>Robots of the Karoo</a></h1><h3>Lights out</h3>",
            "Lights out",
            id="a-blog-whose-name-leads-home",
        ),
        pytest.param(
            "<title>Lights out</title><h1><a href='/lights-out'>Lights out</a></h1>",
            "Lights out",
            id="a-headline-that-leads-to-itself",
        ),
        pytest.param(
            "<title>武汉的声音：有英勇的你，才有英雄的城！-新华网</title>",
            "武汉的声音：有英勇的你，才有英雄的城！",
            id="a-site-behind-a-bare-hyphen",
        ),
        pytest.param("<title>中国-东盟</title>", "中国-东盟", id="a-hyphen-in-a-name"),
        pytest.param(
            "<h1>Robots again <span>Robots again</span></h1>", "Robots again", id="said-twice"
        ),
        pytest.param("<title>FAQ | Umnyango</title><h1>FAQ</h1>", "FAQ", id="three-letters"),
    ],
)
def test_the_headline_is_found_without_the_sites_name(html, title):
    assert metadata_of(html, url="https://courant.example/the-robots-are-out-again").title == title


def test_all_claims_are_kept_with_their_evidence():
    claims = read_claims(json_ld(FULL) + OPEN_GRAPH + "<h1>Robots are out</h1>", URL, Hints())

    said = {claim.evidence for claim in claims if claim.property == "headline"}
    assert said == {"JSON-LD", "meta og:title", "h1"}
    assert first(claims, "license") == ""


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("3. März 2021", date(2021, 3, 3)),
        ("5 de agosto de 2019", date(2019, 8, 5)),
        ("Le 14 juillet 2020", date(2020, 7, 14)),
        ("2018年5月6日", date(2018, 5, 6)),
        ("July 4th, 2017", date(2017, 7, 4)),
        ("12 октября 2015", date(2015, 10, 12)),
        ("31/12/2014", date(2014, 12, 31)),
        ("12/31/2014", date(2014, 12, 31)),
        ("3rd of May 2020", date(2020, 5, 3)),
        ("Sun May  3 10:00:00 2020", date(2020, 5, 3)),
        ("Sun May 3 10:00:00 GMT 2020", date(2020, 5, 3)),
        ("May 3 10:00 -0700 2020", date(2020, 5, 3)),
        ("3 Mei 2020", date(2020, 5, 3)),
        ("3 Septhemba 2020", date(2020, 9, 3)),
        ("3 Machi 2020", date(2020, 3, 3)),
        ("3. svibnja 2020.", date(2020, 5, 3)),
        ("2020 m. gegužės 3 d.", date(2020, 5, 3)),
        ("ngày 3 tháng 5 năm 2020", date(2020, 5, 3)),
        ("3 במאי 2020", date(2020, 5, 3)),
        ("٣ مايو، ٢٠٢٠", date(2020, 5, 3)),
        ("৩ মে ২০২০", date(2020, 5, 3)),
        ("3 फ़रवरी 2020", date(2020, 2, 3)),
        ("3 พฤษภาคม 2563", date(2020, 5, 3)),
        ("3 ሜይ 2020", date(2020, 5, 3)),
        ("7 Meán Fómhair 2014", date(2014, 9, 7)),
        ("3 تشرين الأول 2020", date(2020, 10, 3)),
        ("3 iNdlovu-lenkhulu 2020", date(2020, 3, 3)),
        ("19 N'wendzamhala 2023", date(2023, 12, 19)),
        ("2020ko maiatzaren 3a", date(2020, 5, 3)),
        ("3 พฤษภาคม พ.ศ. 2563", date(2020, 5, 3)),
        ("3 พ.ค. 2563", date(2020, 5, 3)),
        ("令和2年5月3日", date(2020, 5, 3)),
        ("平成元年１月８日", date(1989, 1, 8)),
        ("መስከረም 1 ቀን 2008 ዓ.ም.", date(2015, 9, 12)),
        ("ጳጉሜ 6 ቀን 2007 ዓ.ም", date(2015, 9, 11)),
        ("ታኅሣሥ 29 ቀን 2012 ዓ.ም.", date(2020, 1, 8)),
        ("۱۴ اردیبهشت ۱۳۹۹", date(2020, 5, 3)),
        ("1 فروردين ماه 1400", date(2021, 3, 21)),
        ("令和2年13月3日", None),
        ("14 اردیبهشت 2020", None),
        ("31 مهر 1403", None),
        ("99 فروردین 1403", None),
        ("መስከረም 99 ቀን 2008 ዓ.ም", None),
        ("On 3 Mar. 2500 people came", None),
        ("3 can 2020", None),
        ("On 3 May 2500 people came", None),
        ("May 3, 2563", None),
        ("31.02.2014", None),
        ("no date", None),
        ("12 uMandulo 2021", date(2021, 9, 12)),
        ("mhla ka-12 kuNhlangulana 2021", date(2021, 6, 12)),
        ("3 EyoMsintsi 2019", date(2019, 9, 3)),
        ("5 Mopitlwe 2020", date(2020, 3, 5)),
        ("7 N’wendzamhala 2018", date(2018, 12, 7)),
        ("1 iNdlovulenkhulu 2018", date(2018, 3, 1)),
        ("30 Desemere 2018", date(2018, 12, 30)),
    ],
)
def test_dates_are_read_in_many_languages(text, expected):
    assert find_date(text) == expected


@given(st.text(max_size=60))
def test_any_text_has_a_date_or_none(text):
    found = find_date(text)

    assert found is None or found.year >= 1900


@pytest.mark.parametrize(
    ("html", "author"),
    [
        pytest.param('<p class="byline">Posted on 3 March 2020 by sea_lion94</p>', "sea_lion94", id="after-a-date"),
        pytest.param('<div class="author">Anna Nel Senior Reporter <b class="author-name">Anna Nel</b></div>'
                     '<b class="author-name">Anna Nel</b>', "Anna Nel", id="without-role"),
        pytest.param('<h1>Robots</h1><p>By <a href="/x">Anna Nel</a></p>', "Anna Nel", id="next-line"),
        pytest.param('<a href="/authors/anna-nel">Anna Nel</a>', "Anna Nel", id="author-link"),
        pytest.param('<a rel="nofollow author">Anna Nel</a>', "Anna Nel", id="rel"),
        pytest.param('<div class="comments"><b class="author">Troll</b></div>', "", id="comment"),
        pytest.param('<b class="author">Aunt</b><h1>Robots</h1><b class="author">Anna Nel</b>', "Anna Nel",
                     id="after-the-headline"),
        pytest.param('<meta name="twitter:label1" content="Written by"><meta name="twitter:data1" content="Anna Nel">',
                     "Anna Nel", id="label-of-a-preview"),
        pytest.param('<meta name="citation_author" content="Nel, Anna"><meta name="citation_author" content="Roy, Jo">',
                     "Anna Nel, Jo Roy", id="library-order"),
        pytest.param('<meta name="author" content="Courant"><b class="author">Anna Nel</b>', "Anna Nel",
                     id="site-is-no-author"),
        pytest.param('<meta name="author" content="Christoph von Ritter">', "Christoph von Ritter", id="von"),
        pytest.param('<meta name="author" content="Staff">', "Staff", id="nobody-else"),
        pytest.param('<b class="author">https://courant.example</b>', "", id="address"),
        pytest.param('<address>12 Long Street, Prince Albert</address>', "", id="place"),
        pytest.param('<div itemscope itemtype="https://schema.org/Comment"><b itemprop="author">Troll</b></div>', "",
                     id="author-of-a-comment"),
        pytest.param('<meta name="author" content="Anna Nel (https://nel.example/)">', "Anna Nel", id="with-address"),
        pytest.param('<p class="submitted">Submitted on Mon, 2019-01-21 13:49</p>', "", id="submitted-by-nobody"),
        pytest.param('<b class="byline">Artikel von: Anna Nel</b>', "Anna Nel", id="article-by"),
        pytest.param('<b class="byline">Last Updated: 7 January 2020</b>', "", id="no-name-before-a-date"),
        pytest.param('<b class="byline">Text und Interview: Anna Nel</b>', "Anna Nel", id="two-things-done"),
        pytest.param('<p class="byline"><a href="/author/nel">Anna Nel</a>, <a href="/author/roy">Jo Roy</a></p>',
                     "Anna Nel, Jo Roy", id="each-with-a-page"),
        pytest.param('<b class="author">Follow</b><i class="author">9 articles</i><p>By Anna Nel</p>', "Anna Nel",
                     id="buttons"),
        pytest.param('<h1>Robots</h1><h4>Autor</h4>\n <p>\n <a href="/profil/nel">Anna Nel</a>\n</p>', "Anna Nel",
                     id="label-and-name-with-space-between"),
        pytest.param('<h1>Robots</h1><p>11.12.2019 - Anna Nel</p>', "Anna Nel", id="behind-a-date"),
        pytest.param('<h1>Robots</h1><p>Anna Nel | Senior Writer | July 2, 2019</p>', "Anna Nel", id="before-a-date"),
        pytest.param('<h1>Robots</h1><b>Contributors:</b> Anna Nel', "Anna Nel", id="label-with-a-colon"),
        pytest.param('<h1>Robots</h1><ul><li>Contributors</li><li>Online Services</li></ul>', "", id="label-of-a-menu"),
        pytest.param('<byline>Von Anna Nel und Jo Roy</byline>', "Anna Nel, Jo Roy", id="element-of-its-own"),
        pytest.param('<h1>Robots</h1><p>Von Anna Nel, dpa</p>', "Anna Nel", id="with-the-agency"),
        pytest.param('<h1>Robots</h1><i>By Anna Nel, 2 March 2020</i>', "Anna Nel", id="before-a-date"),
        pytest.param('<h1>Robots</h1><p>By Anna Nel, MS, RDN</p>', "Anna Nel", id="with-degrees"),
        pytest.param('<div class="author"><b>Anna Nel</b><p>Anna has written about robots, traffic and all '
                     'that stops people on their way through the Karoo, since 1994, for many papers.</p></div>',
                     "Anna Nel", id="with-her-life"),
        pytest.param('<p class="byline"><a>Anna Nel</a> , <a>Jo Roy</a> y <a>Mary Ito</a><i>3 min</i></p>',
                     "Anna Nel, Jo Roy, Mary Ito", id="joined-between-elements"),
        pytest.param('<p class="byline"><b>Anna Nel</b> and Jo Roy</p>', "Anna Nel, Jo Roy", id="joined-in-a-text"),
        pytest.param('<label class="address">Street Address</label><input>', "", id="form"),
        pytest.param('<meta name="author" content="KatieS"><h1>Robots</h1><p>By Anna Nel</p>', "Anna Nel",
                     id="account"),
        pytest.param('<meta name="author" content="Jo Roy"><h1>Robots</h1><p>By Anna Nel</p><b class="author">Jo Roy</b>',
                     "Jo Roy", id="both-shown"),
        pytest.param('<meta name="author" content="Jo Roy"><h1>Robots</h1><p>by Web Smiths</p>', "Jo Roy",
                     id="who-made-the-site"),
        pytest.param('<h1>Robots</h1><div>Posted by Anna Nel on <time datetime="2020-03-02">02/03/2020</time></div>',
                     "Anna Nel", id="leading-to-the-date"),
        pytest.param('<h1>Robots</h1><p>Deur SCN</p><p>Robots are out.</p>', "SCN", id="agency-below-the-headline"),
        pytest.param('<h1>Robots</h1><p>Out.</p><p>Since noon.</p><p>All of them.</p><p>By SCN, 2 March 2020</p>',
                     "SCN", id="agency-with-the-date"),
        pytest.param('<h1>Robots</h1><p>Out.</p><p>Since noon.</p><p>All of them.</p><p>Sent by AIR</p><p>Or</p>', "",
                     id="letters-in-a-text"),
        pytest.param('<h1>रोबोट बंद</h1><p>मीना जोशी | 2 March 2020</p>', "मीना जोशी", id="vowels-as-marks"),
    ],
)  # fmt: skip
def test_the_author_is_found_where_pages_name_one(html, author):
    assert metadata_of(html).author == author


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("<![CDATA[", "]]>"),
        ("//<![CDATA[\n", "\n//]]>"),
        ("/*<![CDATA[*/", "/*]]>*/"),
        ("<!--", "-->"),
    ],
)
def test_data_hidden_from_readers_of_xml_are_read(before, after):
    told = json.dumps(article(author="Anna Nel", datePublished="2020-03-01"))
    found = metadata_of(f'<script type="application/ld+json"> {before}{told}{after} </script>')

    assert (found.author, found.date) == ("Anna Nel", day(3, 1, "JSON-LD"))


@pytest.mark.parametrize(
    "html",
    [
        pytest.param(json_ld([article(headline="Robots")] * 5000 + [article(author="Jo Roy")]), id="thousands"),
        pytest.param('<script type="application/ld+json">' + '{"@graph":' * 300 + "0" + "}" * 300 + "</script>", id="deep"),
        pytest.param('<meta name="author" content="' + "Nel, " * 5000 + '">', id="endless"),
        pytest.param("<h1>Robots</h1><p>By " + "Nel " * 5000 + "</p>", id="endless-line"),
        pytest.param('<b class="author">' * 900 + "x" * 900, id="in-each-other"),
        pytest.param(json_ld(article(author={"name": [{"name": {}}]})), id="no-name"),
    ],
)  # fmt: skip
def test_a_page_that_wants_to_hurt_has_no_author(html):
    assert metadata_of(html).author == ""


@pytest.mark.parametrize(
    "said",
    [
        "9999-99-99",
        "2020-00-10",
        "0000-01-01",
        "3 พฤษภาคม 2599",
        "2019-13-45T25:61:00Z",
        "-1",
        "1e400",
    ],
)
def test_a_date_of_no_calendar_is_none(said):
    assert metadata_of(json_ld(article(datePublished=said))).date is None


def test_markup_in_a_title_gives_way_to_the_heading_that_readers_see():
    html = "<title>&lt;em&gt;Robots&lt;/em&gt; are out again</title><h1><em>Robots</em> are out again</h1>"

    assert metadata_of(html).title == "Robots are out again"


def test_readings_beside_characters_are_no_part_of_a_title():
    heading = "<h1><ruby>漢字<rp>(</rp><rt>かんじ</rt><rp>)</rp></ruby>の話についての長い題名</h1>"

    found = metadata_of(f"<title>漢字の話についての長い題名 - 新聞</title>{heading}")

    assert found.title == "漢字の話についての長い題名"


def test_what_one_description_of_a_page_lacks_another_of_the_same_page_tells():
    first_told, again = article(headline="Robots"), article(headline="Robots", author="Anna Nel")
    other = article(headline="Bakkies", author="Jo Roy")

    assert metadata_of(json_ld([first_told, again])).author == "Anna Nel"
    assert metadata_of(json_ld([first_told, other])).author == ""


@pytest.mark.parametrize("named", [{}, {"headline": "Robots"}])
def test_what_is_told_of_another_address_is_not_told_of_the_page(named):
    own = article(name="Robots", url="http://a.example/robots") | named
    teaser = article(author="Jo Roy", mainEntityOfPage={"@id": "http://a.example/bakkies"})
    again = article(author="Anna Nel", url="http://a.example/robots/#post")

    assert metadata_of(json_ld([own, teaser])).author == ""
    assert metadata_of(json_ld([own, teaser, again])).author == "Anna Nel"


def test_an_author_named_elsewhere_in_the_data_is_looked_up():
    person = {"@type": "Person", "@id": "#anna", "name": "Anna Nel"}
    found = metadata_of(json_ld({"@graph": [article(author={"@id": "#anna"}), person]}))

    assert found.author == "Anna Nel"


@pytest.mark.parametrize(
    ("html", "published", "modified"),
    [
        pytest.param('<p class="date">Published 2 March 2020</p><p class="date">Updated 4 March 2020</p>',
                     date(2020, 3, 2), date(2020, 3, 4), id="labels"),
        pytest.param('<time class="updated" datetime="2020-03-04"></time><p class="date">2 March 2020</p>',
                     date(2020, 3, 2), date(2020, 3, 4), id="name"),
        pytest.param('<p>Letzte Änderung: 4. März 2020</p><p>Erschienen am: 2. März 2020</p>',
                     date(2020, 3, 2), date(2020, 3, 4), id="lines"),
        pytest.param('<meta property="article:modified_time" content="2020-03-04">',
                     date(2020, 3, 4), date(2020, 3, 4), id="change-alone"),
        pytest.param('<div class="comments"><time datetime="2020-03-05"></time></div>', None, None, id="comment"),
        pytest.param('<meta name="w-published-date" content="2020-03-02">', date(2020, 3, 2), None, id="other-name"),
        pytest.param('<p class="date">2 March 2020 (last modified 4 March 2020)</p>', date(2020, 3, 2), None,
                     id="change-in-brackets"),
        pytest.param(json_ld(article(datePublished="2020-03-04T10:00Z", dateModified="2020-03-04T10:00Z"))
                     + '<p class="date">2 March 2020</p>', date(2020, 3, 2), date(2020, 3, 4), id="same-for-both"),
        pytest.param(json_ld(article(datePublished="2020-03-04T10:00Z", dateModified="2020-03-04T10:00Z"))
                     + '<p class="date">7 March 2020</p>', date(2020, 3, 4), date(2020, 3, 4), id="shown-later"),
    ],
)  # fmt: skip
def test_the_day_of_a_change_is_not_that_of_publication(html, published, modified):
    found = metadata_of(html)

    assert (found.date and found.date.value) == published
    assert (found.modified and found.modified.value) == modified


@pytest.mark.parametrize(
    ("html", "published"),
    [
        pytest.param(json_ld(article(datePublished="2020-03-02T22:30:00Z"))
                     + '<time datetime="2020-03-03T00:30:00+02:00"></time>', date(2020, 3, 3), id="same-moment"),
        pytest.param(json_ld(article(datePublished="2020-03-02T22:30:00Z")) + '<p class="date">3 March 2020</p>',
                     date(2020, 3, 3), id="shown"),
        pytest.param(json_ld(article(datePublished="2020-03-02T22:30:00+02:00"))
                     + '<p class="date">9 March 2020</p><p class="date">3 March 2020</p>', date(2020, 3, 2),
                     id="local-already"),
        pytest.param("".join(f'<i itemprop="datePublished" content="2020-03-0{day}"></i>' for day in (7, 8, 9))
                     + '<p class="date">2 March 2020</p>', date(2020, 3, 2), id="marks-of-a-list"),
    ],
)  # fmt: skip
def test_the_day_is_that_where_the_page_was_written(html, published):
    found = metadata_of(html).date

    assert found
    assert found.value == published


@pytest.mark.parametrize(
    ("html", "title"),
    [
        pytest.param("<title>Robots out at the corner | Lights, cameras and more</title>", "Robots out at the corner",
                     id="before-a-rule"),
        pytest.param("<title>Robots out</title><h1>Ro<b>bots</b> out</h1>", "Robots out", id="letters-set-apart"),
        pytest.param("<title>Robots out</title><h1>Robots<b>out</b></h1>", "Robots out", id="words-run-together"),
        pytest.param("<title>Traffic lights: the robots of Prince Albert</title><h1>Albert News</h1>",
                     "Traffic lights: the robots of Prince Albert", id="one-word-of-two"),
        pytest.param("<title>Load shedding: the towns of the Karoo</title>"
                     "<h1>When the lights go out the towns of the dry country wait</h1>",
                     "When the lights go out the towns of the dry country wait", id="sentence"),
        pytest.param("<title>Ro\u00adbots\u200b out</title>", "Robots out", id="soft-hyphens"),
        pytest.param("<title>Robots are out again in the Karoo - Courant</title><h1>Traffic Robots are out again"
                     " in the Karoo</h1>", "Robots are out again in the Karoo", id="kicker"),
        pytest.param("<title>Robots are out</title><h1>The Courant</h1><h1>Robots are out ¶</h1>", "Robots are out",
                     id="second-h1"),
        pytest.param("<title>Courant</title><h1>Robots are out</h1>", "Robots are out", id="title-is-the-site"),
        pytest.param("<title>Robots out | The Karoo Daily</title><h1>The Karoo Daily</h1>", "Robots out",
                     id="heading-is-the-site"),
        pytest.param("<title>Courant - Robots are out at the corner again</title>"
                     "<h1>Robots are out at the corner again</h1>", "Robots are out at the corner again",
                     id="site-first"),
        pytest.param("<title>Courant</title><h1>27.01.2022 Robots are out</h1>", "Robots are out", id="day-first"),
    ],
)  # fmt: skip
def test_the_headline_has_no_kicker_and_no_site(html, title):
    assert metadata_of(html).title == title


def test_a_headline_that_data_cut_is_taken_whole_from_the_title():
    whole = "Robots are out again at the corner, and nobody in the whole of the Karoo, from Beaufort West to Calitzdorp, knows why"

    found = metadata_of(json_ld(article(headline=whole[:100])) + f"<title>{whole}</title>")

    assert found.title == whole


@pytest.mark.parametrize(
    ("html", "title"),
    [
        pytest.param(
            "<title>Trips in the Karoo and beyond</title><h1>Beaufort-West</h1>",
            "Beaufort-West",
            id="the-name-of-the-file",
        ),
        pytest.param(
            "<title>Trips of all kinds to Beaufort, West and beyond | Karoo</title><h1>BeaufortWest</h1>",
            "BeaufortWest",
            id="one-word-that-the-title-writes-otherwise",
        ),
    ],
)
def test_a_heading_of_one_word_is_the_headline_where_the_address_says_the_same(html, title):
    url = "http://b.example/trips/beaufortwest.html"

    assert read_metadata(html, url, Hints(), captured=date(2024, 1, 1)).title == title


def test_a_title_that_holds_the_site_alone_leaves_the_heading():
    html = "<title>| Courant</title><h1>Gadgets and tools</h1>"

    found = read_metadata(
        html, "http://courant.example/a", Hints(), captured=date(2024, 1, 1), page_type="service"
    )

    assert found.title == "Gadgets and tools"


def test_a_long_headline_is_known_by_the_beginning_that_stands_in_the_address():
    html = "<title>Courant - The heart of the Karoo</title><h1>Robots are out again at the corner and nobody knows why</h1>"

    found = read_metadata(
        html, "http://b.example/1/robots_are_out_again_at_the/", Hints(), captured=date(2024, 1, 1)
    )

    assert found.title == "Robots are out again at the corner and nobody knows why"


@pytest.mark.parametrize(("kind", "title"), [("service", "Plumbing in the Karoo"), ("article", "Plumbing you can trust in the Karoo")])  # fmt: skip
def test_what_is_offered_is_called_as_its_title_says(kind, title):
    html = "<title>Plumbing in the Karoo | Nel and Roy</title><h1>Plumbing you can trust in the Karoo</h1>"

    found = read_metadata(html, "", Hints(), captured=date(2024, 1, 1), page_type=kind)

    assert found.title == title


def test_licence_keywords_language_and_address_are_read():
    found = metadata_of(
        '<html lang="af"><meta name="keywords" content="robots, traffic, robots">'
        '<link rel="canonical" href="/robots"><a rel="license" href="https://cc.example/by">CC</a>'
    )

    assert found.keywords == ("robots", "traffic")
    assert (found.language, found.licence) == ("af", "https://cc.example/by")
    assert found.url_canonical == "https://courant.example/robots"


@pytest.mark.parametrize(
    ("html", "day"),
    [
        pytest.param(
            "<h1>The ferry is late again</h1><ul><li><h3><a href=/b>The market opens</a></h3>"
            "<span class=date>3 May 2023</span></li></ul><p class=date>1 May 2023</p>",
            "2023-05-01",
            id="teasers-come-last",
        ),
        pytest.param(
            "<h1>The ferry is late again</h1><script>d.cookie = 'expires=Thu, 1 Jan 2015';</script>"
            "<p>Late again</p><p>1 May 2023</p>",
            "2023-05-01",
            id="lines-of-scripts-are-no-dates",
        ),
        pytest.param(
            '<h1>Ferry</h1><script>var x = {\'a\': 1, "published_at": "2023-05-01T06:00:00"}</script>',
            "2023-05-01",
            id="data",
        ),
        pytest.param(
            '<h1>Ferry</h1><meta name="published" content="May 1, 2023">', "2023-05-01", id="meta"
        ),
        pytest.param(
            "<header><p class=date>1 May 2023</p><h1>The ferry is late again</h1></header>"
            "<p>The ferry came late for the third time this week.</p>"
            + "<p>It did not.</p>" * 60
            + "<div><b>More</b><p class=date>7 May 2023</p></div>",
            "2023-05-01",
            id="beside-the-headline-before-what-follows",
        ),
        pytest.param(
            "<p class=meta>x</p>" * 400 + "<h1>The ferry is late</h1><p class=date>1 May 2023</p>",
            "2023-05-01",
            id="after-a-menu-of-hundreds",
        ),
        pytest.param(
            "<h1>Harbour Office</h1><p class=date>9 June 2022</p><p>News</p>"
            "<title>Harbour Office - The ferry is late again</title>"
            "<h1>The ferry is late again</h1><p class=date>1 May 2023</p>",
            "2023-05-01",
            id="below-the-headline-not-the-sites-name",
        ),
        pytest.param(
            "<h1>Ferry</h1><p class=date>1 May 2023. Updated: 7 May 2023</p>",
            "2023-05-01",
            id="the-word-before-a-date-says-what-happened",
        ),
        pytest.param(
            "<h1>Ferry</h1><p>Last updated:</p><p>7 May 2023</p><p>Published</p><p>1 May 2023</p>",
            "2023-05-01",
            id="also-in-the-line-before",
        ),
        pytest.param(
            '<meta property="article:published_time" content="05-01-2023">'
            "<h1>Ferry</h1><p class=date>May 1, 2023</p>",
            "2023-05-01",
            id="another-date-tells-which-number-is-the-month",
        ),
        pytest.param(
            '<html lang="en-US"><h1>Ferry</h1><p class=date>5/1/2023</p>',
            "2023-05-01",
            id="months-first-in-american-pages",
        ),
        pytest.param(
            '<html lang="en-GB"><h1>Ferry</h1><p class=date>1/5/2023</p>',
            "2023-05-01",
            id="days-first-elsewhere",
        ),
        pytest.param(
            json_ld(article(datePublished="2023-05-01T21:06:00+05:30"))
            + "<h1>Ferry</h1><p>Tides for the second of the month, 2 May 2023</p>",
            "2023-05-01",
            id="a-line-does-not-move-a-local-time",
        ),
        pytest.param(
            '<meta property="article:published_time " content="2023-05-01">',
            "2023-05-01",
            id="names-with-spaces",
        ),
        pytest.param(
            "<h1>Ferry</h1><p>1 May 2023</p><ul><li><h3><a href=/b>Bus</a></h3><time datetime=2023-06-02></time></ul>",
            "2023-05-01",
            id="a-line-before-the-date-of-a-teaser",
        ),
    ],
)
def test_a_date_is_found_where_pages_put_it(html, day):
    found = read_metadata(html, "http://a.example/x", Hints(), captured=date(2024, 1, 1))

    assert str(found.date.value) == day


def test_where_dates_differ_the_choice_is_explained():
    html = (
        '<script type="application/ld+json">{"@type": "NewsArticle", "headline": "Ferry",'
        ' "datePublished": "2023-05-01"}</script><h1>Ferry</h1><p class=date>7 May 2023</p>'
    )

    found = read_metadata(html, "http://a.example/x", Hints(), captured=date(2024, 1, 1))

    told = [claim.value for claim in found.claims if claim.property == "dateConflict"]
    assert told == ["2023-05-01 (JSON-LD) was believed before 2023-05-07 (shown date)"]


@pytest.mark.parametrize(
    ("html", "day"),
    [
        pytest.param(
            json_ld(article(datePublished="Jun 12, 2023", dateModified="Jun 10, 2023"))
            + '<h1>Robots are out</h1><p class="date">Published 2 November 2021</p>',
            "2021-11-02",
            id="published-after-it-was-changed-is-a-change",
        ),
        pytest.param(
            json_ld(
                article(datePublished="2023-06-12T04:00:00", dateModified="2023-06-10T15:00:00")
            )
            + '<h1>Robots are out</h1><p class="date">2 November 2021</p>',
            "2023-06-12",
            id="a-post-that-waited-for-its-hour",
        ),
        pytest.param(
            '<meta property="article:published_time" content="2022-05-06T02:00:00Z">'
            + json_ld(article(datePublished="2022-05-05T21:00:00-05:00"))
            + '<h1>Robots are out</h1><p class="date">6 May 2022 - 2:00</p>',
            "2022-05-06",
            id="readers-are-shown-the-day-of-utc",
        ),
        pytest.param(
            '<p><time datetime="2022-12-12">12.12.2022</time></p><h1>Robots are out</h1><ul>'
            '<li><time datetime="2022-08-10">10.08.2022</time><a href="/a">How many robots can a town pay</a></li>'
            '<li><time datetime="2022-08-04">04.08.2022</time><a href="/b">Beware of people who call you</a></li></ul>',
            "2022-12-12",
            id="a-list-of-other-pages-below",
        ),
        pytest.param(
            "<h1>Robots are out</h1><p>Joined:</p><p>11 Dec 2020</p><p>Tue Aug 23, 2022 1:47 am</p>",
            "2022-08-23",
            id="since-when-the-writer-is-a-member",
        ),
        pytest.param(
            '<time datetime="2022-09-30">30 September 2022, 7:16</time><h1>Robots are out</h1>'
            "<p>Started by Thandi, June 04, 2021, 11:23</p>",
            "2021-06-04",
            id="the-clock-of-a-forum-above-who-started-the-thread",
        ),
        pytest.param(
            '<h1>Robots are out</h1><ul><li><time datetime="2022-08-23">23.08.2022</time>'
            '<a href="/people/thandi">Thandi van der Merwe</a></li></ul><p>3 March 2019</p>',
            "2022-08-23",
            id="an-author-beside-the-date-is-no-teaser",
        ),
    ],
)
def test_a_date_of_something_else_is_not_that_of_the_page(html, day):
    found = read_metadata(html, "http://b.example/a", Hints(), captured=date(2024, 1, 1))

    assert str(found.date.value) == day


@pytest.mark.parametrize(
    ("link", "is_site"),
    [
        ('<a href="/">', True),
        ('<a href="https://courant.example/index.html">', True),
        ('<a name="top">', False),
        ('<a href="">', False),
        ('<a href="https://courant.example?p=7">', False),
        ('<a href="/stories/robots">', False),
    ],
)  # fmt: skip
def test_a_heading_is_the_sites_name_only_where_it_leads_to_the_front(link, is_site):
    claims = read_claims(f"<h1>{link}Robots are out</a></h1>", URL, Hints())

    named = {claim.property for claim in claims if claim.value == "Robots are out"}
    assert named == {"publisher" if is_site else "headline"}


@pytest.mark.parametrize(
    ("html", "url", "expected"),
    [
        pytest.param('<div class="datum">Nuus | 2 Maart 2020</div><h1>Robots are out again</h1><p>A robot stopped.</p>'
                     '<blockquote>At last<div class="datum">Sonja, 3 Maart 2020</div></blockquote>',
                     URL, "2020-03-02", id="line-above-the-headline"),
        pytest.param('<h1>Robots are out again</h1><div class="fecha">2 de marzo de 2020</div><p>3 de mayo de 2020</p>',
                     URL, "2020-03-02", id="named-in-another-language"),
        pytest.param('<html lang="en-US"><h1>Robots</h1><p class="date">05/03/2020</p>', "https://courant.co.za/robots",
                     "2020-03-05", id="american-template-elsewhere"),
        pytest.param('<html lang="en-US"><h1>Robots</h1><p class="date">05/03/2020</p>', "https://courant.us/robots",
                     "2020-05-03", id="american-host"),
        pytest.param('<html lang="en-US"><h1>Robots</h1><p class="date">05/03/2020</p><p class="date">05/25/2020</p>',
                     "https://courant.co.za/robots", "2020-05-03", id="another-date-of-the-page"),
    ],
)  # fmt: skip
def test_the_date_is_that_of_the_page(html, url, expected):
    assert str(metadata_of(html, url=url).date.value) == expected


@pytest.mark.parametrize(
    ("data", "told"),
    [
        (
            '{"until":"2019-01-01","created_at":"2023-06-14T00:05:41-07:00"}',
            ["2023-06-14T00:05:41-07:00"],
        ),
        ("{&quot;published_on&quot; : &quot;1999-12-31&quot;}", ["1999-12-31"]),
        ('{"version":"2023-06-14"}', []),
    ],
    ids=["beside another", "written as references", "of something else"],
)
def test_a_day_is_found_in_data_by_its_name(data, told):
    found = metadata_of(f"<p>The ferry was late.</p><script>x = {data}</script>")

    assert [claim.value for claim in found.claims if claim.evidence == "page's data"] == told
