"""Goals: a tool to be called for one clause, its arguments so far, and what must come before its own call."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from sandbox.model.reply import Call
from sandbox.model.rules.search.fallback_search import FallbackSearch
from sandbox.model.rules.tools.profile import Profile
from sandbox.model.rules.tools.schema import Param, Role
from sandbox.model.rules.understanding.conversation import Step
from sandbox.model.rules.understanding.intent import Intent
from sandbox.model.rules.understanding.memory import Entity


@dataclass(kw_only=True)
class Goal:
    """One thing to be done: a tool, what it is asked with, and which existing thing it is about, if that is known.
    missing: required parameters that only the student can tell. answered: the student's answer to our question.
    fallback: the places to look through instead of one call."""

    profile: Profile
    intent: Intent
    arguments: dict[str, Any]
    missing: list[Param] = field(default_factory=list)
    entity: Entity | None = None
    answered: str = ""
    fallback: FallbackSearch | None = None

    def give(self, role: Role, value: Any) -> None:
        """Fill the missing parameter of this role."""
        given = next(param for param in self.missing if param.role is role)
        self.arguments[given.name] = value
        self.missing = [param for param in self.missing if param is not given]


@dataclass(frozen=True, kw_only=True)
class Preparation:
    """Preparation of a goal's own call. failed: a look-up that did. says: a question. used: look-ups made."""

    calls: Sequence[Call] = ()
    failed: Step | None = None
    says: str = ""
    used: frozenset[str] = frozenset()
