"""Extraction without a corpus: one page tried, extractors measured and made by gold pages."""

import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from izwi.cases.case import Says, place
from izwi.cases.functions import function_case
from izwi.model import scores
from izwi.model.errors import StoreError

if TYPE_CHECKING:
    from izwi.text.extract.page import Extraction

TOPIC = "Extractors"
# Of fewer pages what is held back to measure by is a handful.
_FEWEST_PAGES = 30
_BAR = 30


def extract(
    page: Annotated[str, place("A file, an address, or - for standard input.", metavar="FILE|URL")],
    *,
    method: Annotated[str, Says("Which extractor.")] = "izwi",
    url: Annotated[str, Says("The address a file was saved from.")] = "",
) -> "Extraction":
    """Print the main text of one page and what the page says of itself."""
    from izwi.text.extract.page import extract

    return extract(_page_bytes(page), url or (page if _is_address(page) else None), method)


def _is_address(name: str) -> bool:
    return name.startswith(("http://", "https://"))


def _page_bytes(name: str) -> bytes:
    if name == "-":
        return sys.stdin.buffer.read()
    if _is_address(name):
        from izwi.cases.sources import page_at

        return page_at(name)
    try:
        return Path(name).read_bytes()
    except OSError as error:
        raise StoreError(f"{name} cannot be read: {error.strerror or error}.") from error


def evaluate_extractors(
    gold: Annotated[
        Path,
        place(
            "JSON Lines of gold or labelled pages, or a folder of such sets.",
            metavar="GOLD",
        ),
    ],
    methods: Annotated[
        Sequence[str],
        Says("An extractor, with options: boilerpipe:variant=article. Repeatable.", name="method"),
    ] = ("izwi",),
    *,
    peers: Annotated[bool, Says("Beside the other people's extractors installed here.")] = False,
    before: Annotated[
        Path | None,
        Says("An earlier model, or what --json wrote: name pages that got worse."),
    ] = None,
    limit: Annotated[int, Says("Only so many pages a set; 0 is all.", least=0)] = 0,
) -> scores.ExtractorScores:
    """Score extractors on gold pages, side by side, by set and by type of page."""
    from izwi.cases import extractors

    earlier = extractors.earlier_scores(before, gold, limit=limit) if before else {}
    named = [*(methods or ("izwi",)), *(extractors.installed_peers() if peers else ())]
    found = extractors.scored(gold, named, limit)
    known = [(each, earlier.get((each.set, each.method))) for each in found]
    return scores.ExtractorScores(
        each if was is None else scores.compared(each, was) for each, was in known
    )


def evaluate_corpus(
    folder: Annotated[Path, place("The corpus.", metavar="FOLDER")],
    gold: Annotated[
        Path,
        place(
            "JSON Lines: url, document (false for listings), text, title, date, type, lang.",
            metavar="GOLD",
        ),
    ],
) -> scores.Truth:
    """Say which gold documents can be searched, with which text, and what else got in."""
    from izwi.cases.evaluating import truth_of

    return truth_of(folder, gold)


def train_extractor(
    gold: Annotated[Sequence[Path], Says("JSON Lines of gold or labelled pages; repeatable.")],
    *,
    method: Annotated[str, Says("izwi or perceptron.")] = "izwi",
    output: Annotated[Path, Says("Where the model is written.")] = Path("extractor.npz"),
) -> scores.TrainedExtractor:
    """Train an extractor from your own labels; show its accuracy at each cut-off."""
    from izwi.cases.extractors import train_from

    return train_from(gold, method, output)


def _trained_told(asked: Any, made: scores.TrainedExtractor, folder: Path) -> Iterator[str]:
    yield from map(_cutoff_told, made.cutoffs)
    if made.pages < _FEWEST_PAGES:
        pages = "1 page" if made.pages == 1 else f"{made.pages} pages"
        yield (
            f"note: the figures mean little with {pages}; label at least {_FEWEST_PAGES}, of "
            "several sites."
        )
    yield (
        f"{made.pages} pages; best at {scores.best_cutoff(made.cutoffs).cutoff:.2f}. Wrote "
        f'{made.output}. Use it with: [extract] method = "{asked.method}", '
        f'options = {{ model = "{made.output}" }}'
    )


def _cutoff_told(line: scores.Cutoff) -> str:
    return (
        f"cut-off {line.cutoff:.2f}  accuracy {line.accuracy:.3f}  precision {line.precision:.3f}  "
        f"recall {line.recall:.3f}  F1 {line.f1:.3f}  {'#' * round(_BAR * line.f1)}"
    )


FUNCTIONS = (
    function_case(
        extract, "extract", "page.html --blocks", TOPIC,
        flags={"blocks": "Show every block with its class and reason."},
        keys=("text", "comments", "metadata", "page_type", "type_chances", "notes", "method",
              "charset", "charset_evidence", "paragraphs"),
    ),
    function_case(evaluate_extractors, "evaluate extract",
                  "gold.jsonl --method izwi --method justext", TOPIC, is_drawn=True),
    function_case(evaluate_corpus, "evaluate corpus", "news gold.jsonl", TOPIC),
    function_case(train_extractor, "train extractor", "--gold gold.jsonl --output mine.npz", TOPIC,
                  tells=_trained_told, is_drawn=True),
)  # fmt: skip
