"""Annotation beside its goals and beside blingfire, simplemma and NLTK, in one run.

    python benchmarks/annotate/run.py FOLDER

FOLDER holds the treebanks as CoNLL-U (en_ewt-dev.conllu.gz and so on). CPU time, one thread.
"""

import re
import sys
import time
from collections import defaultdict
from collections.abc import Callable
from pathlib import Path

from izwi.annotate.base import NO_LEXICON, AnnotatorSettings
from izwi.annotate.conllu import read_conllu
from izwi.annotate.izwi import tagged
from izwi.annotate.tagger import Tagger, shipped_model
from izwi.annotate.tokens import Tokeniser
from izwi.cases.language_tools import evaluate_tagger
from izwi.evaluate.tagging import RawGold, raw_text
from izwi.model.document import Annotation

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
        say(f"{name} raw sentence ends F1", f"{100 * score.sentence_ends_f1:.2f}", 98.5)
        say(f"{name} raw tokens F1", f"{100 * score.tokens_f1:.2f}", 99.8)
        say(f"{name} raw token edges F1", f"{100 * score.token_edges_f1:.2f}", 99.8)
        blingfire_scores(name, raw_text(read_conllu(folder / f"{name}.conllu.gz")))
    for language in ("zul", "xho", "nbl", "ssw"):
        nguni_classes(folder, language)
    unknown_words(folder)
    tokenising(raw_text(read_conllu(folder / "en_ewt-train.conllu.gz")).paragraphs)


# What is special in writing Nguni languages; a word belongs to the first that it fits.
CLASSES = {
    "numbers (45, R50)": re.compile(r"[^\w\s]?[A-Z$€£]{0,3}\d[\d.,:/]*%?"),
    "with a hyphen (i-internet)": re.compile(r"\w[\w'’]*(?:-[\w'’]+)+"),
    "names behind a prefix (uThabo)": re.compile(r"[A-Za-z]*[a-z][A-Z]\w+"),
    "in capitals": re.compile(r"[A-Z]{2,}"),
    "beginning with a capital": re.compile(r"[A-Z]\w+"),
    "other words": re.compile(r"\w.*"),
    "marks and quotations": re.compile(r".+"),
}


def nguni_classes(folder: Path, language: str) -> None:
    """Print tags and lemmas of each class of words, as a corpus gets them."""
    right: defaultdict[str, list[tuple[bool, bool]]] = defaultdict(list)
    words, begins = [], []
    for sentence in read_conllu(folder / f"sadilar_{language}-dev.conllu.gz"):
        begins.append(len(words))
        words += sentence.words
    given = Annotation(tuple(word.form for word in words), (), (), tuple(begins), ())
    found = tagged(Tagger(shipped_model(language)), given, ("xpos", "lemmas"), NO_LEXICON)
    for word, tag, lemma in zip(words, found["xpos"], found["lemmas"], strict=True):
        name = next(n for n, pattern in CLASSES.items() if pattern.fullmatch(word.form))
        right[name].append((tag == word.xpos, lemma == word.lemma))
    for name in CLASSES:
        if right[name]:
            tags, lemmas = (100 * sum(each) / len(each) for each in zip(*right[name], strict=True))
            say(f"{language} {name}, {len(right[name])}: POS / lemma", f"{tags:.1f} / {lemmas:.1f}")


def blingfire_scores(name: str, gold: RawGold) -> None:
    from blingfire import text_to_sentences_and_offsets, text_to_words_with_offsets

    for what, cut, right in (
        ("sentences", text_to_sentences_and_offsets, gold.sentences),
        ("tokens", text_to_words_with_offsets, gold.words),
    ):
        spans, base = [], 0
        for paragraph in gold.paragraphs:
            found = cut(paragraph)[1] if paragraph else ()
            spans += [(base + begin, base + end) for begin, end in found]
            base += len(paragraph) + 1
        ends, right_ends = {end for _, end in spans}, {end for _, end in right}
        say(f"... blingfire {what} F1", f"{100 * f1(set(right), set(spans)):.2f}")
        say(f"... blingfire ends of {what} F1", f"{100 * f1(right_ends, ends):.2f}")


def f1(right: set[object], found: set[object]) -> float:
    return 2 * len(right & found) / (len(right) + len(found))


def unknown_words(folder: Path) -> None:
    """Print how often words never seen in training are right, ours beside NLTK's tagger.

    NLTK's own model is not in its package, so its tagger is trained here on the same sentences.
    """
    from nltk.tag.perceptron import PerceptronTagger

    training = read_conllu(folder / "en_ewt-train.conllu.gz")
    known = {word.form.lower() for sentence in training for word in sentence.words}
    theirs = PerceptronTagger(load=False)
    theirs.train([[(w.form, w.xpos) for w in s.words] for s in training], nr_iter=5)
    ours = Tagger(shipped_model("eng"))
    for name in ("en_ewt-dev", "en_gum-dev"):
        ours_right, theirs_right, words = 0, 0, 0
        for sentence in read_conllu(folder / f"{name}.conllu.gz"):
            forms = [word.form for word in sentence.words]
            tags = [ours.model.tags[n].xpos for n in ours.tag(forms, [0])]
            for word, one, (_, other) in zip(sentence.words, tags, theirs.tag(forms), strict=True):
                if word.form.lower() not in known:
                    words += 1
                    ours_right += one == word.xpos
                    theirs_right += other == word.xpos
        say(f"{name} XPOS of {words} words never seen", f"{100 * ours_right / words:.2f}")
        say("... NLTK's tagger trained on the same", f"{100 * theirs_right / words:.2f}")


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
