"""CQL as users of Sketch Engine, CWB and BlackLab write it; errors point at the character."""

import re
from typing import NoReturn

from izwi.model.errors import CqlSyntaxError
from izwi.query.tree import (
    Alternatives,
    Both,
    Boundary,
    Comparison,
    Condition,
    Either,
    Limit,
    Meet,
    Not,
    Pattern,
    Query,
    Region,
    Repeat,
    Sequence,
    Test,
    Token,
    Union,
)

# A longer query is a paste by mistake, or a list of words that belongs into a file.
LONGEST = 65_536
# Deeper brackets than this are no query a person wrote.
DEEPEST = 100
MOST_TIMES = 1000

_SPACE = re.compile(r"\s*")
_NAME = re.compile(r"[A-Za-z_][\w-]*")
_LABEL = re.compile(r"([A-Za-z_]\w*|\d+)\s*:(?!:)")
_COMPARISON = re.compile(r"([A-Za-z_]\w*|\d+)\.([A-Za-z_][\w-]*)")
_NUMBER = re.compile(r"-?\d+")
_TIMES = re.compile(r"\{\s*(\d*)\s*(,?)\s*(\d*)\s*\}")
_WITHIN = re.compile(r"(!|not\s+)?\s*(within|containing)\b")
_FLAGS = re.compile(r"%([a-z]+)")
_SIGNS = {"?": (0, 1), "*": (0, None), "+": (1, None)}


def parse(text: str) -> Query:
    """Return the syntax tree of a query, or raise an error that says what was expected where."""
    if len(text) > LONGEST:
        raise CqlSyntaxError(
            f"The query has {len(text):,} characters; at most {LONGEST:,} can be read.", LONGEST
        )
    return _Parser(text).query()


class _Parser:
    """Reads a query from left to right, one character ahead."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._at = 0
        self._depth = 0
        self._skip()

    def query(self) -> Query:
        """Read all of the text."""
        self._take_if("MU")
        pattern = self._alternatives()
        limits: list[Limit] = []
        while found := _WITHIN.match(self._text, self._at):
            self._move(found.end())
            limits.append(Limit(self._scope(), found[2] == "within", bool(found[1])))
        comparisons: list[Comparison] = []
        while self._take_if("&") or self._take_if("::"):
            comparisons.append(self._comparison(pattern))
        self._take_if(";")
        if self._at < len(self._text):
            self._expected("a token in brackets, 'within', 'containing', '&' or the end")
        return Query(pattern, tuple(limits), tuple(comparisons))

    def _alternatives(self) -> Pattern:
        self._deeper()
        items = [self._sequence()]
        while self._take_if("|"):
            items.append(self._sequence())
        self._depth -= 1
        return items[0] if len(items) == 1 else Alternatives(tuple(items))

    def _sequence(self) -> Pattern:
        items = [self._repeated()]
        while self._peek() and (self._peek() in "[\"(<'" or self._labelled()):
            items.append(self._repeated())
        return items[0] if len(items) == 1 else Sequence(tuple(items))

    def _labelled(self) -> "re.Match[str] | None":
        return _LABEL.match(self._text, self._at)

    def _repeated(self) -> Pattern:
        item = self._item()
        while True:
            if self._peek() in _SIGNS and self._peek():
                least, most = _SIGNS[self._peek()]
                self._move(self._at + 1)
            elif self._peek() == "{":
                least, most = self._times()
            else:
                return item
            item = Repeat(item, least, most)

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

    def _item(self) -> Pattern:
        label = self._labelled()
        if label:
            self._move(label.end())
            if self._peek() not in "[\"'" or not self._peek():
                self._expected(f"a token in brackets after the label '{label[1]}:'")
            return Token(self._token_condition(), label[1])
        sign = self._peek()
        if sign and sign in "[\"'":
            return Token(self._token_condition())
        if sign == "<":
            return self._structure()
        if sign == "(":
            return self._group()
        return self._expected(
            'a token such as [lemma="go"] or "go", a group in ( ), or a structure <s>'
        )

    def _token_condition(self) -> Condition | None:
        if self._peek() != "[":
            return self._comparand("word", is_negated=False)
        self._move(self._at + 1)
        if self._take_if("]"):
            return None
        condition = self._either()
        self._take("]", "'&', '|' or ']'")
        return condition

    def _either(self) -> Condition:
        self._deeper()
        items = [self._both()]
        while self._take_if("|"):
            items.append(self._both())
        self._depth -= 1
        return items[0] if len(items) == 1 else Either(tuple(items))

    def _both(self) -> Condition:
        items = [self._condition()]
        while self._take_if("&"):
            items.append(self._condition())
        return items[0] if len(items) == 1 else Both(tuple(items))

    def _condition(self) -> Condition:
        if self._take_if("!"):
            self._deeper()
            inner = self._condition()
            self._depth -= 1
            return Not(inner)
        if self._take_if("("):
            condition = self._either()
            self._take(")", "'&', '|' or ')'")
            return condition
        if self._peek() and self._peek() in "\"'":
            return self._comparand("word", is_negated=False)
        name = _NAME.match(self._text, self._at)
        if name is None:
            self._expected("an attribute such as word, lemma or tag")
        self._move(name.end())
        return self._test(name[0])

    def _test(self, attribute: str) -> Test:
        is_negated = self._take_if("!")
        if not self._take_if("="):
            self._expected(f"'=' or '!=' after the attribute '{attribute}'")
        is_literal = self._take_if("=")
        return self._comparand(attribute, is_negated=is_negated, is_literal=is_literal)

    def _comparand(self, attribute: str, *, is_negated: bool, is_literal: bool = False) -> Test:
        pattern = self._string()
        flags = _FLAGS.match(self._text, self._at)
        if flags is None:
            return Test(attribute, pattern, is_negated, is_literal)
        if set(flags[1]) - set("cdl"):
            self._at += 1
            self._expected("the flags c (capitals), d (diacritics) or l (literally)")
        self._move(flags.end())
        kept = "".join(sign for sign in "cd" if sign in flags[1])
        return Test(attribute, pattern, is_negated, is_literal or "l" in flags[1], kept)

    def _string(self) -> str:
        quote = self._peek()
        if not quote or quote not in "\"'":
            self._expected('a value in quotes, such as "go.*"')
        end = self._at + 1
        while end < len(self._text) and self._text[end] != quote:
            end += 2 if self._text[end] == "\\" else 1
        if end >= len(self._text):
            self._fail("the value that begins here has no closing quote")
        inner = self._text[self._at + 1 : end]
        self._move(end + 1)
        return inner if quote == '"' else re.sub(r'(?<!\\)((?:\\\\)*)"', r'\1\\"', inner)

    def _structure(self) -> Pattern:
        self._move(self._at + 1)
        is_end = self._take_if("/")
        name = _NAME.match(self._text, self._at)
        if name is None:
            self._expected("the name of a structure such as s, p or doc")
        self._move(name.end())
        condition = None if is_end or self._peek() in "/>" else self._either()
        if not is_end and self._take_if("/"):
            self._take(">", "'>'")
            return Region(name[0], condition)
        self._take(">", "'>' or '/>'" if not is_end else "'>'")
        return Boundary(name[0], not is_end, condition)

    def _group(self) -> Pattern:
        self._move(self._at + 1)
        for word in ("meet", "union"):
            if re.compile(rf"{word}\b").match(self._text, self._at):
                self._move(self._at + len(word))
                return self._meet() if word == "meet" else self._union()
        pattern = self._alternatives()
        self._take(")", "')', '|' or another token")
        return pattern

    def _meet(self) -> Meet:
        self._deeper()
        near, far = self._item(), self._item()
        self._depth -= 1
        low, high, structure = 1, 1, ""
        name = _NAME.match(self._text, self._at)
        if name:
            self._move(name.end())
            structure, low, high = name[0], 0, 0
        elif self._peek() != ")":
            low, high = self._number(), self._number()
            if high < low:
                self._fail(f"{low} is more than {high}; write the smaller number first")
        self._take(")", "')'")
        return Meet(near, far, low, high, structure)

    def _union(self) -> Union:
        self._deeper()
        first, second = self._item(), self._item()
        self._depth -= 1
        self._take(")", "')'")
        return Union(first, second)

    def _number(self) -> int:
        found = _NUMBER.match(self._text, self._at)
        if found is None:
            self._expected("a distance in tokens such as -3, the name of a structure, or ')'")
        if abs(int(found[0])) > MOST_TIMES:
            self._fail(f"a window reaches at most {MOST_TIMES} tokens")
        self._move(found.end())
        return int(found[0])

    def _scope(self) -> Pattern:
        """Read what stands after within or containing; a bare name is a structure."""
        name = _NAME.match(self._text, self._at)
        if name and not self._labelled():
            self._move(name.end())
            return Region(name[0])
        return self._repeated()

    def _comparison(self, pattern: Pattern) -> Comparison:
        first = self._labelled_attribute(pattern)
        is_negated = self._take_if("!")
        self._take("=", "'=' or '!='")
        second = self._labelled_attribute(pattern)
        return Comparison(*first, *second, is_negated)

    def _labelled_attribute(self, pattern: Pattern) -> tuple[str, str]:
        found = _COMPARISON.match(self._text, self._at)
        if found is None:
            self._expected("a label and an attribute such as 1.lemma")
        if found[1] not in labels_of(pattern):
            self._fail(f"no token has the label '{found[1]}:'")
        self._move(found.end())
        return found[1], found[2]

    def _peek(self) -> str:
        return self._text[self._at : self._at + 1]

    def _take_if(self, sign: str) -> bool:
        if not self._text.startswith(sign, self._at):
            return False
        self._move(self._at + len(sign))
        return True

    def _take(self, sign: str, expected: str) -> None:
        if not self._take_if(sign):
            self._expected(expected)

    def _move(self, place: int) -> None:
        self._at = place
        self._skip()

    def _skip(self) -> None:
        found = _SPACE.match(self._text, self._at)
        self._at = found.end() if found else self._at

    def _deeper(self) -> None:
        self._depth += 1
        if self._depth > DEEPEST:
            self._fail(f"brackets are nested more than {DEEPEST} deep")

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


def labels_of(pattern: Pattern) -> tuple[str, ...]:
    """Return the labels of a pattern, in order, each once."""
    match pattern:
        case Token(_, label):
            return (label,) if label else ()
        case Sequence(items) | Alternatives(items):
            return tuple(dict.fromkeys(label for item in items for label in labels_of(item)))
        case Repeat(item, _, _):
            return labels_of(item)
        case _:
            return ()
