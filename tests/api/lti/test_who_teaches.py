"""Who teaches a class by its course: launch and list are one truth, and nobody rises without a yes (T44)."""

from collections.abc import Mapping, Sequence
from typing import Any

import pytest

from services.classes.lti import claim_names as names
from services.classes.school_class import ClassMember, ClassRole
from services.errors import BadArguments, ItemNotFound
from services.identity.students import Student
from tests.api.lti.lti_room import Browser, LtiRoom, refusal_of
from tests.api.lti.platform_server import INSTRUCTOR, LEARNER

COURSE = "http://purl.imsglobal.org/vocab/lis/v2/membership"
ASSISTANT = [f"{COURSE}/Instructor#TeachingAssistant", INSTRUCTOR]
OBSERVER, DESIGNER = [f"{COURSE}#Mentor"], [f"{COURSE}#ContentDeveloper"]
ADMINISTRATOR = [INSTRUCTOR, "http://purl.imsglobal.org/vocab/lis/v2/system/person#Administrator"]
TESS, UMA = "tess", "uma"


class Course:
    """A course of a school's system, which people open; the first instructor makes its class."""

    def __init__(self, lti: LtiRoom) -> None:
        self.lti, self.rosters, self.courses = lti, lti.lti.rosters, lti.lti.courses
        self.classes, self.memberships = lti.services.classroom.classes, lti.services.classroom.memberships

    def opens(self, subject: str, roles: Sequence[str] = (LEARNER,), **claims: Any) -> Student:
        """Somebody opens the course with these roles; their account. They answer nothing."""
        browser = Browser(self.lti)
        page = browser.launch(**self.claims(subject, roles), **claims)
        assert refusal_of(page) == ""
        self.page = browser.open(page).text
        assert browser.student
        return browser.student

    def answers(self, subject: str, roles: Sequence[str], role: str) -> Student:
        """An administrator opens the course, and says what they are in it."""
        browser = Browser(self.lti)
        question = browser.open(browser.launch(**self.claims(subject, roles)))
        self.page = browser.open(question, step="role", role=role).text
        assert browser.student
        return browser.student

    def claims(self, subject: str, roles: Sequence[str]) -> Mapping[str, Any]:
        return {"sub": subject, "name": subject.title(), "email": None, names.ROLES: [*roles]}

    def lists(self, *people: tuple[str, Sequence[str]], **more: str) -> None:
        """What the course's list says: people and their roles."""
        self.lti.platform.pages = [
            [{"user_id": subject, "name": f"{subject.title()} Listed", "roles": [*roles]} for subject, roles in people]
        ]

    @property
    def class_id(self) -> str:
        [found] = self.lti.services.store.shared.find("classes", {})
        return str(found["id"])

    def member(self, student: Student) -> ClassMember | None:
        return self.lti.services.classroom.memberships._repository.member(self.class_id, student.id)

    def teaches(self, student: Student) -> bool:
        member = self.member(student)
        return member is not None and member.role is ClassRole.INSTRUCTOR

    def asks(self, student: Student) -> bool:
        member = self.member(student)
        return member is not None and bool(member.asks_from)

    def is_frozen(self, student: Student) -> bool:
        return self.lti.services.classroom.figures.report(student, self.class_id).is_frozen


@pytest.fixture
def course(lti: LtiRoom) -> Course:
    return Course(lti)


@pytest.mark.parametrize(
    "roles", [ASSISTANT, OBSERVER, DESIGNER, [LEARNER, "http://purl.imsglobal.org/vocab/lti/system/person#TestUser"]]
)
def test_who_neither_teaches_nor_learns_is_a_guest_and_no_student(course: Course, roles: Sequence[str]) -> None:
    first = course.opens("early", roles)
    assert course.lti.services.store.shared.find("classes", {}) == []
    course.opens(TESS, [INSTRUCTOR])

    guest = course.opens("gus", roles)

    member = course.member(guest)
    assert member is not None
    assert (member.role, member.is_guest, member.is_student, member.asks_from) == (ClassRole.MEMBER, True, False, "")
    assert course.member(first) is None
    assert course.opens("gus", [LEARNER])
    assert course.member(guest).is_student  # type: ignore[union-attr]


def test_a_further_instructor_waits_until_one_of_the_class_says_yes(course: Course) -> None:
    tess = course.opens(TESS, [INSTRUCTOR])
    uma = course.opens(UMA, [INSTRUCTOR])
    assert "They are asked whether you teach it, too" in course.page
    assert "Tess" in course.page
    assert (course.teaches(uma), course.asks(uma)) == (False, True)
    assert [person.name for person in course.memberships.requests(tess, course.class_id)] == ["Uma"]
    course.opens(UMA, [INSTRUCTOR])
    assert "They are asked" not in course.page

    course.memberships.confirm_instructor(tess, course.class_id, uma.id)

    assert (course.teaches(uma), course.asks(uma)) == (True, False)
    course.opens(UMA, [LEARNER])
    assert not course.teaches(uma)


def test_who_was_told_no_does_not_ask_again_by_every_launch(course: Course) -> None:
    tess = course.opens(TESS, [INSTRUCTOR])
    uma = course.opens(UMA, [INSTRUCTOR])
    course.memberships.decline_instructor(tess, course.class_id, uma.id)
    course.opens(UMA, [INSTRUCTOR])

    assert (course.teaches(uma), course.asks(uma)) == (False, False)
    course.memberships.make_instructor(tess, course.class_id, uma.id)
    assert course.teaches(uma)


def test_a_class_that_wants_no_questions_lets_further_instructors_in_at_once(course: Course) -> None:
    tess = course.opens(TESS, [INSTRUCTOR])
    course.classes.set_confirmation(tess, course.class_id, is_on=False)

    assert course.teaches(course.opens(UMA, [INSTRUCTOR]))
    assert not course.teaches(course.opens("ted", ASSISTANT))


def test_an_administrator_is_asked_and_never_makes_the_class(course: Course) -> None:
    admin = course.opens("root", ADMINISTRATOR)
    assert "Look in as a guest, or do you teach this course?" in course.page
    course.answers("root", ADMINISTRATOR, "teacher")
    assert "nobody is there who could say that you teach it" in course.page
    assert course.lti.services.store.shared.find("classes", {}) == []
    course.answers("root", ADMINISTRATOR, "guest")
    tess = course.opens(TESS, [INSTRUCTOR])
    assert course.teaches(tess)
    assert course.member(admin) is None

    course.answers("root", ADMINISTRATOR, "guest")
    member = course.member(admin)
    assert member is not None
    assert (member.is_guest, course.asks(admin)) == (True, False)
    course.opens("root", ADMINISTRATOR)
    assert (course.teaches(admin), course.asks(admin)) == (False, False)


@pytest.mark.parametrize("by", ["launch", "operator"])
def test_an_administrator_who_teaches_before_there_is_a_class_asks_as_soon_as_there_is(course: Course, by: str) -> None:
    course.opens("root", ADMINISTRATOR)
    admin = course.answers("root", ADMINISTRATOR, "teacher")
    assert "Your request waits." in course.page
    course.answers("root", ADMINISTRATOR, "teacher")
    assert course.courses.awaiting(admin) == ["Biology 201"]
    if by == "launch":
        tess = course.opens(TESS, [INSTRUCTOR])
    else:
        tess = course.lti.services.students.sign_in(issuer="https://id.example", subject="t", name="Tess", email="")
        course.courses.name_instructor(course.courses.all()[0].id, tess)

    assert (course.teaches(admin), course.asks(admin), course.courses.awaiting(admin)) == (False, True, [])
    assert [person.name for person in course.memberships.requests(tess, course.class_id)] == ["Root"]
    assert course.memberships.waiting_requests(tess) == {course.class_id: 1}
    assert course.memberships.waiting_requests(admin) == {course.class_id: 1}
    course.memberships.decline_instructor(tess, course.class_id, admin.id)
    course.opens("root", ADMINISTRATOR)
    assert not course.asks(admin)
    assert course.memberships.waiting_requests(tess) == {}


def test_a_request_that_waits_is_of_a_person_and_goes_with_their_account(course: Course) -> None:
    admin = course.answers("root", ADMINISTRATOR, "teacher")
    services = course.lti.services
    assert course.courses.awaiting(admin)
    services.store.shared.delete("students", {"id": admin.id})

    tess = course.opens(TESS, [INSTRUCTOR])
    assert [member.student_id for member in course.classes.members(tess, course.class_id)] == [tess.id]
    assert course.courses.awaiting(admin) == []


@pytest.mark.parametrize("roles", [[LEARNER], [LEARNER, ADMINISTRATOR[1]]])
def test_who_is_a_student_of_the_course_meanwhile_asks_no_more(course: Course, roles: Sequence[str]) -> None:
    admin = course.answers("root", ADMINISTRATOR, "teacher")
    course.opens("root", roles)
    assert course.courses.awaiting(admin) == []
    course.opens(TESS, [INSTRUCTOR])
    course.opens("root", roles)

    assert (course.teaches(admin), course.asks(admin)) == (False, False)


@pytest.mark.parametrize("asks", [True, False])
def test_an_administrator_who_says_that_they_teach_asks_like_everybody_else(course: Course, asks: bool) -> None:
    tess = course.opens(TESS, [INSTRUCTOR])
    course.classes.set_confirmation(tess, course.class_id, is_on=asks)
    admin = course.answers("root", ADMINISTRATOR, "teacher")

    assert (course.teaches(admin), course.asks(admin)) == (False, True)
    course.memberships.confirm_instructor(tess, course.class_id, admin.id)
    assert course.teaches(admin)


def test_launch_and_list_do_not_flip_a_non_editing_teacher(course: Course) -> None:
    """Moodle 4.5: they launch as `Instructor`, and its list calls them `Learner`."""
    tess = course.opens(TESS, [INSTRUCTOR])
    course.classes.set_confirmation(tess, course.class_id, is_on=False)
    nora = course.opens("nora", [INSTRUCTOR])
    course.lists((TESS, ["Instructor"]), ("nora", ["Learner"]))
    change = course.rosters.apply(tess, course.class_id)
    assert [person.name for person in change.lowered] == ["Nora"]

    for _ in range(2):
        course.opens("nora", [INSTRUCTOR])
        assert (course.teaches(nora), course.asks(nora)) == (False, True)
        assert course.rosters.apply(tess, course.class_id).is_empty

    course.memberships.confirm_instructor(tess, course.class_id, nora.id)
    for _ in range(2):
        course.opens("nora", [INSTRUCTOR])
        assert course.rosters.apply(tess, course.class_id).is_empty
        assert course.teaches(nora)


def test_whom_the_list_calls_a_learner_keeps_a_class_frozen_until_a_listed_teacher_comes(course: Course) -> None:
    nora = course.opens("nora", [INSTRUCTOR])
    course.opens("lena")
    course.lists((TESS, ["Instructor"]), ("nora", ["Learner"]), ("lena", ["Learner"]), ("max", ["Learner"]))
    change = course.rosters.compare(nora, course.class_id)

    assert (change.is_withheld, change.listed, change.is_empty) == (True, 0, True)
    assert (course.teaches(nora), course.is_frozen(nora)) == (True, True)
    course.rosters.apply(nora, course.class_id)
    assert len(course.classes.members(nora, course.class_id)) == 2
    with pytest.raises(BadArguments, match="stays with its course"):
        course.courses.unbind(nora, course.class_id)
    uma = course.opens(UMA, [INSTRUCTOR])
    assert course.asks(uma)
    with pytest.raises(BadArguments, match="does not list you"):
        course.memberships.confirm_instructor(nora, course.class_id, uma.id)

    tess = course.opens(TESS, [INSTRUCTOR])
    assert (course.teaches(tess), course.is_frozen(tess)) == (True, False)
    assert [person.name for person in course.rosters.compare(tess, course.class_id).lowered] == ["Nora"]


def test_a_listed_teacher_who_asked_before_teaches_as_soon_as_the_list_is_read(course: Course) -> None:
    nora, tess = course.opens("nora", [INSTRUCTOR]), course.opens(TESS, [INSTRUCTOR])
    course.lists((TESS, ["Instructor"]), ("nora", ["Learner"]))
    change = course.rosters.compare(nora, course.class_id)

    assert change.is_withheld
    assert (course.teaches(tess), course.is_frozen(tess)) == (True, False)


def test_a_list_that_calls_the_only_instructor_a_learner_freezes_even_where_it_names_no_teacher(course: Course) -> None:
    nora = course.opens("nora", [INSTRUCTOR])
    course.lists(("nora", ["Learner"]), ("lena", ["Learner"]))
    course.rosters.compare(nora, course.class_id)
    assert course.is_frozen(nora)

    course.lists(("nora", ["Instructor"]), ("lena", ["Learner"]))
    assert not course.rosters.compare(nora, course.class_id).is_withheld
    assert not course.is_frozen(nora)


def test_the_operator_names_who_teaches_a_frozen_class_or_one_that_nobody_has_made(course: Course) -> None:
    admin = course.opens("root", ADMINISTRATOR)
    [listed] = course.courses.all()
    course.courses.name_instructor(listed.id, admin)
    assert course.teaches(admin)
    course.lists(("nora", ["Instructor"]), ("lena", ["Learner"]))
    assert not course.rosters.compare(admin, course.class_id).is_withheld

    with pytest.raises(ItemNotFound):
        course.courses.name_instructor("none", admin)


def test_the_operator_lets_a_frozen_class_go_on(course: Course) -> None:
    nora = course.opens("nora", [INSTRUCTOR])
    course.lists((TESS, ["Instructor"]), ("nora", ["Learner"]))
    course.rosters.compare(nora, course.class_id)
    [listed] = course.courses.all()
    course.courses.name_instructor(listed.id, nora)

    assert not course.is_frozen(nora)
    assert not course.rosters.compare(nora, course.class_id).is_withheld
    assert not course.is_frozen(nora)


def test_the_preview_names_everybody_who_rises_and_only_a_yes_raises_them(course: Course) -> None:
    tess, lena = course.opens(TESS, [INSTRUCTOR]), course.opens("lena")
    course.lists((TESS, ["Instructor"]), ("lena", ["Instructor"]))
    change = course.rosters.compare(tess, course.class_id)
    assert [(person.student_id, person.name) for person in change.rising] == [(lena.id, "Lena Listed")]
    assert change.joining == []

    course.rosters.apply(tess, course.class_id)
    assert not course.teaches(lena)
    course.rosters.apply(tess, course.class_id, confirmed=[lena.id])
    assert course.teaches(lena)
    assert course.rosters.compare(tess, course.class_id).is_empty


def test_a_list_brings_in_no_observers_designers_or_assistants(course: Course) -> None:
    tess = course.opens(TESS, [INSTRUCTOR])
    elsewhere = {names.CONTEXT: {"id": "chem", "title": "Chemistry"}}
    for subject in ("olga", "dora", "tara"):
        course.opens(subject, [LEARNER], **elsewhere)
    course.lists(
        (TESS, ["Instructor"]), ("olga", OBSERVER), ("dora", DESIGNER), ("tara", ASSISTANT), ("new", ["Mentor"])
    )
    change = course.rosters.apply(tess, course.class_id)

    assert (change.listed, change.waiting, change.is_empty) == (5, 0, True)
    assert [member.student_id for member in course.classes.members(tess, course.class_id)] == [tess.id]


def test_who_becomes_an_observer_of_the_course_teaches_it_no_more(course: Course) -> None:
    tess = course.opens(TESS, [INSTRUCTOR])
    uma = course.opens(UMA, [INSTRUCTOR])
    course.memberships.confirm_instructor(tess, course.class_id, uma.id)
    browser = Browser(course.lti)
    page = browser.launch(**course.claims(UMA, OBSERVER))
    assert "you do not teach it any more" in page.text
    browser.open(page)

    member = course.member(uma)
    assert member is not None
    assert (member.role, member.is_guest) == (ClassRole.MEMBER, True)


def test_a_platform_without_names_leaves_no_blank_rows_and_takes_no_name_away(course: Course) -> None:
    nameless = {"name": None, "email": None}
    tess = course.opens(TESS, [INSTRUCTOR])
    for subject in ("n1", "n2"):
        browser = Browser(course.lti)
        browser.open(browser.launch(sub=subject, **nameless, **{names.ROLES: [LEARNER]}))
    browser = Browser(course.lti)
    browser.open(browser.launch(sub=TESS, **nameless, **{names.ROLES: [INSTRUCTOR]}))

    shown = [person.name for person in course.memberships.people(tess, course.class_id)]
    assert shown[0] == "Tess"
    assert all(shown)
    assert len(set(shown)) == 3
    assert browser.student is not None
    assert browser.student.name == "Tess"
