"""CQL as users of Sketch Engine, CWB and BlackLab write it; errors point at the character."""

import re
from collections.abc import Iterable
from dataclasses import replace

from izwi.model.errors import CqlSyntaxError
from izwi.query import tree
from izwi.query.cql_cursor import LONGEST, MOST_TIMES, NAME, NUMBER, TOKENS
from izwi.query.cql_patterns import LABELLED, Lookups, PatternReader, asks_other_tokens
from izwi.query.targets import sort_order

_SWAP = re.compile(r"swap\s*\(\s*(\w+)\s*,")
_RELABEL = re.compile(r"ccoll\s*\(\s*(\d+)\s*,\s*(\d+)\s*,")
_DISTANCE = re.compile(r"(dist|distance|distabs)\s*\(\s*(\w+)\s*,\s*(\w+)\s*\)")
_FREQUENCY = re.compile(r"f\s*\(\s*(\w+)\.([A-Za-z_][\w-]*)\s*\)")
_LABEL_ALONE = re.compile(r"[A-Za-z_]\w*|\d+")
_MEASURE = re.compile(r"(<=|>=|!=|<|>|=)")
_OTHER_CORPUS = re.compile(r"([A-Za-z_][\w-]*)\s*:(?!:)")
_WITHIN = re.compile(r"(!|not\s+)?\s*(within|containing)\b")
_NARROWING = re.compile(rf"&|::|{_WITHIN.pattern}")
# What may follow the size of a span and is not the name of a structure.
_NO_STRUCTURES = {"within", "containing", "cut", "expand", "not", "union", "join", "intersect",
                  "inter", "diff", "difference", "minus", "intersection"}  # fmt: skip


class QueryReader(PatternReader):
    """Reads one query."""

    # The result in whose hits queries look, as in CQP after its name: `A; "house"`.
    _active: tree.Query | None = None

    def query(self) -> tree.Query:
        """Read a query; in `swap(1, ...)` the token with the label becomes the hit."""
        if found := _RELABEL.match(self._text, self._at):
            self._move(found.end())
            self._deeper()
            inner = self.query()
            self._depth -= 1
            self._check_label(inner.pattern, found[1])
            self._take(")", "')'")
            return tree.relabelled(inner, found[1], found[2])
        swapped = _SWAP.match(self._text, self._at)
        if not swapped:
            return self._plain_query()
        self._move(swapped.end())
        self._deeper()
        inner = self.query()
        self._depth -= 1
        self._check_label(inner.pattern, swapped[1])
        if inner.expand:
            self._fail("what swap takes is not expanded; expand is no part of it")
        self._take(")", "')'")
        return replace(inner, focus=swapped[1])

    def _plain_query(self) -> tree.Query:
        self._refuse_foreign()
        strategy = self._strategy()
        self._take_if("MU")
        self._references, self._limits = [], []
        if self._take_word("TAB"):
            # Of tokens with gaps the nearest count, as in CQP.
            pattern, strategy = self._tabular(), strategy or "traditional"
        else:
            pattern = self._alternatives()
        pattern, own_limits, own_comparisons = tree.opened(pattern)
        limits, comparisons = self._narrowed(pattern)
        limits = [*dict.fromkeys(self._limits), *own_limits, *limits]
        comparisons = [*own_comparisons, *comparisons]
        if self._active is not None:
            limits.append(tree.Limit(self._as_limit(self._active)))
        expand, side = self._expansion()
        for each in self._references:
            self._check_label(pattern, each.second)
        return tree.Query(
            pattern, tuple(limits), (*self._references, *comparisons), strategy, expand, side
        )

    def _narrowed(
        self, pattern: tree.Pattern
    ) -> tuple[list[tree.Limit], list[tree.GlobalCondition]]:
        """Read limits and conditions on labels."""
        limits: list[tree.Limit] = []
        comparisons: list[tree.GlobalCondition] = []
        depth = self._depth
        while True:
            if found := _WITHIN.match(self._text, self._at):
                self._move(found.end())
                # Sketch Engine has within !<s/>, too.
                is_negated = self._take_if("!") != bool(found[1])
                limits.append(self._limit(found[2] == "within", is_negated))
                if isinstance(limits[-1].pattern, tree.Nested):
                    self._light(tree.Query(pattern, tuple(limits)))
            elif self._take_if("&") or self._take_if("::"):
                comparisons.append(self._global_term(pattern))
                if self._peek() == "|":
                    # What was read before is one side of it, and so a level below.
                    self._deeper()
                    comparisons = [self._any_of_conditions(comparisons, pattern)]
            else:
                self._depth = depth
                return limits, comparisons

    def _any_of_conditions(
        self, before: list[tree.GlobalCondition], pattern: tree.Pattern
    ) -> tree.AnyOf:
        """Read the conditions after each |; those before the first are one of them."""
        items = [before[0] if len(before) == 1 else tree.AllOf(tuple(before))]
        while self._take_if("|"):
            items.append(self._global_both(pattern))
        return tree.AnyOf(tuple(items))

    def _with_limits(self, pattern: tree.Pattern, references: int) -> tree.Pattern:
        """Read limits inside brackets, which make what stands there a query of its own."""
        if not _NARROWING.match(self._text, self._at):
            return pattern
        inner, before, conditions = tree.opened(pattern)
        limits, comparisons = self._narrowed(inner)
        own, self._references = self._references[references:], self._references[:references]
        for each in own:
            self._check_label(inner, each.second)
        comparisons = [*own, *conditions, *comparisons]
        return tree.Nested(tree.Query(inner, (*before, *limits), tuple(comparisons)))

    def _limited(self, found: tree.Query) -> tree.Query:
        """Read the limits of a result, if there are any."""
        if not _NARROWING.match(self._text, self._at):
            return found
        if found != tree.Query(found.pattern) or not isinstance(found.pattern, tree.Combined):
            found = tree.Query(self._as_limit(found))
        limits, comparisons = self._narrowed(found.pattern)
        return replace(found, limits=tuple(limits), comparisons=tuple(comparisons))

    def _as_limit(self, found: tree.Query) -> tree.Pattern:
        if found.cut or found.sample:
            self._fail("a result that was cut or reduced cannot be a limit; write its query")
        return tree.Nested(self._light(replace(found, sort="")))

    def _limit(self, is_within: bool, is_negated: bool) -> tree.Limit:
        self._deeper()
        limit = tree.Limit(self._scope(), is_within, is_negated)
        self._depth -= 1
        if isinstance(limit.pattern, tree.Span) and (limit.is_negated or not limit.is_within):
            self._fail("a number of tokens or structures stands after a plain within")
        return limit

    def _global_term(self, pattern: tree.Pattern) -> tree.GlobalCondition:
        """Read one condition; as in CQP, where the one before -> holds the other has to."""
        found = self._global_single(pattern)
        if self._take_if("->"):
            self._deeper()
            found = tree.AnyOf((tree.NotThat(found), self._global_term(pattern)))
            self._depth -= 1
        return found

    def _global_single(self, pattern: tree.Pattern) -> tree.GlobalCondition:
        if self._take_if("!"):
            self._deeper()
            inner = self._global_single(pattern)
            self._depth -= 1
            return tree.NotThat(inner)
        if self._take_if("("):
            inner = self._global_either(pattern)
            self._take(")", "'&', '|' or ')'")
            return inner
        return self._comparison(pattern)

    def _global_both(self, pattern: tree.Pattern) -> tree.GlobalCondition:
        items = [self._global_term(pattern)]
        while self._take_if("&"):
            items.append(self._global_term(pattern))
        return items[0] if len(items) == 1 else tree.AllOf(tuple(items))

    def _global_either(self, pattern: tree.Pattern) -> tree.GlobalCondition:
        self._deeper()
        items = [self._global_both(pattern)]
        while self._take_if("|"):
            items.append(self._global_both(pattern))
        self._depth -= 1
        return items[0] if len(items) == 1 else tree.AnyOf(tuple(items))

    def _scope(self) -> tree.Pattern:
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
        if name and not self._sought():
            self._move(name.end())
            is_result = name[0] in self._results
            return self._as_limit(self._results[name[0]]) if is_result else tree.Region(name[0])
        return self._sequence()

    def _span(self, size: int, end: int) -> tree.Span:
        """Read how many tokens, or stretches of a structure, a match may fill."""
        words = TOKENS.match(self._text, self._at)
        end = words.end() if words else end
        if not 1 <= size <= MOST_TIMES:
            self._fail(f"a match is limited to 1 to {MOST_TIMES} tokens or structures")
        self._move(end)
        name = NAME.match(self._text, self._at)
        if name is None or name[0] in _NO_STRUCTURES:
            return tree.Span(size)
        self._move(name.end())
        return tree.Span(size, name[0])

    def _comparison(self, pattern: tree.Pattern) -> tree.GlobalCondition:
        self._refuse_foreign()
        measured = self._measured(pattern)
        if measured:
            return measured
        label, attribute = self._labelled_attribute(pattern)
        is_negated = self._take_if("!")
        if self._peek() and self._peek() in "<>":
            self._fail(
                "values of labels are compared by = and !=; numbers of a structure by "
                'within <doc year>="1990"/>'
            )
        self._take("=", "'=' or '!='")
        if LABELLED.match(self._text, self._at):
            return tree.Comparison(label, attribute, *self._labelled_attribute(pattern), is_negated)
        if self._peek() and self._peek() in "\"'$":
            return tree.Check(label, self._comparand(attribute, is_negated=is_negated))
        return self._expected('a label and an attribute such as 1.lemma, or a value such as "go"')

    def _measured(self, pattern: tree.Pattern) -> tree.Measured | None:
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
            return tree.Measured(
                far[2], far[3], "", operator[1], int(number[0]), far[1] == "distabs"
            )
        return tree.Measured(found[1], "", found[2], operator[1], int(number[0]))

    def _check_label(self, pattern: tree.Pattern, label: str) -> None:
        if label not in (*tree.labels_of(pattern), "match", "matchend"):
            self._fail(f"no token has the label '{label}:'")

    def _labelled_attribute(self, pattern: tree.Pattern) -> tuple[str, str]:
        found = LABELLED.match(self._text, self._at)
        if found is None:
            label = _LABEL_ALONE.match(self._text, self._at)
            if label and label[0] in tree.labels_of(pattern):
                self._fail(
                    "labels are compared by their attributes (1.lemma); for a token that may be "
                    "missing write the query with it and the one without, with | between them"
                )
            self._expected("a label and an attribute such as 1.lemma")
        self._check_label(pattern, found[1])
        self._move(found.end())
        return found[1], found[2]


__all__ = ["ATTRIBUTES", "LONGEST", "Lookups", "parse"]

ATTRIBUTES = ("word", "lemma", "tag")
_ASSIGNED = re.compile(r"([A-Za-z]\w*)\s*=(?!=)")
_SETS = re.compile(r"(intersection|intersect|inter|union|join|difference|diff|minus)\b")
_PREFIXED = re.compile(rf"{_SETS.pattern}\s+([A-Za-z]\w*)\s+([A-Za-z]\w*)(?=\s*(?:$|[;}}]))")
_RESULT = re.compile(
    rf"([A-Za-z]\w*)(?=\^|\s+expand\b|\s*(?:$|[;}}]|{_SETS.pattern}|cut\b|{_NARROWING.pattern}))"
)
_SUBSET = re.compile(r"subset\s+(?:of\s+)?([A-Za-z]\w*)\s+where\s+([A-Za-z_]\w*|\d+)\s*:\s*")
_STRATEGY_SET = re.compile(r"set\s+MatchingStrategy\s+([\"']?)(\w+)\1\s*(?=;)")
_SET_NAMES = {
    "intersection": "intersect",
    "inter": "intersect",
    "join": "union",
    "diff": "difference",
    "minus": "difference",
}
_DEFINED = re.compile(r"define\s+\$(\w+)\s*([-+]?=|<)")
_ACTIVATED = re.compile(r"([A-Za-z]\w*)\s*;\s*\S")
_MACRO = re.compile(r"(?:define\s+macro|MACRO)\s+(\w+)\s*\(([^)]*)\)")
# A name of ours may be the same, so nothing that names a result or a label is a command.
_CHANGED = re.compile(
    r"(cut|reduce|sort)\b(?!\s*[:=.])(?:\s+(?!to\b|by\b|randomize\b)([A-Za-z]\w*))?"
)
_CUT = re.compile(r"(\d+)(?:\s+(\d+))?")
_SHARE = re.compile(r"to\s+(\d+(?:\.\d+)?)\s*(%?)")


def parse(
    text: str, attributes: Iterable[str] = ATTRIBUTES, lookups: Lookups | None = None
) -> tree.Query:
    """Return the syntax tree of a query, or raise an error that says what was expected where.

    The attributes of the corpus stand in hints. Similar words, relations of words, terms and saved
    lists are looked up in the corpus while a query is read; the tree has what was found.
    """
    if len(text) > LONGEST:
        raise CqlSyntaxError(
            f"The query has {len(text):,} characters; at most {LONGEST:,} can be read.", LONGEST
        )
    return _Parser(text, tuple(attributes), lookups).statements()


class _Parser(QueryReader):
    """Reads lists, macros and results with names, and at last the question."""

    def statements(self) -> tree.Query:
        """Read all of the text; the last result is what is asked for."""
        last: tree.Query | None = None
        while self._at < len(self._text) or last is None:
            if not self._definition():
                activated = _ACTIVATED.match(self._text, self._at)
                last = self._statement()
                self._active = last if activated else self._active
                self._results["Last"] = last
            if not self._take_if(";") and self._at < len(self._text):
                self._refuse_foreign()
                self._expected("a token in brackets, 'within', 'containing', '&' or the end")
        return last

    def _definition(self) -> bool:
        """Read a list or a macro, if there is one here."""
        defined = _DEFINED.match(self._text, self._at)
        macro = _MACRO.match(self._text, self._at)
        if defined and defined[2] == "<":
            self._fail(
                f"queries read no files; put the list into the folder lists of the corpus and "
                f"write ${defined[1]}"
            )
        if defined:
            self._move(defined.end(2))
            self._lists[defined[1]] = self._defined(self._lists.get(defined[1], ()), defined[2])
        elif macro:
            self._move(macro.end())
            self._macros[macro[1]] = self._macro_body(macro[0].startswith("define"))
        elif strategy := _STRATEGY_SET.match(self._text, self._at):
            self._check_strategy(strategy[2])
            self._move(strategy.end())
            self._usual_strategy = strategy[2]
            return True
        return bool(defined or macro)

    def _defined(self, before: Iterable[str], sign: str) -> list[str]:
        """Read the words of a list, or another list; += and -= change what it was before."""
        words = dict.fromkeys(self._list() if self._peek() == "$" else self._string().split())
        if sign == "-=":
            return [word for word in before if word not in words]
        # Each word once: a list that is added to itself would double each time.
        return [*dict.fromkeys((*before, *words))] if sign == "+=" else [*words]

    def _statement(self) -> tree.Query:
        """Read a query, with a name or without, or what is done to a result."""
        named = _ASSIGNED.match(self._text, self._at)
        changed = _CHANGED.match(self._text, self._at)
        if changed and not named and self._results:
            return self._changed(changed)
        if named:
            self._move(named.end())
        found = self._question()
        if named:
            self._results[named[1]] = found
        return found

    def _changed(self, changed: "re.Match[str]") -> tree.Query:
        """Read cut, reduce or sort of a result, which from then on is what its name stands for."""
        name = changed[2] or "Last"
        before = self._result(name)
        self._move(changed.end())
        match changed[1]:
            case "cut":
                found = self._cut(before)
            case "reduce":
                found = self._reduced(before)
            case _:
                found = self._sorted(before)
        self._results[name] = found
        return found

    def _question(self) -> tree.Query:
        """Read one query, or results put together, the operator between them or, as CQP, before."""
        if before := _PREFIXED.match(self._text, self._at):
            both = self._result(before[2]), self._result(before[3])
            self._move(before.end())
            found = self._together(before[1], *both)
        else:
            is_whole = self._peek() == "{"
            found = self._operand()
            found = self._widened(self._limited(found)) if is_whole else found
        while operator := _SETS.match(self._text, self._at):
            self._move(operator.end())
            found = self._together(operator[1], found, self._operand())
            found = self._widened(self._limited(found))
        if self._take_word("cut"):
            found = self._cut(found)
        return found

    def _together(self, operator: str, *both: tree.Query) -> tree.Query:
        if any(each.cut or each.sample for each in both):
            self._fail("cut and reduce come last, after results were put together")
        one, two = (replace(each, sort="") for each in both)
        return self._light(tree.Query(tree.Combined(_SET_NAMES.get(operator, operator), one, two)))

    def _scope(self) -> tree.Pattern:
        """Read what stands after within or containing, a query in braces too."""
        if not self._take_if("{"):
            return super()._scope()
        inner = self._question()
        self._take("}", "'}'")
        return self._as_limit(inner)

    def _operand(self) -> tree.Query:
        """Read the name of a result, a query in braces, or a query."""
        name, some = (each.match(self._text, self._at) for each in (_RESULT, _SUBSET))
        if some:
            found = self._result(some[1])
            self._move(some.end())
            return self._subset(found, some[2])
        if name:
            found = self._result(name[1])
            self._move(name.end())
            return self._widened(self._limited(found))
        if not self._take_if("{"):
            return self.query()
        self._deeper()
        inner = self._question()
        self._depth -= 1
        self._take("}", "'}'")
        return inner

    def _subset(self, found: tree.Query, label: str) -> tree.Query:
        """Read what holds for the token with a label in the hits that are kept."""
        self._check_label(found.pattern, label)
        if (
            isinstance(found.pattern, tree.Combined | tree.Meet | tree.Union)
            or found.expand
            or found.focus
        ):
            self._fail("a subset is taken of the hits of one query; write it in the query itself")
        condition = self._token_condition()
        if condition is None:
            return found
        if asks_other_tokens(condition):
            self._fail("a subset asks for values of one token")
        return replace(found, comparisons=(*found.comparisons, tree.on_label(label, condition)))

    def _widened(self, found: tree.Query) -> tree.Query:
        """Read to which structure the hits of a result are widened: `A expand to s`, `A^s`."""
        if self._take_if("^"):
            self._text = f"{self._text[: self._at]} expand to {self._text[self._at :]}"
            self._skip()
        expand, side = self._expansion()
        if expand and (found.expand or found.focus or found.cut or found.sample):
            self._fail("a result is widened before it is cut, and once")
        return replace(found, expand=expand, side=side) if expand else found

    def _result(self, name: str) -> tree.Query:
        if name not in self._results:
            self._refuse_foreign()
            known = ", ".join(self._results) or "none yet; write NAME = query ; first"
            self._fail(f"no result has the name '{name}' (known: {known})")
        return self._results[name]

    def _cut(self, found: tree.Query) -> tree.Query:
        """Read how many hits are kept, or from which to which, counted from 0 as in CQP."""
        numbers = _CUT.match(self._text, self._at)
        if numbers is None:
            self._expected("a number of hits")
        first, last = (int(numbers[1]), int(numbers[2])) if numbers[2] else (0, int(numbers[1]) - 1)
        if last < first:
            self._fail("a cut keeps at least one hit; write the smaller number first")
        self._move(numbers.end())
        return replace(found, skip=first, cut=last - first + 1)

    def _reduced(self, found: tree.Query) -> tree.Query:
        """Read how many hits are drawn by chance."""
        share = _SHARE.match(self._text, self._at)
        if share is None:
            self._expected("'to' and a number, such as to 100 or to 10%")
        if found.cut:
            self._fail("reduce comes before cut")
        sample = float(share[1]) / 100 if share[2] else float(share[1])
        if not sample > 0 or (share[2] and sample > 1) or (not share[2] and sample % 1):
            self._fail("a result is reduced to 1 hit or more, or to above 0 and at most 100%")
        self._move(share.end())
        return found if sample == 1 and share[2] else replace(found, sample=sample)

    def _sorted(self, found: tree.Query) -> tree.Query:
        """Read by what hits are sorted: as in CQP, or as the option takes it."""
        if self._take_word("randomize"):
            return replace(found, sort="random")
        key, end = sort_order(self._text, self._at)
        if not key:
            self._expected("'by' and an attribute, such as by lemma %cd on matchend[1] descending")
        self._move(end)
        return replace(found, sort=key)
