import json

import pytest
from selectolax.lexbor import LexborHTMLParser

from izwi.model.document import Document
from izwi.text.comments import comments_of_answer, comments_of_page, named

PAGE = """<html><body><article><h1>Rain</h1><p>It rained at last in the Karoo.</p></article>
<ol class="commentlist">
<li class="comment" id="comment-7"><div class="comment-author"><span class="fn">Thabo</span></div>
<time datetime="2014-03-02T10:00:00">2 March</time>
<div class="comment-content"><p>About time, my tannie said.</p><p>She was right.</p></div>
<ol><li class="comment" id="comment-8"><span class="fn">Anna</span>
<div class="comment-content"><p>Ja, nee.</p></div></li></ol></li></ol></body></html>"""


def test_comments_in_a_page_are_told_apart_with_user_and_date():
    first, second = comments_of_page(LexborHTMLParser(PAGE))

    assert (first.key, first.user, first.text) == (
        "comment-7", "Thabo", "About time, my tannie said.\nShe was right.",
    )  # fmt: skip
    assert first.date.startswith("2014-03-02")
    assert (second.user, second.text) == ("Anna", "Ja, nee.")


def test_page_without_comments_has_none():
    assert comments_of_page(LexborHTMLParser("<p>It rained.</p>")) == []


def test_pseudonym_is_the_same_on_one_site_and_another_on_the_next():
    first = named("Thabo", "http://a.example/1", "pseudonym")

    assert first == named("Thabo", "http://a.example/2", "pseudonym")
    assert first != named("Thabo", "http://b.example/1", "pseudonym")
    assert "Thabo" not in first
    assert named("Thabo", "http://a.example/1", "name") == "Thabo"


@pytest.mark.parametrize("body", [b"<html>", b'{"code": 15, "response": "no"}', b"3"])
def test_answer_that_is_no_list_is_refused(body):
    with pytest.raises(ValueError):  # noqa: PT011 - json has its own words
        comments_of_answer(body)


def test_comments_follow_their_page_where_they_are_wanted():
    from datetime import UTC, datetime

    from izwi.model.capture import CaptureEntry, Page
    from izwi.text.extract.base import Extract, ExtractConfig

    now = datetime(2020, 1, 1, tzinfo=UTC)
    entry = CaptureEntry("http://a.example/1", now, 200, "text/html", "x", "page", "s", 0, 1)
    page = Page(entry, PAGE.encode(), "text/html; charset=utf-8")

    def documents(**more) -> list[Document]:
        return list(Extract(ExtractConfig(method="bte", **more))(iter([page])))

    assert len(documents()) == 1
    _, first, second = documents(comments=True)
    assert first.url == "http://a.example/1#comment-7"
    assert first.metadata.parent == second.metadata.parent == "http://a.example/1"
    assert first.metadata.page_type == "comment"
    assert documents(comments=True, users="none")[1].metadata.author == ""


def test_thread_that_is_no_thread_fails_alone():
    from datetime import UTC, datetime

    from izwi.model.capture import CaptureEntry, Page
    from izwi.text.extract.base import Extract, ExtractConfig

    now = datetime(2020, 1, 1, tzinfo=UTC)
    entry = CaptureEntry(
        "http://a.example/c", now, 200, "application/json", "x", "comments", "s", 0, 1
    )
    pages = [
        Page(entry, b"<html>"),
        Page(entry, b"[]"),
        Page(entry, json.dumps([{"id": 1}]).encode()),
    ]

    verdicts = [each.verdict for each in Extract(ExtractConfig())(iter(pages))]

    assert [(each.outcome, each.reason) for each in verdicts] == [
        ("failed", "no-comments"), ("dropped", "no-comments"), ("dropped", "no-comments"),
    ]  # fmt: skip


SAID = "About time it rained in the Karoo, my tannie said when she heard of it"
FORUM = f"""<html><body class="forum"><h1>Rain at last</h1>
<div id="p11" class="blockpost"><h2><span><a href="viewtopic.php?pid=11#p11">2014-03-02 10:00:00</a>
</span></h2><div><a href="/user/thabo">Thabo</a>
<div class="postmsg"><p>{SAID}.</p></div></div></div>
<div id="p12" class="blockpost"><h2><span><a href="viewtopic.php?pid=12#p12">2014-03-03 11:30:00</a>
</span></h2><div><a href="/user/anna">Anna</a>
<div class="postmsg"><p>{SAID}, too.</p></div></div></div>
</body></html>"""  # fmt: skip


def test_posts_of_an_unknown_forum_are_found_by_the_rhythm_of_their_dates():
    first, second = comments_of_page(LexborHTMLParser(FORUM))

    assert (first.key, first.user, first.date) == ("p11", "Thabo", "2014-03-02 10:00:00")
    assert f"{SAID}." in first.text
    assert (second.user, second.date) == ("Anna", "2014-03-03 11:30:00")


def test_posts_that_only_say_how_long_ago_they_were_written_have_a_rhythm_too():
    page = FORUM.replace("<h2><span><a", '<h2><span class="postdate"><a')
    page = page.replace("2014-03-02 10:00:00", "8 years ago").replace("2014-03-03 11:30:00", "7 y")

    first, second = comments_of_page(LexborHTMLParser(page))

    assert (first.key, first.user, second.user) == ("p11", "Thabo", "Anna")
    assert f"{SAID}." in first.text


@pytest.mark.parametrize(
    ("post", "text"),
    [
        ('<li id="post-{}" class="message">', '<blockquote class="messageText">'),
        ('<article id="elComment_{}" class="ipsEntry">', '<div data-role="commentContent">'),
    ],
    ids=["XenForo 1", "Invision 5"],
)
def test_a_post_is_what_its_writer_wrote_without_the_panel_beside_it(post, text):
    posts = [
        f"{post.format(number)}<div>Rank: novice<br>{number} messages</div>{text}{SAID} {number}."
        "</div></blockquote></article></li>"
        for number in (11, 12)
    ]

    found = comments_of_page(LexborHTMLParser(f"<body>{''.join(posts)}</body>"))

    assert [each.text for each in found] == [f"{SAID} 11.", f"{SAID} 12."]


def test_an_answer_inside_a_comment_names_the_comment_it_answers():
    first, second = comments_of_page(LexborHTMLParser(PAGE))

    assert (first.answers, second.answers) == ("", "comment-7")


def test_teasers_with_dates_are_no_posts():
    teaser = (
        "<div class=teaser><time datetime=2014-03-02>2 March</time><h2>Rain</h2><p>It rained.</div>"
    )

    assert comments_of_page(LexborHTMLParser(f"<div class=list>{teaser * 5}</div>")) == []


def test_a_form_for_comments_is_no_comment():
    assert (
        comments_of_page(
            LexborHTMLParser('<div id="comment-form">Say what you think of it here.</div>')
        )
        == []
    )
