"""What all requests share: the open corpora, the page templates, who may change things."""

import threading
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated

import fastapi
from fastapi import Depends, Request

from izwi.cases.accounts import Accounts
from izwi.cases.corpus import Corpus
from izwi.cases.long_runs import Work
from izwi.model.errors import ConfigError, IzwiError
from izwi.web.templating import Pages


class UnknownCorpus(IzwiError):
    """No corpus of that name is served here."""


@dataclass(frozen=True, slots=True)
class Site:
    """A running site; without a token and accounts nobody may change anything."""

    corpora: dict[str, Corpus]
    pages: Pages
    curator_token: str
    work: Work
    # Adding a source reads corpus.toml and writes it again: one at a time.
    adding: threading.Lock = field(default_factory=threading.Lock)
    accounts: Accounts | None = None
    # Whether readers, too, have to sign in: everywhere but on the machine itself.
    is_closed: bool = False
    # Whether this server starts the runs that [schedule] of a corpus names.
    has_schedule: bool = False

    @property
    def has_curators(self) -> bool:
        """Whether there is any way to be a curator here."""
        return bool(self.curator_token) or (self.accounts is not None and self.accounts.are_any)

    def add(self, corpus: Corpus) -> None:
        """Serve another corpus from now on."""
        if corpus.name in self.corpora:
            raise ConfigError(f"There is a corpus '{corpus.name}' already.")
        self.corpora[corpus.name] = corpus

    def corpus(self, name: str) -> Corpus:
        """Return a corpus by its name."""
        if name not in self.corpora:
            known = ", ".join(sorted(self.corpora)) or "none"
            raise UnknownCorpus(f"There is no corpus '{name}' here. Known corpora: {known}.")
        corpus = self.corpora[name]
        corpus._refresh()
        if corpus.name == name:
            return corpus
        # Its corpus.toml has given it another name meanwhile: it goes by that from now on.
        self.corpora.pop(name)
        self.corpora.setdefault(corpus.name, corpus)
        return self.corpus(name)

    def without_folders(self, text: str) -> str:
        """Return a text in which corpora go by name: readers need not know the server's folders."""
        for name, corpus in list(self.corpora.items()):
            text = text.replace(str(corpus.path), name)
        return text


def open_corpora(folders: Sequence[Path]) -> dict[str, Corpus]:
    """Return the corpora in some folders by their names."""
    corpora: dict[str, Corpus] = {}
    for folder in folders:
        corpus = Corpus(folder)
        # A fault in corpus.toml is said when the server starts, not to its first reader.
        assert corpus.config
        other = corpora.setdefault(corpus.name, corpus)
        if other.path != corpus.path:
            raise ConfigError(
                f"{other.path} and {corpus.path} are both named '{corpus.name}'. "
                "Give one of them another name in its corpus.toml."
            )
    return corpora


def site_of(request: Request) -> Site:
    """Return the site that a request came to."""
    site: Site = request.app.state.site
    return site


def corpus_named(
    corpus: Annotated[str, fastapi.Path(description="The corpus's short name.")],
    site: Annotated[Site, Depends(site_of)],
) -> Corpus:
    """Return the corpus that a path names."""
    return site.corpus(corpus)


ThisSite = Annotated[Site, Depends(site_of)]
ThisCorpus = Annotated[Corpus, Depends(corpus_named)]


def site_address(request: Request) -> str:
    """Return the address of the whole site, as whoever asks writes it."""
    return str(request.base_url).rstrip("/")
