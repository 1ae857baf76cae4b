"""What one portal's pages look like: where its text stands, and how its markup is rewritten."""

from collections.abc import Mapping
from typing import Any, ClassVar, Literal

from izwi.model.document import Claim
from izwi.model.records import dataclass

Operation = Literal["drop", "unwrap", "unwrap-below", "rename", "split"]


@dataclass(frozen=True, slots=True)
class Rule:
    """One rewriting of a portal's elements (Indig and others 2020, 4.4.2); done in order."""

    __pydantic_config__: ClassVar[Mapping[str, Any]] = {"extra": "forbid"}
    # What is done: drop (with what is inside), unwrap (what is inside stays), unwrap-below (every
    # element inside is unwrapped), rename, split (into an outer and an inner element).
    do: Operation
    # A CSS selector of the elements it is done to.
    at: str
    # The new name for rename; for split the two names, outer first, such as "blockquote p".
    to: str = ""
    # Only inside elements of this CSS selector; the context of the rewriting.
    within: str = ""

    def __post_init__(self) -> None:
        names = self.to.split()
        wanted = {"rename": 1, "split": 2}.get(self.do, 0)
        if len(names) != wanted:
            raise ValueError(f"to = '{self.to}': {self.do} takes {wanted} names of elements")
        if not all(name.isalnum() and name.isascii() and name[0].isalpha() for name in names):
            raise ValueError(f"to = '{self.to}' has a name that no element can have")


@dataclass(frozen=True, slots=True)
class Portal:
    """Rules for the pages of one source; CSS selectors, each may be empty."""

    __pydantic_config__: ClassVar[Mapping[str, Any]] = {"extra": "forbid"}
    # The elements that hold the main text; on pages without any the extractor decides.
    body: str = ""
    # The element that holds the headline.
    title: str = ""
    # The element that holds the author.
    author: str = ""
    # The element that holds the date of publication.
    date: str = ""
    # Rewritings of the markup, in order: { do = "drop", at = ".advert" }.
    rules: tuple[Rule, ...] = ()

    @property
    def selectors(self) -> tuple[str, ...]:
        """Every selector of these rules."""
        own = (self.body, self.title, self.author, self.date)
        rules = (text for rule in self.rules for text in (rule.at, rule.within))
        return tuple(text for text in (*own, *rules) if text)


@dataclass(frozen=True, slots=True)
class Rewritten:
    """A page after a portal's rules: its markup, whether its body was found, what it claims."""

    html: str
    has_body: bool = False
    claims: tuple[Claim, ...] = ()


@dataclass(frozen=True, slots=True)
class TagLine:
    """One simplified tag: how often it comes, on how many pages, and what it holds on average."""

    tag: str
    count: int
    pages: int
    text_length: float
    own_text_length: float
    descendants: float
    samples: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class TreeLine:
    """One place in the merged tree: its path, how often it comes, and its own text in all."""

    depth: int
    tag: str
    count: int
    own_text_length: int
    is_leaf: bool


@dataclass(frozen=True, slots=True)
class Inventory:
    """The tags of a portal and the merged tree of its pages."""

    pages: int
    tags: tuple[TagLine, ...]
    tree: tuple[TreeLine, ...]


@dataclass(frozen=True, slots=True)
class Suggestion:
    """Rules for a portal, and what they rest on."""

    portal: Portal
    pages: int
    # Share of the main text that the proposed body holds, and share of the body that is main text.
    covered: float = 0.0
    clean: float = 0.0
    # Texts that stand on many of the pages.
    template: tuple[str, ...] = ()
    # F1 of the pages' words, tried without rules and with those proposed, and how many pages with
    # labels told it; with none of them, it is told by the main text that comes on one page only.
    without: float = 0.0
    with_rules: float = 0.0
    labelled: int = 0


def as_toml(portal: Portal) -> str:
    """Return rules as they are written below a [[source]] in corpus.toml."""
    given = {key: getattr(portal, key) for key in ("body", "title", "author", "date")}
    lines = ["[source.portal]"]
    lines += [f"{key} = {_quoted(value)}" for key, value in given.items() if value]
    if portal.rules:
        lines.append("rules = [")
        lines += [f"  {_rule(rule)}," for rule in portal.rules]
        lines.append("]")
    return "\n".join(lines) + "\n"


def _rule(rule: Rule) -> str:
    keys = {"do": rule.do, "at": rule.at, "to": rule.to, "within": rule.within}
    return "{ " + ", ".join(f"{key} = {_quoted(v)}" for key, v in keys.items() if v) + " }"


def _quoted(value: str) -> str:
    return '"' + value.replace("\\", "\\\\").replace('"', '\\"') + '"'
