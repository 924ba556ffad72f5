"""Announcements and discussions (Canvas API: Announcements, Discussion Topics)."""

from datetime import timedelta

from sandbox.canvas.answers import answer, not_allowed, not_found
from sandbox.canvas.api import Call, Endpoint
from sandbox.canvas.assignments import assignment_json
from sandbox.canvas.files.file_list import attached_files
from sandbox.canvas.school import Row, moment
from sandbox.refusals import Refused

UNREAD_DAYS = 4


def endpoints() -> list[Endpoint]:
    """What this file answers."""
    news: dict[str, tuple[str, ...] | None] = {
        "context_codes": None,
        "start_date": None,
        "end_date": None,
        "available_after": None,
        "active_only": None,
        "latest_only": None,
        "text_only": None,
        "include": ("sections", "sections_user_count"),
    }
    topics: dict[str, tuple[str, ...] | None] = {
        "include": ("all_dates", "sections", "sections_user_count", "overrides"),
        "order_by": ("position", "recent_activity", "title"),
        "scope": ("locked", "unlocked", "pinned", "unpinned"),
        "only_announcements": None,
        "filter_by": ("all", "unread"),
        "search_term": None,
        "exclude_context_module_locked_topics": None,
        "plain_messages": None,
        "exclude_assignment_descriptions": None,
    }
    query = {"include": ("all_dates", "sections", "sections_user_count", "overrides")}
    return [
        Endpoint(path="/announcements", read=list_announcements, parameters=news),
        Endpoint(path="/courses/{course_id}/discussion_topics", read=list_topics, parameters=topics),
        Endpoint(path="/courses/{course_id}/discussion_topics/{topic_id}", read=show_topic, parameters=query),
        Endpoint(
            path="/courses/{course_id}/discussion_topics/{topic_id}/view",
            read=show_view,
            parameters={"include_new_entries": None},
        ),
    ]


def list_announcements(call: Call) -> list[Row]:
    """Announcements of the named courses: the last two weeks' unless dates are given."""
    courses = call.context_courses()
    if courses is None:
        raise Refused(answer({"message": "Missing context_codes"}, 400))
    if len(courses) != len(call.values("context_codes")):
        message = "Invalid context_codes; only `course` codes are supported"
        raise Refused(answer({"message": message}, 400))
    now = call.school.campus.now()
    two_weeks_ago = call.days_from_now(-14).astimezone(call.timezone).replace(hour=0, minute=0, second=0, microsecond=0)
    start = call.moment("start_date") or two_weeks_ago
    end = min(call.moment("end_date", is_end=True) or start + timedelta(days=28), now)
    rows = [row for course in courses for row in call.school.topics(course["id"], is_announcement=True)]
    shown = [row for row in rows if start <= moment(row["posted_at"]) <= end]
    newest_first = sorted(shown, key=lambda row: row["posted_at"], reverse=True)
    if call.flag("latest_only"):
        newest_first = list({row["course_id"]: row for row in newest_first[::-1]}.values())[::-1]
    return [{**topic_json(call, row), "context_code": f"course_{row['course_id']}"} for row in newest_first]


def list_topics(call: Call) -> list[Row]:
    """A course's discussions, or its announcements."""
    course = call.course()
    rows = call.school.topics(course["id"], is_announcement=call.flag("only_announcements"))
    rows = [row for row in rows if moment(row["posted_at"]) <= call.school.campus.now()]
    if term := call.value("search_term"):
        rows = [row for row in rows if term.lower() in row["title"].lower()]
    if call.value("filter_by") == "unread":
        rows = [row for row in rows if is_unread(call, row)]
    key = "title" if call.value("order_by") == "title" else "posted_at"
    return [topic_json(call, row) for row in sorted(rows, key=lambda row: row[key], reverse=key == "posted_at")]


def show_topic(call: Call) -> Row:
    """One discussion or announcement."""
    return topic_json(call, _topic(call))


def show_view(call: Call) -> Row:
    """A discussion with everything written in it, as a tree, and who wrote there."""
    row = _topic(call)
    if not may_see_posts(call, row):
        raise not_allowed()
    entries = call.school.entries(row["id"])
    writers = [user for number in dict.fromkeys(e["user_id"] for e in entries) if (user := call.school.user(number))]
    return {
        "unread_entries": [entry["id"] for entry in entries if _is_new(call, entry)],
        "forced_entries": [],
        "entry_ratings": {},
        "participants": [
            {
                "id": user["id"],
                "display_name": user["name"],
                "avatar_image_url": None,
                "html_url": f"{call.school.web}/courses/{row['course_id']}/users/{user['id']}",
            }
            for user in writers
        ],
        "view": _tree(entries, None),
        "new_entries": [],
    }


def may_see_posts(call: Call, row: Row) -> bool:
    """Whether the asker has written there, where that comes first."""
    has_written = any(entry["user_id"] == call.user_id for entry in call.school.entries(row["id"]))
    return not row["post_first"] or has_written or call.is_teacher_of(row["course_id"])


def _topic(call: Call) -> Row:
    course = call.course()
    row: Row | None = call.school.campus.state.get("canvas.topics", call.path("topic_id"))
    if row is None or row["course_id"] != course["id"]:
        raise not_found()
    return row


def _tree(entries: list[Row], parent_id: int | None) -> list[Row]:
    facts = ("id", "user_id", "parent_id", "created_at", "message")
    tree = []
    for entry in entries:
        if entry["parent_id"] == parent_id:
            node = {**{key: entry[key] for key in facts}, "updated_at": entry["created_at"], "rating_count": None}
            replies = _tree(entries, entry["id"])
            tree.append({**node, "replies": replies} if replies else node)
    return tree


def _is_new(call: Call, entry: Row) -> bool:
    return call.user["person"] in entry["unread_by"]


def is_unread(call: Call, row: Row) -> bool:
    """Whether the asker has not opened it yet."""
    return moment(row["posted_at"]) > call.days_from_now(-UNREAD_DAYS)


def topic_json(call: Call, row: Row) -> Row:
    """A topic as Canvas writes it."""
    course = call.school.course(row["course_id"])
    number = row["author_id"] or (course["teacher_id"] if course else None)
    author = call.school.user(number) if number else None
    web = f"{call.school.web}/courses/{row['course_id']}"
    entries = call.school.entries(row["id"])
    unread = is_unread(call, row)
    shown = {
        "id": row["id"],
        "title": row["title"],
        "message": call.school.html(row["message"]),
        "html_url": f"{web}/discussion_topics/{row['id']}",
        "posted_at": row["posted_at"],
        "created_at": row["posted_at"],
        "last_reply_at": max([row["posted_at"], *(entry["created_at"] for entry in entries)]),
        "delayed_post_at": None,
        "assignment_id": row["assignment_id"],
        "todo_date": row["todo_date"],
        "discussion_type": "side_comment" if row["is_announcement"] else "threaded",
        "is_announcement": row["is_announcement"],
        "read_state": "unread" if unread else "read",
        "unread_count": sum(_is_new(call, entry) for entry in entries),
        "discussion_subentry_count": len(entries),
        "require_initial_post": row["post_first"] or None,
        "user_can_see_posts": may_see_posts(call, row),
        "subscribed": False,
        "published": True,
        "locked": row["is_announcement"],
        "lock_at": None,
        "pinned": False,
        "locked_for_user": False,
        "attachments": attached_files(call, row),
        "topic_children": [],
        "user_name": author["name"] if author else None,
        "author": {"id": author["id"], "display_name": author["name"]} if author else {},
    }
    assignment = call.school.assignment(row["assignment_id"]) if row["assignment_id"] else None
    return {**shown, "assignment": assignment_json(call, assignment)} if assignment else shown
