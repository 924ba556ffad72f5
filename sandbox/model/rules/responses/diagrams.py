"""Diagrams of the steps that a student lists; rules know no subject of their own."""

import re

from sandbox.model.rules.language.text import fold
from sandbox.model.rules.request_state import RequestState

ASKS = re.compile(
    r"^\W*(?:(?:please|can you|could you|por favor|puedes|podrias)\W+)*(?:(?:draw|sketch|dibuja(?:me|r"
    r"|rme)?)\b(?!\s+up\b)|diagram\s|(?:make|create|give|show|haz|hazme|crea|creame|dame|hacer"
    r"|hacerme)\s+(?:me\s+)?(?:an?|un|el|the)\s+(?:\w+\s+)?(?:diagram|flow\s?chart|diagrama|esquema)\b)"
)
BETWEEN = re.compile(r"\s*(?:->|→|,|;|\n|\bthen\b|\bluego\b|\bdespués\b)\s*")
MOST_STEPS, LONGEST = 12, 60
NOT_IN_A_LABEL = re.compile(r"[\"\[\]{}()<>|`#&;]+")


def is_asked(text: str) -> bool:
    """Whether a message asks for a drawing."""
    return bool(ASKS.match(fold(text)))


def reply(state: RequestState) -> str:
    """The diagram of what stands after the colon, one step below the other; how to ask for one where nothing does."""
    steps = _steps(state.conversation.now.said)
    if len(steps) < 2:
        return f"{state.say('draws')} {state.say('key')}"
    boxes = [f'    s{at}["{step}"]' for at, step in enumerate(steps)]
    arrows = [f"    s{at} --> s{at + 1}" for at in range(len(steps) - 1)]
    drawn = "\n".join(["```mermaid", "flowchart TD", *boxes, *arrows, "```"])
    return f"{state.say('drawn')}\n\n{drawn}"


def _steps(text: str) -> list[str]:
    listed = text.partition(":")[2].strip(" .\n")
    named = [" ".join(NOT_IN_A_LABEL.sub(" ", step).split())[:LONGEST] for step in BETWEEN.split(listed)]
    return [step[:1].upper() + step[1:] for step in named if step][:MOST_STEPS]
