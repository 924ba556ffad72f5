"""`CourseRosters`: a class brought up to date with the list of its course, after its instructor saw what changes."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field

from services.classes.class_repository import ClassRepository
from services.classes.classes import Classes
from services.classes.lti.accounts import LtiAccounts
from services.classes.lti.course_bindings import CourseBindings, LtiCourse
from services.classes.lti.platform import LtiPlatform
from services.classes.lti.platforms import LtiPlatforms
from services.classes.lti.roster_client import RosterClient
from services.classes.lti.roster_comparison import RisingPerson, RosterComparison
from services.classes.memberships import Memberships, Person
from services.classes.roster import Roster
from services.classes.school_class import ClassRole
from services.errors import ItemNotFound
from services.i18n import gettext
from services.identity.students import Student


@dataclass(frozen=True, kw_only=True)
class RosterChange:
    """What a list changes in a class.

    listed: people in the course. joining: accounts of those who are not in the class. rising: those with an account who
    teach the course, and not the class yet: a person says which of them do. inviting: addresses that may join at their
    next sign-in. withdrawing: addresses that an earlier list of this course invited, and that it names no more.
    waiting: people without an address here, who join when they open Homeroom from the course. leaving: members who came
    by the course and are in it no more. lowered: instructors by this course whom it lists as instructors no more.
    is_withheld: the list says that whoever asks does not teach the course: nothing else is told.
    """

    listed: int = 0
    joining: Sequence[str] = field(default=(), repr=False)
    rising: Sequence[RisingPerson] = field(default=(), repr=False)
    inviting: Sequence[str] = field(default=(), repr=False)
    withdrawing: Sequence[str] = field(default=(), repr=False)
    waiting: int = 0
    leaving: Sequence[Person] = field(default=(), repr=False)
    lowered: Sequence[Person] = field(default=(), repr=False)
    is_withheld: bool = False

    @property
    def is_empty(self) -> bool:
        return not (self.joining or self.rising or self.inviting or self.withdrawing or self.leaving or self.lowered)


class CourseRosters:
    """Nothing of a list is stored but what an instructor says yes to: memberships, and invitations by address; and who
    of it teaches the course, without names.

    An instructor whom the list of their own course does not call a teacher learns nothing of it. Where that holds for
    everybody who teaches the class, it stays as it is until a teacher of the course has come.
    """

    def __init__(
        self,
        client: RosterClient,
        platforms: LtiPlatforms,
        courses: CourseBindings,
        accounts: LtiAccounts,
        repository: ClassRepository,
        classes: Classes,
        memberships: Memberships,
        roster: Roster,
    ) -> None:
        self._client, self._platforms, self._courses, self._accounts = client, platforms, courses, accounts
        self._repository, self._classes, self._memberships, self._roster = repository, classes, memberships, roster

    def compare(self, student: Student, class_id: str) -> RosterChange:
        """What the course's list would change, for an instructor of the class. Raises `ServiceError`."""
        platform, course = self._course(student, class_id)
        in_class = {person.member.student_id: person for person in self._memberships.people(student, class_id)}
        people = self._client.people(platform, course.memberships_url)
        accounts = {person.subject: self._accounts.student_of(platform.issuer, person.subject) for person in people}
        listing = RosterComparison(
            course=course, issuer=platform.issuer, people=people, accounts=accounts, in_class=in_class
        )
        self._settle(class_id, listing)
        if listing.is_contradicting(student.id):
            return RosterChange(is_withheld=True)
        ended, gone = listing.ended(), list(listing.gone())
        gone += [
            person
            for person in ended
            if person.member.joined_by == "lti" and not listing.is_listed(person.member.student_id)
        ]
        invited = {person.email: person.from_course for person in self._roster.invited(student, class_id)}
        by_this_list = {email for email, from_course in invited.items() if people and from_course == course.id}
        return RosterChange(
            listed=len(people),
            joining=listing.joining(),
            rising=listing.rising(),
            inviting=sorted(listing.addresses - invited.keys()),
            withdrawing=sorted(by_this_list - listing.addresses),
            waiting=sum(not person.email for person in listing.strangers),
            leaving=gone,
            lowered=[person for person in ended if person not in gone],
        )

    def apply(self, student: Student, class_id: str, *, confirmed: Collection[str] = ()) -> RosterChange:
        """Read the list anew and do what it changes; again changes nothing more. confirmed: those of the ones who rise,
        by student, of whom the instructor says yes; the others stay what they are.
        """
        change = self.compare(student, class_id)
        if change.is_withheld:
            return change
        for student_id in change.joining:
            self._memberships.admit(class_id, student_id, ClassRole.MEMBER, joined_by="lti", is_told=False)
        for rising in change.rising:
            if rising.student_id in confirmed:
                self._raise(class_id, rising)
        course = self._courses.of_class(student, class_id)
        from_course = course.id if course else ""
        if change.inviting:
            self._roster.invite(student, class_id, "\n".join(change.inviting), from_course=from_course)
        for email in change.withdrawing:
            self._roster.withdraw(student, class_id, email, from_course=from_course)
        for ended in (*change.lowered, *change.leaving):
            self._memberships.take_role_back(ended.member, is_listed_learner=True)
        for gone in change.leaving:
            self._repository.dismiss(class_id, gone.member.student_id, role=ClassRole.MEMBER.value, joined_by="lti")
        if course:
            self._courses.note_sync(course)
        return change

    def _settle(self, class_id: str, listing: RosterComparison) -> None:
        """Freeze a class, or let it go on, as the list says of those who teach it or have asked to."""
        self._courses.note_teachers(listing.course, listing.teachers)
        for id, person in listing.in_class.items():
            member, is_learner = person.member, listing.calls_learner(id)
            is_open = member.role is ClassRole.MEMBER and (member.asks_from or member.role_was)
            if (is_open or member.is_listed_learner) and member.is_listed_learner is not is_learner:
                self._repository.change_member(class_id, id, {}, is_listed_learner=is_learner)
        instructors = [id for id in listing.in_class if listing.is_instructor(id)]
        is_frozen = all(listing.is_contradicting(id) for id in instructors)
        if is_frozen:
            asking = [each for each in listing.rising() if self._has_asked(listing, each)]
            for each in asking:
                self._raise(class_id, each)
            is_frozen = not asking
        self._classes.freeze(class_id, is_frozen=is_frozen)

    def _has_asked(self, listing: RosterComparison, rising: RisingPerson) -> bool:
        person = listing.in_class.get(rising.student_id)
        return person is not None and person.member.asks_from == rising.role_from

    def _raise(self, class_id: str, rising: RisingPerson) -> None:
        self._memberships.admit(
            class_id,
            rising.student_id,
            ClassRole.INSTRUCTOR,
            joined_by="lti",
            is_told=False,
            role_from=rising.role_from,
        )

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
