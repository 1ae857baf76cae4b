"""Evaluations that need no corpus."""

import json
import tempfile
from collections.abc import Sequence
from itertools import chain, islice, product
from pathlib import Path

from izwi.evaluate.copies import score
from izwi.evaluate.forgery import Forged, forge
from izwi.model.errors import SourceError
from izwi.model.results import CopyScores
from izwi.service.collections import read_batches
from izwi.service.deduplicating import Options, deduplicate


def evaluate_copies(
    source: Path,
    *,
    most: int = 2000,
    seed: int = 1,
    ngrams: Sequence[int] = (7,),
    thresholds: Sequence[float] = (0.5,),
    ignored: tuple[str, ...] = (),
) -> tuple[CopyScores, ...]:
    """Return, for each setting, how many copies made in a collection are found."""
    items = islice(chain.from_iterable(read_batches(source)), most)
    forged = forge([(item.id, item.paragraphs) for item in items], seed)
    if not any(each.kind for each in forged):
        raise SourceError(f"{source} has no document long enough to be copied.")
    lists = [(), ignored] if ignored else [()]
    return tuple(
        _scores(forged, Options(ngram=n, threshold=share, ignored=words))
        for n, share, words in product(ngrams, thresholds, lists)
    )


def _scores(forged: Sequence[Forged], options: Options) -> CopyScores:
    with tempfile.TemporaryDirectory(prefix="izwi-evaluate-") as folder:
        source, target = Path(folder) / "in.jsonl", Path(folder) / "out.jsonl"
        with source.open("w", encoding="utf-8") as file:
            for each in forged:
                file.write(json.dumps({"id": each.id, "paras": each.paragraphs}) + "\n")
        deduplicate(source, target, options=options)
        with target.open(encoding="utf-8") as lines:
            kept = {line["id"]: line["keep"] for line in map(json.loads, lines)}
    return score(forged, kept, (options.ngram, options.threshold, len(options.ignored)))
