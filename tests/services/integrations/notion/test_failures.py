"""Every tool of Notion under every failure that it can meet: one typed error each, and nothing is written (R34)."""

from typing import Any

import pytest

from services.errors import (
    ItemNotFound,
    PermissionMissing,
    ReconnectRequired,
    ServiceError,
    ServiceUnavailable,
    Throttled,
)
from tests.campus_server import CampusServer
from tests.telling import telling
from tests.tool_calls import ToolCalls

SESSION = {"day": "2099-01-05", "what": "Chapter 12"}
CALLS: dict[str, dict[str, Any]] = {
    "notion_search": {"query": "fall"},
    "notion_list_pages": {},
    "notion_read_page": {"page": "Fall semester"},
    "notion_query_database": {"database": "Assignment tracker"},
    "notion_create_page": {"title": "x", "parent": "Fall semester"},
    "notion_append_to_page": {"page": "Fall semester", "content": "x"},
    "notion_replace_content": {"page": "Fall semester", "content": "x"},
    "notion_create_study_notes": {"title": "x", "summary": "y"},
    "notion_create_study_plan": {"title": "x", "sessions": [SESSION]},
    "notion_create_tracker": {"items": [{"name": "x"}]},
    "notion_add_entries": {"database": "Assignment tracker", "entries": [{"name": "x"}]},
    "notion_update_entry": {"entry": "Lab 9", "database": "Assignment tracker", "changes": {"Status": "Done"}},
}
FAILURES: dict[str, tuple[dict[str, Any], type[ServiceError]]] = {
    "revoked": ({"fault": "status", "status": 401}, ReconnectRequired),
    "not allowed": ({"fault": "status", "status": 403}, PermissionMissing),
    "not shared": ({"fault": "status", "status": 404}, ItemNotFound),
    "throttled": ({"fault": "status", "status": 429, "headers": {"Retry-After": "30"}}, Throttled),
    "down": ({"fault": "status", "status": 503}, ServiceUnavailable),
    "maintenance": ({"fault": "html"}, ServiceUnavailable),
    "cut off": ({"fault": "truncate"}, ServiceUnavailable),
}


def test_the_table_holds_every_tool(maya: ToolCalls) -> None:
    assert set(CALLS) == {tool.name for tool in maya.integration.tools}


@pytest.mark.parametrize("failure", FAILURES)
@pytest.mark.parametrize("name", telling(CALLS, list(CALLS)[::3].__contains__))
def test_a_failure_of_notion_is_one_typed_error_with_a_next_step_and_nothing_is_written(
    campus: CampusServer, hasty: ToolCalls, name: str, failure: str
) -> None:
    fault, expected = FAILURES[failure]
    campus.fault(service="notion", times=0, **fault)

    with pytest.raises(expected) as caught:
        hasty.run(name, CALLS[name], operation_id="op")

    assert caught.value.service == "Notion"
    assert str(caught.value)
    assert caught.value.next_step
    assert campus.log(service="notion", writes=1) == []


@pytest.mark.parametrize("name", [name for name in CALLS if name not in list(CALLS)[:4]])
def test_a_write_shows_a_card_and_offers_an_undo(maya: ToolCalls, name: str) -> None:
    tool = maya.tool(name)

    rows = maya.preview(name, CALLS[name])

    assert tool.effect.needs_approval
    assert tool.undo is not None
    assert all(row.label and row.value for row in rows)


def test_every_tool_says_when_to_use_it_and_every_example_fits(maya: ToolCalls) -> None:
    for tool in maya.integration.tools:
        assert len(tool.description) > 80
        for example in tool.examples:
            tool.validate(example.arguments)
