"""A role that the school's system gave is taken back when it says so, and no other one is (T44)."""

from collections.abc import Mapping, Sequence
from typing import Any

import pytest

from services.classes.lti import claim_names as names
from services.classes.school_class import ClassRole, SchoolClass
from services.identity.students import Student
from tests.api.lti.lti_room import Browser, LtiRoom, refusal_of
from tests.api.lti.platform_server import INSTRUCTOR, LEARNER
from tests.api.lti.test_once import launch_of

INSTITUTION = "http://purl.imsglobal.org/vocab/lis/v2/institution/person#Student"
TEST_USER = "http://purl.imsglobal.org/vocab/lti/system/person#TestUser"
TESS, UMA = "tess", "uma"
Entry = Mapping[str, Any]


def launched(lti: LtiRoom, subject: str, roles: Sequence[str], **claims: Any) -> Student:
    """Somebody opens the course with these roles; their account."""
    browser = Browser(lti)
    given = {"sub": subject, "name": subject.title(), "email": None, names.ROLES: [*roles], **claims}
    page = browser.launch(**given)
    assert refusal_of(page) == ""
    browser.open(page)
    assert browser.student
    return browser.student


class Course:
    """A course with two instructors, and its class; Tess made it by her launch, and has said yes to Uma's."""

    def __init__(self, lti: LtiRoom) -> None:
        self.lti, self.classes = lti, lti.services.classroom.classes
        self.tess, self.uma = launched(lti, TESS, [INSTRUCTOR]), launched(lti, UMA, [INSTRUCTOR])
        [(self.school_class, _)] = self.classes.of_student(self.tess.id)
        self.memberships = lti.services.classroom.memberships
        self.memberships.confirm_instructor(self.tess, self.school_class.id, self.uma.id)

    def roles(self, school_class: SchoolClass | None = None) -> tuple[ClassRole | None, ClassRole | None]:
        id = (school_class or self.school_class).id
        return self.classes.role_in(self.tess.id, id), self.classes.role_in(self.uma.id, id)

    def lists(self, *people: tuple[str, str]) -> None:
        """What the roster says: people and their role."""
        self.lti.platform.pages = [[{"user_id": subject, "roles": [role]} for subject, role in people]]

    @property
    def frozen(self) -> bool:
        found = self.classes.of_student(self.tess.id)[0][0]
        return found.frozen_at is not None

    def leave_to(self, only: Student) -> None:
        """Nobody but this one teaches the class."""
        other = self.uma if only.id == self.tess.id else self.tess
        self.lti.services.classroom.memberships.remove(only, self.school_class.id, other.id)


TEACH, LEARN = ClassRole.INSTRUCTOR, ClassRole.MEMBER


@pytest.fixture
def course(lti: LtiRoom) -> Course:
    return Course(lti)


def test_a_launch_as_a_learner_ends_the_role_that_launches_gave_and_the_next_one_gives_it_back(course: Course) -> None:
    assert course.roles() == (TEACH, TEACH)

    launched(course.lti, TESS, [LEARNER])
    assert course.roles() == (LEARN, TEACH)

    launched(course.lti, TESS, [INSTRUCTOR])
    assert course.roles() == (TEACH, TEACH)


def test_who_loses_the_role_reads_so_before_they_go_on(course: Course) -> None:
    browser = Browser(course.lti)
    page = browser.launch(sub=TESS, email=None, **{names.ROLES: [LEARNER]})

    assert "Your course says that you are a student in it now" in page.text
    assert "data-at-once" not in page.text.partition("<script")[0]
    assert course.roles() == (TEACH, TEACH)
    browser.open(page)
    assert course.roles() == (LEARN, TEACH)


def test_the_last_instructor_of_a_class_stays_and_reads_why(course: Course) -> None:
    course.leave_to(course.tess)
    browser = Browser(course.lti)
    page = browser.launch(sub=TESS, email=None, **{names.ROLES: [LEARNER]})
    browser.open(page)

    assert "go on teaching it there until somebody else does" in page.text
    assert course.roles()[0] is TEACH


def test_a_role_that_was_given_in_homeroom_stays(course: Course) -> None:
    memberships, id = course.lti.services.classroom.memberships, course.school_class.id
    memberships.make_member(course.uma, id, course.tess.id)
    memberships.make_instructor(course.uma, id, course.tess.id)

    launched(course.lti, TESS, [INSTRUCTOR])
    launched(course.lti, TESS, [LEARNER])
    course.lists((UMA, INSTRUCTOR), (TESS, LEARNER))
    course.lti.lti.rosters.apply(course.uma, id)

    assert course.roles() == (TEACH, TEACH)


@pytest.mark.parametrize("roles", [[LEARNER, INSTRUCTOR], [], [INSTITUTION], [LEARNER, TEST_USER]])
def test_whoever_teaches_too_or_of_whom_nothing_is_said_keeps_the_role(course: Course, roles: Sequence[str]) -> None:
    launched(course.lti, TESS, roles)

    assert course.roles() == (TEACH, TEACH)


@pytest.mark.parametrize(
    "elsewhere", [{names.CONTEXT: {"id": "chem", "title": "Chemistry"}}, {names.DEPLOYMENT_ID: "d2"}]
)
def test_another_course_or_deployment_takes_no_role_away(course: Course, elsewhere: Mapping[str, Any]) -> None:
    course.lti.lti.platforms.allow(course.lti.registered.id, "d2")
    launched(course.lti, "other", [INSTRUCTOR], **elsewhere)

    launched(course.lti, TESS, [LEARNER], **elsewhere)

    assert course.roles() == (TEACH, TEACH)


def test_a_class_that_belongs_to_another_course_by_now_keeps_those_whom_the_first_one_named(course: Course) -> None:
    courses, chem = course.lti.lti.courses, {names.CONTEXT: {"id": "chem", "title": "Chemistry"}}
    courses.unbind(course.tess, course.school_class.id)
    chosen = Browser(course.lti)
    question = chosen.open(chosen.launch(sub=UMA, email=None, **{names.ROLES: [INSTRUCTOR]}, **chem))
    chosen.open(question, step="class", **{"class": course.school_class.id})

    launched(course.lti, TESS, [LEARNER], **chem)

    assert course.roles() == (TEACH, TEACH)


def test_a_second_account_at_the_schools_system_takes_nothing_from_the_first_ones_role(course: Course) -> None:
    """Such as Canvas's test student, whom an instructor has called themselves."""
    course.lti.lti.accounts.link(launch_of(course.lti, "test-student"), course.tess)

    launched(course.lti, "test-student", [LEARNER])
    course.lists((UMA, INSTRUCTOR), (TESS, INSTRUCTOR), ("test-student", LEARNER))
    course.lti.lti.rosters.apply(course.uma, course.school_class.id)

    assert course.roles() == (TEACH, TEACH)


def test_a_roster_takes_back_roles_and_says_so_first(course: Course) -> None:
    rosters, id = course.lti.lti.rosters, course.school_class.id
    course.lists((UMA, INSTRUCTOR), (TESS, LEARNER))
    change = rosters.compare(course.uma, id)

    assert [person.name for person in change.lowered] == ["Tess"]
    assert course.roles() == (TEACH, TEACH)
    rosters.apply(course.uma, id)
    assert course.roles() == (LEARN, TEACH)
    assert rosters.compare(course.uma, id).is_empty


def test_an_instructor_who_has_left_the_course_leaves_the_class(course: Course) -> None:
    rosters, id = course.lti.lti.rosters, course.school_class.id
    course.lists((UMA, INSTRUCTOR))
    rosters.apply(course.uma, id)

    assert course.roles() == (None, TEACH)
    assert rosters.compare(course.uma, id).is_empty


def test_a_roster_in_which_others_teach_freezes_the_class_as_it_is(course: Course) -> None:
    rosters, id = course.lti.lti.rosters, course.school_class.id
    course.lists(("nobody-here", INSTRUCTOR), (TESS, LEARNER), (UMA, LEARNER))
    change = rosters.compare(course.uma, id)
    rosters.apply(course.uma, id)

    assert (change.is_withheld, change.listed, change.lowered) == (True, 0, ())
    assert course.roles() == (TEACH, TEACH)
    assert course.frozen


def test_a_roster_without_anybody_who_teaches_takes_no_role_back(course: Course) -> None:
    course.lists((TESS, LEARNER), (UMA, LEARNER))
    course.lti.lti.rosters.apply(course.uma, course.school_class.id)

    assert course.roles() == (TEACH, TEACH)


def test_a_role_that_a_launch_gave_while_the_list_was_read_stays(
    course: Course, monkeypatch: pytest.MonkeyPatch
) -> None:
    answer, again = course.lti.platform.answer, list[str]()

    def overtaken(method: str, path: str, body: bytes, bearer: str) -> tuple[int, Any, Mapping[str, str]]:
        if path.startswith("/members") and not again:
            again.append(path)
            launched(course.lti, TESS, [INSTRUCTOR])
        return answer(method, path, body, bearer)

    monkeypatch.setattr(course.lti.platform, "answer", overtaken)
    course.lists((UMA, INSTRUCTOR), (TESS, LEARNER))
    course.lti.lti.rosters.apply(course.uma, course.school_class.id)

    assert course.roles() == (TEACH, TEACH)
