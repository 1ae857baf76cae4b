"""What axe finds amiss on a page: WCAG 2.0 to 2.2, levels A and AA, and good practice."""

from axe_playwright_python.sync_playwright import Axe

TAGS = ("wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice")
WIDTHS = (1280, 360)
THEMES = ("light", "dark")


# Of all rules only this one depends on the theme.
THEME_RULES = {"type": "rule", "values": ["color-contrast"]}


def violations(page, rules=TAGS):
    """Return what axe finds amiss on the page as it stands, one line for each element."""
    chosen = list(rules) if isinstance(rules, tuple) else rules
    found = Axe().run(page, options={"runOnly": chosen, "resultTypes": ["violations"]})
    return [
        f"{rule['id']}: {node['html'][:120]} ({node['failureSummary'][:200]})"
        for rule in found.response["violations"]
        for node in rule["nodes"]
    ]


def violations_everywhere(page, path):
    """Return what is amiss on a page in two widths and two themes, with everything unfolded."""
    page.goto(path)
    # Of many rows that are made alike some will do.
    for alike in (".route:nth-of-type(n + 3)", ".results tbody tr:nth-child(n + 9)"):
        page.locator(alike).evaluate_all("all => all.forEach(each => each.remove())")
    page.locator("main details").evaluate_all("all => all.forEach(each => each.open = true)")
    found = []
    for width in WIDTHS:
        page.set_viewport_size({"width": width, "height": 740})
        for theme, rules in zip(THEMES, (TAGS, THEME_RULES), strict=True):
            page.emulate_media(color_scheme=theme, reduced_motion="reduce")
            found += [f"{width} {theme} {each}" for each in violations(page, rules)]
    return found
