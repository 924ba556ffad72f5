"""`ActivityLog`: audit log of what was read and written for a student, without any content; they can read it."""

import secrets
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from itertools import chain
from typing import Any

from services.i18n import gettext
from services.runtime.clock import Clock, moment, stamp
from services.storage.documents import Document
from services.storage.records import read_all, record_reader
from services.storage.store import Store

CHANGES = ("write", "outbound")
"""The effects of what changed something, or sent it out."""
_BETWEEN = "|"
"""Stands between the services of an entry in its `service_key`, by which those of a service are found."""
_UNDO, _AND = "Undo: ", " and "
"""How entries of old began, and joined the services that they name; they have no `kind`."""


class ActivityKind(StrEnum):
    CALL = "call"
    PREVIEW = "preview"
    """What was read for the card of a change, before the student decides on it."""
    UNDO = "undo"


@dataclass(frozen=True, kw_only=True)
class ActivityEntry:
    """Log entry. services, tool: labels for a person. effect: as `Effect`. sentence: how it ended."""

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
    """Append-only list of entries for each student."""

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
        """Append one call. services, tool, sentence: English labels for a person, said in their language when shown."""
        self._store.for_student(student_id).insert(
            "activity",
            {
                "id": secrets.token_hex(12),
                "at": stamp(self._clock()),
                "services": list(services),
                "service_key": _BETWEEN.join(services),
                "tool": tool,
                "effect": effect,
                "sentence": sentence,
                "kind": kind.value,
                "approval_id": approval_id,
            },
        )

    def latest_entries(
        self, student_id: str, limit: int, *, service: str | None = None, only_changes: bool = False
    ) -> Sequence[ActivityEntry]:
        """The latest entries, newest first: of one service, or only of what was changed, when asked."""
        wheres = [
            {**of_service, **of_effect}
            for of_service in (self._of_service(student_id, service) if service else [{}])
            for of_effect in ([{"effect": effect} for effect in CHANGES] if only_changes else [{}])
        ]
        mine = self._store.for_student(student_id)
        # Each is read from an index in its order, so that a rare service costs no more than a common one.
        found = chain.from_iterable(mine.find("activity", where, order=[("at", -1)], limit=limit) for where in wheres)
        return read_all(_entry, sorted(found, key=_at, reverse=True)[:limit])

    def _of_service(self, student_id: str, service: str) -> list[dict[str, Any]]:
        """What finds the entries of a service: alone or with others, and those without `service_key`."""
        mine, keys = self._store.for_student(student_id), [""]
        while rows := mine.find("activity", {"service_key": {"$gt": keys[-1]}}, order=[("service_key", 1)], limit=1):
            keys.append(rows[0]["service_key"])
        return [
            *({"service_key": key} for key in keys if service in key.split(_BETWEEN)),
            {"service_key": None, "services": service},
        ]


def _at(document: Document) -> str:
    return str(document.get("at"))


@record_reader("activity")
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
