"""Files (Canvas API: Files): lists without what is hidden or locked, single files with the reason of a lock."""

import uuid
from typing import Any

from sandbox.canvas.answers import not_allowed, not_found
from sandbox.canvas.api import Call, Endpoint
from sandbox.canvas.files.contents import size_of
from sandbox.canvas.files.download_key import DownloadKey
from sandbox.canvas.progress import lock_facts, may_know
from sandbox.canvas.school import Row, moment

SORTS = ("name", "size", "created_at", "updated_at", "content_type", "user")
MIME_CLASSES = {
    "application/pdf": "pdf",
    "application/vnd.openxmlformats-officedocument.presentationml.presentation": "ppt",
    "application/vnd.openxmlformats-officedocument.wordprocessingml.document": "doc",
    "text/html": "html",
    "text/markdown": "text",
    "text/plain": "text",
    "text/csv": "csv",
    "image/png": "image",
    "application/zip": "zip",
    "video/mp4": "video",
}


def endpoints() -> list[Endpoint]:
    """What this file answers."""
    listing: dict[str, tuple[str, ...] | None] = {
        "content_types": None,
        "exclude_content_types": None,
        "search_term": None,
        "include": ("user", "usage_rights"),
        "only": ("names",),
        "sort": SORTS,
        "order": ("asc", "desc"),
    }
    details = {"include": ("user", "usage_rights"), "replacement_chain_context_type": None}
    return [
        Endpoint(path="/courses/{course_id}/files", read=list_files, parameters=listing, is_slow=True),
        Endpoint(path="/courses/{course_id}/files/{file_id}", read=show_file, parameters=details, is_slow=True),
        Endpoint(path="/files/{file_id}", read=show_file, parameters=details, is_slow=True),
        Endpoint(path="/files/{file_id}/public_url", read=show_public_url),
    ]


def list_files(call: Call) -> list[Row]:
    """A course's files, unless the course keeps its list to itself."""
    return files_json(call, listed_files(call, listable_course(call)))


def show_file(call: Call) -> Row:
    """One file; the old number of a replaced file leads to the new one."""
    return file_json(call, readable_file(call, call.path("file_id")))


def show_public_url(call: Call) -> Row:
    """An address that opens a file for a short time, without sign-in."""
    row = readable_file(call, call.path("file_id"))
    if lock_facts(call, row, "file")["locked_for_user"]:
        raise not_allowed()
    return {"public_url": DownloadKey(call.school.campus).address(row, call.request.url)}


def listable_course(call: Call) -> Row:
    """The course of the path, if its Files are shown to the asker."""
    course = call.course()
    if course.get("hides_files") and not call.is_teacher_of(course["id"]):
        raise not_allowed()
    return course


def listed_files(call: Call, course: Row) -> list[Row]:
    """Rows that a list shows to the asker: to students without the hidden ones and those locked by themselves."""
    rows: list[Row] = call.school.campus.state.all("canvas.files", course_id=course["id"])
    if call.is_teacher_of(course["id"]):
        return rows
    return [row for row in rows if may_know(call, row) and not row["hidden"] and not _is_shut(call, row)]


def files_json(call: Call, rows: list[Row]) -> list[Row]:
    """Rows as Canvas lists them, filtered and ordered as asked."""
    if term := (call.value("search_term") or "").lower():
        rows = [row for row in rows if term in row["name"].lower()]
    if wanted := call.values("content_types"):
        rows = [row for row in rows if _is_of(row, wanted)]
    if unwanted := call.values("exclude_content_types"):
        rows = [row for row in rows if not _is_of(row, unwanted)]
    keys: dict[str, Any] = {
        "size": size_of,
        "created_at": lambda row: row["created_at"],
        "updated_at": lambda row: row["updated_at"],
        "content_type": lambda row: row["type"],
    }
    key = keys.get(call.value("sort") or "", lambda row: row["name"].lower())
    ordered = sorted(rows, key=key, reverse=call.value("order") == "desc")
    return [file_json(call, row) for row in ordered]


def readable_file(call: Call, number: str) -> Row:
    """A file that the asker may know of, in a course that they are in; follows replacements."""
    state = call.school.campus.state
    row: Row | None = state.get("canvas.files", number)
    if row is None and (replaced := state.get("canvas.replacements", number)):
        row = state.get("canvas.files", replaced["by"])
    if row is None or call.request.path_params.get("course_id", str(row["course_id"])) != str(row["course_id"]):
        raise not_found()
    course = call.school.course(row["course_id"])
    if course is None or course["is_restricted"] or not call.school.enrollment(course["id"], call.user_id):
        raise not_allowed()
    if not may_know(call, row):
        raise not_allowed()
    return row


def file_json(call: Call, row: Row) -> Row:
    """A file as this asker sees it: without an address while it is locked."""
    lock = lock_facts(call, row, "file")
    names = {
        "id": row["id"],
        "uuid": uuid_of(row),
        "folder_id": folder_id(row["course_id"], row["folder"]),
        "display_name": row["name"],
        "filename": row["name"].replace(" ", "+"),
        "upload_status": "success",
    }
    if "names" in call.values("only"):
        return names
    address = f"{call.school.web}/files/{row['id']}/download?download_frd=1"
    if call.school.campus.state.get("canvas.settings", "verifiers"):
        address += f"&verifier={uuid_of(row)}"
    may_see_hidden = call.is_teacher_of(row["course_id"])
    answer = {
        **names,
        "content-type": row["type"],
        "url": "" if lock["locked_for_user"] else address,
        "size": size_of(row),
        **{key: row[key] for key in ("created_at", "updated_at", "unlock_at", "locked", "hidden", "lock_at")},
        "hidden_for_user": row["hidden"] and not may_see_hidden,
        "thumbnail_url": None,
        "modified_at": row["updated_at"],
        "mime_class": MIME_CLASSES.get(row["type"], "file"),
        "media_entry_id": None,
        "category": "uncategorized",
        **lock,
    }
    if call.includes("user"):
        course = call.school.course(row["course_id"])
        teacher = call.school.user(course["teacher_id"]) if course else None
        shown = {"id": teacher["id"], "display_name": teacher["name"]} if teacher else {}
        answer["user"] = {**shown, "avatar_image_url": None, "html_url": f"{call.school.web}/about", "pronouns": None}
    return answer


def uuid_of(row: Row) -> str:
    """The file's other name, which older Canvases take for a key in an address."""
    return uuid.uuid5(uuid.NAMESPACE_URL, f"{row['id']}/{row['updated_at']}").hex


def attached_files(call: Call, topic: Row) -> list[Row]:
    """The files that an announcement or a discussion brings."""
    rows: list[Row] = call.school.campus.state.all(
        "canvas.files", course_id=topic["course_id"], attached=topic["title"]
    )
    return [file_json(call, row) for row in rows if may_know(call, row)]


def folder_id(course_id: int, path: str) -> int:
    """The number of a folder: made of the course and its path below "course files"."""
    return course_id * 10_000 + (
        sum(ord(letter) * (at + 1) for at, letter in enumerate(path)) % 9_999 + 1 if path else 0
    )


def _is_shut(call: Call, row: Row) -> bool:
    """Locked by itself or by its dates; a lock of its module does not keep it from the list."""
    now = call.school.campus.now()
    is_early = row["unlock_at"] is not None and now < moment(row["unlock_at"])
    return row["locked"] or is_early or (row["lock_at"] is not None and now > moment(row["lock_at"]))


def _is_of(row: Row, types: list[str]) -> bool:
    return row["type"] in types or row["type"].partition("/")[0] in types
