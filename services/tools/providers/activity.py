"""`AuditToolsProvider`: every call that reaches an outside service is noted in the student's own activity."""

import logging
import secrets
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Any, Protocol

from services.errors import HomeroomError, OutcomeUnknown, StorageError
from services.i18n import gettext, gettext_noop
from services.runtime.clock import Clock, moment, stamp
from services.storage.documents import Document
from services.storage.store import Store
from services.tools.context import ToolExecutionContext
from services.tools.providers.provider import ToolsProvider, find_tool
from services.tools.result import ToolResult
from services.tools.tool import Effect, Tool

log = logging.getLogger(__name__)

OURS = "Homeroom"
DONE, DID_NOT_WORK = gettext_noop("done"), gettext_noop("did not work")


class Record(Protocol):
    """What this wrapper needs of `services.tools.providers.activity`."""

    def record(
        self,
        student_id: str,
        *,
        services: Sequence[str],
        tool: str,
        effect: str,
        sentence: str,
        kind: ActivityKind = ActivityKind.CALL,
        approval_id: str | None = None,
    ) -> None: ...


class AuditToolsProvider:
    def __init__(
        self,
        wrapped: ToolsProvider,
        activity: Record,
        labels: Mapping[str, str],
        *,
        kind: ActivityKind = ActivityKind.CALL,
    ) -> None:
        """labels: each integration's name for a person, by id. kind: what its calls are for."""
        self._wrapped = wrapped
        self._activity = activity
        self._labels = labels
        self._kind = kind

    def tools(self) -> Sequence[Tool]:
        return self._wrapped.tools()

    def execute(self, name: str, arguments: Mapping[str, Any], context: ToolExecutionContext) -> ToolResult:
        try:
            result = self._wrapped.execute(name, arguments, context)
        except OutcomeUnknown:
            self._note(name, context, gettext_noop("unclear whether it happened"))
            raise
        except HomeroomError:
            self._note(name, context, DID_NOT_WORK)
            raise
        self._note(name, context, DONE if result.success else DID_NOT_WORK)
        return result

    def _note(self, name: str, context: ToolExecutionContext, sentence: str) -> None:
        tool = find_tool(self._wrapped, name)
        services = self._services(tool, context) if tool else []
        if tool is None or not (services or tool.effect.needs_approval):
            return
        try:
            self._activity.record(
                context.student.id,
                services=services or [OURS],
                tool=tool.title if tool.effect.needs_approval else tool.label,
                effect=tool.effect.value,
                sentence=sentence,
                kind=self._kind,
                approval_id=context.operation_id,
            )
        except StorageError:
            # The call has happened: a note that cannot be kept must not make it look as if it had not.
            log.warning("activity_not_recorded tool=%s", name)

    def _services(self, tool: Tool, context: ToolExecutionContext) -> list[str]:
        """The outside services of a call, for a person: its own ones, or those that a tool of a category used."""
        own = [name for name in (tool.server, tool.service) if name]
        ids = [tool.integration] if tool.integration else context.used
        return [*own, *(self._labels.get(id, id) for id in ids)]


@contextmanager
def noting_preview(tool: Tool, context: ToolExecutionContext) -> Iterator[None]:
    """Around what makes the card of a change: the accounts that are read for it are noted like those of any call."""
    sentence = DID_NOT_WORK
    try:
        yield
        sentence = DONE
    finally:
        if context.used:
            _note_preview(tool, context, sentence)


def _note_preview(tool: Tool, context: ToolExecutionContext, sentence: str) -> None:
    integrations = context.container.integrations
    services = [integrations[id].label if id in integrations else id for id in context.used]
    try:
        context.container.activity.record(
            context.student.id,
            services=services,
            tool=tool.title,
            effect=Effect.READ.value,
            sentence=sentence,
            kind=ActivityKind.PREVIEW,
        )
    except StorageError:
        log.warning("activity_not_recorded tool=%s", tool.name)


CHANGES = ("write", "outbound")
"""The effects of what changed something, or sent it out."""


_UNDO, _AND = "Undo: ", " and "
"""How entries of old began, and joined the services that they name; they have no `kind`."""


class ActivityKind(StrEnum):
    CALL = "call"
    PREVIEW = "preview"
    """What was read for the card of a change, before the student decides on it."""
    UNDO = "undo"


@dataclass(frozen=True, kw_only=True)
class ActivityEntry:
    """services, tool: labels for a person. effect: read, write or outbound. sentence: how it ended."""

    at: datetime
    services: tuple[str, ...]
    tool: str
    effect: str
    sentence: str
    kind: ActivityKind = ActivityKind.CALL
    approval_id: str | None = None

    @property
    def is_change(self) -> bool:
        return self.effect in CHANGES

    @property
    def is_undo(self) -> bool:
        return self.kind is ActivityKind.UNDO

    @property
    def title(self) -> str:
        """The tool, in the language of whoever reads the list."""
        if self.kind is ActivityKind.UNDO:
            return gettext("Undo: {title}", title=gettext(self.tool))
        if self.kind is ActivityKind.PREVIEW:
            return gettext("Getting ready: {title}", title=gettext(self.tool))
        return gettext(self.tool)


class ActivityLog:
    def __init__(self, store: Store, clock: Clock) -> None:
        self._store = store
        self._clock = clock

    def record(
        self,
        student_id: str,
        *,
        services: Sequence[str],
        tool: str,
        effect: str,
        sentence: str,
        kind: ActivityKind = ActivityKind.CALL,
        approval_id: str | None = None,
    ) -> None:
        """Note one call. services, tool, sentence: English labels for a person, said in their language when shown."""
        self._store.of(student_id).insert(
            "activity",
            {
                "id": secrets.token_hex(12),
                "at": stamp(self._clock()),
                "services": list(services),
                "tool": tool,
                "effect": effect,
                "sentence": sentence,
                "kind": kind.value,
                "approval_id": approval_id,
            },
        )

    def list(
        self, student_id: str, limit: int, *, service: str | None = None, only_changes: bool = False
    ) -> Sequence[ActivityEntry]:
        """The latest entries, newest first: of one service, or only of what was changed, when asked."""
        where: dict[str, Any] = {"services": service} if service else {}
        if only_changes:
            where["effect"] = {"$in": list(CHANGES)}
        found = self._store.of(student_id).find("activity", where, order=[("at", -1)], limit=limit)
        return [_entry(document) for document in found]


def _entry(document: Document) -> ActivityEntry:
    tool, services = document["tool"], document.get("services") or document["service"].split(_AND)
    kind = ActivityKind(document.get("kind") or (ActivityKind.UNDO if tool.startswith(_UNDO) else ActivityKind.CALL))
    return ActivityEntry(
        at=moment(document["at"]),
        services=tuple(services),
        tool=tool if "kind" in document else tool.removeprefix(_UNDO),
        effect=document["effect"],
        sentence=document["sentence"],
        kind=kind,
        approval_id=document["approval_id"],
    )
