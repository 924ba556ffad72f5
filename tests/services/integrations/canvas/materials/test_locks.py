"""Locks and drafts in every form in which Canvas tells them: listed with the reason, or not at all."""

from typing import Any

import pytest

from tests.services.integrations.canvas.materials.course_rows import (
    PAGE,
    assignment,
    item,
    listed,
    module,
    topic,
)
from tests.services.integrations.canvas.materials.scripted_canvas import ScriptedHost, file_row, refused


@pytest.mark.parametrize(
    "closed",
    [
        {"state": "locked"},
        {"unlock_at": "2126-01-01T00:00:00Z", "state": None},
    ],
)
def test_nothing_of_a_locked_module_is_asked_for(school: ScriptedHost, closed: dict[str, Any]) -> None:
    items = (
        item("Page", page_url="answers"),
        item("File", content_id=7),
        item("ExternalUrl", external_url="https://a.example/"),
    )
    listing = listed(school, modules=[module(*items, **closed)], files=refused(403), pages=refused(404))

    assert len(listing.materials) == 3
    assert all(material.locked for material in listing.materials)
    assert not [seen.path for seen in school.seen if "files/" in seen.path or "pages/" in seen.path]


def test_what_an_open_module_shows_too_is_open(school: ScriptedHost) -> None:
    shown = item("File", content_id=7)
    listing = listed(
        school,
        modules=[module(shown, state="locked"), module(shown, name="Week 2")],
        files=[file_row(school)],
    )

    assert [(m.module, m.locked) for m in listing.materials] == [("Week 2", "")]


@pytest.mark.parametrize(
    "lock",
    [
        {"locked_for_user": True},
        {"locked_for_user": "true"},
        {"locked_for_user": 1},
        {"locked_for_user": "1"},
        {"locked_for_user": True, "lock_explanation": None},
        {"locked_for_user": True, "lock_explanation": ["x"]},
        {"locked_for_user": {"yes": 1}},
        {"lock_info": {"asset_string": "wiki_page_3"}},
        {"lock_info": {"asset_string": "wiki_page_3", "can_view": "true"}},
        {"unlock_at": "2126-01-01T00:00:00Z"},
    ],
)
def test_a_lock_in_any_form_is_a_lock(school: ScriptedHost, lock: dict[str, Any]) -> None:
    listing = listed(
        school,
        files=[file_row(school, **lock)],
        pages=[{**PAGE, "body": "secret", **lock}],
        assignments=[assignment(**lock)],
        topics=[topic(**lock)],
    )

    assert {m.id.partition(".")[2]: bool(m.locked) for m in listing.materials} == dict.fromkeys(
        ("file-7", "page-3", "assignment-11", "discussion-21"), True
    )


def test_a_lock_says_why_in_the_schools_words(school: ScriptedHost) -> None:
    html = 'Locked until <b>Unit 1</b> is done.<br/><a href="https://canvas.example/x">Go</a><script>x</script>'
    listing = listed(school, pages=[{**PAGE, "locked_for_user": True, "lock_explanation": html}])

    assert listing.materials[0].locked == "Locked until Unit 1 is done. Go"


def test_work_that_is_closed_to_hand_ins_stays_readable(school: ScriptedHost) -> None:
    lock = {"locked_for_user": True, "lock_info": {"can_view": True}, "lock_explanation": "Closed."}
    listing = listed(school, assignments=[assignment(**lock)])

    assert [material.locked for material in listing.materials] == [""]


@pytest.mark.parametrize(
    "draft", [{"published": False}, {"published": "false"}, {"published": 0}, {"workflow_state": "unpublished"}]
)
def test_drafts_that_teachers_are_listed_are_no_materials(school: ScriptedHost, draft: dict[str, Any]) -> None:
    listing = listed(
        school,
        modules=[module(item("File", content_id=9), **draft), module(item("File", content_id=10, **draft))],
        pages=[{**PAGE, **draft}],
        assignments=[assignment(**draft)],
        topics=[topic(**draft)],
    )

    assert listing.materials == []
    assert not [seen.path for seen in school.seen if "/files/" in seen.path]
