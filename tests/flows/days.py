"""Days on which Today and the week are looked at: the app with its clock, and its campus's, set to one of them."""

import json
import sqlite3
from contextlib import closing
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

from bench.load.app_server import AppServer
from sandbox.campus import TIMEZONE

DATES = {
    "canvas.assignments": "due_at",
    "canvas.topics": "posted_at",
    "canvas.entries": "created_at",
    "canvas.events": "end_at",
    "canvas.reviews": "due_at",
}
"""Where the campus's Canvas keeps when something was or will be."""


@dataclass(frozen=True, kw_only=True)
class Day:
    """weekday: Monday is 0. hour: of the campus's clocks. timezone: of the device. term: "" amid it; it "begins"
    or "ends" with this day.
    """

    name: str
    weekday: int
    hour: int
    timezone: str = TIMEZONE.key
    term: str = ""

    def ahead(self, now: datetime) -> timedelta:
        """From now to the next such hour."""
        here = now.astimezone(TIMEZONE)
        then = here.replace(hour=self.hour, minute=10, second=0, microsecond=0)
        then += timedelta(days=(self.weekday - here.weekday()) % 7)
        return (then if then > here else then + timedelta(days=7)) - here


DAYS = (
    Day(name="monday-morning", weekday=0, hour=7),
    Day(name="friday-afternoon", weekday=4, hour=15),
    Day(name="sunday", weekday=6, hour=10),
    Day(name="first-day-of-term", weekday=1, hour=8, term="begins"),
    Day(name="last-day-of-term", weekday=4, hour=10, term="ends"),
    Day(name="in-tokyo", weekday=2, hour=9, timezone="Asia/Tokyo"),
)


class DayApp(AppServer):
    """The app on that day. ahead: how far its clock is."""

    def __init__(self, day: Day, data_dir: Path) -> None:
        self.day, self.ahead = day, day.ahead(datetime.now(UTC))
        self._data_dir = data_dir
        super().__init__(data_dir, program=("-m", "tests.flows.shifted_app", str(self.ahead.total_seconds())))

    def now(self) -> datetime:
        return datetime.now(UTC) + self.ahead

    def start(self) -> "DayApp":
        super().start()
        if self.day.term:
            with closing(sqlite3.connect(self._data_dir / "campus.sqlite", timeout=30)) as campus, campus:
                _change_term(campus, self.day.term, self.now())
        return self


def _change_term(campus: sqlite3.Connection, term: str, now: datetime) -> None:
    """Let the campus's term begin or end today: nothing was due, posted or held before, or nothing comes after."""
    is_new = term == "begins"
    today = now.astimezone(TIMEZONE).replace(hour=0, minute=0, second=0, microsecond=0)
    midnight = (today if is_new else today + timedelta(days=1)).astimezone(UTC).isoformat()[:19]
    sign = "<" if is_new else ">="
    for kind, field in DATES.items():
        path = f"json_extract(value, '$.{field}') {sign} ?"
        campus.execute(f"DELETE FROM facts WHERE kind = ? AND {path}", [kind, midnight])
    if is_new:
        campus.execute("DELETE FROM facts WHERE kind = 'canvas.submissions'")
    for row, value in campus.execute("SELECT position, value FROM facts WHERE kind = 'google.events'").fetchall():
        held = json.loads(value)
        if _is_over(held["event"], today, is_new=is_new):
            campus.execute("DELETE FROM facts WHERE position = ?", [row])


def _is_over(event: dict, today: datetime, *, is_new: bool) -> bool:
    """Whether an event is of a time without classes; of an old term whole series are, as they go on for weeks."""
    start = event["start"].get("date") or event["start"]["dateTime"]
    if event.get("recurrence"):
        return not is_new
    day = today.date().isoformat()
    return start[:10] < day if is_new else start[:10] > day
