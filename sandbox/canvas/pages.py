"""Pages of a course (Canvas API: Pages) and its tabs."""

from functools import lru_cache

from sandbox.canvas.answers import not_allowed, not_found
from sandbox.canvas.api import Call, Endpoint
from sandbox.canvas.documents import source as documents
from sandbox.canvas.documents.html_text import fragment
from sandbox.canvas.progress import lock_facts, may_know
from sandbox.canvas.school import Row
from sandbox.canvas.seeds.materials import slug as slug_of

TABS = ("home", "announcements", "assignments", "discussions", "grades", "pages", "files", "syllabus", "modules")


def endpoints() -> list[Endpoint]:
    """What this file answers."""
    listing: dict[str, tuple[str, ...] | None] = {
        "sort": ("title", "created_at", "updated_at"),
        "order": ("asc", "desc"),
        "search_term": None,
        "published": None,
        "include": ("body",),
    }
    return [
        Endpoint(path="/courses/{course_id}/pages", read=list_pages, parameters=listing, is_slow=True),
        Endpoint(path="/courses/{course_id}/pages/{url_or_id}", read=show_page, is_slow=True),
        Endpoint(path="/courses/{course_id}/front_page", read=show_front_page),
        Endpoint(path="/courses/{course_id}/tabs", read=list_tabs, parameters={"include": ("course_subject_tabs",)}),
    ]


def list_pages(call: Call) -> list[Row]:
    """A course's pages, by title unless asked otherwise; with their texts when asked."""
    rows = [row for row in _pages(call, call.course()) if may_know(call, row)]
    if term := (call.value("search_term") or "").lower():
        rows = [row for row in rows if term in row["title"].lower()]
    if call.value("published") is not None:
        rows = [row for row in rows if row["unpublished"] != call.flag("published")]
    key = call.value("sort") or "title"
    ordered = sorted(rows, key=lambda row: str(row[key]).lower(), reverse=call.value("order") == "desc")
    return [page_json(call, row, has_body=call.includes("body")) for row in ordered]


def show_page(call: Call) -> Row:
    """One page by its url or, as "page_id:7", its id."""
    named = call.path("url_or_id")
    rows = _pages(call, call.course())
    number = named.removeprefix("page_id:")
    found = next((row for row in rows if named == row["slug"] or (number != named and str(row["id"]) == number)), None)
    # A bare number is taken for an id where no page has it as its address.
    found = found or next((row for row in rows if named == str(row["id"])), None)
    if found is None:
        raise not_found()
    if not may_know(call, found):
        raise not_allowed()
    return page_json(call, found, has_body=True)


def show_front_page(call: Call) -> Row:
    """The campus's courses begin with their modules: there is no front page."""
    call.course()
    raise not_found()


def list_tabs(call: Call) -> list[Row]:
    """The course's navigation as the asker sees it."""
    course = call.course()
    is_shown = call.is_teacher_of(course["id"]) or not course.get("hides_files")
    web = f"{call.school.web}/courses/{course['id']}"
    return [
        {
            "id": tab,
            "html_url": (address := web if tab == "home" else f"{web}/{tab}"),
            "full_url": address,
            "position": at,
            "visibility": "public",
            "label": tab.capitalize(),
            "type": "internal",
        }
        for at, tab in enumerate((tab for tab in TABS if tab != "files" or is_shown), 1)
    ]


def page_json(call: Call, row: Row, *, has_body: bool) -> Row:
    """A page; a locked one comes without its text."""
    lock = lock_facts(call, row, "page")
    course = call.school.course(row["course_id"])
    teacher = call.school.user(course["teacher_id"]) if course else None
    answer = {
        "url": row["slug"],
        "title": row["title"],
        "created_at": row["created_at"],
        "editing_roles": "teachers",
        "page_id": row["id"],
        "last_edited_by": {"id": teacher["id"], "display_name": teacher["name"]} if teacher else None,
        "published": not row["unpublished"],
        "hide_from_students": row["unpublished"],
        "front_page": False,
        "html_url": f"{call.school.web}/courses/{row['course_id']}/pages/{row['slug']}",
        "todo_date": None,
        "publish_at": None,
        "updated_at": row["updated_at"],
        **lock,
    }
    if has_body and not lock["locked_for_user"]:
        answer["body"] = body_of(row["source"], row["course_id"], call.school.web)
    return answer


@lru_cache(maxsize=200)
def body_of(key: str, course_id: int, web: str) -> str:
    """A page's HTML, with links to files and pages of the course as Canvas writes them."""
    own = documents.source(key)

    def link(address: str) -> str:
        kind, _, slug = address.partition(":")
        if kind not in ("file", "page"):
            return address
        target = documents.source(f"{own.course}/{slug}")
        rest = f"files/{target.number}?wrap=1" if kind == "file" else f"pages/{slug_of(target.title)}"
        return f"{web}/courses/{course_id}/{rest}"

    return fragment(own, link)


def _pages(call: Call, course: Row) -> list[Row]:
    rows: list[Row] = call.school.campus.state.all("canvas.pages", course_id=course["id"])
    return rows
