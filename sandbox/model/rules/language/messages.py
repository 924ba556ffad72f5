"""Message catalogue: the demo model's own sentences, English and Spanish, and which question an answer ended with."""

import re
from collections.abc import Mapping
from functools import cache

from sandbox.model.rules.language.vocabulary import sections

OFFERED = re.compile(
    r"(?:Shall I put|¿Pongo) [“«](?P<title>.{1,300}?)[”»] (?:into your calendar on"
    r"|en tu calendario el) (?P<moment>[^?]{1,200})\?\s*$"
)


@cache
def messages() -> Mapping[str, tuple[str, str]]:
    """English and Spanish of each message, by its name."""
    found = {}
    for line in sections("messages.txt")["messages"].splitlines():
        name, _, said = line.partition(": ")
        found[name] = tuple(re.sub(r"_$", " ", part.replace("\\n", "\n")) for part in said.split(" => "))
    return found  # type: ignore[return-value]


def asks_which(answer: str) -> bool:
    """Whether an answer of ours ended by asking which existing thing is meant."""
    names = ("several", "which_for", "ask.thing", "ask.place")
    ends = [end.rpartition(". ")[2] for name in names for end in messages()[name]]
    return answer.rstrip().endswith(tuple(ends))


def asks_for(name: str, answer: str) -> bool:
    """Whether an answer of ours ended with the question for this part of something new: its title or its content."""
    return answer.rstrip().endswith(messages()[f"ask.{name}"])
