"""Corpora as wholes: made, made of vertical text, moved, restored; and the machine they are on.

What is asked of one corpus is in the other modules.
"""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from izwi.cases.backup import check_backup, move, restore
from izwi.cases.case import Says, place, sentence
from izwi.cases.functions import function_case
from izwi.model.commands import typed

if TYPE_CHECKING:
    from izwi.cases.corpus import Corpus
    from izwi.model.results import Finding
    from izwi.plugins import Plugin
    from izwi.service.importing import Imported
    from izwi.store.objects import MoveReport

TOPIC = "Making and moving corpora"
NewFolder = Annotated[
    str | Path,
    place("The corpus folder; made if it is not there.", metavar="FOLDER"),
]


def new_corpus(
    path: NewFolder,
    *,
    contact: Annotated[
        str, Says("Where site owners reach you; goes into the User-Agent.", prompt="seen")
    ],
    name: Annotated[str, Says("Short name; made from the folder if not given.")] = "",
    title: Annotated[str, Says("The name people read.")] = "",
    languages: Annotated[
        tuple[str, ...], Says("A language wanted; repeatable.", name="language")
    ] = (),
    packs: Annotated[
        Sequence[str | Path],
        Says("A language pack: a folder, or the name of an installed one.", name="pack"),
    ] = (),
    sources: Sequence[Mapping[str, object]] = (),
    daily: str = "",
    by: str = "",
) -> "Corpus":
    """Make a corpus folder with a commented corpus.toml.

    Its first sources may come with it; the contact must be a page or an e-mail address. Everything
    is checked before anything is written.
    """
    from izwi.cases.corpus import create_corpus
    from izwi.service import setup

    folder, languages = Path(path), setup.codes_of(languages)
    setup.check_contact(contact)
    setup.check(
        setup.first_text(folder, contact=contact, name=name, title=title, languages=languages),
        sources,
        daily,
    )
    corpus = create_corpus(
        folder, contact=contact, name=name, title=title, languages=languages, packs=packs
    )
    if sources:
        setup.add_sources(folder, sources, who=by)
    if daily:
        corpus.change_settings({"schedule.daily": daily}, by=by)
    return corpus


def _names(text: str) -> tuple[str, ...]:
    return tuple(name.strip() for name in text.split(",") if name.strip())


def import_vertical(
    source: Annotated[
        str | Path,
        place("Vertical text, one token a line; may be .gz.", metavar="FILE"),
    ],
    folder: NewFolder,
    *,
    attributes: Annotated[
        tuple[str, ...], Says("What the columns are, in order.", read=_names)
    ] = (),
    structures: Annotated[tuple[str, ...], Says("Which tags are structures.", read=_names)] = (),
    registry: Annotated[
        str | Path | None, Says("A registry file of CWB or Manatee that names them.")
    ] = None,
    name: Annotated[str, Says("Short name of a new corpus.")] = "",
    memory: Annotated[str, Says("Working memory.")] = "1 GiB",
) -> "Imported":
    """Make a searchable corpus from vertical text, or add to one.

    What the columns and tags are called comes from the arguments, else from a registry file as CWB
    and Manatee have them, else it is `word` and doc, p, s.
    """
    from izwi.model.accounts import user_here
    from izwi.service import importing
    from izwi.store.curation import changing
    from izwi.store.layout import Layout

    done = importing.vertical(source, folder, attributes, structures, registry, name, memory)
    with changing(Layout(Path(folder).resolve()), user_here()) as desk:
        desk.record("run", "import vertical", None, {"path": str(source)})
    return done


def doctor(
    folder: Annotated[Path | None, place("A corpus folder.", metavar="FOLDER")] = None,
) -> "tuple[Finding, ...]":
    """Look at this machine and a corpus, and say what would mend what is amiss."""
    from izwi.cases.doctor import examine

    return examine(folder, scrubbed=None)


def list_plugins(
    *, check: Annotated[bool, Says("Load each and say what fails.")] = False
) -> "list[Plugin]":
    """List the installed parts by kind: sources, extractors and so on, and where each is from."""
    from izwi.plugins import overview

    return overview(is_tried=check)


def _vertical_told(asked: Any, made: Any, folder: Path) -> Iterator[str]:
    tokens, documents = (
        f"{number:,} {noun}{'' if number == 1 else 's'}"
        for number, noun in ((made.tokens, "token"), (made.documents, "document"))
    )
    yield (
        f"Searchable as version {made.snapshot}: {tokens} in {documents}. "
        f"Next: izwi query {typed(asked.folder)} WORD"
    )


def _moved_told(asked: Any, report: "MoveReport", folder: Path) -> Iterator[str]:
    gone = f" {report.removed:,} that are no more were removed." if report.removed else ""
    files = f"{report.files:,} files, {report.moved:,} of them new ({report.size_bytes:,} bytes)"
    yield f"{report.target}: {files}.{gone}"


_RESTORED = (
    "'{answer.corpus}' of {answer.made} %s: {answer.files:,} files, {answer.size_bytes:,} bytes, "
    "all sums right."
)


FUNCTIONS = (
    function_case(
        new_corpus, "init", "news --contact https://example.org/bot --language en", TOPIC,
        keys=("name", "path"),
        tells=sentence(
            "Made {asked.path}/corpus.toml. Next: izwi sources add {asked.path:typed} URL"
        ),
    ),
    function_case(
        import_vertical, "import vertical", "news.vert news --attributes word,lemma,tag", TOPIC,
        tells=_vertical_told,
    ),
    function_case(
        doctor, "doctor", "news", TOPIC,
        exit=lambda found: int(not all(each.is_well for each in found if each.check != "browser")),
    ),
    function_case(
        list_plugins, "plugins", "--check", TOPIC,
        exit=lambda found: int(any(part.problem for part in found)),
    ),
    function_case(move, "move", "news s3://corpora/news", TOPIC, tells=_moved_told),
    function_case(
        restore, "restore", "/backups/news-2026-01-31T02-00-00.tar news", TOPIC,
        tells=sentence(_RESTORED % "is now in {asked.folder}"),
    ),
    function_case(
        check_backup, "restore", "/backups/news-2026-01-31T02-00-00.tar --check", TOPIC,
        switch="check", tells=sentence(_RESTORED % "is whole"),
    ),
)  # fmt: skip
