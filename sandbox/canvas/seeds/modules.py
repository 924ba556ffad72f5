"""The modules of a course: assignments by title, and links to elsewhere, in the order of the data."""

from typing import Any

from sandbox.campus import Campus
from sandbox.canvas.seeds.times import at

Row = dict[str, Any]


def seed_modules(campus: Campus, course: Row, assignments: list[Row]) -> None:
    """Write a course's modules. `asks` is what completes an item, `after` names a module to finish first."""
    by_title = {assignment["name"]: assignment["id"] for assignment in assignments}
    numbers: dict[str, int] = {}
    for index, module in enumerate(course.get("modules", []), 1):
        number = numbers[module["name"]] = course["id"] * 100 + 50 + index
        facts = {"id": number, "course_id": course["id"], "name": module["name"], "position": index}
        rest = {
            "assignment_ids": [by_title[title] for title in module["items"]],
            "links": module.get("links", []),
            "asks": module.get("asks"),
            "unlock_at": at(campus, module.get("opens", "undated"), "00:00"),
            "prerequisites": [numbers[module["after"]]] if "after" in module else [],
        }
        campus.state.put("canvas.modules", number, {**facts, **rest})
