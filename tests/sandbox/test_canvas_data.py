"""What the campus's Canvas holds, on whatever day it is seeded, and how its web pages show it."""

from datetime import date, datetime, time, timedelta
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest

from sandbox.app import campus_app
from sandbox.campus import Campus
from sandbox.canvas.gradebook.grades import letter, totals
from sandbox.canvas.school import School
from sandbox.canvas.seeds.course_loader import seed
from sandbox.canvas.seeds.times import written
from sandbox.people import PEOPLE
from sandbox.state import State
from tests.campus_server import CampusServer

CHICAGO = ZoneInfo("America/Chicago")


@pytest.fixture
def school(tmp_path: Path) -> School:
    """A freshly seeded Canvas."""
    return school_on(tmp_path, None)


def school_on(folder: Path, day: date | None) -> School:
    """A Canvas seeded on this day."""
    state = State(folder / "campus.sqlite")
    today = datetime.now(CHICAGO).date()
    shift = (day or today) - today
    campus = Campus(origin="http://localhost:8501/sandbox", state=state, people=PEOPLE, shift=shift)
    with state.transaction():
        seed(campus)
    return School(campus=campus)


@pytest.mark.parametrize(("person", "courses"), [("maya", 5), ("diego", 5)])
def test_a_student_has_five_courses_and_at_least_120_assignments(school: School, person: str, courses: int) -> None:
    taken = school.courses_of(school.user_of(person)["id"])

    assert len(taken) == courses
    assert sum(len(school.assignments(course["id"])) for course, _ in taken) >= 120


@pytest.mark.parametrize("person", ["maya", "diego"])
def test_a_student_has_every_kind_of_work(school: School, person: str) -> None:
    user_id = school.user_of(person)["id"]
    pairs = [
        (assignment, school.submission(assignment["id"], user_id))
        for course, _ in school.courses_of(user_id)
        for assignment in school.assignments(course["id"])
    ]

    assert sum(school.is_missing(assignment, submission) for assignment, submission in pairs) >= 5
    assert sum(row is not None and row["score"] is not None for _, row in pairs) >= 60
    assert any(row is not None and row["workflow_state"] == "submitted" for _, row in pairs)
    assert any(assignment["due_at"] is None for assignment, _ in pairs)


def test_work_is_due_on_several_days_of_the_coming_week(school: School) -> None:
    now = school.campus.now()
    due = [
        datetime.fromisoformat(assignment["due_at"]).astimezone(CHICAGO)
        for course, _ in school.courses_of(school.user_of("maya")["id"])
        for assignment in school.assignments(course["id"])
        if assignment["due_at"]
    ]

    days = {moment.date() for moment in due if 0 <= (moment - now).total_seconds() < 7 * 86400}
    assert len(days) >= 5


def test_a_wall_clock_deadline_stays_when_the_clocks_change(tmp_path: Path) -> None:
    school = school_on(tmp_path, date(2026, 10, 29))
    rows = {row["name"]: row["due_at"] for row in school.assignments(4201)}

    assert rows["Problem Set 8: Cell cycle and mitosis"] == "2026-11-02T05:59:59Z"
    assert rows["Problem Set 7: Endomembrane system"] == "2026-10-24T04:59:59Z"


def test_nothing_is_posted_in_the_future_on_the_morning_of_a_lecture(tmp_path: Path) -> None:
    now = datetime.now(CHICAGO).replace(tzinfo=None)
    night = datetime.combine(now.date(), time(0, 5)) + timedelta(days=(2 - now.weekday()) % 7)
    state = State(tmp_path / "campus.sqlite")
    campus = Campus(origin="http://localhost:8501/sandbox", state=state, people=PEOPLE, shift=night - now)
    with state.transaction():
        seed(campus)

    files = state.all("canvas.files")
    lecture = next(file for file in files if file["source"] == "biol201/lecture-24-checkpoints-and-cancer")
    assert lecture["created_at"][:13] == campus.now().strftime("%Y-%m-%dT%H")
    assert [file["source"] for file in files if file["created_at"] > written(campus.now())] == []


def test_every_course_weighs_a_hundred_and_knows_its_titles(school: School) -> None:
    for course in school.courses():
        assert sum(group["group_weight"] for group in school.groups(course["id"])) == 100
        names = [row["name"] for row in school.assignments(course["id"])]
        assert len(names) == len(set(names))


def test_two_students_of_one_course_have_different_grades(school: School) -> None:
    assert school.totals(4310, 1101).current != school.totals(4310, 1102).current


def test_totals_weigh_groups_drop_the_lowest_and_leave_out_the_excused() -> None:
    groups = [
        {"id": 1, "group_weight": 60, "drop_lowest": 1},
        {"id": 2, "group_weight": 40, "drop_lowest": 0},
        {"id": 3, "group_weight": 0, "drop_lowest": 0},
    ]
    assignments = [
        {"id": number, "group_id": group, "points_possible": 10, "omit_from_final_grade": False}
        for number, group in ((1, 1), (2, 1), (3, 2), (4, 2), (5, 1))
    ]
    submissions = {
        1: {"score": 10, "excused": False},
        2: {"score": 2, "excused": False},
        3: {"score": 5, "excused": False},
        5: {"score": None, "excused": True},
    }

    result = totals(groups, assignments, submissions)

    assert (result.current, result.final) == (80.0, 70.0)
    assert (letter(result.current), letter(93.99), letter(12.0), letter(None)) == ("B-", "A-", "F", None)


def test_a_hostile_title_is_text_on_the_web_page_and_loads_nothing(campus: CampusServer) -> None:
    page = campus.http.get(f"{campus.url}/canvas/courses/4505/assignments/4505007").text

    assert "&lt;b&gt;read first&lt;/b&gt;" in page
    assert "<img" not in page
    assert "<b>" not in page


@pytest.mark.parametrize(
    "path",
    [
        "/",
        "/announcements",
        "/courses/4201",
        "/courses/4201/assignments",
        "/courses/4201/assignments/4201008",
        "/courses/4201/quizzes/4201720",
        "/courses/4201/announcements",
        "/courses/4201/discussion_topics/4201900",
        "/courses/4201/grades/1101",
        "/profile/settings",
    ],
)
def test_the_links_that_answers_carry_open_pages(campus: CampusServer, path: str) -> None:
    page = campus.http.get(f"{campus.url}/canvas{path}")

    assert (page.status_code, page.headers["content-type"]) == (200, "text/html; charset=utf-8")


def test_every_link_of_the_planner_opens(campus: CampusServer) -> None:
    headers = {"authorization": f"Bearer {campus.token('canvas')}"}
    items = campus.http.get(f"{campus.url}/canvas/api/v1/planner/items?per_page=100", headers=headers).json()
    links = {item["html_url"] for item in items if "html_url" in item}

    assert {campus.http.get(link).status_code for link in links} == {200}


def test_the_campus_can_be_mounted_by_another_app(tmp_path: Path) -> None:
    app = campus_app(origin="http://localhost:8501", database=tmp_path / "data" / "campus.sqlite")

    assert {"/oidc", "/canvas", "/google", "/notion", "/anthropic"} <= {
        getattr(route, "path", "") for route in app.routes
    }
