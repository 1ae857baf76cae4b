"""The curators' pages, one file a topic."""

from fastapi import APIRouter

from izwi.web.admin import (
    accounts,
    audit,
    changes,
    drops,
    inspect,
    labelling,
    playground,
    runs,
    settings,
    setup,
    sources,
    takedown,
    today,
)

ADMIN: tuple[APIRouter, ...] = (
    today.home_router,
    accounts.router,
    setup.router,
    *(
        topic.router
        for topic in (
            today,
            sources,
            runs,
            drops,
            inspect,
            labelling,
            playground,
            audit,
            takedown,
            settings,
            changes,
        )
    ),
)
