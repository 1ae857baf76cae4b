"""Several gatherers on one catalog: no host is asked by two at once, none is left behind."""

import json
import subprocess
import sys
from collections import Counter
from concurrent.futures import ThreadPoolExecutor

import pytest

from izwi.gather import frontier
from izwi.store.catalog import Catalog
from tests.gather.test_loop import gaps, host_with_robots, seeds
from tests.waiting import until

HOSTS = [f"host{number}.example" for number in range(6)]
PAGES = [f"http://{host}/{number}" for number in range(12) for host in HOSTS]
DELAY = 0.3
SETTINGS = """
[corpus]
name = "news"
[gather]
contact = "https://izwi.example/tests"
delay = {delay}
concurrency = 4
proxy = "{proxy}"
[store]
catalog = "{catalog}"
[[source]]
name = "one"
type = "seeds"
urls = {urls}
"""


@pytest.fixture
def shared(gathering, hosts, postgresql):
    """A corpus whose catalog is on a server, and a web of six hosts."""
    hosts.update({name: host_with_robots("User-agent: *\nAllow: /") for name in HOSTS})
    gathering.layout.root.mkdir(parents=True)
    catalog, urls = postgresql.new_place(), json.dumps(PAGES)
    settings = SETTINGS.format(
        delay=DELAY, proxy=gathering.web.proxy_url, catalog=catalog, urls=urls
    )
    gathering.layout.config.write_text(settings)
    return gathering


def izwi_gather(shared):
    words = [sys.executable, "-m", "izwi", "gather", str(shared.layout.root)]
    return subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)


def asked_pages(shared):
    asked = Counter(each.url for host in HOSTS for each in shared.requests(host))
    return Counter({url: times for url, times in asked.items() if url in PAGES})


def test_two_gatherers_share_the_hosts_and_ask_each_page_once(shared, monkeypatch):
    monkeypatch.setattr(frontier, "SHARING_SECONDS", 0.1)
    agents = ["izwi/0 (first)", "izwi/0 (second)"]

    with ThreadPoolExecutor() as threads:
        runs = [
            threads.submit(shared.run, seeds(*PAGES), delay=DELAY, concurrency=4, agent=agent)
            for agent in agents
        ]
        fetched = [run.result() for run in runs]

    assert sum(fetched) == len(PAGES)
    assert set(shared.captures) == set(PAGES)
    assert asked_pages(shared) == Counter(PAGES)
    assert {each.user_agent for each in shared.web.log} == set(agents)
    # A host that goes from one to the other rests as if one had asked: nobody comes too early.
    for host in HOSTS:
        assert min(gaps(shared.requests(host))) > 0.9 * DELAY


def test_what_a_killed_gatherer_held_is_gathered_by_the_next(shared):
    with izwi_gather(shared) as killed:
        until(lambda: asked_pages(shared).total() > len(PAGES) // 2, killed)
        killed.kill()
    # As if its lease had ended.
    with Catalog.write(shared.layout.catalog) as catalog:
        catalog._execute("UPDATE gatherers SET until = 0")

    with izwi_gather(shared) as other:
        said, _ = other.communicate()

    assert other.returncode == 0, said
    assert set(shared.captures) == set(PAGES)
    asked = asked_pages(shared)
    again = asked.total() - len(PAGES)
    assert set(asked) == set(PAGES)
    assert again <= 2 * 4  # requests under way and answers since the last commit


def test_builds_wait_for_gatherers_and_gatherers_for_builds(shared):
    from izwi.model.errors import CorpusLocked
    from izwi.service.runs import running

    layout = shared.layout
    with (
        running(layout, "gather", print),
        running(layout, "gather", print),
        pytest.raises(CorpusLocked, match="izwi gather"),
        running(layout, "build", print),
    ):
        pass
    with (
        running(layout, "build", print),
        pytest.raises(CorpusLocked, match="izwi build"),
        running(layout, "gather", print),
    ):
        pass


def test_a_password_is_in_no_log_and_no_report(shared):
    from tests.postgres import PASSWORD

    with izwi_gather(shared) as gatherer:
        said, _ = gatherer.communicate()

    written = [path.read_text() for path in shared.layout.runs.rglob("*") if path.is_file()]
    assert PASSWORD not in said
    assert written
    assert not any(PASSWORD in text for text in written)
