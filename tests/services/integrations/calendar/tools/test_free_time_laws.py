"""Free time over any calendars, days and zones: what takes time is never free, what takes none never blocks."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from types import SimpleNamespace
from typing import Any
from zoneinfo import ZoneInfo

from hypothesis import given, settings
from hypothesis import strategies as st

from services.connections.connector import Grant
from services.integrations.calendar.event import Event
from services.integrations.calendar.provider import READ, Calendar, FoundEvents
from tests.calendar_calls import Calendars
from tests.tool_calls import MAYA

ZONES = ("America/Chicago", "Europe/Madrid", "Australia/Lord_Howe", "Pacific/Apia", "UTC")
# A week on whose Sunday clocks change in one of the zones, and any other.
WEEKS = (
    datetime(2026, 10, 29, 9, 7, tzinfo=UTC),
    datetime(2027, 3, 11, 23, 50, tzinfo=UTC),
    datetime(2026, 11, 23, tzinfo=UTC),
)
OWN, OFFERS = "memory/own", "memory/offers"


@dataclass(frozen=True, kw_only=True)
class MemoryCalendars:
    """Calendar provider over given events: two calendars, of which the student writes to one."""

    held: Sequence[Event]
    mark: str = "memory"
    label: str = "Memory"

    def started(self) -> "MemoryCalendars":
        return self

    def calendars(self) -> Sequence[Calendar]:
        return (
            Calendar(id=OWN, name="Own", provider=self.label, is_main=True, can_write=True),
            Calendar(id=OFFERS, name="Offers", provider=self.label),
        )

    def events(self, start: datetime, end: datetime, zone: ZoneInfo, *, calendar: str = "") -> FoundEvents:
        touching = (event for event in self.held if event.start < end and start < event.end)
        shown = tuple(replace(e, start=e.start.astimezone(zone), end=e.end.astimezone(zone)) for e in touching)
        return FoundEvents(events=shown, calendars=tuple(self.calendars()))


def _event(number: int, start: datetime, minutes: int, calendar: str, is_busy: bool) -> Event:
    return Event(
        id=f"memory/{number}",
        provider="Memory",
        calendar="",
        calendar_id=calendar,
        title=f"Event {number}",
        start=start,
        end=start + timedelta(minutes=minutes),
        zone=ZoneInfo("UTC"),
        is_busy=is_busy,
    )


plans = st.lists(
    # Minutes from now, a length up to two days, whose calendar, and whether it is marked as busy.
    st.tuples(st.integers(-2000, 9000), st.integers(1, 2880), st.sampled_from([OWN, OFFERS]), st.booleans()),
    max_size=14,
)


@settings(max_examples=60, deadline=None)
@given(
    plan=plans,
    now=st.sampled_from(WEEKS),
    zone=st.sampled_from(ZONES),
    choices=st.dictionaries(st.sampled_from([OWN, OFFERS]), st.booleans()),
    minutes=st.sampled_from([15, 60, 180]),
    buffer=st.sampled_from([0, 10]),
)
def test_free_time_is_all_that_nothing_takes_and_is_never_past(
    plan: list[tuple[int, int, str, bool]],
    now: datetime,
    zone: str,
    choices: dict[str, bool],
    minutes: int,
    buffer: int,
) -> None:
    held = [_event(n, now + timedelta(minutes=at), length, *more) for n, (at, length, *more) in enumerate(plan)]
    counts = {OWN: True, OFFERS: False} | choices
    taken = [
        (event.start - timedelta(minutes=buffer), event.end + timedelta(minutes=buffer))
        for event in held
        if event.is_busy and counts[event.calendar_id]
    ]
    calls, local = _calls(held, now, zone), ZoneInfo(zone)

    found = calls.run(
        "calendar_find_free_time", {"minutes": minutes, "buffer_minutes": buffer}, **_chosen(calls, choices)
    )

    free = [(datetime.fromisoformat(gap["start"]), datetime.fromisoformat(gap["end"])) for gap in found.data["free"]]
    for start, end in free:
        assert start >= now
        assert end - start >= timedelta(minutes=minutes)
        assert start.astimezone(local).hour >= 8
        assert end.astimezone(local).date() == start.astimezone(local).date()
        assert not any(start < until and begins < end for begins, until in taken)
    # Each quarter of an hour with enough room around it that nothing takes stands in some gap.
    for step in range(0, 6 * 96, 7):
        at = now + timedelta(minutes=15 * step)
        clock, last = at.astimezone(local), at + timedelta(minutes=2 * minutes)
        is_day = clock.hour >= 9 and last.astimezone(local) < clock.replace(hour=21, minute=30)
        if (
            is_day
            and step > 2
            and not any(at - timedelta(minutes=15) < until and begins < last for begins, until in taken)
        ):
            assert any(start <= at < end for start, end in free), at
    named = [name for id, name in ((OWN, "Own"), (OFFERS, "Offers")) if not counts[id]]
    assert found.data["optional_calendars"] == named


def _calls(held: Sequence[Event], now: datetime, zone: str) -> Calendars:
    memory: Any = SimpleNamespace(
        id="memory", label="Memory", capabilities=frozenset({READ}), client=lambda grant: MemoryCalendars(held=held)
    )
    return Calendars(
        integrations={"memory": memory},
        grants={"memory": Grant(origin="memory", access_token="x")},
        student=replace(MAYA, timezone=zone),
        clock=lambda: now,
    )


def _chosen(calls: Calendars, choices: dict[str, bool]) -> dict[str, Any]:
    connection = calls.context().connections["memory"]
    return {"connections": {"memory": replace(connection, blocking=choices)}}
