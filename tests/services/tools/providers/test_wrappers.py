"""Providers: where tools come from, and the wrappers that bind who may call them."""

import logging
from collections.abc import Callable

import pytest

from services.connections.connection import Connection
from services.errors import (
    ApprovalError,
    BadArguments,
    ReconnectRequired,
    ServiceError,
    ServiceUnavailable,
    StorageUnavailable,
    ToolUnavailable,
)
from services.tools.context import ToolExecutionContext
from services.tools.providers.approval_required import ConfirmingToolsProvider, UndoingToolsProvider
from services.tools.providers.audit import AuditToolsProvider
from services.tools.providers.composite import CompositeToolsProvider, FilteredToolsProvider
from services.tools.providers.credential_refresh import CredentialRefreshToolsProvider
from services.tools.providers.local import LocalToolsProvider
from tests.agent_fakes import FakeBoard
from tests.services.tools.conftest import connection

Context = Callable[..., ToolExecutionContext]


def test_a_write_never_runs_without_an_approved_operation(board: FakeBoard, context: Context) -> None:
    provider = LocalToolsProvider(board.tools())

    with pytest.raises(ApprovalError):
        provider.execute("board_pin", {"text": "Hello"}, context())

    assert board.pins == []


def test_a_call_is_validated_before_it_runs(board: FakeBoard, context: Context) -> None:
    provider = LocalToolsProvider(board.tools())

    with pytest.raises(BadArguments, match="text"):
        provider.execute("board_pin", {"text": "x", "colour": "red"}, context(operation_id="op"))

    assert board.pins == []


def test_a_composite_offers_the_tools_of_all_its_parts(board: FakeBoard, context: Context) -> None:
    read, pin = board.tools()
    provider = CompositeToolsProvider([LocalToolsProvider([read]), LocalToolsProvider([pin])])

    result = provider.execute("board_pin", {"text": "Hello"}, context(operation_id="op"))

    assert [tool.name for tool in provider.tools()] == ["board_read", "board_pin"]
    assert result.success
    with pytest.raises(ToolUnavailable):
        provider.execute("nothing", {}, context())


def test_a_composite_refuses_one_name_from_two_parts(board: FakeBoard) -> None:
    part = LocalToolsProvider(board.tools())

    with pytest.raises(ValueError, match="board_pin, board_read"):
        CompositeToolsProvider([part, part])


def test_a_filter_binds_definitions_and_execution(
    board: FakeBoard, context: Context, caplog: pytest.LogCaptureFixture
) -> None:
    provider = FilteredToolsProvider(LocalToolsProvider(board.tools()), {"board_read"})

    with pytest.raises(ToolUnavailable, match=r"not enabled.*Available tools: board_read\."):
        provider.execute("board_pin", {"text": "Hello"}, context(operation_id="op"))

    assert [tool.name for tool in provider.tools()] == ["board_read"]
    assert "llm_called_disabled_tool" in caplog.text
    assert board.pins == []


def test_an_unknown_tool_is_answered_with_what_there_is(board: FakeBoard, context: Context) -> None:
    provider = FilteredToolsProvider(LocalToolsProvider(board.tools()), None)

    with pytest.raises(ToolUnavailable, match=r"does not exist.*board_read, board_pin"):
        provider.execute("mail_send", {}, context())


def test_a_name_that_nobody_registered_is_logged_and_skipped(
    board: FakeBoard, caplog: pytest.LogCaptureFixture
) -> None:
    provider = FilteredToolsProvider(LocalToolsProvider(board.tools()), ["board_read", "from_the_future"])

    assert [tool.name for tool in provider.tools()] == ["board_read"]
    assert "tool_not_in_registry tool=from_the_future" in caplog.text


def test_none_allows_all_and_an_empty_list_allows_none(board: FakeBoard, caplog: pytest.LogCaptureFixture) -> None:
    root = LocalToolsProvider(board.tools())

    assert len(FilteredToolsProvider(root, None).tools()) == 2
    assert FilteredToolsProvider(root, []).tools() == ()
    assert caplog.text == ""


class FakeProposals:
    def __init__(self) -> None:
        self.proposed: list[str] = []

    def propose(self, tool: object, arguments: object, context: object) -> str:
        self.proposed.append(tool.name)  # type: ignore[attr-defined]
        return "approval-1"


def test_a_write_becomes_a_request_and_a_read_runs(board: FakeBoard, context: Context) -> None:
    proposals = FakeProposals()
    provider = ConfirmingToolsProvider(LocalToolsProvider(board.tools()), proposals)

    asked = provider.execute("board_pin", {"text": "Hello"}, context(operation_id="forged"))
    read = provider.execute("board_read", {}, context())

    assert (asked.requires_approval, asked.approval_request_id) == (True, "approval-1")
    assert read.output.startswith("0 notes")
    assert proposals.proposed == ["board_pin"]
    assert board.pins == []


class FakeHealth:
    """Connections as `CredentialRefreshToolsProvider` sees them."""

    def __init__(self, *, refuses: bool = False) -> None:
        self.refuses = refuses
        self.renewed = 0
        self.reported: list[str] = []
        self.recovered = 0
        self.store_is_down = False

    def refresh_grant(self, student_id: str, integration: str, *, seen: Connection | None = None) -> Connection:
        self.renewed += 1
        if self.refuses:
            raise ReconnectRequired("Board", "The board ended your access.")
        return connection()

    def report_failure(
        self, student_id: str, integration: str, error: ServiceError, *, seen: Connection | None = None
    ) -> None:
        self.reported.append(type(error).__name__)

    def report_success(self, student_id: str, integration: str, connection: Connection) -> None:
        self.recovered += 1
        if self.store_is_down:
            raise StorageUnavailable("The store is down.")


def test_a_refused_credential_is_renewed_once_and_the_call_replayed(board: FakeBoard, context: Context) -> None:
    health = FakeHealth()
    provider = CredentialRefreshToolsProvider(LocalToolsProvider(board.tools()), health)
    attempts: list[bool] = []

    def refuse_once(operation: str) -> None:
        attempts.append(board.contexts[-1].is_repeat)
        if len(attempts) == 1:
            raise ReconnectRequired("Board", "401")

    board.before = refuse_once
    result = provider.execute("board_pin", {"text": "Hello"}, context(operation_id="op"))

    assert result.success
    assert (health.renewed, attempts, board.pins) == (1, [False, True], ["op"])
    assert health.reported == []


def test_a_grant_that_was_ended_is_reported_after_one_failed_call(board: FakeBoard, context: Context) -> None:
    health = FakeHealth(refuses=True)
    board.failure = ReconnectRequired("Board", "401")
    provider = CredentialRefreshToolsProvider(LocalToolsProvider(board.tools()), health)

    with pytest.raises(ReconnectRequired):
        provider.execute("board_read", {}, context())

    assert (health.renewed, health.reported, len(board.contexts)) == (1, ["ReconnectRequired"], 1)


def test_a_renewed_credential_that_is_refused_again_is_not_renewed_for_ever(board: FakeBoard, context: Context) -> None:
    health = FakeHealth()
    board.failure = ReconnectRequired("Board", "401")
    provider = CredentialRefreshToolsProvider(LocalToolsProvider(board.tools()), health)

    with pytest.raises(ReconnectRequired):
        provider.execute("board_read", {}, context())

    assert (health.renewed, health.reported, len(board.contexts)) == (1, ["ReconnectRequired"], 2)


def test_a_service_that_is_down_is_reported_and_one_that_is_up_again_recovers(
    board: FakeBoard, context: Context
) -> None:
    health = FakeHealth()
    provider = CredentialRefreshToolsProvider(LocalToolsProvider(board.tools()), health)
    with_connection = context(connections={"board": connection()})

    board.failure = ServiceUnavailable("Board", "Down.")
    with pytest.raises(ServiceUnavailable):
        provider.execute("board_read", {}, with_connection)
    board.failure = None
    provider.execute("board_read", {}, with_connection)

    assert (health.reported, health.recovered, health.renewed) == (["ServiceUnavailable"], 1, 0)


def test_a_store_that_is_down_after_a_call_does_not_change_its_result(board: FakeBoard, context: Context) -> None:
    health = FakeHealth()
    health.store_is_down = True
    renewing = CredentialRefreshToolsProvider(LocalToolsProvider(board.tools()), health)
    provider = AuditToolsProvider(renewing, BrokenActivity(), {"board": "Board"})

    result = provider.execute("board_read", {}, context(connections={"board": connection()}))

    assert result.success


class BrokenActivity:
    def record(self, student_id: str, **entry: object) -> None:
        raise StorageUnavailable("The store is down.")


class FakeActivity:
    def __init__(self) -> None:
        self.entries: list[tuple[str, str, str]] = []

    def record(self, student_id: str, **entry: object) -> None:
        self.entries.append((" and ".join(entry["services"]), str(entry["tool"]), str(entry["sentence"])))


def test_what_failed_is_recorded_too_and_own_reads_are_not(board: FakeBoard, context: Context) -> None:
    activity = FakeActivity()
    provider = AuditToolsProvider(LocalToolsProvider(board.tools()), activity, {"board": "Board"})
    own = AuditToolsProvider(LocalToolsProvider(FakeBoard().tools(None)), activity, {})
    board.failure = ServiceUnavailable("Board", "Down.")

    with pytest.raises(ServiceUnavailable):
        provider.execute("board_read", {}, context())
    own.execute("board_read", {}, context())
    own.execute("board_pin", {"text": "Mine"}, context(operation_id="op"))

    assert activity.entries == [("Board", "Reading the board", "did not work"), ("Homeroom", "Pin a note", "done")]


def test_only_tools_with_an_undo_can_be_turned_round(board: FakeBoard, context: Context) -> None:
    provider = UndoingToolsProvider(LocalToolsProvider(board.tools()))
    board.notes["op"] = "Hello"

    result = provider.execute("board_pin", {"id": "op", "text": "Hello"}, context(operation_id="op"))

    assert [tool.name for tool in provider.tools()] == ["board_pin"]
    assert (result.output, board.notes) == ("Taken down.", {})
    with pytest.raises(ToolUnavailable):
        provider.execute("board_read", {}, context())


def test_logging_never_carries_what_the_model_wrote_in_full(
    board: FakeBoard, context: Context, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO)
    provider = FilteredToolsProvider(LocalToolsProvider(board.tools()), None)

    with pytest.raises(ToolUnavailable):
        provider.execute("x" * 500 + "\nforged line", {}, context())

    assert "forged" not in caplog.text
    assert max(len(line) for line in caplog.text.splitlines()) < 200
