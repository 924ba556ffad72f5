"""Questions whose answer may stand in several places: the places are looked through one after the other."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import timedelta
from typing import Any

from sandbox.model.rules.dialogue.intent import Intent
from sandbox.model.rules.dialogue.tool_results import Item
from sandbox.model.rules.language.text import fold
from sandbox.model.rules.planning import campus_vocabulary as campus
from sandbox.model.rules.tools.actions import Action
from sandbox.model.rules.tools.profile import Profile
from sandbox.model.rules.tools.schema import Role

FAR_AHEAD_DAYS = 150
NEAR_DAYS = 14
Tools = Mapping[str, Profile]


@dataclass(frozen=True, kw_only=True)
class SearchSource:
    """One place: the tool and what to ask it; `place` names it in the table of sentences.

    proof: what an item's folded line must say to be an answer. is_hint: whether its items are worth showing without,
    hinted: what they must say for that.
    """

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
    """Where to look, in order. name: which advice to give when nothing is found, in the table of sentences."""

    name: str
    sources: tuple[SearchSource, ...]


def fallback_search_for(intent: Intent, tools: Tools, today: Any) -> FallbackSearch | None:
    """The places for a question of this kind; without sources when no tool could know; None for all other questions."""
    folded = fold(intent.text)
    if intent.has_order and intent.action.is_write:
        return None
    for name, is_met, sources in KINDS:
        if is_met(folded):
            return FallbackSearch(name=name, sources=tuple(sources(intent, tools, today)))
    return None


def _is_campus(text: str) -> bool:
    return bool(campus.IS_CAMPUS.search(text)) and not campus.NOT_CAMPUS.search(text)


def _is_finals(text: str) -> bool:
    return bool(campus.FINALS.search(text)) and not campus.NOT_FINALS.search(text)


def _campus(intent: Intent, tools: Tools, today: Any) -> Iterator[SearchSource]:
    topic, words = campus.service_of(fold(intent.text))
    proof = "".join(rf"(?=.*\b{re.escape(word)})" for word in words.split())
    yield from _links(tools, topic, proof)
    yield from events_with(tools, words, today, NEAR_DAYS, proof)
    yield from _web(tools, words, proof)


def _term(intent: Intent, tools: Tools, today: Any) -> Iterator[SearchSource]:
    courses = _best(tools, "course", lambda tool: tool.param(Role.FLAG) is not None or not tool.params)
    if courses is not None:
        yield SearchSource(profile=courses, arguments={}, place="course")
    yield from events_with(tools, "last day", today, FAR_AHEAD_DAYS, r"term|semester|class")


def _holidays(intent: Intent, tools: Tools, today: Any) -> Iterator[SearchSource]:
    # Another day off is no answer to "when is spring break", but worth showing.
    named = campus.NAMED_BREAK.search(fold(intent.text))
    day_off = r"holiday|no class|\bbreak\b"
    proof = rf"\b{named['name']}\b" if named else day_off
    for words in ("no classes", "holiday", "break"):
        for source in events_with(tools, words, today, FAR_AHEAD_DAYS, proof):
            yield replace(source, is_hint=named is not None, hinted=day_off)


def _registration(intent: Intent, tools: Tools, today: Any) -> Iterator[SearchSource]:
    folded = fold(intent.text)
    words = next((english for said, english in REGISTRATION_WORDS if said in folded), "registration")
    yield from events_with(tools, words, today, FAR_AHEAD_DAYS, DATED.format(words=re.escape(words)))
    yield from events_with(tools, "last day", today, FAR_AHEAD_DAYS, r"\b(?:drop|withdraw|add|registration)\b")
    yield from _links(tools, "registrar", "registra")


def _finals(intent: Intent, tools: Tools, today: Any) -> Iterator[SearchSource]:
    course = intent.course[0] if intent.course else ""
    listing = _best(tools, "assignment", lambda tool: tool.param(Role.QUERY) is not None)
    if listing is not None:
        yield SearchSource(profile=listing, arguments=_searched(listing, "final exam", course), place="assignment")
    yield from events_with(
        tools, "final", today, FAR_AHEAD_DAYS, r"\bfinals?\b.*\bexam|\bexam\w*\b.*\bfinal|\bfinals\b"
    )
    syllabus = next((tool for tool in tools.values() if tool.specialty == "syllabus"), None)
    if syllabus is not None and course and (named := syllabus.param(Role.COURSE)):
        yield SearchSource(profile=syllabus, arguments={named.name: course}, place="syllabus")


def _contact(intent: Intent, tools: Tools, today: Any) -> Iterator[SearchSource]:
    courses = _best(tools, "course", lambda tool: tool.param(Role.FLAG) is not None or not tool.params)
    if courses is not None:
        yield SearchSource(profile=courses, arguments={}, place="course", proof=r"\S@\S")


def _links(tools: Tools, topic: str, proof: str) -> Iterator[SearchSource]:
    links = next((tool for tool in tools.values() if tool.specialty == "campus_links"), None)
    if links is not None and links.params:
        arguments = {links.params[0].name: topic}
        yield SearchSource(profile=links, arguments=arguments, place="links", proof=proof, is_hint=True)


def events_with(tools: Tools, words: str, today: Any, days: int, proof: str) -> Iterator[SearchSource]:
    """The calendar's events with these words, from today on."""
    events = _best(tools, "event", lambda tool: tool.param(Role.QUERY) is not None)
    if events is None:
        return
    arguments = {param.name: words for param in events.params if param.role is Role.QUERY}
    if last := events.param(Role.END):
        arguments[last.name] = (today + timedelta(days=days)).isoformat()
    yield SearchSource(profile=events, arguments=arguments, place="event", proof=proof)


def _web(tools: Tools, words: str, proof: str) -> Iterator[SearchSource]:
    web = next((tool for tool in tools.values() if tool.specialty == "web_search"), None)
    query = web.param(Role.QUERY) if web else None
    if web is not None and query is not None:
        yield SearchSource(profile=web, arguments={query.name: f"campus {words}"}, place="web", proof=proof)


def _best(tools: Tools, name: str, fits: Callable[[Profile], bool]) -> Profile | None:
    readers = [tool for tool in tools.values() if tool.action is Action.READ and not tool.specialty]
    fitting = [tool for tool in readers if tool.objects.get(name, 0) >= 0.9 and not tool.required_ids and fits(tool)]
    return max(fitting, key=lambda tool: tool.objects[name], default=None)


def _searched(listing: Profile, words: str, course: str) -> dict[str, Any]:
    arguments: dict[str, Any] = {}
    for param in listing.params:
        if param.role is Role.QUERY:
            arguments[param.name] = words
        elif param.role is Role.CHOICE and "all" in param.choices and "upcoming" in param.choices:
            arguments[param.name] = "all"
        elif param.role is Role.COURSE and course:
            arguments[param.name] = course
    return arguments


DATED = (
    r"\b{words}\w*\b(?!-in).*\b(?:deadline|last|end|ends|period|class|course|due)|\b(?:deadline|last day)\b.*\b{words}"
)
REGISTRATION_WORDS = (
    ("withdraw", "withdraw"), ("drop", "drop"), ("baja", "drop"), ("retirar", "withdraw"), ("tuition", "tuition"),
    ("colegiatura", "tuition"), ("pass", "pass/fail"), ("graduat", "graduation"),
)  # fmt: skip
KINDS: tuple[tuple[str, Callable[[str], bool], Callable[[Intent, Tools, Any], Iterator[SearchSource]]], ...] = (
    ("registration", lambda text: bool(campus.REGISTRATION.search(text)), _registration),
    ("term", lambda text: bool(campus.TERM_DATES.search(text)), _term),
    ("term", lambda text: bool(campus.HOLIDAYS.search(text)), _holidays),
    ("finals", _is_finals, _finals),
    ("campus", _is_campus, _campus),
    ("contact", lambda text: bool(campus.CONTACT.search(text)), _contact),
)
