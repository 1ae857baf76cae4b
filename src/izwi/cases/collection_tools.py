"""Copies in any collection of texts, without a corpus: found, and how well they are found."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

from izwi.cases.case import Says, check, place, text_of
from izwi.cases.functions import function_case
from izwi.model.errors import SourceError
from izwi.model.notation import in_unit, size_bytes

if TYPE_CHECKING:
    from izwi.model.results import Agreement, CollectionReport, CopyScores, NgramRow

TOPIC = "Copies"
# A full comparison of more documents takes too long.
_MOST_COMPARED = 1000


def _words(path: Path) -> tuple[str, ...]:
    return tuple(text_of(path).split())


def _numbers(text: str) -> tuple[int, ...]:
    return tuple(int(number) for number in text.split(","))


def _shares(text: str) -> tuple[float, ...]:
    return tuple(float(share) for share in text.split(","))


Collected = Annotated[Path, place('Lines of {"id": ..., "paras": [...]}.', metavar="IN")]
Most = Annotated[int, Says("Use at most so many documents.", least=20)]
Seed = Annotated[int, Says("For the choice of copies.")]
Ignored = Annotated[
    tuple[str, ...],
    Says("Compare also without these words, one a line.", name="ignore", file=_words),
]


@dataclass(frozen=True, slots=True)
class Options:
    """How copies in a collection are found."""

    ngram: Annotated[int, Says("Tokens in an n-gram.", least=2, most=50)] = 7
    threshold: Annotated[
        float, Says("A paragraph with this share seen before is a copy.", least=0, most=1)
    ] = 0.8
    own: Annotated[
        int, Says("A paragraph with so many new words in a row is no copy; 0 for none.", least=0)
    ] = 16
    stub: Annotated[int, Says("Rests of so few words beside copies go too.", least=0)] = 4
    ignored: Annotated[
        tuple[str, ...],
        Says("A file of words to pass over, one a line.", name="ignore", file=_words),
    ] = ()
    has_marks: Annotated[bool, Says("Punctuation counts as words.", name="marks")] = False
    # Whether copies edited beyond the n-gram are looked for.
    has_edited: Annotated[bool, Says("Look for heavily edited copies too.", name="edited")] = True
    memory_bytes: Annotated[
        int,
        Says(
            "Fingerprints beyond this stay on disk.", name="memory", written="512 MiB",
            read=in_unit("--memory", size_bytes),
        ),
    ] = 512 * 2**20  # fmt: skip


USUAL = Options()


def deduplicate(
    source: Collected,
    target: Annotated[Path, place("The decisions, a line each.", metavar="OUT")],
    *,
    state: Annotated[
        Path | None, Says("Remember what was seen in this folder, to go on later.")
    ] = None,
    method: Annotated[
        Literal["blocks", "sentences", "shingles"],
        Says("blocks, or whole documents by sentences or by shingles."),
    ] = "blocks",
    options: Options = USUAL,
) -> "CollectionReport":
    """Say which paragraphs of a collection copy earlier ones; no corpus is needed."""
    from izwi.cases import deduplicating

    check(options)
    if target.exists() and target.samefile(source):
        raise SourceError(
            f"{target} is the collection itself; name another file for the decisions."
        )
    if method == "blocks":
        return deduplicating.decide_blocks(source, target, state, options)
    if state is not None:
        raise SourceError(f"--state works with --method blocks only, not {method}.")
    return deduplicating.decide_documents(source, target, method)


def _copies_told(asked: Any, report: "CollectionReport", folder: Path) -> Iterator[str]:
    share = report.copied_tokens / max(report.tokens, 1)
    yield (
        f"{report.documents:,} documents, {report.blocks:,} paragraphs, {report.tokens:,} words: "
        f"{report.copied_blocks:,} paragraphs ({share:.1%} of the words) copy earlier ones. "
        f"Decisions in {asked.target}."
    )


def evaluate_copies(
    source: Collected,
    *,
    most: Most = 2000,
    seed: Seed = 1,
    ngrams: Annotated[
        Sequence[int],
        Says("Sizes to compare, with commas.", written="7", read=in_unit("--ngrams", _numbers)),
    ] = (7,),
    thresholds: Annotated[
        Sequence[float],
        Says("Thresholds to compare.", written="0.8", read=in_unit("--thresholds", _shares)),
    ] = (0.8,),
    ignored: Ignored = (),
) -> "tuple[CopyScores, ...]":
    """Make copies of known kinds in a collection and say how many of each are found."""
    from izwi.cases.evaluating import copies_found

    return copies_found(source, most, seed, ngrams, thresholds, ignored)


def ngram_tables(
    source: Collected, *, most: Most = 2000, ignored: Ignored = ()
) -> "tuple[NgramRow, ...]":
    """What each length and kind of n-gram leaves instead."""
    from izwi.cases.evaluating import rows_of_ngrams

    return rows_of_ngrams(source, most, ignored)


def agreements(source: Collected, *, most: Most = 2000, seed: Seed = 1) -> "tuple[Agreement, ...]":
    """Agreement with a full comparison instead, of at most 1,000 documents."""
    from izwi.cases.evaluating import agreement_of

    return agreement_of(source, min(most, _MOST_COMPARED), seed)


FUNCTIONS = (
    function_case(deduplicate, "dedup", "pages.jsonl decisions.jsonl --state seen", TOPIC,
                  tells=_copies_told),
    function_case(evaluate_copies, "evaluate dedup", "pages.jsonl", TOPIC),
    function_case(ngram_tables, "evaluate dedup", "pages.jsonl --tables", TOPIC, switch="tables"),
    function_case(agreements, "evaluate dedup", "pages.jsonl --pairwise", TOPIC,
                  switch="pairwise"),
)  # fmt: skip
