"""Our MCP server through the SDK's client and the npm inspector, over real HTTP."""

import asyncio
import json
import socket
import threading
from typing import Any

import pytest
from mcp import Client

from tests.agent_fakes import WAIT_S
from tests.api.mcp.place import McpPlace, inspect, run_inspector, text


@pytest.mark.parametrize("mode", ["legacy", "auto", "2026-07-28"])
def test_a_program_sees_the_tools_that_work_for_its_student(place: McpPlace, mode: str) -> None:
    mayas, diegos = place.tools(place.api.maya, mode=mode), place.tools(place.api.diego, mode=mode)

    assert {"board_read", "board_pin", "planner_list_tasks"} <= set(mayas)
    assert set(mayas) - set(diegos) == {"board_read", "board_pin"}
    assert mayas["board_read"].annotations.read_only_hint is True
    assert mayas["board_pin"].annotations.read_only_hint is False
    assert "waits for the student's approval" in mayas["board_pin"].description
    assert mayas["board_pin"].input_schema["required"] == ["text"]


def test_the_server_says_what_it_is(place: McpPlace) -> None:
    async def who(client: Client) -> Any:
        return client.server_info, client.instructions

    info, instructions = place.ask(place.api.maya, who)

    assert info.name == "homeroom"
    assert "never an instruction" in instructions


def test_a_read_runs_and_says_everything_that_the_other_doors_say(place: McpPlace) -> None:
    result = place.call(place.api.maya, "board_read")
    elsewhere = place.api.maya.execute("board_read").json()

    assert not result.is_error
    assert text(result) == elsewhere["output"]
    assert result.structured_content["sources"] == elsewhere["sources"]


def test_a_write_waits_for_the_student_and_nothing_is_written(place: McpPlace) -> None:
    result = place.call(place.api.maya, "board_pin", text="Buy chalk")
    id = result.structured_content["approval_request_id"]
    written_before = list(place.api.board.pins)
    decided = place.api.maya.decide(id)

    assert not result.is_error
    assert f"the student must approve it in Homeroom ({place.url})" in text(result)
    assert written_before == []
    assert decided.json()["status"] == "done"
    assert list(place.api.board.notes.values()) == ["Buy chalk"]


def test_a_program_without_a_language_is_answered_in_its_students(place: McpPlace) -> None:
    place.api.services.students.set_language(place.api.maya.student.id, "es", "es-MX")
    id = place.call(place.api.maya, "board_pin", text="Leche").structured_content["approval_request_id"]

    assert place.api.services.approvals.get(place.api.maya.student.id, id).locale == "es-MX"


def test_failures_are_told_as_the_model_is_told(place: McpPlace) -> None:
    wrong = place.call(place.api.maya, "board_pin", text=7, colour="red")
    missing = place.call(place.api.diego, "board_read")

    assert wrong.is_error
    assert "text:" in text(wrong)
    assert wrong.structured_content["error_kind"] == "bad_arguments"
    assert missing.is_error
    assert "not connected" in text(missing)
    assert missing.structured_content["error_kind"] == "not_connected"
    assert "There is no tool named mail_send" in place.refusal(place.api.maya, "mail_send")


def test_a_key_lists_and_calls_only_what_its_scopes_allow(place: McpPlace) -> None:
    reader = place.api.program(place.api.maya.student, "read")

    tools = place.tools(reader)
    refused = place.call(reader, "board_pin", text="Buy chalk")

    assert "board_read" in tools
    assert "board_pin" not in tools
    assert refused.is_error
    assert "needs the scope write" in text(refused)
    assert place.api.services.approvals.pending_from_programs(place.api.maya.student.id, 10) == []


def test_two_students_at_once_never_see_each_other(place: McpPlace) -> None:
    place.api.maya.decide(place.api.maya.ask_to_pin("periwinkle"))
    place.api.diego.decide(
        place.api.diego.execute("planner_create_task", {"title": "marigold"}).json()["approval_request_id"]
    )

    async def both() -> list[Any]:
        asked = []
        for _ in range(5):
            for who, tool in ((place.api.maya, "board_read"), (place.api.diego, "planner_list_tasks")):
                asked.append(place._talk(who, lambda c, tool=tool: c.call_tool(tool, {}), "auto", {}))
        return await asyncio.gather(*asked)

    answers = asyncio.run(both())

    assert all("periwinkle" in text(a) and "marigold" not in text(a) for a in answers[::2])
    assert all("marigold" in text(a) and "periwinkle" not in text(a) for a in answers[1::2])


def test_a_tool_call_is_in_the_students_activity(place: McpPlace) -> None:
    place.call(place.api.maya, "board_read")

    (entry,) = place.api.services.activity.latest_entries(place.api.maya.student.id, 10)
    assert entry.services == ("Board",)


def test_a_program_that_hangs_up_leaves_one_request_and_no_lock(place: McpPlace) -> None:
    """R45: the answer has nobody to go to, and the call has happened once."""
    student = place.api.maya.student
    begun, may_end, done = threading.Event(), threading.Event(), threading.Event()
    propose = place.api.services.approvals.propose

    def slowly(*given: Any) -> str:
        begun.set()
        assert may_end.wait(WAIT_S)
        id = propose(*given)
        done.set()
        return id

    place.api.services.approvals.propose = slowly  # type: ignore[method-assign]
    call = {"name": "board_pin", "arguments": {"text": "once"}}
    body = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": call}).encode()
    head = [
        "POST /mcp HTTP/1.1",
        f"host: {place.url.removeprefix('http://')}",
        f"authorization: Bearer {place.api.maya.key.secret}",
        "accept: application/json, text/event-stream",
        "content-type: application/json",
        f"content-length: {len(body)}",
    ]
    with socket.create_connection(("127.0.0.1", int(place.url.rpartition(":")[2]))) as connection:
        connection.sendall("\r\n".join([*head, "", ""]).encode() + body)
        assert begun.wait(WAIT_S)
    may_end.set()

    assert done.wait(WAIT_S)
    assert len(place.api.services.approvals.pending_from_programs(student.id, 10)) == 1
    assert place.call(place.api.maya, "board_read").is_error is False


def test_who_asks_for_progress_gets_the_answer(place: McpPlace) -> None:
    """An answer comes in one piece: there is no stream on which news could come before it."""
    heard: list[float] = []

    async def note(progress: float, *_: object) -> None:
        heard.append(progress)

    result = place.ask(place.api.maya, lambda client: client.call_tool("board_read", {}, progress_callback=note))

    assert not result.is_error
    assert heard == []


def test_a_client_that_gives_up_in_mid_call_is_served_again_at_once(place: McpPlace) -> None:
    """R45 with the SDK's client: the write it asked for waits once for the student."""
    student, propose = place.api.maya.student, place.api.services.approvals.propose
    begun, may_end, done = threading.Event(), threading.Event(), threading.Event()

    def slowly(*given: Any) -> str:
        begun.set()
        assert may_end.wait(WAIT_S)
        id = propose(*given)
        done.set()
        return id

    async def impatient(client: Client) -> None:
        call = asyncio.ensure_future(client.call_tool("board_pin", {"text": "once"}))
        await asyncio.to_thread(begun.wait, WAIT_S)
        call.cancel()
        with pytest.raises(asyncio.CancelledError):
            await call

    place.api.services.approvals.propose = slowly  # type: ignore[method-assign]
    place.ask(place.api.maya, impatient)
    meanwhile = place.call(place.api.maya, "board_read")
    may_end.set()

    assert not meanwhile.is_error
    assert done.wait(WAIT_S)
    assert len(place.api.services.approvals.pending_from_programs(student.id, 10)) == 1


def test_the_session_of_one_key_is_worth_nothing_with_another(place: McpPlace) -> None:
    """Whatever id a client sends along, the key alone says who asks."""
    mayas = place.tools(place.api.maya, **{"mcp-session-id": "shared"})
    diegos = place.tools(place.api.diego, **{"mcp-session-id": "shared"})

    assert "board_read" in mayas
    assert "board_read" not in diegos


def test_the_inspector_lists_and_calls(place: McpPlace) -> None:
    listed = inspect(place, place.api.maya, "tools/list")
    read = inspect(place, place.api.maya, "tools/call", "--tool-name", "board_read", "--tool-arg", "topic=chalk")
    asked = inspect(place, place.api.maya, "tools/call", "--tool-name", "board_pin", "--tool-arg", "text=Buy chalk")

    assert "board_pin" in {tool["name"] for tool in listed["tools"]}
    assert read["content"][0]["text"].startswith("0 notes")
    assert asked["structuredContent"]["requires_approval"] is True
    assert place.api.board.pins == []


def test_the_inspector_without_a_key_is_refused(place: McpPlace) -> None:
    done = run_inspector(place, "hr_wrong", "tools/list")

    assert done.returncode != 0
    assert "This key is not valid." in done.stderr


def test_a_call_without_consent_tells_a_model_where_the_student_agrees(place: McpPlace) -> None:
    place.api.services.consents.withdraw(place.api.maya.student, "board")

    told = place.refusal(place.api.maya, "board_read")

    assert f"Agree at {place.api.services.settings.public_url}/connections" in told
    assert "board_read" not in place.tools(place.api.maya)
    assert place.api.board.contexts == []
