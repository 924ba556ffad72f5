"""Row D8: one assistant asks another, within that one's own resolution, so far and no further."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from threading import Event
from typing import Annotated, Any

import pytest
from pydantic import Field

from services.assistants.assistant import DEFAULT_ASSISTANT, Assistant
from services.conversations.items import ToolLine
from services.conversations.turn_records import TurnStatus
from services.errors import ModelUnavailable
from services.llm.chat_model import ModelRequest
from services.llm.citations import Source
from services.safety.provenance import Provenance, ResultProvenance
from services.tools.context import ToolExecutionContext
from services.tools.decorator import tool
from services.tools.result import ToolResult
from services.tools.tool import Tool
from services.turns.assistants.delegation import sources_of
from services.turns.turn_limits import MAX_DELEGATED_STEPS
from tests.agent_fakes import WAIT_S, FakeBoard, Gate, calls, says
from tests.campus_rooms import CampusRoom, lines, words
from tests.campus_server import CampusServer
from tests.rooms import Room, RoomMaker
from tests.services.approvals.asking import told

pytestmark = pytest.mark.any_store

QUESTION = "What is on the board?"


def asks(assistant: str = "course_companion", question: str = QUESTION) -> list[Any]:
    return calls(("ask_assistant", {"assistant": assistant, "question": question}))


def offered(maya: Room, request: int) -> set[str]:
    return {tool["name"] for tool in maya.model.requests[request].tools}


def results(maya: Room, request: int) -> str:
    """Every tool result that the model was sent with a request."""
    blocks = [block for message in maya.model.requests[request].messages for block in message["content"]]
    return " ".join(str(block["content"]) for block in blocks if block["type"] == "tool_result")


def test_the_other_assistant_answers_with_its_own_words_and_tools(room: RoomMaker) -> None:
    maya = room(asks(), calls(("board_read", {})), says("Nothing is on it."), says("It says: nothing."))

    conversation, last = maya.ask("Ask the companion")

    outer, inner = maya.model.requests[0], maya.model.requests[1]
    answer = told(maya)
    (line,) = [item for item in maya.items(conversation) if getattr(item, "name", "") == "ask_assistant"]
    assert last.status is TurnStatus.DONE
    assert "you are the Course companion" in str(inner.system)
    assert "Homeroom hands you one question" in str(inner.system)
    assert inner.messages[0]["content"][1]["text"] == QUESTION
    assert "Course companion (course_companion)" in str(outer.system)
    assert answer.startswith("Course companion answered after 1 look-up (as of ")
    assert "\nNothing is on it.\nLooked up: Reading the board." in answer
    assert [source.title for source in line.sources] == ["Board"]
    assert line.steps == ("Reading the board",)
    assert line in last.items
    assert [context.assistant.id for context in maya.board.contexts] == ["course_companion"]


def test_its_exclusions_bind_inside(room: RoomMaker) -> None:
    """Research leaves notes alone, although the student and the asking assistant have them."""
    maya = room(asks("research"), calls(("board_read", {})), says("I cannot look there."), says("Fine."))

    maya.ask("Ask Research")

    assert "board_read" in offered(maya, 0)
    assert "board_read" not in offered(maya, 1)
    assert "The tool board_read is not enabled" in results(maya, 2)
    assert maya.board.contexts == []


def test_it_changes_nothing_and_waits_for_nobody(room: RoomMaker) -> None:
    maya = room(asks(), calls(("board_pin", {"text": "From within"})), says("I can only look."), says("Fine."))
    registry = maya.services.assistants
    registry.save(replace(registry.get("course_companion"), confirm=("board_read",)))

    _, last = maya.ask("Have it pinned")

    assert last.status is TurnStatus.DONE
    assert not offered(maya, 1) & {"board_pin", "board_read"}
    assert "The tool board_pin is not enabled" in results(maya, 2)
    assert maya.services.approvals.latest(maya.maya.id, 5) == []


def test_a_question_is_handed_on_twice_and_never_back(room: RoomMaker) -> None:
    maya = room(asks("a"), asks("b"), asks("c"), says("c is not there for me."), says("So b says."), says("So a says."))
    for id in ("a", "b", "c"):
        maya.services.assistants.save(Assistant(id=id, name=id.upper()))

    _, last = maya.ask("Ask on and on")

    assert last.status is TurnStatus.DONE
    assert ["ask_assistant" in offered(maya, number) for number in range(3)] == [True, True, False]
    assert "handed on too often" in results(maya, 3)


@pytest.mark.parametrize("through", [(asks(DEFAULT_ASSISTANT),), (asks("a"), asks(DEFAULT_ASSISTANT))])
def test_nobody_asks_who_is_asking(room: RoomMaker, through: tuple[Any, ...]) -> None:
    maya = room(*through, says("Then I answer myself."))
    maya.services.assistants.save(Assistant(id="a", name="A"))

    maya.ask("Ask yourself")

    assert "Homeroom is who is asking. (argument: assistant) Answer it yourself" in results(maya, len(through))


def test_an_unknown_assistant_is_refused_with_those_there_are(room: RoomMaker) -> None:
    maya = room(asks("nobody"), says("There is no such assistant."))

    maya.ask("Ask nobody")

    assert "homeroom, course_companion, guided_study, research" in results(maya, 1)


def test_an_assistant_that_goes_on_for_ever_is_stopped(room: RoomMaker) -> None:
    maya = room(
        *[calls(("board_read", {"topic": str(number)})) for number in range(MAX_DELEGATED_STEPS + 1)], says("Enough.")
    )

    result = ask(maya)

    assert len(maya.model.requests) == MAX_DELEGATED_STEPS
    assert result.is_partial
    assert "Note: Course companion was stopped before it had finished." in result.output


def test_the_page_shows_how_far_it_is_and_stop_hangs_up_on_it(room: RoomMaker) -> None:
    gate, hung_up, heard = Gate(), Event(), []

    def speaks(_: ModelRequest) -> Iterator[Any]:
        yield gate
        try:
            for part in says("Never said too late."):
                heard.append(part)
                yield part
        finally:
            hung_up.set()

    maya = room(asks(), calls(("board_read", {})), speaks, says("Never asked."))

    conversation = maya.services.conversations.create(maya.maya.id)
    turn = maya.services.turns.start_turn(maya.maya, conversation, "Ask the companion")
    assert gate.reached.wait(WAIT_S)
    running = maya.services.turns.current(maya.maya.id, conversation)
    notes = [item.note for item in running.items if isinstance(item, ToolLine)] if running else []
    maya.services.turns.stop(maya.maya, turn)
    gate.open()

    assert hung_up.wait(WAIT_S)
    assert notes == ["Reading the board"]
    assert len(maya.model.requests) == 3
    assert len(heard) == 1


def test_a_model_that_fails_inside_fails_only_this_call(room: RoomMaker) -> None:
    maya = room(asks(), [ModelUnavailable("The model is busy.")], says("I could not ask."))

    _, last = maya.ask("Ask the companion")

    assert last.status is TurnStatus.DONE
    assert "Course companion could not answer: The model is busy." in results(maya, 2)


def test_it_is_asked_by_a_program_too(room: RoomMaker) -> None:
    maya = room(calls(("board_read", {})), says("Nothing is on it."))

    result = ask(maya)

    assert result.data["answer"] == "Nothing is on it."
    assert result.data["steps"] == [{"tool": "board_read", "label": "Reading the board", "success": True}]
    assert [source.title for source in result.sources] == ["Board"]


def test_only_where_there_is_another_one_is_it_offered(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from services.assistants import registry
    from services.integrations import assistants

    alone = tmp_path / "shipped.toml"
    alone.write_text('[homeroom]\nname = "Homeroom"\n')

    assert assistants.capabilities({}) == {"other_assistants"}
    monkeypatch.setattr(assistants, "read_shipped", lambda: registry.read_shipped(alone))
    assert assistants.capabilities({}) == frozenset()


def ask(maya: Room, question: str = QUESTION) -> ToolResult:
    arguments: Mapping[str, Any] = {"assistant": "course_companion", "question": question}
    return maya.services.gateway.call(maya.maya, "ask_assistant", arguments, asked_by="Laptop")


class Library(FakeBoard):
    """The student's own board, whose notes name an address, and a tool that opens addresses."""

    writer = Provenance.STUDENT
    NAMED = "https://library.example/hours"

    def tools(self, integration: str | None = "board") -> tuple[Tool, ...]:
        @tool(label="Opening", category="notes", contexts=("notes",))
        def board_open(context: ToolExecutionContext, *, url: Annotated[str, Field(description="What.")]) -> ToolResult:
            """Open an address."""
            context.require_known(url)
            return ToolResult(output=f"Opened {url}.", sources=(Source(title="Hours", url=url),))

        return (*super().tools(integration), board_open)


def opens(url: str) -> list[Any]:
    return calls(("board_open", {"url": url}))


def test_an_address_that_a_model_made_up_stays_shut_inside(room: RoomMaker) -> None:
    """The question is a model's words: naming an address in it names nothing."""
    made_up = "https://evil.example/?grade=A"
    maya = room(asks(question=f"Open {made_up}"), opens(made_up), says("I may not."), says("Fine."), board=Library())

    maya.ask("Ask the companion")

    assert "Only addresses that the student wrote" in results(maya, 2)


@pytest.mark.parametrize("asked", ["Ask about https://library.example/hours", "Ask about the board"])
def test_an_address_of_the_student_or_of_a_result_opens_inside(room: RoomMaker, asked: str) -> None:
    maya = room(asks(), calls(("board_read", {})), opens(Library.NAMED), says("Open."), says("Fine."), board=Library())
    maya.board.notes["1"] = "" if "https" in asked else f"See {Library.NAMED}"

    maya.ask(asked)

    assert f"Opened {Library.NAMED}." in results(maya, 3)


def test_a_program_of_the_student_names_addresses_but_the_model_that_answers_it_does_not(room: RoomMaker) -> None:
    maya = room(opens(Library.NAMED), opens("https://evil.example/?grade=A"), says("Open."), board=Library())

    result = ask(maya, f"Open {Library.NAMED}")

    assert [step["success"] for step in result.data["steps"]] == [True, False]


@pytest.fixture
def campus_maya(campus: CampusServer, tmp_path: Path) -> Iterator[CampusRoom]:
    made = CampusRoom(campus, tmp_path)
    yield made
    campus.clear_faults()
    made.close()


@pytest.mark.parametrize(("writer", "told_on"), [("strangers", 1), ("undeclared", 1), ("public", 3), ("others", 3)])
def test_strangers_hand_out_no_choice_of_addresses(writer: str, told_on: int) -> None:
    """Which of many is opened later would tell them something."""
    posts = tuple(Source(title="", url=f"https://p.example/{letter}") for letter in "abc")
    provenance = ResultProvenance(writers=frozenset({Provenance(writer)}))

    assert len(list(sources_of(ToolResult(sources=posts, provenance=provenance)))) == told_on


def test_pages_of_materials_are_handed_on_whole_as_their_addresses_are_our_own() -> None:
    own = "https://homeroom.example"
    pages = [Source(title="", url=f"{own}/materials?open=canvas-1.file-2&page={n}") for n in (1, 2)]
    posing = Source(title="", url="https://homeroom.example.evil.example/materials?open=canvas-1.file-2&page=3")
    result = ToolResult(
        sources=(*pages, posing), provenance=ResultProvenance(writers=frozenset({Provenance.STRANGERS}))
    )

    assert list(sources_of(result, own)) == pages


def test_the_demo_model_goes_through_it(campus_maya: CampusRoom) -> None:
    campus_maya.connect("canvas")

    question = '{"assistant": "course_companion", "question": "/call canvas_list_courses {}"}'
    _, last = campus_maya.ask(f"/call ask_assistant {question}")

    (line,) = lines(last)
    assert (last.status, line.success) == (TurnStatus.DONE, True)
    assert line.sources
    assert "BIO" in words(last)


def test_a_question_about_one_thing_brings_only_its_tools_where_there_are_many(
    room: RoomMaker, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("services.prompt.loading_planner.FEW_TOKENS", 100)
    answers = says("Nothing."), says("Nothing.")
    maya = room(asks(question="Search my notes for the lab report."), *answers, asks(), *answers)

    conversation, _ = maya.ask("Ask the companion")
    maya.ask("Ask it what there is", conversation)

    assert offered(maya, 1) == {"board_read"}
    assert "planner_list_tasks" in offered(maya, 4)
