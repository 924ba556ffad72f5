"""`CourseRosters`: a class brought up to date with the list of its course, after its instructor saw what changes."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from services.classes.class_repository import ClassRepository
from services.classes.lti.accounts import LtiAccounts
from services.classes.lti.courses import Courses, LtiCourse
from services.classes.lti.platform import LtiPlatform
from services.classes.lti.platforms import LtiPlatforms
from services.classes.lti.roster_client import ListedPerson, RosterClient
from services.classes.memberships import Memberships, Person
from services.classes.roster import Roster
from services.classes.school_class import ClassMember, ClassRole
from services.errors import ItemNotFound
from services.i18n import gettext
from services.identity.roles import address_key
from services.identity.students import Student


@dataclass(frozen=True, kw_only=True)
class RosterChange:
    """What a list changes in a class.

    listed: people in the course. joining: those with an account here who are not in the class. inviting: addresses that
    may join at their next sign-in. waiting: people without an address here, who join when they open Homeroom from the
    course. leaving: members who came by the course and are in it no more.
    """

    listed: int
    joining: Sequence[tuple[str, ClassRole]] = field(repr=False)
    inviting: Sequence[str] = field(repr=False)
    waiting: int
    leaving: Sequence[Person] = field(repr=False)

    @property
    def is_empty(self) -> bool:
        return not self.joining and not self.inviting and not self.leaving


class CourseRosters:
    """Nothing of a list is stored but what an instructor says yes to: memberships, and invitations by address."""

    def __init__(
        self,
        client: RosterClient,
        platforms: LtiPlatforms,
        courses: Courses,
        accounts: LtiAccounts,
        repository: ClassRepository,
        memberships: Memberships,
        roster: Roster,
    ) -> None:
        self._client, self._platforms, self._courses, self._accounts = client, platforms, courses, accounts
        self._repository, self._memberships, self._roster = repository, memberships, roster

    def compare(self, student: Student, class_id: str) -> RosterChange:
        """What the course's list would change, for an instructor of the class. Raises `ServiceError`."""
        platform, course = self._course(student, class_id)
        people = self._client.people(platform, course.memberships_url)
        known = {person.subject: self._accounts.student_of(platform.issuer, person.subject) for person in people}
        in_class = {person.member.student_id: person for person in self._memberships.people(student, class_id)}
        members = {id: person.member for id, person in in_class.items()}
        listed = {found.id for found in known.values() if found is not None}
        invited = {person.email for person in self._roster.invited(student, class_id)}
        strangers = [person for person in people if known[person.subject] is None]
        addresses = {address_key(person.email) for person in strangers if person.email} - invited
        # A list without anybody is a mistake somewhere, and never empties a class.
        gone = [
            person
            for id, person in in_class.items()
            if people
            and person.member.joined_by == "lti"
            and person.member.role is ClassRole.MEMBER
            and id not in listed
        ]
        return RosterChange(
            listed=len(people),
            joining=[pair for person in people if (pair := _joining(person, known[person.subject], members))],
            inviting=sorted(addresses),
            waiting=sum(not person.email for person in strangers),
            leaving=gone,
        )

    def apply(self, student: Student, class_id: str) -> RosterChange:
        """Read the list anew and do what it changes; again changes nothing more."""
        change = self.compare(student, class_id)
        for student_id, role in change.joining:
            self._memberships.admit(class_id, student_id, role, joined_by="lti", is_told=False)
        if change.inviting:
            self._roster.invite(student, class_id, "\n".join(change.inviting))
        for gone in change.leaving:
            self._repository.dismiss(class_id, gone.member.student_id, role=ClassRole.MEMBER.value, joined_by="lti")
        if course := self._courses.of_class(student, class_id):
            self._courses.note_sync(course)
        return change

    def _course(self, student: Student, class_id: str) -> tuple[LtiPlatform, LtiCourse]:
        course = self._courses.of_class(student, class_id)
        platform = self._platforms.get(course.platform_id) if course else None
        if course is None or platform is None or not course.memberships_url:
            raise ItemNotFound(
                "Homeroom",
                gettext("The school's system gives no list of this class."),
                next_step=gettext("Open Homeroom from the course once, then look again."),
            )
        return platform, course


def _joining(
    person: ListedPerson, account: Student | None, members: Mapping[str, ClassMember]
) -> tuple[str, ClassRole] | None:
    """Account and role of somebody who is not in the class, or rises in it; None for everybody else."""
    if account is None:
        return None
    role = ClassRole.INSTRUCTOR if person.is_teaching else ClassRole.MEMBER
    member = members.get(account.id)
    rises = member is not None and member.role is ClassRole.MEMBER and person.is_teaching
    return (account.id, role) if member is None or rises else None
