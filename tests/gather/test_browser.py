import asyncio
import sys

import pytest

from izwi.demoweb.replies import whole_reply
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


def test_browser_that_crashes_is_told_and_starts_again(gathering, moving, monkeypatch):
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
    assert (line.outcome, line.reason) == ("failed", "browser-crashed")
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


def test_page_that_is_not_there_is_dropped_as_without_a_browser(gathering):
    url = "http://faults.example/status/404"

    gathering.run(opened(url), seconds=30.0)

    assert gathering.line(url).reason == "http-404"


def test_browser_that_is_not_installed_is_told(gathering, moving, monkeypatch):
    monkeypatch.setitem(sys.modules, "playwright", None)

    gathering.run(opened(f"http://{HOST}/scroll"), seconds=30.0)

    assert gathering.line(f"http://{HOST}/scroll").reason == "browser-missing"
    assert "pip install 'izwi[browser]'" in gathering.notices[0]
