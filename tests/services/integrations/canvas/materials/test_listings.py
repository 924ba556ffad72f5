"""Listing: one pass over a course's lists, in the order of its modules, whatever the course hides (R75)."""

from typing import Any

import pytest

from services.errors import PermissionMissing, ServiceUnavailable, Throttled
from services.materials.material import MaterialKind
from tests.services.integrations.canvas.materials.course_rows import (
    PAGE,
    assignment,
    by_id,
    item,
    listed,
    module,
    topic,
)
from tests.services.integrations.canvas.materials.scripted_canvas import (
    COURSE,
    Said,
    ScriptedHost,
    course_paths,
    file_row,
    refused,
    source_at,
)

NO_SCOPE = Said(body={"errors": [{"message": "Insufficient scopes on access token."}]}, status=401)


def test_every_kind_is_listed_in_the_order_of_the_modules(school: ScriptedHost) -> None:
    items = [
        item("SubHeader"),
        item("Page", page_url="week-1-overview"),
        item("File", content_id=7),
        item("Assignment", content_id=11),
        item("Discussion", content_id=21),
        item("ExternalUrl", external_url="https://cells.example/mitosis", id=55, title="Mitosis in pictures"),
        item("ExternalTool"),
    ]
    listing = listed(
        school,
        modules=[module(*items)],
        files=[file_row(school, 8), file_row(school, 7)],
        folders=[{"id": 9, "full_name": "course files/Readings/Extra"}],
        pages=[PAGE],
        assignments=[assignment()],
        topics=[topic()],
        announcements=[
            topic(22, is_announcement=True),
            topic(23, is_announcement=True, posted_at="2026-11-01T00:00:00Z"),
        ],
        syllabus="<p>Late work loses 10 %.</p>",
    )

    assert [material.id.partition(".")[2] for material in listing.materials] == [
        *("syllabus-101", "page-3", "file-7", "assignment-11", "discussion-21", "link-55"),
        *("file-8", "announcement-23", "announcement-22"),
    ]
    assert [material.position for material in listing.materials] == list(range(9))
    assert [material.module for material in listing.materials] == ["", *["Week 1"] * 5, "Readings/Extra", "", ""]
    assert not any(material.locked for material in listing.materials)
    assert all(material.version for material in listing.materials)
    assert listing.notes == []
    assert (by_id(listing)["file-7"].title, by_id(listing)["file-7"].name) == ("Item 2", "Lecture 7.pdf")
    assert by_id(listing)["file-8"].title == "Lecture 8.pdf"


def test_a_course_of_three_hundred_files_is_one_pass_of_few_requests(school: ScriptedHost) -> None:
    items = [item("File", content_id=number) for number in range(1, 301)]
    pages = [[file_row(school, number) for number in range(start, start + 100)] for start in (1, 101, 201)]

    def files(request: Any) -> Said:
        page = int(request.query.get("page", ["1"])[0])
        follow = f'<{school.origin}{COURSE}/files?page={page + 1}&per_page=100>; rel="next"'
        return Said(body=pages[page - 1], headers={"link": follow} if page < 3 else {})

    school.paths.update(course_paths(school, modules=[module(*items)]))
    school.paths[f"{COURSE}/files"] = files

    listing = source_at(school).listing("canvas-101")

    assert len(listing.materials) == 300
    assert len(school.seen) == 10


def test_a_hidden_list_of_files_is_made_up_for_by_modules_and_texts(school: ScriptedHost) -> None:
    html = f'<a href="{school.origin}/courses/101/files/8?wrap=1">Slides</a> <a href="/courses/102/files/99">other</a>'
    school.paths.update({f"{COURSE}/files/{number}": file_row(school, number) for number in (7, 8, 10)})
    listing = listed(
        school,
        modules=[module(item("Page", page_url="week-1-overview"), item("File", content_id=7))],
        files=refused(403),
        pages=[{**PAGE, "body": html}],
        announcements=[topic(22, is_announcement=True, attachments=[{"id": 10, "filename": "a.pdf"}])],
    )

    assert list(by_id(listing)) == ["page-3", "file-8", "file-7", "announcement-22", "file-10"]
    assert by_id(listing)["file-8"].module == "Week 1"
    assert by_id(listing)["file-8"].version
    assert [note for note in listing.notes if "hides" in note and "files" in note]
    assert school.asked(f"{COURSE}/files/99") == 0


def test_a_hidden_list_of_pages_is_made_up_for_by_modules(school: ScriptedHost) -> None:
    school.paths.update(course_paths(school, modules=[module(item("Page", page_url="week-1-overview"))]))
    school.paths[f"{COURSE}/pages"] = Said(status=404)
    school.paths[f"{COURSE}/pages/week-1-overview"] = {**PAGE, "body": "<p>Osmosis</p>"}
    source = source_at(school)

    (material,) = source.listing("canvas-101").materials

    assert (material.id, material.module) == ("canvas-101.page-3", "Week 1")
    assert b"Osmosis" in source.content(material).content
    assert school.asked(f"{COURSE}/pages/page_id:3") == 0


@pytest.mark.parametrize(
    "quiz",
    [
        {"quiz_id": 4},
        {"submission_types": ["online_quiz"]},
        {"is_quiz_assignment": True},
        {"is_quiz_lti_assignment": "true"},
        {"submission_types": ["external_tool"]},
    ],
)
def test_a_quiz_is_no_material(school: ScriptedHost, quiz: dict[str, Any]) -> None:
    items = (item("Quiz", content_id=4), item("Assignment", content_id=11))
    listing = listed(school, modules=[module(*items)], assignments=[assignment(**quiz)])

    assert listing.materials == []


def test_what_classmates_began_is_theirs(school: ScriptedHost) -> None:
    topics = [topic(1, author={"id": 77}), topic(2, author={"id": 77}, assignment_id=3), topic(3, author={})]
    news = [topic(4, author={"id": 88}, is_announcement=True)]
    listing = listed(school, topics=topics, announcements=news)

    assert sorted(by_id(listing)) == ["announcement-4", "discussion-2", "discussion-3"]


def test_what_a_topic_brings_is_listed_unless_it_is_locked(school: ScriptedHost) -> None:
    school.paths.update({f"{COURSE}/files/{number}": file_row(school, number) for number in (7, 8, 9)})
    topics = [
        topic(1, attachments=[{"id": 7}]),
        topic(2, attachments=[{"id": 8}], message=""),
        topic(3, attachments=[{"id": 9}], locked_for_user=True),
    ]
    listing = listed(school, topics=topics, files=refused(403))

    assert list(by_id(listing)) == ["discussion-1", "file-7", "discussion-3", "file-8"]
    assert school.asked(f"{COURSE}/files/9") == 0


def test_a_link_into_the_same_course_is_that_thing(school: ScriptedHost) -> None:
    address = f"{school.origin}/courses/101/files/7/download"
    other = f"{school.origin}/courses/999/files/8"
    items = [item("ExternalUrl", external_url=url) for url in (address, other, "/courses/101/pages/week-1-overview")]
    listing = listed(school, modules=[module(*items)], files=[file_row(school)], pages=[PAGE])

    assert list(by_id(listing)) == ["file-7", "page-3"]


def test_a_grant_with_narrower_scopes_gives_a_note_and_the_rest(school: ScriptedHost) -> None:
    listing = listed(
        school,
        files=NO_SCOPE,
        folders=NO_SCOPE,
        pages=NO_SCOPE,
        modules=[module(item("Page", page_url="week-1-overview"), item("File", content_id=7))],
        assignments=[assignment()],
    )

    assert list(by_id(listing)) == ["assignment-11"]
    assert len(listing.notes) == 1
    assert "reconnect Canvas" in listing.notes[0]
    assert "files, pages" in listing.notes[0]


def test_a_course_that_is_closed_is_told_as_such(school: ScriptedHost) -> None:
    school.paths.update({**course_paths(school), COURSE: refused(403)})

    with pytest.raises(PermissionMissing):
        source_at(school).listing("canvas-101")


@pytest.mark.parametrize(
    ("answer", "reaction"),
    [
        (Said(status=503), ServiceUnavailable),
        (Said(body=b"403 Forbidden (Rate Limit Exceeded)", status=403, headers={"retry-after": "60"}), Throttled),
        (Said(body=b"<html>maintenance</html>", headers={"content-type": "text/html"}), ServiceUnavailable),
        ([7], ServiceUnavailable),
    ],
)
@pytest.mark.parametrize("name", ["files", "modules"])
def test_half_a_listing_is_never_told(school: ScriptedHost, answer: Any, reaction: type, name: str) -> None:
    with pytest.raises(reaction):
        listed(school, **{name: answer}, assignments=[assignment()])


def test_a_change_changes_the_mark_and_nothing_else_does(school: ScriptedHost) -> None:
    def marks(**changes: Any) -> dict[str, str]:
        text = changes.get("text", f'<a href="{school.origin}/files/7?verifier=a{changes.get("key", "")}">x</a>')
        listing = listed(
            school,
            files=[file_row(school, updated_at=changes.get("at", "2026-10-02T08:00:00Z"))],
            pages=[{**PAGE, "body": "x", "updated_at": changes.get("at", PAGE["updated_at"])}],
            assignments=[assignment(description=text, updated_at=changes.get("key"))],
        )
        return {material.id: material.version for material in listing.materials}

    before = marks()

    assert marks(key="other") == before
    changed = marks(at="2026-11-02T08:00:00Z", text="<p>new</p>")
    assert all(changed[id] != mark for id, mark in before.items())


def test_rows_that_make_no_sense_are_counted_and_hide_nothing(school: ScriptedHost) -> None:
    odd: list[Any] = [{"id": None}, {"id": "seven"}, {"id": -1}, {"id": True}, {"id": [1]}, {}]
    listing = listed(
        school,
        files=[*odd, file_row(school)],
        pages=[{"page_id": "x"}, PAGE],
        assignments=[{"id": {}, "description": "x"}, assignment()],
        modules=[
            {"id": 1, "items": [{"type": "File", "content_id": "x"}, {"type": "Page"}, {"type": 4}]},
            {"id": 2, "items": "x"},
        ],
    )

    assert sorted(by_id(listing)) == ["assignment-11", "file-7", "page-3"]
    assert "items in Canvas could not be read" in listing.notes[0]


def test_a_file_that_opens_by_a_date_is_dated_by_that(school: ScriptedHost) -> None:
    dates = {7: "2020-11-04T09:00:00Z", 8: "2126-01-01T00:00:00Z", 9: None}
    files = [file_row(school, id, modified_at="2020-10-02T08:00:00Z", unlock_at=at) for id, at in dates.items()]

    materials = by_id(listed(school, files=files))

    found = {id: f"{material.dated_at:%m-%d}" for id, material in materials.items()}
    assert found == {"file-7": "11-04", "file-8": "10-02", "file-9": "10-02"}


def test_hostile_names_stay_names(school: ScriptedHost) -> None:
    name = "../../etc/passwd\x00\u202egpj.exe\n[x](https://evil.example) **" + "a" * 5000
    listing = listed(school, files=[file_row(school, display_name=name, filename="..%2F..%2Fx.pdf")])
    (material,) = listing.materials

    assert material.id == "canvas-101.file-7"
    assert "/" not in material.name
    assert "\x00" not in material.name
    assert "\u202e" not in material.title
    assert "](" not in material.title
    assert len(material.title) <= 200 >= len(material.name)


def test_ids_as_text_are_ids(school: ScriptedHost) -> None:
    listing = listed(
        school,
        modules=[module(item("File", content_id="70000000000000123"))],
        files=[file_row(school, "70000000000000123")],
    )

    assert list(by_id(listing)) == ["file-70000000000000123"]
    assert listing.materials[0].module == "Week 1"


def test_pages_whose_texts_are_too_long_for_a_list_are_listed_without(school: ScriptedHost) -> None:
    def pages(request: Any) -> Any:
        return [{**PAGE, "body": "x" * 21_000_000}] if "include[]" in request.query else [PAGE]

    school.paths.update({**course_paths(school), f"{COURSE}/pages": pages})
    source = source_at(school)
    school.paths[f"{COURSE}/pages/page_id:3"] = {**PAGE, "body": "<p>Osmosis</p>"}

    (material,) = source.listing("canvas-101").materials

    assert material.kind is MaterialKind.PAGE
    assert b"Osmosis" in source.content(material).content
