"""Text of the world's languages to train on: which sources are read, and how much of each."""

import gzip
import random
from collections import defaultdict
from pathlib import Path

from spellings import RESPELT, TRANSLITERATED, in_both_scripts, respelt

from izwi.text.language.telling import OTHER_SCRIPT

SOUTH_AFRICAN = ["afr", "eng", "nbl", "nso", "sot", "ssw", "tsn", "tso", "ven", "xho", "zul"]
SHIPPABLE = {"nchlt", "vukuzenzele", "govza", "sadilar", "ewt", "afribooms", "ud"}
# Letters of each further source of a South African language and of each treebank; of one program, and
# of all together; of words without order, made up or drawn from lists.
MOST_OF_SOURCE, MOST_OF_PROGRAM, MOST_OF_PROGRAMS = 80_000, 25_000, 200_000
MOST_OF_WORDS = {"made": 60_000, "words": 120_000, "ranks": 120_000}
# How often what was written for the South African languages is read, so many sentences a line:
# it is the only talk among laws, news and menus.
TALK_TIMES, TALK_SENTENCES = 25, 3
# Parts of a macrolanguage (ISO 639-3) that the data has too little of to name them by themselves;
# Kituba (ktu) is no part of Kongo there, but what its speakers and other data call Kikongo.
PARTS = {
    "hmn": "hnj hea mww",
    "que": "qug quh qul qva qvc qvh qvm qvn qwh qxn qxu",
    "msa": "zlm",
    "aka": "fat",
    "bik": "bto",
    "kon": "ktu",
}
SAME = {part: whole for whole, parts in PARTS.items() for part in parts.split()}
SAMPLES = Path(__file__).parent / "samples"
# Greetings and everyday sentences in the eleven languages, written for this project by no speaker.
TALK = SAMPLES / "talk"


def read_data(data: Path, more: Path | None) -> tuple[dict[str, list[str]], set[str]]:
    """Return lines by language, and the languages with much text."""
    rows = (data / "world" / "sizes.tsv").read_text(encoding="utf-8").splitlines()[1:]
    tiers = {row.split("\t")[0]: row.split("\t")[3] for row in rows}
    lines: dict[str, list[str]] = defaultdict(list)
    for code in tiers:
        with gzip.open(data / "world" / "train" / f"{code}.txt.gz", "rt", encoding="utf-8") as file:
            lines[SAME.get(code, code)] += file.read().splitlines()
    for path in sorted(SAMPLES.glob("*.txt")):
        lines[path.stem] += path.read_text(encoding="utf-8").splitlines()
    for path in sorted(TALK.glob("*.txt")):
        lines[path.stem] += talk(path.read_text(encoding="utf-8").splitlines())
    for path in sorted((data / "treebanks").glob("*-train.conllu.gz")):
        lines[path.name.partition("_")[0]] += some_of({path.name: sentences(path)})
    for code in SOUTH_AFRICAN:
        found = by_source(data / "lid" / f"{code}.train.tsv.gz")
        lines[code] += some_of({source: found[source] for source in found if source in SHIPPABLE})
    for path in sorted(more.glob("*.tsv.gz")) if more else ():
        # A language of which there is nothing else cannot be told from its own menus.
        if (code := path.name.partition(".")[0]) in lines:
            lines[code] += some_of(*sizes_of(by_source(path)))
    for code in RESPELT:
        lines[code] += respelt(code, lines[code])
    for code in TRANSLITERATED:
        lines[code], lines[code + OTHER_SCRIPT] = in_both_scripts(code, lines[code])
    return dict(lines), {code for code, tier in tiers.items() if tier == "A"}


def talk(own: list[str]) -> list[str]:
    """Return sentences in ever new order, some to a line."""
    chance, found = random.Random(1), []
    for _ in range(TALK_TIMES):
        chance.shuffle(own)
        found += [" ".join(own[n : n + TALK_SENTENCES]) for n in range(0, len(own), TALK_SENTENCES)]
    return found


def sentences(path: Path) -> list[str]:
    """Return the sentences of a treebank as they were written."""
    with gzip.open(path, "rt", encoding="utf-8") as file:
        return [line[9:].strip() for line in file if line.startswith("# text = ")]


def by_source(path: Path) -> dict[str, list[str]]:
    """Return the texts of a file of source and text."""
    found: dict[str, list[str]] = defaultdict(list)
    with gzip.open(path, "rt", encoding="utf-8") as file:
        for line in file:
            source, _, text = line.rstrip("\n").partition("\t")
            found[source].append(text)
    return found


def sizes_of(texts: dict[str, list[str]]) -> tuple[dict[str, list[str]], dict[str, int]]:
    """Return further text with the letters wanted of each source: programs share theirs."""
    programs = sum(source not in MOST_OF_WORDS for source in texts)
    share = min(MOST_OF_PROGRAM, MOST_OF_PROGRAMS // max(1, programs))
    return texts, {source: MOST_OF_WORDS.get(source, share) for source in texts}


def some_of(texts: dict[str, list[str]], most: dict[str, int] | None = None) -> list[str]:
    """Return by chance so many letters of each source, or as many as of a South African one."""
    found, chance = [], random.Random(1)
    for source, own in texts.items():
        chance.shuffle(own)
        size = 0
        for text in own:
            if size > (most[source] if most else MOST_OF_SOURCE):
                break
            found.append(text)
            size += len(text)
    return found
