"""Rights: what was readable yesterday and is not today is gone at once, for few requests."""

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

import pytest

from services.errors import ReconnectRequired, ServiceUnavailable, Throttled
from services.materials.material import Material, MaterialKind
from tests.services.integrations.canvas.materials.scripted_canvas import (
    COURSE,
    Said,
    ScriptedHost,
    course_paths,
    file_row,
    refused,
    source_at,
)


def material(id: str) -> Material:
    kind = MaterialKind(id.partition("-")[0])
    return Material(id=f"canvas-101.{id}", course_key="canvas-101", kind=kind, title="x")


def readable(school: ScriptedHost, *ids: str) -> set[str]:
    found = source_at(school).readable([material(id) for id in ids])
    return {id.removeprefix("canvas-101.") for id in found}


def numbered(kind: str, numbers: Iterable[int]) -> list[str]:
    return [f"{kind}-{number}" for number in numbers]


EVERY_KIND = ("file-7", "page-3", "assignment-11", "discussion-21", "announcement-22", "syllabus-101", "link-55")


@pytest.fixture
def course(school: ScriptedHost) -> ScriptedHost:
    link = {"id": 55, "type": "ExternalUrl", "external_url": "https://cells.example/", "published": True}
    modules = [{"id": 1, "name": "Week 1", "state": "unlocked", "published": True, "items": [link]}]
    work = {"id": 11, "name": "Lab", "description": "<p>x</p>", "submission_types": ["online_upload"]}
    school.paths.update(course_paths(school, modules=modules, assignments=[work], syllabus="<p>Rules</p>"))
    school.paths |= {
        f"{COURSE}/files/7": file_row(school),
        f"{COURSE}/pages/page_id:3": {"page_id": 3, "url": "x", "title": "x", "body": "y", "published": True},
        f"{COURSE}/discussion_topics/21": {"id": 21, "title": "x", "message": "y"},
        f"{COURSE}/discussion_topics/22": {"id": 22, "title": "x", "message": "y", "is_announcement": True},
    }
    return school


def test_what_is_open_is_readable_for_a_request_each(course: ScriptedHost) -> None:
    assert readable(course, *EVERY_KIND) == {*EVERY_KIND}
    assert len(course.seen) == len(EVERY_KIND)


@pytest.mark.parametrize("answer", [refused(401), refused(403), Said(status=404)])
def test_what_is_refused_is_not(course: ScriptedHost, answer: Said) -> None:
    for path in course.paths:
        course.paths[path] = answer

    assert readable(course, *EVERY_KIND) == set()


@pytest.mark.parametrize("lock", [{"locked_for_user": True}, {"published": False}, {"locked_for_user": "yes"}])
def test_what_is_locked_or_withdrawn_is_not(course: ScriptedHost, lock: dict[str, Any]) -> None:
    for path, row in list(course.paths.items()):
        if isinstance(row, dict) and path != COURSE:
            course.paths[path] = {**row, **lock}
    course.paths[f"{COURSE}/assignments"] = [{**course.paths[f"{COURSE}/assignments"][0], **lock}]

    assert readable(course, *EVERY_KIND) == {"syllabus-101", "link-55"}


def test_a_link_of_a_closed_module_is_not(course: ScriptedHost) -> None:
    course.paths[f"{COURSE}/modules"] = [{**course.paths[f"{COURSE}/modules"][0], "state": "locked"}]

    assert readable(course, "link-55", "file-7") == {"file-7"}


def test_what_a_module_keeps_locked_by_now_is_not_whatever_its_own_row_says(course: ScriptedHost) -> None:
    shown = [replace(material(id), module="Week 1") for id in ("file-7", "assignment-11")]
    source = source_at(course)
    before = source.readable([*shown, material("page-3")])
    course.paths[f"{COURSE}/modules"] = [{**course.paths[f"{COURSE}/modules"][0], "state": "locked"}]

    assert len(before) == 3
    assert source.readable([*shown, material("page-3")]) == {"canvas-101.page-3"}


def test_many_files_are_asked_for_by_the_list_and_the_rest_one_by_one(course: ScriptedHost) -> None:
    rows = [file_row(course, number, locked_for_user=number == 13) for number in range(1, 100)]
    course.paths[f"{COURSE}/files"] = rows
    course.paths[f"{COURSE}/files/200"] = file_row(course, 200)

    found = readable(course, *numbered("file", range(1, 100)), "file-200", "file-201")

    assert found == {*numbered("file", range(1, 100)), "file-200"} - {"file-13"}
    assert len(course.seen) == 3


def test_many_files_under_a_hidden_list_are_asked_for_one_by_one(course: ScriptedHost) -> None:
    course.paths[f"{COURSE}/files"] = refused(403)
    course.paths |= {f"{COURSE}/files/{number}": file_row(course, number) for number in range(1, 9)}

    assert readable(course, *numbered("file", range(1, 12))) == {*numbered("file", range(1, 9))}


@pytest.mark.parametrize(
    ("answer", "reaction"),
    [
        (Said(status=503), ServiceUnavailable),
        (Said(body=b"403 Forbidden (Rate Limit Exceeded)", status=403, headers={"retry-after": "60"}), Throttled),
        (Said(body={"errors": [{"message": "Invalid access token."}]}, status=401), ReconnectRequired),
    ],
)
def test_where_canvas_cannot_tell_nothing_is_told_as_gone(course: ScriptedHost, answer: Said, reaction: type) -> None:
    course.paths[f"{COURSE}/files/7"] = answer

    with pytest.raises(reaction):
        readable(course, "file-7", "page-3")


@pytest.mark.parametrize(
    "id",
    [
        "canvas-101.file-x",
        "canvas-101",
        "canvas-١٠١.file-7",
        "other-1.file-7",
        "canvas-101.page-item55",
        "",
        "canvas-101.file-7/../8",
    ],
)
def test_an_id_of_another_make_is_not_readable_and_asks_nothing(course: ScriptedHost, id: str) -> None:
    strange = Material(id=id, course_key="canvas-101", kind=MaterialKind.FILE, title="x")

    assert source_at(course).readable([strange]) == frozenset()
    assert course.seen == []


def test_nothing_is_asked_about_nothing(course: ScriptedHost) -> None:
    assert readable(course) == set()
    assert course.seen == []
