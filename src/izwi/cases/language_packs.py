"""Making a language pack: one folder with all that samples of a language teach, and how good it is.

Whatever is measured was kept apart from learning and from every choice.
"""

import json
import random
import shutil
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path

from izwi.annotate.base import parse_lexicon
from izwi.annotate.conllu import GoldSentence, read_conllu
from izwi.annotate.conventions import find_abbreviations
from izwi.annotate.tagger import TaggerModel, write_model
from izwi.annotate.training import TrainingPlan, train, without_small
from izwi.cases.language_tools import Samples
from izwi.cases.languages import sample_lines
from izwi.cases.tagging import score_model
from izwi.config.language_packs import CARD, PARTS, check_code
from izwi.model.errors import ConfigError
from izwi.model.languages import MadePack, iso639_3
from izwi.store.files import disk_errors, replacing, write_text
from izwi.text.connected import (
    SURE_WORDS,
    Profile,
    connectedness,
    dump_profiles,
    shipped_threshold,
    shipped_weights,
    train_profile,
)
from izwi.text.language.new_language import (
    held_back,
    learn_column,
    losses,
    report_on,
    texts_of_others,
    with_columns,
    write_column,
)
from izwi.text.language.ngrams import Izwi
from izwi.text.language.world import named_languages, shipped_world

FORMAT = 1
# Fewer documents than this do not show how running text varies.
_FEWEST_DOCUMENTS = 20
# Lists made of a sample's words to see that they are told from running text.
_LISTS, _LIST_WORDS = 50, 150
# So many tags, universal and the language's own together, can be learnt from a small treebank.
_MOST_TAGS = 30
# Weights go up to 127; none from this on are left out.
_LARGEST_LEFT_OUT = 8
# How often words written as one are met before they count.
_LEAST_JOINED = 3
# Small tables: a pack has at most 1.5 MB.
MOST_BYTES = 1_400_000
PLAN = TrainingPlan(epochs=12, bits=17, lemma_bits=14, margin=60.0, learns_features=True)
# Words of a text are few to several: how well pieces of each length are told.
_LENGTHS = {"1-5 words": (1, 5), "6-15 words": (6, 15), "paragraph": (16, 10_000)}


@dataclass(slots=True)
class _Making:
    """What was made so far."""

    code: str
    folder: Path
    figures: dict[str, float] = field(default_factory=dict)
    confused: tuple[tuple[str, int], ...] = ()
    losers: tuple[tuple[str, int], ...] = ()
    rivals: tuple[tuple[str, int], ...] = ()
    words_short: int = 0


def write_pack(code: str, folder: Path, samples: Samples, plan: TrainingPlan | None) -> MadePack:
    """Write a language pack into a folder and return what it holds and how good it is."""
    check_code(code)
    if not (samples.texts or samples.treebanks or samples.lexicon):
        raise ConfigError("A pack needs a sample: give --text, --treebank or --lexicon.")
    lines = [line for path in samples.texts for line in sample_lines(path)]
    if samples.texts and not lines:
        named = ", ".join(map(str, samples.texts))
        raise ConfigError(f"{named} holds no text; give one sentence or paragraph a line.")
    with disk_errors(), _nothing_left_of(folder):
        folder.mkdir(parents=True, exist_ok=True)
        if any(folder.iterdir()) and not (folder / CARD).exists():
            raise ConfigError(f"{folder} holds other things; give a folder of its own, --output.")
        for name in (*PARTS, CARD):
            (folder / name).unlink(missing_ok=True)
        making = _Making(iso639_3(code), folder)
        if lines and making.code not in named_languages():
            _add_identifier(making, lines)
        if lines:
            _add_profile(making, lines)
        _add_abbreviations(making, lines, samples.abbreviations)
        model = _add_tagger(making, samples, plan) if samples.treebanks else None
        if samples.lexicon:
            _add_lexicon(making, samples.lexicon, model)
        return _finished(making, samples)


@contextmanager
def _nothing_left_of(folder: Path) -> Iterator[None]:
    """Remove a folder that was begun, if nothing comes of it: without a card it is no pack."""
    is_begun = not folder.exists()
    try:
        yield
    except BaseException:
        if is_begun:
            shutil.rmtree(folder, ignore_errors=True)
        raise


def _finished(making: _Making, samples: Samples) -> MadePack:
    """Write the card and return the report."""
    parts = tuple(name for name in PARTS if (making.folder / name).exists())
    found = MadePack(
        making.code,
        str(making.folder),
        sum((making.folder / name).stat().st_size for name in parts),
        parts,
        making.figures,
        making.confused,
        making.losers,
        making.rivals,
        max(0, making.words_short),
    )
    card = asdict(found) | {"format": FORMAT, "source": samples.source, "licence": samples.licence}
    del card["path"]
    write_text(making.folder / CARD, json.dumps(card, ensure_ascii=False, indent=1) + "\n")
    return found


def _add_identifier(making: _Making, lines: Sequence[str]) -> None:
    world, code = shipped_world(), making.code
    if world is None:
        raise ConfigError("The model of languages that comes with izwi is missing.")
    learnt, snippets = held_back(code, lines)
    column = learn_column(world, code, learnt)
    before, after = Izwi(), Izwi(world=with_columns(world, {code: column}))
    report = report_on(after, code, snippets, sum(map(len, lines)))
    for name, (least, most) in _LENGTHS.items():
        some = [text for text in snippets if least <= len(text.split()) <= most]
        if some:
            making.figures[f"identified, {name}"] = report_on(after, code, some, 0).accuracy
    lost = losses(before, after, code, texts_of_others(code))
    making.figures["lost by other languages"] = lost.share
    making.confused, making.losers = report.confusions[:10], lost.languages[:10]
    making.rivals = tuple(Counter(before(text).code for text in snippets).most_common(5))
    with replacing(making.folder / "identifier.npz") as path, path.open("wb") as file:
        write_column(column, file)


def _add_profile(making: _Making, lines: Sequence[str]) -> None:
    """Learn what running text is like; a sample with few lines teaches nothing of it."""
    documents = documents_of(lines)
    if len(documents) < _FEWEST_DOCUMENTS:
        making.words_short = _FEWEST_DOCUMENTS * SURE_WORDS - sum(len(x.split()) for x in lines)
        return
    kept = [text for number, text in enumerate(documents) if number % 5]
    profile = train_profile(
        making.code, kept, weights=shipped_weights(), threshold=shipped_threshold()
    )
    making.figures |= connected_figures(profile, documents[::5])
    write_text(making.folder / "profile.json", dump_profiles({making.code: profile}))


def connected_figures(profile: Profile, documents: Sequence[str]) -> dict[str, float]:
    """Return the share of running texts that would be dropped, and of word lists that would not."""
    dropped = [not connectedness(text, profile).is_connected for text in documents]
    words = sorted({word for text in documents for word in text.split()})
    chance = random.Random(1)
    lists = [
        "\n".join(sorted(chance.choices(words, k=_LIST_WORDS), key=str.lower))
        for _ in range(_LISTS)
    ]
    kept = [connectedness(text, profile).is_connected for text in lists]
    return {
        "running text dropped": sum(dropped) / max(1, len(dropped)),
        "word lists kept": sum(kept) / _LISTS,
    }


def documents_of(lines: Iterable[str]) -> list[str]:
    """Return texts long enough to be judged, made of lines that follow each other."""
    documents, parts, size = [], list[str](), 0
    for line in lines:
        parts.append(line)
        size += len(line.split())
        if size >= SURE_WORDS:
            documents.append("\n".join(parts))
            parts, size = [], 0
    return documents


def _add_abbreviations(making: _Making, lines: Sequence[str], given: Path | None) -> None:
    named = [line.strip().rstrip(".").lower() for line in sample_lines(given)] if given else []
    found = sorted({*named, *find_abbreviations(lines)})
    if found:
        write_text(making.folder / "abbreviations.txt", "".join(f"{word}\n" for word in found))


def _add_tagger(making: _Making, samples: Samples, plan: TrainingPlan | None) -> TaggerModel:
    learnt, tests, words = _parted(samples)
    clitics = _clitics(learnt)
    if clitics:
        write_text(making.folder / "clitics.txt", "".join(f"{word}\n" for word in clitics))
    notes = {"source": samples.source, "licence": samples.licence}
    model = train(learnt, making.code, plan=plan or PLAN, notes=notes)
    if samples.lexicon:
        model = _with_lemmas(model, sample_lines(samples.lexicon))
    model = _small_enough(model, making.folder / "tagger.npz")
    score = score_model(model, tests)
    making.figures |= {"tags": score.upos, "tags of rare words": score.unknown}
    gold = [word for sentence in tests for word in sentence.words]
    # Some treebanks have no lemmas, others no features: then there is nothing to measure.
    if any(word.lemma != "_" for word in gold):
        making.figures["lemmas"] = score.lemma
    if any(word.feats != "_" for word in gold):
        making.figures["features"] = score.feats or 0.0
    making.figures["words learnt from"] = words
    return model


def _small_enough(model: TaggerModel, path: Path) -> TaggerModel:
    """Write a tagger, its smallest weights left out as far as its size asks for, and return it."""
    for least in range(1, _LARGEST_LEFT_OUT):
        if write_model(path, model) <= MOST_BYTES:
            break
        model = replace(
            model,
            weights=without_small(model.weights, least),
            lemmas=replace(model.lemmas, weights=without_small(model.lemmas.weights, least)),
            features=model.features
            and replace(
                model.features, weights=without_small(model.features.weights, 10 + 2 * least)
            ),
        )
    return model


def _parted(samples: Samples) -> tuple[list[GoldSentence], list[GoldSentence], int]:
    """Return sentences to learn from and others to measure by: a tenth, in blocks of ten.

    Sentences with words written as one are learnt from twice; the number of words is of the first.
    """
    paths = samples.treebanks
    split = [sentence for path in paths for sentence in read_conllu(path)]
    written = [sentence for path in paths for sentence in read_conllu(path, joined=True)]
    if samples.tests:
        tests = [sentence for path in samples.tests for sentence in read_conllu(path)]
    else:
        tests = [sentence for number, sentence in enumerate(split) if number // 10 % 10 == 9]
        split = [sentence for number, sentence in enumerate(split) if number // 10 % 10 != 9]
        written = [sentence for number, sentence in enumerate(written) if number // 10 % 10 != 9]
    if not tests:
        raise ConfigError("The treebank has fewer than 100 sentences; name others to measure by.")
    learnt = [*split, *_as_written(split, written)]
    words = sum(len(sentence.words) for sentence in split)
    tags = {(word.upos, word.xpos) for sentence in learnt for word in sentence.words}
    if len(tags) <= _MOST_TAGS:
        return learnt, tests, words
    return _without_own_tags(learnt), _without_own_tags(tests), words


def _as_written(
    split: Sequence[GoldSentence], written: Sequence[GoldSentence]
) -> list[GoldSentence]:
    """Return the sentences with words written as one, such as a text has them (du, im, dello)."""
    times = Counter(word.upos for sentence in written for word in sentence.words)
    return [
        joined
        for plain, joined in zip(split, written, strict=True)
        if len(plain.words) != len(joined.words)
        and all(times[word.upos] >= _LEAST_JOINED for word in joined.words)
    ]


def _without_own_tags(sentences: Iterable[GoldSentence]) -> list[GoldSentence]:
    """Return sentences with universal tags alone: of others there are more than can be learnt."""
    return [
        replace(sentence, words=tuple(replace(word, xpos="") for word in sentence.words))
        for sentence in sentences
    ]


def _clitics(sentences: Iterable[GoldSentence]) -> list[str]:
    """Return the words that end in an apostrophe and are written to the next one."""
    times = Counter(
        word.form.lower().replace("’", "'")
        for sentence in sentences
        for word in sentence.words
        if not word.space_after and word.form[-1] in "'’" and word.form[:-1].isalpha()
    )
    return sorted(word for word, n in times.items() if n >= _LEAST_JOINED)


def _with_lemmas(model: TaggerModel, lines: Iterable[str]) -> TaggerModel:
    """Return the model with the lemmas of a lexicon for words that its treebank does not have."""
    listed = {
        f"{word.lower()}\t{tag}": lemma for word, tag, lemma in _entries(lines) if lemma != word
    }
    known = model.lemmas.exceptions
    return replace(model, lemmas=replace(model.lemmas, exceptions={**listed, **known}))


def _add_lexicon(making: _Making, path: Path, model: TaggerModel | None) -> None:
    """Write the words whose tag is always the same; others are left to the tagger."""
    lines = sample_lines(path)
    parse_lexicon(lines, str(path))
    tags: defaultdict[str, set[tuple[str, str]]] = defaultdict(set)
    for word, tag, lemma in _entries(lines):
        tags[word].add((tag, lemma))
    sure = {word: found for word, found in tags.items() if len(found) == 1 or model is None}
    rows = [f"{word}\t{tag}\t{lemma}\n" for word, found in sure.items() for tag, lemma in found]
    making.figures["words in the lexicon"] = len(sure)
    write_text(making.folder / "lexicon.tsv", "".join(rows))


def _entries(lines: Iterable[str]) -> Iterable[tuple[str, str, str]]:
    for line in lines:
        if not line.startswith("#"):
            word, tag, *lemma = (column.strip() for column in line.split("\t"))
            yield word, tag, (lemma or [word])[0]
