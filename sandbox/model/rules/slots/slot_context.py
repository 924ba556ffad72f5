"""Context of slot filling: what is known while one call's arguments are filled, and what comes out."""

import re
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from sandbox.model.rules.language.text import fold
from sandbox.model.rules.tools.profile import Profile
from sandbox.model.rules.tools.schema import Action, Param, Role
from sandbox.model.rules.understanding.intent import Intent
from sandbox.model.rules.understanding.memory import Entity

ALL_DAY = re.compile(r"\ball[- ]day\b|\bwhole day\b|\bentire day\b|\btodo el dia\b")


@dataclass(frozen=True, kw_only=True)
class SlotContext:
    """Context that the conversation adds to the clause.
    entity: what is to be changed. answer: the model's last one. course: the last one that was asked about.
    moment: start and end of a gap that the clause chose from a list. work: the item a grade was last worked out for."""

    now: datetime
    entity: Entity | None = None
    answer: str = ""
    course: str | None = None
    moment: tuple[datetime, datetime | None] | None = None
    work: str = ""


@dataclass(kw_only=True)
class Filled:
    """Arguments so far and the required parameters that the student must still tell."""

    arguments: dict[str, Any] = field(default_factory=dict)
    missing: list[Param] = field(default_factory=list)


@dataclass(frozen=True, kw_only=True)
class CallDraft:
    """One tool to be called for one clause."""

    profile: Profile
    intent: Intent
    context: SlotContext

    @property
    def is_write(self) -> bool:
        """Whether the call changes something."""
        return self.profile.action.is_write

    @property
    def is_change(self) -> bool:
        """Whether it changes a thing that exists."""
        return self.profile.action is Action.CHANGE

    @property
    def is_all_day(self) -> bool:
        """Whether the clause asks for a whole day."""
        return bool(ALL_DAY.search(fold(self.intent.text)))

    def has(self, role: Role) -> bool:
        """Whether the tool takes a parameter of this role."""
        return self.profile.param(role) is not None
