"""The reader's routes: a page with its passage marked, for the student whose library it is alone (T33)."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import httpx2
import pytest

from services.errors import ServiceUnavailable
from services.files.upload import Upload
from tests.api.live.browser import LiveBrowser
from tests.api.room import ApiRoom, door, error_of
from tests.fakes import FakeDocuments
from tests.services.materials.school import BIOLOGY, LibraryRoom

MakeApi = Callable[..., ApiRoom]
TEXT = """# Osmosis

Osmosis is the net movement of water
across a membrane. <b>Not bold.</b>

- A cell in salt water shrinks.
- A cell in fresh water swells.

# Diffusion

Diffusion needs no energy.
"""


@pytest.fixture
def room(make_api: MakeApi) -> ApiRoom:
    return make_api()


@pytest.fixture
def maya(room: ApiRoom) -> LiveBrowser:
    return LiveBrowser(room.client, room.services)


@pytest.fixture
def material(room: ApiRoom) -> str:
    """A file of Maya's own."""
    library, student = room.services.materials, room.maya.student
    course = library.add_own_course(student, "Biology")
    return library.add_upload(student, course.key, Upload(name="notes.md", content=TEXT.encode())).id


@pytest.fixture
def school(tmp_path: Path) -> LibraryRoom:
    """Maya is connected to a school in memory."""
    return LibraryRoom(FakeDocuments(), tmp_path)


def ask(browser: LiveBrowser, material: str, what: str = "page", **more: Any) -> httpx2.Response:
    body = {"material": material, "page": 1, **more.pop("body", {})}
    return browser.client.post(f"/live/reader/{what}", headers={**browser.headers, **more}, json=body)


def marked(blocks: list[dict[str, Any]]) -> list[str]:
    return [words for block in blocks for line in block["lines"] for words, is_marked in line if is_marked]


def test_a_page_comes_with_its_facts_and_the_passage_marked(maya: LiveBrowser, material: str) -> None:
    quote = "net movement of water across a membrane"

    told = ask(maya, material, body={"passage": quote}).json()

    assert (told["title"], told["course"], told["count"], told["unit"]) == ("notes.md", "Biology", 2, "Section")
    assert (told["page"]["label"], told["page"]["blocks"][0]["kind"]) == ("", "heading")
    assert told["is_live"]
    assert " ".join(" ".join(marked(told["page"]["blocks"])).split()) == f"{quote}."
    assert "<b>Not bold.</b>" in str(told["page"]["blocks"])
    assert [block["kind"] for block in told["page"]["blocks"]][-1] == "list"
    assert told["place"] == "“notes.md”, section 1"


def test_a_page_that_is_not_there_keeps_the_facts_of_its_material(maya: LiveBrowser, material: str) -> None:
    told = ask(maya, material, body={"page": 99}).json()

    assert (told["page"], told["count"], told["title"]) == (None, 2, "notes.md")


def test_a_kind_without_pictures_says_so(maya: LiveBrowser, material: str) -> None:
    assert not ask(maya, material).json()["has_pictures"]
    assert ask(maya, material, "picture").status_code == 422


def test_what_cannot_be_read_keeps_its_title_and_the_way_to_the_original(school: LibraryRoom) -> None:
    school.school.put(BIOLOGY, "exam", b"Secret.", url="https://canvas.example/files/7")
    school.library.materials(school.maya, BIOLOGY)
    school.school.lock(f"{BIOLOGY}.exam")
    school.clock.advance(minutes=5)

    answer = ask(LiveBrowser(door(school.services), school.services), f"{BIOLOGY}.exam")

    error = answer.json()["error"]
    assert (answer.status_code, error["title"], error["url"]) == (403, "Exam", "https://canvas.example/files/7")
    assert "Secret" not in answer.text


def test_with_the_school_away_a_page_comes_with_its_date(school: LibraryRoom) -> None:
    school.read_ahead(BIOLOGY)
    school.clock.advance(hours=3)
    school.school.failure = ServiceUnavailable("School", "School does not answer right now.")

    told = ask(LiveBrowser(door(school.services), school.services), f"{BIOLOGY}.lecture-1").json()

    assert told["page"]["number"] == 1
    assert not told["is_live"]
    assert "Nov" in told["as_of"]


@pytest.mark.parametrize("what", ["page", "picture"])
def test_nobody_else_can_read_it(room: ApiRoom, material: str, what: str) -> None:
    answer = ask(LiveBrowser(room.client, room.services, "diego"), material, what)

    assert answer.status_code == 404
    assert "notes.md" not in answer.text
    assert "Osmosis" not in answer.text


@pytest.mark.parametrize("what", ["page", "picture"])
@pytest.mark.parametrize(
    ("header", "status"),
    [({"x-requested-with": ""}, 403), ({"origin": "https://evil.example"}, 403), ({"cookie": ""}, 401)],
)
def test_only_a_page_of_ours_can_ask(
    maya: LiveBrowser, material: str, what: str, header: dict[str, str], status: int
) -> None:
    assert ask(maya, material, what, **header).status_code == status


def test_a_file_that_is_removed_is_told_as_gone(room: ApiRoom, maya: LiveBrowser, material: str) -> None:
    room.services.materials.remove_upload(room.maya.student, material)

    answer = ask(maya, material)

    assert (answer.status_code, error_of(answer)) == (404, "not_found")
