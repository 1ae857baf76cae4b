"""CQL as users of Sketch Engine, CWB and BlackLab write it; errors point at the character."""

import re
from collections.abc import Iterable
from dataclasses import replace

from izwi.model.errors import CqlSyntaxError
from izwi.query.cql_cursor import LONGEST
from izwi.query.cql_patterns import Lookups
from izwi.query.cql_queries import QueryReader
from izwi.query.points import PointKey, point_key, read_point
from izwi.query.tree import Combined, Query

__all__ = ["ATTRIBUTES", "LONGEST", "Lookups", "parse"]

ATTRIBUTES = ("word", "lemma", "tag")
_ASSIGNED = re.compile(r"([A-Za-z]\w*)\s*=(?!=)")
_SETS = re.compile(r"(intersection|intersect|inter|union|join|difference|diff|minus)\b")
_RESULT = re.compile(rf"([A-Za-z]\w*)\s*(?=$|[;}}]|{_SETS.pattern}|cut\b)")
_SET_NAMES = {
    "intersection": "intersect",
    "inter": "intersect",
    "join": "union",
    "diff": "difference",
    "minus": "difference",
}
_DEFINED = re.compile(r"define\s+\$(\w+)\s*(=|<)")
_MACRO = re.compile(r"(?:define\s+macro|MACRO)\s+(\w+)\s*\(([^)]*)\)")
# A name of ours may be the same, so nothing that names a result or a label is a command.
_CHANGED = re.compile(
    r"(cut|reduce|sort)\b(?!\s*[:=.])(?:\s+(?!to\b|by\b|randomize\b)([A-Za-z]\w*))?"
)
_CUT = re.compile(r"(\d+)(?:\s+(\d+))?")
_SHARE = re.compile(r"to\s+(\d+(?:\.\d+)?)\s*(%?)")
_POINT = r"([A-Za-z_]\w*)(?:\[\s*([+-]?\d+)\s*\])?"
_SORTED = re.compile(
    rf"by\s+([A-Za-z_][\w-]*)(?:\s*%([cd]+))?(?:\s+on\s+{_POINT}(?:\s*\.\.\.?\s*{_POINT})?)?"
    r"(?:\s+(?:asc|ascending|(desc|descending)))?(?:\s+(reverse))?\s*(?=;|$)"
)
_KEYED = re.compile(r"by\s+(\S+?)\s*(?=;|$)")


def parse(
    text: str, attributes: Iterable[str] = ATTRIBUTES, lookups: Lookups | None = None
) -> Query:
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

    def statements(self) -> Query:
        """Read all of the text; the last result is what is asked for."""
        last: Query | None = None
        while self._at < len(self._text) or last is None:
            if not self._definition():
                last = self._statement()
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
            self._move(defined.end())
            self._lists[defined[1]] = self._any_of(self._string().split())
        elif macro:
            self._move(macro.end())
            self._macros[macro[1]] = self._macro_body()
        return bool(defined or macro)

    def _statement(self) -> Query:
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

    def _changed(self, changed: "re.Match[str]") -> Query:
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

    def _question(self) -> Query:
        """Read one query, or results put together."""
        found = self._operand()
        while operator := _SETS.match(self._text, self._at):
            self._move(operator.end())
            name = _SET_NAMES.get(operator[1], operator[1])
            both = (found, self._operand())
            if any(each.cut or each.sample for each in both):
                self._fail("cut and reduce come last, after results were put together")
            found = Query(Combined(name, *(replace(each, sort="") for each in both)))
        if self._take_word("cut"):
            found = self._cut(found)
        return found

    def _operand(self) -> Query:
        """Read the name of a result, a query in braces, or a query."""
        name = _RESULT.match(self._text, self._at)
        if name:
            found = self._result(name[1])
            self._move(name.end())
            return found
        if self._take_if("{"):
            inner = self._question()
            self._take("}", "'}'")
            return inner
        return self.query()

    def _result(self, name: str) -> Query:
        if name not in self._results:
            known = ", ".join(self._results) or "none yet; write NAME = query ; first"
            self._fail(f"no result has the name '{name}' (known: {known})")
        return self._results[name]

    def _cut(self, found: Query) -> Query:
        """Read how many hits are kept, or from which to which, counted from 0 as in CQP."""
        numbers = _CUT.match(self._text, self._at)
        if numbers is None:
            self._expected("a number of hits")
        first, last = (int(numbers[1]), int(numbers[2])) if numbers[2] else (0, int(numbers[1]) - 1)
        if last < first:
            self._fail("a cut keeps at least one hit; write the smaller number first")
        self._move(numbers.end())
        return replace(found, skip=first, cut=last - first + 1)

    def _reduced(self, found: Query) -> Query:
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

    def _sorted(self, found: Query) -> Query:
        """Read by what hits are sorted: as in CQP, or as the option takes it."""
        if self._take_word("randomize"):
            return replace(found, sort="random")
        keyed = _KEYED.match(self._text, self._at)
        if keyed and all(map(point_key, keyed[1].split(","))):
            self._move(keyed.end())
            return replace(found, sort=keyed[1])
        asked = _SORTED.match(self._text, self._at)
        if asked is None:
            self._expected("'by' and an attribute, such as by lemma %cd on matchend[1] descending")
        self._move(asked.end())
        first = read_point(asked[3] or "match", asked[4])
        last = read_point(asked[5], asked[6]) if asked[5] else first
        if not asked[3]:
            last = read_point("matchend", None)
        flags = "".join(sign for sign in "cd" if sign in (asked[2] or "")) + "r" * bool(asked[8])
        key = PointKey(asked[1], first, last, flags, bool(asked[7]))
        return replace(found, sort=str(key))
