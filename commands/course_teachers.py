"""Commands about who teaches the classes of courses: the operator's word where a school's system does not tell."""

import argparse
from collections.abc import Sequence
from typing import TYPE_CHECKING

from commands.accounts import chosen_student
from commands.console import everything
from services.classes.lti.course_bindings import LtiCourse
from services.classes.school_class import ClassRole

if TYPE_CHECKING:
    from services.wiring.container import ServiceContainer


def courses() -> int:
    """Print the courses that were opened, with who teaches their classes, who asks to, and what is frozen."""
    with everything() as services:
        listed = services.classroom.lti.courses.all()
        for course in listed:
            print(f"{course.id}  {course.title or 'a course without a title'}")
            for line in _of_course(services, course):
                print(f"  {line}")
    print("" if listed else "Nobody has opened Homeroom from a course yet.")
    return 0


def teacher(course: str, account: str | None, id: str | None) -> int:
    """Make somebody an instructor of a course's class, which is made where there is none, and goes on where it was
    frozen because its course lists nobody as its teacher who teaches it.
    """
    with everything() as services:
        is_id = account is not None and services.students.get(account) is not None
        email, by_id = (None, account) if is_id else (account, id)
        person = chosen_student(services.store, services.students, email=email, id=by_id)
        named = services.classroom.lti.courses.name_instructor(course, person)
    print(f"{person.display_name} teaches {named.name}.")
    return 0


def add_course_commands(add: argparse.ArgumentParser) -> None:
    """Declare the arguments of `lti teacher`."""
    add.add_argument("course", metavar="COURSE", help="id of the course, as `lti courses` shows it")
    which = add.add_mutually_exclusive_group(required=True)
    which.add_argument(
        "account", nargs="?", metavar="ACCOUNT", help="an address, or an id of an account as `lti courses` shows it"
    )
    which.add_argument("--id", help="of the account, where several have the address: without it they are listed")


def _of_course(services: "ServiceContainer", course: LtiCourse) -> Sequence[str]:
    """What there is to say of a course's class, in lines."""
    school_class = services.classroom.lti.courses.bound_class(course.class_id)
    if school_class is None:
        awaited = services.classroom.lti.courses.awaited(course)
        waiting = [f"says that they teach it: {_named(services, id)}" for id in awaited]
        return ["no class yet: nobody who teaches it has opened Homeroom, or said which class it is", *waiting]
    members = services.classroom.lti.courses.members_of(school_class)
    frozen = [f"frozen since {school_class.frozen_at:%Y-%m-%d}"] if school_class.frozen_at else []
    teaching = [f"teaches: {_named(services, m.student_id)}" for m in members if m.role is ClassRole.INSTRUCTOR]
    asking = [f"asks to teach: {_named(services, m.student_id)}" for m in members if m.asks_from]
    return [f"class {school_class.name}", *frozen, *teaching, *asking]


def _named(services: "ServiceContainer", student_id: str) -> str:
    person = services.students.get(student_id)
    return f"{person.display_name if person else 'somebody who is gone'}  {student_id}"
