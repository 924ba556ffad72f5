"""Somebody who teaches a course hears what is due and to grade there, and never that they owe it themselves."""

import re
from typing import Any

import pytest

from services.connections.backoff import Backoff
from services.integrations.canvas.client import CanvasClient
from services.integrations.canvas.courses import read_courses
from services.integrations.canvas.people import KNOWN_S, TeachingCache, is_taught
from services.tools.context import ToolExecutionContext
from tests.campus_server import CampusServer
from tests.services.integrations.canvas.conftest import ContextOf
from tests.services.integrations.canvas.every_tool import CALLS

OF_ONES_OWN = re.compile(r"not handed in|handed in late|\bmissing\b|past due")
OURS_TO_THE_MODEL = re.compile(r"\b(?:you|your|yours)\b", re.IGNORECASE)
QUOTED = re.compile(r"“.*?”|\*\*.*?\*\*|(?m:^>.*$)")
GRADING = re.compile(r"(\d+) to grade")


@pytest.fixture
def okafor(context_of: ContextOf) -> ToolExecutionContext:
    """The instructor of two courses."""
    return context_of("okafor")


@pytest.fixture
def mixed(okafor: ToolExecutionContext, monkeypatch: pytest.MonkeyPatch) -> ToolExecutionContext:
    """The same person, who assists in biology and takes chemistry."""
    real = CanvasClient._rows

    def rows(self: CanvasClient, endpoint: str, **parameters: Any) -> list[dict[str, Any]]:
        found = real(self, endpoint, **parameters)
        if endpoint == "courses":
            kinds = {4201: "ta", 4708: "student"}
            found = [{**row, "enrollments": [{"type": kinds[row["id"]], "user_id": 7}]} for row in found]
        return found

    monkeypatch.setattr(CanvasClient, "_rows", rows)
    return okafor


@pytest.mark.parametrize("window", ["upcoming", "past", "all"])
def test_what_is_due_in_taught_courses_is_listed_with_what_waits_for_a_grade(
    call: Any, okafor: ToolExecutionContext, window: str
) -> None:
    result = call("canvas_list_assignments", okafor, window=window)

    assert result.data["assignments"]
    assert all("taught by the student" in line for line in result.output.split("\n") if line.startswith("- "))
    assert "in courses that the student teaches" in result.output.split("\n")[0]
    assert not OF_ONES_OWN.search(result.output)
    waiting = call("canvas_list_assignments", okafor, window="waiting", limit=100).data["assignments"]
    counts = {assignment["id"]: assignment["to_grade"] for assignment in waiting}
    assert counts
    assert all(assignment["to_grade"] == counts.get(assignment["id"], 0) for assignment in result.data["assignments"])


def test_what_waits_is_what_there_is_to_grade(call: Any, okafor: ToolExecutionContext) -> None:
    result = call("canvas_list_assignments", okafor, window="waiting")

    counts = [int(number) for number in GRADING.findall("\n".join(result.output.split("\n")[1:]))]
    assert counts
    assert all(counts)
    assert (
        f"{sum(assignment['to_grade'] for assignment in result.data['assignments'])} submission"
        in result.output.split("\n")[0]
    )


@pytest.mark.parametrize("window", ["overdue", "unsubmitted", "late", "graded"])
def test_nothing_is_missing_of_somebody_who_teaches_all_their_courses(
    call: Any, okafor: ToolExecutionContext, window: str
) -> None:
    result = call("canvas_list_assignments", okafor, window=window)

    assert result.output.startswith("Nothing of the student's own to hand in (Canvas")
    assert "The student teaches BIOL 201: Cell Biology, CHEM 105: General Chemistry I" in result.output
    assert result.data["assignments"] == []


def test_one_taught_course_is_read_and_its_assignment_too(call: Any, okafor: ToolExecutionContext) -> None:
    listed = call("canvas_list_assignments", okafor, course="bio", window="all")
    assignment = listed.data["assignments"][0]
    read = call("canvas_get_assignment", okafor, assignment=str(assignment["id"]), course="bio")

    assert {entry["course"] for entry in listed.data["assignments"]} == {"BIOL 201: Cell Biology"}
    assert "taught by the student" in read.output
    assert not OF_ONES_OWN.search(read.output)
    assert not read.is_partial


def test_the_other_tools_know_it_as_well(call: Any, okafor: ToolExecutionContext) -> None:
    courses = call("canvas_list_courses", okafor)
    grades = call("canvas_get_grades", okafor)
    of_bio = call("canvas_get_grades", okafor, course="bio")
    todo = call("canvas_list_todo", okafor)

    assert courses.output.count("taught by the student") == 2
    assert [course["roles"] for course in courses.data["courses"]] == [["teacher"], ["teacher"]]
    assert grades.output.startswith("Current grades in no courses")
    assert "nothing there is theirs to hand in" in grades.output
    assert "no grade of theirs" in of_bio.output
    assert "to grade" in todo.output
    assert not OF_ONES_OWN.search(todo.output)


@pytest.mark.parametrize(
    ("tool", "nothing"),
    [
        ("canvas_get_workload", "nothing left to do"),
        ("canvas_rank_priorities", "No open items"),
        ("canvas_propose_study_plan", "Nothing is open"),
    ],
)
def test_a_class_is_no_work_of_ones_own(call: Any, okafor: ToolExecutionContext, tool: str, nothing: str) -> None:
    of_a_student, of_a_teacher = call(tool).output, call(tool, okafor).output

    assert "- **" in of_a_student
    assert nothing in of_a_teacher.split("\n")[0]
    assert "- **" not in of_a_teacher


def test_who_assists_in_one_course_and_takes_another_gets_both_apart(call: Any, mixed: ToolExecutionContext) -> None:
    result = call("canvas_list_assignments", mixed, window="upcoming")
    courses = call("canvas_list_courses", mixed)

    taught = {assignment["course"] for assignment in result.data["assignments"] if "to_grade" in assignment}
    own = {assignment["course"] for assignment in result.data["assignments"] if "to_grade" not in assignment}
    assert taught == {"BIOL 201: Cell Biology"}
    assert "BIOL 201: Cell Biology" not in own
    assert re.search(r", and \d+ in courses that the student teaches, ", result.output.split("\n")[0])
    assert "the student assists (TA)" in courses.output


def test_a_student_is_asked_about_once_an_hour(campus: CampusServer, call: Any) -> None:
    call("canvas_list_assignments")
    since = campus.log()[-1]["id"]

    result = call("canvas_list_assignments")

    assert len(campus.log(service="canvas", since=since)) == 1
    assert "teach" not in result.output


def test_what_is_known_of_an_account_ends_with_its_hour() -> None:
    now = [0.0]
    roles, account = TeachingCache(lambda: now[0]), Backoff()
    before = roles.teaches(account)
    roles.store(account, [{"enrollments": [{"type": "teacher"}]}])
    known = roles.teaches(account)
    now[0] = KNOWN_S + 1

    assert (before, known, roles.teaches(account)) == (None, True, None)


@pytest.mark.parametrize(
    ("roles", "taught"),
    [(("teacher",), True), (("ta",), True), (("ta", "student"), False), (("observer",), False), ((), False)],
)
def test_who_also_takes_a_course_is_its_student(roles: tuple[str, ...], taught: bool) -> None:
    row = {"id": 1, "name": "Biology", "enrollments": [{"type": role} for role in roles]}
    (course,), _ = read_courses([row, {"id": 2, "enrollments": "nonsense"}], "https://canvas.example")

    assert is_taught(roles) is taught
    assert course.is_taught is taught


def test_the_model_is_never_called_the_student(call: Any, okafor: ToolExecutionContext) -> None:
    for name, arguments in CALLS:
        told = [call(name, **arguments).output]
        if "course" not in arguments and name not in ("canvas_rank_priorities", "canvas_propose_study_plan"):
            told.append(call(name, okafor, **arguments).output)

        assert [text for text in told if OURS_TO_THE_MODEL.search(QUOTED.sub("", text))] == [], name
