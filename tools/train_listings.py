"""Train what tells listings from documents: pages of known type, and made listings.

    python tools/train_listings.py PAGES src/izwi/models/listings.json

PAGES holds the folders of pages that may be trained on, with `page_type` where it is known. Listings
are made of their texts in eight markups. Printed is what is found on hosts held out.
"""

import argparse
import base64
import gzip
import html
import json
import random
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from urllib.parse import urlsplit

import numpy as np
import xxhash

import izwi
from izwi.model.document import Document, Metadata
from izwi.text.listings import LIKELY, NAMES, look

SETS = ("wcxb", "scrapinghub", "readability", "trafilatura-seg")
LISTS = ("listing", "collection")
MADE, MADE_WEIGHT, LIST_WEIGHT = 500, 0.6, 2.0
WHEN = datetime(2020, 1, 1, tzinfo=UTC)
MENU = "Home News Sport Business Opinion About Contact Travel Life Video Jobs".split()  # noqa: SIM905
PLACES = ("", "", "", "news/", "category/politics/", "page/2/", "tag/water/", "blog", "?page=3")


def main() -> None:
    """Read, make, learn, write."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("pages", type=Path)
    parser.add_argument("model", type=Path)
    given = parser.parse_args()
    real = list(_real(given.pages))
    documents = [page for page in real if page.get("page_type") not in LISTS]
    chance = random.Random(7)
    rows = [
        (url, _seen(url, body), is_list, weight)
        for url, body, is_list, weight in (*_as_rows(real), *_made_rows(documents, chance))
    ]
    values, wanted = np.array([row[1] for row in rows]), np.array([row[2] for row in rows], float)
    counts = np.array([row[3] for row in rows])
    held = np.array([xxhash.xxh3_64_intdigest(urlsplit(row[0]).netloc) % 10 >= 6 for row in rows])
    weights, bias = _learnt(values[~held], wanted[~held], counts[~held])
    chances = 1 / (1 + np.exp(-(values[held] @ weights + bias)))
    for name, kind in (("listings found", 1), ("documents lost", 0)):
        print(f"{name}, hosts held out: {(chances[wanted[held] == kind] >= LIKELY).mean():.1%}")
    weights, bias = _learnt(values, wanted, counts)
    shown = {name: round(float(value), 4) for name, value in zip(NAMES, weights, strict=True)}
    given.model.write_text(json.dumps({"bias": round(bias, 4), "weights": shown}, indent=0) + "\n")


def _real(folder: Path) -> Iterator[dict]:
    for name in SETS:
        with gzip.open(folder / name / "pages.jsonl.gz", "rt", encoding="utf-8") as file:
            yield from map(json.loads, file)


def _as_rows(pages: list[dict]) -> Iterator[tuple[str, bytes, bool, float]]:
    for page in pages:
        body = page["html"].encode() if "html" in page else base64.b64decode(page["html_b64"])
        is_list = page.get("page_type") in LISTS
        url = page.get("url") or f"http://{page['id']}.example/a-b-c-d-12345"
        yield url, body, is_list, LIST_WEIGHT if is_list else 1.0


def _made_rows(
    pages: list[dict], chance: random.Random
) -> Iterator[tuple[str, bytes, bool, float]]:
    for number in range(MADE):
        url = f"http://site{number}.example/{chance.choice(PLACES)}"
        yield url, _listing(chance.sample(pages, chance.randint(3, 20)), chance), True, MADE_WEIGHT


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


def _seen(url: str, body: bytes) -> tuple[float, ...]:
    found = izwi.extract(body, url)
    metadata = Metadata(page_type=found.page_type)
    return look(Document("", url, WHEN, "", metadata=metadata, paragraphs=found.paragraphs)).values


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
