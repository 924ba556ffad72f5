"""Canvas's REST API through canvasapi and through plain HTTP."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any

import httpx
import pytest
from canvasapi import Canvas

from tests.campus_server import CampusServer
from tests.sandbox.canvas_clients import Get, client, getter, pages


@pytest.fixture
def maya(campus: CampusServer) -> Canvas:
    """Maya's client."""
    return client(campus, "maya")


@pytest.fixture
def get(campus: CampusServer) -> Get:
    """Plain GET as Maya."""
    return getter(campus, "maya")


def test_the_current_user_and_profile_are_the_tokens_owner(maya: Canvas) -> None:
    user = maya.get_current_user()

    assert (user.name, user.sortable_name) == ("Maya Chen", "Chen, Maya")
    assert user.get_profile()["time_zone"] == "America/Chicago"


@pytest.mark.parametrize("per_page", [7, 10, 100])
def test_paging_reaches_every_assignment_exactly_once(maya: Canvas, per_page: int) -> None:
    numbers = [row.id for row in pages(maya, "courses/4607/assignments", per_page)]

    assert len(numbers) == len(set(numbers)) == 32


def test_a_list_of_more_than_a_hundred_is_read_to_its_end(campus: CampusServer) -> None:
    okafor = client(campus, "okafor")

    rows = list(pages(okafor, "courses/4201/students/submissions", 100, **{"student_ids[]": "all"}))

    assert len({row.id for row in rows}) == 150
    assert [entry["query"].get("page") for entry in campus.log(service="canvas")][-2:] == [None, "2"]


def test_pages_hold_ten_by_default_and_a_hundred_at_most(get: Get) -> None:
    plain = get("/courses/4607/assignments")
    greedy = get("/courses/4607/assignments", params={"per_page": 5000})

    assert len(plain.json()) == 10
    assert set(plain.links) == {"current", "next", "first", "last"}
    assert "per_page=100" in greedy.links["current"]["url"]
    assert "page=4" in plain.links["last"]["url"]


def test_next_pages_stay_on_the_host_and_keep_the_query(get: Get) -> None:
    first = get("/courses/4607/assignments", params={"order_by": "name", "include[]": "submission"})

    following = first.links["next"]["url"]

    assert httpx.URL(following).netloc == first.url.netloc
    assert get(following).json()[0]["submission"]["user_id"] == 1101


def test_bookmarks_page_the_planner_without_a_last_page(get: Get) -> None:
    seen: list[Any] = []
    page = get("/planner/items", params={"per_page": 7})
    while True:
        seen += page.json()
        if "next" not in page.links:
            break
        page = get(page.links["next"]["url"])

    assert "last" not in page.links
    dates = [item["plannable_date"] for item in seen]
    assert dates == sorted(dates)
    assert len(seen) > 14


def test_a_planner_mixes_types_and_shapes_of_submissions(get: Get) -> None:
    items = get("/planner/items", params={"per_page": 100}).json()

    kinds = {item["plannable_type"] for item in items}
    assert {"assignment", "quiz", "discussion_topic", "announcement", "calendar_event", "planner_note"} <= kinds
    assert {type(item["submissions"]) for item in items} == {bool, dict}


def test_upcoming_events_mix_numbers_and_text_as_ids(maya: Canvas) -> None:
    assert {type(event["id"]) for event in maya.get_upcoming_events()} == {int, str}


def test_courses_carry_what_is_asked_for_and_only_then(get: Get) -> None:
    plain = get("/courses").json()[0]
    full = get("/courses", params={"include[]": ["term", "total_scores", "teachers", "syllabus_body"]}).json()[0]

    assert "computed_current_score" not in plain["enrollments"][0]
    assert not {"term", "teachers", "syllabus_body"} & set(plain)
    assert full["enrollments"][0]["computed_current_score"] > 50
    assert full["teachers"][0]["display_name"] == "Anne Okafor"


def test_concluded_courses_come_only_when_asked_for(maya: Canvas) -> None:
    current = {course.course_code for course in maya.get_courses()}
    over = [course.course_code for course in maya.get_courses(enrollment_state="completed")]

    assert current == {"BIOL 201", "CS 101", "WRIT 110", "HIST 142", "MATH 221"}
    assert over == ["FYS 100"]


@pytest.mark.parametrize(
    ("bucket", "law"),
    [
        ("past", lambda due, now: due is not None and due < now),
        ("overdue", lambda due, now: due is not None and due < now),
        ("undated", lambda due, now: due is None),
        ("upcoming", lambda due, now: due is not None and now <= due <= now + timedelta(days=7)),
        ("future", lambda due, now: due is None or due >= now),
    ],
)
def test_buckets_hold_what_their_names_say(
    get: Get, bucket: str, law: Callable[[datetime | None, datetime], bool]
) -> None:
    rows = get("/courses/4505/assignments", params={"bucket": bucket}).json()

    now = datetime.now(UTC)
    assert rows
    assert all(law(datetime.fromisoformat(row["due_at"]) if row["due_at"] else None, now) for row in rows)


def test_overdue_and_missing_submissions_agree(get: Get) -> None:
    courses = [row["id"] for row in get("/courses").json()]
    overdue = [get(f"/courses/{number}/assignments", params={"bucket": "overdue"}).json() for number in courses]
    missing = {row["name"] for row in get("/users/self/missing_submissions").json()}

    assert {row["name"] for rows in overdue for row in rows} == missing
    assert "Written HW 4" in missing


def test_search_and_order(maya: Canvas) -> None:
    found = maya.get_course(4201).get_assignments(search_term="lab report", order_by="name")

    names = [row.name for row in found]
    assert len(names) == 6
    assert names == sorted(names)


def test_an_assignment_that_is_not_open_yet_says_until_when(maya: Canvas) -> None:
    assignment = maya.get_course(4607).get_assignments(search_term="Taylor")[0]

    assert assignment.locked_for_user
    assert assignment.lock_explanation.startswith("This assignment is locked until ")


def test_statistics_come_with_enough_grades_only(get: Get) -> None:
    rows = get("/courses/4310/assignments", params={"include[]": "score_statistics", "per_page": 100}).json()
    by_name = {row["name"]: row for row in rows}

    statistics = by_name["Midterm A"]["score_statistics"]
    assert statistics["min"] <= statistics["median"] <= statistics["max"]
    assert "score_statistics" not in by_name["HW 6: Maze solver (stacks & queues)"]


def test_groups_have_weights_that_make_a_hundred(maya: Canvas) -> None:
    groups = list(maya.get_course(4310).get_assignment_groups(include=["assignments"]))

    assert sum(group.group_weight for group in groups) == 100
    assert sum(len(group.assignments) for group in groups) == 27
    assert any(group.rules.get("drop_lowest") == 2 for group in groups)


def test_submissions_are_the_students_own(maya: Canvas, get: Get) -> None:
    own = get("/courses/4310/students/submissions", params={"student_ids[]": "self", "per_page": 100}).json()
    others = get("/courses/4310/students/submissions", params={"student_ids[]": "1201"})
    submission = maya.get_course(4310).get_assignment(own[0]["assignment_id"]).get_submission("self")

    assert {row["user_id"] for row in own} == {1101}
    assert submission.score == own[0]["score"]
    assert others.status_code == 403


def test_classmates_have_names_but_no_grades(maya: Canvas) -> None:
    rows = list(maya.get_course(4201).get_enrollments(type=["StudentEnrollment"]))

    graded = [row.user_id for row in rows if hasattr(row, "grades")]
    assert len(rows) == 5
    assert graded == [1101]


def test_a_teacher_sees_everyones_grades_and_what_to_grade(campus: CampusServer) -> None:
    get = getter(campus, "okafor")
    everyone = {"student_ids[]": "all", "grouped": "1"}

    enrolled = get("/courses/4201/enrollments", params={"type[]": "StudentEnrollment"}).json()
    groups = get("/courses/4201/students/submissions", params=everyone).json()
    todo = get("/users/self/todo").json()

    assert all(row["grades"]["current_score"] for row in enrolled)
    assert {row["user_id"] for row in groups} == {row["user_id"] for row in enrolled}
    assert {item["type"] for item in todo} == {"grading"}


def test_announcements_need_their_courses(maya: Canvas, get: Get) -> None:
    bare = get("/announcements")
    recent = list(maya.get_announcements(context_codes=["course_4201"]))
    older = list(maya.get_announcements(context_codes=["course_4201"], start_date="2020-01-01", end_date="2100-01-01"))

    assert (bare.status_code, bare.json()) == (400, {"message": "Missing context_codes"})
    assert [row.context_code for row in recent] == ["course_4201"] * 2
    assert len(older) == 3


def test_the_calendar_lists_the_work_of_ten_courses_and_leaves_out_what_is_closed(get: Get) -> None:
    codes = ["course_4201", "course_4310", "course_1", *(f"course_{number}" for number in range(2, 9)), "course_4607"]
    wanted = {"type": "assignment", "all_events": "true", "include[]": "submission", "excludes[]": "description"}

    rows = get("/calendar_events", params={**wanted, "context_codes[]": codes, "per_page": 100}).json()
    undated = get("/calendar_events", params={**wanted, "undated": "true", "context_codes[]": codes}).json()

    assert {row["context_code"] for row in rows} == {"course_4201", "course_4310"}
    assert all(row["assignment"]["submission"]["assignment_id"] == row["assignment"]["id"] for row in rows)
    assert not any("description" in row for row in rows)
    assert undated


def test_modules_discussions_and_calendar_events_are_there(maya: Canvas) -> None:
    course = maya.get_course(4201)
    end = (datetime.now(UTC) + timedelta(days=30)).date().isoformat()

    modules = list(course.get_modules(include=["items"]))
    assert [module.items_count for module in modules] == [len(module.items) for module in modules]
    assert "Ask anything before the unit 3 quiz" in {topic.title for topic in course.get_discussion_topics()}
    assert [event.title for event in maya.get_calendar_events(context_codes=["course_4201"], end_date=end)]


def test_a_quiz_is_read_as_its_list_has_it_and_another_courses_is_not_there(maya: Canvas, get: Get) -> None:
    course = maya.get_course(4201)
    listed = next(iter(course.get_quizzes()))

    assert course.get_quiz(listed.id).time_limit == listed.time_limit
    assert get("/courses/4310/quizzes/1").status_code in (403, 404)
    assert get("/courses/4201/quizzes/1").status_code == 404


def test_events_and_due_dates_tell_when_they_were_made(get: Get) -> None:
    path = "/calendar_events?context_codes[]=course_4201&all_events=true&type="

    rows = [row for type in ("event", "assignment") for row in get(f"{path}{type}").json()]

    assert {"event", "assignment"} <= {row["type"] for row in rows}
    assert all(row["created_at"] and row["updated_at"] for row in rows)
