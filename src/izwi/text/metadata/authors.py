"""Who wrote a page: of the names that its claims hold one is believed."""

import re
from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

from izwi.model.document import Claim
from izwi.text.metadata.byline_words import BY
from izwi.text.metadata.person_names import SHOWN, as_name
from izwi.text.metadata.site_names import ARTICLE, letters, site_names

LINK = "author link"
# Names that say who answers for a text, but not who wrote it: believed where nothing else is said.
_NOBODY = re.compile(
    r"^(?:the |die )?(?:staff|editors?|redaktion|redaksie|redacción|rédaction|redazione|contributor"
    r"|guest|team|newsroom|anonymous|press release|editorial|staff writer|guest author"
    r"|editorial (?:team|staff))$",
    re.I,
)
_LEAST_HOST = 4


class Named(NamedTuple):
    """A name that a claim holds."""

    name: str
    claim: Claim

    @property
    def is_shown(self) -> bool:
        """Whether readers see it."""
        return self.claim.evidence in SHOWN


def choose_author(claims: Sequence[Claim]) -> str:
    """Return the first claim that is a person's name, else the first that is one at all."""
    sites = set(site_names(claims))
    found = (claim for claim in claims if claim.property == "author")
    names = [Named(_without_sites(name, sites), c) for c in found if (name := as_name(c))]
    people = [named for named in names if not _is_of_site(named.name, sites)]
    shown = [named for named in people if named.is_shown]
    if not names:
        return ""
    # A name with the host's in it may be the owner's; somebody whom readers see is surer.
    if people and shown and _holds_host(people[0].name, sites):
        people = shown
    best = _signed(people) or (people or names)[0]
    if best.is_shown:
        return _with_others(_without_role(best.name, names), shown)
    return _with_others(_in_full(best.name, shown), shown)


def _in_full(told: str, shown: Sequence[Named]) -> str:
    """Return a first name that machines are told with the family's, if it signs the page so."""
    signed = (named.name for named in shown if BY.match(named.claim.value))
    whole = (name for name in signed if " " not in told and name.startswith(f"{told} "))
    return next(whole, told)


def _with_others(first: str, shown: Sequence[Named]) -> str:
    """Return an author with those who stand behind, where each has a page of their own.

    Machines are told the first of several by some systems; what stands behind a name may be a role.
    """
    linked = {named.name for named in shown if named.claim.evidence == LINK}
    several = (named.name for named in shown if named.name.startswith(f"{first}, "))
    return next((names for names in several if linked.issuperset(names.split(", "))), first)


def _signed(people: Sequence[Named]) -> Named | None:
    """Return who signs a page as its author, where machines are told somebody readers do not see.

    Systems tell machines the account with which a text was put in.
    """
    if not people or people[0].is_shown:
        return None
    told, shown = people[0].name, [named for named in people if named.is_shown]
    if any(letters(told) in letters(named.claim.value) for named in shown):
        return None
    signed = (n for n in shown if BY.match(n.claim.value) and " " in n.name)
    others = (n for n in signed if not _share_words(n.name, told))
    # In small letters, and once, stands who designed the site.
    often = Counter(named.name for named in shown)
    return next((n for n in others if n.claim.value[0].isupper() or often[n.name] > 1), None)


def _share_words(name: str, other: str) -> bool:
    return not set(_WORDS.findall(name.casefold())).isdisjoint(_WORDS.findall(other.casefold()))


def _is_of_site(name: str, sites: set[str]) -> bool:
    return letters(ARTICLE.sub("", name)) in sites or bool(_NOBODY.match(name))


def _holds_host(name: str, sites: set[str]) -> bool:
    own = letters(name)
    return any(len(site) >= _LEAST_HOST and site in own for site in sites)


def _without_sites(names: str, sites: set[str]) -> str:
    """Return names without that of the site behind them, each once."""
    parts = dict.fromkeys(names.split(", "))
    people = [part for part in parts if letters(part) not in sites]
    return ", ".join(people or parts)


def _without_role(name: str, others: Sequence[Named]) -> str:
    """Return a name without the role after it, where the page names the person alone, too."""
    shorter = [
        other
        for other, claim in others
        if name.startswith((f"{other} ", f"{other},")) and (" " in other or claim.evidence == LINK)
    ]
    alone = min(shorter, key=len, default=name)
    # What follows may be no role, but another author, who has a page of their own as well.
    rest = name[len(alone) :].strip(" ,").split(", ")
    named = [other for other, claim in others if claim.evidence == LINK and other in rest]
    return ", ".join([alone, *dict.fromkeys(named)]) if named else alone


_WORDS = re.compile(r"\w+")
