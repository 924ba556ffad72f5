"""Each pattern of diagrams takes linear time, called as the code calls it, with texts made from itself (T49)."""

import re
from collections.abc import Callable, Iterator
from pathlib import Path

from services.settings import ROOT
from tests.pumped_texts import is_linear, patterns_of, pumps

ROOMS = ("services/diagrams",)
LENGTH = 3_000


def slow_patterns(rooms: tuple[str, ...]) -> Iterator[tuple[str, str, tuple[str, str]]]:
    """(file, pattern, pumped text) of what costs more than six times as much for four times the length."""
    for path in (path for room in rooms for path in sorted((ROOT / room).rglob("*.py"))):
        if "re." not in (code := path.read_text(encoding="utf-8")):
            continue
        for pattern in patterns_of(path, ROOT):
            for pump in sorted(pumps(pattern)):
                if not is_linear(_use(path, code, pattern), *pump, LENGTH):
                    yield str(path.relative_to(ROOT)), pattern.pattern, pump


def _use(path: Path, code: str, pattern: re.Pattern[str]) -> Callable[[str], object]:
    """Use of the pattern by the file that names it: anchored where the code anchors it, else at every place."""
    module = vars(__import__(".".join(path.relative_to(ROOT).with_suffix("").parts), fromlist=["_"]))
    names = [name for name, value in module.items() if isinstance(value, re.Pattern) and value == pattern]
    methods = {method for name in names for method in re.findall(rf"\b{name}\.(match|fullmatch|\w+)\(", code)}
    if len(methods) == 1 and methods <= {"match", "fullmatch"}:
        return getattr(pattern, methods.pop())  # type: ignore[no-any-return]
    if not names and re.search(r"for \w+ in _\w+:\n\s+if \w+ := pattern\.match\(", code):
        return pattern.match
    return lambda text: [None for _ in pattern.finditer(text)]


def test_each_pattern_of_diagrams_takes_linear_time_as_the_code_calls_it() -> None:
    assert list(slow_patterns(ROOMS)) == []
