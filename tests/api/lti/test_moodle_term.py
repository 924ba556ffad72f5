"""A term of a course at a Moodle 4.5, over the routes: who may teach is said once, and launch and list agree (T44)."""

from collections.abc import Mapping, Sequence

import pytest

from services.errors import BadArguments
from tests.api.lti.lti_room import Browser, LtiRoom
from tests.api.lti.platform_server import INSTRUCTOR, LEARNER
from tests.api.lti.test_who_teaches import ADMINISTRATOR, DESIGNER, OBSERVER, Course

LISTED: Mapping[str, Sequence[str]] = {
    "tess": ["Instructor"],
    "nora": ["Learner"],
    "max": ["Learner"],
    "ivy": ["Learner"],
    "ivan": ["Learner"],
    "olga": ["Mentor"],
}


@pytest.fixture
def course(lti: LtiRoom) -> Course:
    return Course(lti)


def lists(course: Course, *left_out: str) -> None:
    """What Moodle lists of the whole course: a non-editing teacher is a learner to it."""
    course.lti.platform.pages = [
        [
            {"user_id": subject, "email": f"{subject}@school.example", "roles": [*roles]}
            for subject, roles in LISTED.items()
            if subject not in left_out
        ]
    ]


def opens_without_a_name(course: Course, subject: str, roles: Sequence[str], email: str | None = None) -> None:
    browser, claims = Browser(course.lti), course.claims(subject, roles)
    browser.open(browser.launch(**{**claims, "name": None, "email": email}))


def names_in(course: Course, by: object) -> list[str]:
    return [person.name for person in course.memberships.people(by, course.class_id)]  # type: ignore[arg-type]


def test_a_term_at_a_moodle(course: Course) -> None:
    # Before there is a class: an administrator tries the link, a student is early.
    root = course.answers("root", ADMINISTRATOR, "teacher")
    maximilian = course.opens("max")
    assert course.lti.services.store.shared.find("classes", {}) == []

    # A non-editing teacher makes the class, and the list contradicts them: it stays as it is.
    nora = course.opens("nora", [INSTRUCTOR])
    assert (course.teaches(nora), course.asks(root), course.member(maximilian)) == (True, True, None)
    assert course.opens("max").id == maximilian.id
    lists(course)
    assert course.rosters.apply(nora, course.class_id).is_withheld
    assert course.is_frozen(nora)
    assert course.lti.services.store.shared.find("class_invitations", {}) == []
    with pytest.raises(BadArguments, match="does not list you"):
        course.memberships.confirm_instructor(nora, course.class_id, root.id)
    paul = course.opens("paul", [LEARNER])
    assert course.member(paul) is not None

    # The teacher of the course comes: the class goes on, and each is what the list and the teacher say.
    tess = course.opens("tess", [INSTRUCTOR])
    assert (course.teaches(tess), course.is_frozen(tess)) == (True, False)
    olga, dora = course.opens("olga", OBSERVER), course.opens("dora", DESIGNER)
    change = course.rosters.apply(tess, course.class_id)
    assert [person.name for person in change.lowered] == ["Nora"]
    assert sorted(person.name for person in change.leaving) == ["Dora", "Paul"]
    assert change.inviting == ["ivan@school.example", "ivy@school.example"]
    assert (course.member(dora), course.member(paul)) == (None, None)
    assert [course.member(each).is_student for each in (olga, maximilian)] == [False, True]  # type: ignore[union-attr]
    course.memberships.decline_instructor(tess, course.class_id, root.id)

    # A yes in Homeroom holds whatever the list says, a no whatever the launch says.
    course.opens("nora", [INSTRUCTOR])
    assert course.asks(nora)
    course.memberships.confirm_instructor(tess, course.class_id, nora.id)
    for _ in range(2):
        course.opens("nora", [INSTRUCTOR])
        course.opens("root", ADMINISTRATOR)
        assert (course.teaches(nora), course.teaches(root), course.asks(root)) == (True, False, False)
        assert course.rosters.apply(tess, course.class_id).lowered == []

    # Names that are not shared any more stay, and who never had one has a row of their own.
    opens_without_a_name(course, "tess", [INSTRUCTOR])
    opens_without_a_name(course, "ivy", [LEARNER], "ivy@school.example")
    lists(course, "ivan")
    change = course.rosters.apply(tess, course.class_id)
    assert change.withdrawing == ["ivan@school.example"]
    assert course.lti.services.store.shared.find("class_invitations", {}) == []
    shown = names_in(course, tess)
    assert {"Tess", "Nora", "Max"} <= set(shown)
    assert all(shown)
    assert len(set(shown)) == len(shown)
    assert course.rosters.apply(tess, course.class_id).is_empty
