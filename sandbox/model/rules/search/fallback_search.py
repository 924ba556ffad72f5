"""Fallback search: questions whose answer may stand in several places, which are looked through one after the other."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, timedelta
from typing import Any

from sandbox.model.rules.language.patterns import pattern
from sandbox.model.rules.language.text import fold
from sandbox.model.rules.search.campus_topics import service_of, topic_of
from sandbox.model.rules.tools.profile import Profile
from sandbox.model.rules.tools.schema import Action, Role
from sandbox.model.rules.understanding.intent import Intent
from sandbox.model.rules.understanding.tool_results import Item

FAR_AHEAD_DAYS = 150
NEAR_DAYS = 14
NAMED_BREAK = pattern(
    r"(?P<name>spring|fall|autumn|winter|summer|thanksgiving|christmas|easter|reading)\b(?=\s+(break|week|days?)|\W*$)"
)
DATED = (
    r"\b{words}\w*\b(?!-in).*\b(?:deadline|last|end|ends|period|class|course|due)|\b(?:deadline|last day)\b.*\b{words}"
)
REGISTRATION = {
    "withdraw": "withdraw", "drop": "drop", "baja": "drop", "retirar": "withdraw", "tuition": "tuition",
    "colegiatura": "tuition", "pass": "pass/fail", "graduat": "graduation",
}  # fmt: skip
Tools = Mapping[str, Profile]
Search = Callable[[Intent, Tools, date], Iterator["SearchSource"]]


@dataclass(frozen=True, kw_only=True)
class SearchSource:
    """One place: the tool and what to ask it; `place` names it among the messages.
    proof: what an item's folded line must say to be an answer. is_hint: whether its items are worth showing without,
    hinted: what they must say for that."""

    profile: Profile
    arguments: Mapping[str, Any]
    place: str
    proof: str = ""
    is_hint: bool = False
    hinted: str = ""

    def proven(self, items: Sequence[Item]) -> list[Item]:
        """The items that answer the question."""
        return [item for item in items if re.search(self.proof, fold(item.line))]

    def hints(self, items: Sequence[Item]) -> list[Item]:
        """The items that are worth showing though they are no answer."""
        return [item for item in items if self.is_hint and re.search(self.hinted, fold(item.line))]


@dataclass(frozen=True, kw_only=True)
class FallbackSearch:
    """Sources in the order of the search. name: the advice to give when nothing is found, among the messages."""

    name: str
    sources: tuple[SearchSource, ...]


def fallback_search_for(intent: Intent, tools: Tools, today: date) -> FallbackSearch | None:
    """The places for a question of this kind; without sources when no tool could know; None for all other questions."""
    name = "" if intent.has_order and intent.action.is_write else topic_of(fold(intent.text))
    advice = "term" if name == "holidays" else name
    return FallbackSearch(name=advice, sources=tuple(SEARCHES[name](intent, tools, today))) if name else None


def events_with(tools: Tools, words: str, today: date, days: int, proof: str) -> Iterator[SearchSource]:
    """The calendar's events with these words, from today on."""
    events = _best(tools, "event", lambda tool: tool.param(Role.QUERY) is not None)
    if events is None:
        return
    arguments = {param.name: words for param in events.params if param.role is Role.QUERY}
    if last := events.param(Role.END):
        arguments[last.name] = (today + timedelta(days=days)).isoformat()
    yield SearchSource(profile=events, arguments=arguments, place="event", proof=proof)


def _campus(intent: Intent, tools: Tools, today: date) -> Iterator[SearchSource]:
    topic, words = service_of(fold(intent.text))
    proof = "".join(rf"(?=.*\b{re.escape(word)})" for word in words.split())
    yield from _links(tools, topic, proof)
    yield from events_with(tools, words, today, NEAR_DAYS, proof)
    yield from _with_first(tools, "web_search", "web", f"campus {words}", proof)


def _term(intent: Intent, tools: Tools, today: date) -> Iterator[SearchSource]:
    yield from _courses(tools, "")
    yield from events_with(tools, "last day", today, FAR_AHEAD_DAYS, r"term|semester|class")


def _holidays(intent: Intent, tools: Tools, today: date) -> Iterator[SearchSource]:
    # Another day off is no answer to "when is spring break", but worth showing.
    named, day_off = NAMED_BREAK.search(fold(intent.text)), r"holiday|no class|\bbreak\b"
    for words in ("no classes", "holiday", "break"):
        for source in events_with(tools, words, today, FAR_AHEAD_DAYS, rf"\b{named['name']}\b" if named else day_off):
            yield replace(source, is_hint=named is not None, hinted=day_off)


def _registration(intent: Intent, tools: Tools, today: date) -> Iterator[SearchSource]:
    words = next((english for said, english in REGISTRATION.items() if said in fold(intent.text)), "registration")
    yield from events_with(tools, words, today, FAR_AHEAD_DAYS, DATED.format(words=re.escape(words)))
    yield from events_with(tools, "last day", today, FAR_AHEAD_DAYS, r"\b(?:drop|withdraw|add|registration)\b")
    yield from _links(tools, "registrar", "registra")


def _finals(intent: Intent, tools: Tools, today: date) -> Iterator[SearchSource]:
    course = intent.course[0] if intent.course else ""
    listing = _best(tools, "assignment", lambda tool: tool.param(Role.QUERY) is not None)
    if listing is not None:
        given = {param.name: "all" for param in listing.params if {"all", "upcoming"} <= set(param.choices)}
        wanted = {Role.QUERY: "final exam", Role.COURSE: course}
        given |= {param.name: said for param in listing.params if (said := wanted.get(param.role))}
        yield SearchSource(profile=listing, arguments=given, place="assignment")
    exam = r"\bfinals?\b.*\bexam|\bexam\w*\b.*\bfinal|\bfinals\b"
    yield from events_with(tools, "final", today, FAR_AHEAD_DAYS, exam)
    yield from _with_first(tools, "syllabus", "syllabus", course, "") if course else ()


def _contact(intent: Intent, tools: Tools, today: date) -> Iterator[SearchSource]:
    yield from _courses(tools, r"\S@\S")


def _courses(tools: Tools, proof: str) -> Iterator[SearchSource]:
    courses = _best(tools, "course", lambda tool: tool.param(Role.FLAG) is not None or not tool.params)
    if courses is not None:
        yield SearchSource(profile=courses, arguments={}, place="course", proof=proof)


def _links(tools: Tools, topic: str, proof: str) -> Iterator[SearchSource]:
    for source in _with_first(tools, "campus_links", "links", topic, proof):
        yield replace(source, is_hint=True)


def _with_first(tools: Tools, ability: str, place: str, words: str, proof: str) -> Iterator[SearchSource]:
    """The tool with an ability, asked with these words."""
    tool = next((tool for tool in tools.values() if tool.ability == ability), None)
    if tool is not None and tool.params:
        yield SearchSource(profile=tool, arguments={tool.params[0].name: words}, place=place, proof=proof)


def _best(tools: Tools, name: str, fits: Callable[[Profile], bool]) -> Profile | None:
    readers = [tool for tool in tools.values() if tool.action is Action.READ and not tool.ability]
    fitting = [tool for tool in readers if tool.objects.get(name, 0) >= 0.9 and not tool.required_ids and fits(tool)]
    return max(fitting, key=lambda tool: tool.objects[name], default=None)


SEARCHES: Mapping[str, Search] = {
    "registration": _registration,
    "term": _term,
    "holidays": _holidays,
    "finals": _finals,
    "campus": _campus,
    "contact": _contact,
}
