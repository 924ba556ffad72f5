"""First data of a demo, as a program: its people, their Canvas, the class, and what the presenter opens.

It reads who they are from stdin as JSON, while the campus serves at the demo's address, and prints the class as JSON.
"""

import json
import sys
from collections.abc import Mapping, Sequence
from contextlib import closing, suppress
from typing import Any

from services import bootstrap, settings
from services.classes.school_class import SchoolClass
from services.errors import HomeroomError
from services.identity.students import Student
from services.wiring.container import ServiceContainer

CLASS_NAME, TERM, COURSE = "BIOL 201: Cell Biology", "Demo", "BIOL 201"
SHOWN = "cell cycle"
"""In the name of the material that the script opens."""
ISSUER = "{campus}/oidc"
People = Sequence[Mapping[str, Any]]


def main() -> None:
    """Write everything, and print the class's id and code."""
    given = json.load(sys.stdin)
    people: People = given["people"]
    services = bootstrap.build(settings.from_process())
    with closing(services.store):
        students = [_student(services, person) for person in people]
        for student, person in zip(students, people, strict=True):
            _connect_canvas(services, student, person["canvas_token"])
        presenter = students[0]
        _read_material(services, presenter)
        made = services.classroom.classes.create(presenter, name=CLASS_NAME, term=TERM)
    print(json.dumps(_facts(made)))


def _facts(made: SchoolClass) -> dict[str, str]:
    return {"id": made.id, "name": made.name, "code": made.join_code}


def _student(services: ServiceContainer, person: Mapping[str, Any], session: int = 0) -> Student:
    return services.students.sign_in(
        issuer=ISSUER.format(campus=services.settings.campus_url),
        subject=person["id"],
        name=person["name"],
        email=person["email"],
        is_email_verified=True,
        timezone=person["timezone"],
        session=session,
    )


def _connect_canvas(services: ServiceContainer, student: Student, token: str) -> None:
    origin = services.settings.environment["CANVAS_BASE_URL"]
    services.connections.connect_with_token(student.id, "canvas", origin=origin, token=token)


def _read_material(services: ServiceContainer, presenter: Student) -> None:
    """Read in one material of the course, so that it opens at once. A demo without it is still one."""
    with suppress(HomeroomError):
        courses = services.materials.courses(presenter).courses
        course = next(status.course for status in courses if COURSE in (status.course.code, status.course.name[:8]))
        listed = services.materials.materials(presenter, course.key).materials
        shown = next(each.material for each in listed if SHOWN in each.material.title.lower())
        services.materials.pages(presenter, shown.id, [1])


if __name__ == "__main__":
    main()
