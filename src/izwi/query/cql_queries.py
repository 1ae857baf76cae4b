"""One query of CQL: a pattern with its strategy, its limits and its conditions on labels."""

import re
from dataclasses import replace

from izwi.query.cql_cursor import NAME, NUMBER
from izwi.query.cql_patterns import LABELLED, MOST_TIMES, PatternReader, labels_of
from izwi.query.strategies import STRATEGIES
from izwi.query.tree import (
    AllOf,
    AnyOf,
    Check,
    Comparison,
    GlobalCondition,
    Limit,
    Measured,
    NotThat,
    Pattern,
    Query,
    Region,
    Span,
)

_STRATEGY = re.compile(r"\(\?\s*(\w+)\s*\)")
_EXPAND = re.compile(r"expand\s+(?:(left|right)\s+)?to\b")
_SWAP = re.compile(r"swap\s*\(\s*(\w+)\s*,")
_DISTANCE = re.compile(r"(dist|distance|distabs)\s*\(\s*(\w+)\s*,\s*(\w+)\s*\)")
_FREQUENCY = re.compile(r"f\s*\(\s*(\w+)\.([A-Za-z_][\w-]*)\s*\)")
_MEASURE = re.compile(r"(<=|>=|!=|<|>|=)")
_OTHER_CORPUS = re.compile(r"([A-Za-z_][\w-]*)\s*:(?!:)")
_WITHIN = re.compile(r"(!|not\s+)?\s*(within|containing)\b")
# What may follow the size of a span and is not the name of a structure.
_NO_STRUCTURES = {"within", "containing", "cut", "expand", "not", "union", "join", "intersect",
                  "inter", "diff", "difference", "minus", "intersection"}  # fmt: skip


class QueryReader(PatternReader):
    """Reads one query."""

    def query(self) -> Query:
        """Read a query; in `swap(1, ...)` the token with the label becomes the hit."""
        swapped = _SWAP.match(self._text, self._at)
        if not swapped:
            return self._plain_query()
        self._move(swapped.end())
        inner = self._plain_query()
        self._check_label(inner.pattern, swapped[1])
        if inner.expand:
            self._fail("what swap takes is not expanded; expand is no part of it")
        self._take(")", "')'")
        return replace(inner, focus=swapped[1])

    def _plain_query(self) -> Query:
        self._refuse_foreign()
        strategy = self._strategy()
        self._take_if("MU")
        self._references, self._limits = [], []
        pattern = self._alternatives()
        limits: list[Limit] = [*dict.fromkeys(self._limits)]
        comparisons: list[GlobalCondition] = []
        while True:
            if found := _WITHIN.match(self._text, self._at):
                self._move(found.end())
                limits.append(self._limit(found[2] == "within", bool(found[1])))
            elif self._take_if("&") or self._take_if("::"):
                comparisons.append(self._global_term(pattern))
                while self._take_if("|"):
                    before = comparisons[0] if len(comparisons) == 1 else AllOf((*comparisons,))
                    comparisons = [AnyOf((before, self._global_both(pattern)))]
            else:
                break
        expand, side = self._expansion()
        for each in self._references:
            self._check_label(pattern, each.second)
        return Query(
            pattern, tuple(limits), (*self._references, *comparisons), strategy, expand, side
        )

    def _limit(self, is_within: bool, is_negated: bool) -> Limit:
        limit = Limit(self._scope(), is_within, is_negated)
        if isinstance(limit.pattern, Span) and (limit.is_negated or not limit.is_within):
            self._fail("a number of tokens or structures stands after a plain within")
        return limit

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
        name = NAME.match(self._text, self._at)
        if name is None:
            self._expected("the name of a structure such as s; for tokens ask for more context")
        self._move(name.end())
        return name[0], found[1] or "both"

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

    def _scope(self) -> Pattern:
        """Read what stands after within or containing; a bare name is a structure."""
        other = _OTHER_CORPUS.match(self._text, self._at)
        if other:
            self._fail(
                f"'{other[1]}:' would be an aligned corpus, and there is none here; "
                "ask the other corpus by itself (a label means nothing after within)"
            )
        size = NUMBER.match(self._text, self._at)
        if size and not self._labelled():
            return self._span(int(size[0]), size.end())
        name = NAME.match(self._text, self._at)
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
        name = NAME.match(self._text, self._at)
        if name is None or name[0] in _NO_STRUCTURES:
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
        if LABELLED.match(self._text, self._at):
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
        number = NUMBER.match(self._text, self._at)
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
        found = LABELLED.match(self._text, self._at)
        if found is None:
            self._expected("a label and an attribute such as 1.lemma")
        self._check_label(pattern, found[1])
        self._move(found.end())
        return found[1], found[2]
