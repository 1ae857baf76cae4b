"""What lists made from much English text say of words, for the tagger: numbers, no text.

Two packages are read as they come from the package index (`pip download --no-deps NAME==VERSION`):
`spacy-lookups-data` 1.0.5 (MIT: Brown clusters and frequencies of a million spellings) and
`lemminflect` 0.2.3 (MIT: parts of speech of 80,000 forms, from the SPECIALIST Lexicon).
"""

import gzip
import json
import zipfile
from collections import Counter, defaultdict
from pathlib import Path

import numpy as np

from izwi.annotate.conventions import text_hash
from izwi.annotate.tagger import WordList

CLUSTERS = "spacy_lookups_data/data/en_lexeme_cluster.json.gz"
FREQUENCIES = "spacy_lookups_data/data/en_lexeme_prob.json.gz"
FORMS = "lemminflect/resources/lemma_lu.csv.gz"
# A set of parts of speech that so few words have is told by none.
_FEWEST = 4


def english(packages: Path) -> WordList:
    """Return kinds, use of capitals and clusters of English words, by the hash of each word."""
    small, capital = _spellings(packages)
    kinds = _kinds(packages)
    words = small.keys() | capital.keys() | kinds.keys()
    counts = Counter(kinds[word] for word in sorted(words & kinds.keys()))
    number = {
        kind: n for n, (kind, times) in enumerate(counts.most_common(), 1) if times >= _FEWEST
    }
    row_by_hash = {
        text_hash(word): (
            number.get(kinds.get(word, ()), 0),
            _use_of_capitals(small.get(word), capital.get(word)),
            small.get(word, (0, 0.0))[0],
            capital.get(word, (0, 0.0))[0],
        )
        for word in sorted(words)
    }
    hashes = sorted(row_by_hash)
    columns = np.array([row_by_hash[each] for each in hashes], np.int64)
    return WordList(np.array(hashes, np.int64), columns)


Spelling = tuple[int, float]


def _spellings(packages: Path) -> tuple[dict[str, Spelling], dict[str, Spelling]]:
    """Return cluster and logarithm of frequency of words in small letters, and with capitals."""
    clusters: dict[str, int] = json.loads(_part(packages, "spacy_lookups_data", CLUSTERS))
    frequencies = json.loads(_part(packages, "spacy_lookups_data", FREQUENCIES))
    small: dict[str, Spelling] = {}
    capital: dict[str, Spelling] = {}
    for word, frequency in frequencies.items():
        found, key = (clusters.get(word, 0), frequency), word.lower()
        if not found[0] or not any(map(str.isalpha, word)):
            continue
        if word == key:
            small[key] = found
        elif word[1:] == key[1:]:
            capital[key] = found
        else:
            capital.setdefault(key, found)
    return small, capital


def _kinds(packages: Path) -> dict[str, tuple[str, ...]]:
    """Return the parts of speech each form may have, with a mark for lemmas and odd forms."""
    found: defaultdict[str, set[str]] = defaultdict(set)
    for line in _part(packages, "lemminflect", FORMS).decode().splitlines():
        form, part, lemmas = line.split(",")
        is_lemma = lemmas.split("/")[0] == form
        mark = "=" if is_lemma else "" if form.endswith(("s", "ed", "ing")) else "~"
        found[form.lower()].add(f"{'C' * form[0].isupper()}{part}{mark}")
    return {form: tuple(sorted(parts)) for form, parts in found.items()}


def _use_of_capitals(small: Spelling | None, capital: Spelling | None) -> int:
    """Return a number from 1 (never with a capital) to 8 (always), 0 if nothing is known."""
    if small is None or capital is None:
        return 0 if small is capital else 1 if capital is None else 8
    return int(np.clip(round((capital[1] - small[1]) / 1.2) + 5, 2, 7))


def _part(packages: Path, name: str, part: str) -> bytes:
    [path] = packages.glob(f"{name}-*.whl")
    with zipfile.ZipFile(path) as wheel:
        return gzip.decompress(wheel.read(part))
