"""Rows of a course as Canvas writes them, and what a listing of them has."""

from typing import Any

from services.materials.material import Material
from services.materials.source import MaterialListing
from tests.services.integrations.canvas.materials.scripted_canvas import ScriptedHost, course_paths, source_at

PAGE = {
    "page_id": 3,
    "url": "week-1-overview",
    "title": "Week 1 overview",
    "updated_at": "2026-10-01T00:00:00Z",
    "published": True,
    "hide_from_students": False,
    "locked_for_user": False,
}


def listed(school: ScriptedHost, **lists: Any) -> MaterialListing:
    school.paths.update(course_paths(school, **lists))
    return source_at(school).listing("canvas-101")


def by_id(listing: MaterialListing) -> dict[str, Material]:
    found = {material.id.partition(".")[2]: material for material in listing.materials}
    assert len(found) == len(listing.materials)
    return found


def module(*items: dict[str, Any], **fields: Any) -> dict[str, Any]:
    rows = [{"id": 900 + at, "title": f"Item {at}", "published": True, **item} for at, item in enumerate(items)]
    return {"id": 1, "name": "Week 1", "state": "unlocked", "published": True, "items": rows, **fields}


def item(kind: str, **fields: Any) -> dict[str, Any]:
    return {"type": kind, **fields}


def assignment(id: int = 11, **fields: Any) -> dict[str, Any]:
    whole = {
        "id": id,
        "name": f"Lab {id}",
        "description": "<p>Bring gloves.</p>",
        "submission_types": ["online_upload"],
    }
    return {**whole, "html_url": "", "published": True, "updated_at": "2026-10-01T00:00:00Z", **fields}


def topic(id: int = 21, **fields: Any) -> dict[str, Any]:
    whole = {"id": id, "title": f"Topic {id}", "message": "<p>Discuss.</p>", "author": {"id": 5}, "published": True}
    return {**whole, "posted_at": "2026-10-03T00:00:00Z", "locked_for_user": False, **fields}
