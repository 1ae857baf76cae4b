"""Bonito's interface at /bonito/run.cgi: what clients of (No)Sketch Engine ask for, and as they do.

Answers have the shapes that those clients read; what is counted is what our own pages count.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from fastapi import APIRouter, Request
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.responses import JSONResponse, Response

from izwi.cases.corpus import Corpus
from izwi.model.errors import IzwiError, QueryError
from izwi.model.results import KwicLine, LineToken
from izwi.web.api.bonito_query import AskedLines, Criterion, asked_lines, criteria, own_names
from izwi.web.errors import status_of
from izwi.web.pages.text_menu import CORPUS, text_here
from izwi.web.session.rights import form_pairs
from izwi.web.site import Site, ThisSite

router = APIRouter(prefix="/bonito/run.cgi", include_in_schema=False)

_SECONDS = 30.0
_MOST_LINES = 1000
_MOST_ITEMS = 10_000
_MOST_FORM_BYTES = 1 << 20
# Their letters for measures of attraction, and ours.
_MEASURES = {"t": "t", "m": "mi", "3": "mi3", "l": "ll", "s": "minsens", "d": "logdice"}
_COLUMNS = {"t": "T-score", "m": "MI", "3": "MI3", "l": "log likelihood", "d": "logDice"}
_SECRET = ("api_key", "username")


@dataclass(frozen=True, slots=True)
class _Asked:
    """A request: its parameters, and the corpus that it names."""

    pairs: Sequence[tuple[str, str]]
    fields: Mapping[str, str]
    corpus: Corpus
    site: Site

    def number(self, name: str, usual: int, *, most: int) -> int:
        """Return a parameter as a whole number within bounds."""
        text = self.fields.get(name, "").strip()
        if not text:
            return usual
        if not text.isascii() or not text.isdecimal() or len(text) > 9:
            raise QueryError(f"{name} is a whole number, not '{text[:20]}'.")
        return min(int(text), most)

    @property
    def lines(self) -> AskedLines:
        """The concordance that is asked for."""
        return asked_lines(self.pairs, self.corpus.attributes)

    @property
    def counted(self) -> AskedLines:
        """The same, of which all hits are counted."""
        found = self.lines
        if not found.is_plain():
            raise QueryError("Only whole concordances are counted here: leave r and p out of q.")
        return found


@router.get("/{call}")
def run(call: str, request: Request, site: ThisSite) -> Response:
    """Answer a call; what goes wrong is said under `error`, as these clients expect it."""
    return _answered(call, list(request.query_params.multi_items()), site)


@router.post("/{call}")
async def run_form(call: str, request: Request, site: ThisSite) -> Response:
    """Answer a call whose parameters come as a form; nothing is changed by any."""
    try:
        pairs = await form_pairs(request, most_bytes=_MOST_FORM_BYTES)
    except HTTPException as error:
        return JSONResponse({"error": str(error.detail), "request": {}}, error.status_code)
    return await run_in_threadpool(_answered, call, pairs, site)


def _answered(call: str, pairs: list[tuple[str, str]], site: Site) -> Response:
    shown = {name: value for name, value in pairs if name not in _SECRET}
    try:
        made = _made(call, pairs, shown, site)
    except IzwiError as error:
        message = site.without_folders(str(error))
        return JSONResponse({"error": message, "request": shown}, status_of(error))
    return JSONResponse(made | {"request": shown, "api_version": "izwi"})


def _made(
    call: str, pairs: list[tuple[str, str]], shown: Mapping[str, str], site: Site
) -> dict[str, Any]:
    if call in ("corplist", "corpora"):
        return {"corpora": [_listed(site.corpora[name]) for name in sorted(site.corpora)]}
    if call not in _CALLS:
        known = ", ".join(sorted(_CALLS))
        raise QueryError(f"'{call[:40]}' is not answered here; these calls are: corplist, {known}.")
    if shown.get("format", "json") != "json":
        raise QueryError("Answers are JSON here: format=json.")
    # Sketch Engine's own names begin with the folder they lie in.
    name = shown.get("corpname", "").rpartition("/")[2]
    return _CALLS[call](_Asked(pairs, shown, site.corpus(name), site))


def _listed(corpus: Corpus) -> dict[str, Any]:
    found = corpus.summary()
    return {
        "corpname": corpus.name,
        "name": found.title or corpus.name,
        "language_id": found.languages[0] if found.languages else "",
        "size": str(found.tokens),
        "sizes": {"tokencount": str(found.tokens), "doccount": str(found.documents)},
    }


def _corp_info(asked: _Asked) -> dict[str, Any]:
    found = asked.corpus.summary()
    attributes = asked.corpus.attributes
    return {
        "name": found.title or asked.corpus.name,
        "corpname": asked.corpus.name,
        "lang": found.languages[0] if found.languages else "",
        "encoding": "UTF-8",
        "info": f"Version {found.snapshot}, published {found.published}",
        "sizes": {
            "tokencount": str(found.tokens),
            "wordcount": str(found.tokens),
            "doccount": str(found.documents),
        },
        "attributes": [{"name": name, "label": name, "id_range": 0} for name in attributes],
        "structures": [
            {
                "name": "doc",
                "label": "document",
                "size": str(found.documents),
                "attributes": [
                    {"name": name, "label": name, "size": 0, "dynamic": "", "fromattr": ""}
                    for name in ("source", "site", "section", "author", "date", "url")
                ],
            }
        ],
        "subcorpora": [{"n": each.name, "v": each.name} for each in asked.corpus.subcorpora()],
        "docstructure": "doc",
        "freqttattrs": ["doc.source", "doc.year"],
        "defaultattr": "word",
    }


def _view(asked: _Asked) -> dict[str, Any]:
    wanted, size = asked.lines, asked.number("pagesize", 20, most=_MOST_LINES)
    shown = _shown(asked)
    found = asked.corpus.concordance(
        wanted.query,
        page=asked.number("fromp", 1, most=10**9),
        size=max(1, size),
        context=_context(asked),
        unit="sentence" if asked.fields.get("viewmode") == "sen" else "tokens",
        show=shown,
        timeout=_SECONDS,
        **wanted.arguments(),
    )
    first = (found.page - 1) * found.size
    references = asked.fields.get("refs", "")
    return {
        "Lines": [
            _line(line, first + place, has_values=len(shown) > 1, references=references)
            for place, line in enumerate(found.lines)
        ],
        "fromp": found.page,
        "numofpages": found.pages,
        "lastpage": int(found.page == found.pages),
        "concsize": found.hits,
        "fullsize": found.hits,
        "relsize": found.per_million,
        "finished": 1,
        "sampled": int(wanted.sample > 0),
        "Desc": _described(wanted, found.hits, found.per_million),
    }


def _context(asked: _Asked) -> int:
    """Return the tokens on either side; `40#` are characters, about six of them a token."""
    text = asked.fields.get("kwicleftctx", "") or asked.fields.get("kwicrightctx", "")
    digits = "".join(each for each in text if each.isascii() and each.isdecimal())[:5]
    if not digits:
        return 12
    is_characters = text.rstrip().endswith("#")
    return min(100, int(digits) // 6 if is_characters else int(digits))


def _shown(asked: _Asked) -> tuple[str, ...]:
    """Return the attributes of tokens that a client wants to see, the word first."""
    known = asked.corpus.attributes
    wanted = [name.strip() for name in asked.fields.get("attrs", "word").split(",")]
    own = [own_names(f"{name}=", known).rstrip("=") for name in wanted if name]
    unknown = [name for name in own if name not in known]
    if unknown:
        raise QueryError(f"There is no attribute '{unknown[0]}'; known: {', '.join(known)}.")
    return tuple(own) or ("word",)


def _line(line: KwicLine, number: int, *, has_values: bool, references: str) -> dict[str, Any]:
    matched = [place for place, each in enumerate(line.tokens) if each.is_match]
    first, last = (matched[0], matched[-1] + 1) if matched else (0, 0)
    card = line.document
    return {
        "toknum": number,
        "hitlen": str(max(1, last - first)),
        "id": line.id,
        "Refs": _references(line, number, references),
        "Left": _pieces(line.tokens[:first], "", has_values=has_values),
        "Kwic": _pieces(line.tokens[first:last], "col0 coll", has_values=has_values),
        "Right": _pieces(line.tokens[last:], "", has_values=has_values),
        "Links": [],
        "ref": f"{card.site} {card.date or ''}".strip(),
        "url": card.url,
    }


def _references(line: KwicLine, number: int, wanted: str) -> list[str]:
    """Return what is said of a line's document: `#` is its number, `=doc.x` a bare value."""
    card = line.document
    found = []
    for each in wanted.split(",") if wanted else ("doc.source", "doc.date"):
        name = each.strip().lstrip("=").partition(".")[2]
        value = str(getattr(card, name, "") or "")
        if each.strip() == "#":
            found.append(f"#{number}")
        else:
            found.append(value if each.strip().startswith("=") else f"{name}={value}")
    return found


def _pieces(tokens: Sequence[LineToken], name: str, *, has_values: bool) -> list[dict[str, str]]:
    if not has_values:
        text = "".join(f"{each.text} " if each.has_space else each.text for each in tokens)
        return [{"str": text, "class": name}] if tokens else []
    return list(_valued(tokens, name))


def _valued(tokens: Sequence[LineToken], name: str) -> Iterator[dict[str, str]]:
    """Yield each token and, behind it, its other values with strokes between them."""
    for token in tokens:
        yield {"str": token.text + " " * token.has_space, "class": name}
        yield {"str": "".join(f"/{value}" for value in token.values[1:]), "class": "attr"}


def _described(wanted: AskedLines, hits: int, per_million: float) -> list[dict[str, Any]]:
    return [
        {"op": "Query", "arg": wanted.query, "nicearg": wanted.query, "size": hits,
         "rel": per_million}
    ]  # fmt: skip


def _freqs(asked: _Asked) -> dict[str, Any]:
    wanted, known = asked.counted, asked.corpus.attributes
    written = [value for name, value in asked.pairs if name == "fcrit" and value]
    if not written:
        raise QueryError("fcrit is missing; it says by what is counted, such as word/e 0.")
    blocks, hits, rate = list[dict[str, Any]](), 0, 0.0
    for each in written[:20]:
        chosen = criteria(each, known)
        block, hits, rate = _block(asked, wanted, chosen)
        blocks.append(block)
    return {
        "Blocks": blocks,
        "concsize": hits,
        "fullsize": hits,
        "Desc": _described(wanted, hits, rate),
    }


def _block(
    asked: _Asked, wanted: AskedLines, chosen: Sequence[Criterion]
) -> tuple[dict[str, Any], int, float]:
    found = asked.corpus.frequencies(
        wanted.query,
        by=chosen[0].by,
        and_by=chosen[1].by if len(chosen) > 1 else "",
        least=asked.number("flimit", 1, most=10**9),
        most=max(1, asked.number("fmaxitems", 100, most=_MOST_ITEMS)),
        mode=wanted.mode,
        timeout=_SECONDS,
    )
    heads = [{"n": each.name, "id": each.name, "s": place} for place, each in enumerate(chosen)]
    heads += [{"n": "Frequency", "id": "frq", "s": "freq"}]
    items = [
        {
            "Word": [{"n": value} for value in line.values],
            "frq": line.hits,
            "fpm": line.per_million or 0.0,
            "rel": line.per_million or 0.0,
        }
        for line in found.lines
    ]
    rate = 1e6 * found.hits / found.tokens if found.tokens else 0.0
    block = {"Head": heads, "Items": items, "total": found.total, "totalfrq": found.hits}
    return block, found.hits, rate


def _wordlist(asked: _Asked) -> dict[str, Any]:
    name = own_names(f"{asked.fields.get('wlattr', 'word')}=", asked.corpus.attributes)
    pattern = asked.fields.get("wlpat", "") or ".*"
    found = asked.corpus.wordlist(
        attribute=name.rstrip("="),
        pattern=pattern,
        case=True,
        least=max(1, asked.number("wlminfreq", 1, most=10**9)),
        most=max(1, asked.number("wlmaxitems", 100, most=_MOST_ITEMS)),
        timeout=_SECONDS,
    )
    items = [
        {"str": line.value, "frq": line.hits, "relfreq": line.per_million, "docf": line.documents}
        for line in found.lines
    ]
    return {"Items": items, "total": found.total, "totalfrq": found.tokens, "wllimit": len(items)}


def _collx(asked: _Asked) -> dict[str, Any]:
    wanted, known = asked.counted, asked.corpus.attributes
    sort = asked.fields.get("csortfn", "d")
    found = asked.corpus.collocations(
        wanted.query,
        attribute=own_names(f"{asked.fields.get('cattr', 'word')}=", known).rstrip("="),
        left=_reach(asked, "cfromw", -5, before=True),
        right=_reach(asked, "ctow", 5, before=False),
        measure=_MEASURES.get(sort, "logdice"),
        least=max(1, asked.number("cminbgr", 3, most=10**9)),
        most=max(1, asked.number("cmaxitems", 50, most=_MOST_ITEMS)),
        mode=wanted.mode,
        timeout=_SECONDS,
    )
    columns = [letter for letter in asked.fields.get("cbgrfns", "td") if letter in _COLUMNS]
    head = [{"n": "", "s": ""}, {"n": "Cooccurrences", "s": "f"}, {"n": "Candidates", "s": "F"}]
    head += [{"n": _COLUMNS[letter], "s": letter} for letter in columns]
    items = [
        {
            "str": line.value,
            "freq": line.total,
            "coll_freq": line.frequency,
            "Stats": [
                {"n": _COLUMNS[letter], "s": f"{getattr(line, _MEASURES[letter]):.5f}"}
                for letter in columns
            ],
        }
        for line in found.lines
    ]
    return {"Head": head, "Items": items, "concsize": found.hits}


def _reach(asked: _Asked, name: str, usual: int, *, before: bool) -> int:
    """Return how many tokens a window reaches on one side, by its first or last place."""
    text = asked.fields.get(name, "").strip() or str(usual)
    digits = text.removeprefix("-")
    if not digits.isascii() or not digits.isdecimal() or len(digits) > 3:
        raise QueryError(f"{name} is a number of tokens, such as {usual}.")
    place = -int(digits) if text.startswith("-") else int(digits)
    return max(0, -place if before else place)


def _wsketch(asked: _Asked) -> dict[str, Any]:
    lemma = _lemma(asked)
    found = asked.corpus.word_sketch(lemma, timeout=_SECONDS)
    relations = [
        {
            "name": relation.name,
            "count": relation.hits,
            "Words": [
                {"word": each.word, "lempos": each.word, "count": each.hits, "score": each.score,
                 "cm": each.word, "seek": each.cql}
                for each in relation.collocates
            ],
        }
        for relation in found.relations
    ]  # fmt: skip
    return {"lemma": found.word, "lpos": "", "freq": found.hits, "Gramrels": relations}


def _thes(asked: _Asked) -> dict[str, Any]:
    found = asked.corpus.thesaurus(
        _lemma(asked), most=max(1, asked.number("maxthesitems", 100, most=1000)), timeout=_SECONDS
    )
    words = [
        {"word": each.word, "lempos": each.word, "score": each.score, "freq": each.hits, "id": at}
        for at, each in enumerate(found.lines)
    ]
    return {"lemma": found.word, "lpos": "", "freq": found.hits, "Words": words}


def _lemma(asked: _Asked) -> str:
    lemma = asked.fields.get("lemma", "").strip()
    if not lemma:
        raise QueryError("lemma is missing.")
    return lemma


def _keywords(asked: _Asked) -> dict[str, Any]:
    name = asked.fields.get("ref_corpname", "").rpartition("/")[2]
    is_other = name and name != asked.corpus.name
    # A corpus of this server; no other folder of it.
    reference = text_here(asked.site, asked.corpus, f"{CORPUS}{name}") if is_other else ""
    attribute = own_names(f"{asked.fields.get('attr', 'lc')}=", asked.corpus.attributes)
    found = asked.corpus.keywords(
        reference,
        attribute=attribute.rstrip("="),
        smoothing=float(max(1, asked.number("simple_n", 1, most=10**6))),
        least=max(1, asked.number("minfreq", 5, most=10**9)),
        most=max(1, asked.number("max_keywords", 100, most=_MOST_ITEMS)),
        timeout=_SECONDS,
    )
    return {
        "keywords": [
            {"item": line.value, "score": line.simple, "frq1": line.hits,
             "frq2": line.reference_hits, "rel_frq1": line.per_million,
             "rel_frq2": line.reference_per_million, "query": line.opens.query}
            for line in found.lines
        ],
        "total": found.total,
        "reference_corpus_name": found.reference,
    }  # fmt: skip


def _subcorp(asked: _Asked) -> dict[str, Any]:
    found = asked.corpus.subcorpora()
    return {"SubcorpList": [{"n": each.name, "v": each.name} for each in found]}


_CALLS: Mapping[str, Callable[[_Asked], dict[str, Any]]] = {
    "corp_info": _corp_info,
    "view": _view,
    "concordance": _view,
    "first": _view,
    "freqs": _freqs,
    "freqml": _freqs,
    "freqtt": _freqs,
    "wordlist": _wordlist,
    "collx": _collx,
    "wsketch": _wsketch,
    "thes": _thes,
    "extract_keywords": _keywords,
    "subcorp": _subcorp,
}
