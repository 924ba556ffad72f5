"""The whole demo campus as one Starlette app, to be mounted at /sandbox."""

import logging
import zlib
from collections.abc import Callable
from datetime import date, datetime, timedelta
from pathlib import Path
from typing import Protocol

from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.routing import BaseRoute, Mount

from sandbox import canvas, github, google, ics, lti, mail, model, notion, oidc, push, web
from sandbox.campus import TIMEZONE, Campus
from sandbox.canvas.documents.source import all_sources
from sandbox.canvas.files import host
from sandbox.class_list.claims import FACTS, size_of_class
from sandbox.class_list.personas import personas, presenter
from sandbox.control import Control
from sandbox.faults import FaultMiddleware, Faults
from sandbox.grants import Grants
from sandbox.log import LogMiddleware, RequestLog
from sandbox.mail.mailbox import Mailbox
from sandbox.mail.smtp_server import serve_mail
from sandbox.people import PEOPLE
from sandbox.refusals import Refused, answer_refusal
from sandbox.state import State

# What a reset keeps: making a signing key is slow, and counters must never run backwards.
KEPT_BY_RESET = ("oidc.key", "lti.keys", "sandbox.counters", "sandbox.clock", FACTS)
SEED_LIFETIME = timedelta(days=14)
"""By then most of what was to come is over: weeks would look empty, and everything late."""
SEED_VERSION = 3
"""Raised where a new release brings data that an older file lacks; other documents of courses count by themselves."""
log = logging.getLogger(__name__)


class Service(Protocol):
    """What each service package offers; one with grants of its own making also offers `revoke_tokens`."""

    def routes(self, campus: Campus) -> list[BaseRoute]:
        """Its routes, relative to its base; it answers unknown paths below the base itself."""
        ...

    def seed(self, campus: Campus) -> None:
        """Write its first data into the empty state."""
        ...


SERVICES: dict[str, Service] = {
    "oidc": oidc,
    "canvas": canvas,
    "files": host,
    "lti": lti,
    "google": google,
    "notion": notion,
    "github": github,
    "web": web,
    "ics": ics,
    "mail": mail,
    "push": push,
    "anthropic": model,
}
CONNECTED = (
    *(f"{name}.{kind}" for name in SERVICES for kind in ("codes", "grants", "tokens")),
    "lti.tools",
    "lti.links",
)


def campus_app(*, origin: str, database: Path, today: date | None = None, mail_port: int | None = None) -> Starlette:
    """The campus for a public `origin` such as "http://localhost:8501"; its data, log and failures live in `database`.

    The data is seeded once for each file, around the day of seeding, and anew when the file is opened after two weeks;
    `today` makes the campus live on another day. mail_port: of its SMTP server; without one it takes no e-mail.
    """
    state = State(database)
    shift = _lasting_shift(state, today)
    campus = campus_of(state, origin, shift)
    seeding = Seeding(campus)
    seeding.opened()
    if mail_port is not None:
        serve_mail(Mailbox(state), mail_port)
    requests, faults = RequestLog(state), Faults(state)
    revokers = {name: _revoker(name, service) for name, service in SERVICES.items()}
    control = Control(campus, log=requests, faults=faults, reseed=seeding.anew, revokers=revokers)
    mounts = [Mount(f"/{name}", routes=service.routes(campus)) for name, service in SERVICES.items()]
    return Starlette(
        routes=[*control.routes(), *mounts],
        middleware=[Middleware(LogMiddleware, log=requests), Middleware(FaultMiddleware, faults=faults)],
        exception_handlers={Refused: answer_refusal},
    )


def campus_of(state: State, origin: str, shift: timedelta = timedelta(0)) -> Campus:
    """What the services of a campus are given; its people are more where it plays a demo's class."""
    size = size_of_class(state)
    made = (presenter(), *personas(size)) if size else ()
    people = PEOPLE | {each.person.id: each.person for each in made}
    address = f"{origin.rstrip('/')}/sandbox"
    return Campus(origin=address, state=state, people=people, shift=shift, personas=made)


class Seeding:
    """Puts the first data into the state: for a new file, for one of older days or releases, and at every reset."""

    def __init__(self, campus: Campus) -> None:
        self._campus = campus
        self._remembered_day: str | None = None

    def opened(self) -> None:
        """Seed a file that was never seeded, or too long ago, or by an older release; accounts stay connected."""
        seeded = self._campus.state.get("sandbox.seed", "day")
        if seeded is None:
            self.anew()
        elif self._is_stale(seeded):
            log.info("The campus's data were old: they begin anew, around today.")
            self._write(keep=(*KEPT_BY_RESET, *CONNECTED))

    def anew(self) -> None:
        """Replace everything by first data around today; on the same day by a copy, which is faster."""
        today = self._campus.today.isoformat()
        if self._remembered_day == today:
            self._campus.state.restore(keep=KEPT_BY_RESET)
            return
        self._write(keep=KEPT_BY_RESET)
        self._campus.state.remember()
        self._remembered_day = today

    def _is_stale(self, seeded: str) -> bool:
        is_over = self._campus.today - date.fromisoformat(seeded) > SEED_LIFETIME
        return is_over or self._campus.state.get("sandbox.seed", "version") != _version()

    def _write(self, *, keep: tuple[str, ...]) -> None:
        with self._campus.state.transaction():
            self._campus.state.erase(keep=keep)
            for service in SERVICES.values():
                service.seed(self._campus)
            self._campus.state.put("sandbox.seed", "day", self._campus.today.isoformat())
            self._campus.state.put("sandbox.seed", "version", _version())


def _version() -> str:
    keys = " ".join(source.key for source in all_sources())
    return f"{SEED_VERSION}/{zlib.crc32(keys.encode())}"


def _lasting_shift(state: State, today: date | None) -> timedelta:
    # A file that began on a chosen day goes on from there when it is opened again without one.
    if today is not None:
        state.put("sandbox.clock", "shift_days", (today - datetime.now(TIMEZONE).date()).days)
    return timedelta(days=state.get("sandbox.clock", "shift_days") or 0)


def _revoker(name: str, service: Service) -> Callable[[Campus, str], object]:
    own: Callable[[Campus, str], object] | None = getattr(service, "revoke_tokens", None)
    return own or (lambda campus, person: Grants(campus, name).revoke_person(person))
