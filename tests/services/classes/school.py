"""A school of a few people over one store: what the tests of classes start from."""

from services.classes.class_repository import ClassRepository
from services.classes.classes import Classes
from services.classes.memberships import Memberships
from services.classes.roster import Roster
from services.classes.school_class import SchoolClass
from services.identity.roles import Roles
from services.identity.students import Student, Students
from services.runtime.clock import Clock
from services.runtime.rate_limiter import RateLimiter
from services.storage.documents import Documents
from services.storage.store import Store

ANNE = "anne.okafor@campus.example"


class School:
    """One replica; `School(engine, clock)` once more is another one over the same store."""

    def __init__(self, engine: Documents, clock: Clock) -> None:
        self.store, self.clock = Store(engine), clock
        self.students = Students(self.store, clock)
        self.roles = Roles(instructors=[ANNE.upper(), "ben@campus.example"], operators=["otto@campus.example"])
        self.repository = ClassRepository(self.store, clock)
        self.classes = Classes(self.repository, self.students, self.roles)
        limiter = RateLimiter(self.store.shared, clock)
        self.memberships = Memberships(self.repository, self.classes, self.students, limiter)
        self.roster = Roster(self.store, self.repository, self.classes, self.memberships)

    def sign_in(self, name: str, *, email: str | None = None, is_email_verified: bool = True) -> Student:
        return self.students.sign_in(
            issuer="https://id.example",
            subject=name,
            name=name.capitalize(),
            email=f"{name}@campus.example" if email is None else email,
            is_email_verified=is_email_verified,
        )

    @property
    def anne(self) -> Student:
        return self.sign_in("anne", email=ANNE)

    def make_class(self, name: str = "Biology 201") -> SchoolClass:
        """A class of Anne's."""
        return self.classes.create(self.anne, name=name)

    def names_in(self, school_class: SchoolClass) -> list[str]:
        return [person.name for person in self.memberships.people(self.anne, school_class.id)]
