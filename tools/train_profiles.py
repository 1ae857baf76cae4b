"""Train the profiles of connected text that come with izwi from a folder of language data.

    python tools/train_profiles.py DATA PAGES src/izwi/models/profiles.json

Half of each language's training documents make its profile. The other half, running text of the
web (PAGES: folders of pages with gold text, English), and lists made of the documents say what each
shortfall counts: a logistic regression without negative weights over all languages together. How
far a text may fall short is the same for all: a percentile of the texts of the web.

The other languages of `world/train` have profiles of their whole sentences. Each is tried on runs of
`world/dev`, sources it never saw; one that drops any is not written.
"""

import argparse
import gzip
import json
import random
import re
from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from made_lists import made_lists
from numpy.typing import NDArray
from train_language import SHIPPABLE, read_samples

from izwi import identify
from izwi.text.connected import (
    SURE_WORDS,
    Measured,
    Profile,
    deviation,
    dump_profiles,
    measure,
    shortfalls,
    train_profile,
)

# What is kept of the texts of the web, in per cent; services and products are among them.
KEPT = 99.5
# Of the pages these may be trained on, and these types list others.
SETS, LISTS = ("wcxb", "scrapinghub", "readability"), ("listing", "collection")
# Texts of fewer words are not dropped.
SHORTEST = 100
# A text lost is worse than a list kept; English is where the texts of the web are.
TEXT_WEIGHT, WEB_WEIGHT = 4.0, 6.0
# These have neither capitals nor full stops, as pages do; "rules" is no real text.
UNLIKE_PAGES = {"nchlt", "rules"}
LEXICON = 4_000
# A line that is a sentence, of a language that puts spaces between its words.
SENTENCE = re.compile(r"[^\W\d_][^\n]*[.!?।॥؟۔։።…][\"'»”’)]*")
SPACELESS = frozenset(
    [
        "bod",
        "dzo",
        "jpn",
        "khm",
        "ksw",
        "lao",
        "lzh",
        "mya",
        "shn",
        "tha",
        "wuu",
        "yue",
        "zho",
        "gan",
        "nan",
        "cdo",
        "hak",
    ]
)
# Documents of sentences, and runs to be tried on, without which a language has no profile.
FEWEST, FEWEST_RUNS = 60, 8


@dataclass(frozen=True, slots=True)
class Evidence:
    """Running text and made lists of one language, measured."""

    profile: Profile
    texts: list[Measured]
    lists: list[Measured]


def main() -> None:
    """Read, train, write."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("data", type=Path)
    parser.add_argument("pages", type=Path)
    parser.add_argument("profiles", type=Path)
    given = parser.parse_args()
    evidence = {
        code: _evidence(code, documents)
        for code, documents in _all_documents(given.data).items()
        if len(documents) >= 100
    }
    web = [measure(text) for text in _web_texts(given.pages)]
    weights = _weights(list(evidence.values()), web)
    print({name: round(weight, 2) for name, weight in weights.items()})
    english = replace(evidence["eng"].profile, weights=weights)
    threshold = float(np.percentile([deviation(one, english) for one in web], KEPT))
    profiles = {code: _finished(found, weights, threshold) for code, found in evidence.items()}
    profiles |= dict(_of_the_world(given.data, set(profiles), weights, threshold))
    given.profiles.write_text(dump_profiles(profiles), encoding="utf-8")


def _all_documents(data: Path) -> dict[str, list[str]]:
    return {
        code: [one for name, texts in sorted(sources.items()) if name not in UNLIKE_PAGES
               for one in _documents(texts)]
        for code, sources in read_samples(data, SHIPPABLE).items()
        if not code.startswith("und")
    }  # fmt: skip


def _web_texts(pages: Path) -> Iterator[str]:
    """Yield the gold texts of pages that are documents, those in English."""
    for name in SETS:
        with gzip.open(pages / name / "pages.jsonl.gz", "rt", encoding="utf-8") as file:
            for page in map(json.loads, file):
                text = page.get("text") or ""
                is_long = len(text.split()) >= SHORTEST and page.get("page_type") not in LISTS
                if is_long and identify(text[:4000])[0].code == "eng":
                    yield text


def _documents(lines: list[str]) -> list[str]:
    """Return texts of 30 to 400 words made of consecutive lines, joined in the ways pages do."""
    chance, documents, parts, size = random.Random(2), [], list[str](), 0
    wanted = chance.randint(30, 400)
    for line in lines:
        # A page has fewer headings than these sources, which put a sentence on each line.
        if len(line.split()) < 5 and chance.random() < 0.8:
            continue
        parts.append(line)
        size += len(line.split())
        if size >= wanted:
            documents.append(chance.choice((" ", "\n")).join(parts))
            parts, size, wanted = [], 0, chance.randint(30, 400)
    return documents


def _of_the_world(
    data: Path, known: set[str], weights: dict[str, float], threshold: float
) -> Iterator[tuple[str, Profile]]:
    """Yield the profiles of further languages that drop no running text of other sources."""
    runs = _runs(data / "world" / "dev.tsv.gz")
    for code in sorted(runs.keys() - known - SPACELESS):
        path = data / "world" / "train" / f"{code}.txt.gz"
        lines = gzip.decompress(path.read_bytes()).decode("utf-8").splitlines()
        documents = _documents([line for line in lines if SENTENCE.fullmatch(line)])
        if len(documents) < FEWEST or len(runs[code]) < FEWEST_RUNS:
            continue
        profile = replace(train_profile(code, documents, weights=weights), threshold=threshold)
        lexicon = sorted(
            {word.lower() for line in lines for word in line.split() if word.isalpha()}
        )
        chance = random.Random(code)
        lists = [made for run in runs[code] for made in made_lists(run, lexicon, chance)]
        lost, passed = (
            [deviation(measure(text), profile) <= threshold for text in texts].count(is_kept)
            for texts, is_kept in ((runs[code], False), (lists, True))
        )
        print(f"{code}: lost {lost} of {len(runs[code])}, lists passed {passed} of {len(lists)}")
        if not lost:
            yield code, profile


def _runs(path: Path) -> dict[str, list[str]]:
    """Return by language the paragraphs of a file in runs of as many words as are judged."""
    runs: defaultdict[str, list[str]] = defaultdict(list)
    parts: defaultdict[str, list[str]] = defaultdict(list)
    with gzip.open(path, "rt", encoding="utf-8") as file:
        for code, kind, _, text in (line.rstrip("\n").split("\t") for line in file):
            parts[code] += [text] if kind == "paragraph" else []
            if sum(len(part.split()) for part in parts[code]) >= SURE_WORDS:
                runs[code].append("\n".join(parts.pop(code)))
    return runs


def _evidence(code: str, documents: list[str]) -> Evidence:
    chance = random.Random(code)
    profile = train_profile(code, documents[::2], weights={})
    counts = Counter(word.lower() for text in documents[::2] for word in text.split())
    lexicon = [word for word, _ in counts.most_common(LEXICON) if word.isalpha()]
    texts = [measure(text) for text in documents[1::2]]
    lists = [
        measure(made) for text in documents[1::4] for made in made_lists(text, lexicon, chance)
    ]
    return Evidence(
        profile,
        [one for one in texts if one.size >= SHORTEST],
        [one for one in lists if one.size >= SHORTEST],
    )


def _weights(evidence: list[Evidence], web: list[Measured]) -> dict[str, float]:
    """Return the weight of each shortfall."""
    names = sorted(evidence[0].profile.shares)
    rows, wanted, counts = [], [], []
    for found in evidence:
        is_english = found.profile.language == "eng"
        texts = [*found.texts, *web] if is_english else found.texts
        share = WEB_WEIGHT if is_english else 1.0
        for is_list, some in ((0.0, texts), (1.0, found.lists)):
            held = [shortfalls(one, found.profile) for one in some]
            rows += [[one[name] for name in names] for one in held]
            wanted += [is_list] * len(held)
            whole = share if is_list else share * TEXT_WEIGHT
            counts += [whole / max(1, len(held))] * len(held)
    learnt = _regression(np.array(rows), np.array(wanted), np.array(counts))
    return dict(zip(names, learnt.tolist(), strict=True))


def _regression(
    rows: NDArray[np.float64], wanted: NDArray[np.float64], counts: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Return the weights, none below zero, of a logistic regression (projected gradient)."""
    counts = counts / counts.sum()
    weights, bias = np.full(rows.shape[1], 0.5), -2.0
    past = np.full(rows.shape[1] + 1, 1e-6)
    for _ in range(3_000):
        chances = 1 / (1 + np.exp(-(rows @ weights + bias)))
        errors = (chances - wanted) * counts
        slope = np.append(rows.T @ errors + 1e-4 * weights, errors.sum())
        past += slope**2
        step = 0.3 * slope / np.sqrt(past)
        weights, bias = np.maximum(0.0, weights - step[:-1]), bias - step[-1]
    return weights


def _finished(found: Evidence, weights: dict[str, float], threshold: float) -> Profile:
    profile = replace(found.profile, weights=weights)
    texts = np.array([deviation(one, profile) for one in found.texts])
    lists = np.array([deviation(one, profile) for one in found.lists])
    print(
        f"{profile.language}: {len(texts)} texts, lost {(texts > threshold).mean():.2%}, "
        f"threshold {threshold:.2f}, lists passed {(lists <= threshold).mean():.2%}"
    )
    return replace(profile, threshold=threshold)


if __name__ == "__main__":
    main()
