"""Train the taggers that come along, from treebanks whose licences allow it.

    python tools/train_tagger.py FOLDER PACKAGES [LANGUAGE ...]

FOLDER holds the CoNLL-U files named below (gzip), PACKAGES the two that `word_lists` names, and
taught-LANGUAGE.conllu.gz where a teacher tagged plain text (`teach_tagger`, `teach_nguni`). Sources and licences are
in NOTICE.
"""

import re
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import word_lists

from izwi.annotate.conllu import GoldSentence, read_conllu
from izwi.annotate.roots import NO_ROOTS, RootList, roots_of
from izwi.annotate.tagger import NO_LIST, write_model
from izwi.annotate.training import TrainingPlan, train

MODELS = Path(__file__).parent.parent / "src" / "izwi" / "models" / "taggers"
SADILAR = (
    "SADiLaR-II, CTexT, CC BY 4.0; text of NCHLT, CTexT, CC BY 2.5 ZA, Vuk'uzenzele, DSFSI, CC BY-SA 4.0, "
    "and gov-za-multilingual, DSFSI, CC BY 4.0"
)
SOURCES = {
    "eng": (
        "en_ewt-train.conllu.gz",
        "UD English-EWT, CC BY-SA 4.0; spacy-lookups-data, MIT; lemminflect, MIT; text of WCXB, CC BY 4.0",
    ),
    "afr": ("af_afribooms-train.conllu.gz", "UD Afrikaans-AfriBooms, CC BY-SA 4.0"),
    "zul": ("sadilar_zul-train.conllu.gz", SADILAR),
    "xho": ("sadilar_xho-train.conllu.gz", SADILAR),
    "nbl": ("sadilar_nbl-train.conllu.gz", SADILAR),
    "ssw": ("sadilar_ssw-train.conllu.gz", SADILAR),
}
NGUNI = ("zul", "xho", "nbl", "ssw")
TAUGHT = ("eng", *NGUNI)
# Where roots inside words help; Siswati gains nothing (docs/explanation/annotation.md).
ROOTED = ("zul", "xho", "nbl")
# Chosen on the development sets; see docs/explanation/annotation.md.
_BANTU = TrainingPlan(
    epochs=4,
    left_out=0.4,
    margin=20.0,
    attests=True,
    weighs_beginnings=True,
    form_epochs=12,
    times_by_hand=6,
    least_weight=3,
)
PLANS = {
    "eng": TrainingPlan(
        epochs=4,
        left_out=0.4,
        margin=30.0,
        keeps=("V", "MD", "TO"),
        times_by_hand=6,
        least_weight=7,
    ),
    "afr": TrainingPlan(epochs=12, left_out=0.3, margin=60.0),
    **dict.fromkeys(NGUNI[1:], _BANTU),
    "nbl": replace(_BANTU, least_weight=5),
    "zul": replace(_BANTU, left_out=0.5, margin=40.0, trainings=2, least_weight=6),
}
# The tags of the SADiLaR corpora without their noun classes, as universal parts of speech.
UNIVERSAL = {
    "N": "NOUN", "NLOC": "NOUN", "NPP": "PROPN", "V": "VERB", "VAUX": "AUX", "COP": "AUX",
    "POSS": "ADP", "POSSKA": "ADP", "ADV": "ADV", "ADVLOC": "ADV", "REL": "ADJ", "ADJ": "ADJ",
    "ADJLOC": "ADJ", "CONJ": "CCONJ", "CDEM": "DET", "CDEMLOC": "DET", "PROQUANT": "PRON",
    "PROQUANTLOC": "PRON", "PROEMP": "PRON", "PROEMPLOC": "PRON", "NUM": "NUM", "INTER": "ADV",
    "FOR": "X", "ABBR": "X", "IDEO": "ADV", "INT": "INTJ", "PUNC": "PUNCT",
}  # fmt: skip


def with_universal_tags(sentence: GoldSentence) -> GoldSentence:
    """Return a sentence whose words have a universal part of speech as well."""
    words = [
        word if word.upos else replace(word, upos=UNIVERSAL.get(_plain(word.xpos), "X"))
        for word in sentence.words
    ]
    return replace(sentence, words=tuple(words))


def nguni_roots(folder: Path, language: str) -> RootList:
    """Return the roots of a treebank and of its three sisters."""
    banks = {each: list(read_conllu(folder / SOURCES[each][0])) for each in NGUNI}
    own = banks.pop(language)
    return roots_of(own, [sentence for bank in banks.values() for sentence in bank])


def taught_sentences(packages: Path, language: str) -> Sequence[GoldSentence]:
    """Return what a teacher tagged; Afrikaans learns from its treebank alone."""
    if language not in TAUGHT:
        return ()
    return read_conllu(packages / f"taught-{language}.conllu.gz")


def _plain(tag: str) -> str:
    return re.sub(r"\d+[a-z]?$", "", tag).upper()


def main() -> None:
    folder, packages = map(Path, sys.argv[1:3])
    wanted = sys.argv[3:] or list(SOURCES)
    MODELS.mkdir(exist_ok=True)
    for language in wanted:
        name, source = SOURCES[language]
        sentences = [with_universal_tags(sentence) for sentence in read_conllu(folder / name)]
        listed = word_lists.english(packages) if language == "eng" else NO_LIST
        roots = nguni_roots(folder, language) if language in ROOTED else NO_ROOTS
        model = train(
            sentences,
            language,
            plan=PLANS[language],
            notes={"source": source},
            listed=listed,
            roots=roots,
            taught=taught_sentences(packages, language),
        )
        size = write_model(MODELS / f"{language}.npz", model)
        sys.stdout.write(f"{language} {len(model.tags)} tags {size / 1e6:.2f} MB\n")


if __name__ == "__main__":
    main()
