"""What students may read of the campus's Canvas: locks, hidden files and lists, and files for one of them."""

from typing import Any

import pytest
from canvasapi.exceptions import CanvasException, Forbidden

from sandbox.canvas.documents.source import sources
from tests.campus_server import CampusServer
from tests.sandbox.canvas_clients import BIOLOGY, Get, client, control, getter, item_of

CODE, HISTORY = 4310, 4505
CSV = sources("biol201")["onion-counts"]


@pytest.fixture
def get(campus: CampusServer) -> Get:
    """Plain GET as Maya."""
    return getter(campus, "maya")


def test_a_locked_file_has_no_address_and_is_in_no_list(campus: CampusServer, get: Get) -> None:
    url = get(f"/courses/{BIOLOGY}/files", params={"search_term": "onion"}).json()[0]["url"]
    row = control(campus, file="onion_counts.csv", do="lock")

    told = get(f"/courses/{BIOLOGY}/files/{row['id']}").json()
    assert (told["locked_for_user"], told["url"], told["lock_info"]["manually_locked"]) == (True, "", True)
    assert get(url).status_code == 403
    assert get(f"/courses/{BIOLOGY}/files", params={"search_term": "onion"}).json() == []
    assert getter(campus, "okafor")(f"/files/{row['id']}").json()["url"] != ""
    control(campus, file="onion_counts.csv", do="unlock")
    assert get(f"/files/{row['id']}").json()["url"] == url


def test_files_of_a_locked_module_are_listed_without_an_address(campus: CampusServer, get: Get) -> None:
    module = control(campus, "courses", do="lock_module", module="Unit 1 · Molecules of life")
    rows = get(f"/courses/{BIOLOGY}/files", params={"per_page": 100}).json()

    locked = [row for row in rows if row["locked_for_user"]]
    assert locked
    assert {row["lock_info"]["context_module"]["id"] for row in locked} == {module["id"]}
    assert {row["url"] for row in locked} == {""}
    control(campus, "courses", do="unlock_module", module="Unit 1 · Molecules of life")
    assert not any(row["locked_for_user"] for row in get(f"/courses/{BIOLOGY}/files").json())


def test_a_file_that_opens_later_is_told_by_its_module_alone(get: Get) -> None:
    later = next(own for own in sources("biol201").values() if own.head.get("unlocks", 0) > 0)
    item = item_of(get, later.title)

    assert item is not None
    assert item["content_details"]["locked_for_user"]
    assert item["content_details"]["unlock_at"]
    assert get(item["url"]).json()["url"] == ""
    assert get(f"/courses/{BIOLOGY}/files", params={"search_term": later.head["file"]}).json() == []


def test_a_hidden_file_is_in_no_list_and_opens_by_its_number(campus: CampusServer, get: Get) -> None:
    row = control(campus, file="onion_counts.csv", do="hide")

    told = get(f"/files/{row['id']}").json()
    assert (told["hidden"], told["hidden_for_user"], bool(told["url"])) == (True, True, True)
    assert get(f"/courses/{BIOLOGY}/files", params={"search_term": "onion"}).json() == []


@pytest.mark.parametrize("wish", [{"do": "unpublish"}, {"do": "only", "people": ["diego"]}])
def test_what_is_not_for_a_student_is_refused_and_in_no_module(
    campus: CampusServer, get: Get, wish: dict[str, Any]
) -> None:
    control(campus, file="lecture-06-membranes", **wish)
    number = sources("biol201")["lecture-06-membranes"].number

    assert get(f"/files/{number}").status_code == 403
    assert item_of(get, sources("biol201")["lecture-06-membranes"].title) is None


def test_two_students_of_one_course_have_different_rights(campus: CampusServer) -> None:
    course = client(campus, "maya").get_course(CODE)
    name = next(iter(course.get_files())).display_name
    control(campus, course=CODE, file=name, do="only", people=["diego"])

    hers = {file.display_name for file in course.get_files()}
    his = {file.display_name for file in client(campus, "diego").get_course(CODE).get_files()}
    assert name in his - hers
    assert hers <= his


def test_courses_have_files_for_one_student_behind_a_link_and_beside_an_announcement(campus: CampusServer) -> None:
    hers, his = getter(campus, "maya"), getter(campus, "diego")
    make_up, model = sources("cs101")["lab-8-make-up"], sources("writ110")["model-essay-annotated"]
    news = his("/courses/4402/discussion_topics", params={"only_announcements": 1, "per_page": 50}).json()

    listed = {row["id"] for row in his("/courses/4402/files", params={"per_page": 100}).json()}
    assert [get(f"/files/{make_up.number}").status_code for get in (hers, his)] == [403, 200]
    assert model.number not in listed
    assert f"/files/{model.number}?" in his("/courses/4402/pages/essay-3-week-by-week").json()["body"]
    assert his(f"/files/{model.number}").json()["url"]
    (attached,) = [file for topic in news for file in topic["attachments"]]
    assert (attached["mime_class"], attached["id"] in listed) == ("doc", True)


def test_a_hidden_list_is_refused_although_single_files_are_readable(campus: CampusServer, get: Get) -> None:
    history = client(campus, "maya").get_course(HISTORY)
    modules = get(f"/courses/{HISTORY}/modules").json()
    items = (item for module in modules for item in get(module["items_url"]).json())
    item = next(item for item in items if item["type"] == "File")

    for refused in (history.get_files, history.get_folders):
        with pytest.raises(Forbidden):
            list(refused())
    assert get(item["url"]).json()["url"]
    assert "files" not in {tab["id"] for tab in get(f"/courses/{HISTORY}/tabs").json()}
    assert "files" in {tab["id"] for tab in get(f"/courses/{BIOLOGY}/tabs").json()}


def test_a_student_who_left_the_course_reads_nothing_of_it(campus: CampusServer, get: Get) -> None:
    control(campus, "courses", do="drop_student", person="maya")

    assert get(f"/courses/{BIOLOGY}/files").status_code == 403
    assert get(f"/files/{CSV.number}").status_code == 403


def test_a_wrong_course_says_nothing_of_a_file(campus: CampusServer, get: Get) -> None:
    assert get(f"/courses/{CODE}/files/{CSV.number}").status_code == 404
    with pytest.raises(CanvasException):
        client(campus, "diego").get_file(CSV.number)
