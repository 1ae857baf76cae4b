"""The rules of CoNLL-U up to level 2 of the Universal Dependencies validator, in our words."""

import re
import unicodedata

from izwi.export.conllu import UPOS

_FEATURE = re.compile(
    r"[A-Z][A-Za-z0-9]*(\[[a-z0-9]+\])?=[A-Z0-9][A-Za-z0-9]*(,[A-Z0-9][A-Za-z0-9]*)*"
)


def broken_rules(text):
    """Return a sentence for each rule that a file breaks."""
    broken = []
    if text and not text.endswith("\n\n"):
        broken.append("the file does not end with an empty line")
    if unicodedata.normalize("NFC", text) != text:
        broken.append("the file is not in composed form")
    seen = set()
    for block in filter(None, text.split("\n\n")):
        broken += _sentence(block.strip("\n").split("\n"), seen)
    return broken


def _sentence(lines, seen):
    comments = dict(
        line[2:].split(" = ", 1) for line in lines if line.startswith("# ") and " = " in line
    )
    rows = [line.split("\t") for line in lines if not line.startswith("# ")]
    name = comments.get("sent_id", "")
    if not name or name in seen or re.search(r"\s", name):
        yield f"sent_id '{name}' is missing, repeated or has a space"
    seen.add(name)
    if [row[0] for row in rows] != [str(number) for number in range(1, len(rows) + 1)]:
        yield f"{name}: numbers are not 1, 2, 3"
    for row in rows:
        yield from _row(row, len(rows), name)
    spelt = "".join(row[1] + ("" if "SpaceAfter=No" in row[9] else " ") for row in rows)
    if comments.get("text") != spelt.rstrip(" "):
        yield f"{name}: the text is not that of its words"
    if [row[6] for row in rows].count("0") != 1:
        yield f"{name}: not one root"


def _row(row, length, name):
    if len(row) != 10 or not all(row):
        yield f"{name}: not ten filled columns"
        return
    for value in row:
        if value != value.strip() or "  " in value:
            yield f"{name}: '{value}' has space at its ends or twice"
    if any(re.search(r"\s", value) for place, value in enumerate(row) if place not in (1, 2)):
        yield f"{name}: space in a column that allows none"
    if row[3] not in UPOS:
        yield f"{name}: '{row[3]}' is no universal tag"
    features = [] if row[5] == "_" else row[5].split("|")
    if not all(map(_FEATURE.fullmatch, features)) or features != sorted(features, key=str.lower):
        yield f"{name}: features {row[5]}"
    if not 0 <= int(row[6]) <= length or int(row[6]) == int(row[0]):
        yield f"{name}: head {row[6]}"
    if (row[6] == "0") != (row[7] == "root"):
        yield f"{name}: {row[7]} hangs on {row[6]}"
