"""The curators' pages, one file a topic."""

from fastapi import APIRouter

from izwi.web.admin import (
    accounts,
    audit,
    changes,
    drops,
    health,
    inspect,
    labelling,
    playground,
    runs,
    setup,
    sources,
    takedown,
)

ADMIN: tuple[APIRouter, ...] = (
    health.home_router,
    accounts.router,
    setup.router,
    *(
        topic.router
        for topic in (
            health,
            sources,
            runs,
            drops,
            inspect,
            labelling,
            playground,
            audit,
            takedown,
            changes,
        )
    ),
)
