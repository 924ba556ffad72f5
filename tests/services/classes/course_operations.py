"""What launches and the list of a course change about who teaches its class, as a process may die in the middle."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from services.classes.class_repository import ClassRepository
from services.classes.lti.course_roles import CourseStanding
from services.classes.lti.launch import Launch
from services.classes.lti.launch_completion import TEACHER, LaunchVisitor, RoleQuestion
from services.classes.lti.platform import LtiPlatform
from services.classes.lti.roster_client import ListedPerson
from services.classes.school_class import ClassMember, ClassRole
from services.identity.students import Student
from services.runtime.clock import utc_now
from services.wiring.container import ServiceContainer
from tests.operations import Given, Operation
from tests.services.classes.launch_operations import ISSUER, launch_of

TEACHES, LEARNS = CourseStanding.TEACHES, CourseStanding.LEARNS


@dataclass(frozen=True)
class ListOfCourse:
    """A school's system that answers with this list."""

    listed: Sequence[ListedPerson]

    def people(self, platform: LtiPlatform, memberships_url: str) -> Sequence[ListedPerson]:
        return self.listed


def opens(services: ServiceContainer, mark: str, name: str, **more: Any) -> Student:
    """Somebody launches the course and answers that they teach it, where they are asked; their account."""
    platform = services.classroom.lti.platforms.add(school())
    launch: Launch = replace(
        launch_of(mark, f"{name}.{mark}", is_teaching=False),
        **{"platform_id": platform.id, "memberships_url": f"{ISSUER}/list", **more},
    )
    completion = services.classroom.lti.completion
    visitor = LaunchVisitor(signed_in=None, locale="en", browser="Firefox")
    step = completion.open(completion.hand_over(launch).token, visitor)
    if isinstance(step, RoleQuestion):
        step = completion.choose_role(step.token, TEACHER, replace(visitor, signed_in=step.session.student))
    return account(services, mark, name)


def school() -> LtiPlatform:
    ways = {name: f"{ISSUER}/{name}" for name in ("authorization_url", "token_url", "jwks_url")}
    return LtiPlatform(id="", name="School", issuer=ISSUER, client_id="c", deployments=("d",), **ways)


def account(services: ServiceContainer, mark: str, name: str) -> Student:
    student = services.classroom.lti.accounts.student_of(ISSUER, f"{name}.{mark}")
    assert student is not None
    return student


def course_with_request(services: ServiceContainer, mark: str) -> dict[str, Any]:
    """The class of a course, and somebody who asks to teach it."""
    given = course(services, mark)
    opens(services, mark, "una", is_teaching=True)
    return given


def course(services: ServiceContainer, mark: str) -> dict[str, Any]:
    opens(services, mark, "lee", is_teaching=True)
    (made,) = services.store.shared.find("classes", {"name": f"Course {mark}"})
    return {"mark": mark, "class": made["id"]}


def request(services: ServiceContainer, given: Given) -> None:
    opens(services, given["mark"], "una", is_teaching=True)


def request_as_administrator(services: ServiceContainer, given: Given) -> None:
    opens(services, given["mark"], "una", is_teaching=True, is_administrator=True)


def wrong_requested(services: ServiceContainer, given: Given) -> str:
    una = member(services, given, "una")
    if una is None or not una.asks_from:
        return "lost"
    return "untrue" if una.role is not ClassRole.MEMBER or not una.is_guest else _doubled(services, given, 2)


def confirm(services: ServiceContainer, given: Given) -> None:
    lee, una = (account(services, given["mark"], name) for name in ("lee", "una"))
    services.classroom.memberships.confirm_instructor(lee, given["class"], una.id)


def wrong_confirmed(services: ServiceContainer, given: Given) -> str:
    una = member(services, given, "una")
    if una is None or una.role is not ClassRole.INSTRUCTOR:
        return "lost"
    return "untrue" if una.asks_from or not una.role_from else _doubled(services, given, 2)


def decline(services: ServiceContainer, given: Given) -> None:
    lee, una = (account(services, given["mark"], name) for name in ("lee", "una"))
    services.classroom.memberships.decline_instructor(lee, given["class"], una.id)


def wrong_declined(services: ServiceContainer, given: Given) -> str:
    """Who was told no is no instructor, and does not ask again by the same launch."""
    request(services, given)
    una = member(services, given, "una")
    if una is None or not una.declined_from:
        return "lost"
    return "untrue" if una.role is ClassRole.INSTRUCTOR or una.asks_from else _doubled(services, given, 2)


def second_identity(services: ServiceContainer, mark: str) -> dict[str, Any]:
    """An instructor by the course who comes back as a student of it, while somebody else teaches it, too."""
    given = course_with_request(services, mark)
    confirm(services, given)
    return given


def come_as_student(services: ServiceContainer, given: Given) -> None:
    opens(services, given["mark"], "una", is_learning=True)


def wrong_taken_back(services: ServiceContainer, given: Given) -> str:
    """They are a student, and a later launch as a teacher gives the role back."""
    una = member(services, given, "una")
    if una is None or una.role is not ClassRole.MEMBER:
        return "lost"
    request(services, given)
    una = member(services, given, "una")
    return "" if una is not None and una.role is ClassRole.INSTRUCTOR else "untrue"


def contradicted_course(services: ServiceContainer, mark: str) -> dict[str, Any]:
    """A class whose only instructor is a student, as the course's list says."""
    given = course(services, mark)
    opens(services, mark, "mia", is_learning=True)
    return {**given, "list": [["lee", LEARNS, ""], ["tess", TEACHES, ""], ["mia", LEARNS, ""]]}


def wrong_frozen(services: ServiceContainer, given: Given) -> str:
    """The class is as it was and frozen, until a teacher whom the list names launches it."""
    stored = services.store.shared.get("classes", given["class"])
    if stored is None or not stored["frozen_at"]:
        return "lost"
    if _doubled(services, given, 2):
        return "untrue"
    opens(services, given["mark"], "tess", is_teaching=True)
    tess, stored = member(services, given, "tess"), services.store.shared.get("classes", given["class"])
    is_open = stored is not None and not stored["frozen_at"]
    return "" if is_open and tess is not None and tess.role is ClassRole.INSTRUCTOR else "untrue"


def changed_course(services: ServiceContainer, mark: str) -> dict[str, Any]:
    """A course whose list has changed in every way since its class was brought up to date."""
    given = course_with_request(services, mark)
    for name in ("kim", "zoe"):
        opens(services, mark, name, is_teaching=True)
        lee, other = (account(services, mark, each) for each in ("lee", name))
        services.classroom.memberships.confirm_instructor(lee, given["class"], other.id)
    for name in ("mia", "gus"):
        opens(services, mark, name, is_learning=True)
    services.classroom.roster.invite(
        account(services, mark, "lee"),
        given["class"],
        f"old.{mark}@campus.example",
        from_course=services.store.shared.find("lti_courses", {"class_id": given["class"]})[0]["id"],
    )
    opens(services, mark, "bo", context_id="")
    listed = [("lee", TEACHES), ("una", TEACHES), ("kim", LEARNS), ("mia", LEARNS), ("bo", LEARNS), ("noa", LEARNS)]
    return {**given, "list": [[name, standing, f"{name}.{mark}@campus.example"] for name, standing in listed]}


def bring_up_to_date(services: ServiceContainer, given: Given) -> None:
    lee = account(services, given["mark"], "lee")
    rosters = services.classroom.lti.rosters
    rosters._client = ListOfCourse(
        [
            ListedPerson(subject=f"{name}.{given['mark']}", email=email, standing=CourseStanding(standing))
            for name, standing, email in given["list"]
        ]
    )
    rising = [found.student_id for found in rosters.compare(lee, given["class"]).rising]
    rosters.apply(lee, given["class"], confirmed=rising)


def wrong_roster(services: ServiceContainer, given: Given) -> str:
    """Una teaches it, Kim no more, Bo is in, Gus and Zoe are out, Noa is invited and the invitation of before is gone;
    and nothing is left to be done.
    """
    mark = given["mark"]
    roles = {
        name: found.role for name in ("lee", "una", "kim", "mia", "bo") if (found := member(services, given, name))
    }
    teaching = [name for name, role in roles.items() if role is ClassRole.INSTRUCTOR]
    invited = services.store.shared.find("class_invitations", {"class_id": given["class"]})
    if (
        len(roles) != 5
        or teaching != ["lee", "una"]
        or [found["email"] for found in invited] != [f"noa.{mark}@campus.example"]
    ):
        return "lost"
    left = services.classroom.lti.rosters.compare(account(services, mark, "lee"), given["class"])
    return _doubled(services, given, 5) or ("" if left.is_empty else "untrue")


def member(services: ServiceContainer, given: Given, name: str) -> ClassMember | None:
    repository = ClassRepository(services.store, utc_now)
    return repository.member(given["class"], account(services, given["mark"], name).id)


def _doubled(services: ServiceContainer, given: Given, number: int) -> str:
    found = services.store.shared.find("class_members", {"class_id": given["class"]})
    is_marked = any(document.get("leaving_at") for document in found)
    return "doubled" if len(found) > number else "lost" if len(found) < number else "untrue" if is_marked else ""


COURSES: Mapping[str, Operation] = {
    "request": Operation(prepare=course, do=request, wrong=wrong_requested),
    "request of an administrator": Operation(prepare=course, do=request_as_administrator, wrong=wrong_requested),
    "confirm": Operation(prepare=course_with_request, do=confirm, wrong=wrong_confirmed),
    "decline": Operation(prepare=course_with_request, do=decline, wrong=wrong_declined),
    "take back": Operation(prepare=second_identity, do=come_as_student, wrong=wrong_taken_back),
    "freeze": Operation(prepare=contradicted_course, do=bring_up_to_date, wrong=wrong_frozen),
    "bring up to date": Operation(prepare=changed_course, do=bring_up_to_date, wrong=wrong_roster),
}
