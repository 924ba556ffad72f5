"""What the rules know while they decide on one reply: the talk, the tools, the time, the language."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sandbox.model.brain import memory
from sandbox.model.brain.conversation import Conversation, read_conversation
from sandbox.model.brain.intent import Intent, read_intent
from sandbox.model.brain.language import is_spanish, without_negation
from sandbox.model.brain.now import read_now
from sandbox.model.brain.toolbox import Profile, read_tool


@dataclass(frozen=True, kw_only=True)
class Mind:
    """One request, understood."""

    conversation: Conversation
    tools: Mapping[str, Profile]
    now: datetime
    spanish: bool
    courses: tuple[str, ...]

    def read(self, text: str) -> Intent:
        """Understand a clause with what the conversation has shown."""
        return read_intent(without_negation(text), self.now, self.courses)

    def say(self, english: str, spanish: str) -> str:
        """The words in the student's language."""
        return spanish if self.spanish else english


def read_mind(body: Mapping[str, Any], clock: datetime, offered: Iterable[Mapping[str, Any]]) -> Mind:
    """Understand a Messages request; `clock` is used when the request does not say what time it is.

    offered: the tools to think with, loaded or only heard of.
    """
    conversation = read_conversation(body)
    tools = {tool["name"]: read_tool(tool) for tool in offered}
    return Mind(
        conversation=conversation,
        tools=tools,
        now=read_now(conversation.notes, clock),
        spanish=_speaks_spanish(conversation),
        courses=tuple(memory.known_courses(conversation, tools)),
    )


def _speaks_spanish(conversation: Conversation) -> bool:
    # A short "sí" or "ok" keeps the language of what came before.
    said = [turn.said for turn in conversation.turns]
    return is_spanish(said[-1]) or (len(said[-1].split()) <= 2 and len(said) > 1 and is_spanish(said[-2]))
