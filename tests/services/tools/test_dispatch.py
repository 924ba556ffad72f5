"""The dispatcher: whatever happens in a tool, its caller gets a result."""

import logging
from collections.abc import Callable
from dataclasses import replace

import pytest

from services.errors import (
    BadArguments,
    ChangedElsewhere,
    HomeroomError,
    ItemNotFound,
    OutcomeUnknown,
    PermissionMissing,
    ReconnectRequired,
    RequestRefused,
    SealBroken,
    ServiceUnavailable,
    Throttled,
)
from services.runtime.thread_pools import ThreadPools
from services.safety.fetch import HostUnknown
from services.tools.context import ToolExecutionContext
from services.tools.dispatch import Dispatcher, ToolCall
from services.tools.providers.local import LocalToolsProvider
from services.tools.result import ToolResult
from services.tools.tool import Tool
from tests.agent_fakes import WAIT_S, FakeBoard, Gate

Context = Callable[..., ToolExecutionContext]


def doing(function: Callable[[], ToolResult], *, integration: str = "board", timeout_s: float = WAIT_S) -> Tool:
    """A tool that does this."""
    read, _ = FakeBoard().tools(integration)
    return replace(read, name=f"{integration}_read", function=lambda context, **_: function(), timeout_s=timeout_s)


def raising(error: Exception) -> Callable[[], ToolResult]:
    def fail() -> ToolResult:
        raise error

    return fail


@pytest.mark.parametrize(
    ("error", "kind", "event", "words"),
    [
        (ReconnectRequired("Board", "Gone."), "reconnect", "tool_needs_reconnect", "reconnect your integration"),
        (SealBroken("Shut."), "reconnect", "tool_credential_locked", "reconnect your integration"),
        (ServiceUnavailable("Board", "Down."), "unavailable", "tool_service_unavailable", "temporarily unavailable"),
        (HostUnknown("b.example", "No such website."), "not_found", "tool_address_unknown", "for a typing mistake"),
        (Throttled("Board", "Slow down."), "unavailable", "tool_throttled", "try again"),
        (PermissionMissing("Board", "Not yours."), "not_allowed", "tool_not_permitted", "Not yours."),
        (ItemNotFound("Board", "No such note."), "not_found", "tool_item_not_found", "No such note."),
        (ChangedElsewhere("Board", "Edited."), "changed_elsewhere", "tool_item_changed", "Edited."),
        (RequestRefused("Board", "Too long."), "bad_arguments", "tool_request_refused", "Too long."),
        (OutcomeUnknown("Board", "Lost."), "unknown_outcome", "tool_outcome_unknown", "look there"),
        (BadArguments("text: too short"), "bad_arguments", "tool_bad_arguments", "too short"),
    ],
)
def test_a_typed_error_becomes_a_result_and_its_own_event(
    context: Context, caplog: pytest.LogCaptureFixture, error: HomeroomError, kind: str, event: str, words: str
) -> None:
    provider = LocalToolsProvider([doing(raising(error))])

    result = Dispatcher().call(provider, "board_read", {}, context())

    assert (result.success, result.error_kind) == (False, kind)
    assert words in (result.error or "")
    assert event in caplog.text
    assert str(error) not in caplog.text


def test_a_crash_becomes_a_result_with_a_reference_and_without_its_text(
    context: Context, caplog: pytest.LogCaptureFixture
) -> None:
    provider = LocalToolsProvider([doing(raising(RuntimeError("the student's diary")))])

    result = Dispatcher().call(provider, "board_read", {}, context())

    assert result.error_kind == "internal"
    (record,) = [record for record in caplog.records if "tool_crashed" in record.getMessage()]
    reference = (result.error or "").split("reference ")[1][:8]
    assert reference in record.getMessage()
    assert "diary" not in caplog.text + (result.error or "")


def test_a_call_that_hangs_times_out_while_others_finish(context: Context) -> None:
    gate = Gate()

    def hang() -> ToolResult:
        gate.wait()
        return ToolResult(output="too late")

    provider = LocalToolsProvider(
        [doing(hang, integration="slow", timeout_s=0.2), doing(lambda: ToolResult(output="quick"), integration="fast")]
    )
    wanted = [ToolCall(name=name, arguments={}, context=context()) for name in ("slow_read", "fast_read")]

    finished = list(Dispatcher().call_all(provider, wanted))
    gate.open()

    assert [call.index for call in finished] == [1, 0]
    assert (finished[0].result.output, finished[1].result.error_kind) == ("quick", "timed_out")


def test_a_service_that_hangs_does_not_starve_another(context: Context) -> None:
    gates = [Gate(), Gate()]
    waiting = iter(gates)

    def hang() -> ToolResult:
        next(waiting).wait()
        return ToolResult()

    provider = LocalToolsProvider(
        [doing(hang, integration="slow", timeout_s=0.3), doing(lambda: ToolResult(output="ok"), integration="fast")]
    )
    dispatcher = Dispatcher(ThreadPools(2))
    slow = [ToolCall(name="slow_read", arguments={}, context=context()) for _ in range(4)]

    stuck = list(dispatcher.call_all(provider, slow))
    result = dispatcher.call(provider, "fast_read", {}, context())
    for gate in gates:
        gate.open()

    assert {call.result.error_kind for call in stuck} == {"timed_out"}
    assert result.output == "ok"


def test_reads_run_side_by_side(context: Context) -> None:
    first, second = Gate(), Gate()

    def open_second() -> ToolResult:
        second.open()
        first.wait()
        return ToolResult(output="one")

    def open_first() -> ToolResult:
        first.open()
        second.wait()
        return ToolResult(output="two")

    provider = LocalToolsProvider([doing(open_second, integration="a"), doing(open_first, integration="b")])
    wanted = [ToolCall(name=name, arguments={}, context=context()) for name in ("a_read", "b_read")]

    finished = {done.index: done.result.output for done in Dispatcher().call_all(provider, wanted)}

    assert finished == {0: "one", 1: "two"}


def test_a_result_that_is_too_long_says_what_was_left_out(context: Context) -> None:
    lines = "\n".join(f"line {number}" for number in range(100))
    provider = LocalToolsProvider([doing(lambda: ToolResult(output=lines))])

    result = Dispatcher(output_limit=50).call(provider, "board_read", {}, context())

    shown, note = result.output.rsplit("\n", 1)
    assert lines.startswith(shown)
    assert note == f"Note: only the first {len(shown)} of {len(lines)} characters are shown. Ask for less at once."


def test_an_unknown_tool_is_a_result_too(context: Context, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.WARNING)

    result = Dispatcher().call(LocalToolsProvider([]), "nothing", {}, context())

    assert (result.success, result.error_kind) == (False, "not_allowed")
