"""The registry: unique names, stable order."""

import pytest

from services.tools.registry import ToolRegistry
from tests.agent_fakes import FakeBoard


def test_tools_keep_the_order_of_their_registration() -> None:
    read, pin = FakeBoard().tools()

    registry = ToolRegistry([pin, read])

    assert [tool.name for tool in registry] == ["board_pin", "board_read"]
    assert registry.get("board_read") is read
    assert registry.get("nothing") is None


def test_two_tools_of_one_name_are_refused() -> None:
    read, _ = FakeBoard().tools()
    registry = ToolRegistry([read])

    with pytest.raises(ValueError, match="board_read"):
        registry.register(read)


def test_registering_is_one_decorator() -> None:
    registry = ToolRegistry()
    read, _ = FakeBoard().tools()

    assert registry.register(read) is read
    assert len(registry) == 1
