"""Annotation beside its goals and beside blingfire, simplemma and NLTK, in one run.

    python benchmarks/annotate/run.py FOLDER

FOLDER holds the treebanks as CoNLL-U (en_ewt-dev.conllu.gz and so on). CPU time, one thread.
"""

import sys
import time
from collections.abc import Callable
from pathlib import Path

from izwi.annotate.base import AnnotatorSettings
from izwi.annotate.conllu import read_conllu
from izwi.annotate.tokens import Tokeniser
from izwi.evaluate.tagging import raw_text
from izwi.service.tagging import evaluate_tagger

SETS = (
    ("eng", "en_ewt-dev", "xpos", 95.0),
    ("eng", "en_gum-dev", "xpos", None),
    ("afr", "af_afribooms-dev", "upos", 96.5),
    ("zul", "sadilar_zul-dev", "xpos", 90.0),
    ("xho", "sadilar_xho-dev", "xpos", None),
    ("nbl", "sadilar_nbl-dev", "xpos", None),
    ("ssw", "sadilar_ssw-dev", "xpos", None),
)


def main() -> None:
    folder = Path(sys.argv[1])
    for language, name, measure, goal in SETS:
        score = evaluate_tagger(folder / f"{name}.conllu.gz", language=language)
        value = 100 * getattr(score, measure)
        say(f"{name} {measure}", f"{value:.2f}", goal)
        say(f"{name} lemma", f"{100 * score.lemma:.2f}", 83 if language == "zul" else None)
        say(f"{name} unknown words", f"{100 * score.unknown:.2f}")
        say(f"{name} words a second", f"{score.tokens_per_second:.0f}", 200_000)
    for name in ("en_ewt-dev", "en_gum-dev"):
        score = evaluate_tagger(folder / f"{name}.conllu.gz", language="eng", raw=True)
        say(f"{name} raw sentences F1", f"{100 * score.sentences_f1:.2f}", 98.5)
        say(f"{name} raw tokens F1", f"{100 * score.tokens_f1:.2f}", 99.8)
    tokenising(raw_text(read_conllu(folder / "en_ewt-train.conllu.gz")).paragraphs)


def tokenising(paragraphs: tuple[str, ...]) -> None:
    """Print the speed of cutting text three sizes, ours beside blingfire's."""
    tokenise = Tokeniser(AnnotatorSettings("eng"))
    tokenise(paragraphs[:500])
    for times in (1, 3, 9):
        text = paragraphs * times
        size = sum(len(each.encode()) for each in text) / 1e6
        ours = size / seconds(lambda text=text: tokenise.cut(text))
        whole = size / seconds(lambda text=text: tokenise(text))
        say(f"tokens and sentences of {size:.1f} MB, MB/s", f"{ours:.1f}", 10)
        say("... and as Python strings, MB/s", f"{whole:.1f}")
        theirs = size / seconds(lambda text=text: blingfire_cut(text))
        say(f"... blingfire, MB/s (ratio {ours / theirs:.2f})", f"{theirs:.1f}")


def blingfire_cut(paragraphs: tuple[str, ...]) -> None:
    from blingfire import text_to_sentences, text_to_words

    for paragraph in paragraphs:
        text_to_words(text_to_sentences(paragraph))


def seconds(work: Callable[[], object]) -> float:
    """Return the least CPU time of three runs."""
    best = float("inf")
    for _ in range(3):
        begun = time.process_time()
        work()
        best = min(best, time.process_time() - begun)
    return best


def say(what: str, value: str, goal: float | None = None) -> None:
    beside = f"   goal {goal:g}" if goal is not None else ""
    sys.stdout.write(f"{what:55} {value:>12}{beside}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    main()
