"""What cwb-encode warns of, by its rules for lines, tags, attributes and names.

Read from the sources of CWB 3.5 (utils/cwb-encode.c, cl/cl.h) and told here in our own words, for
machines where CWB itself is not at hand.
"""

import re
import shlex
import unicodedata
from dataclasses import dataclass, field

# In bytes, with the NUL at the end; a line also has its line break.
VALUE, LINE = 4_096, 65_536
_ENTITIES = (("&lt;", "<"), ("&gt;", ">"), ("&quot;", '"'), ("&amp;", "&"))
_TAG = re.compile(r"<(/?)([A-Za-z0-9_\x80-\U0010ffff-]+)([ \t>/])")
_PAIR = re.compile(r"""([A-Za-z0-9_\x80-\U0010ffff-]+)[ \t]*=[ \t]*"([^"]*)"[ \t]*""")
_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_-]*")


@dataclass
class Declared:
    """The attributes on a command line: columns, structures with their attributes, ignored tags."""

    columns: list[str] = field(default_factory=lambda: ["word"])
    structures: dict[str, list[str]] = field(default_factory=dict)
    ignored: list[str] = field(default_factory=list)
    registry: str = ""
    flags: str = ""


@dataclass
class Encoded:
    """What the encoder keeps, and what it complains of."""

    tokens: list[list[str]] = field(default_factory=list)
    regions: list[tuple[str, dict[str, str]]] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)


def declared(script: str) -> Declared:
    """Return what the command in a script declares."""
    command = next(line for line in script.splitlines() if line.startswith("cwb-encode"))
    words, found = iter(shlex.split(command)[1:]), Declared()
    for word in words:
        if word == "-P":
            found.columns.append(next(words))
        elif word == "-S":
            name, *attributes = next(words).split("+")
            found.structures[name.removesuffix(":0")] = attributes
        elif word == "-0":
            found.ignored.append(next(words))
        elif word == "-R":
            found.registry = next(words).rpartition("/")[2]
        elif word in ("-c", "-d", "-f"):
            next(words)
        else:
            found.flags += word.removeprefix("-")
    return found


def wrong_names(names: Declared) -> list[str]:
    """Return what is declared under a name it may not have, or twice."""
    inner = [f"{name}_{each}" for name, given in names.structures.items() for each in given]
    everything = [*names.columns, *names.structures, *names.ignored, *inner]
    wrong = [name for name in (*everything, names.registry) if not _NAME.fullmatch(name)]
    twice = [name for name in set(everything) if everything.count(name) > 1]
    return wrong + twice + [names.registry] * (names.registry != names.registry.lower())


def encode(text: bytes, names: Declared) -> Encoded:
    """Read a vertical text as the encoder does."""
    found, opened = Encoded(), dict.fromkeys(names.structures, 0)
    for number, raw in enumerate(text.split(b"\n")[:-1], 1):
        if len(raw) + 1 >= LINE - 1:
            found.warnings.append(f"line {number}: too long")
        # Bytes that are no UTF-8 stop the encoder: here they raise an error.
        line = unicodedata.normalize("NFC", raw.decode()).lstrip(" ")
        if not line or line.startswith(("<?", "<!")):
            continue
        problem = _tag(line, names, found, opened) if line[0] == "<" else _token(line, names, found)
        if problem:
            found.warnings.append(f"line {number}: {problem}")
    found.warnings += [f"<{name}> is open at the end" for name, depth in opened.items() if depth]
    return found


def _tag(line: str, names: Declared, found: Encoded, opened: dict[str, int]) -> str:
    tag = _TAG.match(line)
    if tag is None:
        return "malformed tag"
    name, is_end = tag[2], bool(tag[1])
    if name in names.ignored:
        return ""
    if name not in names.structures:
        return f"<{name}> is not declared"
    opened[name] += -1 if is_end else 1
    if not 0 <= opened[name] <= 1:
        return f"<{name}> is not nested as declared"
    return "" if is_end else _attributes(name, line[tag.end(2) : line.rindex(">")], names, found)


def _attributes(name: str, written: str, names: Declared, found: Encoded) -> str:
    written, values = written.strip(" \t"), {}
    while written:
        pair = _PAIR.match(written)
        if pair is None:
            return f"syntax error in <{name} {written[:40]}"
        if pair[1] not in names.structures[name] or pair[1] in values:
            return f"attribute {pair[1]} of <{name}> is not declared, or twice"
        values[pair[1]] = _decoded(pair[2])
        written = written[pair.end() :]
    found.regions.append((name, values))
    too_long = [key for key, value in values.items() if len(value.encode()) >= VALUE]
    return f"value of {too_long[0]} is too long" if too_long else ""


def _token(line: str, names: Declared, found: Encoded) -> str:
    fields = [_decoded(each.strip(" ")) for each in line.split("\t")]
    found.tokens.append(fields)
    if len(fields) != len(names.columns) or not all(fields):
        return f"{len(fields)} columns instead of {len(names.columns)}, or an empty one"
    is_long = any(len(each.encode()) >= VALUE for each in fields)
    return "a value is too long" if is_long else ""


def _decoded(value: str) -> str:
    for entity, sign in _ENTITIES:
        value = value.replace(entity, sign)
    return value
