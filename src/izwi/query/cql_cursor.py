"""The text of a query while it is read: one character ahead, with errors that point at it."""

import re
from typing import NoReturn

from izwi.model.errors import CqlSyntaxError
from izwi.query import tree
from izwi.query.hits import STRATEGIES

# A longer query is a paste by mistake, or a list of words that belongs into a file.
LONGEST = 65_536
# Deeper brackets than this are no query a person wrote.
DEEPEST = 100
# Repetitions, distances and similar words: nobody asks for more.
MOST_TIMES = 1000

NAME = re.compile(r"[A-Za-z_][\w-]*")
NUMBER = re.compile(r"-?\d+")
_EXPAND = re.compile(r"expand\s+(?:(left|right)\s+)?to\b")
# A number of tokens, with or without a word for them.
TOKENS = re.compile(r"(\d+)(?:\s*(?:words?|tokens?)\b)?")
_STRATEGY = re.compile(r"\(\?\s*(\w+)\s*\)")
_TIMES = re.compile(r"\{\s*(\d*)\s*(,?)\s*(\d*)\s*\}")
# Also what CQP takes for a remark: from # to the end of the line.
_SPACE = re.compile(r"(?:\s|#(?!\d)[^\n]*)*")
_QUOTED = re.compile(r"""\s*('(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*")""")
_CALL = re.compile(r"/(\w+)\s*\[")
# One argument: texts in quotes, and whatever is neither comma nor bracket.
_ARGUMENT = re.compile(r"""\s*((?:'[^']*'|"[^"]*"|[^,\]'"])*)\s*([,\]])""")
_PLACE = re.compile(r"\$(\d)(?!\w)")
# A macro that calls itself would be written out for ever.
_MOST_CALLS = 200

# What other systems understand, and what to write here instead; a name of ours may be the same.
_NOT_OURS = r"\b(?!\s*[:=.!<>])"
_FOREIGN = tuple(
    (re.compile(expression), words)
    for expression, words in (
        (r"ccoll\s*\(", "ccoll gives a token another label and stands before a query: "
         "ccoll(1, 2, QUERY); for words near each other write (meet A B -5 5)"),
        (r"\[\s*#|#\d", "positions change when a corpus grows; a hit is found again by its "
         "permanent id (izwi hit)"),
        (rf"(reduce|sort){_NOT_OURS}", "sort and reduce follow a query and a semicolon, or are "
         "options: --sort, --sample"),
        (rf"count{_NOT_OURS}", "counts are made by izwi freq QUERY --by lemma"),
        (rf"group{_NOT_OURS}", "counts are made by izwi freq QUERY --by target.lemma, and by two "
         "things with --and-by"),
        (rf"tabulate{_NOT_OURS}", "tables of hits are made by izwi quote --query QUERY "
         "--format csv"),
        (r":!?[A-Za-z]", "aligned corpora are not understood; ask the other corpus by itself"),
        (r"_\.[A-Za-z]+_\w", "what a structure says stands after the tokens: "
         'within <doc source="..."/>'),
        (r"[lr]bound(_of)?\s*\(", "write lbound(s) or rbound(s), or <s> before the token and </s> "
         "after it"),
        (r"strlen\s*\(", 'write strlen(word) > 5, or how many letters, such as word=".{6,}"'),
        (r"ambiguity\s*\(", "ambiguity is not understood; tokens have one value of each attribute"),
        (r"(unify|normalize|prefix|is_prefix|minus|ignore|abs|add|sub|mul|int)\s*\(",
         "functions on values are not understood; write what the value is, as an expression; "
         'numbers of a structure are compared by within <doc year>="1990"/>'),
        (r"set\s+\w+\s+(target|keyword|match|matchend)\b", "a token gets its label in the query "
         "itself, such as @[...]"),
        (rf"size{_NOT_OURS}", "every answer says how many hits there are; write the query alone"),
        (rf"(show|set|cat|dump|undump|save|info|delete|discard|activate|randomize|unlock|exit|quit){_NOT_OURS}",
         "commands of CQP are options here; write the query alone"),
    )
)  # fmt: skip
# One look tells that nothing of it stands here, as nearly always.
_ANY_FOREIGN = re.compile("|".join(f"(?:{each.pattern})" for each, _ in _FOREIGN))


class Cursor:
    """A text and the place up to which it was read."""

    # Which matches count unless a query says it, see `set MatchingStrategy`.
    _usual_strategy = ""

    def __init__(self, text: str) -> None:
        self._text = text
        self._at = 0
        self._depth = 0
        self._calls = 0
        # Structures that were opened with the name of an attribute joined to theirs.
        self._joined_names: set[str] = set()
        # What CQP has of its own; others are defined in the query.
        self._macros: dict[str, str] = {"region": "<$0/>"}
        self._skip()

    def _macro_body(self, is_quoted: bool) -> str:
        """Read what a macro stands for: texts in quotes, or everything up to a semicolon."""
        parts = list[str]()
        while found := is_quoted and _QUOTED.match(self._text, self._at):
            parts.append(found[1][1:-1])
            self._move(found.end())
        if parts and self._peek() in {"", ";"}:
            return " ".join(parts)
        first = self._at if not parts else self._text.rindex(parts[0], 0, self._at) - 1
        end = first
        while end < len(self._text) and self._text[end] != ";":
            quoted = _QUOTED.match(self._text, end) if self._text[end] in "\"'" else None
            end = quoted.end() if quoted else end + 1
        self._move(end)
        return self._text[first:end]

    def _write_out_macro(self) -> None:
        """Put what a macro stands for in the place of its call, if one stands here."""
        while call := _CALL.match(self._text, self._at):
            if call[1] not in self._macros:
                known = ", ".join(f"/{name}" for name in self._macros)
                self._fail(
                    f"no macro has the name /{call[1]} (known: {known}); write define macro "
                    f"{call[1]}(0) '...' ; first"
                )
            self._calls += 1
            arguments, end = self._arguments(call.end())
            body = self._filled(self._macros[call[1]], arguments)
            text = f"{self._text[: self._at]}{body}{self._text[end:]}"
            if self._calls > _MOST_CALLS or len(text) > LONGEST:
                self._fail(f"the macro /{call[1]} becomes too long once it is written out")
            self._text = text
            self._skip()

    def _arguments(self, at: int) -> tuple[list[str], int]:
        found = list[str]()
        while each := _ARGUMENT.match(self._text, at):
            own, at = each[1].strip(), each.end()
            is_quoted = len(own) > 1 and own[0] == own[-1] and own[0] in "\"'"
            found.append(own[1:-1] if is_quoted else own)
            if each[2] == "]":
                return found, at
        return self._fail("the arguments of a macro have no closing bracket")

    def _filled(self, body: str, arguments: list[str]) -> str:
        """Return what a macro stands for with its arguments in their places."""
        most = max(map(int, _PLACE.findall(body)), default=-1)
        if most >= len(arguments):
            self._fail(f"the macro wants {most + 1} arguments, not {len(arguments)}")
        return _PLACE.sub(lambda place: arguments[int(place[1])], body)

    def _refuse_foreign(self) -> None:
        """Say what to write instead of what other systems understand and this one does not."""
        if not _ANY_FOREIGN.match(self._text, self._at):
            return
        for expression, words in _FOREIGN:
            if expression.match(self._text, self._at):
                self._fail(words)

    def _peek(self) -> str:
        return self._text[self._at : self._at + 1]

    def _take_if(self, sign: str) -> bool:
        if not self._text.startswith(sign, self._at):
            return False
        self._move(self._at + len(sign))
        return True

    def _take_word(self, word: str) -> bool:
        found = re.compile(rf"{word}\b(?!\s*[:=.])").match(self._text, self._at)
        if found:
            self._move(found.end())
        return bool(found)

    def _take(self, sign: str, expected: str) -> None:
        if not self._take_if(sign):
            self._expected(expected)

    def _move(self, place: int) -> None:
        self._at = place
        self._skip()

    def _skip(self) -> None:
        found = _SPACE.match(self._text, self._at)
        self._at = found.end() if found else self._at

    def _string(self) -> str:
        quote = self._peek()
        if not quote or quote not in "\"'":
            self._refuse_foreign()
            self._expected('a value in quotes, such as "go.*"')
        end = self._at + 1
        while end < len(self._text) and self._text[end] != quote:
            end += 2 if self._text[end] == "\\" else 1
        if end >= len(self._text):
            self._fail("the value that begins here has no closing quote")
        inner = self._text[self._at + 1 : end]
        self._move(end + 1)
        return inner if quote == '"' else re.sub(r'(?<!\\)((?:\\\\)*)"', r'\1\\"', inner)

    def _strategy(self) -> str:
        found = _STRATEGY.match(self._text, self._at)
        if not found:
            return self._usual_strategy
        self._check_strategy(found[1])
        self._move(found.end())
        return found[1]

    def _check_strategy(self, name: str) -> None:
        if name not in STRATEGIES:
            known = ", ".join(f"(?{each})" for each in STRATEGIES if each)
            self._fail(f"there is no strategy '{name}'; write one of {known}")

    def _expansion(self) -> tuple[str, str]:
        found = _EXPAND.match(self._text, self._at)
        if not found:
            return "", "both"
        self._move(found.end())
        name = NAME.match(self._text, self._at)
        tokens = TOKENS.match(self._text, self._at)
        if tokens and 1 <= int(tokens[1]) <= MOST_TIMES:
            self._move(tokens.end())
            return f"{int(tokens[1])}", found[1] or "both"
        if name is None:
            self._expected("the name of a structure such as s, or a number of tokens")
        self._move(name.end())
        return name[0], found[1] or "both"

    def _times(self) -> tuple[int, int | None]:
        found = _TIMES.match(self._text, self._at)
        if found is None or not (found[1] or found[3]):
            self._expected("a number of times such as {2}, {1,3} or {2,}")
        least = int(found[1] or 0)
        most = int(found[3]) if found[3] else None if found[2] else least
        if max(least, most or 0) > MOST_TIMES:
            self._fail(f"at most {MOST_TIMES} times can be asked for")
        if most is not None and most < least:
            self._fail(f"{least} is more than {most}; write the smaller number first")
        self._move(found.end())
        return least, most

    def _number(self) -> int:
        found = NUMBER.match(self._text, self._at)
        if found is None:
            self._expected("a distance in tokens such as -3, the name of a structure, or ')'")
        if abs(int(found[0])) > MOST_TIMES:
            self._fail(f"a window reaches at most {MOST_TIMES} tokens")
        self._move(found.end())
        return int(found[0])

    def _deeper(self) -> None:
        self._depth += 1
        if self._depth > DEEPEST:
            self._fail(f"brackets are nested more than {DEEPEST} deep")

    def _light(self, query: tree.Query) -> tree.Query:
        """Return a query, unless it is put together of more than can be run."""
        if tree.weight(query) > 2 * DEEPEST:
            self._fail(f"at most {DEEPEST} queries can be put together")
        return query

    def _expected(self, what: str) -> NoReturn:
        there = f"'{self._peek()}'" if self._peek() else "the end"
        self._fail(f"expected {what}, found {there}")

    def _fail(self, words: str) -> NoReturn:
        raise CqlSyntaxError(pointing(self._text, self._at, words), self._at)


def pointing(text: str, position: int, words: str) -> str:
    """Return a message with the query and a mark under one of its characters."""
    first = max(0, position - 60)
    shown = text[first : position + 40].replace("\n", " ").replace("\t", " ")
    return f"At character {position + 1}: {words}.\n{shown}\n{' ' * (position - first)}^"


_CQL = re.compile(
    r'\s*(\[|<\w|\((meet|union)\b|\(\?\w+\)|\w+:\[|@[01"\[]|define \$|(define macro|MACRO) \w'
    r'|~\d*\s*"|\$[A-Za-z]\w*$|(ws|term)\s*\(\s*"|swap\s*\(\s*\w+\s*,|/\w+\[|[A-Za-z]\w*\s*=\s*["\[<(]'
    r'|"[^"]*"\s*(\[|%|within\b|containing\b|expand\b|cut\b|;|"))'
)


def looks_like_cql(text: str) -> bool:
    """Return whether a query can only be meant as CQL.

    >>> looks_like_cql('[lemma="go"]'), looks_like_cql("load-shedding")
    (True, False)
    """
    return _CQL.match(text) is not None
