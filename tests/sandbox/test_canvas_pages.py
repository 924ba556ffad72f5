"""Pages of the campus's Canvas, by canvasapi and by plain HTTP."""

import pytest
from canvasapi.exceptions import Forbidden, ResourceDoesNotExist

from sandbox.canvas.documents.source import sources
from tests.campus_server import CampusServer
from tests.sandbox.canvas_clients import BIOLOGY, Get, client, control, getter, item_of

REPORT = sources("biol201")["report-template"]


@pytest.fixture
def get(campus: CampusServer) -> Get:
    """Plain GET as Maya."""
    return getter(campus, "maya")


def test_the_real_client_lists_pages_and_reads_one(campus: CampusServer) -> None:
    course = client(campus, "maya").get_course(BIOLOGY)

    (listed,) = [page for page in course.get_pages() if page.title == REPORT.title]
    page = course.get_page(listed.url)
    assert not hasattr(listed, "body")
    assert (page.page_id, page.url, page.published) == (REPORT.number, "report-template", True)
    assert "<h3>" in page.body
    assert page.html_url.endswith(f"/courses/{BIOLOGY}/pages/report-template")


@pytest.mark.parametrize("name", [f"page_id:{REPORT.number}", str(REPORT.number), "report-template"])
def test_a_page_is_found_by_its_address_and_its_number(get: Get, name: str) -> None:
    assert get(f"/courses/{BIOLOGY}/pages/{name}").json()["title"] == REPORT.title


@pytest.mark.parametrize("name", ["nothing", "page_id:1", "page_id:report-template"])
def test_another_name_is_no_page(campus: CampusServer, name: str) -> None:
    with pytest.raises(ResourceDoesNotExist):
        client(campus, "maya").get_course(BIOLOGY).get_page(name)


def test_a_list_brings_the_texts_when_asked(get: Get) -> None:
    pages = get(f"/courses/{BIOLOGY}/pages", params={"include[]": "body", "sort": "title"}).json()

    assert [page["title"] for page in pages] == sorted(page["title"] for page in pages)
    assert all(page["body"] for page in pages)
    assert get(f"/courses/{BIOLOGY}/pages", params={"search_term": "no such words"}).json() == []


def test_links_of_a_page_lead_to_files_and_pages_of_the_course(campus: CampusServer) -> None:
    get = getter(campus, "diego")
    page = get("/courses/4402/pages/essay-3-week-by-week").json()
    addresses = [part.partition('"')[0] for part in page["body"].split('href="')[1:]]

    assert len(addresses) >= 4
    assert {address.partition("/courses/4402/")[2].partition("/")[0] for address in addresses} <= {"files", "pages"}
    numbers = [address.partition("/files/")[2].partition("?")[0] for address in addresses if "/files/" in address]
    assert {get(f"/files/{number}").status_code for number in numbers} == {200}


def test_a_locked_page_comes_without_its_text_and_an_unpublished_one_not_at_all(campus: CampusServer, get: Get) -> None:
    control(campus, file=REPORT.title, do="lock")
    locked = get(f"/courses/{BIOLOGY}/pages/report-template").json()
    control(campus, file=REPORT.title, do="unlock")
    control(campus, file=REPORT.title, do="unpublish")

    assert (locked["locked_for_user"], "body" in locked) == (True, False)
    assert locked["lock_explanation"]
    with pytest.raises(Forbidden):
        client(campus, "maya").get_course(BIOLOGY).get_page("report-template")
    assert item_of(get, REPORT.title) is None
    assert getter(campus, "okafor")(f"/courses/{BIOLOGY}/pages/report-template").json()["published"] is False


def test_pages_of_a_locked_module_are_locked(campus: CampusServer, get: Get) -> None:
    control(campus, "courses", do="lock_module", module=REPORT.head["module"])

    page = get(f"/courses/{BIOLOGY}/pages/report-template").json()
    assert page["lock_info"]["context_module"]["name"] == REPORT.head["module"]
    assert "body" not in page


def test_an_edited_page_has_a_new_date_and_the_same_number(campus: CampusServer, get: Get) -> None:
    before = get(f"/courses/{BIOLOGY}/pages/report-template").json()
    control(campus, file=REPORT.title, do="edit", source="biol201/glycolysis-in-one-picture")
    after = get(f"/courses/{BIOLOGY}/pages/report-template").json()

    assert (after["page_id"], after["title"]) == (before["page_id"], before["title"])
    assert after["updated_at"] > before["updated_at"]
    assert after["body"] != before["body"]
