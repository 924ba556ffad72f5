"""How far a person is with the modules of a course, and which things are locked until then."""

from collections.abc import Iterator

from sandbox.canvas.api import Call
from sandbox.canvas.school import Row, moment

MATERIALS = ("pages", "files", "links")


def materials_of(call: Call, row: Row) -> list[tuple[str, Row]]:
    """Pages, files and links of a module that the asker may know of, each with its kind, in their order."""
    state = call.school.campus.state
    found = [(kind, each) for kind in MATERIALS for each in state.all(f"canvas.{kind}", module_id=row["id"])]
    mine = [pair for pair in found if may_know(call, pair[1])]
    return sorted(mine, key=lambda pair: (pair[1]["order"], pair[1]["title"]))


def may_know(call: Call, row: Row) -> bool:
    """Whether the asker may know that a file, page or link is there: unpublished ones and others' are kept quiet."""
    if call.is_teacher_of(row["course_id"]):
        return True
    return not row["unpublished"] and (row["only"] is None or call.user["person"] in row["only"])


def module_state(call: Call, row: Row) -> str:
    """Canvas's word for how far the asker is: "locked", "unlocked", "started" or "completed"."""
    done = list(requirements(call, row))
    if is_locked(call, row):
        return "locked"
    return "completed" if done and all(done) else "started" if any(done) else "unlocked"


def is_locked(call: Call, row: Row) -> bool:
    """Whether a module is closed to the asker; nothing is to those who teach the course."""
    if call.is_teacher_of(row["course_id"]):
        return False
    if row.get("is_locked") or (row["unlock_at"] and call.school.campus.now() < moment(row["unlock_at"])):
        return True
    before = [call.school.campus.state.get("canvas.modules", number) for number in row["prerequisites"]]
    return any(module_state(call, module) != "completed" for module in before if module)


def requirements(call: Call, row: Row) -> Iterator[bool]:
    """Whether each requirement of a module is met: its pages are to be viewed, its work is to be handed in."""
    if not row["asks"]:
        return
    views = has_begun(call, row)
    yield from (views for kind, _ in materials_of(call, row) if kind == "pages")
    if row["asks"] == "submit":
        yield from (is_handed_in(call, number) for number in row["assignment_ids"] if call.school.assignment(number))


def has_begun(call: Call, row: Row) -> bool:
    """Whether the asker handed in anything of a module."""
    return any(is_handed_in(call, number) for number in row["assignment_ids"])


def is_handed_in(call: Call, number: int) -> bool:
    """Whether the asker handed in an assignment, or was graded for it."""
    row = call.school.submission(number, call.user_id)
    return row is not None and (row["submitted_at"] is not None or row["score"] is not None)


def locking_module(call: Call, row: Row) -> Row | None:
    """The module that keeps a file or page closed to the asker."""
    module: Row | None = call.school.campus.state.get("canvas.modules", row["module_id"]) if row["module_id"] else None
    return module if module and is_locked(call, module) else None


def lock_facts(call: Call, row: Row, kind: str) -> Row:
    """What Canvas says of a lock; kind: "file" or "page". An instructor sees everything open."""
    if call.is_teacher_of(row["course_id"]):
        return {"locked_for_user": False}
    noun, asset = ("file", "attachment") if kind == "file" else ("page", "wiki_page")
    info: Row = {"asset_string": f"{asset}_{row['id']}", "can_view": False}
    now = call.school.campus.now()
    if row["locked"]:
        return _locked(info, {"manually_locked": True}, f"This {noun} is currently locked.")
    if row["unlock_at"] and now < moment(row["unlock_at"]):
        words = f"This {noun} is locked until {_clock(call, row['unlock_at'])}."
        return _locked(info, {"unlock_at": row["unlock_at"]}, words)
    if row["lock_at"] and now > moment(row["lock_at"]):
        words = f"This {noun} was locked {_clock(call, row['lock_at'])}."
        return _locked(info, {"lock_at": row["lock_at"]}, words)
    module = locking_module(call, row)
    if module:
        words = f"This {noun} is part of the module <b>{module['name']}</b> and hasn't been unlocked yet."
        told = {key: module[key] for key in ("id", "name", "course_id", "unlock_at", "position")}
        return _locked(info, {"context_module": {**told, "workflow_state": "active"}}, words)
    return {"locked_for_user": False}


def _locked(info: Row, reason: Row, words: str) -> Row:
    return {"locked_for_user": True, "lock_info": {**info, **reason}, "lock_explanation": words}


def _clock(call: Call, written: str) -> str:
    local = moment(written).astimezone(call.timezone)
    hour = f"{local:%I:%M%p}".lstrip("0").lower().replace(":00", "")
    return f"{local:%b} {local.day} at {hour}"
