"""Servers that crash, hang, flood and talk nonsense cost their own tools, for a while, and nothing else (R43, R44)."""

import json
import logging
import subprocess
import sys
import threading
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from services.errors import BadArguments, OutcomeUnknown, RequestRefused, ServiceUnavailable, TooLarge
from tests.mcp.rooms import QUICK, hostile, listed, processes_with, zombies
from tests.services.tools.mcp.conftest import RoomMaker

IMPATIENT = replace(QUICK, start_s=1.5, call_s=1.0)


def write_list(path: Path, *tools: dict[str, Any]) -> str:
    path.write_text(json.dumps(tools))
    return str(path)


@pytest.mark.parametrize("deed", [{"start": "crash"}, {"initialize": "hang"}, {"initialize": "garbage"}])
def test_a_server_that_does_not_start_costs_only_its_own_tools(
    mcp_room: RoomMaker, deed: dict[str, str], caplog: pytest.LogCaptureFixture
) -> None:
    room = mcp_room(bad=hostile(**deed), good=hostile(), limits=IMPATIENT)
    room.up("good")

    is_up = room.provider.ready("bad", timeout_s=3)

    assert not is_up
    assert room.call("good__echo", text="hello").output == "hello"
    assert [name for name in room.tools() if name.startswith("bad")] == []
    assert "mcp_server_down server=bad" in caplog.text
    assert "canary" not in caplog.text


def test_a_command_that_does_not_exist_is_a_server_that_is_down(mcp_room: RoomMaker) -> None:
    room = mcp_room(bad={"command": ["/no/such/program"]}, good=hostile())
    room.up("good")

    assert not room.provider.ready("bad", timeout_s=5)
    assert room.call("good__echo", text="hello").success


def test_asking_for_tools_never_waits_for_a_server(mcp_room: RoomMaker) -> None:
    room = mcp_room(bad=hostile(initialize="hang"), limits=IMPATIENT)
    started = time.monotonic()

    tools = room.tools()

    assert tools == {}
    assert time.monotonic() - started < 1


def test_a_server_is_not_started_before_it_is_needed(mcp_room: RoomMaker, tmp_path: Path) -> None:
    mcp_room(good=hostile(starts=str(tmp_path / "starts")))

    assert not (tmp_path / "starts").exists()
    assert "mcp" not in {thread.name for thread in threading.enumerate()}


def test_one_connection_serves_many_callers(mcp_room: RoomMaker, tmp_path: Path) -> None:
    starts = tmp_path / "starts"
    room = mcp_room(good=hostile(starts=str(starts)))
    answers: list[str] = []

    callers = [
        threading.Thread(target=lambda n=n: answers.append(room.call("good__echo", text=str(n)).output))
        for n in range(12)
    ]
    for caller in callers:
        caller.start()
    for caller in callers:
        caller.join()

    assert sorted(answers, key=int) == [str(n) for n in range(12)]
    assert len(starts.read_text().splitlines()) == 1


def test_a_crash_in_a_call_ends_that_call_and_the_next_one_finds_a_new_server(
    mcp_room: RoomMaker, tmp_path: Path
) -> None:
    starts = tmp_path / "starts"
    room = mcp_room(bad=hostile(call="crash", starts=str(starts)), good=hostile())
    room.up()

    for _ in range(2):
        assert room.provider.ready("bad", timeout_s=10)
        with pytest.raises(ServiceUnavailable):
            room.call("bad__echo", text="hello")

    assert room.call("good__echo", text="hello").output == "hello"
    assert len(starts.read_text().splitlines()) == 2


def test_a_server_that_keeps_failing_is_tried_less_and_less(mcp_room: RoomMaker, tmp_path: Path) -> None:
    starts = tmp_path / "starts"
    room = mcp_room(bad=hostile(start="crash", starts=str(starts)), limits=replace(QUICK, backoff_s=(60, 60)))
    room.provider.ready("bad", timeout_s=5)

    for _ in range(20):
        room.tools()
        assert not room.provider.ready("bad", timeout_s=1)

    assert len(starts.read_text().splitlines()) == 1


def test_tools_of_a_server_that_went_down_carry_the_reason(mcp_room: RoomMaker, tmp_path: Path) -> None:
    first = mcp_room(files=hostile())
    first.up()
    first.provider.close()

    later = mcp_room(files=hostile(start="crash"), store=first.store, limits=replace(QUICK, backoff_s=(60, 60)))
    later.provider.ready("files", timeout_s=5)

    assert later.obstacle("files__echo") == "server_down"
    with pytest.raises(ServiceUnavailable, match="Files does not answer"):
        later.call("files__echo", text="hello")


def test_a_hanging_call_ends_at_its_time_out_and_the_server_stays(mcp_room: RoomMaker) -> None:
    room = mcp_room(bad=hostile(call="hang"), good=hostile(), limits=IMPATIENT)
    room.up()
    started = time.monotonic()

    with pytest.raises(ServiceUnavailable, match="did not answer in time"):
        room.call("bad__echo", text="hello")

    assert time.monotonic() - started < 4
    assert room.call("good__echo", text="hello").success


@pytest.mark.parametrize("deed", ["flood", "endless", "garbage"])
def test_a_server_that_floods_or_talks_nonsense_is_cut_off(mcp_room: RoomMaker, deed: str) -> None:
    limits = replace(QUICK, call_s=8.0, spare_bytes=8_000_000)
    room = mcp_room(bad=hostile(call=deed), good=hostile(), limits=limits)
    room.up()
    started = time.monotonic()

    with pytest.raises(ServiceUnavailable):
        room.call("bad__echo", text="hello")

    assert time.monotonic() - started < 6
    assert room.call("good__echo", text="hello").success


def test_stderr_is_drained_kept_short_and_never_logged(mcp_room: RoomMaker, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    room = mcp_room(loud=hostile(call="shout"))
    room.up()

    result = room.call("loud__echo", text="hello")

    assert result.output == "hello"
    assert 0 < len(room.provider.last_words("loud")) <= QUICK.stderr_bytes
    assert "secret student words" not in caplog.text


def test_an_answer_of_50_megabytes_is_thrown_away_and_said_to_be_too_large(mcp_room: RoomMaker) -> None:
    room = mcp_room(bad=hostile(call="big:50000000"), good=hostile())
    room.up()

    with pytest.raises(TooLarge, match="too large"):
        room.call("bad__echo", text="hello")

    assert room.call("good__echo", text="hello").success


def test_a_long_answer_is_cut_with_a_note_of_what_was_left_out(mcp_room: RoomMaker) -> None:
    room = mcp_room(big=hostile(call="big:500000"))
    room.up()

    result = room.call("big__echo", text="hello")

    assert len(result.output) < QUICK.output + 200
    assert "only the first 40,000 of 500,000 characters" in result.output


def test_a_refusal_is_passed_on_without_what_nobody_can_see(mcp_room: RoomMaker) -> None:
    room = mcp_room(a=hostile(call="fail:no such\u200b book\U000e0041"), b=hostile(call="refuse:wrong\u202e words"))
    room.up()

    with pytest.raises(RequestRefused, match=r"A says: no such book$"):
        room.call("a__echo", text="hello")
    with pytest.raises(RequestRefused, match=r"B says: wrong words$"):
        room.call("b__echo", text="hello")


def test_arguments_are_checked_before_the_server_hears_of_them(mcp_room: RoomMaker) -> None:
    room = mcp_room(bad=hostile(call="crash"))
    room.up()

    with pytest.raises(BadArguments, match="text is missing"):
        room.call("bad__echo")
    with pytest.raises(BadArguments, match="text: does not fit type"):
        room.call("bad__echo", text=7)

    assert room.provider.ready("bad", timeout_s=0.1)


def test_a_server_hears_of_no_null_that_its_schema_does_not_take(mcp_room: RoomMaker, tmp_path: Path) -> None:
    room = mcp_room(a=hostile(tools=write_list(tmp_path / "tools.json", listed("look"))))
    room.up()

    assert room.call("a__look", text=None, other=None).data["arguments"] == {"other": None}


def test_a_write_that_was_cut_off_is_never_called_failed_or_repeated(mcp_room: RoomMaker, tmp_path: Path) -> None:
    tools = write_list(tmp_path / "tools.json", listed("send", annotations={}))
    bad, slow = ({**hostile(call=call, tools=tools), "effect": {}} for call in ("crash", "hang"))
    room = mcp_room(bad=bad, slow=slow, limits=IMPATIENT)
    room.up()

    for name in ("bad__send", "slow__send"):
        with pytest.raises(OutcomeUnknown):
            room.call(name, approved=True, text="hello")
    with pytest.raises(OutcomeUnknown):
        room.call("bad__send", approved=True, is_repeat=True, text="hello")


def test_only_what_the_operator_configured_reaches_a_server(
    mcp_room: RoomMaker, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ANTHROPIC_API_KEY", "canary")
    room = mcp_room(files={**hostile(), "env": {"LIBRARY": "main"}})
    room.up()

    told = room.call("files__echo", text="hello").data

    assert set(told["environment"]) - {"LC_CTYPE"} == {"PATH", "HOME", "LIBRARY"}
    assert told["arguments"] == {"text": "hello"}
    assert "maya" not in str(told).lower()


def test_a_server_that_will_not_end_is_ended_with_its_children(mcp_room: RoomMaker, tmp_path: Path) -> None:
    room = mcp_room(stubborn=hostile(stubborn=True, starts=str(tmp_path / "starts")))
    room.up()
    started = time.monotonic()

    room.provider.close()

    assert time.monotonic() - started < 5


@pytest.mark.soak
def test_fifty_crashes_leave_no_threads_and_no_zombies(mcp_room: RoomMaker) -> None:
    room = mcp_room(bad=hostile(call="crash"), limits=replace(QUICK, backoff_s=(0.0, 0.0)))
    room.up()
    with pytest.raises(ServiceUnavailable):
        room.call("bad__echo", text="hello")
    before = threading.active_count()

    for _ in range(50):
        with pytest.raises(ServiceUnavailable):
            room.call("bad__echo", text="hello")

    assert threading.active_count() <= before + 1
    assert len(zombies()) == 0


@pytest.mark.parametrize("how", [pytest.param("ends", marks=pytest.mark.soak), "is killed"])
def test_a_process_that_ends_takes_its_servers_with_it(tmp_path: Path, how: str) -> None:
    """Even a stubborn server when the process ends; when it is killed, one that notices that nobody is there."""
    plan = {"starts": str(tmp_path / "starts"), "stubborn": how == "ends"}
    child = [sys.executable, "-m", "tests.mcp.short_life", str(tmp_path), json.dumps(plan)]
    process = subprocess.Popen(child, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    assert process.stdin is not None
    assert process.stdout is not None
    assert process.stdout.readline() == b"up\n"

    if how == "ends":
        process.stdin.close()
    else:
        process.kill()
    process.wait(timeout=15)
    process.stdout.close()
    process.stdin.close()

    deadline = time.monotonic() + 5
    while (left := processes_with(str(tmp_path / "starts"))) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert left == []
