"""What a query of the federated search means here: its two languages as our CQL."""

import re
from dataclasses import dataclass

from izwi.model.errors import QueryError

# Deeper than anybody writes; a stack of our own ends before Python's.
_DEEPEST = 50
_LONGEST = 10_000


class FederatedSyntaxError(QueryError):
    """The query cannot be read."""


class FederatedUnsupported(QueryError):
    """The query can be read, but asks for what there is none of here."""


@dataclass(frozen=True, slots=True)
class _Piece:
    kind: str
    text: str


_BASIC = re.compile(
    r'\s*(?:(?P<string>"(?:[^"\\]|\\.)*")|(?P<sign>[()]|<=|>=|<>|==|=|<|>)|(?P<word>[^\s()"<>=]+))',
    re.DOTALL,
)
_BOOLEANS = ("and", "or", "not", "prox")
# Terms of the basic search stand in the running text, whatever the client calls it.
_INDEXES = ("cql.serverchoice", "cql.anywhere", "text", "word", "words", "fcs.words", "content")


def basic_query(text: str) -> str:
    """Return the CQL for a query of the basic search: terms, phrases, and, or, brackets.

    >>> basic_query("braai")
    '[word=="braai" %c]'
    >>> basic_query('"long drop" or bakkie')
    '(union ([word=="long" %c] [word=="drop" %c]) [word=="bakkie" %c])'
    """
    reader = _Basic(_pieces(text, _BASIC))
    return reader.whole()


def _pieces(text: str, grammar: re.Pattern[str]) -> list[_Piece]:
    if len(text) > _LONGEST:
        raise FederatedSyntaxError(f"A query has at most {_LONGEST:,} characters.")
    pieces, place = [], 0
    while text[place:].strip():
        found = grammar.match(text, place)
        if found is None:
            raise FederatedSyntaxError(f"At character {place + 1}: this cannot be read.")
        assert found.lastgroup is not None
        pieces.append(_Piece(found.lastgroup, found[found.lastgroup]))
        place = found.end()
    return pieces


class _Basic:
    """Reads terms joined by booleans, from left to right as CQL of SRU has it."""

    def __init__(self, pieces: list[_Piece]) -> None:
        self._pieces = pieces
        self._at = 0
        self._depth = 0

    def whole(self) -> str:
        """Return the CQL of all pieces."""
        found = self._joined()
        if self._at < len(self._pieces):
            raise FederatedSyntaxError(f"'{self._pieces[self._at].text}' stands where nothing may.")
        return found

    def _joined(self) -> str:
        left = self._clause()
        while (word := self._boolean()) is not None:
            right = self._clause()
            if word == "or":
                left = f"(union {left} {right})"
            elif word == "and":
                left = f"(meet {left} {right} s)"
            else:
                raise FederatedUnsupported(f"The boolean '{word}' is not answered here.")
        return left

    def _boolean(self) -> str | None:
        piece = self._peek()
        if piece is None or piece.kind != "word" or piece.text.lower() not in _BOOLEANS:
            return None
        self._at += 1
        return piece.text.lower()

    def _clause(self) -> str:
        piece = self._next("a term")
        if piece.text == "(" and piece.kind == "sign":
            self._depth += 1
            if self._depth > _DEEPEST:
                raise FederatedSyntaxError(f"Brackets are nested at most {_DEEPEST} deep.")
            inner = self._joined()
            if self._next("')'").text != ")":
                raise FederatedSyntaxError("A bracket is not closed.")
            self._depth -= 1
            return inner
        if piece.kind == "sign":
            raise FederatedSyntaxError(f"'{piece.text}' stands where a term is expected.")
        following = self._peek()
        if following is not None and following.kind == "sign" and following.text in ("=", "=="):
            return self._of_index(piece)
        return _phrase(piece)

    def _of_index(self, index: _Piece) -> str:
        if index.text.lower() not in _INDEXES:
            raise FederatedUnsupported(f"There is no index '{index.text}' here.")
        self._at += 1
        term = self._next("a term")
        if term.kind == "sign":
            raise FederatedSyntaxError(f"'{term.text}' stands where a term is expected.")
        return _phrase(term)

    def _peek(self) -> _Piece | None:
        return self._pieces[self._at] if self._at < len(self._pieces) else None

    def _next(self, wanted: str) -> _Piece:
        piece = self._peek()
        if piece is None:
            raise FederatedSyntaxError(f"The query ends where {wanted} is expected.")
        self._at += 1
        return piece


_TOKENS = re.compile(r"\w+(?:[-'’.]\w+)*|[^\w\s]")


def _phrase(piece: _Piece) -> str:
    text = piece.text
    if piece.kind == "string":
        text = re.sub(r"\\(.)", r"\1", text[1:-1], flags=re.DOTALL)
    tokens = _TOKENS.findall(text)
    if not tokens:
        raise FederatedSyntaxError("An empty term finds nothing.")
    written = " ".join(f'[word=="{_escaped(token)}" %c]' for token in tokens)
    return f"({written})" if len(tokens) > 1 else written


def _escaped(text: str) -> str:
    return text.replace("\\", "\\\\").replace('"', '\\"')


_ADVANCED = re.compile(
    r"\s*(?:(?P<string>\"(?:[^\"\\]|\\.)*\"|'(?:[^'\\]|\\.)*')"
    r"|(?P<flags>/[A-Za-z]+)|(?P<count>\{\s*\d*\s*(?:,\s*\d*\s*)?\})"
    r"|(?P<name>[A-Za-z][\w-]*(?::[A-Za-z][\w-]*)?)|(?P<sign>!=|[\[\]()|&=!?*+]))",
    re.DOTALL,
)
# What layers are called in FCS-QL, and here.
_LAYERS = {"text": "word", "token": "word", "word": "word", "orth": "word", "lemma": "lemma"}
_WITHIN = {
    **dict.fromkeys(("s", "sentence", "utterance", "u"), "s"),
    **dict.fromkeys(("p", "paragraph", "turn", "t"), "p"),
    **dict.fromkeys(("text", "session", "document"), "doc"),
}
_FLAGS = {"i": "c", "c": "c", "d": "d", "l": "l"}


def advanced_query(text: str, attributes: tuple[str, ...]) -> str:
    """Return the CQL for a query in FCS-QL, for a corpus with some attributes.

    >>> advanced_query('[text = "Braai" /i & pos = "NOUN"] within s', ("word", "lemma", "upos"))
    '[ word = "Braai" %c & upos = "NOUN" ] within s'
    """
    return " ".join(_Advanced(_pieces(text, _ADVANCED), attributes).pieces())


@dataclass(frozen=True, slots=True)
class _Advanced:
    """Writes FCS-QL anew; what differs from CQL are names of layers and of flags."""

    written: list[_Piece]
    attributes: tuple[str, ...]

    def pieces(self) -> list[str]:
        """Return the query piece by piece."""
        if not self.written:
            raise FederatedSyntaxError("The query is empty.")
        found, is_inside, previous = [], False, _Piece("", "")
        for piece in self.written:
            if piece.kind == "sign" and piece.text in "[]":
                is_inside = piece.text == "["
            found.append(self._one(piece, previous, is_inside=is_inside))
            previous = piece
        return found

    def _one(self, piece: _Piece, previous: _Piece, *, is_inside: bool) -> str:
        if piece.kind == "flags":
            return self._flags(piece.text[1:])
        if piece.kind != "name":
            return piece.text
        if is_inside:
            return self._layer(piece.text)
        if previous.text == "within":
            return self._structure(piece.text)
        if piece.text != "within":
            raise FederatedSyntaxError(f"'{piece.text}' stands where a token is expected.")
        return piece.text

    def _layer(self, name: str) -> str:
        plain = name.rpartition(":")[2].lower()
        if plain == "pos":
            found = "upos" if "upos" in self.attributes else "pos"
        else:
            found = _LAYERS.get(plain, "")
        if found not in self.attributes:
            raise FederatedUnsupported(f"There is no layer '{name}' here.")
        return found

    def _structure(self, name: str) -> str:
        if name.lower() not in _WITHIN:
            raise FederatedUnsupported(f"'within {name}' is not answered here.")
        return _WITHIN[name.lower()]

    def _flags(self, letters: str) -> str:
        # Capital letters ask for what is done anyway: case and diacritics as written.
        wanted = [_FLAGS.get(letter, "") for letter in letters if letter.islower()]
        if "" in wanted:
            raise FederatedUnsupported(f"The flag '/{letters}' is not answered here.")
        return f"%{''.join(dict.fromkeys(wanted))}" if wanted else ""
