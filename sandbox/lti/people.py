"""Who is signed in to a school's system in this browser, and how it names people and courses to tools."""

import hashlib
import uuid
from collections.abc import Mapping
from functools import partial
from urllib.parse import urlsplit

from starlette.requests import Request
from starlette.responses import Response

from sandbox.campus import Campus
from sandbox.canvas.school import Row, School
from sandbox.class_list.claims import Claims
from sandbox.lti.flavour import MOODLE, Flavour, lms_base
from sandbox.lti.staff import STAFF
from sandbox.people import Person

COOKIE, FIRST_PARTY_COOKIE = "campus_lms", "campus_lms_lax"
_LOOPBACK = ("localhost", "127.0.0.1", "::1")


class LmsPeople:
    """Members of courses, and the session of whoever looks at them."""

    def __init__(self, campus: Campus) -> None:
        self._campus, self.school, self._claims = campus, School(campus=campus), Claims(campus)

    def choices(self, request: Request) -> Mapping[str, Person]:
        """The people that this browser may sign in as."""
        people = self._claims.people_for(request)
        staff = {} if self._claims.is_class else {id: member.person for id, member in STAFF.items()}
        return {**people, **staff}

    def signed_in(self, request: Request) -> Person | None:
        """Whoever is signed in."""
        cookies = request.cookies
        return self.choices(request).get(cookies.get(COOKIE) or cookies.get(FIRST_PARTY_COOKIE, ""))

    def sign_in(self, response: Response, person: Person) -> Response:
        """Sign somebody in, for pages inside of others too, where the address allows that: as Canvas and Moodle do.

        Safari keeps no `Secure` cookie without https, on this machine neither: hence a second one, for tabs alone.
        """
        kept = partial(response.set_cookie, value=person.id, path="/sandbox/lti", httponly=True)
        parts = urlsplit(lms_base(self._campus))
        if parts.scheme == "https" or parts.hostname in _LOOPBACK:
            kept(COOKIE, secure=True, samesite="none")
        if parts.scheme == "http":
            kept(FIRST_PARTY_COOKIE, samesite="lax")
        return response

    def course(self, number: int | str) -> Row | None:
        """A course that is open."""
        course = self.school.course(number)
        return course if course and not course["is_concluded"] else None

    def courses_of(self, person: Person) -> list[Row]:
        """The courses of somebody, by name."""
        if person.id in STAFF:
            found = [course for course in self.school.courses() if not course["is_concluded"]]
            return sorted(found, key=lambda course: str(course["name"]))
        if not (users := self._campus.state.all("canvas.users", person=person.id)):
            return []
        found = [course for course, _ in self.school.courses_of(users[0]["id"]) if not course["is_concluded"]]
        return sorted(found, key=lambda course: str(course["name"]))

    def role_in(self, person: Person, course: Row) -> str | None:
        """The kind of enrollment, "" for an administrator; None for somebody who is not in the course."""
        if person.id in STAFF:
            return STAFF[person.id].kind
        users = self._campus.state.all("canvas.users", person=person.id)
        enrollment = self.school.enrollment(course["id"], users[0]["id"]) if users else None
        return str(enrollment["type"]) if enrollment else None

    def members(self, course: Row) -> list[tuple[Row, str, Person | None]]:
        """Everybody in a course: Canvas's user, the kind of enrollment, and the person of the campus behind it."""
        found = []
        for enrollment in self.school.enrollments(course_id=course["id"], enrollment_state="active"):
            if user := self.school.user(enrollment["user_id"]):
                found.append((user, str(enrollment["type"]), self._campus.people.get(user["person"] or "")))
        if not self._claims.is_class:
            found += [(member.user, member.kind, member.person) for member in STAFF.values() if member.kind]
        return found

    def user_of(self, person: Person) -> Row:
        """The user of a person."""
        if person.id in STAFF:
            return STAFF[person.id].user
        return self.school.user_of(person.id)


def subject(flavour: Flavour, school: str, user: Row) -> str:
    """A person's id for tools: a UUID in Canvas, the user's number in Moodle; another one at every school."""
    if flavour is MOODLE:
        return str(user["id"])
    return str(uuid.uuid5(uuid.NAMESPACE_URL, f"{school}/users/{user['id']}"))


def context_id(flavour: Flavour, school: str, course: Row) -> str:
    """A course's id for tools: a hash in Canvas, its number in Moodle."""
    if flavour is MOODLE:
        return str(course["id"])
    return hashlib.sha1(f"{school}/{course['id']}".encode(), usedforsecurity=False).hexdigest()
