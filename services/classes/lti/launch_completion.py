"""`LaunchCompletion`: the last step of a launch: one click opens the app in a tab of its own, in the right class."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from services.classes.lti.accounts import LaunchedSession, LtiAccounts
from services.classes.lti.course_bindings import CourseBindings
from services.classes.lti.course_entry import CourseEntry, CourseEntryKind, RoleChange
from services.classes.lti.launch import Launch
from services.classes.lti.launch_targets import class_page, page_of
from services.classes.lti.launch_tickets import LaunchTickets, TicketKind
from services.classes.lti.refusals import LaunchRefused
from services.classes.school_class import ClassRole, SchoolClass
from services.identity.students import Student
from services.navigation import CHAT_PAGE, CLASSROOM_PAGE

MINE, NEW, SIGN_IN = "mine", "new", "sign_in"
"""Answers to the question which account somebody has."""
GUEST, TEACHER = "guest", "teacher"
"""Answers to the question what an administrator of the school's system is in a course."""


@dataclass(frozen=True, kw_only=True)
class HandOver:
    """Ticket to the app. is_joining: whether opening it lets them into a class, of which they read first. is_guest: as
    no student of it. role_change: what opening it does to the role of somebody who taught the class.
    """

    token: str = field(repr=False)
    school_class: SchoolClass | None
    is_joining: bool
    is_teaching: bool
    is_guest: bool = False
    role_change: RoleChange = RoleChange.NONE


@dataclass(frozen=True, kw_only=True)
class AccountQuestion:
    """Question which account somebody new has. signed_in: who is signed in in this browser, None for nobody."""

    token: str = field(repr=False)
    name: str = field(repr=False)
    signed_in: Student | None


@dataclass(frozen=True, kw_only=True)
class ClassQuestion:
    """Question which class a course is, for an instructor who is signed in by now."""

    token: str = field(repr=False)
    session: LaunchedSession
    course: str
    offered: Sequence[SchoolClass]


@dataclass(frozen=True, kw_only=True)
class RoleQuestion:
    """Question whether somebody who looks after the school's system teaches a course, or looks in as a guest."""

    token: str = field(repr=False)
    session: LaunchedSession
    course: str


@dataclass(frozen=True, kw_only=True)
class OpenedLaunch:
    """Launch that has arrived. page: of ours, with its parameters. course: its title, for words. teachers: who is asked
    whether this person teaches the class, where the launch was such a request.
    """

    session: LaunchedSession
    entry: CourseEntry
    page: str
    course: str
    teachers: Sequence[Student] = ()


Step = AccountQuestion | ClassQuestion | RoleQuestion | OpenedLaunch


@dataclass(frozen=True, kw_only=True)
class LaunchVisitor:
    """Browser that opens a launch. signed_in: whose session it has already."""

    signed_in: Student | None
    locale: str
    browser: str


class LaunchCompletion:
    def __init__(self, tickets: LaunchTickets, accounts: LtiAccounts, courses: CourseBindings) -> None:
        self._tickets, self._accounts, self._courses = tickets, accounts, courses

    def hand_over(self, launch: Launch) -> HandOver:
        """A ticket for a verified launch."""
        known = self._accounts.student_of(launch.issuer, launch.subject)
        is_in = known is not None and self._courses.is_in_class(launch, known)
        return HandOver(
            token=self._tickets.issue(TicketKind.HANDOVER, launch),
            school_class=self._courses.class_of(launch),
            is_joining=bool(launch.context_id) and not is_in,
            is_teaching=launch.is_teaching,
            is_guest=launch.is_guest or (launch.is_administrator and not launch.is_learning),
            role_change=self._courses.role_change(launch, known) if known is not None else RoleChange.NONE,
        )

    def open(self, token: str, visitor: LaunchVisitor) -> Step:
        """Use a ticket: sign its person in, or ask which account is theirs. Raises `LaunchRefused`."""
        launch = self._tickets.use(TicketKind.HANDOVER, token).launch
        if self._accounts.student_of(launch.issuer, launch.subject) is not None:
            return self._arrive(launch, visitor)
        if visitor.signed_in is None and not self._accounts.may_have_another(launch):
            return self._arrive(launch, visitor)
        return self._question(launch, visitor)

    def ask_again(self, token: str, visitor: LaunchVisitor) -> AccountQuestion:
        """The same question for somebody who has signed in meanwhile; raises `LaunchRefused`."""
        return self._question(self._tickets.use(TicketKind.CHOICE, token).launch, visitor)

    def choose_account(self, token: str, answer: str, visitor: LaunchVisitor) -> Step:
        """Go on with the account that they chose; raises `LaunchRefused`.

        "mine" counts only in the session for which it was asked: another one is asked anew.
        """
        ticket = self._tickets.use(TicketKind.CHOICE, token)
        if answer == MINE:
            if visitor.signed_in is None or ticket.more["student_id"] != visitor.signed_in.id:
                return self._question(ticket.launch, visitor)
            self._accounts.link(ticket.launch, visitor.signed_in)
        elif answer != NEW:
            raise LaunchRefused("request_malformed")
        return self._arrive(ticket.launch, visitor)

    def choose_class(self, token: str, class_id: str, visitor: LaunchVisitor) -> OpenedLaunch:
        """Bind the course to a class of this instructor's, or to a new one for ""; raises `LaunchRefused`."""
        ticket = self._tickets.use(TicketKind.CLASS, token)
        student = visitor.signed_in
        if student is None or student.id != ticket.more["student_id"]:
            raise LaunchRefused("handover_unknown")
        entry = self._courses.decide(ticket.launch, student, class_id)
        return self._opened(ticket.launch, LaunchedSession(student=student, claims={}), entry)

    def choose_role(self, token: str, answer: str, visitor: LaunchVisitor) -> OpenedLaunch:
        """Let an administrator of the school's system look in, or ask to teach the course; raises `LaunchRefused`."""
        ticket = self._tickets.use(TicketKind.ROLE, token)
        student = visitor.signed_in
        if student is None or student.id != ticket.more["student_id"]:
            raise LaunchRefused("handover_unknown")
        if answer not in (GUEST, TEACHER):
            raise LaunchRefused("request_malformed")
        entry = self._courses.answer_administrator(ticket.launch, student, is_teaching=answer == TEACHER)
        return self._opened(ticket.launch, LaunchedSession(student=student, claims={}), entry)

    def _question(self, launch: Launch, visitor: LaunchVisitor) -> AccountQuestion:
        asked = visitor.signed_in
        token = self._tickets.issue(TicketKind.CHOICE, launch, student_id=asked.id if asked else "")
        return AccountQuestion(token=token, name=launch.name, signed_in=asked)

    def _arrive(self, launch: Launch, visitor: LaunchVisitor) -> Step:
        session = self._session(launch, visitor)
        entry = self._courses.enter(launch, session.student)
        if entry.kind is CourseEntryKind.UNDECIDED:
            token = self._tickets.issue(TicketKind.CLASS, launch, student_id=session.student.id)
            return ClassQuestion(token=token, session=session, course=launch.context_title, offered=entry.offered)
        if entry.kind is CourseEntryKind.ADMINISTRATOR:
            token = self._tickets.issue(TicketKind.ROLE, launch, student_id=session.student.id)
            return RoleQuestion(token=token, session=session, course=launch.context_title)
        return self._opened(launch, session, entry)

    def _opened(self, launch: Launch, session: LaunchedSession, entry: CourseEntry) -> OpenedLaunch:
        asked = entry.school_class if entry.is_request else None
        return OpenedLaunch(
            session=session,
            entry=entry,
            page=_landing(launch, entry),
            course=launch.context_title,
            teachers=self._courses.teachers_of(asked) if asked else (),
        )

    def _session(self, launch: Launch, visitor: LaunchVisitor) -> LaunchedSession:
        """The session that this browser has already when it is theirs, else a new one."""
        known = self._accounts.student_of(launch.issuer, launch.subject)
        if known is not None and visitor.signed_in is not None and known.id == visitor.signed_in.id:
            return LaunchedSession(student=known, claims={})
        return self._accounts.begin_session(launch, locale=visitor.locale, browser=visitor.browser)


def _landing(launch: Launch, entry: CourseEntry) -> str:
    wanted = page_of(launch.target)
    if wanted:
        return wanted
    if entry.school_class is not None and entry.kind is CourseEntryKind.IN_CLASS:
        return class_page(entry.school_class.id)
    return CHAT_PAGE.path if entry.role is ClassRole.MEMBER else CLASSROOM_PAGE.path
