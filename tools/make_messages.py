"""Bring the catalogues of the pages up to date: tools/make_messages.py [TABLE.tsv ...].

Every message of the templates and of the code, and every sentence that parts below the pages make (tools/sentences.py), is
in src/izwi/web/locale/*.po, translated or empty; Babel finds, reads and writes them. Tables name a language in their first
line (text, af, zu) and have the English text and its translations in columns, plural forms apart by ';;'; what they hold is
put into the catalogues.

    tools/make_messages.py --new fr --name français --plural "n > 1"     a new language of the interface, all empty
    tools/make_messages.py --todo fr > fr.tsv                            what is not translated yet, as such a table
"""

import argparse
import sys
from functools import cache
from io import BytesIO
from pathlib import Path

from babel.messages.catalog import Catalog
from babel.messages.extract import extract_from_dir
from babel.messages.pofile import read_po, write_po

sys.path.insert(0, str(Path(__file__).parent))

from sentences import sentences

from izwi.presentation.catalogues import LOCALE

WEB = LOCALE.parent
SOURCE = WEB.parent
METHODS = [("web/templates/**.*ml", "jinja2.ext:babel_extract"), ("**.py", "python")]
# Functions that take a message first: of pages, and of letters.
MARKS = {"_": None, "say": None, "gettext": None, "ngettext": (1, 2)}
HEAD = """# izwi's pages in {name}.
msgid ""
msgstr ""
"Project-Id-Version: izwi\\n"
"Language: {code}\\n"
"MIME-Version: 1.0\\n"
"Content-Type: text/plain; charset=UTF-8\\n"
"Content-Transfer-Encoding: 8bit\\n"
"Plural-Forms: nplurals={forms}; plural=({plural});\\n"
"""
Translations = dict[str, tuple[str, ...]]


@cache
def messages() -> dict[str, str]:
    """Return every message and its plural, empty if it has none."""
    found: dict[str, str] = {}
    for _, _, said, _, _ in extract_from_dir(
        SOURCE, METHODS, keywords=MARKS, strip_comment_tags=True
    ):
        single, plural = said if isinstance(said, tuple) else (said, "")
        if single.strip():
            found[single] = found.get(single) or plural
    return found | {pattern: found.get(pattern, "") for pattern in sentences()}


def read(text: str) -> Translations:
    """Return the translations of a catalogue, one for each plural form."""
    found = read_po(BytesIO(text.encode()))
    return {
        each.id[0] if each.pluralizable else each.id: each.string
        if each.pluralizable
        else (each.string,)
        for each in found
        if each.id
    }


def catalogue(head: str, known: Translations) -> str:
    """Return the text of a catalogue with every message there is."""
    made = Catalog()
    forms = read_po(BytesIO(head.encode())).num_plurals
    for single, plural in messages().items():
        said = known.get(single, ())
        if plural:
            said = said if len(said) == forms else (said[:1] or ("",)) * forms
        each = made.add(
            (single, plural) if plural else single, said if plural else next(iter(said), "")
        )
        # Patterns are no formats of Python, and translators need no marks.
        each.flags.clear()
    out = BytesIO()
    write_po(out, made, width=0, omit_header=True, sort_output=True)
    return f"{head}\n{out.getvalue().decode().strip()}\n"


def read_table(path: Path) -> dict[str, Translations]:
    """Return the translations of a table, by language."""
    head, *lines = path.read_text(encoding="utf-8").split("\n")
    codes = head.split("\t")[1:]
    found: dict[str, Translations] = {code: {} for code in codes}
    for line in filter(None, lines):
        text, *translations = line.replace("\\n", "\n").split("\t")
        for code, said in zip(codes, translations, strict=True):
            found[code][text.split(";;")[0]] = tuple(said.split(";;"))
    return found


def update(tables: list[Path]) -> None:
    """Write every catalogue anew, with what tables add."""
    added = [read_table(table) for table in tables]
    every = messages()
    for path in sorted(LOCALE.glob("*.po")):
        text = path.read_text(encoding="utf-8")
        known = read(text)
        for table in added:
            known |= table.get(path.stem, {})
        path.write_text(catalogue(text.partition("\n\n")[0] + "\n", known), encoding="utf-8")
        missing = [single for single in every if not any(known.get(single, ()))]
        print(f"{path.stem}: {len(every)} messages, {len(missing)} not translated {missing[:8]}")


def todo(code: str) -> None:
    """Print what a catalogue lacks, to be filled in."""
    known = read((LOCALE / f"{code}.po").read_text(encoding="utf-8"))
    print(f"text\t{code}")
    for single, plural in messages().items():
        if not any(known.get(single, ())):
            text = ";;".join(filter(None, (single, plural))).replace("\n", "\\n")
            print(f"{text}\t")


def main() -> None:
    read = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    read.add_argument("tables", nargs="*", type=Path)
    read.add_argument("--new", metavar="CODE")
    read.add_argument("--name", default="")
    read.add_argument("--plural", default="n != 1")
    read.add_argument("--forms", type=int, default=2)
    read.add_argument("--todo", metavar="CODE")
    asked = read.parse_args()
    if asked.todo:
        todo(asked.todo)
        return
    if asked.new:
        path = LOCALE / f"{asked.new}.po"
        head = HEAD.format(
            name=asked.name or asked.new, code=asked.new, plural=asked.plural, forms=asked.forms
        )
        path.write_text(catalogue(head, {}), encoding="utf-8")
    update(asked.tables)


if __name__ == "__main__":
    main()
