"""What short answers mean: "yes" to an offer, "again", and answers to a question of ours."""

import re

from sandbox.model.brain import phrases
from sandbox.model.brain.about import WORTH_CALLING, best_tool
from sandbox.model.brain.conversation import Turn
from sandbox.model.brain.mind import Mind
from sandbox.model.brain.text import fold

LONGEST_ANSWER = 14
"""In words: more than that is a message of its own."""
AGREES = re.compile(
    r"^\W*(?:yes|yeah|yep|yup|sure|ok|okay|do it|do that|go ahead|please do|sounds good|perfect|great|si|dale|claro|"
    r"vale|"
    r"hazlo|adelante|book it|go for it|bueno)"
    r"(?:[\s,!.]+(?:yes|please|do it|do that|go ahead|thanks|then|por favor|hazlo|gracias|it|that|sounds good|"
    r"perfect|great))*"
    r"\W*$"
)
REPEATS = re.compile(
    r"^\W*(?:(?:please|ok|por favor)\W+)?(?:retry|try (?:it |that )?again|again|once more|otra vez|"
    r"intentalo (?:de nuevo|otra vez)|prueba otra vez)(?:\W+(?:please|por favor|now))?\W*$"
)

THANKS_ONLY = re.compile(r"^\W*(?:ok\W+)?(?:thanks|thank you|thx|ty|cheers|gracias|muchas gracias|mil gracias)\W*$")


def to_understand(mind: Mind) -> tuple[str, str]:
    """The text to understand, and the part of it that answers a question of ours.

    The message alone or, when it is such an answer, with the message that was asked about.
    """
    said, before = mind.conversation.now.said, mind.conversation.before
    if not before:
        return said, ""
    last = before[-1]
    if offered := accepted(last.answer):
        return _answer_to_offer(mind, said, offered), ""
    if AGREES.match(fold(said)):
        return "", ""
    if REPEATS.match(fold(said)) and _may_repeat(mind, last):
        return last.said, ""
    return _answer_to_question(mind, said, last) if last.answer.rstrip().endswith("?") else (said, "")


def accepted(answer: str) -> str:
    """The offer at the end of an answer as an order of its own; empty when there is none."""
    found = phrases.OFFERED.search(answer.rstrip())
    return f"add “{found['title']}” to my calendar on {found['moment']}" if found else ""


def _answer_to_question(mind: Mind, said: str, last: Turn) -> tuple[str, str]:
    if THANKS_ONLY.match(fold(said)):
        return said, ""
    if phrases.asks_title(last.answer) and len(said.split()) <= LONGEST_ANSWER:
        return f"{last.said.rstrip(' .?!')} “{said.strip(' .“”')}”", said
    if phrases.asks_content(last.answer):
        return f"{last.said.rstrip(' .?!:')}: {said}", ""
    is_short = len(said.split()) <= LONGEST_ANSWER
    if phrases.asks_which(last.answer):
        return (last.said, said) if is_short else (said, "")
    intent = mind.read(said)
    is_new = intent.has_order and intent.strength >= 0.5 and best_tool(mind, intent)[1] >= WORTH_CALLING
    return (f"{last.said.rstrip(' .?!')} {said}", said) if is_short and not is_new else (said, "")


def _answer_to_offer(mind: Mind, said: str, offered: str) -> str:
    if AGREES.match(fold(said)):
        return offered
    when = mind.read(said).when
    first = re.split(r",| but | pero ", fold(said))[0]
    if not (when.has_time and AGREES.match(first)):
        return said
    # "Yes, but at 4": the offered day with the new hour.
    order, _, moment = offered.rpartition(" on ")
    day = "" if when.has_day else f" on {moment.partition(',')[0]}"
    return f"{order}{day} {said.partition(' ')[2]}"


def _may_repeat(mind: Mind, last: Turn) -> bool:
    # A write that was done must not be done twice because somebody said "again".
    writes = [step for step in last.steps if (tool := mind.tools.get(step.name)) is not None and tool.action.is_write]
    return all(step.is_error for step in writes)
