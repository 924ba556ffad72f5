"""Launches of a school's system, as a process may die in the middle of one."""

from dataclasses import replace
from typing import Any

from services.classes.lti.launch import Launch
from services.classes.lti.launch_completion import MINE, AccountQuestion, ClassQuestion, LaunchVisitor
from services.wiring.container import ServiceContainer
from tests.operations import Given, counted, person

ISSUER = "https://lms.example"


def newcomer(services: ServiceContainer, mark: str) -> dict[str, Any]:
    return {"mark": mark}


def launch_of(mark: str, subject: str, *, is_teaching: bool, email: str = "") -> Launch:
    return Launch(
        platform_id="p",
        issuer=ISSUER,
        deployment_id="d",
        subject=subject,
        name=subject,
        email=email,
        is_teaching=is_teaching,
        context_id=mark,
        context_title=f"Course {mark}",
        memberships_url="",
        target="",
    )


def launch(services: ServiceContainer, given: Given, *, subject: str = "", is_teaching: bool = True) -> None:
    """The first launch of a course, by an instructor whom nobody knows yet; each is a new message of the platform."""
    completion, mark = services.classroom.lti.completion, given["mark"]
    handed = completion.hand_over(launch_of(mark, subject or f"lee.{mark}", is_teaching=is_teaching))
    step = completion.open(handed.token, visitor := LaunchVisitor(signed_in=None, locale="en", browser="Firefox"))
    if isinstance(step, ClassQuestion):
        # Their class of this course is there, and not bound yet: they say so with one click.
        (offered,) = [found for found in step.offered if found.name == f"Course {mark}"]
        completion.choose_class(step.token, offered.id, replace(visitor, signed_in=step.session.student))


def launch_as_member(services: ServiceContainer, given: Given) -> None:
    launch(services, given, subject=f"mia.{given['mark']}", is_teaching=False)
    launch(services, given, subject=f"mia.{given['mark']}", is_teaching=False)


def wrong_launched(services: ServiceContainer, given: Given) -> str:
    mark, shared = given["mark"], services.store.shared
    accounts = [len(shared.find("students", {"subject": f"{who}.{mark}"})) for who in ("lee", "mia")]
    made = shared.find("classes", {"name": f"Course {mark}"})
    if accounts[0] != 1 or len(made) != 1:
        return counted(accounts[0]) or counted(len(made))
    launch_as_member(services, given)
    roles = [member["role"] for member in shared.find("class_members", {"class_id": made[0]["id"]})]
    bound = shared.find("lti_courses", {"class_id": made[0]["id"]})
    return "" if sorted(roles) == ["instructor", "member"] and len(bound) == 1 else "untrue"


def account_to_link(services: ServiceContainer, mark: str) -> dict[str, Any]:
    return {"mark": mark, "student": person(services, f"ana.{mark}").id}


def link(services: ServiceContainer, given: Given) -> None:
    """A launch whose person says, signed in, that this account is theirs."""
    mark, me = given["mark"], services.students.get(given["student"])
    assert me is not None
    completion, visitor = services.classroom.lti.completion, LaunchVisitor(signed_in=me, locale="en", browser="Firefox")
    handed = completion.hand_over(launch_of("", f"lms.{mark}", is_teaching=False, email=me.email))
    step = completion.open(handed.token, visitor)
    if isinstance(step, AccountQuestion):
        completion.choose_account(step.token, MINE, visitor)


def wrong_linked(services: ServiceContainer, given: Given) -> str:
    accounts = services.classroom.lti.accounts
    me = services.students.get(given["student"])
    found = accounts.student_of(ISSUER, f"lms.{given['mark']}")
    if me is None or found is None or found.id != me.id:
        return "lost"
    return counted(len(accounts.linked(me)))
