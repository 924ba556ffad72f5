"""What members of a course do with each other: posts in discussions, and reviews of each other's work."""

from typing import Any

from sandbox.campus import Campus
from sandbox.canvas.seeds.times import at

Row = dict[str, Any]


def seed_entries(campus: Campus, course: Row, people: Row) -> None:
    """Write the `[[posts]]` of a course; `to` is the number of the post that one answers, from 1."""
    topics = {row["title"]: row["id"] for row in campus.state.all("canvas.topics", course_id=course["id"])}
    first = course["id"] * 1000 + 980 * 1000
    for index, post in enumerate(course.get("posts", []), 1):
        entry = {"id": first + index, "topic_id": topics[post["topic"]], "user_id": _number(post["by"], people)}
        parent = first + post["to"] if "to" in post else None
        rest = {"parent_id": parent, "created_at": at(campus, post["day"], post["time"]), "message": post["text"]}
        campus.state.put("canvas.entries", entry["id"], {**entry, **rest, "unread_by": post.get("unread_by", [])})


def seed_reviews(campus: Campus, course: Row, assignments: list[Row], people: Row) -> None:
    """Write the `[[reviews]]` of a course: who is to read whose work, until when."""
    by_title = {assignment["name"]: assignment["id"] for assignment in assignments}
    for index, review in enumerate(course.get("reviews", []), 1):
        facts = {"id": course["id"] * 100 + 20 + index, "course_id": course["id"]}
        who = {"assessor_id": _number(review["by"], people), "user_id": review["of"], "is_done": review["is_done"]}
        what = {"assignment_id": by_title[review["title"]], "due_at": at(campus, review["day"], review["time"])}
        campus.state.put("canvas.reviews", facts["id"], {**facts, **who, **what})


def _number(who: str | int, people: Row) -> int:
    known: Row = {**people["teachers"], **people["students"]}
    number: int = known[who]["id"] if isinstance(who, str) else who
    return number
