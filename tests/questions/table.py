"""The tables of questions, with days and addresses filled in."""

import re
import tomllib
from dataclasses import dataclass, field, fields
from datetime import date, datetime, timedelta
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

HERE = Path(__file__).parent / "tables"
ALL = ("canvas", "google_calendar", "notion")
WEEKDAYS = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")
ZONE = ZoneInfo("America/Chicago")
PLACE = re.compile(r"\{(?P<name>\w+)(?::(?P<form>\w+))?\}")
FORMS = {"": "%Y-%m-%d", "day": "%B {day}", "long": "{day} %b %Y", "full": "%a {day} %b %Y"}


@dataclass(frozen=True, kw_only=True)
class Question:
    """first: said before, approved where asked. tools: those of the last turn, in order. says: part of the answer.

    made, gone: titles that stand outside after approval, or do not any more, by service.
    """

    ask: str
    tools: tuple[str, ...]
    first: tuple[str, ...] = ()
    connected: tuple[str, ...] = ALL
    arguments: dict[str, Any] = field(default_factory=dict)
    facts: tuple[str, ...] = ()
    says: str = ""
    card: dict[str, str] = field(default_factory=dict)
    made: dict[str, str] = field(default_factory=dict)
    gone: dict[str, str] = field(default_factory=dict)

    def on(self, today: date, web: str) -> "Question":
        """The same with its days and addresses."""
        return Question(**{field.name: _filled(getattr(self, field.name), today, web) for field in fields(self)})


def today() -> date:
    """The day it is for Maya."""
    return datetime.now(ZONE).date()


def questions(*tables: str) -> list[Question]:
    """The questions of these tables."""
    found = [entry for name in tables for entry in tomllib.loads((HERE / f"{name}.toml").read_text())["question"]]
    return [Question(**{name: _frozen(value) for name, value in entry.items()}) for entry in found]


def _frozen(value: Any) -> Any:
    return tuple(value) if isinstance(value, list) else value


def _filled(value: Any, today: date, web: str) -> Any:
    if isinstance(value, dict):
        return {name: _filled(part, today, web) for name, part in value.items()}
    if isinstance(value, list | tuple):
        return type(value)(_filled(part, today, web) for part in value)
    return PLACE.sub(lambda found: _one(found, today, web), value) if isinstance(value, str) else value


def _one(found: re.Match[str], today: date, web: str) -> str:
    if found["name"] == "web":
        return web
    day = _day(found["name"], today)
    return day.strftime(FORMS[found["form"] or ""]).replace("{day}", str(day.day))


def _day(name: str, today: date) -> date:
    if name in WEEKDAYS:
        return today + timedelta(days=(WEEKDAYS.index(name) - today.weekday() - 1) % 7 + 1)
    return today + timedelta(days={"today": 0, "tomorrow": 1}.get(name) or int(name.removeprefix("in") or 0))
