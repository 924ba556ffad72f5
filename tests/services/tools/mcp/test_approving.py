"""`manage.py mcp-approve`: the operator reads how a tool has changed, word for word, and says yes or no."""

import io
import json
from pathlib import Path

import pytest

import manage
from tests.mcp.rooms import McpRoom, hostile, listed
from tests.services.tools.mcp.conftest import RoomMaker


@pytest.fixture
def room(mcp_room: RoomMaker, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> McpRoom:
    """A shop of two tools, one of which says something else of itself since it was pinned; manage.py has its store."""
    tools = tmp_path / "tools.json"
    tools.write_text(json.dumps([listed("look"), listed("find")]))
    before = mcp_room(shop=hostile(tools=str(tools)))
    before.up()
    before.provider.close()
    tools.write_text(json.dumps([listed("look", "Looks\u200b twice."), listed("find")]))
    again = mcp_room(shop=hostile(tools=str(tools)), store=before.store)
    again.up()
    monkeypatch.setenv("HOMEROOM_DEMO", "1")
    monkeypatch.setenv("HOMEROOM_DATA_DIR", str(tmp_path))
    return again


def test_the_operator_reads_the_change_and_approves_it_by_name(
    room: McpRoom, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    answers = iter(["", "no", "y"])
    monkeypatch.setattr("builtins.input", lambda _question: next(answers))
    look = ["shop__look"]

    codes = [manage.main(["mcp-approve", *more]) for more in ([], ["shop__find"], look, look, look, [])]
    said = capsys.readouterr()

    assert codes == [0, 1, 1, 1, 0, 0]
    assert said.out.count("Nothing is approved") == 2
    assert "approved: Says it back.\n    now:      Looks twice.\n" in said.out
    assert "shop__find does not wait for this approval." in said.err
    assert said.out.endswith("No tool waits for approval.\n")
    assert room.obstacle("shop__look") is None


@pytest.mark.parametrize(("option", "code", "obstacle"), [([], 1, "changed_description"), (["--yes"], 0, None)])
def test_without_a_terminal_only_a_written_yes_approves(
    room: McpRoom, monkeypatch: pytest.MonkeyPatch, option: list[str], code: int, obstacle: str | None
) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO())

    assert manage.main(["mcp-approve", "shop__look", *option]) == code
    assert room.obstacle("shop__look") == obstacle
