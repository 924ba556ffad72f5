"""`GET /api/assistants/{id}/config`: what this student gets from an assistant."""

from api.endpoint import ApiCall, Reply, etag_headers, matches_etag
from api.handlers.models import AssistantAnswer, IntegrationEntry, KnowledgeEntry
from services.agent.configuration import AssistantConfig


async def config(call: ApiCall) -> Reply:
    """With an ETag: 304 without a body while nothing has changed (RFC 9110, section 13.1.2)."""
    found = await call.run(call.services.configs.config, call.student, call.path("id"))
    tag = f'"{found.config_version}"'
    if matches_etag(call.request.headers, tag):
        return Reply(status=304, body=None, headers=etag_headers(tag))
    return Reply(body=_answer(found), headers=etag_headers(tag))


def _answer(found: AssistantConfig) -> AssistantAnswer:
    return AssistantAnswer(
        id=found.id,
        identity=found.identity,
        system_words=found.system_words,
        course_knowledge=tuple(
            KnowledgeEntry(kind=one.kind, title=one.title, url=one.url, note=one.note) for one in found.course_knowledge
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
