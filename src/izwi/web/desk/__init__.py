"""What do curators see and change, one file a topic."""

from importlib import import_module

from fastapi import APIRouter

_TOPICS = (
    "accounts", "setup", "sources", "runs", "drops", "inspect", "labelling", "playground",
    "settings",
)  # fmt: skip


def routers() -> list[APIRouter]:
    """Return the routes of every topic; a page of the desk is imported only by who serves it."""
    topics = {topic: import_module(f"{__name__}.{topic}") for topic in _TOPICS}
    return [topics["runs"].home_router, *(topic.router for topic in topics.values())]
