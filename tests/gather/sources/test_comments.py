import json
from dataclasses import dataclass, field
from datetime import UTC, datetime

import pytest

from izwi.demoweb.server import Reply, whole_reply
from izwi.gather.sources.base import MOST_PAGES, trail_text
from izwi.gather.sources.comments import CommentsSource, CommentsTrail
from izwi.gather.sources.seeds import SeedsSource
from izwi.model.capture import Capture, Hints, Lead
from izwi.model.errors import ConfigError, SourceError
from izwi.text.comments import comments_of_answer

PAPER, TALK = "paper.example", "talk.example"
STORIES = 12
_LATER = datetime(2100, 1, 1, tzinfo=UTC)
SIZE = 3


@dataclass
class Talk:
    """A comment system as Disqus has it (or WordPress), busy now and then."""

    kind: str = "disqus"
    closed: set = field(default_factory=lambda: set(range(0, STORIES, 2)))
    busy: tuple = ()
    answers: int = 0
    is_html: bool = False

    def comments(self, number):
        return [f"{number}-{each}" for each in range(number + 1)]

    def answer(self, visit):
        if visit.path == "/robots.txt":
            return whole_reply(b"", status=404)
        self.answers += 1
        if self.answers in self.busy:
            return Reply(429, headers={"Retry-After": "1"}, length=0)
        if self.is_html:
            return whole_reply(b"<html><body>Please sign in.</body></html>")
        found = self._wordpress(visit) if self.kind == "wordpress" else self._disqus(visit)
        return whole_reply(json.dumps(found).encode(), content_type="application/json")

    def _disqus(self, visit):
        assert visit.query["forum"] == "paper"
        assert visit.query["api_key"] == "secret"
        if "details" in visit.path:
            number = int(visit.query["thread:link"].rpartition("/")[2])
            return {"code": 0, "response": {"id": str(number), "isClosed": number in self.closed}}
        number, start = int(visit.query["thread"]), int(visit.query.get("cursor", "0"))
        comments = self.comments(number)
        rows = [
            {
                "id": key, "raw_message": f"Comment {key} says something.\nTwice.",
                "createdAt": "2014-03-02T10:00:00", "parent": None,
                "author": {"name": "Thabo M.", "username": f"reader{number}"},
            }
            for key in comments[start : start + SIZE]
        ]  # fmt: skip
        cursor = {"hasNext": start + SIZE < len(comments), "next": str(start + SIZE)}
        return {"code": 0, "cursor": cursor, "response": rows}

    def _wordpress(self, visit):
        if "posts" in visit.path:
            number = int(visit.path.rpartition("/")[2])
            state = "closed" if number in self.closed else "open"
            return {"id": number, "comment_status": state}
        number = int(visit.query["post"])
        return [
            {
                "id": key, "parent": 0, "date_gmt": "2014-03-02T10:00:00", "author_name": "Sipho",
                "content": {"rendered": f"<p>Comment {key} &amp; more.</p>"},
                "link": f"http://{PAPER}/story/{number}#comment-{key}",
            }
            for key in self.comments(number)
        ]  # fmt: skip


def paper(visit):
    if visit.path == "/robots.txt":
        return whole_reply(b"", status=404)
    number = visit.path.rpartition("/")[2]
    head = (
        f'<link rel="https://api.w.org/" href="http://{TALK}/wp-json/">'
        f'<link rel="shortlink" href="http://{PAPER}/?p={number}">'
    )
    return whole_reply(f"<html><head>{head}</head><body><p>Story {number}.</p>".encode())


def sources(kind="disqus", **more):
    articles = SeedsSource("paper", tuple(f"http://{PAPER}/story/{n}" for n in range(STORIES)))
    fields = {"of": ("paper",), "every": "0s", "interface": kind}
    if kind == "disqus":
        fields |= {"forum": "paper", "endpoint": f"http://{TALK}/api/", "key": "secret"}
    else:
        fields |= {"endpoint": f"http://{TALK}/wp-json/"}
    return articles, CommentsSource("talk", **fields | more)


def keys(gathering):
    threads = [page for page in gathering.captures.values() if page.lead.kind == "comments"]
    return sorted(each.key for page in threads for each in comments_of_answer(page.body))


def expected(talk):
    return sorted(key for number in talk.closed for key in talk.comments(number))


@pytest.mark.parametrize("kind", ["disqus", "wordpress"])
def test_all_comments_of_closed_threads_come_and_none_of_open_ones(gathering, hosts, kind):
    talk = Talk(kind, busy=(3, 9, 10))
    hosts[PAPER], hosts[TALK] = paper, talk.answer

    gathering.run(*sources(kind), seconds=30.0)

    assert keys(gathering) == expected(talk)
    assert gathering.notices == []


def test_open_threads_are_asked_again_until_they_are_closed(gathering, hosts):
    talk = Talk()
    hosts[PAPER], hosts[TALK] = paper, talk.answer
    gathering.run(*sources())
    closed = len([path for path in gathering.paths(TALK) if "Posts" in path])
    talk.closed = set(range(STORIES))

    gathering.run(*sources())

    assert keys(gathering) == expected(talk)
    asked = [path for path in gathering.paths(TALK) if "details" in path]
    assert len(asked) == STORIES + STORIES // 2
    before = len(gathering.paths(TALK))
    gathering.run(*sources())
    assert len(gathering.paths(TALK)) == before > closed


def test_open_thread_rests_longer_each_time(gathering, hosts):
    from izwi.store.catalog import Catalog

    talk = Talk(closed=set())
    hosts[PAPER], hosts[TALK] = paper, talk.answer
    articles, own = sources(every="1h")
    rests = []
    for _ in range(3):
        with Catalog.write(gathering.layout.catalog) as catalog:
            for queued in catalog.resting_lists():
                catalog.wake_feed(queued.lead.url, last_before=_LATER)
            catalog.commit()
        gathering.run(articles, own)
        with Catalog.read(gathering.layout.catalog) as catalog:
            rests.append(catalog.visit(catalog.resting_lists()[0]).rest)

    assert rests == [3600.0, 5400.0, 8100.0]


def test_open_threads_can_be_taken_as_they_are(gathering, hosts):
    talk = Talk()
    hosts[PAPER], hosts[TALK] = paper, talk.answer

    gathering.run(*sources(open="take"))

    assert keys(gathering) == sorted(key for n in range(STORIES) for key in talk.comments(n))


def test_key_is_sent_and_kept_in_no_file(gathering, hosts):
    hosts[PAPER], hosts[TALK] = paper, Talk().answer

    gathering.run(*sources())

    assert any("api_key=secret" in path for path in gathering.paths(TALK))
    assert not any("secret" in url for url in gathering.captures)


def test_interface_on_a_host_that_a_page_chooses_is_not_asked(gathering, hosts):
    hosts[PAPER], hosts[TALK] = paper, Talk("wordpress").answer

    gathering.run(*sources("wordpress", endpoint="", key="secret"))

    assert gathering.paths(TALK) == []
    assert not any("secret" in each.url for each in gathering.web.log)


def test_interface_of_the_page_s_own_host_is_asked_without_the_key(gathering, hosts):
    talk = Talk("wordpress")

    def answer(visit):
        if visit.path.startswith("/wp-json/"):
            return talk.answer(visit)
        number = visit.path.rpartition("/")[2]
        return whole_reply(f'<body class="postid-{number}">Story {number}.'.encode())

    hosts[PAPER] = answer
    gathering.run(*sources("wordpress", endpoint="", key="secret"))

    assert keys(gathering) == expected(talk)
    assert not any("secret" in each.url for each in gathering.web.log)


@pytest.mark.parametrize("host", [TALK, "elsewhere.example"])
def test_key_that_a_redirect_repeats_is_kept_nowhere_and_sent_nowhere_else(gathering, hosts, host):
    def answer(visit):
        if visit.path == "/robots.txt":
            return whole_reply(b"", status=404)
        if visit.path.startswith("/moved/"):
            return whole_reply(b"", status=404)
        where = f"http://{host}/moved/x?of=1&api_key={visit.query['api_key']}"
        return Reply(302, headers={"Location": where}, length=0)

    hosts[PAPER], hosts[TALK], hosts["elsewhere.example"] = paper, answer, answer
    gathering.run(*sources())

    assert gathering.line(f"http://{host}/moved/x?of=1").reason == "http-404"
    assert not any("secret" in path and "moved" in path for path in gathering.paths(host))
    assert b"secret" not in gathering.layout.catalog.read_bytes()


def thread_page(own, answer, page=1, headers=()):
    hints = Hints(parent=f"http://{PAPER}/story/1", trail=trail_text(CommentsTrail("1", page)))
    url = f"http://{TALK}/wp-json/wp/v2/comments?post=1&page={page}"
    lead = Lead(url, own.name, "comments", hints=hints)
    body = json.dumps(answer).encode()
    capture = Capture(lead, datetime.now(UTC), 200, "OK", headers, body)
    return list(own.leads_from(capture, body))


@pytest.mark.parametrize("kind", ["disqus", "wordpress"])
def test_thread_ends_at_an_empty_page_and_at_the_last_that_may_be(kind):
    _, own = sources(kind)
    endless = (("X-WP-TotalPages", "999999999"),)
    rows = [{"id": 1}]
    cursor = {"hasNext": True, "next": "9"}

    def answer(rows):
        return rows if kind == "wordpress" else {"cursor": cursor, "response": rows}

    assert thread_page(own, answer(rows), headers=endless)
    assert thread_page(own, answer([]), headers=endless) == []
    with pytest.raises(SourceError, match="goes on after 1000 pages"):
        thread_page(own, answer(rows), MOST_PAGES, endless)


def test_interface_that_answers_a_page_is_told_and_the_others_go_on(gathering, hosts):
    hosts[PAPER], hosts[TALK] = paper, Talk(is_html=True).answer

    gathering.run(*sources())

    line = gathering.line(f"http://{TALK}/api/threads/details.json?forum=paper&"
                          f"thread%3Alink=http%3A%2F%2F{PAPER}%2Fstory%2F0")  # fmt: skip
    assert (line.outcome, line.reason) == ("failed", "unreadable-list")
    assert "Source 'talk'" in gathering.notices[0]
    assert "`forum` and `key`" in gathering.notices[0]
    assert sum(url.startswith(f"http://{PAPER}") for url in gathering.captures) == STORIES


def test_comments_become_documents_with_parent_date_and_pseudonym(make, web, hosts):
    hosts[PAPER], hosts[TALK] = paper, Talk().answer
    corpus = make({"type": "seeds", "urls": [f"http://{PAPER}/story/2"]})
    path = corpus.path / "corpus.toml"
    own = {"type": "comments", "of": ["it"], "forum": "paper", "key": "secret"}
    own["endpoint"] = f"http://{TALK}/api/"
    rows = "".join(f"{key} = {json.dumps(value)}\n" for key, value in own.items())
    path.write_text(f'{path.read_text()}\n[[source]]\nname = "talk"\n{rows}')
    corpus = type(corpus)(corpus.path)
    corpus.run(proxy=web.proxy_url)

    from izwi.store.layers import read_documents

    (folder,) = (corpus.path / "layers").glob("text-*")
    documents = [
        each for file in sorted(folder.glob("*.parquet")) for each in read_documents({"text": file})
    ]
    comments = [each for each in documents if each.metadata.page_type == "comment"]

    assert [each.text for each in comments] == [
        f"Comment 2-{n} says something.\nTwice." for n in range(3)
    ]
    assert {each.metadata.parent for each in comments} == {f"http://{PAPER}/story/2"}
    assert {str(each.metadata.date.value) for each in comments} == {"2014-03-02"}
    (author,) = {each.metadata.author for each in comments}
    assert author.startswith("user-")
    assert "reader" not in author
    assert len({each.id for each in comments}) == 3


def test_comments_of_a_source_that_nobody_knows_are_told(make):
    corpus = make({"type": "comments", "of": ["papr"], "forum": "paper"})

    with pytest.raises(ConfigError, match="there is no such source"):
        corpus.gather()


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"of": ()}, "of is empty"),
        ({"of": ("a",)}, "forum is missing"),
        ({"of": ("a",), "forum": "f", "endpoint": "http://a.example/api"}, "ends with /"),
    ],
)
def test_wrong_keys_are_told(fields, words):
    with pytest.raises(ValueError, match=words):
        CommentsSource("talk", **fields)
