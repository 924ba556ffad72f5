"""Request state: the conversation, the tools, the time and the language of one request."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sandbox.model.deferred_tools import added_names, loaded_names
from sandbox.model.rules.dates.clock import read_now, read_weeks
from sandbox.model.rules.dates.days import WEEKS
from sandbox.model.rules.language.detection import language_of, reads_spanish, to_the_student, without_negation
from sandbox.model.rules.language.messages import messages
from sandbox.model.rules.language.translation import all_in_spanish, in_spanish
from sandbox.model.rules.tools.profile import Profile, read_tool
from sandbox.model.rules.tools.schema import Action, Role
from sandbox.model.rules.understanding import memory
from sandbox.model.rules.understanding.conversation import Conversation, read_conversation
from sandbox.model.rules.understanding.intent import Intent, read_intent

QUOTED = "La herramienta dice: «{text}»"
"""For sentences of tools whose words are not known in Spanish."""


@dataclass(frozen=True, kw_only=True)
class RequestState:
    """One request, understood."""

    conversation: Conversation
    tools: Mapping[str, Profile]
    now: datetime
    spanish: bool
    courses: tuple[str, ...]
    added: tuple[frozenset[str], frozenset[str]] = (frozenset(), frozenset())
    """Tools that the application has added for this message, and in the whole conversation."""
    loaded: frozenset[str] = frozenset()
    """Tools that are not only heard of."""

    def read(self, text: str) -> Intent:
        """Understand a clause with what the conversation has shown."""
        return read_intent(without_negation(text), self.now, self.courses)

    def special(self, ability: str) -> Profile | None:
        """The tool with an ability of its own."""
        return next((tool for tool in self.tools.values() if tool.ability == ability), None)

    def listing(self, about: str = "assignment", *, of_days: bool = False) -> Profile | None:
        """The list that is most about a subject; of_days: one over days, that is about hardly anything else."""
        tools = [tool for tool in self.tools.values() if tool.action is Action.READ and not tool.ability]
        if of_days:
            tools = [tool for tool in tools if tool.objects.get(about, 0) >= 0.9 and tool.param(Role.START)]
        else:
            tools = [tool for tool in tools if not tool.required_ids]
        return max(tools, key=lambda tool: tool.objects.get(about, 0), default=None)

    def say(self, name: str, spanish: str = "") -> str:
        """The message of this name, or of the two given texts the one, in the student's language."""
        english, spanish = (name, spanish) if spanish else messages()[name]
        return spanish if self.spanish else english

    def translated_line(self, line: str) -> str:
        """A line of a tool's result in the student's language, as far as its words are known."""
        line = to_the_student(line)
        return in_spanish(line) if self.spanish else line

    def translated_sentence(self, text: str) -> str:
        """A sentence of a tool's result in the student's language; quoted where its words are not known."""
        text = to_the_student(text)
        if not self.spanish or language_of(text) == "es":
            return text
        return all_in_spanish(text) or QUOTED.format(text=text)


def read_request_state(body: Mapping[str, Any], clock: datetime, offered: Iterable[Mapping[str, Any]]) -> RequestState:
    """Understand a Messages request; `clock` is used when the request does not say what time it is.
    offered: the tools to think with, loaded or only heard of."""
    conversation = read_conversation(body)
    WEEKS.set(read_weeks(conversation.notes))
    tools = {tool["name"]: read_tool(tool) for tool in offered}
    return RequestState(
        conversation=conversation,
        tools=tools,
        now=read_now(conversation.notes, clock),
        spanish=_speaks_spanish(conversation),
        courses=tuple(memory.known_courses(conversation, tools)),
        added=added_names(body),
        loaded=loaded_names(body),
    )


def _speaks_spanish(conversation: Conversation) -> bool:
    # A short "ok" keeps the language of what came before; before anything, it is the one that the prompt names.
    for turn in reversed(conversation.turns):
        language = language_of(turn.said)
        if language is not None:
            return language == "es"
    return reads_spanish(conversation.system) or any(reads_spanish(note) for note in conversation.notes)
