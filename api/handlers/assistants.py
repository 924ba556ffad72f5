"""`GET /api/assistants/{id}/config`: what this student gets from an assistant."""

from collections.abc import Mapping
from typing import Literal

from pydantic import Field

from api.endpoint import ApiAnswer, ApiCall, Reply, etag_headers, matches_etag, not_modified
from services.prompt.assistant_config import AssistantConfig


class IntegrationEntry(ApiAnswer):
    label: str
    category: str
    connected: bool
    health: str | None
    reason: str | None


class KnowledgeEntry(ApiAnswer):
    kind: Literal["link", "feed"]
    title: str
    url: str
    note: str


class AssistantAnswer(ApiAnswer):
    id: str
    identity: Mapping[str, str] = Field(
        description="Its name and what it is; of a class's assistant, the class and its exam windows, too."
    )
    system_words: str
    course_knowledge: tuple[KnowledgeEntry, ...] = Field(description="Course material that the assistant brings.")
    integrations: Mapping[str, IntegrationEntry]
    enabled_actions: tuple[str, ...] = Field(description="The names of the tools that this student gets from it now.")
    limits: Mapping[str, int]
    can_respond: bool = Field(description="False while the model refuses Homeroom's key, or this process ends.")
    config_version: str = Field(description="Changes when anything else here does; also the ETag.")


async def config(call: ApiCall) -> Reply:
    """With an ETag: 304 without a body while nothing has changed (RFC 9110, section 13.1.2)."""
    found = await call.run(call.services.configs.config, call.student, call.path("id"))
    tag = f'"{found.config_version}"'
    if matches_etag(call.request.headers, tag):
        return not_modified(tag)
    return Reply(body=_answer(found), headers=etag_headers(tag))


def _answer(found: AssistantConfig) -> AssistantAnswer:
    return AssistantAnswer(
        id=found.id,
        identity=found.identity,
        system_words=found.system_words,
        course_knowledge=tuple(
            KnowledgeEntry(kind=entry.kind, title=entry.title, url=entry.url, note=entry.note)
            for entry in found.course_knowledge
        ),
        integrations={
            id: IntegrationEntry(
                label=state.label,
                category=state.category,
                connected=state.is_connected,
                health=state.health,
                reason=state.reason,
            )
            for id, state in found.integrations.items()
        },
        enabled_actions=found.enabled_actions,
        limits=found.limits,
        can_respond=found.can_respond,
        config_version=found.config_version,
    )
