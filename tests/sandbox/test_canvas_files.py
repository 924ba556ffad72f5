"""Files of the campus's Canvas: by canvasapi over HTTP, with the rights of two students of one course."""

import base64
import re

import httpx
import pytest
from canvasapi.exceptions import ResourceDoesNotExist

from sandbox.canvas.documents.source import sources
from tests.campus_server import CampusServer
from tests.sandbox.canvas_clients import BIOLOGY, Get, client, control, getter, item_of

CSV = sources("biol201")["onion-counts"]


@pytest.fixture
def get(campus: CampusServer) -> Get:
    """Plain GET as Maya."""
    return getter(campus, "maya")


def test_a_link_in_an_assignment_leads_to_its_file(get: Get) -> None:
    report = get(f"/courses/{BIOLOGY}/assignments", params={"search_term": "Lab Report 6"}).json()[0]
    (number,) = re.findall(rf"/canvas/courses/{BIOLOGY}/files/(\d+)", report["description"])

    assert get(f"/courses/{BIOLOGY}/files/{number}").json()["display_name"] == "onion_counts.csv"


def test_ids_are_strings_for_who_asks_for_them(get: Get) -> None:
    (row,) = get(
        f"/courses/{BIOLOGY}/files",
        params={"search_term": "onion"},
        accept="application/json+canvas-string-ids",
    ).json()

    assert (row["id"], type(row["folder_id"]), type(row["size"])) == (str(CSV.number), str, int)


def test_the_real_client_lists_files_and_gets_their_bytes(campus: CampusServer) -> None:
    course = client(campus, "maya").get_course(BIOLOGY)

    (file,) = [row for row in course.get_files() if row.display_name == "onion_counts.csv"]
    assert file.size == len(CSV.body.encode())
    assert getattr(file, "content-type") == "text/csv"
    assert file.get_contents(binary=True) == CSV.body.encode()
    assert course.get_file(file.id).updated_at == file.updated_at
    assert next(iter(course.get_folders())).full_name == "course files"


def test_every_size_is_told_without_a_document_being_made(get: Get) -> None:
    rows = get(f"/courses/{BIOLOGY}/files", params={"per_page": 100}).json()

    assert len(rows) >= 8
    assert all(row["size"] > 100 for row in rows)


def test_folders_hold_what_the_list_holds(get: Get) -> None:
    folders = get(f"/courses/{BIOLOGY}/folders", params={"per_page": 100}).json()
    listed = get(f"/courses/{BIOLOGY}/files", params={"per_page": 100}).json()

    inside = [row["id"] for folder in folders for row in get(f"/folders/{folder['id']}/files").json()]
    (root,) = [folder for folder in folders if folder["parent_folder_id"] is None]
    assert sorted(inside) == sorted(row["id"] for row in listed)
    assert get(f"/courses/{BIOLOGY}/folders/root").json() == root
    assert len(get(root["folders_url"]).json()) == root["folders_count"] > 0
    assert get(f"/courses/{BIOLOGY}/folders/by_path/Readings").json()[-1]["full_name"] == "course files/Readings"


def test_a_list_is_filtered_sorted_and_shortened_as_asked(get: Get) -> None:
    path = f"/courses/{BIOLOGY}/files"
    pdfs = get(path, params={"content_types[]": "application/pdf", "sort": "size", "order": "desc"}).json()
    named = get(path, params={"search_term": "onion", "only[]": "names"}).json()

    assert [row["size"] for row in pdfs] == sorted((row["size"] for row in pdfs), reverse=True)
    assert {row["mime_class"] for row in pdfs} == {"pdf"}
    assert [set(row) for row in named] == [{"id", "uuid", "folder_id", "display_name", "filename", "upload_status"}]
    assert get(path, params={"include[]": "of_no_meaning", "unknown": "1"}).status_code == 200


def test_a_download_leads_to_another_host_that_refuses_the_token(campus: CampusServer, get: Get) -> None:
    url = get(f"/courses/{BIOLOGY}/files", params={"search_term": "onion"}).json()[0]["url"]
    there = get(url)

    elsewhere = there.headers["location"]
    assert there.status_code == 302
    assert "verifier" not in url
    assert httpx.URL(elsewhere).host != httpx.URL(campus.url).host
    assert campus.http.get(elsewhere).content == CSV.body.encode()
    assert campus.http.get(elsewhere, headers={"authorization": "Bearer x"}).status_code == 400
    assert campus.http.get(elsewhere.replace("/files/", "/files/x")).status_code == 403


def test_without_a_token_a_download_ends_at_a_page_to_sign_in_on(campus: CampusServer, get: Get) -> None:
    url = get(f"/courses/{BIOLOGY}/files", params={"search_term": "onion"}).json()[0]["url"]
    answer = campus.http.get(url, follow_redirects=True)

    assert (answer.status_code, answer.headers["content-type"]) == (200, "text/html; charset=utf-8")
    assert b'type="password"' in answer.content or b"type='password'" in answer.content


def test_a_canvas_of_before_march_2026_takes_a_key_in_the_address(campus: CampusServer, get: Get) -> None:
    control(campus, "courses", do="verifiers", is_on=True)
    url = get(f"/courses/{BIOLOGY}/files", params={"search_term": "onion"}).json()[0]["url"]

    assert campus.http.get(url, follow_redirects=True).content == CSV.body.encode()
    assert campus.http.get(f"{url}x").headers["location"].endswith("/login/canvas")
    control(campus, "courses", do="verifiers", is_on=False)
    assert campus.http.get(url).headers["location"].endswith("/login/canvas")


def test_a_quick_address_needs_no_token_and_is_refused_for_what_is_locked(campus: CampusServer, get: Get) -> None:
    number = get(f"/courses/{BIOLOGY}/files", params={"search_term": "onion"}).json()[0]["id"]
    address = get(f"/files/{number}/public_url").json()["public_url"]
    content = campus.http.get(address).content
    control(campus, file="onion_counts.csv", do="lock")

    assert content == CSV.body.encode()
    assert get(f"/files/{number}/public_url").status_code == 403


def test_a_replaced_file_has_a_new_number_to_which_the_old_one_leads(campus: CampusServer, get: Get) -> None:
    old = get(f"/courses/{BIOLOGY}/files", params={"search_term": "onion"}).json()[0]
    control(campus, file="onion_counts.csv", do="replace", source="cs101/csv-cookbook")
    new = get(f"/courses/{BIOLOGY}/files", params={"search_term": "onion"}).json()[0]

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


def test_a_login_page_comes_under_the_name_of_a_pdf(campus: CampusServer, get: Get) -> None:
    own = next(own for own in sources("hist142").values() if own.kind == "login")
    told = get(f"/files/{own.number}").json()

    answer = campus.http.get(get(told["url"]).headers["location"])
    assert (told["content-type"], told["display_name"][-4:]) == ("application/pdf", ".pdf")
    assert (answer.status_code, answer.headers["content-type"]) == (200, "text/html; charset=utf-8")
    assert b"password" in answer.content


def test_three_hundred_files_come_in_pages_each_with_a_text_of_its_own(campus: CampusServer, get: Get) -> None:
    module = "Unit 1 · Molecules of life"
    control(campus, "courses", do="many_files", count=300, module=module)
    pages = [
        get(f"/courses/{BIOLOGY}/files", params={"search_term": "reading-", "per_page": 100, "page": page})
        for page in (1, 2, 3)
    ]
    rows = [row for page in pages for row in page.json()]
    sample = rows[6]
    text = campus.http.get(get(sample["url"]).headers["location"]).content

    items = {row["name"]: row["items_count"] for row in get(f"/courses/{BIOLOGY}/modules").json()}
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
    answer = campus.http.post(f"{campus.url}/canvas/control/files", json={"course": BIOLOGY, **wish})

    assert answer.status_code == 400
    assert answer.json()["error"]


def test_controls_are_no_writes_of_a_person(campus: CampusServer) -> None:
    control(campus, file="onion_counts.csv", do="hide")

    assert campus.log(writes=1) == []


def test_a_person_finds_what_is_open_to_all_on_the_pages_of_a_course(campus: CampusServer) -> None:
    course = f"{campus.url}/canvas/courses/{BIOLOGY}"
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
