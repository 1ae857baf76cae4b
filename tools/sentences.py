"""The sentences that parts below the pages make: errors, notes of analyses, words of charts.

They are written there in English, as Python and the command line show them; pages show them in the reader's language by
their patterns, in which {1}, {2} stand for what is filled in. Everything found here has to be in the catalogues.
"""

import ast
import re
import tomllib
from collections.abc import Iterator
from pathlib import Path

from izwi.model.reasons import all_reasons, all_stages
from izwi.text.connected import AGAIN, USUAL_WORDS, measure

SOURCE = Path(__file__).parent.parent / "src" / "izwi"
# Whose errors reach readers and curators of the web.
ROOMS = (
    "analyse",
    "query",
    "presentation",
    "cases",
    "curation",
    "reports",
    "service",
    "web",
    "index",
)
# Rooms in which every sentence is for readers: notes, charts, hints.
WHOLE = ("analyse", "query")
_WHOLE_FILES = (
    "web/errors.py",
    "cases/doctor.py",
    "index/structures.py",
    "index/reader.py",
    "presentation/answer_charts.py",
    "model/reasons.py",
    "presentation/charts/",
    # What is seen of a page that is left out.
    "text/listings.py",
    "text/verdicts.py",
    "text/other_documents.py",
    "text/decode.py",
)
# What the library that reads addresses says of a value.
_OF_VALUES = (
    "input should be a valid integer, unable to parse string as an integer",
    "input should be a valid number, unable to parse string as a number",
    "input should be a valid boolean, unable to interpret input",
    "input should be greater than or equal to {1}", "input should be less than or equal to {1}",
    "input should be greater than {1}", "field required",
    # A list is named inside the note on what it left out.
    "the general word list of the language ({1})",
    # The title of a chart.
    "{1} by {2}",
    # Errors that become the detail of a verdict.
    "it is no list of comments", "the worker process died each time (killed, or out of memory)",
)  # fmt: skip
# What only the command line, programs and who runs a server see.
_NOT_SHOWN = (
    "methods.py", "case.py", "backup.py", "catalogues.py",
    "tree.py", "conditions.py", "bonito.py", "bonito_query.py", "federated.py",
    "federated_query.py", "harvest.py", "app.py", "collections.py",
    "deduplicating.py", "evaluating.py", "extractors.py", "importing.py",
    "language_packs.py", "languages.py", "runs.py", "tagging.py", "vertical.py", "opml.py",
    "exporting.py", "seedwords.py", "gathering.py", "building.py", "compacting.py", "comparing.py",
    "sketch_grammar.py",
)  # fmt: skip
# Names of answers that are kept, types, and parts that are never shown alone.
_NO_SENTENCES = frozenset((
    "'Corpus' object has no attribute '{1}'", "izwi build {1}", "izwi gather {1}", "izwi sources add {1} URL", "chmod u+w {1}",
    "On Debian: apt-get install chromium", "lemma frequencies", "votes for content", "corpus frequencies", "well-founded dates", "new words", "Turn | None", "Attribute | None",
    "re.Match[str] | None", "str | _Mark", " within <doc language=\"{1}|\"/>", "np.random.Generator | None", "expand to {1}",
    "url=\"[^/]*//([^/@]*@)?{1}([:/?#].*)?\" %c", "shown date", "time element",
    # Fonts, and what is said of files that only the command line takes.
    "listing url", "stretch words", "usual stretch", "short stretches", "same shape", "{1}, short of: {2}",
    "p h1 h2 h3 h4 h5 h6 li blockquote pre dd dt td", "cut: only the first", "HTTP header", "meta element", "byte-order mark", "{1}, read twice",
    "Arial, 'Liberation Sans', Helvetica, sans-serif", "by = '{1}' is neither url nor slug.", "{1} is no CDX list ({2}).",
))  # fmt: skip
_ERROR = re.compile(
    r"(Error|NotFound|TakenDown|Timeout|LaterChange|NotAllowed|HTTPException|Locked|UnknownCorpus)$"
)
_FAILS = ("fail", "_fail", "error")
# Names under which the detail of a verdict is made.
_DETAILS = ("detail", "cut")
_WORDS = re.compile(r"[A-Za-z]{2,}[^A-Za-z]* [^ ]*[a-z]|[a-z]{2,}\.$|^[a-z]+ [a-z]+")
# Messages of the log, and texts that are code, a query or a pattern.
_TECHNICAL = re.compile(
    r"^[<\[(#:@]|://row|\\[dws]|^SELECT|datum\.|text/|==|&&|\|\||translate\(|stroke=|text-anchor=|role="
)


def sentences() -> dict[str, str]:
    """Return each pattern with the file it is in."""
    found: dict[str, str] = dict.fromkeys(_OF_VALUES, "web/errors.py")
    found |= {words: "model/reasons.tsv" for words in all_reasons().values() if " " in words}
    found |= {words: "model/stages.tsv" for _, words in all_stages().values()}
    for path in sorted(SOURCE.rglob("*.py")):
        room = path.relative_to(SOURCE).parts[0]
        is_whole = room in WHOLE or path.relative_to(SOURCE).as_posix().startswith(_WHOLE_FILES)
        tree = ast.parse(path.read_text(encoding="utf-8"))
        nodes = _shown(tree) if is_whole else _of_errors(tree)
        is_said = (is_whole or room in ROOMS) and path.name not in _NOT_SHOWN
        for pattern in (*(nodes if is_said else ()), *_of_verdicts(tree)):
            if _is_sentence(pattern):
                found.setdefault(pattern, str(path.relative_to(SOURCE)))
    found |= dict.fromkeys(_of_languages(), "text/verdicts.py")
    return found | dict.fromkeys(_relations(), "analyse/grammars")


def _of_languages() -> Iterator[str]:
    """Yield what is said of a text's language: what running text has and it lacks, or why none is named."""
    lacking = (*measure("").shares, USUAL_WORDS, AGAIN)
    yield from (f"{{1}}, short of: {name}" for name in lacking)
    yield from (f"und {reason}" for reason in ("other-language", "no-letters", "address-only"))


def _relations() -> Iterator[str]:
    """Yield the names of relations in sketches; a thesaurus says which kind of word stands between."""
    for path in sorted((SOURCE / "analyse" / "grammars").glob("*.toml")):
        for pattern in tomllib.loads(path.read_text(encoding="utf-8"))["pattern"]:
            for name in (pattern["source_sees"], pattern["target_sees"]):
                if re.search("[a-z]", name.replace("{link}", "")):
                    yield name.replace("{link}", "{1}")
                if "{link}" in name:
                    yield name.replace("{link}", "preposition")


def _is_sentence(pattern: str) -> bool:
    is_text = pattern not in _NO_SENTENCES and not _TECHNICAL.search(pattern)
    return is_text and bool(_WORDS.search(pattern))


def _of_errors(tree: ast.AST) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Call):
            name = getattr(node.func, "id", getattr(node.func, "attr", ""))
            if _ERROR.search(name) or name in _FAILS:
                for given in node.args:
                    yield from patterns(given)


def _of_verdicts(tree: ast.AST) -> Iterator[str]:
    """Yield what verdicts and lines of the ledger say of a page: their detail, or the name it has before."""
    for node in ast.walk(tree):
        if (isinstance(node, ast.keyword) and node.arg == "detail") or (
            isinstance(node, ast.Assign) and getattr(node.targets[0], "id", "") in _DETAILS
        ):
            yield from patterns(node.value)


def _shown(tree: ast.AST) -> Iterator[str]:
    """Yield every text but docstrings, keys of dictionaries and what goes into the log."""
    left_out: set[int] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            left_out.add(id(node.value))
        if isinstance(node, ast.JoinedStr):
            left_out |= {id(each) for each in ast.walk(node) if each is not node}
        name = getattr(getattr(node, "func", None), "attr", "")
        if name in ("compile", "debug", "info", "warning", "encode") or isinstance(
            node, ast.Assert
        ):
            left_out |= {id(each) for each in ast.walk(node)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant | ast.JoinedStr) and id(node) not in left_out:
            yield from patterns(node)


def patterns(node: ast.AST) -> Iterator[str]:
    """Yield the pattern of a text, and those of the texts that are filled in."""
    if isinstance(node, ast.Constant):
        if isinstance(node.value, str):
            yield node.value
    elif isinstance(node, ast.JoinedStr):
        text, count = "", 0
        for part in node.values:
            if isinstance(part, ast.Constant):
                text += str(part.value)
            else:
                count += 1
                text += f"{{{count}}}"
        yield text
        for part in node.values:
            if isinstance(part, ast.FormattedValue):
                yield from patterns(part.value)
    elif isinstance(node, ast.Subscript):
        yield from patterns(node.value)
    elif isinstance(node, ast.IfExp):
        yield from patterns(node.body)
        yield from patterns(node.orelse)
    elif isinstance(node, ast.BoolOp):
        for each in node.values:
            yield from patterns(each)
    elif isinstance(node, ast.BinOp):
        yield from patterns(node.left)
        yield from patterns(node.right)
