"""How much thought an answer gets: what a student chooses for a chat, and what a request to the model makes of it."""

from dataclasses import dataclass, replace
from typing import Literal, cast, get_args

from services.assistants.assistant import Assistant
from services.errors import BadArguments
from services.i18n import gettext, gettext_noop
from services.llm.capabilities import capabilities_of
from services.llm.chat_model import ModelRequest

EffortId = Literal["quick", "thorough"]
EffortChoice = EffortId | None
"""None: what the assistant does by itself."""

MOST_STEPS = 40
"""As many as an assistant may be given."""
_WEIGHT = {"quick": "medium", "thorough": "high"}
_OUTPUT = {"quick": 8_192, "thorough": 24_000}
"""Tokens of one answer; its thoughts count among them."""


@dataclass(frozen=True, kw_only=True)
class Effort:
    """One of the choices of a chat. title, hint: for the student, to be said where they are drawn."""

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
    """What was chosen; raises `BadArguments` for a word that is none of the choices."""
    if effort is None or effort in get_args(EffortId):
        return cast(EffortChoice, effort)
    raise BadArguments(
        gettext("There is no such choice."), field="effort", next_step=gettext("Choose Quick or Thorough.")
    )


def effort_of(chosen: str | None, assistant: Assistant) -> EffortId:
    """The effort of an answer: what was chosen for the chat, else what its assistant does by itself."""
    return "thorough" if (chosen or assistant.model) == "thorough" else "quick"


def steps_of(effort: EffortId, assistant: Assistant) -> int:
    """How many requests a turn may take; twice the assistant's own when somebody asked it to be thorough."""
    is_more = effort == "thorough" and assistant.model != "thorough"
    return min(MOST_STEPS, assistant.max_steps * 2) if is_more else assistant.max_steps


def with_effort(request: ModelRequest, effort: EffortId) -> ModelRequest:
    """The same request with as much thought as this model knows to take."""
    known = capabilities_of(request.model)
    return replace(
        request,
        max_tokens=min(_OUTPUT[effort], known.most_output),
        effort=_WEIGHT[effort] if known.weighs_effort else "",
        thinks=known.thinks and effort == "thorough",
    )
