"""Bring the catalogues of the pages up to date: tools/make_messages.py [TABLE.tsv ...].

Every message of the templates and of the code is in src/izwi/web/locale/*.po, translated or empty. Tables have the English
text, the Afrikaans and the isiZulu in three columns, plural forms apart by ';;'; what they hold is put into the catalogues.
"""

import ast
import json
import sys
from pathlib import Path

from jinja2 import Environment

from izwi.config.catalogues import LOCALE, read_messages

WEB = LOCALE.parent
# Functions that take a message first: of pages, and of letters.
MARKS = ("_", "say")
PLURALS = {"af": "(n != 1)", "zu": "(n > 1)"}
NAMES = {"af": "Afrikaans", "zu": "isiZulu"}
HEAD = """# izwi's pages in {name}.
msgid ""
msgstr ""
"Project-Id-Version: izwi\\n"
"Language: {code}\\n"
"MIME-Version: 1.0\\n"
"Content-Type: text/plain; charset=UTF-8\\n"
"Content-Transfer-Encoding: 8bit\\n"
"Plural-Forms: nplurals=2; plural={plural};\\n"
"""


def messages() -> dict[str, str]:
    """Return every message and its plural, empty if it has none."""
    found: dict[str, str] = {}
    templates = Environment(extensions=["jinja2.ext.i18n"])
    for path in sorted((WEB / "templates").rglob("*.html")):
        for _, function, said in templates.extract_translations(path.read_text(encoding="utf-8")):
            single, plural = said[:2] if isinstance(said, tuple) else (said, "")
            found[single] = found.get(single) or (plural if function == "ngettext" else "") or ""
    for path in sorted(WEB.parent.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            is_message = isinstance(node, ast.Call) and getattr(node.func, "id", "") in MARKS
            if is_message and isinstance(node.args[0], ast.Constant):
                found.setdefault(node.args[0].value, "")
    return found


def catalogue(code: str, known: dict[str, tuple[str, ...]]) -> str:
    """Return the text of a catalogue with every message there is."""
    parts = [HEAD.format(name=NAMES[code], code=code, plural=PLURALS[code])]
    for single, plural in sorted(messages().items()):
        forms = known.get(single, ())
        if plural:
            forms = forms if len(forms) == 2 else (forms * 2 or ("", ""))
            entry = [f"msgid {quoted(single)}", f"msgid_plural {quoted(plural)}"]
            entry += [f"msgstr[{number}] {quoted(form)}" for number, form in enumerate(forms)]
        else:
            entry = [f"msgid {quoted(single)}", f"msgstr {quoted(forms[0] if forms else '')}"]
        parts.append("\n".join(entry) + "\n")
    return "\n".join(parts)


def quoted(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)


def main() -> None:
    for place, code in enumerate(NAMES, 1):
        path = LOCALE / f"{code}.po"
        known = dict(read_messages(path.read_text(encoding="utf-8"))) if path.exists() else {}
        for table in map(Path, sys.argv[1:]):
            for line in table.read_text(encoding="utf-8").splitlines():
                cells = line.split("\t")
                known[cells[0].split(";;")[0]] = tuple(cells[place].split(";;"))
        text = catalogue(code, known)
        path.write_text(text, encoding="utf-8")
        missing = [single for single in messages() if single and not any(known.get(single, ()))]
        print(f"{code}: {len(messages())} messages, {len(missing)} not translated {missing[:8]}")


if __name__ == "__main__":
    main()
