"""Exports and backups over HTTP: one file, for curators only, since texts have owners."""

import shutil
import tempfile
from pathlib import Path
from typing import Annotated

from fastapi import Query
from fastapi.responses import FileResponse
from starlette.background import BackgroundTask

from izwi.cases.questions import first_day, last_day
from izwi.web.pages.addresses import Version
from izwi.web.session.rights import curator_router
from izwi.web.site import ThisCorpus

router = curator_router()


@router.get(
    "/api/v1/c/{corpus}/export",
    summary="The corpus for other programs",
    response_class=FileResponse,
)
def export(
    corpus: ThisCorpus,
    format: Annotated[str, Query(description="A format of izwi export.", examples=["jsonl"])],
    src: Annotated[tuple[str, ...], Query(description="Only these sources.")] = (),
    publication: Annotated[tuple[str, ...], Query(description="Only these publications.")] = (),
    language: Annotated[tuple[str, ...], Query(description="Only these languages.")] = (),
    since: Annotated[str, Query(alias="from", description="First year, month or day.")] = "",
    until: Annotated[str, Query(alias="to", description="Last year, month or day.")] = "",
    q: Annotated[str, Query(description="Only documents with hits of this query.")] = "",
    where: Annotated[str, Query(description="Only documents of this condition.")] = "",
    v: Version = None,
    mask: Annotated[
        bool, Query(description="Mask e-mail addresses, phone numbers, user names.")
    ] = False,
    tokens: Annotated[bool, Query(description="TEI: write words with lemma and tag.")] = False,
    comments: Annotated[bool, Query(description="TEI: add readers' comments.")] = False,
    copies: Annotated[bool, Query(description="Also copies folded into originals.")] = False,
) -> FileResponse:
    """Write the corpus, or some of its documents, and send the folder as a ZIP file."""
    place = Path(tempfile.mkdtemp(prefix="izwi-export-"))
    try:
        folder = place / f"{corpus.name}-{format.replace('/', '_')}"
        corpus.export(
            format,
            folder,
            sources=src,
            publications=publication,
            languages=language,
            since=first_day(since) if since else None,
            until=last_day(until) if until else None,
            query=q,
            where=where,
            version=v,
            mask=mask,
            tokens=tokens,
            comments=comments,
            copies=copies,
        )
        packed = Path(shutil.make_archive(str(folder), "zip", folder))
    except BaseException:
        shutil.rmtree(place, ignore_errors=True)
        raise
    return FileResponse(
        packed,
        media_type="application/zip",
        filename=packed.name,
        background=BackgroundTask(shutil.rmtree, place, ignore_errors=True),
    )


@router.get(
    "/api/v1/c/{corpus}/backup", summary="The whole corpus in one file", response_class=FileResponse
)
def backup(corpus: ThisCorpus) -> FileResponse:
    """Write the whole corpus as `izwi backup` does and send the file."""
    place = Path(tempfile.mkdtemp(prefix="izwi-backup-"))
    try:
        written = Path(corpus.backup(place).path)
    except BaseException:
        shutil.rmtree(place, ignore_errors=True)
        raise
    return FileResponse(
        written,
        media_type="application/x-tar",
        filename=written.name,
        background=BackgroundTask(shutil.rmtree, place, ignore_errors=True),
    )
