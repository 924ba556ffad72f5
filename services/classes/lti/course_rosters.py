"""`CourseRosters`: a class brought up to date with the list of its course, after its instructor saw what changes."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from services.classes.class_repository import ClassRepository
from services.classes.lti.accounts import LtiAccounts
from services.classes.lti.course_bindings import CourseBindings, LtiCourse, course_role
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

    listed: people in the course. joining: those with an account here who are not in the class, or rise in it: the
    account, its role, and what gave it. inviting: addresses that
    may join at their next sign-in. waiting: people without an address here, who join when they open Homeroom from the
    course. leaving: members who came by the course and are in it no more. lowered: instructors by this course whom it
    lists as instructors no more. alone: those of them who stay so, as nobody else would teach the class.
    """

    listed: int
    joining: Sequence[tuple[str, ClassRole, str]] = field(repr=False)
    inviting: Sequence[str] = field(repr=False)
    waiting: int
    leaving: Sequence[Person] = field(repr=False)
    lowered: Sequence[Person] = field(default=(), repr=False)
    alone: Sequence[Person] = field(default=(), repr=False)

    @property
    def is_empty(self) -> bool:
        return not (self.joining or self.inviting or self.leaving or self.lowered)


class CourseRosters:
    """Nothing of a list is stored but what an instructor says yes to: memberships, and invitations by address."""

    def __init__(
        self,
        client: RosterClient,
        platforms: LtiPlatforms,
        courses: CourseBindings,
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
        # Before the list, which takes its time: a role that a launch gives meanwhile is newer than the list.
        in_class = {person.member.student_id: person for person in self._memberships.people(student, class_id)}
        people = self._client.people(platform, course.memberships_url)
        known = {person.subject: self._accounts.student_of(platform.issuer, person.subject) for person in people}
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
        joining = [
            (*pair, course_role(course.id, platform.issuer, person.subject) if person.is_teaching else "")
            for person in people
            if (pair := _joining(person, known[person.subject], members))
        ]
        ended = [
            person
            for id, person in in_class.items()
            if _teaches_no_more(person.member, course, [each for each in people if _is(known[each.subject], id)])
        ]
        # A list without anybody who teaches says nothing of who does.
        ended = ended if any(person.is_teaching for person in people) else []
        ended.sort(key=lambda person: person.member.student_id == student.id)
        has_others = len(ended) < sum(person.member.role is ClassRole.INSTRUCTOR for person in in_class.values())
        has_others |= any(role is ClassRole.INSTRUCTOR for _, role, _ in joining)
        going = ended if has_others else ended[:-1]
        gone += [each for each in going if each.member.joined_by == "lti" and each.member.student_id not in listed]
        return RosterChange(
            listed=len(people),
            joining=joining,
            inviting=sorted(addresses),
            waiting=sum(not person.email for person in strangers),
            leaving=gone,
            lowered=[person for person in going if person not in gone],
            alone=ended[len(going) :],
        )

    def apply(self, student: Student, class_id: str) -> RosterChange:
        """Read the list anew and do what it changes; again changes nothing more."""
        change = self.compare(student, class_id)
        for student_id, role, role_from in change.joining:
            self._memberships.admit(class_id, student_id, role, joined_by="lti", is_told=False, role_from=role_from)
        if change.inviting:
            self._roster.invite(student, class_id, "\n".join(change.inviting))
        for ended in (*change.lowered, *change.leaving):
            self._memberships.take_role_back(ended.member)
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


def _teaches_no_more(member: ClassMember, course: LtiCourse, listed: Sequence[ListedPerson]) -> bool:
    """Whether an instructor is one by this course, which lists none of their identities as such any more."""
    is_by_course = member.role is ClassRole.INSTRUCTOR and member.role_from.startswith(f"{course.id}.")
    return is_by_course and all(person.is_learning for person in listed)


def _is(account: Student | None, id: str) -> bool:
    return account is not None and account.id == id


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
