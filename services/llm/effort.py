"""Effort of an answer: what a student chooses for a chat, and the request parameters that follow from it."""

from dataclasses import dataclass, replace
from typing import Literal, cast, get_args

from services.assistants.assistant import Assistant
from services.errors import BadArguments
from services.i18n import gettext, gettext_noop
from services.llm.capabilities import capabilities_of
from services.llm.chat_model import ModelRequest

EffortId = Literal["quick", "thorough"]
EffortChoice = EffortId | None
"""None: the assistant's own."""

_API_EFFORT = {"quick": "medium", "thorough": "high"}
_MAX_OUTPUT = {"quick": 8_192, "thorough": 24_000}
"""Tokens of one answer; its thoughts count among them."""


@dataclass(frozen=True, kw_only=True)
class Effort:
    """Choice of a chat. title, hint: for the student, translated where they are drawn."""

    id: EffortId
    title: str
    hint: str


EFFORTS: tuple[Effort, ...] = (
    Effort(id="quick", title=gettext_noop("Quick"), hint=gettext_noop("Answers in seconds. Right for most questions.")),
    Effort(
        id="thorough",
        title=gettext_noop("Thorough"),
        hint=gettext_noop("Thinks longer and takes more steps. For plans and hard questions."),
    ),
)


def checked_effort(effort: str | None) -> EffortChoice:
    """Check a choice; raises `BadArguments` for an unknown one."""
    if effort is None or effort in get_args(EffortId):
        return cast(EffortChoice, effort)
    raise BadArguments(
        gettext("There is no such choice."), field="effort", next_step=gettext("Choose Quick or Thorough.")
    )


def effort_of(chosen: str | None, assistant: Assistant) -> EffortId:
    """Choose the effort of an answer: the chat's choice, else its assistant's own."""
    return "thorough" if (chosen or assistant.model) == "thorough" else "quick"


def with_effort(request: ModelRequest, effort: EffortId) -> ModelRequest:
    """Return the request with the effort, as far as its model takes it."""
    known = capabilities_of(request.model)
    return replace(
        request,
        max_tokens=min(_MAX_OUTPUT[effort], known.most_output),
        effort=_API_EFFORT[effort] if known.takes_effort else "",
        thinks=known.thinks and effort == "thorough",
    )
