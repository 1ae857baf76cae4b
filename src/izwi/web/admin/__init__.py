"""The curators' pages, one file a topic."""

from types import ModuleType

ADMIN: tuple[ModuleType, ...] = ()
