"""Bring the catalogues of the pages up to date: tools/make_messages.py [TABLE.tsv ...].

Every message of the templates and of the code, and every sentence that parts below the pages make (tools/sentences.py), is
in src/izwi/web/locale/*.po, translated or empty. Tables name a language in their first line (text, af, zu) and have the
English text and its translations in columns, plural forms apart by ';;'; what they hold is put into the catalogues.

    tools/make_messages.py --new fr --name français --plural "n > 1"     a new language of the interface, all empty
    tools/make_messages.py --todo fr > fr.tsv                            what is not translated yet, as such a table
"""

import argparse
import ast
import json
import re
import sys
from pathlib import Path

from jinja2 import Environment

sys.path.insert(0, str(Path(__file__).parent))

from sentences import sentences

from izwi.config.catalogues import LOCALE, read_messages

WEB = LOCALE.parent
# Functions that take a message first: of pages, and of letters.
MARKS = ("_", "say")
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


def messages() -> dict[str, str]:
    """Return every message and its plural, empty if it has none."""
    found: dict[str, str] = {}
    templates = Environment(extensions=["jinja2.ext.i18n"])
    for path in sorted((WEB / "templates").rglob("*.*ml")):
        for _, function, said in templates.extract_translations(path.read_text(encoding="utf-8")):
            single, plural = said[:2] if isinstance(said, tuple) else (said, "")
            found[single] = found.get(single) or (plural if function == "ngettext" else "") or ""
    for path in sorted(WEB.parent.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            is_message = isinstance(node, ast.Call) and getattr(node.func, "id", "") in MARKS
            if is_message and node.args and isinstance(node.args[0], ast.Constant):
                found.setdefault(str(node.args[0].value), "")
    return found | {pattern: found.get(pattern, "") for pattern in sentences()}


def catalogue(head: str, known: dict[str, tuple[str, ...]]) -> str:
    """Return the text of a catalogue with every message there is."""
    count = int(re.search(r"nplurals=(\d)", head)[1])  # type: ignore[index]
    parts = [head]
    for single, plural in sorted(messages().items()):
        forms = known.get(single, ())
        if plural:
            forms = forms if len(forms) == count else (forms[:1] or ("",)) * count
            entry = [f"msgid {quoted(single)}", f"msgid_plural {quoted(plural)}"]
            entry += [f"msgstr[{number}] {quoted(form)}" for number, form in enumerate(forms)]
        else:
            entry = [f"msgid {quoted(single)}", f"msgstr {quoted(forms[0] if forms else '')}"]
        parts.append("\n".join(entry) + "\n")
    return "\n".join(parts)


def quoted(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)


def read_table(path: Path) -> dict[str, dict[str, tuple[str, ...]]]:
    """Return the translations of a table, by language."""
    head, *lines = path.read_text(encoding="utf-8").split("\n")
    codes = head.split("\t")[1:]
    found: dict[str, dict[str, tuple[str, ...]]] = {code: {} for code in codes}
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
        known = dict(read_messages(text))
        for table in added:
            known |= table.get(path.stem, {})
        path.write_text(catalogue(text.partition("\n\n")[0] + "\n", known), encoding="utf-8")
        missing = [single for single in every if not any(known.get(single, ()))]
        print(f"{path.stem}: {len(every)} messages, {len(missing)} not translated {missing[:8]}")


def todo(code: str) -> None:
    """Print what a catalogue lacks, to be filled in."""
    known = dict(read_messages((LOCALE / f"{code}.po").read_text(encoding="utf-8")))
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
