"""`Activity`: what was read and written for a student, in their own list, without any content."""

import secrets
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from services.clock import Clock, moment, stamp
from services.language import say
from services.storage.store import Store

CHANGES = ("write", "outbound")
"""The effects of what changed something, or sent it out."""
UNDO = "Undo: "
"""How the title of a tool begins that took something back."""
AND = " and "
"""Between the names of services that one call has used."""


@dataclass(frozen=True, kw_only=True)
class ActivityEntry:
    """service, tool: labels for a person. effect: read, write or outbound. sentence: how it ended."""

    at: datetime
    service: str
    tool: str
    effect: str
    sentence: str
    approval_id: str | None = None

    @property
    def services(self) -> Sequence[str]:
        return self.service.split(AND)

    @property
    def is_change(self) -> bool:
        return self.effect in CHANGES

    @property
    def is_undo(self) -> bool:
        return self.tool.startswith(UNDO)

    @property
    def title(self) -> str:
        """The tool, in the language of whoever reads the list."""
        if self.is_undo:
            return say("Undo: {title}", title=say(self.tool.removeprefix(UNDO)))
        return say(self.tool)


class Activity:
    def __init__(self, store: Store, clock: Clock) -> None:
        self._store = store
        self._clock = clock

    def record(
        self,
        student_id: str,
        *,
        service: str,
        tool: str,
        effect: str,
        sentence: str,
        approval_id: str | None = None,
    ) -> None:
        self._store.of(student_id).insert(
            "activity",
            {
                "id": secrets.token_hex(12),
                "at": stamp(self._clock()),
                "service": service,
                "services": service.split(AND),
                "tool": tool,
                "effect": effect,
                "sentence": sentence,
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
        return [
            ActivityEntry(
                at=moment(entry["at"]),
                service=entry["service"],
                tool=entry["tool"],
                effect=entry["effect"],
                sentence=entry["sentence"],
                approval_id=entry["approval_id"],
            )
            for entry in found
        ]
