"""People, courses and enrollments (Canvas API: Users, Courses, Enrollments); grades are the asker's own only."""

from typing import Any

from sandbox.canvas.answers import not_allowed, not_found
from sandbox.canvas.api import Call, Endpoint
from sandbox.canvas.feed import feed_address
from sandbox.canvas.gradebook.grades import SCHEME, Totals, letter
from sandbox.canvas.gradebook.periods import period_facts, period_scores
from sandbox.canvas.school import Row

COURSE_INCLUDE = (
    "needs_grading_count",
    "syllabus_body",
    "public_description",
    "total_scores",
    "current_grading_period_scores",
    "grading_periods",
    "term",
    "account",
    "course_progress",
    "sections",
    "storage_quota_used_mb",
    "total_students",
    "passback_status",
    "favorites",
    "teachers",
    "observed_users",
    "tabs",
    "course_image",
    "banner_image",
    "concluded",
    "all_courses",
    "permissions",
    "post_manually",
    # Not in the documentation, but what Instructure's own apps ask for (lib/api/v1/course.rb of canvas-lms).
    "grading_scheme",
)
TYPES = ("teacher", "student", "ta", "observer", "designer")
ROLES = {"TeacherEnrollment": ("teacher", 4), "StudentEnrollment": ("student", 3)}


def endpoints() -> list[Endpoint]:
    """What this file answers."""
    listing = {
        "include": COURSE_INCLUDE,
        "enrollment_type": TYPES,
        "enrollment_role": None,
        "enrollment_role_id": None,
        "enrollment_state": ("active", "invited_or_pending", "completed"),
        "exclude_blueprint_courses": None,
        "state": ("unpublished", "available", "completed", "deleted"),
        "homeroom": None,
    }
    enrollment = {
        "type": tuple(ROLES),
        "role": None,
        "state": None,
        "include": ("avatar_url", "group_ids", "locked", "observed_users", "can_be_removed", "uuid", "current_points"),
        "user_id": None,
        "grading_period_id": None,
        "enrollment_term_id": None,
    }
    return [
        Endpoint(path="/users/{user_id}", read=show_user, parameters={"include": None}),
        Endpoint(path="/users/{user_id}/profile", read=show_profile),
        Endpoint(path="/courses", read=list_courses, parameters=listing),
        Endpoint(path="/users/{user_id}/courses", read=list_courses_of_user, parameters=listing),
        Endpoint(
            path="/courses/{course_id}", read=show_course, parameters={"include": COURSE_INCLUDE, "teacher_limit": None}
        ),
        Endpoint(
            path="/courses/{course_id}/enrollments", read=list_enrollments, parameters=enrollment, paging="bookmark"
        ),
        Endpoint(path="/users/{user_id}/enrollments", read=list_own_enrollments, parameters=enrollment),
    ]


def show_user(call: Call) -> Row:
    """The asker; other people are not shown to a student's token."""
    _only_self(call)
    name = call.user["name"]
    return {
        **_names(call.user),
        "created_at": "2025-08-11T15:02:10Z",
        "avatar_url": f"{call.school.web}/images/messages/avatar-50.png",
        "locale": None,
        "effective_locale": "en",
        "permissions": {"can_update_name": False, "can_update_avatar": True, "limit_parent_app_web_access": False},
        "pronouns": None,
        "last_name": name.rpartition(" ")[2],
        "first_name": name.partition(" ")[0],
    }


def show_profile(call: Call) -> Row:
    """The asker's profile, with the time zone that Canvas writes dates for."""
    _only_self(call)
    person = call.school.campus.people[call.user["person"]]
    return {
        **_names(call.user),
        "avatar_url": f"{call.school.web}/images/messages/avatar-50.png",
        **dict.fromkeys(("title", "bio", "pronunciation", "locale")),
        "primary_email": person.email,
        "calendar": {"ics": feed_address(call.school, call.user["person"])},
        "login_id": person.email,
        "time_zone": person.timezone,
        "effective_locale": "en",
    }


def list_courses(call: Call) -> list[Row]:
    """The asker's courses; those that are over only when asked for."""
    state = call.value("enrollment_state") or "active"
    if "completed" in call.values("state") and not call.value("enrollment_state"):
        state = "completed"
    wanted = call.value("enrollment_type")
    rows = [
        course_json(call, course, enrollment)
        for course, enrollment in call.school.courses_of(call.user_id, state)
        if not wanted or ROLES[enrollment["type"]][0] == wanted
    ]
    closed = call.school.courses_of(call.user_id, state, closed=True)
    return [*rows, *({"id": course["id"], "access_restricted_by_date": True} for course, _ in closed)]


def list_courses_of_user(call: Call) -> list[Row]:
    """The same, by the user's id."""
    _only_self(call)
    return list_courses(call)


def show_course(call: Call) -> Row:
    """One course."""
    course = call.course()
    enrollment = call.school.enrollment(course["id"], call.user_id)
    return course_json(call, course, enrollment) if enrollment else {}


def list_enrollments(call: Call) -> list[Row]:
    """Who is in a course: everyone's names, but only the asker's own grades unless they teach it."""
    course = call.course()
    rows = call.school.enrollments(course_id=course["id"])
    return [enrollment_json(call, row) for row in _wanted(call, rows)]


def list_own_enrollments(call: Call) -> list[Row]:
    """The asker's enrollments."""
    _only_self(call)
    rows = call.school.enrollments(user_id=call.user_id)
    active = [row for row in rows if row["enrollment_state"] in (call.values("state") or ["active"])]
    return [enrollment_json(call, row) for row in _wanted(call, active)]


def course_json(call: Call, course: Row, enrollment: Row) -> Row:
    """A course as this asker sees it."""
    term = call.school.term(course)
    answer: dict[str, Any] = {
        "id": course["id"],
        "name": course["name"],
        "course_code": course["course_code"],
        "account_id": 1,
        "uuid": f"homeroom{course['id']}",
        "start_at": term["start_at"],
        "end_at": term["end_at"] if course["is_concluded"] else None,
        "created_at": term["start_at"],
        "enrollment_term_id": term["id"],
        "grading_standard_id": 1,
        "is_public": False,
        "is_public_to_auth_users": False,
        "default_view": "modules",
        "root_account_id": 1,
        "license": "private",
        "time_zone": "America/Chicago",
        "apply_assignment_group_weights": True,
        "hide_final_grades": course["hides_grades"],
        "public_syllabus": False,
        "blueprint": False,
        "template": False,
        "workflow_state": "available",
        "restrict_enrollments_to_course_dates": False,
        "calendar": {"ics": f"{call.school.web}/feeds/calendars/course_{course['id']}.ics"},
        "enrollments": [_own_role(call, course, enrollment)],
    }
    return {**answer, **_included(call, course, term)}


def enrollment_json(call: Call, row: Row) -> Row:
    """An enrollment; `grades` is there only for those who may see it."""
    user = call.school.user(row["user_id"])
    role, role_id = ROLES[row["type"]]
    web = f"{call.school.web}/courses/{row['course_id']}"
    answer = {
        **{key: row[key] for key in ("id", "course_id", "user_id", "type", "enrollment_state")},
        "role": row["type"],
        "role_id": role_id,
        "course_section_id": row["course_id"],
        "limit_privileges_to_course_section": False,
        "root_account_id": 1,
        "html_url": f"{web}/users/{row['user_id']}",
        "user": _names(user) if user else None,
    }
    may_see = row["user_id"] == call.user_id or call.is_teacher_of(row["course_id"])
    if role == "student" and may_see:
        answer["grades"] = _grades(f"{web}/grades/{row['user_id']}", _totals(call, row))
    return answer


def _own_role(call: Call, course: Row, enrollment: Row) -> Row:
    role, role_id = ROLES[enrollment["type"]]
    answer = {
        "type": role,
        "role": enrollment["type"],
        "role_id": role_id,
        "user_id": call.user_id,
        "enrollment_state": enrollment["enrollment_state"],
        "limit_privileges_to_course_section": False,
    }
    if role == "student" and call.includes("total_scores") and not course["hides_grades"]:
        totals = _totals(call, enrollment)
        answer |= {
            "computed_current_score": totals.current,
            "computed_current_grade": letter(totals.current, course["scheme"]),
            "computed_final_score": totals.final,
            "computed_final_grade": letter(totals.final, course["scheme"]),
        }
        answer |= period_scores(call, course) if call.includes("current_grading_period_scores") else {}
    return answer


def _included(call: Call, course: Row, term: Row) -> Row:
    answer: Row = period_facts(call, course) if call.includes("current_grading_period_scores") else {}
    if call.includes("term"):
        answer["term"] = {
            **term,
            "created_at": term["start_at"],
            "workflow_state": "active",
            "grading_period_group_id": None,
        }
    if call.includes("syllabus_body"):
        answer["syllabus_body"] = course["syllabus_body"]
    if call.includes("teachers"):
        teacher = call.school.user(course["teacher_id"])
        shown = {"id": teacher["id"], "display_name": teacher["name"]} if teacher else {}
        web = f"{call.school.web}/courses/{course['id']}/users/{course['teacher_id']}"
        answer["teachers"] = [{**shown, "avatar_image_url": None, "html_url": web, "anonymous_id": "teach"}]
    if call.includes("total_students"):
        answer["total_students"] = len(call.school.enrollments(course_id=course["id"], type="StudentEnrollment"))
    if call.includes("favorites"):
        answer["is_favorite"] = not course["is_concluded"]
    if call.includes("concluded"):
        answer["concluded"] = course["is_concluded"]
    if call.includes("grading_scheme"):
        answer["grading_scheme"] = [[name, least / 100] for least, name in course["scheme"] or SCHEME] + [["F", 0.0]]
    if call.includes("public_description"):
        answer["public_description"] = None
    return answer


def _grades(web: str, totals: Totals) -> Row:
    return {
        "html_url": web,
        "current_score": totals.current,
        "current_grade": letter(totals.current),
        "final_score": totals.final,
        "final_grade": letter(totals.final),
    }


def _totals(call: Call, enrollment: Row) -> Totals:
    return call.school.totals(enrollment["course_id"], enrollment["user_id"])


def _wanted(call: Call, rows: list[Row]) -> list[Row]:
    types, user = call.values("type"), call.value("user_id")
    if types:
        rows = [row for row in rows if row["type"] in types]
    if user:
        number = str(call.user_id) if user == "self" else user
        rows = [row for row in rows if str(row["user_id"]) == number]
    return rows


def _names(user: Row) -> Row:
    given, _, family = user["name"].rpartition(" ")
    return {
        "id": user["id"],
        "name": user["name"],
        "sortable_name": f"{family}, {given}",
        "short_name": user["name"],
    }


def _only_self(call: Call) -> None:
    number = call.path("user_id")
    if call.is_self(number):
        return
    raise not_allowed() if number.isdecimal() and call.school.user(number) else not_found()
