"""Tokens and patterns of CQL: everything in a query but its limits and its conditions on labels."""

import re
from collections.abc import Iterable
from collections.abc import Sequence as Words
from dataclasses import replace
from typing import NoReturn, Protocol, cast

from izwi.model.records import dataclass
from izwi.query import tree
from izwi.query.cql_cursor import DEEPEST, MOST_TIMES, NAME, Cursor

LABELLED = re.compile(r"([A-Za-z_]\w*|\d+)\.([A-Za-z_][\w-]*)")
_LABEL = re.compile(r"([A-Za-z_]\w*|\d+)\s*:(?!:)")
# As in CQP: the token that counts, and a second one.
_AT = re.compile(r"@([01]:?|(?=[\[\"'~$]))\s*")
_AT_LABELS = {"1": "keyword"}
_SIMILAR = re.compile(r"~\s*(\d*)\s*")
_SKETCH = re.compile(r"\[?\s*ws\s*\(\s*")
_TERM = re.compile(r"\[?\s*term\s*\(\s*")
_CONTAINS = re.compile(r"(not\s+)?(contains|matches)\b\s*")
# What a value holds, or consists of, where it is a set such as |a|b| or Case=Nom|Number=Sing.
_SETS = {"contains": r"(?:.*\|)?(?:{0})(?:\|.*)?", "matches": r"\|?(?:{0})(?:\|(?:{0}))*\|?"}
_EDGE = re.compile(r"([lr])bound\s*\(\s*([A-Za-z_][\w-]*)\s*\)\s*")
_LENGTH = re.compile(
    r"strlen\s*\(\s*([A-Za-z_][\w-]*)\s*\)\s*(<=|>=|!=|<|>|=)\s*(\d{1,3})(?!\d)\s*"
)
_EXPRESSIONS = re.compile(r"RE\s*\(\s*\$(\w+)\s*\)")
# Words like one that are looked for, unless a number says how many.
MOST_SIMILAR = 10
_LIST = re.compile(r"\$(\w+)")
_ORDER = re.compile(r"(!?)\s*(<=|>=|<|>)\s*(?=[\"']|(-?\d+(?:\.\d+)?))")
_FLAGS = re.compile(r"%([a-z]+)")
# What has its own limits is no part of a longer pattern.
_WHOLE = (tree.Nested, tree.Combined)
_ALONE = (
    "a query with limits of its own stands alone in its brackets, or after within or containing; "
    "write the limit after all tokens"
)
_SIGNS = {"?": (0, 1), "*": (0, None), "+": (1, None)}


class Lookups(Protocol):
    """What a query looks up in the corpus it is asked of."""

    def similar(self, word: str, most: int) -> Words[str]:
        """Return a word and so many that are most like it."""
        ...

    def related(self, word: str, relation: str, other: str) -> tree.Pattern:
        """Return the pattern of a word with another one, or any, in a relation to it."""
        ...

    def term(self, words: str) -> tree.Pattern:
        """Return the pattern of a term of several words."""
        ...

    def word_list(self, name: str) -> Words[str]:
        """Return the words of a list that lies with the corpus."""
        ...


@dataclass(frozen=True, slots=True)
class _Reference:
    """A comparison with a label inside a token, on its way to become one of the whole query."""

    attribute: str
    label: str
    other: str
    is_negated: bool


@dataclass(frozen=True, slots=True)
class _Edge:
    """A token that begins or ends a structure, on its way to become one beside a boundary."""

    structure: str
    is_start: bool


def asks_other_tokens(condition: object) -> bool:
    """Return whether a condition holds anything that is no condition on one token alone."""
    match condition:
        case _Reference() | _Edge():
            return True
        case tree.Not(inner):
            return asks_other_tokens(inner)
        case tree.Both(conditions) | tree.Either(conditions):
            return any(asks_other_tokens(each) for each in conditions)
    return False


def _listed(names: Words[str]) -> str:
    """Return the attributes of a corpus that people ask for first, in a sentence.

    >>> _listed(["word", "lc", "lemma", "pos"])
    'word, lemma, pos'
    """
    common = [name for name in ("word", "lemma", "tag", "pos", "upos", "xpos") if name in names]
    return ", ".join(common[:3] or ["word"])


class PatternReader(Cursor):
    """Reads tokens, groups, repetitions, structures, meet and union."""

    def __init__(
        self, text: str, attributes: tuple[str, ...], lookups: Lookups | None = None
    ) -> None:
        super().__init__(text)
        self._attributes = attributes
        self._lookups = lookups
        self._lists: dict[str, Words[str]] = {}
        self._results: dict[str, tree.Query] = {}
        self._references: list[tree.Comparison] = []
        # Limits that come with what was looked up.
        self._limits: list[tree.Limit] = []

    def _alternatives(self) -> tree.Pattern:
        self._deeper()
        items = [self._sequence()]
        while self._take_if("|"):
            items.append(self._sequence())
        self._depth -= 1
        if len(items) > 1 and any(isinstance(item, _WHOLE) for item in items):
            return self._light(tree.Query(tree.united(items[: DEEPEST + 1]))).pattern
        return items[0] if len(items) == 1 else tree.Alternatives(tuple(items))

    def _sequence(self) -> tree.Pattern:
        items = [self._repeated()]
        while self._peek() and (self._peek() in "[\"(<'@~$/" or self._labelled() or self._sought()):
            items.append(self._repeated())
            if any(isinstance(item, _WHOLE) for item in items):
                self._fail(_ALONE)
        return items[0] if len(items) == 1 else tree.Sequence(tuple(items))

    def _labelled(self) -> "re.Match[str] | None":
        return _LABEL.match(self._text, self._at)

    def _sought(self) -> "re.Match[str] | None":
        return _SKETCH.match(self._text, self._at) or _TERM.match(self._text, self._at)

    def _repeated(self) -> tree.Pattern:
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
            if isinstance(item, _WHOLE):
                self._fail(_ALONE)
            item, times = tree.Repeat(item, least, most), times + 1
            if self._peek() == "?":
                self._fail(
                    "a repetition before ? is not made shorter by it; begin the query with "
                    "(?traditional) for the shortest matches, or put what may be missing in ( )?"
                )
            if times > DEEPEST:
                self._fail(f"a token has more than {DEEPEST} signs of repetition")

    def _item(self) -> tree.Pattern:
        self._write_out_macro()
        self._refuse_foreign()
        label, anchor = self._labelled(), _AT.match(self._text, self._at)
        if label or anchor or self._peek() == "@":
            name = label[1] if label else "target"
            if anchor:
                name = _AT_LABELS.get(anchor[1][:1], "target")
            found = label or anchor
            self._move(found.end() if found else self._at + 1)
            if self._peek() not in "[\"'~$" or not self._peek():
                self._expected(f"a token in brackets after the label '{name}:'")
            return self._token(name)
        if self._sought():
            return self._looked_up()
        sign = self._peek()
        if self._text.startswith("[:", self._at):
            return self._look_ahead()
        if sign and sign in "[\"'~$":
            return self._token("")
        if sign == "<":
            return self._structure()
        if sign == "(":
            return self._group()
        known = "lemma" if "lemma" in self._attributes else "word"
        return self._expected(
            f'a token such as [{known}="go"] or "go", a group in ( ), or a structure <s>'
        )

    def _looked_up(self) -> tree.Pattern:
        """Read `ws("house", "modifier", "old")` or `term("old house")`, in brackets or without."""
        begin, is_bracketed = self._at, self._peek() == "["
        is_term = _TERM.match(self._text, self._at) is not None
        opened = self._sought()
        self._move(opened.end() if opened else self._at)
        if not self._peek() or self._peek() not in "\"'":
            self._fail(
                "numbers of relations are Sketch Engine's own; write the word, the relation and "
                'the other word, such as ws("house", "modifier", "old")'
            )
        given = [self._string()]
        while self._take_if(","):
            # A relation of Sketch Engine may be: modifiers of "%w".
            given.append(self._string().replace('\\"', '"'))
        self._take(")", "',' or ')'")
        if is_bracketed:
            self._take("]", "']'; what is looked up stands alone in its brackets")
        if self._lookups is None:
            self._at = begin
            self._fail("words can only be looked up where a corpus is asked")
        if is_term:
            return self._lookups.term(" ".join(given))
        if len(given) == 1:
            self._fail('a relation is missing; write ws("house", "modifier", "old")')
        # A relation holds within a sentence.
        self._limits.append(tree.Limit(tree.Region("s")))
        return self._lookups.related(given[0], given[1], "".join(given[2:3]))

    def _similar(self) -> str | None:
        """Read `~"house"` or `~5"house"`, if it stands here, as an expression for similar words."""
        found = _SIMILAR.match(self._text, self._at)
        if not found:
            return None
        begin = self._at
        self._move(found.end())
        word = self._string()
        if self._lookups is None:
            self._at = begin
            self._fail("words can only be looked up where a corpus is asked")
        most = int(found[1] or MOST_SIMILAR)
        if not 1 <= most <= MOST_TIMES:
            self._fail(f"1 to {MOST_TIMES} similar words can be asked for")
        return self._any_of(self._lookups.similar(word, most))

    def _any_of(self, words: Iterable[str]) -> str:
        """Return an expression for some words as they stand."""
        return "|".join(re.escape(word).replace('"', '\\"') for word in words)

    def _look_ahead(self) -> tree.Boundary:
        """Read a condition on the token that follows, which is not part of the match."""
        self._move(self._at + 2)
        condition = self._either()
        if asks_other_tokens(condition):
            self._fail("labels are compared in tokens, not in [: :]")
        self._take(":]", "'&', '|' or ':]'")
        return tree.Boundary("", True, condition)

    def _token(self, label: str) -> tree.Pattern:
        """Read a token; comparisons with labels in it become conditions of the whole query."""
        begin = self._at
        condition = self._token_condition()
        if condition is None:
            return tree.Token(None, label)
        own: tuple[tree.Condition | _Reference | _Edge, ...] = (
            condition.conditions if isinstance(condition, tree.Both) else (condition,)
        )
        references = [each for each in own if isinstance(each, _Reference)]
        edges = [each for each in own if isinstance(each, _Edge)]
        rest = tuple(each for each in own if not isinstance(each, _Reference | _Edge))
        if any(asks_other_tokens(each) for each in rest):
            self._at = begin
            self._fail(
                "a comparison with a label, and where a structure begins, stands alone or with &, "
                "not with | or !"
            )
        if references:
            label = label or f"_{len(self._references) + 1}"
        for each in references:
            self._references.append(
                tree.Comparison(label, each.attribute, each.label, each.other, each.is_negated)
            )
        token = tree.Token(tree.Both(rest) if len(rest) > 1 else rest[0] if rest else None, label)
        before = [tree.Boundary(edge.structure) for edge in edges if edge.is_start]
        after = [tree.Boundary(edge.structure, False) for edge in edges if not edge.is_start]
        return tree.Sequence((*before, token, *after)) if edges else token

    def _token_condition(self) -> tree.Condition | None:
        if self._peek() != "[":
            return self._bare()
        self._move(self._at + 1)
        if self._take_if("]"):
            return None
        condition = self._either()
        self._take("]", "'&', '|' or ']'")
        return condition

    def _bare(self) -> tree.Test:
        """Read a value without an attribute: a word, or words like a lemma."""
        is_lemma = self._peek() == "~" and "lemma" in self._attributes
        return self._comparand("lemma" if is_lemma else "word", is_negated=False)

    def _either(self) -> tree.Condition:
        self._deeper()
        items = [self._both()]
        while self._take_if("|"):
            items.append(self._both())
        either: tree.Condition = items[0] if len(items) == 1 else tree.Either(tuple(items))
        if self._take_if("->"):
            either = tree.Either((tree.Not(either), self._either()))
        self._depth -= 1
        return either

    def _both(self) -> tree.Condition:
        items = [self._condition()]
        while self._take_if("&"):
            items.append(self._condition())
        return items[0] if len(items) == 1 else tree.Both(tuple(items))

    def _condition(self) -> tree.Condition:
        if self._take_if("!"):
            self._deeper()
            inner = self._condition()
            self._depth -= 1
            return tree.Not(inner)
        if self._take_if("("):
            condition = self._either()
            self._take(")", "'&', '|' or ')'")
            return condition
        self._write_out_macro()
        if self._peek() and self._peek() in "\"'~$":
            return self._bare()
        edge, length = (each.match(self._text, self._at) for each in (_EDGE, _LENGTH))
        if edge:
            self._move(edge.end())
            return cast(tree.Condition, _Edge(edge[2], edge[1] == "l"))
        if length:
            self._move(length.end())
            return tree.of_length(length[1], length[2], int(length[3]))
        self._refuse_foreign()
        # CQP's name for the token itself.
        self._take_if("_.")
        name = NAME.match(self._text, self._at)
        if name is None:
            self._expected(f"an attribute such as {_listed(self._attributes)}")
        self._move(name.end())
        return self._test(name[0])

    def _refuse_attribute(self, name: str) -> NoReturn:
        """Say what was meant by a name that is compared with nothing."""
        if name == "f" and self._peek() == "(":
            self._fail("how often a value occurs is asked of a label: 1:[] & f(1.lemma) > 2")
        if self._peek() and self._peek() in "]&|)" and name not in self._attributes:
            self._fail(f"where a token stands is said after the tokens: within <{name}/>, !within")
        self._expected(f"'=' or '!=' after the attribute '{name}'")

    def _test(self, attribute: str) -> tree.Condition:
        ordered = _ORDER.match(self._text, self._at)
        if ordered:
            self._move(ordered.end(3) if ordered[3] else ordered.end())
            value = ordered[3] or self._string()
            return tree.Test(attribute, value, bool(ordered[1]), order=ordered[2])
        held = _CONTAINS.match(self._text, self._at)
        if held:
            self._move(held.end())
            test = self._comparand(attribute, is_negated=bool(held[1]))
            one = re.escape(test.pattern) if test.is_literal else test.pattern
            return replace(test, pattern=_SETS[held[2]].format(one), is_literal=False)
        is_negated = self._take_if("!")
        if not self._take_if("="):
            self._refuse_attribute(attribute)
        is_literal = self._take_if("=")
        other = LABELLED.match(self._text, self._at)
        if other:
            self._move(other.end())
            return cast(tree.Condition, _Reference(attribute, other[1], other[2], is_negated))
        return self._comparand(attribute, is_negated=is_negated, is_literal=is_literal)

    def _comparand(
        self, attribute: str, *, is_negated: bool, is_literal: bool = False
    ) -> tree.Test:
        pattern = self._listed_or_string()
        flags = _FLAGS.match(self._text, self._at)
        if flags is None:
            return tree.Test(attribute, pattern, is_negated, is_literal)
        if set(flags[1]) - set("cdl"):
            self._at += 1
            self._expected("the flags c (capitals), d (diacritics) or l (literally)")
        self._move(flags.end())
        kept = "".join(sign for sign in "cd" if sign in flags[1])
        return tree.Test(attribute, pattern, is_negated, is_literal or "l" in flags[1], kept)

    def _listed_or_string(self) -> str:
        expressions = _EXPRESSIONS.match(self._text, self._at)
        found = expressions or _LIST.match(self._text, self._at)
        if not found:
            similar = self._similar()
            return self._string() if similar is None else similar
        words = self._list(found)
        return "|".join(words) if expressions else self._any_of(words)

    def _list(self, found: "re.Match[str] | None" = None) -> Words[str]:
        """Read the name of a list; return its words, defined in the query or saved."""
        found = found or _LIST.match(self._text, self._at)
        if found is None:
            self._expected("the name of a list")
        if found[1] not in self._lists:
            saved = self._lookups.word_list(found[1]) if self._lookups else ()
            if not saved:
                self._fail(
                    f'no list has the name ${found[1]}; write define ${found[1]} = "one two"; '
                    "first, or put a list into the folder lists of the corpus"
                )
            self._lists[found[1]] = tuple(saved)
        self._move(found.end())
        return self._lists[found[1]]

    def _structure(self) -> tree.Pattern:
        self._move(self._at + 1)
        if self._peek() == "<":
            self._fail("a whole structure is written <s/>, a result by its name after within")
        is_end = self._take_if("/")
        name = NAME.match(self._text, self._at)
        if name is None:
            self._expected("the name of a structure such as s, p or doc")
        self._move(name.end())
        inner = name[0].partition("_")
        if not is_end and inner[2] and self._peek() in {"=", "!"}:
            # As CQP writes attributes of structures: <doc_source="herald"> ... </doc_source>.
            self._joined_names.add(name[0])
            return self._closed(inner[0], self._test(inner[2]))
        if is_end and name[0] in self._joined_names:
            return self._closed(inner[0], None, is_end)
        condition = None if is_end or self._peek() in "/>" else self._either()
        return self._closed(name[0], condition, is_end)

    def _closed(
        self, name: str, condition: tree.Condition | None, is_end: bool = False
    ) -> tree.Pattern:
        if not is_end and self._take_if("/"):
            self._take(">", "'>'")
            return tree.Region(name, condition)
        self._take(">", "'>' or '/>'" if not is_end else "'>'")
        return tree.Boundary(name, not is_end, condition)

    def _group(self) -> tree.Pattern:
        self._move(self._at + 1)
        for word in ("meet", "union"):
            if re.compile(rf"{word}\b").match(self._text, self._at):
                self._move(self._at + len(word))
                return self._meet() if word == "meet" else self._union()
        references = len(self._references)
        pattern = self._with_limits(self._alternatives(), references)
        self._take(")", "')', '|' or another token")
        return pattern

    def _with_limits(self, pattern: tree.Pattern, references: int) -> tree.Pattern:
        """Return what stands in brackets; with limits of its own, who reads them says more."""
        return pattern

    def _meet(self) -> tree.Meet:
        self._deeper()
        near = self._item()
        if self._take_word("not"):
            self._fail('hits without another word near them: "a" difference (meet "a" "b" -2 2)')
        far = self._item()
        self._depth -= 1
        low, high, structure = 1, 1, ""
        name = NAME.match(self._text, self._at)
        if name:
            self._move(name.end())
            structure, low, high = name[0], 0, 0
        elif self._peek() != ")":
            low, high = self._number(), self._number()
            if high < low:
                self._fail(f"{low} is more than {high}; write the smaller number first")
        self._take(")", "')'")
        return tree.Meet(near, far, low, high, structure)

    def _union(self) -> tree.Union:
        self._deeper()
        first, second = self._item(), self._item()
        self._depth -= 1
        self._take(")", "')'")
        return tree.Union(first, second)

    def _tabular(self) -> tree.Pattern:
        """Read tokens with gaps between them, as they stand after TAB."""
        items: list[tree.Pattern] = [self._item()]
        while self._peek() and self._peek() in "[\"'~$(@{*+?":
            if self._peek() in _SIGNS or self._peek() == "{":
                least, most = _SIGNS.get(self._peek()) or (0, 0)
                if self._peek() == "{":
                    least, most = self._times()
                else:
                    self._move(self._at + 1)
                items.append(tree.Repeat(tree.Token(), least, most))
            items.append(self._item())
        return items[0] if len(items) == 1 else tree.Sequence(tuple(items))
