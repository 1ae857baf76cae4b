import asyncio
import sys
from urllib.parse import urlsplit

import pytest

from izwi.demoweb.server import Reply, whole_reply
from izwi.gather import browser
from izwi.gather.sources.seeds import SeedsSource

pytest.importorskip("playwright")
pytestmark = [
    pytest.mark.browser,
    pytest.mark.skipif(browser._system_browser() is None, reason="there is no Chromium here"),
]
HOST = "moving.example"
ITEMS = 79
_SCRIPT = """<script>
let next = 0, busy = false;
async function more() {
  if (busy || next < 0) return;
  busy = true;
  const found = await (await fetch('/items?kind=' + KIND + '&from=' + next)).json();
  for (const each of found.items) {
    const item = document.createElement('p');
    item.textContent = each;
    document.getElementById('list').append(item);
  }
  next = found.next;
  if (next < 0 && document.getElementById('more')) document.getElementById('more').remove();
  busy = false;
}
"""
_SCROLL = "addEventListener('scroll', () => {" + (
    "if (scrollY + innerHeight > document.body.scrollHeight - 50) more(); }); more();</script>"
)
_PRESS = "document.getElementById('more').onclick = more; more();</script>"


def site(visit):
    if visit.path == "/robots.txt":
        return whole_reply(b"", status=404)
    if visit.path == "/items":
        first = int(visit.query["from"])
        last = first + 10 if visit.query["kind"] == "endless" else min(first + 10, ITEMS)
        items = ",".join(f'"Item number {n} of the list."' for n in range(first, last))
        after = last if last < ITEMS or visit.query["kind"] == "endless" else -1
        answer = f'{{"items": [{items}], "next": {after}}}'
        return whole_reply(answer.encode(), content_type="application/json")
    kind, _, words = visit.path.strip("/").partition("/")
    button = f'<button id="more">{visit.query.get("words", words)}</button>' if words else ""
    tall = "<style>p { height: 90px }</style>"
    script = _SCRIPT.replace("KIND", f"'{kind}'") + (_PRESS if words else _SCROLL)
    body = f'<body>{tall}<h1>{kind}</h1><div id="list"></div>{button}{script}</body>'
    return whole_reply(f"<!doctype html><html>{body}</html>".encode())


@pytest.fixture
def moving(hosts):
    hosts[HOST] = site


def opened(*urls, name="moving"):
    return SeedsSource(name, urls, browser=True)


def items(capture):
    return [n for n in range(1000) if f"Item number {n} of" in capture.body.decode()]


@pytest.mark.parametrize("path", ["scroll", "press/x?words=Laai+meer+stories"])
def test_every_item_behind_scrolling_and_buttons_comes(gathering, moving, path):
    url = f"http://{HOST}/{path}"

    gathering.run(opened(url), seconds=60.0, timeout=20.0)

    capture = gathering.captures[url]
    assert items(capture) == list(range(ITEMS))
    assert "complete" in capture.header("X-Izwi-Browser")


def test_page_that_never_ends_is_bounded(gathering, moving, monkeypatch):
    monkeypatch.setattr(browser, "MOST_ROUNDS", 6)
    url = f"http://{HOST}/endless"

    gathering.run(opened(url), seconds=60.0, timeout=20.0)

    capture = gathering.captures[url]
    assert 20 <= len(items(capture)) <= 100
    assert "stopped after 6 rounds" in capture.header("X-Izwi-Browser")


def test_page_that_crashes_is_told_and_the_others_go_on(gathering, moving, monkeypatch):
    whole, crashed = browser.expand, []

    async def expand(page, *, max_bytes):
        if "bad" in page.url and not crashed:
            crashed.append(page.url)
            session = await page.context.new_cdp_session(page)
            asyncio.ensure_future(session.send("Page.crash")).add_done_callback(
                lambda task: task.cancelled() or task.exception()
            )
        return await whole(page, max_bytes=max_bytes)

    monkeypatch.setattr(browser, "expand", expand)
    bad, good = f"http://{HOST}/bad", f"http://{HOST}/scroll"

    gathering.run(opened(bad), opened(good, name="other"), seconds=60.0, timeout=20.0)

    line = gathering.line(bad)
    assert (line.outcome, line.reason) == ("failed", "browser-error")
    assert "Source 'moving'" in gathering.notices[0]
    assert "browser = false" in gathering.notices[0]
    assert len(items(gathering.captures[good])) == ITEMS


def test_browser_that_does_not_start_is_told_and_others_go_on(gathering, moving, monkeypatch):
    monkeypatch.setattr(browser, "_system_browser", lambda: "/bin/false")
    plain = SeedsSource("plain", (f"http://{HOST}/scroll?plain=1",))

    gathering.run(opened(f"http://{HOST}/scroll"), plain, seconds=30.0)

    assert gathering.line(f"http://{HOST}/scroll").reason == "browser-crashed"
    assert "Source 'moving'" in gathering.notices[0]
    assert f"http://{HOST}/scroll?plain=1" in gathering.captures


def pages(hosts, **bodies):
    """Let the host answer with these pages; one that begins with http is a redirect."""

    def answer(visit):
        body = bodies.get(visit.path.strip("/") or "home")
        if body is None:
            return whole_reply(b"", status=404)
        if body.startswith("http"):
            return Reply(302, headers={"Location": body}, length=0)
        return whole_reply(f"<!doctype html><html><body>{body}</body></html>".encode())

    hosts[HOST] = answer


def test_page_with_a_redirect_into_a_private_network_is_refused(gathering, hosts):
    pages(hosts, home='<p>Text.</p><iframe src="/hop"></iframe>', hop="http://10.0.0.1/secret")
    url = f"http://{HOST}/"

    gathering.run(opened(url), seconds=30.0, timeout=20.0)

    line = gathering.line(url)
    assert (line.reason, line.detail) == ("private-address", "10.0.0.1")


def test_page_that_goes_elsewhere_while_it_is_open_is_a_redirect(gathering, hosts):
    go = "<p>Text.</p><script>addEventListener('scroll', () => { location = '/other' })</script>"
    pages(hosts, home=go, other="<p>Another text.</p>")
    url = f"http://{HOST}/"

    gathering.run(opened(url), seconds=30.0, timeout=20.0)

    assert gathering.line(url).outcome == "redirected"
    assert b"Another text" in gathering.captures[f"http://{HOST}/other"].body


def test_page_that_only_changes_its_address_is_kept(gathering, hosts):
    change = "addEventListener('scroll', () => history.replaceState({}, '', '/page/2'))"
    pages(hosts, home=f"<p>Text.</p><script>{change}</script>")

    gathering.run(opened(f"http://{HOST}/"), seconds=30.0, timeout=20.0)

    assert b"Text." in gathering.captures[f"http://{HOST}/"].body


def test_page_whose_script_never_ends_is_given_up(gathering, hosts, monkeypatch):
    monkeypatch.setattr(browser, "MOST_SECONDS", 1.0)
    monkeypatch.setattr(browser, "_GRACE", 1.0)
    stuck = "<p>Text.</p><script>addEventListener('scroll', () => { for (;;) {} })</script>"
    pages(hosts, home=stuck, good="<p>Good text.</p>")
    url, good = f"http://{HOST}/", f"http://{HOST}/good"

    gathering.run(opened(url, good), seconds=60.0, timeout=5.0)

    assert gathering.line(url).reason == "timeout"
    assert b"Good text" in gathering.captures[good].body


@pytest.mark.parametrize(("user", "is_locked"), [(0, False), (1000, True)])
def test_pages_are_locked_in_unless_the_browser_is_root_s(monkeypatch, user, is_locked):
    monkeypatch.setattr("os.geteuid", lambda: user, raising=False)

    assert browser._has_sandbox() == is_locked
    assert "--no-sandbox" not in browser._ARGUMENTS


def test_page_that_is_not_there_is_dropped_as_without_a_browser(gathering):
    url = "http://faults.example/status/404"

    gathering.run(opened(url), seconds=30.0)

    assert gathering.line(url).reason == "http-404"


def test_browser_that_is_not_installed_is_told(gathering, moving, monkeypatch):
    monkeypatch.setitem(sys.modules, "playwright", None)

    gathering.run(opened(f"http://{HOST}/scroll"), seconds=30.0)

    assert gathering.line(f"http://{HOST}/scroll").reason == "browser-missing"
    assert "pip install 'izwi[browser]'" in gathering.notices[0]


def test_nothing_is_asked_for_but_what_the_page_wants(gathering, moving, web):
    """The browser's own requests (updates, accounts) would come by the same proxy."""
    asked = len(web.log)
    gathering.run(opened(f"http://{HOST}/scroll"), seconds=60.0, timeout=20.0)

    assert {urlsplit(request.url).hostname for request in web.log[asked:]} == {HOST}
