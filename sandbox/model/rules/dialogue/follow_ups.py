"""Follow-ups: "yes" to an offer, "again", corrections, and answers to a question of ours."""

import re

from sandbox.model.rules.dialogue.clarification import picked
from sandbox.model.rules.dialogue.tool_ranking import WORTH_CALLING, best_tool
from sandbox.model.rules.language.messages import OFFERED, asks_for, asks_which
from sandbox.model.rules.language.text import fold
from sandbox.model.rules.request_state import RequestState
from sandbox.model.rules.tools.abilities import ASKS
from sandbox.model.rules.tools.schema import Action
from sandbox.model.rules.understanding.conversation import Step, Turn
from sandbox.model.rules.understanding.memory import NOT_DONE

LONGEST_ANSWER = 14
"""In words: more than that is a message of its own."""
AGREES = re.compile(
    r"^\W*(?:(?:lol|haha+|jaja\w*|oh|ah|hm+|cool|nice)\W+)*(?:yes|yeah|yep|yup|sure|ok|okay|do it|do that"
    r"|go (?:ahead|on)|continue|keep going|continua|sigue"
    r"|please do|sounds good|perfect|great|si|dale|claro|vale|hazlo|adelante|book it|go for it|bueno)(?:[\s,!.]+(?:yes"
    r"|please|do it|do that|go ahead|thanks|then|por favor|hazlo|gracias|it|that|sounds good|perfect|great))*\W*$"
)
REPEATS = re.compile(
    r"^\W*(?:(?:please|ok|por favor)\W+)?(?:retry|try (?:it |that )?again|again|once more|otra vez|"
    r"intentalo (?:de nuevo|otra vez)|prueba otra vez)(?:\W+(?:please|por favor|now))?\W*$"
)

CORRECTS = re.compile(
    r"^\W*(?:(?:no|nope|wait|actually|sorry|oh|oops|hmm|mejor|perdon|espera|digo|i meant?|i said|rather|better|mm+"
    r"|bueno)\b\W*(?:(?:wait|actually|sorry|i meant?|mean|rather|better|make it|mejor|digo|que sea"
    r"|quise decir)\b\W*)*)+(?P<new>(?:on |at |el |la |los |las |a |for |para )*[\w: ]{1,30}?)(?:\s+(?:instead|then"
    r"|please|por favor|entonces))?\W*$"
)
"""A new time for what was just put down: "no, Friday", "mejor el martes"."""
MAKES = re.compile(
    r"^\W*(?:(?:no|ok|actually|hmm|wait|sorry)\W+)*(?:can (?:you|we) )?"
    r"(?:make|do|let'?s (?:do|make it|say)|change|set|que sea|ponl[oa])"
    r"\s+(?:(?:it|that|to|for|at|a|las?)\s+)*(?P<hour>\d{1,2}(?::\d\d)?\s*(?:[ap]m)?)"
    r"(?:\s+(?:instead|then|please|mejor|por favor))?\W*$"
)
OF_IT = re.compile(
    r"^\W*(?:(?:no|nope|actually|wait|ok|please|mejor|hmm)\W+)*(?:make|call|name|title|let'?s\s+(?:make|call)|que\s+dure[n]?"
    r"|hazl[oa]s?|llamal[oa]s?|ponl[ea]s?)\b"
)
NAMES_IT = re.compile(
    r"(?i)\b(?:call|name|title)\s+(?:it|that|them|this)\s+[\"“]?(?P<name>.+?)[\"”]?(?:\s+(?:instead|please|then))?\W*$"
    r"|\bll[aá]mal[oa]s?\s+[\"“]?(?P<nombre>.+?)[\"”]?(?:\s+(?:mejor|por favor))?\W*$"
)
THANKS_ONLY = re.compile(r"^\W*(?:ok\W+)?(?:thanks|thank you|thx|ty|cheers|gracias|muchas gracias|mil gracias)\W*$")


def to_understand(state: RequestState) -> tuple[str, str]:
    """The text to understand, and the part of it that answers a question of ours.
    The message alone or, when it is such an answer, with the message that was asked about."""
    said, before = state.conversation.now.said, state.conversation.before
    if not before:
        return said, ""
    last = before[-1]
    if offered := accepted(last.answer):
        return _answer_to_offer(state, said, offered), ""
    if moved := _corrected(state, said, last):
        return moved
    if timed := _then_put(state, said, last):
        return timed, ""
    if AGREES.match(fold(said)):
        return "", ""
    if REPEATS.match(fold(said)) and _may_repeat(state, last):
        return last.said, ""
    return _answer_to_question(state, said, last) if last.answer.rstrip().endswith("?") else (said, "")


def _corrected(state: RequestState, said: str, last: Turn) -> tuple[str, str] | None:
    """What a new day or hour for the event of the turn before comes to, and "" as no answer to a question of ours."""
    folded = fold(said)
    if anew := _proposed_anew(state, said, last):
        return anew, ""
    hour, found = MAKES.match(folded), CORRECTS.match(folded)
    steps = [step for step in last.steps if _has_time(state, step)]
    if not steps or not (hour or found):
        return None
    new = f"{state.say('at', 'a las')} {hour['hour']}" if hour else said[found.start("new") :].rstrip(" .!?")
    when = state.read(new).when
    if not when.is_said:
        return None
    if NOT_DONE.search(steps[-1].result):
        return _said_anew(state, last.said, new), ""
    title = steps[-1].input.get("title", "") if state.tools[steps[-1].name].objects.get("task", 0) >= 0.9 else ""
    told = (f"move the task {title} to", f"mueve la tarea {title} a") if title else ("move it to", "muévelo a")
    return f"{state.say(*told)} {re.sub(r'(?i)^(?:el|on|at|a) ', '', new)}", ""


def _proposed_anew(state: RequestState, said: str, last: Turn) -> str:
    """What was proposed and not decided, with another length or name: "make it 90 minutes", "call it Lunch instead"."""
    is_open = any(NOT_DONE.search(step.result) for step in last.steps)
    if not is_open or not OF_IT.match(fold(said)):
        return ""
    if named := NAMES_IT.search(said):
        return f"{last.said.rstrip(' .!')} “{(named['name'] or named['nombre']).strip()}”"
    minutes = state.read(said).when.minutes
    return _with_length(state, last.said, minutes) if minutes else ""


def _with_length(state: RequestState, said: str, minutes: int) -> str:
    for span in reversed([span for span in state.read(said).spans if span.kind == "duration"]):
        said = said[: span.start] + said[span.end :]
    length = state.say("of {n} minutes", "de {n} minutos").format(n=minutes)
    return f"{' '.join(said.split()).rstrip(' .!')}, {length}"


def _then_put(state: RequestState, said: str, last: Turn) -> str:
    """An order without a time after "am I free tomorrow at 4?", with that time; empty for anything else."""
    intent, asked = state.read(said), state.read(last.said)
    looked = [
        tool for step in last.steps if (tool := state.tools.get(step.name)) and tool.objects.get("free", 0) >= 0.9
    ]
    is_order = intent.action is Action.CREATE and intent.has_order and not intent.when.is_said and not intent.is_pronoun
    is_other = max((weight for name, weight in intent.objects.items() if name != "event"), default=0.0) >= 0.5
    if not (looked and is_order and asked.when.has_time) or is_other:
        return ""
    start = asked.when.start
    return (
        f"{said.rstrip(' .!')} {state.say('on', 'el')} {start:%Y-%m-%d} {state.say('at', 'a las')} {start:%H:%M}"
        if start
        else ""
    )


def _has_time(state: RequestState, step: Step) -> bool:
    tool = state.tools.get(step.name)
    is_new = tool is not None and tool.action in (Action.CREATE, Action.CHANGE)
    return is_new and max(map(tool.objects.get, ("event", "task"), (0, 0))) >= 0.9 and not step.is_error


def _said_anew(state: RequestState, said: str, new: str) -> str:
    """What was asked for before, with the new day or hour instead of that one."""
    when, kind = state.read(new).when, "time" if state.read(new).when.has_time else "day"
    spans = [span for span in state.read(said).spans if span.kind == kind or (when.has_time and when.has_day)]
    for span in reversed(spans):
        said = said[: span.start] + " " * (span.end - span.start) + said[span.end :]
    loose = re.sub(r"(?i)\s(?:at|on|el|a las?)\s*(?=\s{2}|$)", " ", said)
    return f"{' '.join(loose.split())} {new}"


def accepted(answer: str) -> str:
    """The offer at the end of an answer as an order of its own; empty when there is none."""
    found = OFFERED.search(answer.rstrip())
    return f"add “{found['title']}” to my calendar on {found['moment']}" if found else ""


def _answer_to_question(state: RequestState, said: str, last: Turn) -> tuple[str, str]:
    if THANKS_ONLY.match(fold(said)):
        return said, ""
    if asks_for("title", last.answer) and len(said.split()) <= LONGEST_ANSWER:
        return f"{last.said.rstrip(' .?!')} “{said.strip(' .“”')}”", said
    if asks_for("content", last.answer):
        return f"{last.said.rstrip(' .?!:')}: {said}", ""
    is_short = len(said.split()) <= LONGEST_ANSWER
    if asks_which(last.answer) and is_short and ASKS.match(fold(said)) and not picked(last.steps, said):
        return said, ""
    if asks_which(last.answer):
        return (last.said, said) if is_short else (said, "")
    intent = state.read(said)
    is_new = intent.has_order and intent.strength >= 0.5 and best_tool(state, intent)[1] >= WORTH_CALLING
    return (f"{last.said.rstrip(' .?!')} {said}", said) if is_short and not is_new else (said, "")


def _answer_to_offer(state: RequestState, said: str, offered: str) -> str:
    if AGREES.match(fold(said)):
        return offered
    when = state.read(said).when
    first = re.split(r",| but | pero ", fold(said))[0]
    if not (when.has_time and AGREES.match(first)):
        return said
    # "Yes, but at 4": the offered day with the new hour.
    order, _, moment = offered.rpartition(" on ")
    day = "" if when.has_day else f" on {moment.partition(',')[0]}"
    return f"{order}{day} {said.partition(' ')[2]}"


def _may_repeat(state: RequestState, last: Turn) -> bool:
    # A write that was done must not be done twice because somebody said "again".
    writes = [step for step in last.steps if (tool := state.tools.get(step.name)) is not None and tool.action.is_write]
    return all(step.is_error for step in writes)
