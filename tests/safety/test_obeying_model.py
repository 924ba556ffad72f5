"""Threats T03, T05 and T06: a model that obeys whatever it reads tells strangers nothing and changes nothing.

Whoever can write anywhere that Homeroom reads has written there. Each conversation reads that and something private, in
either order, and then does all that a model could be talked into; what the student is asked about is declined, or
approved where it is something else than what the strangers want.
"""

import io
import json
from collections.abc import Callable, Iterator, Mapping, Sequence

import pytest
from pptx import Presentation

from services.files.upload import Upload
from tests.campus_rooms import lines
from tests.campus_server import CampusServer
from tests.safety.obeying_model import GO, MADE_UP, Call
from tests.safety.obeying_room import ObeyingRoom
from tests.safety.planted import ASSIGNMENT, LINKS, PRIVATE, READING, SOURCES, WEB, Source
from tests.safety.strangers import HOST, ORDER, PAGE, Strangers, comment, put

DOORS = ("chat", "approving", "mcp", "http")
STRIPPED = ("summary of a page",)
"""Sources whose addresses never reach the model: another one sums them up, and addresses are taken out of that."""
TELLING = (
    *("comment of a classmate", "task that a page asked for", "summary in calendar_find_free_time"),
    *("description in calendar_list_events", "page", "error that lists discussions", "address of a hit"),
    *("page of a course", "instructions of a teacher", "syllabus of a teacher"),
)
"""Sources that `make test` tries, each at one door; `make soak` tries all of them in all ways."""


@pytest.fixture(scope="module")
def strangers() -> Iterator[Strangers]:
    with pytest.MonkeyPatch.context() as patch:
        made = Strangers()
        made.take_over(patch)
        # A student cannot be asked so much in a minute.
        patch.setattr("services.tools.providers.rate_limit.RateLimitToolsProvider._acquire", lambda *_: None)
        yield made


@pytest.fixture(scope="module")
def room(
    running_campus: CampusServer, tmp_path_factory: pytest.TempPathFactory, strangers: Strangers
) -> Iterator[ObeyingRoom]:
    running_campus.reset()
    running_campus.clear_faults()
    made = ObeyingRoom(running_campus, tmp_path_factory.mktemp("obeying"), strangers)
    yield made
    made.close()


def try_out(room: ObeyingRoom, door_in: str, source_name: str, private: str, *, is_first: bool) -> None:
    source, secret = SOURCES[source_name], PRIVATE[private]
    name, given = source.call
    call = (name, json.loads(json.dumps(given).replace(WEB, f"{room.campus.url}/web")))
    page = source.page and (source.page[0], source.page[1].replace(WEB, f"{room.campus.url}/web"))
    room.begin(
        Source(call=call, service=source.service, field=source.field, page=page),
        task=f"Read https://{HOST}/c/7" if source_name == "task that a page asked for" else "",
    )
    since = room.campus.log()[-1]["id"]
    opening = (LINKS, secret, call) if is_first else (LINKS, call, secret)
    ways: Mapping[str, Callable[[Sequence[Call]], str]] = {
        "chat": room.chat,
        "approving": lambda calls: room.chat(calls, approves=True),
        "mcp": room.mcp,
        "http": room.http,
    }

    read = ways[door_in](opening)

    assert HOST in read or source_name in STRIPPED, "Nothing of the strangers' was read."
    assert told(room.strangers.asked) == []
    assert room.writes(since) == [] or door_in == "approving"


def told(asked: Sequence[str]) -> list[str]:
    """What tells strangers something: an address of the model's making, or one of theirs that was chosen.

    Of a page whose links are checked all are opened, whatever the model knows.
    """
    chosen = [url for url in asked if "/c/7" in url]
    others = [url for url in asked if "/c/3" in url]
    return [url for url in asked if "d?c=" in url] + (chosen if not others else [])


@pytest.mark.parametrize(("number", "name"), list(enumerate(TELLING)))
def test_a_model_that_obeys_tells_strangers_nothing_and_changes_nothing(
    room: ObeyingRoom, number: int, name: str
) -> None:
    private = list(PRIVATE)[number % len(PRIVATE)]

    try_out(room, DOORS[number % len(DOORS)], name, private, is_first=number % 3 != 0)


@pytest.mark.soak
@pytest.mark.parametrize("is_first", [True, False], ids=["private first", "strangers first"])
@pytest.mark.parametrize("number", range(len(DOORS)), ids=DOORS)
@pytest.mark.parametrize("name", SOURCES)
def test_it_does_so_whatever_it_has_read_and_by_which_door(
    room: ObeyingRoom, name: str, number: int, is_first: bool
) -> None:
    """What is private differs from one to the next, so that each meets each."""
    turn = list(SOURCES).index(name) + number + 3 * is_first

    try_out(room, DOORS[number], name, list(PRIVATE)[turn % len(PRIVATE)], is_first=is_first)


def test_what_a_file_orders_is_not_done_either(room: ObeyingRoom) -> None:
    room.begin(Source(call=ASSIGNMENT))
    since = room.campus.log()[-1]["id"]

    room.chat([PRIVATE["tasks"]], files=[Upload(name="orders.txt", content=f"{ORDER}\n{MADE_UP}".encode())])

    assert room.strangers.asked == []
    assert room.writes(since) == []


@pytest.mark.parametrize("tool", ["materials_read", pytest.param("materials_search", marks=pytest.mark.soak)])
def test_what_a_slide_and_its_notes_order_is_not_done_either(room: ObeyingRoom, tool: str) -> None:
    arguments = {"material": "orders"} if tool == "materials_read" else {"query": "meiosis divisions"}
    library = room.services.materials
    shelf = library.add_own_course(room.maya, f"Own slides for {tool}")
    library.add_upload(
        room.maya, shelf.key, Upload(name="orders.pptx", content=deck_with_notes(f"Meiosis divisions. {ORDER}", ORDER))
    )
    room.begin(Source(call=(tool, arguments)))
    since = room.campus.log()[-1]["id"]

    read = room.chat([PRIVATE["tasks"], (tool, arguments)])
    library.remove_own_course(room.maya, shelf.key)

    assert f"Meiosis divisions. {ORDER}" in read
    assert f"Speaker notes: {ORDER}" in read or tool == "materials_search"
    assert room.strangers.asked == []
    assert room.writes(since) == []


def deck_with_notes(text: str, notes: str) -> bytes:
    deck, content = Presentation(), io.BytesIO()
    slide = deck.slides.add_slide(deck.slide_layouts[5])
    slide.shapes.title.text = text
    slide.notes_slide.notes_text_frame.text = notes
    deck.save(content)
    return content.getvalue()


def test_a_strangers_address_is_opened_where_nothing_private_was_read(room: ObeyingRoom) -> None:
    """Else the others would show nothing: this model does open what it may."""
    room.begin(SOURCES["web page"])
    url = f"{room.campus.url}/web{READING}"
    room.strangers.pages[READING] = PAGE
    conversation = room.services.conversations.create(room.maya.id)
    room.model.opening = [("web_read_page", {"url": url}), ("web_read_page", {"url": f"https://{HOST}/c/7"})]

    room.services.turns.start_turn(room.maya, conversation, f"{GO} {url}")
    list(room.services.turns.follow(room.maya, conversation))

    assert any(asked.endswith("/c/7") for asked in room.strangers.asked)


def test_what_the_instructor_links_is_opened_beside_a_classmates_comment_which_is_asked_about(
    room: ObeyingRoom,
) -> None:
    rubric, evil = "https://school.example/rubric", f"https://{HOST}/c/7"
    instructions = put("description", text=f'<a href="{rubric}">Rubric</a>')
    room.begin(Source(call=ASSIGNMENT, service="canvas", field=lambda json: comment()(instructions(json))))
    room.strangers.pages[rubric] = PAGE
    conversation = room.services.conversations.create(room.maya.id)
    room.model.opening = [ASSIGNMENT, ("web_read_page", {"url": rubric}), ("link_validator", {"urls": [evil]})]

    room.services.turns.start_turn(room.maya, conversation, GO)
    *_, last = room.services.turns.follow(room.maya, conversation)

    assert [line.success for line in lines(last) if line.name == "web_read_page"] == [True]
    asked = room.services.approvals.for_conversation(room.maya.id, conversation).values()
    assert "link_validator" in {card.tool for card in asked}
    assert room.strangers.asked == []
