"""What axe finds amiss on a page: WCAG 2.0 to 2.2, levels A and AA, and good practice."""

from axe_playwright_python.sync_playwright import Axe

TAGS = ("wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice")
WIDTHS = (1280, 360)
THEMES = ("light", "dark")


def violations(page):
    """Return what axe finds amiss on the page as it stands, one line for each element."""
    found = Axe().run(page, options={"runOnly": list(TAGS), "resultTypes": ["violations"]})
    return [
        f"{rule['id']}: {node['html'][:120]} ({node['failureSummary'][:200]})"
        for rule in found.response["violations"]
        for node in rule["nodes"]
    ]


def violations_everywhere(page, path):
    """Return what is amiss on a page in two widths and two themes, with everything unfolded."""
    page.goto(path)
    # Of many rows that are made alike some will do.
    page.locator(".route:nth-of-type(n + 5)").evaluate_all(
        "all => all.forEach(each => each.remove())"
    )
    page.locator("main details").evaluate_all("all => all.forEach(each => each.open = true)")
    found = []
    for width in WIDTHS:
        page.set_viewport_size({"width": width, "height": 740})
        for theme in THEMES:
            page.emulate_media(color_scheme=theme, reduced_motion="reduce")
            found += [f"{width} {theme} {each}" for each in violations(page)]
    return found
