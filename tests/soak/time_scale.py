"""Time scale: how much faster than in life leases, deadlines and waits run, so that minutes of a service fit a test.

A delay of a service that is scaled alike meets them as it would in life.
"""

from dataclasses import fields
from typing import Any

from services.approvals import approvals, execution
from services.integrations import google_calendar, notion
from services.integrations.kit import writes
from services.runtime import deadline
from services.storage import leases
from services.turns import executor

SCALED = (
    (approvals, "LONG"),
    (execution, "KEEP_TRYING"),
    (writes, "LONGEST_CALL_S"),
    (writes, "IN_FLIGHT_S"),
    (deadline, "FIRST_PAUSE_S"),
    (deadline, "LEAST_TRY_S"),
    (executor, "BEAT_S"),
    (leases, "LEASE_S"),
)


def speed_up(times: float) -> None:
    """Scale this process, before anything is built."""
    for module, name in SCALED:
        setattr(module, name, getattr(module, name) / times)
    for integration in (google_calendar.integration, notion.integration):
        (limits,) = integration.__defaults__ or ()
        integration.__defaults__ = (_scaled(limits, times),)


def _scaled(limits: Any, times: float) -> Any:
    return type(limits)(**{field.name: getattr(limits, field.name) / times for field in fields(limits)})
