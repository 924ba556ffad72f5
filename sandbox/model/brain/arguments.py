"""Fills a tool's arguments from a clause, by what each parameter is for."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any

from sandbox.model.brain import lexicon, titles
from sandbox.model.brain.calendar_words import NUMBER, number
from sandbox.model.brain.intent import Action, Intent
from sandbox.model.brain.memory import Thing
from sandbox.model.brain.names import names_a_page
from sandbox.model.brain.schema import Param, Role
from sandbox.model.brain.text import fold, stem
from sandbox.model.brain.toolbox import Profile

COUNTED = re.compile(
    rf"\b(?:top|first|last|latest|next|ultim[oa]s|primer[oa]s|proxim[oa]s)\s+(?P<n1>{NUMBER})\b|\b(?P<n2>\d{{1,3}})\s+(?:most|latest|newest|results|announcements|anuncios|resultados|notes|pages)\b"
)
ALL_DAY = re.compile(r"\ball[- ]day\b|\bwhole day\b|\bentire day\b|\btodo el dia\b")
DEFAULT_MINUTES = 60
EXTENDS = re.compile(r"extend|lengthen|alarg|shorten|acort")
ENDS_AT = re.compile(r"\b(?:end|ends|ending|finish|until|till|acab\w+|termin\w+|hasta)\b(?! of)")
RANGES = ("range", "custom", "between", "dates", "date_range", "period")
LOOK_AHEAD_DAYS = 30
NOT_IN_TITLES = frozenset(
    "assignment assignments task tarea entrega note notes page pages notebook doc document apuntes pagina nota notas event meeting "
    "summarize read open due submit submitted turned turn hand handed explain points worth grade course class status submission feedback "
    "grader leave left last latest recent previous current whether meets write wrote written down say says put keep kept look see every each "
    "lecture work works working compare newest online much many long late supposed finish week today tomorrow ask asks asking want wants need "
    "exactly really again still yet already dice dicen decir escribi puse guarde ultimo ultima".split()
)


@dataclass(frozen=True, kw_only=True)
class Hints:
    """What the conversation adds to the clause. thing: what is to be changed. last: of the answer before this message."""

    now: datetime
    thing: Thing | None = None
    answer: str = ""
    course: str | None = None
    moment: tuple[datetime, datetime | None] | None = None


@dataclass(kw_only=True)
class Filled:
    """Arguments so far and the required parameters that the student must still tell."""

    arguments: dict[str, Any] = field(default_factory=dict)
    missing: list[Param] = field(default_factory=list)


def fill(profile: Profile, intent: Intent, hints: Hints) -> Filled:
    """Fill every parameter except ids, which are looked up."""
    filled = Filled()
    task = _Filling(profile, intent, hints)
    for param in profile.params:
        if param.role in (Role.ID, Role.REFERENCE):
            continue
        value = task.value(param)
        if value is not None:
            filled.arguments[param.name] = [value] if param.is_list and not isinstance(value, list) else value
        elif param.required:
            filled.missing.append(param)
    return filled


def written(moment: datetime, shape: str) -> str:
    """A time as the parameter wants it."""
    if shape == "day":
        return moment.date().isoformat()
    if shape == "clock":
        return f"{moment:%H:%M}"
    return (
        moment.replace(tzinfo=None).isoformat(timespec="minutes")
        if shape == "local"
        else moment.isoformat(timespec="seconds")
    )


class _Filling:
    def __init__(self, profile: Profile, intent: Intent, hints: Hints) -> None:
        self._profile = profile
        self._intent = intent
        self._hints = hints
        self._is_write = profile.action.is_write
        self._changes = profile.action is Action.CHANGE

    def value(self, param: Param) -> Any:
        """The value for one parameter, or None when the clause says nothing about it."""
        fillers: Mapping[Role, Callable[[Param], Any]] = {
            Role.START: self._start,
            Role.END: self._end,
            Role.DAY: self._day,
            Role.MINUTES: self._minutes,
            Role.HOURS: self._hours,
            Role.DAYS: self._days,
            Role.CLOCK_START: self._clock_start,
            Role.CLOCK_END: self._clock_end,
            Role.LIMIT: self._limit,
            Role.CHOICE: self._choice,
            Role.FLAG: self._flag,
            Role.COURSE: self._course,
            Role.NAME: self._name,
            Role.QUERY: self._query,
            Role.TITLE: self._title,
            Role.CONTENT: self._content,
            Role.PLACE: lambda _: titles.place(self._intent.text) or None,
        }
        filler = fillers.get(param.role)
        value = filler(param) if filler else None
        return _as_kind(value, param)

    def _start(self, param: Param) -> str | None:
        if self._is_write:
            moment = self._new_start()
            return written(moment, self._shape(param)) if moment else None
        when = self._intent.when
        if self._needs_no_range(param):
            return None
        if when.start is not None:
            return written(when.start, param.shape)
        return written(self._hints.now, param.shape) if param.required or self._is_range() else None

    def _is_range(self) -> bool:
        # A tool with a choice of windows wants both ends once the choice is the range.
        when, choice = self._intent.when, self._range_choice()
        return choice is not None and when.is_said and not when.is_vague

    def _needs_no_range(self, param: Param) -> bool:
        return not param.required and self._range_choice() is not None and not self._is_range()

    def _range_choice(self) -> Any:
        choices = [choice for param in self._profile.params if param.role is Role.CHOICE for choice in param.choices]
        has_edges = self._profile.param(Role.START) and self._profile.param(Role.END)
        return next((choice for choice in choices if choice in RANGES), None) if has_edges else None

    def _end(self, param: Param) -> str | None:
        when = self._intent.when
        if not self._is_write:
            return self._end_of_look(param)
        if self._profile.param(Role.START) is None or re.search(r"due|deadline|remind|by$", param.name):
            if param.shape == "clock" and not when.has_time:
                return None
            moment = when.end if when.is_deadline or not when.has_time else when.start
            moment = moment or when.start
            return written(moment, param.shape) if moment else None
        moment = self._new_end(param)
        return written(moment, self._shape(param)) if moment else None

    def _end_of_look(self, param: Param) -> str | None:
        when, now = self._intent.when, self._hints.now
        if self._needs_no_range(param):
            return None
        if when.end is not None:
            return written(when.end, param.shape)
        if when.start is not None and (when.has_time or param.required or self._is_range()):
            return written(when.start.replace(hour=23, minute=59), param.shape)
        is_wide = self._is_specific() and self._profile.param(Role.START) is not None
        ahead = timedelta(days=LOOK_AHEAD_DAYS if is_wide else 7)
        return written((now + ahead).replace(hour=23, minute=59), param.shape) if param.required or is_wide else None

    def _is_specific(self) -> bool:
        # Somebody who asks for one thing without a day ("my dentist appointment") wants a longer look ahead.
        return (
            not self._intent.when.is_said and bool(telling_stems(self._intent)) and self._profile.action is Action.READ
        )

    def _new_start(self) -> datetime | None:
        when, thing = self._intent.when, self._hints.thing
        if self._changes:
            return moved_start(self._intent, thing)
        if when.start is not None and (when.has_time or self._is_all_day()):
            return when.start
        if when.is_deadline and when.has_time:
            return when.end
        return self._hints.moment[0] if self._hints.moment else None

    def _new_end(self, param: Param) -> datetime | None:
        when, thing = self._intent.when, self._hints.thing
        start = self._new_start()
        has_minutes = self._profile.param(Role.MINUTES) is not None
        if self._changes:
            return moved_end(self._intent, thing, keeps_length=has_minutes)
        if when.end is not None and when.has_end and when.has_time:
            return when.end
        if when.end is not None and self._is_all_day() and when.start and when.end.date() != when.start.date():
            return when.end
        if start is None or self._is_all_day():
            return None
        if when.minutes:
            return None if has_minutes else start + timedelta(minutes=when.minutes)
        if self._hints.moment and self._hints.moment[1] and not when.has_time:
            return min(self._hints.moment[1], start + timedelta(minutes=DEFAULT_MINUTES))
        return start + timedelta(minutes=DEFAULT_MINUTES) if param.required else None

    def _shape(self, param: Param) -> str:
        return "day" if self._is_all_day() and self._profile.param(Role.FLAG) else param.shape

    def _is_all_day(self) -> bool:
        return bool(ALL_DAY.search(fold(self._intent.text)))

    def _day(self, param: Param) -> str | None:
        when = self._intent.when
        moment = when.start or when.end
        if moment is None:
            return written(self._hints.now, "day") if param.required and not self._is_write else None
        return written(moment, "day" if param.shape == "offset" else param.shape)

    def _minutes(self, param: Param) -> int | None:
        if param.is_list or "remind" in param.name or "before" in param.name:
            return None
        when = self._intent.when
        if self._changes and (total := stretched(self._intent, self._hints.thing)):
            return total
        if when.minutes and not (self._changes and is_shift(self._intent)):
            return when.minutes
        if (
            when.end is not None
            and when.has_end
            and when.has_time
            and when.start
            and self._profile.param(Role.END) is None
            and self._is_write
        ):
            return int((when.end - when.start).total_seconds() // 60)
        return DEFAULT_MINUTES if param.required else None

    def _hours(self, param: Param) -> float | None:
        minutes = self._intent.when.minutes
        return minutes / 60 if minutes else None

    def _days(self, param: Param) -> int | None:
        when = self._intent.when
        if self._profile.param(Role.END) is not None or when.end is None:
            return 7 if param.required else None
        opens = when.start if when.start and self._profile.param(Role.START) else self._hints.now
        back = re.search(r"back|past|ago|since|recent|last", param.name + " " + param.description.lower())
        if back:
            today, first = self._hints.now.date(), when.start.date() if when.start else None
            is_past = first is not None and (first < today or first == today == when.end.date())
            return (today - first).days + 1 if is_past and first is not None else None
        return max(1, (when.end.date() - opens.date()).days + 1)

    def _clock_start(self, param: Param) -> str | None:
        when = self._intent.when
        if when.start is None or when.start == when.start.replace(hour=0, minute=0):
            return None
        return f"{when.start:%H:%M}"

    def _clock_end(self, param: Param) -> str | None:
        when = self._intent.when
        is_whole_day = when.end is None or (when.end.hour, when.end.minute) in ((23, 59), (0, 0))
        return None if is_whole_day or when.end is None else f"{when.end:%H:%M}"

    def _limit(self, param: Param) -> int | None:
        found = COUNTED.search(fold(self._intent.text))
        return int(number(found["n1"] or found["n2"])) if found else None

    def _choice(self, param: Param) -> Any:
        if self._is_range() and self._range_choice() in param.choices:
            return self._range_choice()
        best, best_weight = None, 0.0
        said = {token.stem for token in self._intent.tokens}
        for choice in param.choices:
            words = fold(str(choice)).replace("_", " ").split()
            weight = max((self._intent.aspects.get(word, 0.0) for word in words), default=0.0)
            weight = max(weight, 0.9 if {stem(word) for word in words} <= said else 0.0)
            if weight > best_weight + (0.05 if best is not None else 0):
                best, best_weight = choice, weight
        if best is not None and best_weight >= 0.5:
            return best
        return param.choices[0] if param.required and param.choices else None

    def _flag(self, param: Param) -> bool | None:
        if "all" in param.name and "day" in param.name:
            return True if self._is_all_day() else None
        words = [
            word
            for word in re.split(r"[_\W]+", fold(param.name))
            if word not in ("include", "only", "show", "with", "is", "has", "")
        ]
        said = {token.stem for token in self._intent.tokens}
        met = bool(words) and all(stem(word) in said or self._intent.aspects.get(word, 0) >= 0.5 for word in words)
        return True if met else (False if param.required else None)

    def _course(self, param: Param) -> str | None:
        if self._intent.course is not None:
            return self._intent.course[0]
        return self._hints.course if param.required or refers_to_course(self._intent.text) else None

    def _name(self, param: Param) -> str | None:
        if not param.required:
            return None
        return reference_words(self._intent) or (self._hints.thing.title if self._hints.thing else None) or None

    def _query(self, param: Param) -> str | None:
        if self._is_write:
            return None
        if not param.required and self._profile.action is not Action.SEARCH:
            return self._intent.quoted[0][0] if self._intent.quoted else None
        found = titles.search_words(self._intent)
        return found or (self._intent.course[0] if self._intent.course else None)

    def _title(self, param: Param) -> str | None:
        if self._changes:
            return titles.new_name(self._intent) or None
        if not self._is_write:
            return self._name(param)
        if "task" in self._profile.objects and self._profile.objects["task"] >= 1:
            return titles.task_title(self._intent) or None
        if self._profile.objects.get("note", 0) >= 1:
            return titles.page_title(self._intent, self._text_to_write()) or None
        return titles.event_title(self._intent) or None

    def _content(self, param: Param) -> str | None:
        is_note = self._profile.objects.get("note", 0) >= 0.9
        if not self._is_write:
            return None
        if is_note:
            return self._text_to_write() or None
        noted = re.search(r"(?i)\b(?:notes?|description|details|notas?|descripcion)\s*:\s*(.+)$", self._intent.text)
        return noted.group(1).strip() if noted else None

    def _text_to_write(self) -> str:
        return titles.content(self._intent, self._hints.answer)


def telling_tokens(intent: Intent) -> list[Any]:
    """The words that single out one thing: not verbs, dates, courses, services or general names of kinds."""
    stems = set(titles.target_stems(intent))
    course = range(intent.course[1], intent.course[2]) if intent.course else range(0)
    kept = []
    for token in intent.tokens:
        weight = max(lexicon.objects().weights([token]).values(), default=0.0)
        is_kind = weight >= 0.69 or token.word in intent.services
        if token.stem in stems and not is_kind and token.start not in course and not lexicon.orders().hits([token]):
            kept.append(token)
    return kept


def telling_stems(intent: Intent) -> list[str]:
    """The same as stems."""
    return [token.stem for token in telling_tokens(intent)]


def reference_words(intent: Intent) -> str:
    """The words of the clause that a title may have in it."""
    quoted = [words for words, start, _ in intent.quoted if not intent.action.is_write or names_a_page(intent.text, start)]
    if quoted:
        return quoted[0]
    stems = set(titles.target_stems(intent))
    course = range(intent.course[1], intent.course[2]) if intent.course else range(0)
    details = {
        at for hit in lexicon.aspects().hits(intent.tokens) if hit.name == "detail" and hit.end - hit.start <= 2 for at in range(hit.start, hit.end)
    }
    kept = [
        intent.text[token.start : token.end]
        for at, token in enumerate(intent.tokens)
        if token.stem in stems
        and at not in details
        and token.start not in course
        and token.word not in NOT_IN_TITLES
        and not any(hit.name in ("read", "search", "open") for hit in lexicon.orders().hits([token]))
        and token.word not in intent.services
        and not (intent.action.is_write and any(start <= token.start < end for _, start, end in intent.quoted))
    ]
    return " ".join(kept)


def refers_to_course(text: str) -> bool:
    """Whether "that class" or "it" stands for a course named before."""
    return bool(
        re.search(
            r"\b(?:that|this|same|esa|ese|esta|este|la misma)\s+(?:class|course|clase|curso|asignatura|materia|one)\b",
            fold(text),
        )
    )


def is_shift(intent: Intent) -> bool:
    """Whether a length of time says how far to move something, not how long it lasts."""
    return bool(
        re.match(r"push|delay|postpone|retras|aplaz|pospon|adelant|bring forward|pull forward|bump|shift", intent.verb)
    )


def stretched(intent: Intent, thing: Thing | None) -> int | None:
    """The new length in minutes when a thing is made longer or shorter by some time."""
    by = intent.when.shift or (intent.when.minutes if not re.search(r"\bto\b|\ba\b", fold(intent.text)) else None)
    if not EXTENDS.match(intent.verb) or by is None or thing is None or thing.length is None:
        return None
    minutes = int(thing.length.total_seconds() // 60)
    return max(5, minutes - abs(by) if re.match(r"short|acort", intent.verb) else minutes + abs(by))


def moved_start(intent: Intent, thing: Thing | None) -> datetime | None:
    """The new start of a thing: what the clause says, the rest as it was."""
    when = intent.when
    shift = when.shift
    if shift is None and when.minutes and is_shift(intent):
        shift = -when.minutes if re.match(r"adelant|bring forward|pull forward", intent.verb) else when.minutes
    if (
        shift is not None
        and thing
        and thing.start
        and not re.match(r"extend|lengthen|alarg|shorten|acort", intent.verb)
    ):
        return thing.start + timedelta(minutes=shift)
    if when.start is None or EXTENDS.match(intent.verb) or ENDS_AT.search(fold(intent.text)):
        return None
    if when.has_time and when.has_day:
        return when.start
    if when.has_time:
        return datetime.combine(thing.start.date(), when.start.timetz()) if thing and thing.start else when.start
    if thing and thing.start and when.start.time() == datetime.min.time():
        return datetime.combine(when.start.date(), thing.start.timetz())
    return when.start if not (thing and thing.start is None) else None


def moved_end(intent: Intent, thing: Thing | None, *, keeps_length: bool) -> datetime | None:
    """The new end, when the clause gives one or the length must be kept by hand."""
    when = intent.when
    start = moved_start(intent, thing)
    if when.has_time and when.has_end and when.end and when.start and start:
        return start + (when.end - when.start)
    if when.has_time and when.start and thing and thing.start and ENDS_AT.search(fold(intent.text)):
        return datetime.combine(when.start.date() if when.has_day else thing.start.date(), when.start.timetz())
    if keeps_length:
        return None
    old = thing.start if thing else None
    if when.minutes and not is_shift(intent) and (start or old):
        return (start or old) + timedelta(minutes=when.minutes)  # type: ignore[operator]
    return start + thing.length if start and thing and thing.length else None


def _as_kind(value: Any, param: Param) -> Any:
    if value is None:
        return None
    if param.kind == "integer" and isinstance(value, float):
        return max(1, round(value))
    if param.kind in ("integer", "number") and isinstance(value, str):
        return int(value.split(":")[0]) if value.split(":")[0].isdigit() else None
    return _bounded(value, param.schema)


def _bounded(value: Any, schema: Mapping[str, Any]) -> Any:
    if isinstance(value, int | float) and not isinstance(value, bool):
        least, most = schema.get("minimum"), schema.get("maximum")
        value = max(value, least) if least is not None else value
        return min(value, most) if most is not None else value
    longest = schema.get("maxLength")
    return value[:longest] if isinstance(value, str) and longest else value


Missing = Sequence[Param]
