"""Canvas's first data: the courses and people of `data/*.toml`, with days turned into dates around today."""

import tomllib
from pathlib import Path
from typing import Any

from sandbox.campus import Campus
from sandbox.canvas.school import enrollment_id
from sandbox.canvas.seeds.materials import seed_materials
from sandbox.canvas.seeds.modules import seed_modules
from sandbox.canvas.seeds.people import seed_entries, seed_reviews
from sandbox.canvas.seeds.submissions import Student, seed_submissions
from sandbox.canvas.seeds.times import at, written

DATA = Path(__file__).parents[1] / "data"
UNDATED = "undated"
TERM_DAYS = (-86, 32)
LAST_TERM_DAYS = (-300, -195)
HANDED_IN = {
    "upload": ["online_upload"],
    "text": ["online_text_entry"],
    "url": ["online_url", "online_text_entry"],
    "quiz": ["online_quiz"],
    "discussion": ["discussion_topic"],
    "external": ["external_tool"],
    "paper": ["on_paper"],
    "none": ["none"],
}
Row = dict[str, Any]


def seed(campus: Campus) -> None:
    """Write terms, people, courses and everything in them."""
    people = _read("people")
    courses = {path.stem: _read(path.stem) for path in sorted(DATA.glob("*.toml")) if path.stem != "people"}
    by_code = {course["code"]: course for course in courses.values()}
    people["students"] |= {each.person.id: each.as_canvas_student(by_code) for each in campus.personas}
    _seed_people(campus, people)
    _seed_terms(campus)
    for name, course in courses.items():
        _seed_course(campus, course, people)
        seed_materials(campus, course, name)


def _read(name: str) -> Row:
    return tomllib.loads((DATA / f"{name}.toml").read_text())


def _seed_people(campus: Campus, people: Row) -> None:
    known = [(key, facts) for kind in ("teachers", "students") for key, facts in people[kind].items()]
    for key, facts in known:
        person = key if key in campus.people else None
        campus.state.put("canvas.users", facts["id"], {"id": facts["id"], "name": facts["name"], "person": person})
        for index, (day, time, title) in enumerate(facts.get("notes", [])):
            note = {"id": facts["id"] * 10 + index, "user_id": facts["id"], "title": title}
            campus.state.put("canvas.notes", note["id"], {**note, "todo_date": at(campus, day, time)})
    for number, facts in people["classmates"].items():
        campus.state.put("canvas.users", number, {"id": int(number), "name": facts["name"], "person": None})


def _seed_terms(campus: Campus) -> None:
    for number, days in ((90, LAST_TERM_DAYS), (91, TERM_DAYS)):
        start, end = (campus.local(day) for day in days)
        season = "Spring" if start.month in (12, 1, 2, 3) else "Summer" if start.month in (4, 5, 6) else "Fall"
        year = start.year + (start.month == 12)
        term = {"id": number, "name": f"{season} {year}", "start_at": written(start), "end_at": written(end)}
        campus.state.put("canvas.terms", number, term)


def _seed_course(campus: Campus, course: Row, people: Row) -> None:
    number, is_concluded = course["id"], course.get("is_concluded", False)
    campus.state.put(
        "canvas.courses",
        number,
        {
            "id": number,
            "name": f"{course['code']}: {course['name']}",
            "course_code": course["code"],
            "term_id": 90 if is_concluded else 91,
            "is_concluded": is_concluded,
            "syllabus_body": course["syllabus"].strip(),
            "teacher_id": people["teachers"][course["teacher"]]["id"],
            "place": course["place"],
            "hides_grades": course.get("hides_grades", False),
            "is_restricted": course.get("is_restricted", False),
            "hides_files": course.get("hides_files", False),
            "scheme": course.get("scheme", []),
        },
    )
    _seed_periods(campus, course)
    assignments = _seed_assignments(campus, course)
    students = _students(course["code"], people)
    _seed_enrollments(campus, course, people["teachers"][course["teacher"]]["id"], students)
    seed_submissions(campus, assignments, students)
    _seed_topics(campus, course, assignments, people)
    seed_entries(campus, course, people)
    seed_reviews(campus, course, assignments, people)
    seed_modules(campus, course, assignments)
    _seed_events(campus, course)


def _seed_periods(campus: Campus, course: Row) -> None:
    for index, period in enumerate(course.get("grading_periods", []), 1):
        number, (first, last) = course["id"] * 10 + index, period["days"]
        edges = {"start_date": at(campus, first, "00:00"), "end_date": at(campus, last, "23:59")}
        facts = {"id": number, "course_id": course["id"], "title": period["title"], "weight": period["weight"]}
        campus.state.put("canvas.periods", number, {**facts, **edges})


def _seed_assignments(campus: Campus, course: Row) -> list[Row]:
    assignments: list[Row] = []
    for index, group in enumerate(course["groups"], 1):
        group_id = course["id"] * 100 + index
        facts = {"id": group_id, "course_id": course["id"], "name": group["name"], "position": index}
        for item in group["items"]:
            about = {"description": group["about"], "time_limit": group.get("time_limit")}
            details = {**about, **course.get("details", {}).get(item[4], {})}
            assignments.append(_assignment(campus, course["id"] * 1000 + len(assignments) + 1, group_id, item, details))
        never = [assignment["id"] for assignment in assignments if assignment["name"] in group.get("never_drop", [])]
        drops = {rule: group.get(rule, 0) for rule in ("drop_lowest", "drop_highest")}
        rules = {"group_weight": group["weight"], **drops, "never_drop": never}
        campus.state.put("canvas.groups", group_id, {**facts, **rules})
    for position, assignment in enumerate(assignments, 1):
        campus.state.put("canvas.assignments", assignment["id"], {**assignment, "position": position})
    return assignments


def _assignment(campus: Campus, number: int, group_id: int, item: list[Any], details: Row) -> Row:
    day, time, points, how, title = item
    made = min(-60, day - 20) if isinstance(day, int) else -60
    return {
        "id": number,
        "course_id": group_id // 100,
        "group_id": group_id,
        "name": title,
        "description": details["description"] or None,
        "day": day if isinstance(day, int) else None,
        "due_at": at(campus, day, time),
        "unlock_at": at(campus, details.get("opens", UNDATED), "00:00"),
        "lock_at": at(campus, details.get("locks", UNDATED), "23:59"),
        "created_at": at(campus, made, "09:12"),
        "points_possible": points,
        "how": how,
        "submission_types": HANDED_IN[how],
        "grading_type": details.get("grading", "points" if points else "not_graded"),
        "allowed_attempts": details.get("attempts", 1 if how == "quiz" else -1),
        "allowed_extensions": details.get("extensions", []),
        "rubric": details.get("rubric", []),
        "peer_reviews": details.get("peer_reviews", False),
        "omit_from_final_grade": details.get("omit", False),
        "quiz_id": number + 700 if how == "quiz" else None,
        "time_limit": details["time_limit"] if how == "quiz" else None,
        "topic_id": number + 500 if how == "discussion" else None,
    }


def _students(code: str, people: Row) -> list[Student]:
    named = [
        Student(user_id=facts["id"], **facts["courses"][code])
        for facts in people["students"].values()
        if code in facts["courses"]
    ]
    classmates = [
        Student(user_id=int(number), mean=facts["courses"][code])
        for number, facts in people["classmates"].items()
        if code in facts["courses"]
    ]
    return named + classmates


def _seed_enrollments(campus: Campus, course: Row, teacher_id: int, students: list[Student]) -> None:
    state = "completed" if course.get("is_concluded") else "active"
    roles = [(teacher_id, "TeacherEnrollment"), *((student.user_id, "StudentEnrollment") for student in students)]
    for user_id, role in roles:
        number = enrollment_id(course["id"], user_id)
        facts = {"id": number, "course_id": course["id"], "user_id": user_id, "type": role, "enrollment_state": state}
        campus.state.put("canvas.enrollments", number, facts)


def _seed_topics(campus: Campus, course: Row, assignments: list[Row], people: Row) -> None:
    first = course["id"] * 1000 + 900
    posts = [("announcements", True), ("discussions", False)]
    plain = [(facts, is_news) for kind, is_news in posts for facts in course.get(kind, [])]
    for index, (facts, is_news) in enumerate(plain):
        moment = at(campus, facts["day"], facts["time"])
        topic = {"id": first + index, "course_id": course["id"], "title": facts["title"], "message": facts["message"]}
        posted_at = moment if is_news else at(campus, -15, "08:00")
        todo_date = None if is_news else moment
        author = people["teachers"][course["teacher"]]["id"] if is_news else facts.get("author")
        rest = {"is_announcement": is_news, "posted_at": posted_at, "todo_date": todo_date, "assignment_id": None}
        more = {"author_id": author, "post_first": facts.get("post_first", False)}
        campus.state.put("canvas.topics", topic["id"], {**topic, **rest, **more})
    for assignment in assignments:
        if assignment["topic_id"]:
            topic = {"id": assignment["topic_id"], "course_id": course["id"], "title": assignment["name"]}
            rest = {"message": assignment["description"], "posted_at": assignment["created_at"], "todo_date": None}
            kind = {"is_announcement": False, "assignment_id": assignment["id"], "author_id": None, "post_first": False}
            campus.state.put("canvas.topics", topic["id"], {**topic, **rest, **kind})


def _seed_events(campus: Campus, course: Row) -> None:
    for index, event in enumerate(course.get("events", []), 1):
        number = course["id"] * 100 + 80 + index
        times = {"start_at": at(campus, event["day"], event["start"]), "end_at": at(campus, event["day"], event["end"])}
        facts = {"id": number, "course_id": course["id"], "title": event["title"], "location_name": event["place"]}
        campus.state.put("canvas.events", number, {**facts, **times})
