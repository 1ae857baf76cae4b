"""How good parts are, what is known of languages, what a text or page holds: for a terminal."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from rich.table import Table

from izwi.cli.render import counted, errors, out, say, show_table
from izwi.model.languages import KnownLanguage, TaggerScore, iso639_3
from izwi.model.results import Agreement, CopyScores, NgramRow
from izwi.model.scores import ExtractorScores, Scores, Truth, means_of_sets

if TYPE_CHECKING:
    from izwi.model.document import Annotation

# So many columns of scores beside two names fit into 80 characters.
_MEASURES_A_TABLE, _WIDEST_NAME = 5, 16
_MOST_WORSE = 20
_RAW_MEASURES = ("sentences_f1", "sentence_ends_f1", "tokens_f1", "token_edges_f1")


def show_languages(found: Sequence[KnownLanguage], *, asked: Any) -> None:
    """Print what is known of languages: a table of all, those that were asked for one by one."""
    wanted = set(map(iso639_3, asked.codes))
    names = ("identified", "taken for", "connected text", "stop words", "sentences", "tags")
    heads = ("language", *names, "lemmas", "features", "from")
    rows = [(each.code, *_cells(each)) for each in found]
    if wanted:
        # Some languages are read one by one: ten columns are wider than most windows.
        for row in rows:
            said = [
                f"  {head}: {cell}" for head, cell in zip(heads[1:], row[1:], strict=True) if cell
            ]
            say(row[0], *said)
    elif rows:
        show_table(*_overview(heads, rows))
        say("Identified: right of 1-5 words / 6-15 words / a paragraph. One: izwi languages CODE")
    for code in sorted(wanted - {each.code for each in found}):
        say(f"{code}: not known. To add it: izwi language make {code} --text sample.txt")


def _overview(
    heads: tuple[str, ...], rows: Sequence[tuple[str, ...]]
) -> tuple[tuple[str, ...], list[tuple[str, ...]]]:
    """Return headings and rows that fit a window: parts that few languages have share a column.

    Where all of them come from the same place it is not said.
    """
    is_mixed = len({row[-1] for row in rows}) > 1
    parts = [
        ", ".join(head for head, cell in zip(heads[3:-1], row[3:-1], strict=True) if cell)
        for row in rows
    ]
    last = [row[-1:] if is_mixed else () for row in rows]
    return (*heads[:3], "also known", *heads[-1:][:is_mixed]), [
        (*row[:3], known, *end) for row, known, end in zip(rows, parts, last, strict=True)
    ]


def _cells(known: KnownLanguage) -> tuple[str, ...]:
    """Return what a row of the list says, each part with its figure if there is one."""
    figures = known.figures
    told = [figures.get(f"identified, {size}") for size in ("1-5 words", "6-15 words", "paragraph")]
    measured = ["-" if share is None else f"{100 * share:.0f}" for share in told]
    right = " / ".join(measured) if {*measured} != {"-"} else ""
    dropped, stopped = figures.get("running text dropped"), figures.get("running text stopped")
    taken = [f"{code} {100 * figures[f'taken for {code}']:.0f} %" for code in known.close_to]
    conventions = ("abbreviations", known.sentences), ("ordinals", known.ordinals)
    return (
        (f"{right} %" if right else "yes") if known.identified else "",
        ", ".join(taken),
        ("yes" if dropped is None else f"{100 * dropped:.1f} % lost") if known.connected else "",
        _with_share(str(known.stop_words or ""), stopped),
        ", ".join(name for name, is_known in conventions if is_known),
        _with_share(known.tags, figures.get("tags")),
        _with_share(known.lemmas, figures.get("lemmas")),
        _with_share("yes" if "features" in figures else "", figures.get("features")),
        known.origin,
    )


def _with_share(word: str, share: float | None) -> str:
    return f"{word}, {100 * share:.1f} %" if word and share is not None else word


def show_tokens(found: "Annotation") -> None:
    """Print the tokens of a text with all that is known of each."""
    columns = (found.words, found.lemmas, found.upos, found.xpos, found.feats)
    begins, rows = {*found.sentences[1:]}, list[tuple[str, ...]]()
    for place, row in enumerate(zip(*columns, strict=True)):
        rows += [(), row] if place in begins else [row]
    show_table(("token", "lemma", "upos", "tag", "features"), rows)


def show_tagger(score: TaggerScore) -> None:
    """Print how good a tagger is, and which tags it misses."""
    names = ("upos", "xpos", "lemma", "unknown", *_RAW_MEASURES)
    values = [(name, getattr(score, name)) for name in names]
    shown = ", ".join(f"{name} {100 * value:.2f} %" for name, value in values if value is not None)
    say(f"{score.words} words: {shown}; {score.tokens_per_second:.0f} words a second")
    rows = [
        (each.tag, str(each.words), f"{100 * each.accuracy:.1f} %", each.instead)
        for each in score.by_tag[:30]
    ]
    show_table(("tag", "words", "right", "else mostly"), rows)


def show_truth(found: Truth) -> None:
    """Print how true a corpus is, by type of page and by language."""
    table = Table("", "gold", "kept %", "F1", "F1 kept", "dates", "titles", "lost to")
    groups = {"all": found, **found.by_type, **found.by_language}
    for name, part in groups.items():
        shares = (part.f1, part.f1_kept, part.dates, part.titles)
        lost = ", ".join(f"{count} {reason}" for reason, count in list(part.reasons.items())[:3])
        cells = ("" if share is None else f"{share:.3f}" for share in shares)
        table.add_row(name, str(part.gold), f"{100 * part.kept_share:.1f}", *cells, lost)
    out.print(table)
    say(
        f"No documents, and kept: {found.others_kept} of {found.others}. Documents that lost words "
        f"to them: {found.owned_by_others}. Addresses kept twice: {found.twice}."
    )


def show_extractors(found: ExtractorScores) -> None:
    """Print the scores of extractors, then by type of page, then what got worse."""
    names = (
        "pages", "P", "R", "F1", "F0.5", "micro F1", "micro F0.5", "in order", "similar", "ins",
        "del", "runs", "<0.5", "pages/s",
    )  # fmt: skip
    _show_measures(names, [(line, _measures(line)) for line in (*found, *means_of_sets(found))])
    _show_kinds(found)
    for line in found:
        if line.worse is not None:
            name = f"{line.set} {line.method}".strip()
            worse = f"{counted(len(line.worse), 'page')} got worse"
            say(f"{name}: {worse}, {line.better} better, of {line.compared}")
            listed = line.worse[:_MOST_WORSE]
            say(*(f"  {was:.3f} -> {now:.3f}  {page}" for page, was, now in listed))


def _measures(line: Scores) -> list[str]:
    shares = (
        line.precision, line.recall, line.f1, line.f05, line.micro_f1, line.micro_f05,
        line.ordered_f1, line.similarity, line.inserted, line.deleted,
    )  # fmt: skip
    return [
        str(line.pages), *(f"{share:.3f}" for share in shares), f"{line.fragments:.1f}",
        f"{line.under_half:.3f}", f"{line.pages_per_second:.0f}",
    ]  # fmt: skip


def _show_measures(
    names: Sequence[str], rows: Sequence[tuple[Scores, list[str]]], title: str = ""
) -> None:
    """Print measures in tables narrow enough for a terminal, none of them cut."""
    for start in range(0, len(names), _MEASURES_A_TABLE):
        table = Table(title=title or None)
        for name in ("set", "method"):
            table.add_column(name, overflow="fold", max_width=_WIDEST_NAME)
        for name in names[start : start + _MEASURES_A_TABLE]:
            table.add_column(name, no_wrap=True, justify="right", overflow="fold")
        for line, cells in rows:
            table.add_row(line.set, line.method, *cells[start : start + _MEASURES_A_TABLE])
        out.print(table)


def _show_kinds(found: Sequence[Scores]) -> None:
    """Print the F1 of each type of page, if the pages have types."""
    kinds = sorted({kind for scores in found for kind in scores.f1_by_kind})
    if not kinds:
        return
    shown = [
        (
            line,
            [f"{line.f1_by_kind[kind]:.3f}" if kind in line.f1_by_kind else "" for kind in kinds],
        )
        for line in found
        if line.f1_by_kind
    ]
    _show_measures(kinds, shown, "F1 by type of page")


def show_page(found: Any, *, blocks: bool) -> None:
    """Print the main text of a page, or every block of it with its class and reason."""
    for each in found.paragraphs:
        if blocks:
            say(f"{each.reason:<18} {each.kind:<8} {each.text}")
        elif each.is_main:
            say(each.text)
    for note in found.notes:
        errors.print(f"Note: {note}.", soft_wrap=True, markup=False)


def show_copies(found: Sequence[CopyScores]) -> None:
    """Print how many copies of each kind were found, for each setting."""
    kinds = [kind for kind, _ in found[0].found]
    rows = [
        (
            *(str(row.ngram), f"{row.threshold:g}", str(row.ignored)),
            *(f"{share:.3f}" for _, share in row.found),
            *(f"{row.duplicate_left:.2%}", f"{row.unique_lost:.2%}"),
        )
        for row in found
    ]
    show_table(("n", "threshold", "ignored", *kinds, "10-grams left", "unique lost"), rows)


def show_ngrams(found: Sequence[NgramRow]) -> None:
    """Print what each length and kind of n-gram leaves of a collection."""
    heads = ("threshold", "stop words", "punctuation", "n", "repeated n-grams", "words left")
    rows = [
        (
            f"{row.threshold:g}",
            "yes" if row.has_stop_words else "no",
            "yes" if row.has_marks else "no",
            str(row.ngram),
            f"{row.duplicate_ngrams:,} {row.duplicate_share:.2%}",
            f"{row.words:,} {row.words_share:.2%}",
            f"{row.ten_grams:,} {row.ten_grams_share:.2%}",
        )
        for row in found
    ]
    show_table((*heads, "repeated 10-grams left"), rows)


def show_agreements(found: Sequence[Agreement]) -> None:
    """Print how far each method decides as a full comparison."""
    heads = ("method", "judged", "copies by both", "by the method alone", "pairwise alone")
    counts = ("judged", "both", "only_method", "only_pairwise")
    rows = [
        (row.method, *(f"{getattr(row, name):,}" for name in counts), f"{row.share:.2%}")
        for row in found
    ]
    show_table((*heads, "agreement"), rows)
