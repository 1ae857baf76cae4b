"""Where a corpus comes from, over HTTP: host bias for everyone, coverage for curators."""

from typing import Annotated

from fastapi import APIRouter, Query

from izwi.model.coverage import By, Coverage
from izwi.model.hostbias import HostBias
from izwi.web.asking import Version
from izwi.web.curator import curator_router
from izwi.web.errors import PROBLEMS
from izwi.web.site import ThisCorpus

router = APIRouter(responses=PROBLEMS)
_curators = curator_router()


@_curators.get("/coverage", summary="Compare with a web archive")
def coverage(
    corpus: ThisCorpus,
    cdx: Annotated[str, Query(description="Address of a CDX list.", pattern="^https?://")],
    source: Annotated[str, Query(description="Only the pages of one source.")] = "",
    by: Annotated[By, Query(description="Compare by url or by slug.")] = "url",
) -> Coverage:
    """Compare the captured pages with a web archive's CDX list."""
    return corpus.coverage(cdx, source=source, by=by)


@router.get("/api/v1/c/{corpus}/host-bias", tags=["interface"], summary="Share of hosts")
def host_bias(corpus: ThisCorpus, v: Version = None) -> HostBias:
    """Say which share of seeds, captures and documents the most frequent hosts contribute."""
    return corpus.host_bias(version=v)


router.include_router(_curators)
