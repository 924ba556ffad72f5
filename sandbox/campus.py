"""What every service of the campus is given: the address, the memory, the clock and the people."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from zoneinfo import ZoneInfo

from starlette.requests import Request

from sandbox.class_list.personas import Persona
from sandbox.people import Person
from sandbox.state import State

TIMEZONE = ZoneInfo("America/Chicago")
CLIENT_ID = "homeroom"
CLIENT_SECRET = "homeroom-demo-secret"


@dataclass(frozen=True, kw_only=True)
class Campus:
    """One running campus. `origin` has no trailing slash and ends with /sandbox, e.g. "http://localhost:8501/sandbox".

    `shift` moves the campus's clock by whole days when it was started for another day than today. personas: of the
    people, those that were made for a demo's class; whoever presents it is the first.
    """

    origin: str
    state: State
    people: Mapping[str, Person]
    shift: timedelta = timedelta(0)
    personas: tuple[Persona, ...] = ()

    def now(self) -> datetime:
        """The campus's time, aware, UTC. Its wall clock is today's, also where summer time lies between the days."""
        if not self.shift:
            return datetime.now(UTC)
        return (datetime.now(TIMEZONE) + self.shift).astimezone(UTC)

    @property
    def today(self) -> date:
        """The campus's day in America/Chicago; seeds count their dates from it."""
        return self.now().astimezone(TIMEZONE).date()

    def local(self, days: int, hour: int = 0, minute: int = 0) -> datetime:
        """The wall-clock time in America/Chicago on the day `days` after today, aware."""
        day = self.today + timedelta(days=days)
        return datetime(day.year, day.month, day.day, hour, minute, tzinfo=TIMEZONE)


def acting_as(request: Request, person_id: str, *, write: bool | None = None) -> None:
    """Tell the log whose request this is and, where its own rule would be wrong, whether it changes the person's data.

    The rule: a POST, PUT, PATCH or DELETE answered below 400 is a write, except sign-in, tokens and searches.
    """
    request.state.person = person_id
    if write is not None:
        request.state.write = write
