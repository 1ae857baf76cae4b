"""Compiled loops made ready before the first reader asks."""

import logging
import tempfile
import threading
from functools import cache
from pathlib import Path
from typing import Any

from izwi.analyse import ngrams
from izwi.analyse.choice import Choice
from izwi.analyse.collocations import COUNTINGS, Asked, collocations
from izwi.analyse.ngrams import ngram_list
from izwi.analyse.selection import Selection
from izwi.analyse.wordlists import word_list
from izwi.index.assemble import Origin
from izwi.index.reader import Segment
from izwi.index.vertical import VerticalShape, import_vertical
from izwi.query.concordance import Filter, Narrowing, View, concordance
from izwi.query.cql import parse
from izwi.query.deadline import NEVER

logger = logging.getLogger(__name__)

# Between them these use every loop there is.
_QUERIES = (
    ('[word="w1.*"]', "right"),
    ('"w1" "w2"', "date"),
    ('"w1" [tag="T1|T2"]', "date"),
    ('[lemma="l1"] []{0,2} [tag="T1"] within <s/>', "left"),
    ("(" + " | ".join(f'"w{n}" []{{0,9}} "w{n + 1}"' for n in range(8)) + ")", "node"),
    ("1:[] 2:[] & 1.tag = 2.tag", "date"),
)
_TOKENS = 4000


def warm_up() -> None:
    """Search a small corpus made for the purpose; the loops are compiled once for a machine."""
    with tempfile.TemporaryDirectory(prefix="izwi-") as folder:
        source = Path(folder) / "warm.vert"
        source.write_text(_text(), encoding="utf-8")
        shape = VerticalShape(("word", "lemma", "tag"))
        entry = import_vertical(source, Path(folder), shape, Origin("warm"), memory_bytes=1 << 20)
        segment = Segment(Path(folder) / entry.id)
        for cql, sort in _QUERIES:
            view, narrowing = View(sort, size=5), Narrowing(near='"w3"')
            for chosen in (None, narrowing):
                concordance(
                    [segment],
                    parse(cql),
                    text=cql,
                    snapshot=0,
                    chosen=Filter(),
                    view=view,
                    narrowing=chosen,
                )
        _count(segment)


def _count(segment: Segment) -> None:
    """Use the loops of the analyses."""
    selection, query = Selection((segment,), Filter(where='id!=""')), parse('"w1.*"')
    choice = Choice(attribute="word", pattern="")
    given: dict[str, Any] = {"snapshot": 0, "deadline": NEVER}
    for counting in COUNTINGS:
        collocations(selection, query, Asked(counting=counting, choice=choice), text="", **given)
    word_list(selection, choice, sort="documents", **given)
    ngram_list(selection, ngrams.Asked(3, "s", choice), **given)


@cache
def warm_up_in_background() -> threading.Thread:
    """Start warming up, once in a process, and return at once."""
    thread = threading.Thread(target=_warm_up_quietly, name="izwi-warming", daemon=True)
    thread.start()
    return thread


def _warm_up_quietly() -> None:
    try:
        warm_up()
    except Exception:  # a cold start is slow, not wrong; the log says why
        logger.warning("the compiled loops could not be made ready", exc_info=True)


def _text() -> str:
    lines = ["<doc>", "<s>"]
    for number in range(_TOKENS):
        word = number * number % 701
        lines.append(f"w{word}\tl{word % 300}\tT{number % 7}")
        if number % 20 == 19:
            lines += ["</s>", "<s>"]
    return "\n".join([*lines, "</s>", "</doc>", ""])
