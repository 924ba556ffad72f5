"""Modules and their items (Canvas API: Modules)."""

from sandbox.canvas.answers import not_found
from sandbox.canvas.api import Call, Endpoint
from sandbox.canvas.progress import has_begun, is_handed_in, lock_facts, materials_of, module_state
from sandbox.canvas.school import Row

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
        "state": (state := module_state(call, row)),
        "completed_at": call.school.campus.now().strftime("%Y-%m-%dT%H:%M:%SZ") if state == "completed" else None,
    }
    # Canvas leaves the items out when there are many of them.
    are_few = len(items) <= MOST_ITEMS_INSIDE
    return {**answer, "items": items} if call.includes("items") and are_few else answer


def items_json(call: Call, row: Row) -> list[Row]:
    """A module's items: pages, files and links in their order, then what is to do, then links to elsewhere."""
    work = [_work_json(call, row, number) for number in row["assignment_ids"]]
    materials = [_material_json(call, row, kind, each) for kind, each in materials_of(call, row)]
    links = [{"title": title, "type": "ExternalUrl", "external_url": url} for title, url in row["links"]]
    kinds = [*materials, *(item for item in work if item), *links]
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


def _material_json(call: Call, module: Row, kind: str, row: Row) -> Row:
    api = f"{call.school.web}/api/v1/courses/{row['course_id']}"
    item: Row = {"title": row["title"], "published": not row["unpublished"]}
    if kind == "links":
        return {
            **item,
            "type": "ExternalUrl",
            "external_url": row["url"].replace("{origin}", call.school.campus.origin),
            "new_tab": True,
        }
    if kind == "files":
        details = {
            "display_name": row["name"],
            **{key: row[key] for key in ("locked", "hidden", "unlock_at", "lock_at")},
        }
        told = {key: value for key, value in details.items() if value}
        details = {**told, "thumbnail_url": None, **lock_facts(call, row, "file")}
        content = {"content_id": row["id"], "url": f"{api}/files/{row['id']}"}
        return {**item, "type": "File", **content, "content_details": details}
    details = lock_facts(call, row, "page")
    page = {"type": "Page", "page_url": row["slug"], "url": f"{api}/pages/{row['slug']}", "content_details": details}
    if module["asks"]:
        page["completion_requirement"] = {"type": "must_view", "completed": has_begun(call, module)}
    return {**item, **page}


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
        item["completion_requirement"] = {"type": "must_submit", "completed": is_handed_in(call, number)}
    return item


def _module(call: Call) -> Row:
    course = call.course()
    row = call.school.campus.state.get("canvas.modules", call.path("module_id"))
    if row is None or row["course_id"] != course["id"]:
        raise not_found()
    found: Row = row
    return found
