"""The registry of pages knows every page there is, each under an address of its own."""

from pathlib import Path

import pytest

from services.navigation import PAGE_PATHS, PAGES, AppPage, Audience
from services.settings import ROOT


def test_every_file_of_the_pages_is_registered_once() -> None:
    files = sorted(str(path) for path in (ROOT / "pages").glob("*.py"))

    assert sorted(page.script for page in PAGES) == files


def test_every_page_has_an_address_of_its_own_that_is_named_like_its_file() -> None:
    assert len(PAGE_PATHS) == len(PAGES)
    assert PAGES[0].path == "/"
    assert [page.path for page in PAGES[1:]] == [f"/{Path(page.script).stem}" for page in PAGES[1:]]


@pytest.mark.parametrize("audience", Audience)
def test_a_page_is_for_its_audience_and_nobody_else(audience: Audience) -> None:
    page = AppPage(name="x", title="X", path="/x", audience=audience)
    is_shown = {
        Audience.STUDENTS: (True, True, True),
        Audience.INSTRUCTORS: (False, True, True),
        Audience.PRESENTERS: (False, False, True),
    }[audience]

    assert is_shown == (
        page.is_for(instructor=False),
        page.is_for(instructor=True),
        page.is_for(instructor=True, presenter=True),
    )
