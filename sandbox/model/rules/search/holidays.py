"""Holidays: days around one, like "the week after Thanksgiving" or "la semana después del feriado"."""

import re
from collections.abc import Sequence
from datetime import date, timedelta

from sandbox.model.reply import Call
from sandbox.model.rules.language.text import fold
from sandbox.model.rules.request_state import RequestState
from sandbox.model.rules.search.fallback_search import SearchSource, events_with
from sandbox.model.rules.understanding.conversation import Step
from sandbox.model.rules.understanding.memory import Entity, entity_of

FAR_AHEAD_DAYS = 150
WHOLE_DAY_OFF = r"holiday|no class|break|recess|feriado|festivo|vacaciones|receso"
SEARCHED = ("no classes", "holiday", "break")
FIXED = ((r"christmas|xmas|navidad", (12, 25)), (r"new\s+year'?s?|ano\s+nuevo", (1, 1)), (r"halloween", (10, 31)))
THANKSGIVING = re.compile(r"thanksgiving|accion\s+de\s+gracias")
NAMED = rf"(?:{THANKSGIVING.pattern}|{'|'.join(pattern for pattern, _ in FIXED)})"
SEASON = re.compile(r"\b(?P<season>spring|fall|autumn|winter|summer|primavera|otono|invierno|verano)\b")
BREAK = (
    rf"(?:(?:el\s+)?(?:dia\s+de\s+)?{NAMED}(?:\s+(?:break|holidays?|weekend|day))?"
    r"|(?:campus\s+|public\s+|next\s+)?holidays?|(?:(?:spring|fall|autumn|winter|summer|next)\s+)?break"
    r"|(?:proxim[oa]\s+)?feriado|dia\s+festivo|festivo|puente|vacaciones|receso|descanso\s+de\s+\w+)"
)
THE = r"(?:(?:the|my|our|this|el|la|las|los|del|de\s+las?|de\s+los)\s+)?"
AROUND = re.compile(
    rf"\b(?:(?:the\s+|la\s+|una\s+)?(?P<week>week|semana)\s+(?:right\s+|just\s+)?(?P<after>after|following|back\s+from"
    rf"|despues\s+del?|siguiente\s+al?|posterior\s+al?)\s+{THE}(?P<one>{BREAK})|(?:the\s+|la\s+)?(?:week"
    rf"|semana)\s+(?:right\s+)?(?P<week_before>before|antes\s+del?|anterior\s+al?)\s+{THE}{BREAK}|(?P<later>after"
    rf"|when\s+(?:i|we)\s+(?:get|come|are)\s+back\s+from|despues\s+del?|al\s+volver\s+del?"
    rf"|a\s+la\s+vuelta\s+del?)\s+{THE}{BREAK}|(?P<until>before|antes\s+del?)\s+{THE}{BREAK}|(?P<during>over|during"
    rf"|durante)\s+{THE}{BREAK})\b"
)


def spoken_of(text: str) -> re.Match[str] | None:
    """Match of the words that name days by a holiday."""
    return AROUND.search(fold(text))


def look_for_it(state: RequestState, text: str, steps: Sequence[Step]) -> Call | None:
    """The next place to look for the holiday; None once it is known, or when there is no further place."""
    if _computed(state, text) or _found(state, text, steps):
        return None
    made = [step.input for step in steps]
    calls = [Call(name=source.profile.name, input=dict(source.arguments)) for source in _sources(state)]
    return next((call for call in calls if call.input not in made), None)


def used(state: RequestState, text: str, steps: Sequence[Step]) -> frozenset[str]:
    """The ids of the steps that only looked for the holiday."""
    if spoken_of(text) is None:
        return frozenset()
    asked = [dict(source.arguments) for source in _sources(state)]
    return frozenset(step.id for step in steps if dict(step.input) in asked)


def with_its_days(state: RequestState, text: str, steps: Sequence[Step]) -> tuple[str, str]:
    """The text with the days themselves, and which holiday was found; both empty when none is known."""
    match = spoken_of(text)
    entity = _found(state, text, steps)
    day = _computed(state, text) or (entity.start.date() if entity and entity.start else None)
    if match is None or day is None:
        return "", ""
    first, last = _days(match, day, state.now.date())
    between = state.say("from {first} to {last}", "del {first} al {last}").format(first=first, last=last)
    told = state.say("holiday").format(line=state.translated_line(entity.line)) if entity else ""
    return f"{text[: match.start()]}{between}{text[match.end() :]}", told


def _days(match: re.Match[str], day: date, today: date) -> tuple[date, date]:
    monday = day - timedelta(days=day.weekday())
    if match["until"]:
        return today, max(today, day - timedelta(days=1))
    if match["week_before"]:
        return monday - timedelta(days=7), monday - timedelta(days=1)
    first = day if match["during"] else monday + timedelta(days=7)
    return first, first - timedelta(days=first.weekday() - 6)


def _computed(state: RequestState, text: str) -> date | None:
    """The next one of a holiday whose date every calendar knows."""
    folded, today = fold(text), state.now.date()
    for year in (today.year, today.year + 1):
        if THANKSGIVING.search(folded):
            first = date(year, 11, 1)
            day = first + timedelta(days=(3 - first.weekday()) % 7 + 21)
        elif fixed := next((on for pattern, on in FIXED if re.search(rf"\b(?:{pattern})\b", folded)), None):
            day = date(year, *fixed)
        else:
            return None
        if day >= today - timedelta(days=7):
            return day
    return None


def _found(state: RequestState, text: str, steps: Sequence[Step]) -> Entity | None:
    season = SEASON.search(fold(text))
    asked = [dict(source.arguments) for source in _sources(state)]
    for step in steps:
        if dict(step.input) not in asked or step.is_error:
            continue
        for item in step.items:
            line = fold(item.line)
            is_it = re.search(WHOLE_DAY_OFF, line) and (season is None or season["season"] in line)
            entity = entity_of(item, state.tools.get(step.name), state.now)
            if is_it and (day := _day_of(entity, item.line, state)):
                return day
    return None


def _day_of(entity: Entity, line: str, state: RequestState) -> Entity | None:
    # An all-day event has no hour, so that its day is read once more.
    when = state.read(line.replace(entity.title, " ", 1)).when
    start = entity.start or (when.start if when.has_day else None)
    return Entity(title=entity.title, ids=entity.ids, line=line, start=start) if start else None


def _sources(state: RequestState) -> list[SearchSource]:
    return [
        source
        for words in SEARCHED
        for source in events_with(state.tools, words, state.now.date(), FAR_AHEAD_DAYS, WHOLE_DAY_OFF)
    ]
