import logging
import time

import pytest

from services.errors import (
    ItemNotFound,
    PermissionMissing,
    ReconnectRequired,
    RequestRefused,
    ServiceError,
    ServiceUnavailable,
    Throttled,
)
from services.integrations.notion import integration
from services.runtime.deadline import Deadline
from tests.campus_server import CampusServer
from tests.services.integrations.notion.conftest import client_of
from tests.tool_calls import ToolCalls


def refuse(campus: CampusServer, status: int, code: str, *, times: int = 0, **more: object) -> None:
    body = {"object": "error", "status": status, "code": code, "message": "SECRET words"}
    campus.fault(service="notion", fault="status", status=status, body=body, times=times, **more)


@pytest.mark.parametrize(
    ("status", "code", "expected", "words"),
    [
        (401, "unauthorized", ReconnectRequired, "no longer accepts"),
        (403, "restricted_resource", PermissionMissing, "may not do this"),
        (404, "object_not_found", ItemNotFound, "not shared with Homeroom"),
        (429, "rate_limited", Throttled, "slow down"),
        (400, "validation_error", RequestRefused, "validation_error"),
        (500, "internal_server_error", ServiceUnavailable, "having trouble"),
        (502, "bad_gateway", ServiceUnavailable, "having trouble"),
        (503, "service_unavailable", ServiceUnavailable, "having trouble"),
        (504, "gateway_timeout", ServiceUnavailable, "having trouble"),
    ],
)
def test_each_refusal_has_its_own_reaction_and_sentence(
    campus: CampusServer, hasty: ToolCalls, status: int, code: str, expected: type[ServiceError], words: str
) -> None:
    refuse(campus, status, code)

    with pytest.raises(expected, match=words) as caught:
        client_of(hasty).me()

    assert "SECRET" not in str(caught.value)
    assert caught.value.service == "Notion"
    assert caught.value.next_step


@pytest.mark.parametrize(
    ("fault", "words"),
    [
        ("html", "in maintenance"),
        ("truncate", "broke off"),
        ("lose_response", "broke off"),
        ("redirect_loop", "another address"),
        ("hang", "did not answer in time"),
    ],
)
def test_each_kind_of_silence_has_its_own_sentence(
    campus: CampusServer, hasty: ToolCalls, fault: str, words: str
) -> None:
    campus.fault(service="notion", fault=fault, times=0)

    with pytest.raises(ServiceUnavailable, match=words):
        client_of(hasty).me()


def test_a_service_that_is_down_is_called_so(maya: ToolCalls) -> None:
    down = integration({"CLIENT_ID": "a", "CLIENT_SECRET": "b", "API_BASE_URL": "http://127.0.0.1:9/notion"})
    assert down is not None

    with pytest.raises(ServiceUnavailable, match="cannot be reached"):
        down.identify(maya.grant)


@pytest.mark.parametrize("fault", [{"fault": "status", "status": 502}, {"fault": "html"}, {"fault": "lose_response"}])
def test_a_read_is_tried_again_when_the_first_try_fails(
    campus: CampusServer, maya: ToolCalls, fault: dict[str, object]
) -> None:
    campus.fault(service="notion", path="/v1/search", times=1, **fault)

    assert maya.run("notion_search", {}).data["results"]


def test_a_read_is_tried_three_times_at_most(campus: CampusServer, maya: ToolCalls) -> None:
    campus.fault(service="notion", fault="status", status=500, times=0)

    with pytest.raises(ServiceUnavailable):
        client_of(maya).me()

    assert len([e for e in campus.log(service="notion") if e["path"] == "/v1/users/me"]) == 3


def test_a_long_wait_that_notion_asks_for_is_told_instead_of_waited_out(campus: CampusServer, maya: ToolCalls) -> None:
    refuse(campus, 429, "rate_limited", headers={"Retry-After": "30"})
    began = time.monotonic()

    with pytest.raises(Throttled, match="try again in 30 seconds") as caught:
        maya.run("notion_search", {})

    assert caught.value.retry_after_s == 30
    assert time.monotonic() - began < 1.0
    assert len([e for e in campus.log(service="notion") if e["path"] == "/v1/search"]) == 1


def test_a_short_wait_that_notion_asks_for_is_kept(campus: CampusServer, maya: ToolCalls) -> None:
    refuse(campus, 429, "rate_limited", headers={"Retry-After": "1"}, times=1, path="/v1/search")
    began = time.monotonic()

    assert maya.run("notion_search", {}).success

    assert time.monotonic() - began >= 1.0


def test_a_hanging_service_is_left_at_the_deadline(campus: CampusServer, hasty: ToolCalls) -> None:
    campus.fault(service="notion", fault="hang", times=0)
    began = time.monotonic()

    with pytest.raises(ServiceUnavailable):
        hasty.run("notion_search", {})

    assert time.monotonic() - began < 3.5


def test_no_request_begins_when_the_time_of_the_call_is_over(campus: CampusServer, hasty: ToolCalls) -> None:
    """However well each one ends: a call of many slow requests is given up before its tool is."""
    campus.fault(service="notion", fault="delay", seconds=0.4, times=0)
    client = hasty.context().client("notion").with_deadline()
    client.deadline = Deadline(1.0)

    with pytest.raises(ServiceUnavailable, match="in time"):
        [client.me() for _ in range(9)]

    assert 1 <= len([e for e in campus.log(service="notion") if e["path"] == "/v1/users/me"]) <= 3


def test_a_list_whose_next_page_is_itself_is_not_followed_for_ever(campus: CampusServer, maya: ToolCalls) -> None:
    body = {"object": "list", "results": [], "has_more": True, "next_cursor": "again"}
    campus.fault(service="notion", path="/v1/search", fault="status", status=200, body=body, times=0)

    with pytest.raises(ServiceUnavailable, match="does not end"):
        maya.run("notion_search", {})


def test_neither_credential_nor_titles_reach_the_log(
    campus: CampusServer, maya: ToolCalls, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO)
    refuse(campus, 404, "object_not_found", path="/v1/users/me", times=1)
    with pytest.raises(ItemNotFound):
        client_of(maya).me()
    maya.run("notion_search", {"query": "private words"})

    assert maya.grant.access_token not in caplog.text
    assert "private words" not in caplog.text
    assert "SECRET" not in caplog.text
