"""Special abilities: which one a tool's name says it has, and which one a student's words ask for.
A tool with such an ability is called only when that is asked for; all others are ranked by what they are about."""

import re
from dataclasses import dataclass, field
from functools import cache, lru_cache
from pathlib import Path

from sandbox.model.rules.language.patterns import joined, pattern
from sandbox.model.rules.language.text import fold
from sandbox.model.rules.tools.schema import Action

TABLE = Path(__file__).parent.parent / "vocabulary" / "abilities.txt"
HEAD = re.compile(r"\[(?P<name>\w+)\] (?P<action>\w++)(?P<flags>[\w ]*): (?P<named>.+)")
QUOTED = re.compile(r"“[^”]{3,}”|«[^»]{3,}»")
# Whatever the words of a task or reminder are about, it is to be kept and not to be done.
KIND_OF_TASK = r"(tasks?|to-?\s?dos?|reminders?|tareas?|pendientes?|recordatorios?)"
NEW_TASK = pattern(
    "^ ((please|can you|could you|por favor) )?((remind me|recuerdame|(apunta|anota)(me)? que|(don'?t|do not) let me"
    r" forget)\b|(add|create|make|set|new|anade|agrega|crea|nuev[ao]?) ((me|an?|the|new|another|una?|otr[ao]"
    r"|nuev[ao]?) )*"
    rf"{KIND_OF_TASK}\b|{KIND_OF_TASK}\s*:)"
)
# A question orders no change, unlike "can you …".
ASKS = pattern(
    "^ (what|whats|what's|when|which|how|who|where|why|do|does|did|is|are|am|que|cual|cuales|cuando|cuanto|cuanta"
    "|cuantos|cuantas|como|donde|por que)\\b(?!\\s+(about|if you|tal si)\\b)"
)


@dataclass(kw_only=True)
class Ability:
    """One ability. named: in a tool's name. said, unless: in the student's words. whole: the text must not be split."""

    name: str
    action: Action
    named: re.Pattern[str]
    whole: bool
    is_only: bool
    said: list[str] = field(default_factory=list)
    unless: list[str] = field(default_factory=list)

    def is_asked_in(self, folded: str) -> bool:
        """Whether a folded text asks for it."""
        is_said = bool(self.said) and bool(joined(self.said).search(folded))
        return is_said and not joined(self.unless or ["(?!)"]).search(folded)


@cache
def abilities() -> dict[str, Ability]:
    """The table of abilities by name, in its order."""
    concepts: dict[str, str] = {}
    found: dict[str, Ability] = {}
    for line in TABLE.read_text().splitlines():
        for name, words in concepts.items():
            line = line.replace(f"<{name}>", words)
        if concept := re.match(r"<([\w ]+)> (.+)", line):
            concepts[concept[1]] = concept[2]
        elif head := HEAD.match(line):
            flags, action = head["flags"].split(), Action(head["action"])
            named = re.compile(pattern(head["named"]).pattern.replace(r"\b", ""))
            found[head["name"]] = Ability(
                name=head["name"], action=action, named=named, whole="whole" in flags, is_only="besides" not in flags
            )
        elif line.startswith("    "):
            ability = found[next(reversed(found))]
            (ability.unless if line.startswith("    - ") else ability.said).append(line.strip().removeprefix("- "))
    return found


def ability_of(name: str) -> str:
    """The ability that a tool's name tells, "_" and capitals taken apart; empty for the others."""
    return next((ability.name for ability in abilities().values() if ability.named.search(name)), "")


@lru_cache(maxsize=2_000)
def asked_for(text: str) -> tuple[str, ...]:
    """The abilities that a text asks for, the first in the table first; what stands in quotes asks for nothing."""
    folded = fold(QUOTED.sub("“x”", text))
    if NEW_TASK.match(folded):
        return ()
    is_question = ASKS.match(folded) is not None
    asked = [ability for ability in abilities().values() if not (ability.action.is_write and is_question)]
    return tuple(ability.name for ability in asked if ability.is_asked_in(folded))
