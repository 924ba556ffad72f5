"""Whether an account teaches: what is known of it for an hour, so that a student's questions cost no more requests."""

import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any
from weakref import WeakKeyDictionary

from services.connections.pace import Pace
from services.integrations.canvas.payloads import parts

KNOWN_S = 3600.0
_TEACHING = frozenset({"teacher", "ta"})


def roles_of(row: dict[str, Any]) -> tuple[str, ...]:
    """The roles that a course's row says its asker has: "student", "teacher", "ta", "designer", "observer".

    https://developerdocs.instructure.com/services/canvas/resources/courses: `enrollments` of the asker, by `type`.
    """
    return tuple(dict.fromkeys(str(enrollment.get("type", "")).lower() for enrollment in parts(row.get("enrollments"))))


def is_taught(roles: Iterable[str]) -> bool:
    """Whether somebody with these roles teaches there; who also takes the course counts as a student of it."""
    found = frozenset(roles)
    return bool(found & _TEACHING) and "student" not in found


@dataclass(frozen=True, kw_only=True)
class _Known:
    teaches: bool
    until: float


class Roles:
    """By account, which its `Pace` stands for; safe to use from many threads, as at worst Canvas is asked once more."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._known: WeakKeyDictionary[Pace, _Known] = WeakKeyDictionary()

    def teaches(self, account: Pace) -> bool | None:
        """None when that is not known any more."""
        known = self._known.get(account)
        return known.teaches if known is not None and known.until > self._clock() else None

    def note(self, account: Pace, rows: Sequence[dict[str, Any]]) -> None:
        """Take it from the list of the account's active courses."""
        teaches = any(is_taught(roles_of(row)) for row in rows)
        self._known[account] = _Known(teaches=teaches, until=self._clock() + KNOWN_S)
