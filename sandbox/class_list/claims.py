"""`Claims`: which of a demo's visitors is which of its people; each student is given out once."""

import hashlib
import secrets
from collections.abc import Mapping
from datetime import datetime, timedelta

from starlette.requests import Request
from starlette.responses import Response

from sandbox.campus import Campus
from sandbox.class_list.personas import PRESENTER
from sandbox.people import Person
from sandbox.state import State

FACTS, CLAIMS = "class.facts", "class.claims"
VISITOR_COOKIE, PRESENTER_COOKIE = "campus_visitor", "campus_presenter"
SIGNED_IN_COOKIE = "campus_signed_in"
OFFER_LIFETIME = timedelta(minutes=3)
"""As long a student stays with the visitor to whom they were offered and who has not said yes yet."""
COOKIE_LIFETIME_S = 12 * 3600


class Claims:
    """Keeps who is who. On a campus without a class everybody may be anybody."""

    def __init__(self, campus: Campus) -> None:
        self._campus, self._state = campus, campus.state

    @property
    def is_class(self) -> bool:
        """Whether this campus plays a demo's class."""
        return bool(self._campus.personas)

    def people_for(self, request: Request) -> Mapping[str, Person]:
        """The people that a visitor may be at any service of the campus."""
        if not self.is_class:
            return self._campus.people
        found = PRESENTER if self.is_presenter(request) else self.claimed_by(self.visitor(request))
        return {found.id: found} if found else {}

    def signed_in_as(self, request: Request) -> Person | None:
        """The person of this browser's sign-in, when a service is told by `login_hint` that they are meant."""
        person = self.people_for(request).get(request.cookies.get(SIGNED_IN_COOKIE, ""))
        return person if person and request.query_params.get("login_hint") == person.email else None

    def is_presenter(self, request: Request) -> bool:
        """Whether the browser has opened the presenter's link."""
        return self.is_presenter_key(request.cookies.get(PRESENTER_COOKIE, ""))

    def is_presenter_key(self, key: str) -> bool:
        """Whether this is the key in the presenter's link."""
        facts = self._state.get(FACTS, "class")
        return bool(facts) and secrets.compare_digest(_hash(key), facts["presenter"])

    def visitor(self, request: Request) -> str:
        """What tells this browser from others; "" for one that comes for the first time."""
        return request.cookies.get(VISITOR_COOKIE, "")

    def claimed_by(self, visitor: str) -> Person | None:
        """The student whom a visitor has become."""
        for claim in self._state.all(CLAIMS, visitor=_hash(visitor)) if visitor else ():
            if claim["until"] is None:
                return self._campus.people[claim["person"]]
        return None

    def offer(self, visitor: str) -> Person | None:
        """A student for a visitor, kept for them for some minutes; None when none is left."""
        with self._state.transaction():
            for claim in self._state.all(CLAIMS, visitor=_hash(visitor)):
                if self._holds(claim):
                    self._put(visitor, claim["person"], self._campus.now() + OFFER_LIFETIME)
                    return self._campus.people[claim["person"]]
            free = self.free()
            if not free:
                return None
            self._put(visitor, free[0].id, self._campus.now() + OFFER_LIFETIME)
            return free[0]

    def free(self) -> list[Person]:
        """The students whom nobody is, and who are offered to nobody."""
        held = {claim["person"] for claim in self._state.all(CLAIMS) if self._holds(claim)}
        students = (persona.person for persona in self._campus.personas if persona.person != PRESENTER)
        return [person for person in students if person.id not in held]

    def claim(self, visitor: str, person_id: str) -> Person | None:
        """Make a visitor this student, unless somebody else is, and let go of others; None when it is too late."""
        with self._state.transaction():
            claim = self._state.get(CLAIMS, person_id)
            is_theirs = claim is not None and claim["visitor"] == _hash(visitor)
            if not is_theirs and person_id not in {person.id for person in self.free()}:
                return None
            for other in self._state.all(CLAIMS, visitor=_hash(visitor)):
                self._state.delete(CLAIMS, other["person"])
            self._put(visitor, person_id, None)
        return self._campus.people[person_id]

    def release(self, visitor: str) -> None:
        """Give the visitor's student back."""
        with self._state.transaction():
            for claim in self._state.all(CLAIMS, visitor=_hash(visitor)):
                self._state.delete(CLAIMS, claim["person"])

    def _put(self, visitor: str, person_id: str, until: datetime | None) -> None:
        ends = until.isoformat() if until else None
        self._state.put(CLAIMS, person_id, {"person": person_id, "visitor": _hash(visitor), "until": ends})

    def _holds(self, claim: Mapping[str, str | None]) -> bool:
        until = claim["until"]
        return until is None or self._campus.now() < datetime.fromisoformat(until)


def write_class(state: State, *, students: int, presenter_key: str) -> None:
    """Make a campus's state that of a class, before anything else is written into it."""
    state.put(FACTS, "class", {"students": students, "presenter": _hash(presenter_key)})


def size_of_class(state: State) -> int:
    """How many students the class has; 0 on a campus without one."""
    facts = state.get(FACTS, "class")
    return int(facts["students"]) if facts else 0


def new_visitor() -> str:
    """What will tell a browser from others."""
    return secrets.token_urlsafe(18)


def remember(response: Response, cookie: str, value: str) -> Response:
    """Let the browser keep a cookie for the campus alone; plain HTTP is all that a room has."""
    response.set_cookie(cookie, value, max_age=COOKIE_LIFETIME_S, path="/sandbox", httponly=True, samesite="lax")
    return response


def _hash(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()
