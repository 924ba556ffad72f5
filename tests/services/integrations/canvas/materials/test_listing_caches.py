"""Texts of a listing: for the account that listed them, for ten minutes, in bounded memory."""

import pytest

from services.connections.backoff import Backoff
from services.errors import ServiceUnavailable
from services.integrations.canvas.materials import listing_caches
from services.integrations.canvas.materials.listing_caches import KEPT_S, ListedTexts, SingleFiles
from tests.services.integrations.canvas.materials.course_rows import PAGE, item, module
from tests.services.integrations.canvas.materials.scripted_canvas import (
    COURSE,
    Said,
    ScriptedHost,
    course_paths,
    file_row,
    refused,
    source_at,
)

KEY = "canvas-101"
PAGE_ID = f"{KEY}.page-3"


def test_an_account_gets_its_own_texts_and_no_others() -> None:
    texts, maya, diego = ListedTexts(), Backoff(), Backoff()
    texts.store(maya, KEY, {PAGE_ID: "<p>hers</p>"})

    assert texts.get(maya, PAGE_ID) == "<p>hers</p>"
    assert texts.get(diego, PAGE_ID) is None
    assert texts.get(maya, "canvas-102.page-3") is None


def test_a_text_is_too_old_after_a_while() -> None:
    now = 0.0
    texts, maya = ListedTexts(lambda: now), Backoff()
    texts.store(maya, KEY, {PAGE_ID: "x"})

    now = KEPT_S

    assert texts.get(maya, PAGE_ID) is None


def test_memory_is_bounded_and_what_was_kept_longest_goes_first(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(listing_caches, "MOST_BYTES", 250)
    monkeypatch.setattr(listing_caches, "_COURSE_BYTES", 100)
    texts, accounts = ListedTexts(), [Backoff() for _ in range(4)]
    for account in accounts:
        texts.store(account, KEY, {PAGE_ID: "x" * 90, f"{KEY}.page-4": "x" * 90})

    assert [texts.get(account, PAGE_ID) is not None for account in accounts] == [False, False, True, True]
    assert texts.get(accounts[-1], f"{KEY}.page-4") is None


def test_a_course_is_read_in_without_a_request_for_each_text(school: ScriptedHost) -> None:
    pages = [{**PAGE, "page_id": number, "url": f"p{number}", "body": f"<p>{number}</p>"} for number in range(1, 40)]
    school.paths.update(course_paths(school, pages=pages))
    source = source_at(school)
    materials = source.listing(KEY).materials
    asked = len(school.seen)

    read = [source.content(material).content for material in materials]

    assert len(school.seen) == asked
    assert b"<p>39</p>" in b"".join(read)


def test_a_text_that_no_listing_brought_is_asked_for(school: ScriptedHost) -> None:
    school.paths.update(course_paths(school, pages=[PAGE]))
    school.paths[f"{COURSE}/pages/page_id:3"] = {**PAGE, "body": "<p>Osmosis & more</p>"}
    source = source_at(school)
    (material,) = source.listing(KEY).materials

    content = source.content(material)

    assert content.name == "page.html"
    assert b"<h1>Week 1 overview</h1>\n<p>Osmosis & more</p>" in content.content


def test_single_files_are_asked_for_once_and_locked_ones_each_time(school: ScriptedHost) -> None:
    shown = [item("File", content_id=number) for number in range(1, 31)]
    school.paths.update(course_paths(school, modules=[module(*shown)]))
    school.paths[f"{COURSE}/files"] = refused(403)
    school.paths |= {f"{COURSE}/files/{number}": file_row(school, number) for number in range(1, 31)}
    school.paths[f"{COURSE}/files/30"] = file_row(school, 30, url="", locked_for_user=True)
    source = source_at(school)
    source.listing(KEY)
    asked = len(school.seen)

    materials = source.listing(KEY).materials

    assert len(materials) == 30
    assert [material.id for material in materials if material.locked] == [f"{KEY}.file-30"]
    assert sum("/files/" in seen.path for seen in school.seen[asked:]) == 1


def test_a_listing_that_broke_off_goes_on_where_it_was(school: ScriptedHost) -> None:
    shown = [item("File", content_id=number) for number in range(1, 31)]
    school.paths.update(course_paths(school, modules=[module(*shown)]))
    school.paths[f"{COURSE}/files"] = refused(403)
    school.paths |= {f"{COURSE}/files/{number}": file_row(school, number) for number in range(1, 31)}
    school.paths |= {f"{COURSE}/files/{number}": Said(status=500) for number in range(21, 31)}
    source = source_at(school)
    with pytest.raises(ServiceUnavailable):
        source.listing(KEY)
    school.paths |= {f"{COURSE}/files/{number}": file_row(school, number) for number in range(21, 31)}
    asked = len(school.seen)

    assert len(source.listing(KEY).materials) == 30
    assert sum("/files/" in seen.path for seen in school.seen[asked:]) == 10


def test_a_file_of_one_account_is_asked_for_anew_by_another() -> None:
    files, maya, diego = SingleFiles(), Backoff(), Backoff()
    files.get_or_read(maya, 7, lambda: {"id": 7, "url": "hers"})

    assert files.get_or_read(maya, 7, dict)["url"] == "hers"
    assert files.get_or_read(diego, 7, lambda: {"url": "his"})["url"] == "his"
