"""`CourseAdmission`: what a launch makes of somebody in the class of its course."""

from collections.abc import Collection

from services.classes.class_repository import ClassRepository
from services.classes.classes import Classes
from services.classes.lti.course_entry import CourseEntry, CourseEntryKind, RoleChange, course_id, launched_role
from services.classes.lti.launch import Launch
from services.classes.memberships import Memberships
from services.classes.school_class import ClassMember, ClassRole, SchoolClass
from services.identity.students import Student


class CourseAdmission:
    """A launch lets in students and guests at once. Whom it calls an instructor asks those who teach the class, unless
    the class wants no questions, or the course's list or an earlier yes speaks for them.
    """

    def __init__(self, repository: ClassRepository, classes: Classes, memberships: Memberships) -> None:
        self._repository, self._classes, self._memberships = repository, classes, memberships

    def admit(
        self,
        school_class: SchoolClass,
        launch: Launch,
        student: Student,
        *,
        listed: Collection[str] = (),
        asks: bool = False,
    ) -> CourseEntry:
        """Let somebody in, as what the launch says. listed: roles of those whom the course's list calls teachers, as it
        was read last. asks: an administrator says that they teach the course.
        """
        if school_class.archived_at is not None and self._classes.role_in(student.id, school_class.id) is None:
            return CourseEntry(kind=CourseEntryKind.OVER, school_class=school_class)
        self._end_role(school_class, launch, student)
        if self._may_teach(school_class, launch, student, listed):
            entry = self._admit_instructor(school_class, launch, student, listed)
        else:
            entry = self._admit_member(school_class, launch, student, asks=asks)
        self._use_up_invitations(school_class, launch, student)
        return entry

    def role_change(self, school_class: SchoolClass, launch: Launch, student: Student) -> RoleChange:
        """What a launch does to the role of somebody whom an earlier one has made an instructor."""
        if self._losing_role(school_class.id, launch, student) is None:
            return RoleChange.NONE
        if any(id != student.id for id in self._repository.instructor_marks(school_class.id)):
            return RoleChange.TAKEN_BACK if launch.is_learning else RoleChange.LOOKS_ON
        return RoleChange.KEPT_ALONE

    def changes_nothing(self, school_class: SchoolClass, launch: Launch, student: Student) -> bool:
        """Whether a launch changes nothing about who is in the class, and as what."""
        member = self._repository.member(school_class.id, student.id)
        if member is None or member.role is ClassRole.INSTRUCTOR:
            return member is not None
        is_settled = launch.is_administrator or member.asks_from or member.declined_from == launched_role(launch)
        return bool(is_settled) if launch.is_teaching else not (member.is_guest and launch.is_learning)

    def _admit_instructor(
        self, school_class: SchoolClass, launch: Launch, student: Student, listed: Collection[str]
    ) -> CourseEntry:
        role_from = launched_role(launch)
        self._memberships.admit(school_class.id, student.id, ClassRole.INSTRUCTOR, joined_by="lti", role_from=role_from)
        if role_from in listed:
            self._classes.freeze(school_class.id, is_frozen=False)
        return CourseEntry(kind=CourseEntryKind.IN_CLASS, school_class=school_class, role=ClassRole.INSTRUCTOR)

    def _admit_member(self, school_class: SchoolClass, launch: Launch, student: Student, *, asks: bool) -> CourseEntry:
        is_guest = launch.is_guest or launch.is_teaching or (launch.is_administrator and not launch.is_learning)
        wants_role = asks or (launch.is_teaching and not launch.is_administrator)
        asks_from = launched_role(launch) if wants_role else ""
        is_new = self._repository.role_in(student.id, school_class.id) is None
        # With the membership: whoever is in the class already is not asked a second time what they are in it.
        self._memberships.admit(
            school_class.id, student.id, ClassRole.MEMBER, joined_by="lti", is_guest=is_guest, asks_from=asks_from
        )
        is_request = wants_role and (self._memberships.request_role(school_class.id, student.id, asks_from) or is_new)
        member = self._repository.member(school_class.id, student.id)
        return CourseEntry(
            kind=CourseEntryKind.IN_CLASS,
            school_class=school_class,
            role=member.role if member else ClassRole.MEMBER,
            is_guest=member is not None and member.is_guest,
            is_request=is_request,
        )

    def _use_up_invitations(self, school_class: SchoolClass, launch: Launch, student: Student) -> None:
        """Delete what invited somebody who is in the class now. The school's system vouches for no address: by its word
        only that goes which its own list had brought.
        """
        self._repository.use_up_invitation(school_class.id, launch.email, from_course=course_id(launch))
        if student.is_email_verified:
            self._repository.use_up_invitation(school_class.id, student.email)

    def _may_teach(self, school_class: SchoolClass, launch: Launch, student: Student, listed: Collection[str]) -> bool:
        """Whether a launch makes somebody an instructor of the class without a question, or finds them one."""
        if not launch.is_teaching:
            return False
        member = self._repository.member(school_class.id, student.id)
        if member is not None and member.role is ClassRole.INSTRUCTOR:
            return True
        role_from = launched_role(launch)
        if school_class.frozen_at is not None:
            return role_from in listed
        if member is not None and (member.is_listed_learner or member.declined_from == role_from):
            return False
        is_back = member is not None and member.role_was == role_from
        return is_back or not (school_class.confirms_instructors or launch.is_administrator)

    def _end_role(self, school_class: SchoolClass, launch: Launch, student: Student) -> None:
        member = self._losing_role(school_class.id, launch, student)
        if member is not None:
            # Moodle's "Switch role to… Student" looks like this: the next launch as a teacher gives the role back.
            self._memberships.take_role_back(member, role_was=member.role_from, is_guest=not launch.is_learning)

    def _losing_role(self, class_id: str, launch: Launch, student: Student) -> ClassMember | None:
        """The membership of an instructor who is one by this course and this identity, and is none there any more."""
        if not (launch.is_learning or launch.is_looking_on):
            return None
        member = self._repository.member(class_id, student.id)
        return member if member is not None and member.role_from == launched_role(launch) else None
