"""Figures of the code's structure: `python -m tests.structure` prints them for this tree."""

import ast
import re
from collections import Counter, defaultdict
from collections.abc import Iterator
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
ROOMS = ("app", "manage", "commands", "pages", "ui", "api", "services", "sandbox", "bench", "training", "tests")
PRODUCTION = ("services", "ui", "api", "pages", "commands")
CRUMB = 60
"""Lines below which a module that one other module alone imports is part of that one."""


@cache
def files() -> tuple[str, ...]:
    """Every Python file of the rooms, as a path from the root."""
    found = [path for room in ROOMS for path in ((ROOT / room).rglob("*.py"), [ROOT / f"{room}.py"])]
    paths = (path for group in found for path in group if path.is_file())
    return tuple(sorted(path.relative_to(ROOT).as_posix() for path in paths))


@cache
def tree(path: str) -> ast.Module:
    return ast.parse(source(path), path)


@cache
def nodes(path: str) -> tuple[ast.AST, ...]:
    """Every node of a file, in no order: `ast.walk` in half of its time."""
    found: list[ast.AST] = [tree(path)]
    for node in found:
        for value in vars(node).values():
            if isinstance(value, ast.AST):
                found.append(value)
            elif isinstance(value, list):
                found += [item for item in value if isinstance(item, ast.AST)]
    return tuple(found)


@cache
def source(path: str) -> str:
    return (ROOT / path).read_text(encoding="utf-8")


@cache
def lines(path: str) -> int:
    return len(source(path).splitlines())


@cache
def imported_names(path: str) -> frozenset[str]:
    """The dotted names that a file imports, anywhere in it and for types, too."""
    return frozenset(name for node in nodes(path) for name in _imported(node))


def _imported(node: ast.AST) -> Iterator[str]:
    if isinstance(node, ast.Import):
        yield from (alias.name for alias in node.names)
    elif isinstance(node, ast.ImportFrom):
        yield from (f"{node.module}.{alias.name}" for alias in node.names)


@cache
def imported_files(path: str) -> frozenset[str]:
    """Our files that a file imports, anywhere in it and for types, too."""
    return frozenset(found for name in imported_names(path) if (found := file_of(name))) - {path}


@cache
def file_of(name: str) -> str:
    """The file of a dotted name, or of the module that brings it; "" for what is not ours."""
    while name:
        stem = name.replace(".", "/")
        if found := {f"{stem}.py", f"{stem}/__init__.py"} & frozenset(files()):
            return found.pop()
        name = name.rpartition(".")[0]
    return ""


def production() -> list[str]:
    """The files of the app itself, without the sandbox, the benchmarks, the training and the tests."""
    return [path for path in files() if path.startswith(tuple(f"{room}/" for room in PRODUCTION))]


def circles() -> list[list[str]]:
    """Groups of files that import each other, directly or through others, the largest first."""
    reached = {path: _reachable(path) for path in files() if not path.startswith("tests/")}
    groups = {frozenset(other for other in seen if path in reached.get(other, ())) for path, seen in reached.items()}
    return sorted((sorted(group) for group in groups if group), key=len, reverse=True)


def _reachable(path: str) -> set[str]:
    seen: set[str] = set()
    waiting = [path]
    while waiting:
        new = imported_files(waiting.pop()) - seen
        seen |= new
        waiting += new
    return seen


def crumbs() -> dict[str, str]:
    """Short modules that one module alone imports, with that one."""
    importers = defaultdict(set)
    for path in files():
        if not path.startswith("tests/"):
            for needed in imported_files(path):
                importers[needed].add(path)
    short = [path for path in production() if lines(path) < CRUMB and not path.endswith("__init__.py")]
    return {path: next(iter(importers[path])) for path in short if len(importers[path]) == 1}


def classes_defined_twice() -> dict[str, list[str]]:
    """Public class names of the app that more than one file defines."""
    where = defaultdict(list)
    for path in production():
        for node in tree(path).body:
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                where[node.name].append(path)
    return {name: paths for name, paths in sorted(where.items()) if len(paths) > 1}


TERMS_IN_ING = frozenset({"accounting", "greeting", "load_shedding", "onboarding", "wiring", "writing"})
"""Nouns of the field that end like a verb; `writing` is the id of an integration, which is stored."""


def gerunds() -> list[str]:
    """Modules and packages of the app that are named by what somebody does, not by what lives there."""
    stems = {path: _stem(path) for path in production()}
    return [path for path, stem in stems.items() if stem.endswith("ing") and stem not in TERMS_IN_ING]


def _stem(path: str) -> str:
    return path.removesuffix("/__init__.py").removesuffix(".py").rpartition("/")[2]


def values_named_one() -> Counter[str]:
    """How often a value is called `one`, by room."""
    found: Counter[str] = Counter()
    for path in (path for path in files() if _may_say_one(path)):
        for node in nodes(path):
            is_it = (isinstance(node, ast.Name) and node.id == "one") or (
                isinstance(node, ast.arg) and node.arg == "one"
            )
            found[path.split("/")[0]] += is_it
    return +found


_BOUND = re.compile(r"\bone *(=|:|,|\)|\bin\b|$)|[,(*] *one\b|\b(as|for|lambda) one\b", re.MULTILINE)


def _may_say_one(path: str) -> bool:
    """Whether a file may bind the name: the others need not be parsed."""
    return _BOUND.search(source(path)) is not None


def entries_of_services() -> list[str]:
    return sorted({path.split("/")[1] for path in files() if path.startswith("services/")})


def flat_rooms() -> list[tuple[int, str]]:
    """How many modules lie side by side in a folder, the fullest first."""
    folders = Counter(path.rpartition("/")[0] for path in files() if not path.endswith("__init__.py"))
    return sorted(
        ((count, folder) for folder, count in folders.items() if not folder.startswith("tests")), reverse=True
    )


def main() -> None:
    sizes = sorted(lines(path) for path in production())
    largest = circles()
    ones = values_named_one()
    print(f"files in the largest circle of imports      {len(largest[0]) if largest else 0}")
    print(
        f"files of production code                    {len(sizes)}, {sum(sizes)} lines, median {sizes[len(sizes) // 2]}"
    )
    print(f"modules under {CRUMB} lines with one importer     {len(crumbs())}")
    print(f"public class names defined more than once   {len(classes_defined_twice())}")
    print(f"modules named by a gerund                   {len(gerunds())}")
    print(f"values named `one`                          {sum(ones.values())} ({dict(ones)})")
    print(f"entries of services/                        {len(entries_of_services())}")
    print("fullest folders                             " + ", ".join(f"{f} {n}" for n, f in flat_rooms()[:4]))


if __name__ == "__main__":
    main()
