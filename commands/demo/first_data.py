"""First data of a demo, as a program: its people, their Canvas, the class with an assistant, and what it did before.

It reads who they are from stdin as JSON, while the campus serves at the demo's address, and prints the class as JSON.
"""

import json
import sys
from collections.abc import Mapping
from contextlib import closing, suppress
from dataclasses import replace
from datetime import timedelta
from typing import Any
from zoneinfo import ZoneInfo

from commands.demo.sample_use import SetClock, write_figures
from services import bootstrap, settings
from services.assistants.class_assistant import ExamWindow
from services.classes.budgets.budget import Budget, Limits
from services.classes.budgets.budget_repository import DEPLOYMENT, BudgetRepository
from services.classes.school_class import SchoolClass
from services.errors import HomeroomError
from services.identity.students import Student
from services.materials.material import Material
from services.runtime.clock import utc_now
from services.settings import demo_mode
from services.wiring.container import ServiceContainer

CLASS_NAME, TERM, COURSE = "BIOL 201: Cell Biology", "Demo", "BIOL 201"
SHOWN, SHOWN_PAGE = "cell cycle", 4
"""In the name of the material that the script opens, and the page of it that says most."""
BEGAN = timedelta(days=24)
"""Before today: when the class was made."""
ASSISTANT = "Cell Biology tutor"
WORDS = (
    "Help with BIOL 201. Begin with what the student knows already, name the page of the course materials that says it,"
    " and end with one question that lets them check themselves."
)
OWN_RULES = "Lab reports: comment on structure and figures; the discussion is the student's own."
EXAM_RULES = "Midterm 3, closed book. One handwritten page of notes is allowed."
EXAM_IN, EXAM_AT, EXAM_LASTS = timedelta(days=3), 10, timedelta(minutes=75)
MICROS = 1_000_000


def main() -> None:
    """Write everything, and print the class's id, name and code, and the page that the script opens."""
    given = json.load(sys.stdin)
    clock = SetClock()
    services = bootstrap.build(settings.from_process(), clock=clock)
    with closing(services.store):
        students = [_student(services, person) for person in given["people"]]
        for student, person in zip(students, given["people"], strict=True):
            _connect_canvas(services, student, person["canvas_token"])
        presenter, *members = students
        shown = _shown_material(services, presenter)
        made = _class(services, clock, presenter)
        write_figures(services, clock, made, members, shown)
        if given["dollars"] is not None:
            total = Limits(term=given["dollars"] * MICROS)
            BudgetRepository(services.store).save(DEPLOYMENT, Budget(total=total))
    page = demo_mode.written_page(shown.id, SHOWN_PAGE)
    print(json.dumps({"id": made.id, "name": made.name, "code": made.join_code, "page": page}))


def _student(services: ServiceContainer, person: Mapping[str, Any]) -> Student:
    return services.students.sign_in(
        issuer=f"{services.settings.campus_url}/oidc",
        subject=person["id"],
        name=person["name"],
        email=person["email"],
        is_email_verified=True,
        timezone=person["timezone"],
    )


def _connect_canvas(services: ServiceContainer, student: Student, token: str) -> None:
    origin = services.settings.environment["CANVAS_BASE_URL"]
    services.connections.connect_with_token(student.id, "canvas", origin=origin, token=token)


def _shown_material(services: ServiceContainer, presenter: Student) -> Material:
    """The material that the script opens, read in so that it opens at once; one that takes long is read when it opens.

    Raises `HomeroomError` and `StopIteration` where it is not listed: the script would open something else.
    """
    courses = [status.course for status in services.materials.courses(presenter).courses]
    key = next((course.key for course in courses if f"{course.code} {course.name}".startswith(COURSE)), "")
    listed = [each.material for each in services.materials.materials(presenter, key).materials]
    shown = next(material for material in listed if SHOWN in material.title.lower())
    with suppress(HomeroomError):
        services.materials.pages(presenter, shown.id, [SHOWN_PAGE])
    return shown


def _class(services: ServiceContainer, clock: SetClock, presenter: Student) -> SchoolClass:
    """The class, with an assistant that is published and will be closed during an exam."""
    clock.set(utc_now() - BEGAN)
    made = services.classroom.classes.create(presenter, name=CLASS_NAME, term=TERM)
    assistants = services.classroom.assistants
    record = assistants.create(presenter, made.id, ASSISTANT, request_id="0123456789abcdef")
    draft = replace(record.draft, words=WORDS, integrity=OWN_RULES, level="asks")
    record = assistants.save(presenter, draft, seen=record.draft_version)
    assistants.publish(presenter, record.id, seen=record.draft_version)
    clock.go_on()
    zone = ZoneInfo(presenter.timezone)
    day = (utc_now() + EXAM_IN).astimezone(zone)
    begins = day.replace(hour=EXAM_AT, minute=0, second=0, microsecond=0)
    exam = ExamWindow(
        id="midterm",
        begins_at=begins,
        ends_at=begins + EXAM_LASTS,
        mode="closed",
        timezone=presenter.timezone,
        rules=EXAM_RULES,
    )
    assistants.set_windows(presenter, record.id, (exam,), seen=())
    return made


if __name__ == "__main__":
    main()
