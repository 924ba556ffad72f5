"""Modules and their items (Canvas API: Modules)."""

from sandbox.canvas.answers import not_found
from sandbox.canvas.api import Call, Endpoint
from sandbox.canvas.school import Row, moment

MOST_ITEMS_INSIDE = 15
CONTENT_PATHS = {"Assignment": "assignments", "Quiz": "quizzes", "Discussion": "discussion_topics"}


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
    """A module, with its items when asked, and how far the asker is with it."""
    address = f"{call.school.web}/api/v1/courses/{row['course_id']}/modules/{row['id']}/items"
    items = items_json(call, row)
    answer = {
        "id": row["id"],
        "name": row["name"],
        "position": row["position"],
        "unlock_at": row["unlock_at"],
        "require_sequential_progress": False,
        "requirement_type": "all",
        "publish_final_grade": False,
        "prerequisite_module_ids": row["prerequisites"],
        "published": True,
        "items_count": len(items),
        "items_url": address,
        **_state(call, row, items),
    }
    # Canvas leaves the items out when there are many of them.
    are_few = len(items) <= MOST_ITEMS_INSIDE
    return {**answer, "items": items} if call.includes("items") and are_few else answer


def items_json(call: Call, row: Row) -> list[Row]:
    """A module's items: pages, then what is to do, then links."""
    work = [_work_json(call, row, number) for number in row["assignment_ids"]]
    api = f"{call.school.web}/api/v1/courses/{row['course_id']}"
    pages = [
        {
            "title": title,
            "type": "Page",
            "page_url": (slug := title.lower().replace(" ", "-")),
            "url": f"{api}/pages/{slug}",
        }
        for title in row["pages"]
    ]
    links = [{"title": title, "type": "ExternalUrl", "external_url": url} for title, url in row["links"]]
    has_begun = any(_is_handed_in(call, number) for number in row["assignment_ids"])
    if row["asks"]:
        pages = [{**page, "completion_requirement": {"type": "must_view", "completed": has_begun}} for page in pages]
    kinds = [*pages, *(item for item in work if item), *links]
    opening = f"{call.school.web}/courses/{row['course_id']}/modules/items"
    numbered = [
        {
            "id": (number := row["id"] * 100 + at),
            "module_id": row["id"],
            "position": at,
            "indent": 0,
            "published": True,
            "html_url": f"{opening}/{number}",
            **item,
        }
        for at, item in enumerate(kinds, 1)
    ]
    if call.includes("content_details"):
        return numbered
    return [{key: value for key, value in item.items() if key != "content_details"} for item in numbered]


def _work_json(call: Call, row: Row, number: int) -> Row | None:
    assignment = call.school.assignment(number)
    if assignment is None:
        return None
    kind = "Quiz" if assignment["quiz_id"] else "Discussion" if assignment["topic_id"] else "Assignment"
    item = {
        "title": assignment["name"],
        "type": kind,
        "content_id": (content := assignment["quiz_id"] or assignment["topic_id"] or number),
        "url": f"{call.school.web}/api/v1/courses/{row['course_id']}/{CONTENT_PATHS[kind]}/{content}",
        "content_details": {key: assignment[key] for key in ("due_at", "unlock_at", "lock_at", "points_possible")},
    }
    if row["asks"] == "submit":
        item["completion_requirement"] = {"type": "must_submit", "completed": _is_handed_in(call, number)}
    return item


def _is_handed_in(call: Call, number: int) -> bool:
    row = call.school.submission(number, call.user_id)
    return row is not None and (row["submitted_at"] is not None or row["score"] is not None)


def _state(call: Call, row: Row, items: list[Row]) -> Row:
    done = [item["completion_requirement"]["completed"] for item in items if "completion_requirement" in item]
    before = [call.school.campus.state.get("canvas.modules", number) for number in row["prerequisites"]]
    is_waiting = any(
        _state(call, module, items_json(call, module))["state"] != "completed" for module in before if module
    )
    if is_waiting or (row["unlock_at"] and call.school.campus.now() < moment(row["unlock_at"])):
        return {"state": "locked", "completed_at": None}
    if done and all(done):
        return {"state": "completed", "completed_at": call.school.campus.now().strftime("%Y-%m-%dT%H:%M:%SZ")}
    return {"state": "started" if any(done) else "unlocked", "completed_at": None}


def _module(call: Call) -> Row:
    course = call.course()
    row = call.school.campus.state.get("canvas.modules", call.path("module_id"))
    if row is None or row["course_id"] != course["id"]:
        raise not_found()
    found: Row = row
    return found
