"""Is a corpus of large sites true? Made portals are crawled at default settings and judged.

    python benchmarks/truth/portals.py FOLDER [--data DATA/language] [--held-out] [--kinds shop ...]

FOLDER becomes one corpus of all hosts of the kinds, crawled from their fronts. DATA has sentences of
many languages (webs/speakers.py); without it all hosts are English. Printed for each kind: documents, the share kept,
F1 of what can be searched (0 where a document is missing), days, titles and writers that are right,
pages that are no documents and are kept, documents with words owned by one, kept more than once, and
paragraphs that are nowhere. `--losses` says of each lost page why, and shows the worst texts.
"""

import argparse
import shutil
import time
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from webs import portals_meeting, portals_press, portals_reading, portals_services
from webs.measuring import Web
from webs.portals import Portal
from webs.speakers import Speaker

import izwi
from izwi.cases.evaluating import judged_of
from izwi.evaluate.corpus import GoldDocument, bag, f1, score_corpus
from izwi.model.document import Document
from izwi.model.scores import Truth

SEEN, HELD_OUT = (portals_press, portals_services), (portals_reading, portals_meeting)
# A paragraph has so many runs of words at least; it is said again where so many of them are.
_LONG, _SAID = 5, 0.8


def kinds_of(modules: Iterable[Any]) -> dict[str, tuple[Any, tuple[Any, ...]]]:
    """Return the kinds of hosts by name, each with its language and part of the sentences."""
    return {
        name: (kind, module.LANGUAGES[name])
        for module in modules
        for name, kind in module.KINDS.items()
    }


def made(
    kinds: Mapping[str, tuple[Any, tuple[Any, ...]]], count: int, data: Path | None
) -> dict[str, Portal]:
    """Return a host of each kind, by its name."""
    found = {}
    for name, (kind, (code, part, *fewer)) in kinds.items():
        host = f"www.{name.replace('_', '')}.example"
        found[name] = kind(host, Speaker(name, code, data, part), min([count, *fewer]))
    return found


def crawled(folder: Path, sites: Mapping[str, Portal], name: str = "portals") -> izwi.Corpus:
    """Crawl and build all hosts at default settings, but for the pause."""
    web = Web({}, 0)
    web.sites = {site.host: site for site in sites.values()}
    izwi.create(folder, contact=f"https://example.org/{name}", name=name, delay=0.0)
    text = "".join(
        f'\n[[source]]\ntype = "crawl"\nname = "{kind}"\nseeds = ["http://{site.host}/"]\n'
        for kind, site in sites.items()
    )
    with (folder / "corpus.toml").open("a", encoding="utf-8") as file:
        file.write(text)
    corpus = izwi.open(folder)
    began = time.process_time()
    corpus.gather(proxy=web.proxy)
    corpus.build()
    web.close()
    print(f"{len(web.asked)} requests, {time.process_time() - began:.0f} s of CPU time")
    return corpus


def judged(
    folder: Path, sites: Mapping[str, Portal], *, shows_losses: bool = False
) -> Iterator[tuple[str, Truth, Counter[str]]]:
    """Yield how true the corpus is of each kind, then of all: writers and paragraphs counted."""
    lines = {name: site.gold(name) for name, site in sites.items()}
    documents, verdicts = judged_of(
        folder, {str(line["url"]) for some in lines.values() for line in some}
    )
    by_host = defaultdict(list)
    for document in documents:
        by_host[document.url.split("/")[2]].append(document)
    kept = [each for some in by_host.values() for each in some if each.verdict.is_kept]
    runs = Counter(run for each in kept for run in set(_runs(each.text)))
    every: list[GoldDocument] = []
    total: Counter[str] = Counter()
    for name, some in lines.items():
        gold = [GoldDocument(**{k: v for k, v in line.items() if k != "author"}) for line in some]  # type: ignore[arg-type]
        own = by_host[sites[name].host]
        more = _more(some, own, runs)
        every, total = [*every, *gold], total + more
        yield name, score_corpus(gold, own, verdicts), more
        if shows_losses:
            _losses(gold, some, own, verdicts)
    all_documents = [each for some in by_host.values() for each in some]
    yield "all", score_corpus(every, all_documents, verdicts), total


def _runs(text: str) -> list[str]:
    """Return the runs of four words of a text."""
    words = [word for word in text.lower().split() if bag(word)]
    return [" ".join(words[at : at + 4]) for at in range(len(words) - 3)]


def _more(
    lines: list[dict[str, object]], documents: list[Document], known: Counter[str]
) -> Counter[str]:
    """Count writers that are right, twins that are kept, and paragraphs that are nowhere."""
    found: Counter[str] = Counter(signed=0, writers=0, twins=0, nowhere=0, paragraphs=0)
    kept = {each.url: each for each in documents if each.verdict.is_kept}
    for line in lines:
        if (author := line.get("author")) and line["url"] in kept:
            found["signed"] += 1
            found["writers"] += kept[str(line["url"])].metadata.author == author
        for paragraph in str(line.get("text", "")).split("\n")[1:]:
            runs = _runs(paragraph)
            if len(runs) < _LONG:
                continue
            found["paragraphs"] += 1
            found["nowhere"] += sum(known[run] > 0 for run in runs) < (1 - _SAID) * len(runs)
            found["twins"] += sum(known[run] > 1 for run in runs) > _SAID * len(runs)
    return found


def _losses(gold: list[GoldDocument], lines: list[dict[str, object]], documents: list[Document],
            verdicts: Mapping[str, object]) -> None:  # fmt: skip
    """Print each loss of a kind, the worst texts of those kept."""
    found = {each.url: each for each in documents}
    worst = []
    for page, line in zip(gold, lines, strict=True):
        document = found.get(page.url)
        is_kept = document is not None and document.verdict.is_kept
        if not page.document:
            if is_kept:
                print("   other kept:", page.url)
            continue
        if document is None or not is_kept:
            verdict = document.verdict if document else verdicts.get(page.url)
            print("   lost:", page.url, verdict)
            continue
        worst.append((f1(bag(document.text), bag(page.text)), page.url))
        date = document.metadata.date
        if page.date and (date is None or f"{date.value}" != page.date):
            print("   date:", page.url, date, page.date)
        if page.title and f1(bag(document.metadata.title), bag(page.title)) < 0.8:
            print("   title:", page.url, repr(document.metadata.title), repr(page.title))
        if line.get("author") and document.metadata.author != line["author"]:
            print("   author:", page.url, repr(document.metadata.author), repr(line["author"]))
    print("   worst:", [(round(score, 2), url) for score, url in sorted(worst)[:6]])


def told(name: str, truth: Truth, more: Mapping[str, int]) -> None:
    """Print the line of a kind."""
    part = [
        f"{value:6.1%}" if value is not None else "     -" for value in (truth.dates, truth.titles)
    ]
    writers = f"{more['writers'] / more['signed']:6.1%}" if more["signed"] else "     -"
    print(f"{name:14}{truth.gold:5} {truth.kept_share:6.1%} {truth.f1 or 0:6.3f} {truth.f1_kept or 0:6.3f} "
          f"{part[0]} {part[1]} {writers} {truth.others_kept:4} of {truth.others:<4}{truth.owned_by_others:5}"
          f"{truth.twice + more['twins']:6}{more['nowhere']:5} of {more['paragraphs']:<6}", dict(truth.reasons), flush=True)  # fmt: skip


def measured(
    about: str, seen: Iterable[Any], held_out: Iterable[Any], count: int, name: str
) -> None:
    """Crawl, build and judge the kinds that a command's line asks for."""
    parser = argparse.ArgumentParser(description=about.partition("\n")[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--data", type=Path, help="sentences of many languages")
    parser.add_argument("--held-out", action="store_true", help="the kinds nothing was mended on")
    parser.add_argument("--kinds", nargs="+", default=[], help="only these")
    parser.add_argument("--count", type=int, default=count, help="documents of a host")
    parser.add_argument("--losses", action="store_true", help="say of each page what was lost")
    parser.add_argument(
        "--again", action="store_true", help="judge the corpus in FOLDER by its gold"
    )
    asked = parser.parse_args()
    every = kinds_of(held_out if asked.held_out else seen)
    sites = made({name: every[name] for name in asked.kinds or every}, asked.count, asked.data)
    if asked.again:
        izwi.open(asked.folder).build()
    else:
        shutil.rmtree(asked.folder, ignore_errors=True)
        crawled(asked.folder, sites, name)
    print(
        "kind           docs   kept     F1   kept  dates titles authors  others   owned twice nowhere"
    )
    for kind, truth, more in judged(asked.folder, sites, shows_losses=asked.losses):
        told(kind, truth, more)


def main() -> None:
    measured(__doc__, SEEN, HELD_OUT, 60, "portals")


if __name__ == "__main__":
    main()
