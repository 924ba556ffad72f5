"""Search of the tree by words: `python -m tests.where undo refused` prints the files that speak most of them.

A file speaks by its path, the recipes of CONTRIBUTING.md that open it, its docstring, and what it defines.
"""

import ast
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
FIRST_LINES = 12
STEM = 6
"""Letters of a word that have to be met, so that "refused" finds a refusal."""
SHOWN = 12


@dataclass(frozen=True, kw_only=True)
class DescribedFile:
    """File with its words, by how much they tell: its path and recipes, its docstring, the names that it defines."""

    path: str
    recipes: str
    docstring: str
    names: str

    def score(self, words: Sequence[str]) -> float:
        """How much it speaks of the words: a word by its best place, and one that it has not counts against it."""
        places = (
            (f"{self.path} {self.recipes}".lower(), 3.0),
            (self.docstring.lower(), 2.0),
            (self.names.lower(), 1.0),
        )
        best = [max((worth for text, worth in places if word.lower()[:STEM] in text), default=-2.0) for word in words]
        return sum(best) if max(best, default=0.0) > 0 else 0.0


def described_files(paths: Iterable[str]) -> list[DescribedFile]:
    recipes, described = _recipes(), []
    for path in paths:
        if path.endswith(KINDS) and not path.startswith(NOT_SHOWN):
            text = (ROOT / path).read_text(encoding="utf-8", errors="replace")
            docstring, names = _of_python(text) if path.endswith(".py") else (_head(text), "")
            described.append(DescribedFile(path=path, recipes=recipes[path], docstring=docstring, names=names))
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


def _of_python(text: str) -> tuple[str, str]:
    tree = ast.parse(text)
    defined = [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef | ast.ClassDef)]
    told = (f"{node.name} {ast.get_docstring(node) or ''}" for node in defined)
    constants = re.findall(r"^[A-Z][A-Z_0-9]+\b", text, re.MULTILINE)
    return ast.get_docstring(tree) or "", " ".join((*told, *constants))


def _head(text: str) -> str:
    lines = text.splitlines()[:FIRST_LINES]
    return " ".join(line.strip(" /*#") for line in lines if line.strip().startswith(("//", "/*", "*", "#")))


def main(words: Sequence[str]) -> None:
    listed = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    paths = [path for path in listed.splitlines() if (ROOT / path).is_file()]
    for file in files_about(words, described_files(paths)):
        sys.stdout.write(f"{file.path}\n    {file.docstring.partition(chr(10))[0]}\n")


if __name__ == "__main__":
    main(sys.argv[1:])
