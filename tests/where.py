"""Search of the tree by words: `python -m tests.where undo refused` prints the files that speak most of them.

A file speaks by its path, the recipes of CONTRIBUTING.md that open it, its docstring, what it defines and uses, and the
texts that it shows. What plays the outside world comes after the product.
"""

import ast
import os
import re
import subprocess
import sys
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
KINDS = (".py", ".js", ".css", ".txt", ".toml")
NOT_SHOWN = ("tests/", "training/data/", "sandbox/canvas/materials/", "api/assets/built/")
PLAYED = ("sandbox/", "bench/", "training/")
FIRST_LINES = 12
STEM = 6
"""Letters of a word that have to be met, so that "refused" finds a refusal."""
SHOWN = 12


@dataclass(frozen=True, kw_only=True)
class DescribedFile:
    """File with its words, by how much they tell: its path and recipes, its docstring, the names that it defines and
    the texts that it shows, the names that it uses.
    """

    path: str
    recipes: str
    docstring: str
    names: str
    used: str = ""

    def score(self, words: Sequence[str]) -> float:
        """How much it speaks of the words: a word by its best place, and one that it has not counts against it."""
        places = (
            (f"{self.path} {self.recipes}".lower(), 3.0),
            (self.docstring.lower(), 2.0),
            (self.names.lower(), 1.0),
            (self.used.lower(), 0.5),
        )
        best = [max((worth for text, worth in places if word.lower()[:STEM] in text), default=-2.0) for word in words]
        score = sum(best) if max(best, default=0.0) > 0 else 0.0
        return score - 1.0 if self.path.startswith(PLAYED) else score


def described_files(paths: Iterable[str]) -> list[DescribedFile]:
    recipes, described = _recipes(), []
    for path in paths:
        if path.endswith(KINDS) and not path.startswith(NOT_SHOWN):
            text = (ROOT / path).read_text(encoding="utf-8", errors="replace")
            docstring, names, used = _of_python(text) if path.endswith(".py") else (_head(text), "", "")
            file = DescribedFile(path=path, recipes=recipes[path], docstring=docstring, names=names, used=used)
            described.append(file)
    return described


def files_about(words: Sequence[str], described: Iterable[DescribedFile]) -> list[DescribedFile]:
    """The files that speak most of the words, the best first."""
    scored = [(file.score(words), file) for file in described]
    ranked = sorted((pair for pair in scored if pair[0] > 0), key=lambda pair: (-pair[0], pair[1].path))
    return [file for _, file in ranked[:SHOWN]]


def _recipes() -> Mapping[str, str]:
    found: dict[str, str] = defaultdict(str)
    for line in (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8").splitlines():
        if line.startswith("| "):
            for path in re.findall(r"`([\w./-]+)`", line):
                found[path] += f" {line}"
    return found


def _of_python(text: str) -> tuple[str, str, str]:
    """Docstring; names that are defined, with their docstrings, and texts for students; names that are used."""
    tree = ast.parse(text)
    nodes = [*ast.walk(tree)]
    defined = [node for node in nodes if isinstance(node, ast.FunctionDef | ast.ClassDef)]
    told = (f"{node.name} {ast.get_docstring(node) or ''}" for node in defined)
    constants = re.findall(r"^[A-Z][A-Z_0-9]+\b", text, re.MULTILINE)
    shown = (text for node in nodes if isinstance(node, ast.Call) for text in _shown_texts(node))
    used = {node.attr for node in nodes if isinstance(node, ast.Attribute)}
    return ast.get_docstring(tree) or "", " ".join((*told, *constants, *shown)), " ".join(used)


def _shown_texts(call: ast.Call) -> Sequence[str]:
    """Texts that a call of gettext marks for students."""
    is_shown = isinstance(call.func, ast.Name) and call.func.id.endswith("gettext")
    return [str(node.value) for node in call.args if is_shown and isinstance(node, ast.Constant)]


def _head(text: str) -> str:
    lines = text.splitlines()[:FIRST_LINES]
    return " ".join(line.strip(" /*#") for line in lines if line.strip().startswith(("//", "/*", "*", "#")))


def main(words: Sequence[str]) -> None:
    listed = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    paths = [path for path in listed.splitlines() if (ROOT / path).is_file()]
    found = files_about(words, described_files(paths))
    try:
        sys.stdout.writelines(f"{file.path}\n    {file.docstring.partition(chr(10))[0]}\n" for file in found)
        sys.stdout.flush()
    except BrokenPipeError:  # `| head` has read enough.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


if __name__ == "__main__":
    main(sys.argv[1:])
