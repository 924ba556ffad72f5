"""Configuration of an assistant for one student: its prompt, tools and limits, under a version."""

import hashlib
import json
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, field
from typing import Any, Literal

from services.assistants.assistant import Assistant
from services.assistants.class_assistant import ClassAssistant
from services.assistants.registry import AssistantRegistry
from services.connections.connection import Connection
from services.identity.students import Student
from services.integrations.base import Integration
from services.prompt.prompt_builder import PromptBuilder
from services.runtime.clock import stamp
from services.tools.availability import DisabledIntegration
from services.tools.toolbox import Toolbox, Toolboxes


@dataclass(frozen=True, kw_only=True)
class IntegrationState:
    """State of an integration for this student. health: as the connection says, None when there is none."""

    label: str
    category: str
    is_connected: bool
    health: str | None
    reason: str | None


@dataclass(frozen=True, kw_only=True)
class Knowledge:
    """Course material that an assistant brings. kind: "link", a page worth knowing, or "feed", news of a course."""

    kind: Literal["link", "feed"]
    title: str
    url: str
    note: str = ""


@dataclass(frozen=True, kw_only=True)
class AssistantConfig:
    """Configuration of an assistant. identity: its name and what it is. system_words: the system text for this student.

    course_knowledge: links and feeds that are part of the assistant. enabled_actions: the names of the tools that work
    for this student now. limits: numbers by name. can_respond: False while the model's key, bill or address is refused,
    while this process is about to end, for a disabled student, and while an exam closes it. config_version: changes
    when anything else does.
    """

    id: str
    identity: Mapping[str, str]
    system_words: str = field(repr=False)
    course_knowledge: tuple[Knowledge, ...]
    integrations: Mapping[str, IntegrationState]
    enabled_actions: tuple[str, ...]
    limits: Mapping[str, int]
    can_respond: bool
    config_version: str = ""


class AssistantConfigs:
    """Builds the configuration of each assistant for a student."""

    def __init__(
        self,
        *,
        registry: AssistantRegistry,
        toolboxes: Toolboxes,
        prompts: PromptBuilder,
        integrations: Mapping[str, Integration],
        models: Mapping[str, str],
        limits: Mapping[str, int],
        can_respond: Callable[[], bool],
    ) -> None:
        """models: the name of the model for "quick" and "thorough". limits: those of every turn, by name.
        can_respond: whether a message would be answered, as far as this process knows.
        """
        self._registry = registry
        self._toolboxes = toolboxes
        self._prompts = prompts
        self._integrations = integrations
        self._models = models
        self._limits = limits
        self._can_respond = can_respond

    def config(self, student: Student, assistant_id: str) -> AssistantConfig:
        """Build one with two store reads. Raises `ItemNotFound` for an assistant that does not exist."""
        assistant = self._registry.for_student(student.id, assistant_id)
        toolbox = self._toolboxes.for_student(student, assistant)
        blocks = self._prompts.system(student, toolbox.resolution, assistant)
        parts: dict[str, Any] = {
            "id": assistant_id,
            "identity": {
                "name": assistant.name,
                "description": assistant.summary,
                "integrity": assistant.integrity,
                "model": self._models[assistant.model],
            },
            "system_words": "\n\n".join(str(block["text"]) for block in blocks),
            "course_knowledge": _knowledge(assistant),
            "integrations": self._states(toolbox),
            "enabled_actions": tuple(tool.name for tool in toolbox.resolution.tools),
            "limits": {"steps_per_turn": assistant.max_steps, **self._limits},
            "can_respond": not student.is_disabled and self._can_respond(),
        }
        if isinstance(assistant, ClassAssistant):
            parts["identity"] |= _class_facts(assistant)
            parts["can_respond"] = parts["can_respond"] and not assistant.is_closed
        return AssistantConfig(**parts, config_version=_version(AssistantConfig(**parts), assistant))

    def _states(self, toolbox: Toolbox) -> dict[str, IntegrationState]:
        everything = self._toolboxes.resolution(toolbox.connections)
        disabled = {integration.integration: integration for integration in everything.disabled}
        return {
            id: _state(integration, toolbox.connections.get(id), disabled.get(id))
            for id, integration in self._integrations.items()
        }


def _class_facts(assistant: ClassAssistant) -> dict[str, str]:
    """More of the identity of a class's assistant: its class, and the exam window that is open or the next one."""
    facts = {"class": assistant.class_name}
    if assistant.exam:
        facts |= {"exam": assistant.exam.mode, "exam_until": stamp(assistant.exam.ends_at)}
    if assistant.next_exam:
        facts |= {"next_exam": assistant.next_exam.mode, "next_exam_at": stamp(assistant.next_exam.begins_at)}
    return facts


def _state(
    integration: Integration, connection: Connection | None, disabled: DisabledIntegration | None
) -> IntegrationState:
    return IntegrationState(
        label=integration.label,
        category=integration.category,
        is_connected=disabled is None,
        health=connection.health.value if connection else None,
        reason=disabled.sentence if disabled else None,
    )


def _knowledge(assistant: Assistant) -> tuple[Knowledge, ...]:
    links = (Knowledge(kind="link", title=link.title, url=link.url, note=link.note) for link in assistant.links)
    feeds = (Knowledge(kind="feed", title=feed.title, url=feed.url) for feed in assistant.feeds)
    return (*links, *feeds)


def _version(config: AssistantConfig, assistant: Assistant) -> str:
    """Hash of the configuration and of the assistant's own version, as it has rules that the configuration lacks."""
    written = json.dumps([asdict(config), assistant.version], sort_keys=True, ensure_ascii=False)
    return hashlib.sha256(written.encode()).hexdigest()[:16]
