"""CQL as users of Sketch Engine, CWB and BlackLab write it; errors point at the character."""

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import NoReturn, cast

from izwi.model.errors import CqlSyntaxError
from izwi.query.strategies import STRATEGIES
from izwi.query.tree import (
    AllOf,
    Alternatives,
    AnyOf,
    Both,
    Boundary,
    Check,
    Combined,
    Comparison,
    Condition,
    Either,
    GlobalCondition,
    Limit,
    Measured,
    Meet,
    Not,
    NotThat,
    Pattern,
    Query,
    Region,
    Repeat,
    Sequence,
    Span,
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
_STRATEGY = re.compile(r"\(\?\s*(\w+)\s*\)")
_ASSIGNED = re.compile(r"([A-Za-z]\w*)\s*=(?!=)")
_RESULT = re.compile(
    r"([A-Za-z]\w*)\s*(?=$|;|\b(intersect|intersection|inter|union|join|diff|difference|minus|cut)\b)"
)
_SETS = re.compile(r"(intersect|intersection|inter|union|join|diff|difference|minus)\b")
_SET_NAMES = {
    "intersection": "intersect",
    "inter": "intersect",
    "join": "union",
    "diff": "difference",
    "minus": "difference",
}
_DEFINED = re.compile(r"define\s+\$(\w+)\s*=")
_LIST = re.compile(r"\$(\w+)")
_EXPAND = re.compile(r"expand\s+(?:(left|right)\s+)?to\b")
_CUT = re.compile(r"cut\s+(\d+)")
_ORDER = re.compile(r"(!?)\s*(<=|>=|<|>)\s*(?=[\"'])")
_DISTANCE = re.compile(r"(dist|distance|distabs)\s*\(\s*(\w+)\s*,\s*(\w+)\s*\)")
_FREQUENCY = re.compile(r"f\s*\(\s*(\w+)\.([A-Za-z_][\w-]*)\s*\)")
_MEASURE = re.compile(r"(<=|>=|!=|<|>|=)")
_OTHER_CORPUS = re.compile(r"([A-Za-z_][\w-]*)\s*:(?!:)")
_NUMBER = re.compile(r"-?\d+")
_TIMES = re.compile(r"\{\s*(\d*)\s*(,?)\s*(\d*)\s*\}")
_WITHIN = re.compile(r"(!|not\s+)?\s*(within|containing)\b")
_FLAGS = re.compile(r"%([a-z]+)")
_SIGNS = {"?": (0, 1), "*": (0, None), "+": (1, None)}


ATTRIBUTES = ("word", "lemma", "tag")


def parse(text: str, attributes: Iterable[str] = ATTRIBUTES) -> Query:
    """Return the syntax tree of a query, or raise an error that says what was expected where.

    The attributes of the corpus stand in hints.
    """
    if len(text) > LONGEST:
        raise CqlSyntaxError(
            f"The query has {len(text):,} characters; at most {LONGEST:,} can be read.", LONGEST
        )
    return _Parser(text, tuple(attributes)).statements()


@dataclass(frozen=True, slots=True)
class _Reference:
    """A comparison with a label inside a token, on its way to become one of the whole query."""

    attribute: str
    label: str
    other: str
    is_negated: bool


@dataclass(frozen=True, slots=True)
class _References:
    """Looks for comparisons with labels anywhere in a condition."""

    condition: object

    @property
    def found(self) -> bool:
        """Whether there is one."""
        match self.condition:
            case _Reference():
                return True
            case Not(inner):
                return _References(inner).found
            case Both(conditions) | Either(conditions):
                return any(_References(each).found for each in conditions)
        return False


def _listed(names: Iterable[str]) -> str:
    """Return names in a sentence, at most three.

    >>> _listed(["word", "lemma", "pos", "lc"])
    'word, lemma or pos'
    """
    shown = [*names][:3]
    return " or ".join(filter(None, (", ".join(shown[:-1]), shown[-1] if shown else "word")))


# What other systems understand, and what to write here instead; a name of ours may be the same.
_NOT_OURS = r"\b(?!\s*[:=.])"
_FOREIGN = (
    (re.compile(r"ws\s*\("), "word sketches are not part of queries here; open the word's profile "
     "(izwi sketch) and follow a number to its lines"),
    (re.compile(r"term\s*\("), "terms are not part of queries here; write the words of the term "
     "as tokens, as izwi terms lists them"),
    (re.compile(r"swap\s*\("), "swap is not understood; write the label on the token that is to be "
     "shown or counted, such as @[]"),
    (re.compile(r"ccoll\s*\("), "ccoll is not understood; write (meet A B -5 5), or ask for "
     "collocations"),
    (re.compile(r"\[\s*#|#\d"), "positions change when a corpus grows; a hit is found again by its "
     "permanent id (izwi hit)"),
    (re.compile(r"~"), "similar words are not looked up in queries; take them from izwi thesaurus "
     'and write [lemma="one|two"]'),
    (re.compile(rf"reduce{_NOT_OURS}"), "reduce is an option here: ask for a sample of so many "
     "lines (--sample)"),
    (re.compile(rf"sort{_NOT_OURS}"), "sort is an option here: --sort left, right, node, date"),
    (re.compile(rf"(count|group|tabulate){_NOT_OURS}"), "counts are made by izwi freq, on "
     "the query alone"),
    (re.compile(r"/\w+\["), "macros are not understood; write out what the macro stands for"),
    (re.compile(rf"(show|set|cat|size|dump|undump|save|info){_NOT_OURS}"), "commands of CQP are "
     "options here; write the query alone"),
)  # fmt: skip


class _Parser:
    """Reads a query from left to right, one character ahead."""

    def __init__(self, text: str, attributes: tuple[str, ...]) -> None:
        self._text = text
        self._attributes = attributes
        self._at = 0
        self._depth = 0
        self._results: dict[str, Query] = {}
        self._lists: dict[str, str] = {}
        self._references: list[Comparison] = []
        self._skip()

    def statements(self) -> Query:
        """Read all of the text: results and lists with names, and at last the question."""
        last: Query | None = None
        while self._at < len(self._text) or last is None:
            defined = _DEFINED.match(self._text, self._at)
            named = _ASSIGNED.match(self._text, self._at)
            if defined:
                self._move(defined.end())
                self._lists[defined[1]] = "|".join(map(re.escape, self._string().split()))
            else:
                if named:
                    self._move(named.end())
                last = self._question()
                if named:
                    self._results[named[1]] = last
            if not self._take_if(";") and self._at < len(self._text):
                self._refuse_foreign()
                self._expected("a token in brackets, 'within', 'containing', '&' or the end")
        return last

    def _question(self) -> Query:
        """Read one query, or results put together."""
        found = self._operand()
        while operator := _SETS.match(self._text, self._at):
            self._move(operator.end())
            name = _SET_NAMES.get(operator[1], operator[1])
            if found.cut:
                self._fail("cut comes last, after results were put together")
            found = Query(Combined(name, found, self._operand()))
        cut = _CUT.match(self._text, self._at)
        if cut:
            self._move(cut.end())
            found = replace(found, cut=int(cut[1]))
        return found

    def _operand(self) -> Query:
        """Read the name of a result, a query in braces, or a query."""
        name = _RESULT.match(self._text, self._at)
        if name:
            if name[1] not in self._results:
                known = ", ".join(self._results) or "none yet; write NAME = query ; first"
                self._fail(f"no result has the name '{name[1]}' (known: {known})")
            self._move(name.end())
            return self._results[name[1]]
        if self._take_if("{"):
            inner = self._question()
            self._take("}", "'}'")
            return inner
        return self._query()

    def _query(self) -> Query:
        self._refuse_foreign()
        strategy = self._strategy()
        self._take_if("MU")
        self._references = []
        pattern = self._alternatives()
        limits: list[Limit] = []
        comparisons: list[GlobalCondition] = []
        while True:
            if found := _WITHIN.match(self._text, self._at):
                self._move(found.end())
                limit = Limit(self._scope(), found[2] == "within", bool(found[1]))
                if isinstance(limit.pattern, Span) and (limit.is_negated or not limit.is_within):
                    self._fail("a number of tokens or structures stands after a plain within")
                limits.append(limit)
            elif self._take_if("&") or self._take_if("::"):
                comparisons.append(self._global_term(pattern))
                while self._take_if("|"):
                    before = comparisons[0] if len(comparisons) == 1 else AllOf((*comparisons,))
                    comparisons = [AnyOf((before, self._global_both(pattern)))]
            else:
                break
        expand, side = self._expansion()
        known = (*labels_of(pattern), "match", "matchend")
        for each in self._references:
            if each.second not in known:
                self._fail(f"no token has the label '{each.second}:'")
        return Query(
            pattern, tuple(limits), (*self._references, *comparisons), strategy, expand, side
        )

    def _strategy(self) -> str:
        found = _STRATEGY.match(self._text, self._at)
        if not found:
            return ""
        if found[1] not in STRATEGIES:
            known = ", ".join(f"(?{name})" for name in STRATEGIES if name)
            self._fail(f"there is no strategy '{found[1]}'; write one of {known}")
        self._move(found.end())
        return found[1]

    def _expansion(self) -> tuple[str, str]:
        found = _EXPAND.match(self._text, self._at)
        if not found:
            return "", "both"
        self._move(found.end())
        name = _NAME.match(self._text, self._at)
        if name is None:
            self._expected("the name of a structure such as s; for tokens ask for more context")
        self._move(name.end())
        return name[0], found[1] or "both"

    def _refuse_foreign(self) -> None:
        """Say what to write instead of what other systems understand and this one does not."""
        for expression, words in _FOREIGN:
            if expression.match(self._text, self._at):
                self._fail(words)

    def _global_term(self, pattern: Pattern) -> GlobalCondition:
        if self._take_if("!"):
            self._take("(", "'('")
            inner = self._global_either(pattern)
            self._take(")", "'&', '|' or ')'")
            return NotThat(inner)
        if self._take_if("("):
            inner = self._global_either(pattern)
            self._take(")", "'&', '|' or ')'")
            return inner
        return self._comparison(pattern)

    def _global_both(self, pattern: Pattern) -> GlobalCondition:
        items = [self._global_term(pattern)]
        while self._take_if("&"):
            items.append(self._global_term(pattern))
        return items[0] if len(items) == 1 else AllOf(tuple(items))

    def _global_either(self, pattern: Pattern) -> GlobalCondition:
        self._deeper()
        items = [self._global_both(pattern)]
        while self._take_if("|"):
            items.append(self._global_both(pattern))
        self._depth -= 1
        return items[0] if len(items) == 1 else AnyOf(tuple(items))

    def _alternatives(self) -> Pattern:
        self._deeper()
        items = [self._sequence()]
        while self._take_if("|"):
            items.append(self._sequence())
        self._depth -= 1
        return items[0] if len(items) == 1 else Alternatives(tuple(items))

    def _sequence(self) -> Pattern:
        items = [self._repeated()]
        while self._peek() and (self._peek() in "[\"(<'@" or self._labelled()):
            items.append(self._repeated())
        return items[0] if len(items) == 1 else Sequence(tuple(items))

    def _labelled(self) -> "re.Match[str] | None":
        return _LABEL.match(self._text, self._at)

    def _repeated(self) -> Pattern:
        references = len(self._references)
        item, times = self._item(), 0
        while True:
            if len(self._references) > references and self._peek() and self._peek() in "?*+{":
                self._fail(
                    "a token compared with a label cannot be repeated; write the repeated tokens "
                    "out, each with its own comparison"
                )
            if self._peek() in _SIGNS and self._peek():
                least, most = _SIGNS[self._peek()]
                self._move(self._at + 1)
            elif self._peek() == "{":
                least, most = self._times()
            else:
                return item
            item, times = Repeat(item, least, most), times + 1
            if times > DEEPEST:
                self._fail(f"a token has more than {DEEPEST} signs of repetition")

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
        self._refuse_foreign()
        label = self._labelled()
        if label or self._peek() == "@":
            name = label[1] if label else "target"
            self._move(label.end() if label else self._at + 1)
            if self._peek() not in "[\"'" or not self._peek():
                self._expected(f"a token in brackets after the label '{name}:'")
            return self._token(name)
        sign = self._peek()
        if self._text.startswith("[:", self._at):
            return self._look_ahead()
        if sign and sign in "[\"'":
            return self._token("")
        if sign == "<":
            return self._structure()
        if sign == "(":
            return self._group()
        return self._expected(
            'a token such as [lemma="go"] or "go", a group in ( ), or a structure <s>'
        )

    def _look_ahead(self) -> Boundary:
        """Read a condition on the token that follows, which is not part of the match."""
        self._move(self._at + 2)
        condition = self._either()
        if _References(condition).found:
            self._fail("labels are compared in tokens, not in [: :]")
        self._take(":]", "'&', '|' or ':]'")
        return Boundary("", True, condition)

    def _token(self, label: str) -> Token:
        """Read a token; comparisons with labels in it become conditions of the whole query."""
        begin = self._at
        condition = self._token_condition()
        if condition is None:
            return Token(None, label)
        own: tuple[Condition | _Reference, ...] = (
            condition.conditions if isinstance(condition, Both) else (condition,)
        )
        references = [each for each in own if isinstance(each, _Reference)]
        rest = tuple(each for each in own if not isinstance(each, _Reference))
        if any(_References(each).found for each in rest):
            self._at = begin
            self._fail("a comparison with a label stands alone or with &, not with | or !")
        if not references:
            return Token(condition, label)
        name = label or f"_{len(self._references) + 1}"
        for each in references:
            self._references.append(
                Comparison(name, each.attribute, each.label, each.other, each.is_negated)
            )
        return Token(Both(rest) if len(rest) > 1 else rest[0] if rest else None, name)

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
            self._refuse_foreign()
            self._expected(f"an attribute such as {_listed(self._attributes)}")
        self._move(name.end())
        return self._test(name[0])

    def _test(self, attribute: str) -> Condition:
        ordered = _ORDER.match(self._text, self._at)
        if ordered:
            self._move(ordered.end())
            return Test(attribute, self._string(), bool(ordered[1]), order=ordered[2])
        is_negated = self._take_if("!")
        if not self._take_if("="):
            self._expected(f"'=' or '!=' after the attribute '{attribute}'")
        is_literal = self._take_if("=")
        other = _COMPARISON.match(self._text, self._at)
        if other:
            self._move(other.end())
            return cast(Condition, _Reference(attribute, other[1], other[2], is_negated))
        return self._comparand(attribute, is_negated=is_negated, is_literal=is_literal)

    def _comparand(self, attribute: str, *, is_negated: bool, is_literal: bool = False) -> Test:
        pattern = self._listed_or_string()
        flags = _FLAGS.match(self._text, self._at)
        if flags is None:
            return Test(attribute, pattern, is_negated, is_literal)
        if set(flags[1]) - set("cdl"):
            self._at += 1
            self._expected("the flags c (capitals), d (diacritics) or l (literally)")
        self._move(flags.end())
        kept = "".join(sign for sign in "cd" if sign in flags[1])
        return Test(attribute, pattern, is_negated, is_literal or "l" in flags[1], kept)

    def _listed_or_string(self) -> str:
        found = _LIST.match(self._text, self._at)
        if not found:
            return self._string()
        if found[1] not in self._lists:
            self._fail(
                f'no list has the name ${found[1]}; write define ${found[1]} = "one two"; first'
            )
        self._move(found.end())
        return self._lists[found[1]]

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
        other = _OTHER_CORPUS.match(self._text, self._at)
        if other:
            self._fail(
                f"'{other[1]}:' would be an aligned corpus, and there is none here; "
                "ask the other corpus by itself (a label means nothing after within)"
            )
        size = _NUMBER.match(self._text, self._at)
        if size and not self._labelled():
            return self._span(int(size[0]), size.end())
        name = _NAME.match(self._text, self._at)
        if name and name[0] in self._results:
            self._fail("a named result cannot be a limit; write its query after within")
        if name:
            self._move(name.end())
            return Region(name[0])
        return self._repeated()

    def _span(self, size: int, end: int) -> Span:
        """Read how many tokens, or stretches of a structure, a match may fill."""
        if not 1 <= size <= MOST_TIMES:
            self._fail(f"a match is limited to 1 to {MOST_TIMES} tokens or structures")
        self._move(end)
        name = _NAME.match(self._text, self._at)
        if name is None or name[0] in {"within", "containing", "cut", "expand", "not"}:
            return Span(size)
        self._move(name.end())
        return Span(size, name[0])

    def _comparison(self, pattern: Pattern) -> GlobalCondition:
        self._refuse_foreign()
        measured = self._measured(pattern)
        if measured:
            return measured
        label, attribute = self._labelled_attribute(pattern)
        is_negated = self._take_if("!")
        self._take("=", "'=' or '!='")
        if _COMPARISON.match(self._text, self._at):
            return Comparison(label, attribute, *self._labelled_attribute(pattern), is_negated)
        if self._peek() and self._peek() in "\"'$":
            return Check(label, self._comparand(attribute, is_negated=is_negated))
        return self._expected('a label and an attribute such as 1.lemma, or a value such as "go"')

    def _measured(self, pattern: Pattern) -> Measured | None:
        """Read a comparison of a frequency or a distance with a number."""
        far = _DISTANCE.match(self._text, self._at)
        often = _FREQUENCY.match(self._text, self._at)
        found = far or often
        if not found:
            return None
        for label in (far[2], far[3]) if far else (found[1],):
            self._check_label(pattern, label)
        self._move(found.end())
        operator = _MEASURE.match(self._text, self._at)
        if operator is None:
            self._expected("<, <=, =, !=, >= or >")
        self._move(operator.end())
        number = _NUMBER.match(self._text, self._at)
        if number is None:
            self._expected("a number")
        self._move(number.end())
        if far:
            return Measured(far[2], far[3], "", operator[1], int(number[0]), far[1] == "distabs")
        return Measured(found[1], "", found[2], operator[1], int(number[0]))

    def _check_label(self, pattern: Pattern, label: str) -> None:
        if label not in (*labels_of(pattern), "match", "matchend"):
            self._fail(f"no token has the label '{label}:'")

    def _labelled_attribute(self, pattern: Pattern) -> tuple[str, str]:
        found = _COMPARISON.match(self._text, self._at)
        if found is None:
            self._expected("a label and an attribute such as 1.lemma")
        self._check_label(pattern, found[1])
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
