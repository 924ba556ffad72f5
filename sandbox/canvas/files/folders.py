"""Folders of a course (Canvas API: Files, Folders)."""

from collections.abc import Iterator

from sandbox.canvas.answers import not_found
from sandbox.canvas.api import Call, Endpoint
from sandbox.canvas.files.file_list import files_json, folder_id, listable_course, listed_files
from sandbox.canvas.school import Row

ROOT = "course files"


def endpoints() -> list[Endpoint]:
    """What this file answers."""
    course = "/courses/{course_id}/folders"
    listing: dict[str, tuple[str, ...] | None] = {
        "content_types": None,
        "search_term": None,
        "sort": ("name", "size", "created_at", "updated_at", "content_type"),
        "order": ("asc", "desc"),
    }
    return [
        Endpoint(path=course, read=list_folders, is_slow=True),
        Endpoint(path=f"{course}/by_path", read=resolve_path),
        Endpoint(path=f"{course}/by_path/{{full_path:path}}", read=resolve_path),
        Endpoint(path=f"{course}/{{folder_id}}", read=show_folder),
        Endpoint(path="/folders/{folder_id}", read=show_folder),
        Endpoint(path="/folders/{folder_id}/folders", read=list_inside),
        Endpoint(path="/folders/{folder_id}/files", read=list_files_inside, parameters=listing, is_slow=True),
    ]


def list_folders(call: Call) -> list[Row]:
    """Every folder of a course."""
    course = listable_course(call)
    return [_folder_json(call, course, path) for path in _paths(call, course)]


def resolve_path(call: Call) -> list[Row]:
    """The folders on a path, from the outermost."""
    course = listable_course(call)
    names = [name for name in call.request.path_params.get("full_path", "").split("/") if name]
    steps = ["/".join(names[:count]) for count in range(len(names) + 1)]
    if set(steps) - set(_paths(call, course)):
        raise not_found()
    return [_folder_json(call, course, path) for path in steps]


def show_folder(call: Call) -> Row:
    """One folder; "root" is the outermost of a course."""
    course, path = _folder(call)
    return _folder_json(call, course, path)


def list_inside(call: Call) -> list[Row]:
    """The folders that lie directly in a folder."""
    course, path = _folder(call)
    return [_folder_json(call, course, inner) for inner in _paths(call, course) if inner and _parent(inner) == path]


def list_files_inside(call: Call) -> list[Row]:
    """The files that lie directly in a folder."""
    course, path = _folder(call)
    return files_json(call, [row for row in listed_files(call, course) if row["folder"] == path])


def _folder(call: Call) -> tuple[Row, str]:
    number = call.path("folder_id")
    if "course_id" not in call.request.path_params:
        if not number.isdecimal():
            raise not_found()
        call.request.path_params["course_id"] = str(int(number) // 10_000)
    course = listable_course(call)
    paths = {str(folder_id(course["id"], path)): path for path in _paths(call, course)}
    if number != "root" and number not in paths:
        raise not_found()
    return course, paths.get(number, "")


def _paths(call: Call, course: Row) -> list[str]:
    found = {path for row in listed_files(call, course) for path in _with_parents(row["folder"])}
    return sorted({"", *found})


def _with_parents(path: str) -> Iterator[str]:
    while path:
        yield path
        path = _parent(path)


def _parent(path: str) -> str:
    return path.rpartition("/")[0]


def _folder_json(call: Call, course: Row, path: str) -> Row:
    number = folder_id(course["id"], path)
    rows, api = listed_files(call, course), f"{call.school.web}/api/v1/folders/{number}"
    term = call.school.term(course)
    return {
        "id": number,
        "name": path.rpartition("/")[2] or ROOT,
        "full_name": f"{ROOT}/{path}" if path else ROOT,
        "context_id": course["id"],
        "context_type": "Course",
        "parent_folder_id": folder_id(course["id"], _parent(path)) if path else None,
        "created_at": term["start_at"],
        "updated_at": term["start_at"],
        "lock_at": None,
        "unlock_at": None,
        "position": None,
        "locked": False,
        "folders_url": f"{api}/folders",
        "files_url": f"{api}/files",
        "files_count": sum(row["folder"] == path for row in rows),
        "folders_count": sum(1 for inner in _paths(call, course) if inner and _parent(inner) == path),
        "hidden": None,
        "locked_for_user": False,
        "hidden_for_user": False,
        "for_submissions": False,
        "can_upload": False,
    }
