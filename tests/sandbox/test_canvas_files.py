"""Files of the campus's Canvas: by canvasapi over HTTP, with the rights of two students of one course."""

import base64
import re
from typing import Any

import httpx
import pytest
from canvasapi.exceptions import CanvasException, Forbidden, ResourceDoesNotExist

from sandbox.canvas.documents.source import sources
from tests.campus_server import CampusServer
from tests.sandbox.canvas_clients import Get, client, getter

COURSE, CODE, HISTORY = 4201, 4310, 4505
CSV = sources("biol201")["onion-counts"]
PAGE = {"include[]": ["items", "content_details"], "per_page": 100}


@pytest.fixture
def get(campus: CampusServer) -> Get:
    """Plain GET as Maya."""
    return getter(campus, "maya")


def control(campus: CampusServer, kind: str = "files", **wish: Any) -> dict[str, Any]:
    """Change a file or a course; wish: course=, file=, do= and what that needs."""
    answer = campus.http.post(f"{campus.url}/canvas/control/{kind}", json={"course": COURSE, **wish})
    assert answer.status_code == 200, answer.text
    told: dict[str, Any] = answer.json()
    return told


def item_of(get: Get, title: str, course: int = COURSE) -> dict[str, Any] | None:
    """The module item with this title, with its details."""
    modules = get(f"/courses/{course}/modules", params={"per_page": 100}).json()
    rows = (get(f"/courses/{course}/modules/{module['id']}/items", params=PAGE).json() for module in modules)
    return next((item for items in rows for item in items if item["title"] == title), None)


def test_a_link_in_an_assignment_leads_to_its_file(get: Get) -> None:
    report = get(f"/courses/{COURSE}/assignments", params={"search_term": "Lab Report 6"}).json()[0]
    (number,) = re.findall(rf"/canvas/courses/{COURSE}/files/(\d+)", report["description"])

    assert get(f"/courses/{COURSE}/files/{number}").json()["display_name"] == "onion_counts.csv"


def test_ids_are_strings_for_who_asks_for_them(get: Get) -> None:
    (row,) = get(
        f"/courses/{COURSE}/files",
        params={"search_term": "onion"},
        accept="application/json+canvas-string-ids",
    ).json()

    assert (row["id"], type(row["folder_id"]), type(row["size"])) == (str(CSV.number), str, int)


def test_the_real_client_lists_files_and_gets_their_bytes(campus: CampusServer) -> None:
    course = client(campus, "maya").get_course(COURSE)

    (file,) = [row for row in course.get_files() if row.display_name == "onion_counts.csv"]
    assert file.size == len(CSV.body.encode())
    assert getattr(file, "content-type") == "text/csv"
    assert file.get_contents(binary=True) == CSV.body.encode()
    assert course.get_file(file.id).updated_at == file.updated_at
    assert next(iter(course.get_folders())).full_name == "course files"


def test_every_size_is_told_without_a_document_being_made(get: Get) -> None:
    rows = get(f"/courses/{COURSE}/files", params={"per_page": 100}).json()

    assert len(rows) >= 8
    assert all(row["size"] > 100 for row in rows)


def test_folders_hold_what_the_list_holds(get: Get) -> None:
    folders = get(f"/courses/{COURSE}/folders", params={"per_page": 100}).json()
    listed = get(f"/courses/{COURSE}/files", params={"per_page": 100}).json()

    inside = [row["id"] for folder in folders for row in get(f"/folders/{folder['id']}/files").json()]
    (root,) = [folder for folder in folders if folder["parent_folder_id"] is None]
    assert sorted(inside) == sorted(row["id"] for row in listed)
    assert get(f"/courses/{COURSE}/folders/root").json() == root
    assert len(get(root["folders_url"]).json()) == root["folders_count"] > 0
    assert get(f"/courses/{COURSE}/folders/by_path/Readings").json()[-1]["full_name"] == "course files/Readings"


def test_a_list_is_filtered_sorted_and_shortened_as_asked(get: Get) -> None:
    path = f"/courses/{COURSE}/files"
    pdfs = get(path, params={"content_types[]": "application/pdf", "sort": "size", "order": "desc"}).json()
    named = get(path, params={"search_term": "onion", "only[]": "names"}).json()

    assert [row["size"] for row in pdfs] == sorted((row["size"] for row in pdfs), reverse=True)
    assert {row["mime_class"] for row in pdfs} == {"pdf"}
    assert [set(row) for row in named] == [{"id", "uuid", "folder_id", "display_name", "filename", "upload_status"}]
    assert get(path, params={"include[]": "of_no_meaning", "unknown": "1"}).status_code == 200


def test_a_download_leads_to_another_host_that_refuses_the_token(campus: CampusServer, get: Get) -> None:
    url = get(f"/courses/{COURSE}/files", params={"search_term": "onion"}).json()[0]["url"]
    there = get(url)

    elsewhere = there.headers["location"]
    assert there.status_code == 302
    assert "verifier" not in url
    assert httpx.URL(elsewhere).host != httpx.URL(campus.url).host
    assert campus.http.get(elsewhere).content == CSV.body.encode()
    assert campus.http.get(elsewhere, headers={"authorization": "Bearer x"}).status_code == 400
    assert campus.http.get(elsewhere.replace("/files/", "/files/x")).status_code == 403


def test_without_a_token_a_download_ends_at_a_page_to_sign_in_on(campus: CampusServer, get: Get) -> None:
    url = get(f"/courses/{COURSE}/files", params={"search_term": "onion"}).json()[0]["url"]
    answer = campus.http.get(url, follow_redirects=True)

    assert (answer.status_code, answer.headers["content-type"]) == (200, "text/html; charset=utf-8")
    assert b'type="password"' in answer.content or b"type='password'" in answer.content


def test_a_canvas_of_before_march_2026_takes_a_key_in_the_address(campus: CampusServer, get: Get) -> None:
    control(campus, "courses", do="verifiers", is_on=True)
    url = get(f"/courses/{COURSE}/files", params={"search_term": "onion"}).json()[0]["url"]

    assert campus.http.get(url, follow_redirects=True).content == CSV.body.encode()
    assert campus.http.get(f"{url}x").headers["location"].endswith("/login/canvas")
    control(campus, "courses", do="verifiers", is_on=False)
    assert campus.http.get(url).headers["location"].endswith("/login/canvas")


def test_a_quick_address_needs_no_token_and_is_refused_for_what_is_locked(campus: CampusServer, get: Get) -> None:
    number = get(f"/courses/{COURSE}/files", params={"search_term": "onion"}).json()[0]["id"]
    address = get(f"/files/{number}/public_url").json()["public_url"]
    content = campus.http.get(address).content
    control(campus, file="onion_counts.csv", do="lock")

    assert content == CSV.body.encode()
    assert get(f"/files/{number}/public_url").status_code == 403


def test_a_locked_file_has_no_address_and_is_in_no_list(campus: CampusServer, get: Get) -> None:
    url = get(f"/courses/{COURSE}/files", params={"search_term": "onion"}).json()[0]["url"]
    row = control(campus, file="onion_counts.csv", do="lock")

    told = get(f"/courses/{COURSE}/files/{row['id']}").json()
    assert (told["locked_for_user"], told["url"], told["lock_info"]["manually_locked"]) == (True, "", True)
    assert get(url).status_code == 403
    assert get(f"/courses/{COURSE}/files", params={"search_term": "onion"}).json() == []
    assert getter(campus, "okafor")(f"/files/{row['id']}").json()["url"] != ""
    control(campus, file="onion_counts.csv", do="unlock")
    assert get(f"/files/{row['id']}").json()["url"] == url


def test_files_of_a_locked_module_are_listed_without_an_address(campus: CampusServer, get: Get) -> None:
    module = control(campus, "courses", do="lock_module", module="Unit 1 · Molecules of life")
    rows = get(f"/courses/{COURSE}/files", params={"per_page": 100}).json()

    locked = [row for row in rows if row["locked_for_user"]]
    assert locked
    assert {row["lock_info"]["context_module"]["id"] for row in locked} == {module["id"]}
    assert {row["url"] for row in locked} == {""}
    control(campus, "courses", do="unlock_module", module="Unit 1 · Molecules of life")
    assert not any(row["locked_for_user"] for row in get(f"/courses/{COURSE}/files").json())


def test_a_file_that_opens_later_is_told_by_its_module_alone(get: Get) -> None:
    later = next(own for own in sources("biol201").values() if own.head.get("unlocks", 0) > 0)
    item = item_of(get, later.title)

    assert item is not None
    assert item["content_details"]["locked_for_user"]
    assert item["content_details"]["unlock_at"]
    assert get(item["url"]).json()["url"] == ""
    assert get(f"/courses/{COURSE}/files", params={"search_term": later.head["file"]}).json() == []


def test_a_hidden_file_is_in_no_list_and_opens_by_its_number(campus: CampusServer, get: Get) -> None:
    row = control(campus, file="onion_counts.csv", do="hide")

    told = get(f"/files/{row['id']}").json()
    assert (told["hidden"], told["hidden_for_user"], bool(told["url"])) == (True, True, True)
    assert get(f"/courses/{COURSE}/files", params={"search_term": "onion"}).json() == []


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


def test_a_replaced_file_has_a_new_number_to_which_the_old_one_leads(campus: CampusServer, get: Get) -> None:
    old = get(f"/courses/{COURSE}/files", params={"search_term": "onion"}).json()[0]
    control(campus, file="onion_counts.csv", do="replace", source="cs101/csv-cookbook")
    new = get(f"/courses/{COURSE}/files", params={"search_term": "onion"}).json()[0]

    assert new["id"] != old["id"]
    assert new["updated_at"] >= old["updated_at"]
    assert get(f"/files/{old['id']}").json() == new
    assert campus.http.get(get(new["url"]).headers["location"]).content != CSV.body.encode()


def test_any_bytes_can_be_put_among_the_files(campus: CampusServer, get: Get) -> None:
    content = b"PK\x03\x04 no archive at all"
    wish = {"name": "bomb.docx", "content": base64.b64encode(content).decode(), "module": "Unit 2 · Energy"}
    row = control(campus, "courses", do="upload", **wish)

    item = item_of(get, "bomb.docx")
    assert item is not None
    told = get(item["url"]).json()
    assert (told["id"], told["size"], told["mime_class"]) == (row["id"], len(content), "doc")
    assert campus.http.get(get(told["url"]).headers["location"]).content == content


def test_a_removed_file_is_not_found(campus: CampusServer) -> None:
    control(campus, file="onion_counts.csv", do="remove")

    with pytest.raises(ResourceDoesNotExist):
        client(campus, "maya").get_file(CSV.number)


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
    assert "files" in {tab["id"] for tab in get(f"/courses/{COURSE}/tabs").json()}


def test_a_login_page_comes_under_the_name_of_a_pdf(campus: CampusServer, get: Get) -> None:
    own = next(own for own in sources("hist142").values() if own.kind == "login")
    told = get(f"/files/{own.number}").json()

    answer = campus.http.get(get(told["url"]).headers["location"])
    assert (told["content-type"], told["display_name"][-4:]) == ("application/pdf", ".pdf")
    assert (answer.status_code, answer.headers["content-type"]) == (200, "text/html; charset=utf-8")
    assert b"password" in answer.content


def test_a_student_who_left_the_course_reads_nothing_of_it(campus: CampusServer, get: Get) -> None:
    control(campus, "courses", do="drop_student", person="maya")

    assert get(f"/courses/{COURSE}/files").status_code == 403
    assert get(f"/files/{CSV.number}").status_code == 403


def test_three_hundred_files_come_in_pages_each_with_a_text_of_its_own(campus: CampusServer, get: Get) -> None:
    module = "Unit 1 · Molecules of life"
    control(campus, "courses", do="many_files", count=300, module=module)
    pages = [
        get(f"/courses/{COURSE}/files", params={"search_term": "reading-", "per_page": 100, "page": page})
        for page in (1, 2, 3)
    ]
    rows = [row for page in pages for row in page.json()]
    sample = rows[6]
    text = campus.http.get(get(sample["url"]).headers["location"]).content

    items = {row["name"]: row["items_count"] for row in get(f"/courses/{COURSE}/modules").json()}
    assert len({row["id"] for row in rows}) == 300
    assert "next" not in pages[2].links
    assert (len(text), b"quill-007" in text) == (sample["size"], True)
    assert items[module] > 300


def test_canvas_refuses_what_comes_too_fast_and_forgives(campus: CampusServer, get: Get) -> None:
    control(campus, "courses", do="throttle", limit=4, per_second=0)
    answers = [get("/courses") for _ in range(6)]
    control(campus, "courses", do="throttle", limit=4, per_second=1000)

    assert [answer.status_code for answer in answers] == [200, 200, 200, 200, 403, 403]
    assert answers[-1].text.startswith("403 Forbidden (Rate Limit Exceeded)")
    assert get("/courses").status_code == 200


@pytest.mark.parametrize(
    "wish",
    [{"do": "lock", "file": "none.pdf"}, {"do": "melt", "file": "onion_counts.csv"}, {"do": "lock"}],
)
def test_a_wish_that_makes_no_sense_is_told(campus: CampusServer, wish: dict[str, str]) -> None:
    answer = campus.http.post(f"{campus.url}/canvas/control/files", json={"course": COURSE, **wish})

    assert answer.status_code == 400
    assert answer.json()["error"]


def test_controls_are_no_writes_of_a_person(campus: CampusServer) -> None:
    control(campus, file="onion_counts.csv", do="hide")

    assert campus.log(writes=1) == []


def test_a_person_finds_what_is_open_to_all_on_the_pages_of_a_course(campus: CampusServer) -> None:
    course = f"{campus.url}/canvas/courses/{COURSE}"
    own = sources("biol201")
    shut = [each.number for each in own.values() if each.head.get("unlocks", 0) > 0]
    html = campus.http.get(course).text

    addresses = re.findall(rf'href="{course}(/(?:files|pages)/[^"]+)"', html)
    pages = [campus.http.get(course + address) for address in addresses]
    download = re.search(r"href='([^']+/sandbox/files/[^']+)'", campus.http.get(f"{course}/files/{CSV.number}").text)
    assert len(addresses) > 8
    assert {page.status_code for page in pages} == {200}
    assert download
    assert campus.http.get(download[1]).content == CSV.body.encode()
    assert f"/files/{CSV.number}'" in campus.http.get(f"{course}/files").text
    assert {campus.http.get(f"{course}/files/{number}").status_code for number in shut} == {404}


def test_a_wrong_course_says_nothing_of_a_file(campus: CampusServer, get: Get) -> None:
    assert get(f"/courses/{CODE}/files/{CSV.number}").status_code == 404
    with pytest.raises(CanvasException):
        client(campus, "diego").get_file(CSV.number)
