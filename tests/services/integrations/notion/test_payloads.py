import pytest
from hypothesis import given
from hypothesis import strategies as st

from services.integrations.notion.payloads import NotionPage, id_in_reference, matching_pages, read_page

ID = "1f3e5a7c-0b2d-4c6e-8f10-123456789abc"
BARE = ID.replace("-", "")


def page(title: str, /, **changes: object) -> NotionPage:
    json = {
        "object": "page",
        "id": ID,
        "url": "https://www.notion.so/x",
        "last_edited_time": "2026-11-20T10:00:00.000Z",
        "properties": {"Name": {"type": "title", "title": [{"plain_text": title}]}},
        **changes,
    }
    return read_page(json)


@pytest.mark.parametrize(
    "reference",
    [ID, BARE, f" {BARE} ", f"https://www.notion.so/Biology-notes-{BARE}?pvs=4", f"http://localhost/notion/{BARE}#top"],
)
def test_an_id_is_found_however_it_is_written(reference: str) -> None:
    found = id_in_reference(reference)

    assert found is not None
    assert found.replace("-", "") == BARE


@pytest.mark.parametrize("reference", ["Biology notes", "https://www.notion.so/", f"Notes on {BARE}", "", "../users"])
def test_a_title_is_no_id(reference: str) -> None:
    assert id_in_reference(reference) is None


@given(st.text(max_size=80))
def test_what_is_taken_for_an_id_can_stand_in_a_path(text: str) -> None:
    found = id_in_reference(text)

    assert found is None or set(found.lower()) <= set("0123456789abcdef-")


def test_an_exact_title_wins_over_longer_ones() -> None:
    notes, more = page("Biology notes"), page("Biology notes 2")

    assert matching_pages([more, notes], "biology  NOTES") == [notes]


def test_all_words_win_over_some() -> None:
    biology, chemistry = page("Notes for Biology"), page("Notes for Chemistry")

    assert matching_pages([chemistry, biology], "biology notes") == [biology]


def test_what_is_merely_alike_is_not_meant() -> None:
    assert matching_pages([page("Chemistry")], "biology notes") == []


def test_a_database_has_its_title_on_itself() -> None:
    found = page("", object="data_source", title=[{"plain_text": "Assignment tracker"}])

    assert (found.title, found.kind) == ("Assignment tracker", "database")


def test_a_page_without_a_title_is_called_so() -> None:
    assert page("").title == "Untitled"
    assert page("x", properties={}).title == "Untitled"
