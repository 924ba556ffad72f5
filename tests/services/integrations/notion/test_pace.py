"""Notion keeps the quiet it asked for, for all calls of one account (R33; its laws: tests/services/connections)."""

import pytest

from services.errors import Throttled
from tests.campus_server import CampusServer
from tests.tool_calls import ToolCalls


def test_calls_after_a_refusal_do_not_ask_again_before_its_time(campus: CampusServer, maya: ToolCalls) -> None:
    campus.fault(service="notion", fault="status", status=429, headers={"Retry-After": "30"})

    for _ in range(3):
        with pytest.raises(Throttled, match="try again in 30 seconds"):
            maya.run("notion_search")

    assert len([e for e in campus.log(service="notion") if e["path"] == "/v1/search"]) == 1
