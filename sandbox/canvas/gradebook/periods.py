"""Grading periods (Canvas API: Grading Periods), and what courses tell of the one that is running."""

from sandbox.canvas.api import Call, Endpoint
from sandbox.canvas.gradebook.grades import Totals, letter
from sandbox.canvas.school import Row, moment


def endpoints() -> list[Endpoint]:
    """What this file answers."""
    return [Endpoint(path="/courses/{course_id}/grading_periods", read=list_periods)]


def list_periods(call: Call) -> Row:
    """A course's grading periods, in an object as Canvas gives them."""
    course, now = call.course(), call.school.campus.now()
    rows = [
        {
            **{key: row[key] for key in ("id", "title", "start_date", "end_date", "weight")},
            "close_date": row["end_date"],
            "is_closed": moment(row["end_date"]) < now,
            "permissions": {"read": True, "create": False, "update": False, "delete": False},
        }
        for row in call.school.periods(course["id"])
    ]
    return {"grading_periods": rows, "meta": {"pagination": {}, "primaryCollection": "grading_periods"}}


def period_facts(call: Call, course: Row) -> Row:
    """What a course says of its grading periods (include[]=current_grading_period_scores)."""
    has_periods = bool(call.school.periods(course["id"]))
    names = ("has_grading_periods", "multiple_grading_periods_enabled", "has_weighted_grading_periods")
    return dict.fromkeys(names, has_periods)


def period_scores(call: Call, course: Row) -> Row:
    """How the asker stands in the period that is running, as a part of their enrollment."""
    has_periods, current = bool(call.school.periods(course["id"])), call.school.current_period(course["id"])
    totals = call.school.totals(course["id"], call.user_id, current) if current else Totals(current=None, final=None)
    return {
        "has_grading_periods": has_periods,
        "multiple_grading_periods_enabled": has_periods,
        "totals_for_all_grading_periods_option": has_periods,
        "current_grading_period_title": current["title"] if current else None,
        "current_grading_period_id": current["id"] if current else None,
        "current_period_computed_current_score": totals.current,
        "current_period_computed_final_score": totals.final,
        "current_period_computed_current_grade": letter(totals.current, course["scheme"]),
        "current_period_computed_final_grade": letter(totals.final, course["scheme"]),
    }
