"""Commands about who teaches the classes of courses: the operator's word where a school's system does not tell."""

import argparse
from collections.abc import Sequence
from typing import TYPE_CHECKING

from commands.console import everything
from services.classes.school_class import ClassMember, ClassRole
from services.errors import BadArguments
from services.identity.students import Student, Students

if TYPE_CHECKING:
    from services.wiring.container import ServiceContainer


def courses() -> int:
    """Print the courses that were opened, with who teaches their classes, who asks to, and what is frozen."""
    with everything() as services:
        listed = services.classroom.lti.courses.all()
        for course in listed:
            print(f"{course.id}  {course.title or 'a course without a title'}")
            for line in _of_class(services, course.class_id):
                print(f"  {line}")
    print("" if listed else "Nobody has opened Homeroom from a course yet.")
    return 0


def teacher(course: str, account: str) -> int:
    """Make somebody an instructor of a course's class, which is made where there is none, and goes on where it was
    frozen because its course lists nobody as its teacher who teaches it.
    """
    with everything() as services:
        person = _account(services.students, account)
        named = services.classroom.lti.courses.name_instructor(course, person)
    print(f"{person.display_name} teaches {named.name}.")
    return 0


def add_course_commands(add: argparse.ArgumentParser) -> None:
    """Declare the arguments of `lti teacher`."""
    add.add_argument("course", metavar="COURSE", help="id of the course, as `lti courses` shows it")
    add.add_argument(
        "account", metavar="ACCOUNT", help="id of somebody's account as `lti courses` shows it, or an address"
    )


def _of_class(services: "ServiceContainer", class_id: str) -> Sequence[str]:
    """What there is to say of a course's class, in lines."""
    school_class = services.classroom.lti.courses.bound_class(class_id)
    if school_class is None:
        return ["no class yet: nobody who teaches it has opened Homeroom, or said which class it is"]
    members = services.classroom.lti.courses.members_of(school_class)
    frozen = [f"frozen since {school_class.frozen_at:%Y-%m-%d}"] if school_class.frozen_at else []
    teaching = [f"teaches: {_named(services, m)}" for m in members if m.role is ClassRole.INSTRUCTOR]
    asking = [f"asks to teach: {_named(services, m)}" for m in members if m.asks_from]
    return [f"class {school_class.name}", *frozen, *teaching, *asking]


def _named(services: "ServiceContainer", member: ClassMember) -> str:
    person = services.students.get(member.student_id)
    return f"{person.display_name if person else 'somebody who is gone'}  {member.student_id}"


def _account(students: Students, account: str) -> Student:
    if (person := students.get(account)) is not None:
        return person
    people = students.with_email(account)
    if len(people) == 1:
        return people[0]
    if not people:
        raise BadArguments(f"Nobody has the account {account}.", next_step="They open Homeroom from the course first.")
    ids = ", ".join(person.id for person in people)
    raise BadArguments(f"{account} has several accounts.", next_step=f"Give the id of one: {ids}.")
