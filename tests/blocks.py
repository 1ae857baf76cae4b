"""The fenced blocks of the documentation: what they are, and why some are not run."""

import re
import shlex
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parent.parent
# A fence with its language; hidden comments right above it say what it needs, or why it is not run.
_BLOCK = re.compile(
    r"(?P<above>(?:^<!--(?:(?!-->).)*-->[ \t]*\n\s*)*)"
    r"^```(?P<language>\w*)[^\n]*\n(?P<text>.*?)^```",
    re.MULTILINE | re.DOTALL,
)
_REASON = re.compile(r"<!-- not run: (.+?) -->", re.DOTALL)
_FILE = re.compile(r"<!-- file: (\S+)\n(.*?)-->", re.DOTALL)
_PRINTS = re.compile(r"<!-- prints: (.+?) -->", re.DOTALL)
_COMMENT = re.compile(r"(?:^|\s+)#\s.*$")
_CALL = re.compile(r"(?:\S*/)?izwi\s+(.*)")
_REDIRECT = re.compile(r"\s>\s*(\S+)$")
RUN = ("sh", "py", "python", "toml")
NEVER_ENDING = ("serve", "watch", "demo")


@dataclass(frozen=True)
class Call:
    """A command line: the words after `izwi`, and the file its output goes to."""

    words: tuple[str, ...]
    output: str = ""


@dataclass(frozen=True)
class Block:
    """A fenced block: its page, language and text, why it is not run, and files it needs.

    `prints` is what its commands must print among other things: an empty answer is no error of
    izwi, but one of the documentation.
    """

    page: str
    number: int
    language: str
    text: str
    reason: str = ""
    files: tuple[tuple[str, str], ...] = ()
    prints: tuple[str, ...] = ()

    @property
    def is_run(self) -> bool:
        """Whether it is run, not only looked at."""
        return not self.reason and not self.page.startswith("docs/reference/")

    def calls(self) -> list[Call]:
        """Return the calls of izwi in a shell block."""
        found = (_call(line) for line in _lines(self.text))
        return [call for call in found if call]

    def others(self) -> list[str]:
        """Return the lines of a shell block that call something else."""
        return [line for line in _lines(self.text) if not _call(line)]


def pages() -> list[Path]:
    """Return the pages of the documentation."""
    return [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]


def blocks_of(path: Path) -> list[Block]:
    """Return the fenced blocks of a page."""
    page, text = path.relative_to(ROOT).as_posix(), path.read_text(encoding="utf-8")
    return [_block(page, number, found) for number, found in enumerate(_BLOCK.finditer(text), 1)]


def _block(page: str, number: int, found: re.Match[str]) -> Block:
    reason = _REASON.search(found["above"])
    files = tuple((name, content) for name, content in _FILE.findall(found["above"]))
    why = reason[1] if reason else ""
    prints = tuple(_PRINTS.findall(found["above"]))
    return Block(page, number, found["language"], found["text"], why, files, prints)


def _lines(text: str) -> list[str]:
    joined = re.sub(r"\\\n\s*", "", text)
    lines = (_COMMENT.sub("", line).strip() for line in joined.splitlines())
    return [line for line in lines if line]


def _call(line: str) -> Call | None:
    found = _CALL.fullmatch(line)
    if not found:
        return None
    redirect = _REDIRECT.search(found[1])
    words = found[1][: redirect.start()] if redirect else found[1]
    return Call(tuple(shlex.split(words)), redirect[1] if redirect else "")
