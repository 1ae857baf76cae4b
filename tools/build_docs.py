"""Turn docs/ and README.md into plain HTML pages without any outside host: tools/build_docs.py FOLDER."""

import re
import shutil
import sys
from functools import cache
from html import escape
from pathlib import Path

from markdown_it import MarkdownIt

ROOT = Path(__file__).parent.parent
FOLDERS = {
    "tutorial": "Tutorial",
    "how-to": "How to",
    "reference": "Reference",
    "explanation": "Explanation",
    "decisions": "Decisions",
}
PAGE = """<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>{title}</title><style>
body {{ font: 16px/1.55 system-ui, sans-serif; max-width: 52rem; margin: 2rem auto; padding: 0 1rem; color-scheme: light dark }}
pre {{ overflow-x: auto; padding: .7rem; background: color-mix(in srgb, currentColor 7%, transparent) }}
table {{ border-collapse: collapse; display: block; overflow-x: auto }} td, th {{ text-align: left; padding: .25rem .7rem .25rem 0; vertical-align: top }}
img {{ max-width: 100% }} nav a {{ margin-right: 1rem }} nav details {{ display: inline-block; vertical-align: top; margin-right: 1rem }} nav ul {{ margin: .3rem 0; padding-left: 1.2rem }}
</style></head><body><nav aria-label="Pages">{links}</nav><main>{body}</main></body></html>
"""


def sources() -> dict[str, Path]:
    """Return the pages by their address."""
    found = {"index.html": ROOT / "README.md", "CHANGELOG.html": ROOT / "CHANGELOG.md"}
    for path in sorted((ROOT / "docs").rglob("*.md")):
        found[str(Path("docs") / path.relative_to(ROOT / "docs").with_suffix(".html"))] = path
    return found


def render(path: Path, address: str) -> str:
    """Return one page as HTML, its links pointing at the other pages."""
    text = path.read_text(encoding="utf-8")
    title = re.search(r"^# (.+)$", text, re.MULTILINE)
    body = MarkdownIt("commonmark").enable("table").render(text)
    body = re.sub(r'href="(?!https?:)([^"#]+)\.md', r'href="\1.html', body)
    up = "../" * address.count("/")
    return PAGE.format(
        title=title[1] if title else path.stem, links=navigation(up, address), body=body
    )


def navigation(up: str, here: str) -> str:
    """Return links to all pages, folder by folder; the folder of this page is open."""
    folders: dict[str, list[str]] = {}
    for address, path in sources().items():
        mark = ' aria-current="page"' if address == here else ""
        link = f'<li><a href="{up}{address}"{mark}>{headline(path)}</a></li>'
        folders.setdefault(Path(address).parent.name, []).append(link)
    parts = [f'<a href="{up}index.html">izwi</a>']
    for name in FOLDERS:
        is_open = " open" if Path(here).parent.name == name else ""
        items = "".join(folders.get(name, []))
        parts.append(
            f"<details{is_open}><summary>{FOLDERS[name]}</summary><ul>{items}</ul></details>"
        )
    return "".join(parts)


@cache
def headline(path: Path) -> str:
    """Return the first heading of a page."""
    found = re.search(r"^# (.+)$", path.read_text(encoding="utf-8"), re.MULTILINE)
    return escape(found[1].strip("`")) if found else path.stem


def main(folder: Path) -> None:
    for address, path in sources().items():
        target = folder / address
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(render(path, address), encoding="utf-8")
    shutil.copytree(ROOT / "docs" / "images", folder / "docs" / "images", dirs_exist_ok=True)
    sys.stdout.write(f"{len(sources())} pages in {folder}\n")


if __name__ == "__main__":
    main(Path(sys.argv[1] if len(sys.argv) > 1 else "site"))
