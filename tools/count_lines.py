"""Count modules and lines of code by package: tools/count_lines.py [COMMIT [COMMIT]].

A line counts if a token of code stands on it: comments, docstrings and empty lines are left out. Kernels are counted apart, since they are
compiled. With one commit, that tree is counted instead of this one; with two, what the second has in files that the first has not
(files that were only moved or renamed are known again by their content).
"""

import ast
import io
import subprocess
import sys
import tokenize
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

_SILENT = (
    tokenize.COMMENT,
    tokenize.NL,
    tokenize.NEWLINE,
    tokenize.INDENT,
    tokenize.DEDENT,
    tokenize.ENDMARKER,
)
_DOCUMENTED = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)


def code_lines(source: str) -> int:
    """Return how many lines of a module hold code.

    >>> code_lines('# a comment' + chr(10) + 'def f():' + chr(10) + '    return 1' + chr(10))
    2
    """
    told: set[int] = set()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, _DOCUMENTED) and ast.get_docstring(node):
            first = node.body[0]
            told |= set(range(first.lineno, (first.end_lineno or first.lineno) + 1))
    code: set[int] = set()
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type not in _SILENT:
            code |= set(range(token.start[0], token.end[0] + 1))
    return len(code - told)


def _git(*words: str) -> str:
    return subprocess.run(["git", *words], capture_output=True, text=True, check=True).stdout


def sources(commits: list[str]) -> Iterator[tuple[str, str]]:
    """Yield the path and the text of each module that is to be counted."""
    if not commits:
        yield from (
            (str(path), path.read_text(encoding="utf-8"))
            for path in sorted(Path("src").rglob("*.py"))
        )
        return
    if len(commits) == 1:
        names = _git("ls-tree", "-r", "--name-only", commits[0], "src").splitlines()
    else:
        names = _git(
            "diff", "-M30%", "-l0", "--diff-filter=A", "--name-only", *commits, "--", "src"
        ).splitlines()
    for name in names:
        if name.endswith(".py"):
            yield name, _git("show", f"{commits[-1]}:{name}")


def main() -> None:
    """Print a line for each package, or for each file that is new."""
    commits = sys.argv[1:]
    lines, modules = Counter[str](), Counter[str]()
    for path, text in sources(commits):
        parts = Path(path).parts
        package = path if len(commits) == 2 else parts[2] if len(parts) > 3 else "izwi"
        lines[package] += code_lines(text)
        modules[package] += 1
    for package in sorted(lines):
        sys.stdout.write(f"{package:24} {modules[package]:4} {lines[package]:6}\n")
    whole, kernels = sum(lines.values()), sum(n for name, n in lines.items() if "kernels" in name)
    sys.stdout.write(
        f"{'all':24} {sum(modules.values()):4} {whole:6}, {whole - kernels} without kernels\n"
    )


if __name__ == "__main__":
    main()
