"""Modules and their items (Canvas API: Modules)."""

from sandbox.canvas.answers import not_found
from sandbox.canvas.api import Call, Endpoint
from sandbox.canvas.school import Row


def endpoints() -> list[Endpoint]:
    """What this file answers."""
    items = {"include": ("content_details",), "search_term": None, "student_id": None}
    listing = {"include": ("items", "content_details"), "search_term": None, "student_id": None}
    return [
        Endpoint(path="/courses/{course_id}/modules", read=list_modules, parameters=listing),
        Endpoint(path="/courses/{course_id}/modules/{module_id}", read=show_module, parameters=listing),
        Endpoint(path="/courses/{course_id}/modules/{module_id}/items", read=list_items, parameters=items),
    ]


def list_modules(call: Call) -> list[Row]:
    """A course's modules."""
    course = call.course()
    return [module_json(call, row) for row in call.school.modules(course["id"])]


def show_module(call: Call) -> Row:
    """One module."""
    return module_json(call, _module(call))


def list_items(call: Call) -> list[Row]:
    """What is in a module."""
    return items_json(call, _module(call))


def module_json(call: Call, row: Row) -> Row:
    """A module, with its items when asked."""
    address = f"{call.school.web}/api/v1/courses/{row['course_id']}/modules/{row['id']}/items"
    answer = {
        "id": row["id"],
        "name": row["name"],
        "position": row["position"],
        "unlock_at": None,
        "require_sequential_progress": False,
        "requirement_type": "all",
        "publish_final_grade": False,
        "prerequisite_module_ids": [],
        "published": True,
        "state": "unlocked",
        "completed_at": None,
        "items_count": len(row["assignment_ids"]),
        "items_url": address,
    }
    return {**answer, "items": items_json(call, row)} if call.includes("items") else answer


def items_json(call: Call, row: Row) -> list[Row]:
    """A module's items."""
    items = []
    for position, number in enumerate(row["assignment_ids"], 1):
        assignment = call.school.assignment(number)
        if assignment is None:
            continue
        kind = "Quiz" if assignment["quiz_id"] else "Discussion" if assignment["topic_id"] else "Assignment"
        item = {
            "id": row["id"] * 100 + position,
            "module_id": row["id"],
            "position": position,
            "title": assignment["name"],
            "indent": 0,
            "type": kind,
            "content_id": assignment["quiz_id"] or assignment["topic_id"] or number,
            "html_url": f"{call.school.web}/courses/{row['course_id']}/assignments/{number}",
            "published": True,
        }
        if call.includes("content_details"):
            details = {key: assignment[key] for key in ("due_at", "unlock_at", "lock_at", "points_possible")}
            item["content_details"] = details
        items.append(item)
    return items


def _module(call: Call) -> Row:
    course = call.course()
    row = call.school.campus.state.get("canvas.modules", call.path("module_id"))
    if row is None or row["course_id"] != course["id"]:
        raise not_found()
    found: Row = row
    return found
