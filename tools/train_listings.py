"""Train what tells listings from documents: pages of known type, and made listings.

    python tools/train_extractor.py PAGES --answers answers.npz
    python tools/train_listings.py PAGES answers.npz src/izwi/models/listings.json

Without the last file it only measures. PAGES holds the folders of pages that may be trained on, with `page_type` where it is known. Listings
are made of their texts in eight markups. Main text and types are those that models which have not seen the host find (the answers), as on
pages of the web: what the shipped model says of pages it was trained on would be trusted too much. Printed is what is found on hosts held out.
"""

import argparse
import base64
import gzip
import html
import json
import random
from collections.abc import Iterable, Iterator, Sequence
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import NamedTuple
from urllib.parse import urlsplit

import numpy as np
import xxhash
from train_extractor import gold_pages

import izwi
from izwi.model.document import Document, Metadata
from izwi.text.blocks import segment
from izwi.text.extract.cuts import split_of
from izwi.text.extract.judging import JudgedPage, claims_of
from izwi.text.extract.learnt import IzwiOptions, Judged
from izwi.text.linewise import cleaned
from izwi.text.listings import NAMES, ListingModel, Seen, look

SETS = ("wcxb", "scrapinghub", "readability", "trafilatura-seg")
UNSEEN = ("cleaneval", "dragnet")
LISTS = ("listing", "collection")
MADE, MADE_WEIGHT, LIST_WEIGHT = 500, 0.6, 2.0
WHEN = datetime(2020, 1, 1, tzinfo=UTC)
MENU = "Home News Sport Business Opinion About Contact Travel Life Video Jobs".split()  # noqa: SIM905
PLACES = ("", "", "", "news/", "category/politics/", "page/2/", "tag/water/", "blog", "?page=3")


def main() -> None:
    """Read, make, learn, write."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("pages", type=Path)
    parser.add_argument("answers", type=Path, help="as tools/train_extractor.py kept them")
    parser.add_argument("model", type=Path, nargs="?")
    given = parser.parse_args()
    real = list(_real(given.pages, SETS))
    documents = [page for page in real if page.get("page_type") not in LISTS]
    rows = [*_as_rows(real), *_made_rows(documents, random.Random(7))]
    blind = dict(_judged_blind(given.pages, given.answers))
    seen = [_seen_of(row.url, blind.get(row.id) or _judged(row)) for row in rows]
    values = np.array([each.values for each in seen])
    wanted = np.array([row.is_list for row in rows], float)
    counts = np.array([row.weight for row in rows])
    held = np.array(
        [xxhash.xxh3_64_intdigest(urlsplit(row.url).netloc.encode()) % 10 >= 6 for row in rows]
    )
    fair = _model(*_learnt(values[~held], wanted[~held], counts[~held]))
    _print_dropped(
        "hosts held out", [(rows[at].kind, seen[at]) for at in np.flatnonzero(held)], fair
    )
    weights, bias = _learnt(values, wanted, counts)
    for name in UNSEEN:
        others = [
            (row.kind, _seen_of(row.url, _judged(row)))
            for row in _as_rows(_real(given.pages, [name]))
        ]
        _print_dropped(f"{name}, never trained on", others, _model(weights, bias))
    if given.model:
        shown = {name: round(float(value), 4) for name, value in zip(NAMES, weights, strict=True)}
        written = json.dumps({"bias": round(bias, 4), "weights": shown}, indent=0)
        given.model.write_text(written + "\n")


def _model(weights, bias: float) -> ListingModel:
    return ListingModel(tuple(map(float, weights)), bias)


def _print_dropped(where: str, pages: list[tuple[str, Seen]], model: ListingModel) -> None:
    """Print how many pages of each kind would be dropped, and how many of these without doubt."""
    print(f"{where}: dropped as listings, of these for a rule that leaves no doubt")
    for kind in sorted({kind for kind, _ in pages}):
        of_kind = [seen for name, seen in pages if name == kind]
        gone = [seen for seen in of_kind if model.chance(seen) >= seen.least]
        print(f"  {kind:14} {len(gone):4} of {len(of_kind):4}  {sum(bool(g.sure) for g in gone):4}")


class Row(NamedTuple):
    """A page to learn from."""

    id: str
    url: str
    body: bytes
    kind: str
    is_list: bool
    weight: float


def _real(folder: Path, sets: Sequence[str]) -> Iterator[dict]:
    for name in sets:
        with gzip.open(folder / name / "pages.jsonl.gz", "rt", encoding="utf-8") as file:
            yield from map(json.loads, file)


def _as_rows(pages: Iterable[dict]) -> Iterator[Row]:
    for page in pages:
        body = page["html"].encode() if "html" in page else base64.b64decode(page["html_b64"])
        is_list = page.get("page_type") in LISTS
        url = page.get("url") or f"http://{page['id']}.example/a-b-c-d-12345"
        kind = page.get("page_type") or "article"
        yield Row(page["id"], url, body, kind, is_list, LIST_WEIGHT if is_list else 1.0)


def _made_rows(pages: list[dict], chance: random.Random) -> Iterator[Row]:
    for number in range(MADE):
        url = f"http://site{number}.example/{chance.choice(PLACES)}"
        body = _listing(chance.sample(pages, chance.randint(3, 20)), chance)
        yield Row(f"made {number}", url, body, "made listing", True, MADE_WEIGHT)


def _listing(pages: list[dict], chance: random.Random) -> bytes:
    """Return a page of teasers in one of eight markups, with or without dates and words that lead on."""
    style, size = chance.randrange(8), chance.choice((0, 12, 20, 30, 45, 70, 120))
    more, end = (
        chance.choice(("", "Read more", "Continue reading", "More »")),
        chance.choice(("", "...")),
    )
    items = []
    for number, page in enumerate(pages):
        text = page.get("text") or " ".join(page.get("with") or [])
        title = html.escape((page.get("title") or text)[:90]) or "Untitled"
        body = html.escape(" ".join(text.split()[:size])) + (end if size else "")
        url = f"/{chance.choice(('news', '2019/05', 'p'))}/{number}-{chance.randrange(9999)}.html"
        day = chance.choice(("", f"{chance.randint(1, 28)} May 2019", "2019-05-04"))
        on = f'<a href="{url}">{more}</a>' if more else ""
        items.append(
            (
                f'<article><h2><a href="{url}">{title}</a></h2><p>{day}</p><p>{body} {on}</p></article>',
                f'<div><h3><a href="{url}">{title}</a></h3><span>{day}</span><div>{body}</div>{on}</div>',
                f'<li><a href="{url}">{title}</a><br>{day} {body} {on}</li>',
                f'<tr><td><a href="{url}"><b>{title}</b></a><p>{body}</p>{day}</td></tr>',
                f'<a href="{url}"><h3>{title}</h3><p>{body}</p><time>{day}</time></a>',
                f'<section><h2>{title}</h2>{day}<p>{body}</p><a href="{url}">Full story</a></section>',
                f'<p><a href="{url}">{title}</a> {day}</p><p>{body}</p>',
                f'<div>{day}<a href="{url}"><h4>{title}</h4></a><p>{body} {on}</p></div>',
            )[style]
        )
    tag = {2: "ul", 3: "table"}.get(style, "div")
    menu = "".join(f'<li><a href="/{each}/">{each}</a></li>' for each in chance.sample(MENU, 6))
    return (
        f"<html><title>Site</title><body><ul>{menu}</ul><h1>Latest</h1><{tag}>{''.join(items)}</{tag}>"
        "<footer>Copyright. All rights reserved.</footer></body></html>"
    ).encode()


def _judged_blind(data: Path, answers: Path) -> Iterator[tuple[str, Judged]]:
    """Yield the pages as models see them that were trained on other hosts, by their names."""
    with np.load(answers) as kept:
        ends = kept["ends"][:-1]
        chances, marks = np.split(kept["chances"], ends), np.split(kept["marks"], ends)
        each = zip(chances, marks, kept["types"], strict=True)
        said = dict(zip(kept["names"].tolist(), each, strict=True))
    for gold in (page for folder in SETS for page in gold_pages(data, folder)):
        if gold.id in said:
            page, (likely, main, types) = segment(gold.html), said[gold.id]
            comments = split_of(page, likely, IzwiOptions().cutoff).comments
            yield gold.id, Judged(page, likely, main, comments, partial(np.asarray, types))


def _judged(row: Row) -> JudgedPage:
    return izwi.extract(row.body, row.url).judged


def _seen_of(url: str, found: JudgedPage) -> Seen:
    metadata = Metadata(page_type=found.page_type, claims=claims_of(found))
    paragraphs = cleaned(found.paragraphs)
    return look(Document("", url, WHEN, "", metadata=metadata, paragraphs=paragraphs))


def _learnt(values, wanted, counts):
    """Return weights and bias of a logistic regression, values brought to one scale."""
    mean, spread = values.mean(0), values.std(0) + 1e-6
    scaled, counts = (values - mean) / spread, counts / counts.sum()
    weights, bias = np.zeros(values.shape[1]), 0.0
    for _ in range(3_000):
        errors = (1 / (1 + np.exp(-(scaled @ weights + bias))) - wanted) * counts
        weights = weights - 3 * (scaled.T @ errors + 0.002 * weights)
        bias -= 3 * errors.sum()
    return weights / spread, float(bias - (weights * mean / spread).sum())


if __name__ == "__main__":
    main()
