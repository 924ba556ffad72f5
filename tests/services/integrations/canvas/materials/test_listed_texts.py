"""Texts of a listing: for the account that listed them, for ten minutes, in bounded memory."""

import pytest

from services.connections.backoff import Backoff
from services.integrations.canvas.materials import listed_texts
from services.integrations.canvas.materials.listed_texts import KEPT_S, ListedTexts
from tests.services.integrations.canvas.materials.course_rows import PAGE
from tests.services.integrations.canvas.materials.scripted_canvas import (
    COURSE,
    ScriptedHost,
    course_paths,
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
    monkeypatch.setattr(listed_texts, "MOST_BYTES", 250)
    monkeypatch.setattr(listed_texts, "_COURSE_BYTES", 100)
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
