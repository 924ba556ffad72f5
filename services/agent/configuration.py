"""What one student gets from an assistant: its words, its tools and its limits, under a version."""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

from services.agent.calls import CALLS_IN_A_TURN
from services.agent.prompts import PromptBuilder
from services.agent.service import MAX_STEPS
from services.agent.turns import LONGEST_MESSAGE
from services.connections.connection import Connection
from services.errors import ItemNotFound
from services.integrations.base import Integration
from services.students import Student
from services.tools.resolution import Disabled
from services.tools.toolbox import Toolbox, Toolboxes

DEFAULT = "homeroom"
_LIMITS = {
    "steps_per_turn": MAX_STEPS,
    "tool_calls_per_turn": CALLS_IN_A_TURN,
    "characters_per_message": LONGEST_MESSAGE,
}


@dataclass(frozen=True, kw_only=True)
class IntegrationState:
    """How an integration stands with this student. health: as the connection says, None when there is none."""

    label: str
    category: str
    is_connected: bool
    health: str | None
    reason: str | None


@dataclass(frozen=True, kw_only=True)
class AssistantConfig:
    """identity: its name and what it is. system_words: the system text the model gets for this student.

    course_knowledge: course material that is part of the assistant. enabled_actions: the names of the tools that work
    for this student now. limits: numbers by name. config_version: changes when anything else here does.
    """

    id: str
    identity: Mapping[str, str]
    system_words: str = field(repr=False)
    course_knowledge: tuple[str, ...]
    integrations: Mapping[str, IntegrationState]
    enabled_actions: tuple[str, ...]
    limits: Mapping[str, int]
    can_respond: bool
    config_version: str = ""


class AssistantConfigs:
    """So far of the one assistant that has every tool."""

    def __init__(
        self, *, toolboxes: Toolboxes, prompts: PromptBuilder, integrations: Mapping[str, Integration], model_name: str
    ) -> None:
        self._toolboxes = toolboxes
        self._prompts = prompts
        self._integrations = integrations
        self._model_name = model_name

    def config(self, student: Student, assistant_id: str) -> AssistantConfig:
        """One store read. Raises `ItemNotFound` for an assistant that does not exist."""
        self.require(assistant_id)
        toolbox = self._toolboxes.of(student)
        blocks = self._prompts.system(student, toolbox.resolution)
        parts: dict[str, Any] = {
            "id": assistant_id,
            "identity": {
                "name": "Homeroom",
                "description": "Helps with courses, calendar and notes, and asks before it changes anything.",
                "model": self._model_name,
            },
            "system_words": "\n\n".join(str(block["text"]) for block in blocks),
            "course_knowledge": (),
            "integrations": self._states(toolbox),
            "enabled_actions": tuple(tool.name for tool in toolbox.resolution.tools),
            "limits": _LIMITS,
            "can_respond": not student.is_disabled,
        }
        return AssistantConfig(**parts, config_version=_version(AssistantConfig(**parts)))

    def require(self, assistant_id: str) -> None:
        """Raises `ItemNotFound` for an assistant that does not exist."""
        if assistant_id != DEFAULT:
            step = f"The assistant here is {DEFAULT}."
            raise ItemNotFound("Homeroom", "There is no such assistant.", next_step=step)

    def _states(self, toolbox: Toolbox) -> dict[str, IntegrationState]:
        disabled = {one.integration: one for one in toolbox.resolution.disabled}
        return {
            id: _state(integration, toolbox.connections.get(id), disabled.get(id))
            for id, integration in self._integrations.items()
        }


def _state(integration: Integration, connection: Connection | None, disabled: Disabled | None) -> IntegrationState:
    return IntegrationState(
        label=integration.label,
        category=integration.category,
        is_connected=disabled is None,
        health=connection.health.value if connection else None,
        reason=disabled.sentence if disabled else None,
    )


def _version(config: AssistantConfig) -> str:
    written = json.dumps(asdict(config), sort_keys=True, ensure_ascii=False)
    return hashlib.sha256(written.encode()).hexdigest()[:16]
