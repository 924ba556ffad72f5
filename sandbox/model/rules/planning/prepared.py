"""What comes before a goal's own call."""

from collections.abc import Sequence
from dataclasses import dataclass

from sandbox.model.reply import Call
from sandbox.model.rules.dialogue.conversation import Step


@dataclass(frozen=True, kw_only=True)
class Preparation:
    """calls: to make first. failed: a look-up that did. says: a question to the student. used: look-ups made."""

    calls: Sequence[Call] = ()
    failed: Step | None = None
    says: str = ""
    used: frozenset[str] = frozenset()
