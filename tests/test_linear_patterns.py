"""Each pattern of the code takes linear time, called as the code calls it, with texts made from itself (T49)."""

import importlib
import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from services.settings import ROOT
from tests.pumped_texts import calls_of, is_linear, pumps

ROOMS = ("services/diagrams", "services/discovery", "services/safety/markdown", "services/week")
"""Rooms that every run looks at; `EVERY_ROOM` is looked at in the long runs."""
EVERY_ROOM = ("services", "ui", "api", "commands", "sandbox")
LENGTH = 3_000
_ANCHORED = ("match", "fullmatch")


def slow_patterns(rooms: tuple[str, ...]) -> Iterator[tuple[str, str, tuple[str, str]]]:
    """(file, pattern, pumped text) of what costs more than six times as much for four times the length."""
    for path in (path for room in rooms for path in sorted((ROOT / room).rglob("*.py"))):
        name = str(path.relative_to(ROOT))
        if "re." not in (code := path.read_text(encoding="utf-8")):
            continue
        for function, pattern in calls_of(path, ROOT):
            use = getattr(pattern, function) if function in _ANCHORED else _use(path, code, pattern)
            yield from (
                (name, pattern.pattern, pump) for pump in sorted(pumps(pattern)) if not is_linear(use, *pump, LENGTH)
            )


def _use(path: Path, code: str, pattern: re.Pattern[str]) -> Callable[[str], object]:
    """Use of the pattern by the file that names it: anchored where the code anchors it, else at every place."""
    module = vars(importlib.import_module(".".join(path.relative_to(ROOT).with_suffix("").parts)))
    names = [name for name, value in module.items() if isinstance(value, re.Pattern) and value == pattern]
    methods = {method for name in names for method in re.findall(rf"\b{name}\.(match|fullmatch|\w+)\(", code)}
    if len(methods) == 1 and methods <= {*_ANCHORED}:
        return getattr(pattern, methods.pop())  # type: ignore[no-any-return]
    if not names and re.search(r"for \w+ in _\w+:\n\s+if \w+ := pattern\.match\(", code):
        return pattern.match
    return lambda text: [None for _ in pattern.finditer(text)]


def test_each_pattern_takes_linear_time_as_the_code_calls_it() -> None:
    assert list(slow_patterns(ROOMS)) == []


@pytest.mark.soak
@pytest.mark.parametrize("room", EVERY_ROOM)
def test_each_pattern_of_every_room_takes_linear_time_as_the_code_calls_it(room: str) -> None:
    assert list(slow_patterns((room,))) == []
