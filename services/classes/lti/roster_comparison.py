"""`RosterComparison`: the list of a course beside the class that belongs to it, for the questions of an update."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from services.classes.lti.course_bindings import LtiCourse
from services.classes.lti.course_entry import course_role
from services.classes.lti.roster_client import ListedPerson
from services.classes.memberships import Person
from services.classes.school_class import ClassRole
from services.i18n import gettext
from services.identity.roles import address_key
from services.identity.students import Student


@dataclass(frozen=True, kw_only=True)
class RisingPerson:
    """Somebody whom the list calls a teacher of the course, and who does not teach the class. name: the course's."""

    student_id: str
    name: str = field(repr=False)
    role_from: str


@dataclass(frozen=True, kw_only=True)
class RosterComparison:
    """issuer: of the school's system. people: in the course. accounts: theirs here, by subject. in_class: members, by
    student; as they were before the list was asked for: a role that a launch gives meanwhile is newer than the list.
    """

    course: LtiCourse
    issuer: str
    people: Sequence[ListedPerson] = field(repr=False)
    accounts: Mapping[str, Student | None] = field(repr=False)
    in_class: Mapping[str, Person] = field(repr=False)

    def role_from(self, person: ListedPerson) -> str:
        return course_role(self.course.id, self.issuer, person.subject)

    @property
    def teachers(self) -> Sequence[str]:
        """Roles of those whom the list calls teachers."""
        return [self.role_from(person) for person in self.people if person.is_teaching]

    @property
    def strangers(self) -> Sequence[ListedPerson]:
        """Those without an account here who may join."""
        return [person for person in self.people if person.is_joining and self.accounts[person.subject] is None]

    @property
    def addresses(self) -> set[str]:
        return {address_key(person.email) for person in self.strangers if person.email}

    def is_instructor(self, student_id: str) -> bool:
        person = self.in_class.get(student_id)
        return person is not None and person.member.role is ClassRole.INSTRUCTOR

    def is_contradicting(self, student_id: str) -> bool:
        """Whether an instructor is one by this course alone, and its list says that they do not teach it: by another
        role, or because they are not in it. A list without anybody who teaches says nothing by silence.
        """
        person, listed = self.in_class.get(student_id), self._identities(student_id)
        if person is None or not self.is_instructor(student_id):
            return False
        is_by_course = person.member.role_from.startswith(f"{self.course.id}.")
        is_said = bool(listed) or any(other.is_teaching for other in self.people)
        return is_by_course and is_said and all(entry.teaches_no_more for entry in listed)

    def calls_learner(self, student_id: str) -> bool:
        """Whether the list says of each identity of a student that they do not teach the course."""
        listed = self._identities(student_id)
        return bool(listed) and all(person.teaches_no_more for person in listed)

    def joining(self) -> Sequence[str]:
        """Accounts of those who are not in the class and may join it, each once."""
        found = (self._account(person) for person in self.people if person.is_joining)
        return list(dict.fromkeys(id for id in found if id and id not in self.in_class))

    def rising(self) -> Sequence[RisingPerson]:
        """Those with an account who teach the course and not the class, each once."""
        teaching = {id: person for person in self.people if person.is_teaching and (id := self._account(person))}
        return [
            RisingPerson(student_id=id, name=self._name(id, person), role_from=self.role_from(person))
            for id, person in teaching.items()
            if not self.is_instructor(id)
        ]

    def gone(self) -> Sequence[Person]:
        """Members who came by the course and are in it no more; who asks to teach the class is told so by a person. A
        list without anybody is a mistake somewhere, and never empties a class.
        """
        return [
            person
            for id, person in self.in_class.items()
            if self.people
            and person.member.joined_by == "lti"
            and person.member.role is ClassRole.MEMBER
            and not person.member.asks_from
            and not self._identities(id)
        ]

    def ended(self) -> Sequence[Person]:
        """Instructors by this course whom its list calls teachers no more. A list without anybody who teaches says
        nothing of who does.
        """
        if not self.teachers:
            return []
        return [person for id, person in self.in_class.items() if self.is_contradicting(id)]

    def is_listed(self, student_id: str) -> bool:
        return bool(self._identities(student_id))

    def _identities(self, student_id: str) -> Sequence[ListedPerson]:
        return [person for person in self.people if self._account(person) == student_id]

    def _account(self, person: ListedPerson) -> str:
        account = self.accounts[person.subject]
        return account.id if account is not None else ""

    def _name(self, student_id: str, person: ListedPerson) -> str:
        """Name of somebody as the course has it: what their account is called may be unknown to it."""
        member = self.in_class.get(student_id)
        names = (person.name, person.email, member.name if member is not None else "")
        return next(filter(None, names), "") or gettext("Somebody whom the course does not name")
