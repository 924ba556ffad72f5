"""Numbers of Word's lists and headings, as they are printed (ISO/IEC 29500-1 §17.9)."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from services.safety.rich_text.list_marks import WORD_STYLES

W = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
_LEVELS = 9
_LONGEST_MARK = 60
_LARGEST = 1_000_000
BULLET = "-"


@dataclass(frozen=True, kw_only=True)
class _Level:
    """Level of a list. restart: the level after which it begins anew, from 1; 0: never, None: any higher one."""

    start: int = 1
    form: str = "decimal"
    text: str = ""
    style: str = ""
    restart: int | None = None
    is_legal: bool = False


@dataclass(frozen=True, kw_only=True)
class _List:
    """List of a document. id: of the definition whose count it shares. starts: numbers from which its levels begin."""

    id: str
    levels: Mapping[int, _Level]
    starts: Mapping[int, int] = field(default_factory=dict)


class ListNumbers:
    """Counts the items of a document from its beginning."""

    def __init__(self, root: Any) -> None:
        """root: the part with the numbering definitions, or None."""
        self._lists = {} if root is None else _lists(root)
        self._counts: dict[str, list[int | None]] = {}
        self._begun: set[str] = set()

    def level_of_style(self, list_id: str, style: str) -> int:
        """Level of a list that belongs to a paragraph style; 0 where none says so."""
        found = self._lists.get(list_id)
        return next((at for at, level in found.levels.items() if level.style == style), 0) if found else 0

    def mark(self, list_id: str, at: int) -> str:
        """Mark of the next item: "2.", "(a)", "Problem 2."; `BULLET` for one without a number.

        "" for an item that shows nothing before its text.
        """
        found = self._lists.get(list_id)
        level = found.levels.get(at) if found else None
        if found is None or level is None:
            return BULLET
        counts = self._counts.setdefault(found.id, [None] * _LEVELS)
        if list_id not in self._begun:
            self._begun.add(list_id)
            for deep, start in found.starts.items():
                counts[deep] = start - 1
        self._count(counts, found, at)
        if level.form == "bullet":
            return BULLET
        return self._text(counts, found, level)[:_LONGEST_MARK]

    def _count(self, counts: list[int | None], found: _List, at: int) -> None:
        current = counts[at]
        counts[at] = found.levels[at].start if current is None else min(current + 1, _LARGEST)
        for higher in range(at):
            if counts[higher] is None and higher in found.levels:
                counts[higher] = found.levels[higher].start
        for deeper in range(at + 1, _LEVELS):
            restart = found.levels[deeper].restart if deeper in found.levels else None
            if restart is None or (restart and at < restart):
                counts[deeper] = None

    def _text(self, counts: list[int | None], found: _List, level: _Level) -> str:
        def number(place: re.Match[str]) -> str:
            at = int(place[1]) - 1
            count = counts[at] if 0 <= at < _LEVELS else None
            if count is None:
                return ""
            form = "decimal" if level.is_legal or at not in found.levels else found.levels[at].form
            return WORD_STYLES.get(form, str)(count)

        return " ".join(re.sub(r"%([1-9])", number, level.text).split())


def _lists(root: Any) -> dict[str, _List]:
    levels: dict[str, dict[int, _Level]] = {}
    named: dict[str, str] = {}
    links: dict[str, str] = {}
    for definition in root.iterchildren(f"{W}abstractNum"):
        id = definition.get(f"{W}abstractNumId", "")
        levels[id] = _levels(definition)
        if name := _value(definition, "styleLink"):
            named[name] = id
        if name := _value(definition, "numStyleLink"):
            links[id] = name
    found: dict[str, _List] = {}
    for num in root.iterchildren(f"{W}num"):
        id = _value(num, "abstractNumId")
        id = named.get(links.get(id, ""), id)
        own, starts = dict(levels.get(id, {})), dict[int, int]()
        for override in num.iterchildren(f"{W}lvlOverride"):
            at = _number(override.get(f"{W}ilvl"), -1)
            if 0 <= at < _LEVELS:
                own |= _levels(override)
                start = override.find(f"{W}startOverride")
                if start is not None:
                    starts[at] = _number(start.get(f"{W}val"), 1)
                    own[at] = replace(own.get(at, _Level()), start=starts[at])
        found[num.get(f"{W}numId", "")] = _List(id=id, levels=own, starts=starts)
    return found


def _levels(definition: Any) -> dict[int, _Level]:
    found: dict[int, _Level] = {}
    for level in definition.iterchildren(f"{W}lvl"):
        at = _number(level.get(f"{W}ilvl"), -1)
        restart = _value(level, "lvlRestart")
        if 0 <= at < _LEVELS:
            found[at] = _Level(
                start=_number(_value(level, "start"), 0),
                form=_value(level, "numFmt") or "decimal",
                text=_value(level, "lvlText"),
                style=_value(level, "pStyle"),
                restart=_number(restart, 0) if restart else None,
                is_legal=level.find(f"{W}isLgl") is not None,
            )
    return found


def _value(element: Any, name: str) -> str:
    child = element.find(W + name)
    return "" if child is None else str(child.get(f"{W}val", ""))


def _number(text: str | None, usual: int) -> int:
    return int(text) if text and text.isascii() and text.isdecimal() and len(text) < 7 else usual
