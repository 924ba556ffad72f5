"""Answers written from tool results: a lead, the lines that matter with their links, notes, errors."""

import re
from collections.abc import Sequence
from datetime import datetime, timedelta
from itertools import groupby

from sandbox.model.rules.dialogue.clarification import asked_back
from sandbox.model.rules.language.detection import language_of
from sandbox.model.rules.language.messages import messages
from sandbox.model.rules.language.text import stem, stems, word_set
from sandbox.model.rules.language.translation import english_names
from sandbox.model.rules.request_state import RequestState
from sandbox.model.rules.responses.selection import classes_of, extreme_course, few_grades, next_one
from sandbox.model.rules.search.fallback_search import FallbackSearch
from sandbox.model.rules.slots.title_words import telling_stems
from sandbox.model.rules.tools.profile import Profile
from sandbox.model.rules.understanding.conversation import Step
from sandbox.model.rules.understanding.intent import Intent
from sandbox.model.rules.understanding.memory import Entity, entity_of
from sandbox.model.rules.understanding.tool_results import ITEM, Item, body_lines, first_sentence, notes, without_ids

MOST_SEARCHED = 60


def nothing_fits(state: RequestState, tool: Profile | None, *, words: str = "", is_write: bool = False) -> str:
    """The sentence; `tool` is the one that looked, `words` what it looked for."""
    about = tool.objects if tool else {}
    place = max((name for name in about if f"names.{name}" in messages()), key=lambda name: about[name], default="")
    where = state.say(f"names.{place}" if place else "what_is_here")
    said = "none_fits" if is_write else "none_found"
    searched = state.say("for_words").format(words=words[:MOST_SEARCHED]) if words.strip() else ""
    return state.say(said).format(place=where, words=searched)


MOST_ITEMS = 20
MOST_TEXT_LINES = 60
DECLINED = re.compile(r"\b(?:declined|rejected|said no|rechaz|did not approve|not approved)", re.IGNORECASE)
FOR_MODELS = re.compile(
    r"(?:Correct this and call the tool again|Call again in a moment[^.]*|Call \w+ to see what is there|Give the id"
    r"|List them first)\.|Primero pide la lista\."
)
SAID_TO_MODELS = re.compile(r"You have made this very call before|Too many (?:calls|changes) in one answer")
NOT_CALLED = re.compile(r"\bhas no such\b|^\w+: none is called\b|^There is no such")
ARGUMENT = re.compile(r"^[a-z][a-z_]*: (?!none is called)")
NAME_IN_CODE = re.compile(r"\b[a-z]+(?:_[a-z]+)+\b")
SILENT = re.compile(
    r"(?P<service>Canvas|Google Calendar|Notion|GitHub|[A-Z][\w ]{1,30}?)(?: at \S+)? (?:cannot be reached"
    r"|did not answer|does not answer|is (?:down|overloaded|not available|unavailable|busy)|has (?:a problem|too many))"
)
OWN_LINE = re.compile(
    r"^- \*\*.+ — \[open\]\(\S+\)$|^As the instructor wrote it:$|^What follows is another model's summary"
    r"|^The main points, in the page's own words:$|^\s*- the student, "
)
"""Lines that a tool adds to a text that somebody else wrote."""
DAY = re.compile(r"\b(?P<day>[^\W\d_]{3,4} \d{1,2} [^\W\d_]{3,4} \d{4})\b")
LIST_ENDS = re.compile(r"(?m)^([ ]*- .*)\n(?=[^\s\-|>])")
"""What follows a list without an empty line would be drawn as the end of its last item."""
WRITTEN = word_set("syllabus discussion summarise_page read_page web_search feed github read_document assistant")
UNCHANGED = re.compile(r"\bnothing (?:was|has been) (?:changed|done)", re.IGNORECASE)


def answer(state: RequestState, parts: Sequence[tuple[Step, Intent | None] | str]) -> str:
    """One text, in order, from the results that count, each with the clause that it answers, and from words of ours."""
    is_only = len(parts) == 1
    written = [part if isinstance(part, str) else _part(state, *part, is_only=is_only) for part in parts]
    return LIST_ENDS.sub(r"\1\n\n", "\n\n".join(part for part in written if part))


def found_at(state: RequestState, step: Step, items: Sequence[Item], *, is_hint: bool = False) -> str:
    """Answer from one of several sources: those of its items that are about the question."""
    is_all = len(items) == len(step.items) and not is_hint
    lead = state.say("lead") if is_all else state.say("closest")
    head = state.translated_sentence(first_sentence(step.result)) if is_all else ""
    return f"{(lead + head).strip()}\n\n{list_of(state, items[:MOST_ITEMS])}"


def not_there(state: RequestState, fallback: FallbackSearch) -> str:
    """Answer that nothing connected knows, with the places that were searched and who may know."""
    places = [state.say(f"names.{place}") for place in dict.fromkeys(source.place for source in fallback.sources)]
    joined = state.say("and").join([", ".join(places[:-1]), places[-1]] if len(places) > 1 else places)
    looked = state.say("not_there").format(places=joined) if places else state.say("nothing_to_look")
    return f"{looked} {state.say(f'who_knows.{fallback.name}')}"


def quoted_result(state: RequestState, steps: Sequence[Step]) -> str:
    """The results as they are, for calls that the student dictated."""
    heads = [state.say("result_of").format(name=step.name) for step in steps]
    return "\n\n".join(f"{head}\n\n{step.result}".rstrip() for head, step in zip(heads, steps, strict=True))


def opening(state: RequestState) -> str:
    """The words by which the first answer of a conversation says who speaks."""
    return state.say("demo") if not any(turn.answer for turn in state.conversation.before) else ""


def list_of(state: RequestState, items: Sequence[Item]) -> str:
    """Item lines as a Markdown list; those of several days by day."""
    lines = [state.translated_line(item.line) for item in items]
    if len(set(days := [day["day"] if (day := DAY.search(line)) else "" for line in lines])) == 1 or not all(days):
        return "\n".join(f"- {line}" for line in lines)
    return "\n\n".join(
        "\n".join([f"**{day}**\n", *(f"- {line.replace(f'{day}, ', '', 1)}" for _, line in pairs)])
        for day, pairs in groupby(zip(days, lines, strict=True), key=lambda pair: pair[0])
    )


def _part(state: RequestState, step: Step, intent: Intent | None, *, is_only: bool) -> str:
    profile = state.tools.get(step.name)
    if DECLINED.search(step.result) and (profile is None or profile.action.is_write):
        return state.say("declined")
    if UNCHANGED.search(step.result) and not step.items and not step.is_error:
        return state.say("unchanged")
    if step.is_error and (asked := asked_back(state, step)):
        return asked
    if step.is_error:
        return trouble(state, step)
    lead = state.say("done") if profile is not None and profile.action.is_write else ""
    first = first_sentence(step.result)
    if not lead and is_only and first:
        lead = state.say("lead")
    head = (lead + state.translated_sentence(first)).strip()
    noted = "\n".join(state.translated_line(note) for note in notes(step.result))
    return "\n\n".join(part for part in (head, _lines(state, step, intent), noted) if part)


def _lines(state: RequestState, step: Step, intent: Intent | None) -> str:
    items = step.items
    text = _body(step)
    if text:
        is_quoted = _is_others_text(state, step)
        lines = text.splitlines()
        return "\n".join(
            line if is_quoted and not OWN_LINE.search(line) else state.translated_line(line) for line in lines
        )
    if not items:
        return ""
    fitting, remark = _fitting(state, items, intent, step)
    if not remark and (few := few_grades(state.tools.get(step.name), fitting)):
        left = state.say("other_items").format(n=len(fitting) - len(few))
        return f"{list_of(state, few)}\n{left}"
    over = _over(state, fitting, step) if len(fitting) > MOST_ITEMS else []
    fitting = [item for item in fitting if item not in over]
    listed = list_of(state, fitting[:MOST_ITEMS])
    if left := _left_out(state, len(fitting[MOST_ITEMS:]), len(over)):
        listed += f"\n{left}"
    return f"{remark}\n\n{listed}" if remark else listed


def _left_out(state: RequestState, more: int, over: int) -> str:
    # One line, however many reasons there are: two counts under one list are read as a sum.
    said = "more_and_over" if more and over else "more" if more else "over"
    return state.say(said).format(n=more or over, over=over) if more or over else ""


def _over(state: RequestState, items: Sequence[Item], step: Step) -> list[Item]:
    # Of a week with more events than fit, those to come are what counts.
    profile = state.tools.get(step.name)
    if profile is None or profile.objects.get("event", 0) < 0.9:
        return []
    entities = [(item, entity_of(item, profile, state.now)) for item in items]
    over = [item for item, entity in entities if entity.start and (entity.end or entity.start) < state.now]
    return over if len(over) < len(items) else []


def _body(step: Step) -> str:
    # A result with text of its own (a page, the instructions of an assignment) is shown as it stands.
    lines = body_lines(step.result)
    has_text = any(line.strip() and not re.match(r"\s*(?:[-*•]|\d+[.)])\s", line) for line in lines)
    if not has_text:
        return ""
    listed = [at for at, line in enumerate(lines) if ITEM.match(line)]
    kept = lines[: min(MOST_TEXT_LINES, *listed[MOST_ITEMS : MOST_ITEMS + 1], len(lines))]
    return "\n".join(kept).strip() + ("\n…" if len(lines) > len(kept) else "")


def _is_others_text(state: RequestState, step: Step) -> bool:
    # What somebody wrote is quoted word for word; only what a tool says itself may be put into other words.
    profile = state.tools.get(step.name)
    about = profile.objects if profile else {}
    return profile is None or profile.ability in WRITTEN or any(about.get(name, 0) >= 0.9 for name in ("note", "web"))


def _fitting(
    state: RequestState, items: Sequence[Item], intent: Intent | None, step: Step
) -> tuple[Sequence[Item], str]:
    # Whoever asks for one thing ("the bio lab report") gets the lines about it, when there are any.
    if intent is None or intent.action.is_write or not items:
        return items, ""
    profile = state.tools.get(step.name)
    if profile is not None and profile.action.is_write:
        return items, ""
    if profile is not None and profile.objects.get("event", 0) >= 0.9 and (hours := _hours(intent)):
        inside = [item for item in items if _is_within(entity_of(item, profile, state.now), *hours)]
        return (inside, "") if inside else (items, state.say("nothing_then"))
    if few := extreme_course(profile, items, intent) or next_one(profile, items, intent):
        return few, state.say("matching")
    before = state.conversation.before[-1].said if state.conversation.before else ""
    if (classes := classes_of(profile, items, intent, state.now, before)) is not None:
        count = {0: "no_classes", 1: "is_a_class"}.get(len(classes), "are_classes")
        return classes or items, state.say(count).format(n=len(classes))
    # Every clash that was found is one that was asked for, and every mistake is one in the text that was given.
    known_for = profile.known_for if profile is not None else ""
    if known_for in ("grammar", "suggest_times") or (known_for == "conflicts" and intent.course is None):
        return items, ""
    given = {word for value in step.input.values() if isinstance(value, str) for word in stems(value)}
    wanted = [word for word in telling_stems(intent) if word not in given and word not in VAGUE]
    if not wanted:
        return items, ""
    entities = [item for item in items if not item.is_remark]
    is_calendar = profile is not None and profile.objects.get("event", 0) >= 0.9 > profile.objects.get("free", 0)
    if is_calendar and not intent.when.is_said and not any(_overlap(item, wanted) for item in entities):
        return [], nothing_fits(state, profile)
    most = max((_overlap(item, wanted) for item in entities), default=0)
    # What a result assumes or explains belongs to every one of its lines.
    fitting = [item for item in items if most and (item.is_remark or _overlap(item, wanted) == most)]
    if not fitting or len(fitting) == len(items):
        return items, ""
    return fitting, state.say("matching")


def _hours(intent: Intent) -> tuple[datetime, datetime] | None:
    # "Tuesday afternoon", "on Friday at 5": only a part of the day is asked about.
    when = intent.when
    if when.start is None or not (when.has_time or when.has_end) or when.is_deadline:
        return None
    end = when.end or when.start + timedelta(hours=1)
    return (when.start, end) if end.date() == when.start.date() else None


def _is_within(entity: Entity, start: datetime, end: datetime) -> bool:
    if entity.start is None:
        return True
    return entity.start < end and (entity.end or entity.start + timedelta(minutes=1)) > start


def _overlap(item: Item, wanted: Sequence[str]) -> int:
    words = set(stems(item.line))
    return sum(1 for word in wanted if word in words or SAME_IN_ENGLISH.get(word) in words)


def trouble(state: RequestState, step: Step) -> str:
    """Report of a failed call with its reason; a service that does not answer is told in words of our own."""
    if SAID_TO_MODELS.match(step.result):
        return state.say("tried")
    said = _plain(step.result)
    if NOT_CALLED.search(said) and state.spanish and language_of(said) != "es":
        return state.say("no_such")
    silent = SILENT.search(said)
    if silent is not None and state.spanish and language_of(said) != "es":
        return state.say("cannot_see").format(service=silent["service"])
    return state.say("trouble") + (state.translated_sentence(said) if language_of(said) != "es" else said)


def is_settled(step: Step) -> bool:
    """Whether a call is final: changed or declined by the student, or run too often."""
    return step.is_changed or bool(DECLINED.search(step.result)) or bool(SAID_TO_MODELS.match(step.result))


def _plain(text: str) -> str:
    told = ARGUMENT.sub("", " ".join(FOR_MODELS.sub("", without_ids(text)).split()))
    return NAME_IN_CODE.sub(lambda name: name.group().replace("_", " "), told[:1].upper() + told[1:])


SAME_IN_ENGLISH = {stem(spanish): stem(english) for spanish, english in english_names().items()}
VAGUE = frozenset(
    stem(word)
    for word in word_set(
        """
        plate coming look looking like going happening everything next last week day time left still need new recent any
        many much rest free busy open first second other more list tell know see check help right current currently so
        far overall total worried about doing semana dia proximo proxima queda falta nuevo nueva hacer ahora todo todos
        libre up around ahead soon really anything something
        """
    )
)
