"""Assignments and assignment groups (Canvas API: Assignments, Assignment Groups)."""

from datetime import datetime, timedelta
from statistics import mean, quantiles
from typing import Any

from sandbox.canvas.answers import bad_request, not_found
from sandbox.canvas.api import Call, Endpoint
from sandbox.canvas.gradebook.submission_json import submission_json
from sandbox.canvas.school import Row, expects_submission, moment

BUCKETS = ("past", "overdue", "undated", "ungraded", "unsubmitted", "upcoming", "future")
INCLUDE = (
    "submission",
    "assignment_visibility",
    "all_dates",
    "overrides",
    "observed_users",
    "can_edit",
    "score_statistics",
    "ab_guid",
)
FEWEST_FOR_STATISTICS = 5


def endpoints() -> list[Endpoint]:
    """What this file answers."""
    listing = {
        "include": INCLUDE,
        "search_term": None,
        "override_assignment_dates": None,
        "needs_grading_count_by_section": None,
        "bucket": BUCKETS,
        "assignment_ids": None,
        "order_by": ("position", "name", "due_at"),
        "post_to_sis": None,
        "new_quizzes": None,
    }
    query = {
        "include": INCLUDE,
        "override_assignment_dates": None,
        "needs_grading_count_by_section": None,
        "all_dates": None,
    }
    groups = {
        "include": ("assignments", "discussion_topic", *INCLUDE),
        "assignment_ids": None,
        "exclude_assignment_submission_types": ("online_quiz", "discussion_topic", "wiki_page", "external_tool"),
        "override_assignment_dates": None,
        "grading_period_id": None,
        "scope_assignments_to_student": None,
    }
    return [
        Endpoint(path="/courses/{course_id}/assignments", read=list_assignments, parameters=listing),
        Endpoint(path="/users/{user_id}/courses/{course_id}/assignments", read=list_assignments, parameters=listing),
        Endpoint(path="/courses/{course_id}/assignments/{assignment_id}", read=show_assignment, parameters=query),
        Endpoint(path="/courses/{course_id}/assignment_groups", read=list_groups, parameters=groups),
        Endpoint(
            path="/courses/{course_id}/assignment_groups/{group_id}/assignments", read=list_of_group, parameters=listing
        ),
    ]


def list_assignments(call: Call) -> list[Row]:
    """A course's assignments, filtered and ordered as asked."""
    course = call.course()
    rows = call.school.assignments(course["id"])
    if wanted := call.values("assignment_ids"):
        rows = [row for row in rows if str(row["id"]) in wanted]
    if term := call.value("search_term"):
        if len(term) < 2:
            raise bad_request("search_term must have at least 2 characters")
        rows = [row for row in rows if term.lower() in row["name"].lower()]
    if bucket := call.value("bucket"):
        rows = [row for row in rows if _is_in(call, row, bucket)]
    return [assignment_json(call, row) for row in sorted(rows, key=_order(call.value("order_by")))]


def show_assignment(call: Call) -> Row:
    """One assignment."""
    return assignment_json(call, call.assignment())


def list_groups(call: Call) -> list[Row]:
    """A course's assignment groups with their weights, with assignments when asked."""
    course = call.course()
    period = call.value("grading_period_id")
    if period and period not in [str(known["id"]) for known in call.school.periods(course["id"])]:
        raise not_found()
    assignments = call.school.in_period(course["id"], period) if period else call.school.assignments(course["id"])
    excluded = set(call.values("exclude_assignment_submission_types"))
    wanted = call.values("assignment_ids")
    answers = []
    for group in call.school.groups(course["id"]):
        rules = {rule: group[rule] for rule in ("drop_lowest", "drop_highest", "never_drop") if group[rule]}
        facts = {key: group[key] for key in ("id", "name", "position", "group_weight")}
        answer: dict[str, Any] = {**facts, "sis_source_id": None, "integration_data": {}, "rules": rules}
        if call.includes("assignments"):
            answer["assignments"] = [
                assignment_json(call, row)
                for row in assignments
                if row["group_id"] == group["id"]
                and not excluded & set(row["submission_types"])
                and (not wanted or str(row["id"]) in wanted)
            ]
        answers.append(answer)
    return answers


def list_of_group(call: Call) -> list[Row]:
    """The assignments of one group."""
    return [row for row in list_assignments(call) if str(row["assignment_group_id"]) == call.path("group_id")]


def assignment_json(call: Call, row: Row) -> Row:
    """An assignment as this asker sees it."""
    web = f"{call.school.web}/courses/{row['course_id']}/assignments/{row['id']}"
    answer = {
        "id": row["id"],
        "name": row["name"],
        "description": call.school.html(row["description"]),
        "created_at": row["created_at"],
        "updated_at": row["created_at"],
        "due_at": row["due_at"],
        "unlock_at": row["unlock_at"],
        "lock_at": row["lock_at"],
        "course_id": row["course_id"],
        "html_url": web,
        "submissions_download_url": f"{web}/submissions?zip=1",
        "assignment_group_id": row["group_id"],
        "position": row["position"],
        "points_possible": float(row["points_possible"]),
        "grading_type": row["grading_type"],
        "grading_standard_id": None,
        "submission_types": row["submission_types"],
        "has_submitted_submissions": row["day"] is not None and row["day"] < 0,
        "allowed_attempts": row["allowed_attempts"],
        "peer_reviews": row["peer_reviews"],
        "automatic_peer_reviews": False,
        "group_category_id": None,
        "anonymous_grading": False,
        "published": True,
        "muted": False,
        "omit_from_final_grade": row["omit_from_final_grade"],
        "hide_in_gradebook": False,
        "is_quiz_assignment": row["quiz_id"] is not None,
        "can_duplicate": False,
        "workflow_state": "published",
        **lock_json(call, row),
    }
    if row["quiz_id"]:
        answer["quiz_id"] = row["quiz_id"]
    if row["allowed_extensions"]:
        answer["allowed_extensions"] = row["allowed_extensions"]
    if row["rubric"]:
        points = sum(criterion["points"] for criterion in row["rubric"])
        settings = {"id": row["id"], "title": f"Rubric of {row['name']}", "points_possible": points}
        answer |= {"use_rubric_for_grading": True, "rubric": row["rubric"], "rubric_settings": settings}
    return {**answer, **_included(call, row)}


def lock_json(call: Call, row: Row) -> Row:
    """Whether, since when or until when the assignment is locked."""
    now = call.school.campus.now()
    asset = {"asset_string": f"assignment_{row['id']}", "can_view": True}
    if row["unlock_at"] and now < moment(row["unlock_at"]):
        until = _clock(moment(row["unlock_at"]).astimezone(call.timezone))
        explanation = f"This assignment is locked until {until}."
        return {
            "locked_for_user": True,
            "lock_info": {**asset, "can_view": False, "unlock_at": row["unlock_at"]},
            "lock_explanation": explanation,
        }
    if row["lock_at"] and now > moment(row["lock_at"]):
        since = _clock(moment(row["lock_at"]).astimezone(call.timezone))
        explanation = f"This assignment was locked {since}."
        return {
            "locked_for_user": True,
            "lock_info": {**asset, "lock_at": row["lock_at"]},
            "lock_explanation": explanation,
        }
    return {"locked_for_user": False}


def statistics_json(call: Call, row: Row) -> Row | None:
    """Score statistics, shown once enough are graded."""
    scores = call.school.scores(row)
    if len(scores) < FEWEST_FOR_STATISTICS:
        return None
    lower, median, upper = quantiles(scores, n=4, method="inclusive")
    spread = {"lower_q": lower, "median": median, "upper_q": upper}
    return {"min": scores[0], "max": scores[-1], "mean": round(mean(scores), 2), **spread}


def _included(call: Call, row: Row) -> Row:
    answer: Row = {}
    is_teacher = call.is_teacher_of(row["course_id"])
    if call.includes("submission") and not is_teacher:
        answer["submission"] = submission_json(call, row, call.user_id)
    if call.includes("score_statistics") and (statistics := statistics_json(call, row)):
        answer["score_statistics"] = statistics
    if call.includes("all_dates"):
        dates = {key: row[key] for key in ("due_at", "unlock_at", "lock_at")}
        answer["all_dates"] = [{**dates, "base": True}]
    if is_teacher:
        rows = call.school.submissions_for(row)
        answer["needs_grading_count"] = sum(entry["workflow_state"] == "submitted" for entry in rows)
    return answer


def _is_in(call: Call, row: Row, bucket: str) -> bool:
    # As lib/sorts_assignments.rb of canvas-lms sorts them; "ungraded" and "unsubmitted" are for graders only.
    now = call.school.campus.now()
    due = moment(row["due_at"]) if row["due_at"] else None
    if bucket == "undated":
        return due is None
    if bucket == "future":
        return due is None or due >= now
    if bucket == "past":
        return due is not None and due < now
    if bucket == "upcoming":
        return due is not None and now <= due <= now + timedelta(days=7)
    if bucket == "overdue":
        submission = call.school.submission(row["id"], call.user_id)
        return call.school.is_missing(row, submission) and not lock_json(call, row)["locked_for_user"]
    return call.is_teacher_of(row["course_id"]) and _awaits_teacher(call, row, bucket)


def _awaits_teacher(call: Call, row: Row, bucket: str) -> bool:
    rows = call.school.submissions_for(row)
    if bucket == "ungraded":
        return any(entry["workflow_state"] == "submitted" for entry in rows)
    return expects_submission(row) and not rows


def _order(order_by: str | None) -> Any:
    if order_by == "name":
        return lambda row: row["name"].lower()
    if order_by == "due_at":
        return lambda row: (row["due_at"] is None, row["due_at"] or "", row["name"])
    return lambda row: row["position"]


def _clock(local: datetime) -> str:
    hour = f"{local:%I:%M%p}".lstrip("0").lower().replace(":00", "")
    return f"{local:%b} {local.day} at {hour}"
