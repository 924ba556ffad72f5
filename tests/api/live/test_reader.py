"""The reader's routes: a page with its passage marked, for the student whose library it is alone (T33)."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import httpx2
import pytest
from hypothesis import given
from hypothesis import strategies as st

from api.live.reader_page import marked_range, text_blocks
from services.errors import ServiceUnavailable
from services.files.upload import Upload
from services.llm.citations import shorten_quote
from tests.api.live.browser import LiveBrowser
from tests.api.room import ApiRoom, door, error_of
from tests.fakes import FakeDocuments
from tests.services.materials.school import BIOLOGY, LibraryRoom
from tests.timing import growth

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
    course = library.add_shelf(student, "Biology")
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


@pytest.mark.parametrize(
    ("text", "quote", "found"),
    [
        ("Water moves. Salt stays.", "salt stays", "Salt stays."),
        ("Water\nmoves — by\tosmosis.", "water moves by osmosis", "Water\nmoves — by\tosmosis."),
        ("El agua se mueve: ósmosis.", "se mueve, ÓSMOSIS", "se mueve: ósmosis."),
        ("Nothing of it.", "salt stays", ""),
        ("a" * 9, "", ""),
        ("* ** (", "* ** (", ""),
    ],
)
def test_a_passage_is_found_whatever_its_blanks_case_and_signs(text: str, quote: str, found: str) -> None:
    begin, end = marked_range(text, quote)

    assert text[begin:end] == found


def test_a_shortened_quote_marks_the_whole_passage() -> None:
    passage = " ".join(f"word{number}" for number in range(90))
    text = f"Before it. {passage}. After it."

    begin, end = marked_range(text, shorten_quote(passage))

    assert text[begin:end] == f"{passage}."


def test_of_a_quote_with_a_line_before_it_that_is_not_on_the_page_the_rest_is_marked() -> None:
    text = "Oxygen takes four electrons. Cells without it cannot go on. Another thing."

    begin, end = marked_range(text, "- BIOL 201 · Unit 2 · EnergyOxygen takes four … cannot go on. (Reading 3)")

    assert text[begin:end] == "Oxygen takes four electrons. Cells without it cannot go on."


def test_a_long_passage_that_is_not_on_a_long_page_costs_no_time_in_squares() -> None:
    def mark(size: int) -> None:
        assert marked_range("a" * size, "ab" * (size // 4)) == (0, 0)
        assert marked_range("a" * size, " … " + "ba" * (size // 4)) == (0, 0)

    assert growth(mark, size=4_000) < 30


@given(st.text(alphabet="ab .…\n", max_size=60), st.text(alphabet="ab .…", max_size=60))
def test_whatever_the_quote_only_words_of_the_page_are_marked(text: str, quote: str) -> None:
    begin, end = marked_range(text, quote)

    assert 0 <= begin <= end <= len(text)
    drawn = [words for block in text_blocks(text, (begin, end)) for line in block["lines"] for words, on in line if on]
    assert "".join("".join(drawn).split()) == "".join(text[begin:end].split())


def test_cells_parted_by_tabs_are_a_table_and_a_mark_is_cut_at_their_edges() -> None:
    text = "Rate\tWhen\n5 %\tlate\n\nEnd."

    blocks = list(text_blocks(text, marked_range(text, "rate when")))

    assert [block["kind"] for block in blocks] == ["table", "text"]
    assert blocks[0]["lines"][0] == [[("Rate", True)], [("When", True)]]
