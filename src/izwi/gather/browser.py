"""Pages in a real browser: scrolled and asked for more until nothing new comes, within bounds.

What is kept is the page as it then stands, not the bytes of one answer; a header says so.
"""

import asyncio
import os
import shutil
import time
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any
from urllib.parse import urlsplit

from izwi.gather.fetch import STAGE, Limits, Redirected, Refused
from izwi.gather.listing import MORE_WORDS
from izwi.gather.urls import canonical, is_private_address, same_host
from izwi.model.capture import Capture, Lead
from izwi.model.document import Verdict, dropped, failed

# Pages open at the same time, each of which may take a few hundred megabytes.
_AT_ONCE = 2
# A page is scrolled and asked for more so often at most, and so long.
MOST_ROUNDS = 200
MOST_SECONDS = 120.0
# How long a page may take to bring more after it was asked, and how often one looks.
_PATIENCE = 1.5
_LOOK = 0.05
# A page that never stops asking (adverts, tickers) is given up after so long without growth.
_LONGEST_WAIT = 15.0
# A visit that has not ended so long after it should have, hangs; so does a page that closes longer.
_GRACE = 30.0
_CLOSING = 10.0
_SYSTEM = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
# Where Chromium asks for itself, whatever its options say: updates, accounts, lists of bad sites.
_HOMES = (
    "update.googleapis.com", "clients2.google.com", "clients2.googleusercontent.com",
    "accounts.google.com", "safebrowsing.googleapis.com", "optimizationguide-pa.googleapis.com",
    "content-autofill.googleapis.com", "redirector.gvt1.com", "edgedl.me.gvt1.com",
)  # fmt: skip
_ARGUMENTS = (
    # They are passed by at the proxy, and found nowhere.
    "--host-resolver-rules=" + ", ".join(f"MAP {home} ~NOTFOUND" for home in _HOMES),
    "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-sync",
    "--disable-background-networking", "--disable-component-update", "--disable-dev-shm-usage",
    # What the browser asks for itself: updates, accounts, lists of bad sites, suggestions.
    "--disable-default-apps", "--disable-domain-reliability", "--disable-breakpad",
    "--disable-client-side-phishing-detection", "--no-pings", "--no-default-browser-check",
    "--disable-extensions", "--metrics-recording-only", "--disable-field-trial-config",
    "--safebrowsing-disable-auto-update", "--disable-search-engine-choice-screen",
    "--disable-component-extensions-with-background-pages", "--gaia-url=http://127.0.0.1:9/",
    "--google-apis-url=http://127.0.0.1:9/", "--variations-server-url=http://127.0.0.1:9/",
)  # fmt: skip
_UNREAD = {"image", "media", "font"}
# Scrolls to the end and presses the first button that promises more; says whether there was one.
_ASK_FOR_MORE = """(words) => {
  window.scrollTo(0, document.documentElement.scrollHeight);
  window.dispatchEvent(new Event('scroll'));
  const buttons = document.querySelectorAll(
    'button, [role="button"], input[type="button"], input[type="submit"], summary, ' +
    'a:not([href]), a[href^="#"], a[href^="javascript:"], a[data-page], a[data-next], ' +
    '[class*="load-more" i], [class*="loadmore" i], [class*="show-more" i]');
  for (const each of buttons) {
    const text = (each.innerText || each.value || '').trim().toLowerCase();
    const name = (each.className || '').toString().toLowerCase();
    const wanted = words.some(word => text.startsWith(word)) || /load-?more|show-?more/.test(name);
    const box = each.getBoundingClientRect();
    if (wanted && !each.disabled && box.width && box.height) { each.click(); return true; }
  }
  return false;
}"""
# What tells whether anything came: how much there is.
_MEASURE = """() => [
  document.getElementsByTagName('*').length,
  document.body ? document.body.innerText.length : 0]"""


@dataclass(slots=True)
class Browser:
    """A browser that starts when it is first needed, and again after it crashed."""

    user_agent: str
    executable: str = ""
    _playwright: Any = None
    _browser: Any = None
    _opening: asyncio.Lock = field(default_factory=asyncio.Lock)
    _free: asyncio.Semaphore = field(default_factory=lambda: asyncio.Semaphore(_AT_ONCE))
    _private: dict[str, bool] = field(default_factory=dict)

    async def fetch(self, lead: Lead, limits: Limits) -> Capture:
        """Return a page as it stands when nothing more comes; raise Refused or Redirected."""
        if not limits.allow_private and is_private_address(urlsplit(lead.url).hostname or ""):
            raise Refused(dropped(STAGE, "private-address", detail=lead.url))
        errors = _errors()
        async with self._free:
            try:
                browser = await self._started(limits)
                return await self._visit_alone(browser, lead, limits)
            except (TimeoutError, errors.TimeoutError) as error:
                verdict = Verdict("failed", STAGE, "timeout", limits.timeout, limits.timeout)
                raise Refused(verdict, is_passing=True) from error
            except errors.Error as error:
                reason = await self._reason()
                raise Refused(
                    failed(STAGE, reason, detail=_words(error)), is_passing=True
                ) from error

    async def close(self) -> None:
        """Let go of the browser."""
        await self._forget()
        if self._playwright is not None:
            await self._playwright.stop()
            self._playwright = None

    async def _started(self, limits: Limits) -> Any:
        from playwright.async_api import async_playwright

        async with self._opening:
            if self._browser is None or not self._browser.is_connected():
                if self._playwright is None:
                    self._playwright = await async_playwright().start()
                self._browser = await self._playwright.chromium.launch(
                    executable_path=self.executable or _system_browser(),
                    args=list(_ARGUMENTS),
                    chromium_sandbox=_has_sandbox(),
                    proxy=_proxy(limits.proxy),
                )
            return self._browser

    async def _reason(self) -> str:
        """Return whose error it was: other pages need not suffer for one page's."""
        if self._browser is not None and self._browser.is_connected():
            return "browser-error"
        await self._forget()
        return "browser-crashed"

    async def _forget(self) -> None:
        browser, self._browser = self._browser, None
        if browser is not None:
            # It may be gone already, or hang.
            with suppress(_errors().Error, TimeoutError):
                async with asyncio.timeout(_CLOSING):
                    await browser.close()

    async def _visit_alone(self, browser: Any, lead: Lead, limits: Limits) -> Capture:
        """Visit a page in a context of its own, for as long as a visit may take."""
        context = await browser.new_context(
            user_agent=self.user_agent, service_workers="block", accept_downloads=False
        )
        try:
            # A script that never ends lets no question be answered.
            async with asyncio.timeout(limits.timeout + MOST_SECONDS + _GRACE):
                return await self._visit(context, lead, limits)
        finally:
            await self._close(context)

    async def _close(self, context: Any) -> None:
        try:
            async with asyncio.timeout(_CLOSING):
                await context.close()
        except TimeoutError:
            await self._forget()

    async def _visit(self, context: Any, lead: Lead, limits: Limits) -> Capture:
        watch = Watch()
        context.on("request", lambda request: watch.note_redirect(request))
        # Of the context, so that they hold for windows that a page opens, too.
        await context.route("**/*", lambda route: self._allow(route, limits))
        await context.route_web_socket("**/*", lambda socket: socket.close())
        page = await context.new_page()
        page.on("request", lambda request: watch.note_document(request, page.main_frame))
        milliseconds = limits.timeout * 1000
        answer = await page.goto(lead.url, wait_until="domcontentloaded", timeout=milliseconds)
        await self._check_redirects(watch, limits)
        _check(answer, page.url, lead)
        try:
            how = await expand(page, max_bytes=limits.max_bytes)
            body = (await page.content()).encode("utf-8", "replace")
        except _errors().Error:
            if watch.documents > 1:  # it was leaving, and answers no more until it is there
                await page.wait_for_load_state("domcontentloaded", timeout=milliseconds)
            await self._check_stay(page, lead, watch, limits)
            raise
        await self._check_stay(page, lead, watch, limits)
        if len(body) > limits.max_bytes:
            limit = limits.max_bytes
            raise Refused(dropped(STAGE, "too-large", value=len(body), threshold=limit))
        headers = (("Content-Type", "text/html; charset=utf-8"), ("X-Izwi-Browser", how))
        sent = (("User-Agent", self.user_agent),)
        return Capture(lead, datetime.now(UTC), 200, "OK", headers, body, sent)

    async def _check_stay(self, page: Any, lead: Lead, watch: "Watch", limits: Limits) -> None:
        """Refuse to take another document for the page: it must pass scope and robots.txt first.

        A page may change its address while it grows, but only on its own host.
        """
        await self._check_redirects(watch, limits)
        found = canonical(page.url) or page.url
        if found != lead.url and (watch.documents > 1 or not same_host(found, lead.url)):
            raise Redirected(found, 302)

    async def _check_redirects(self, watch: "Watch", limits: Limits) -> None:
        """Refuse a page that was sent into a private network: redirects pass every route."""
        for host in () if limits.allow_private else sorted(watch.redirected):
            if await self._is_private(host, limits):
                raise Refused(dropped(STAGE, "private-address", detail=host))

    async def _allow(self, route: Any, limits: Limits) -> None:
        """Let a page ask for what can hold text, and for nothing in private networks."""
        host = urlsplit(route.request.url).hostname or ""
        is_wanted = route.request.resource_type not in _UNREAD
        if is_wanted and (limits.allow_private or not await self._is_private(host, limits)):
            await route.continue_()
        else:
            await route.abort()

    async def _is_private(self, host: str, limits: Limits) -> bool:
        if host not in self._private:
            found = is_private_address(host)
            if not found and not limits.proxy:
                found = await _leads_inside(host)
            self._private[host] = found
        return self._private[host]


@dataclass(slots=True)
class Watch:
    """Where a page was sent while it was open."""

    # The hosts to which requests were redirected.
    redirected: set[str] = field(default_factory=set)
    # How many documents were asked for in the page's own place, not in a frame.
    documents: int = 0

    def note_redirect(self, request: Any) -> None:
        """Take note of a request, if it is a redirected one."""
        if request.redirected_from is not None:
            self.redirected.add(urlsplit(request.url).hostname or "")

    def note_document(self, request: Any, own: Any) -> None:
        """Take note of a request, if it is for another document in the page's own frame."""
        if request.redirected_from is None and request.is_navigation_request():
            self.documents += request.frame == own


@dataclass(slots=True)
class Traffic:
    """What a page is waiting for: a slow server is no end of a list."""

    under_way: int = 0
    last: float = field(default_factory=time.monotonic)

    @classmethod
    def of(cls, page: Any) -> "Traffic":
        """Watch a page from now on."""
        traffic = cls()
        page.on("request", lambda _: traffic.count(1))
        page.on("requestfinished", lambda _: traffic.count(-1))
        page.on("requestfailed", lambda _: traffic.count(-1))
        return traffic

    def count(self, change: int) -> None:
        """Take note that a request began or ended."""
        self.under_way = max(0, self.under_way + change)
        self.last = time.monotonic()

    def is_over(self, since: float) -> bool:
        """Whether nothing is under way, and nothing came for a while."""
        return not self.under_way and time.monotonic() - max(self.last, since) > _PATIENCE


async def expand(page: Any, *, max_bytes: int) -> str:
    """Scroll a page and press its buttons for more until nothing comes; say how it ended."""
    traffic = Traffic.of(page)
    began, size = time.monotonic(), await page.evaluate(_MEASURE)
    for number in range(MOST_ROUNDS):
        if time.monotonic() - began > MOST_SECONDS or size[1] > max_bytes:
            return f"rendered, stopped after {number} rounds"
        await page.evaluate(_ASK_FOR_MORE, list(MORE_WORDS))
        grown = await _growth(page, size, traffic)
        if grown is None:
            return f"rendered, complete after {number} rounds"
        size = grown
    return f"rendered, stopped after {MOST_ROUNDS} rounds"


async def _growth(page: Any, size: list[int], traffic: Traffic) -> list[int] | None:
    """Return how much there is as soon as it is more, None if nothing comes."""
    began = time.monotonic()
    while not traffic.is_over(began) and time.monotonic() - began < _LONGEST_WAIT:
        await asyncio.sleep(_LOOK)
        now: list[int] = await page.evaluate(_MEASURE)
        if now[0] > size[0] or now[1] > size[1]:
            return now
    return None


def _check(answer: Any, address: str, lead: Lead) -> None:
    found = canonical(address) or address
    if found != lead.url:
        raise Redirected(found, 302)
    if answer is None or answer.status == 200:
        return
    verdict = Verdict("dropped", STAGE, f"http-{answer.status}", answer.status, 200)
    is_passing = answer.status in (429, 500, 502, 503, 504)
    if is_passing:
        verdict = Verdict("failed", STAGE, verdict.reason, answer.status, 200)
    raise Refused(verdict, is_passing=is_passing)


def _proxy(server: str) -> Any:
    """Return how pages are asked for; what the browser asks for itself does not go that way."""
    return {"server": server, "bypass": ",".join(_HOMES)} if server else None


def _has_sandbox() -> bool:
    """Whether the browser may lock its pages in: it cannot if it is root's."""
    return not hasattr(os, "geteuid") or os.geteuid() != 0


def _errors() -> Any:
    """Return the module of the browser's errors, or say that it is missing."""
    try:
        from playwright import async_api
    except ImportError:
        detail = "browser = true needs playwright. Install it with: pip install 'izwi[browser]'"
        raise Refused(failed(STAGE, "browser-missing", detail=detail)) from None
    return async_api


def _system_browser() -> str | None:
    """Return the system's own browser, None for the one that playwright brings."""
    return next((path for name in _SYSTEM if (path := shutil.which(name))), None)


async def _leads_inside(host: str) -> bool:
    try:
        found = await asyncio.get_running_loop().getaddrinfo(host, None)
    except OSError:
        return False
    return any(is_private_address(str(entry[4][0])) for entry in found)


def _words(error: Exception) -> str:
    return str(error).partition("\n")[0][:300]
