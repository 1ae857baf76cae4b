"""Rules for the six sites of the demo web: where their text stands, and what is none.

They show what `[source.portal]` is for: advertisements in the middle of a story, readers' comments,
lists of teasers that would otherwise be documents of their own.
"""

from collections.abc import Mapping

from izwi.model.portal import Portal, Rule

# Types of pages that are no documents.
LEFT_OUT = ("listing", "collection")


def _without(*selectors: str) -> tuple[Rule, ...]:
    return tuple(Rule("drop", selector) for selector in selectors)


PORTALS: Mapping[str, Portal] = {
    "karoocourant": Portal(
        rules=_without(
            ".side", "p.small", 'table[cellpadding="6"]', "p:has(> a > b)", "td[colspan]"
        ),
    ),
    "umgeniherald": Portal(
        body="article h1, .story", rules=_without(".item", "#reactions", "aside", "footer")
    ),
    "bolandbode": Portal(
        rules=_without(
            "blockquote", "h3", "h2:has(> a)", "p:has(> .datum)", ".datum", "#regs", "#voet"
        ),
    ),
    "egolipost": Portal(
        body=".panel > h1, .copy",
        rules=_without(
            ".ad", ".panel:has(> h2)", ".panel:has(> h3)", ".news", ".legal", ".consent"
        ),
    ),
    "izwilomphakathi": Portal(
        body="h1[itemprop=headline], [itemprop=articleBody]",
        rules=_without(".card", ".voices", "footer"),
    ),
    "braaiandbakkie": Portal(
        body=".post-title, .entry",
        rules=_without(".post:has(> h2)", ".comment", "form", "#sidebar", "#foot"),
    ),
}
