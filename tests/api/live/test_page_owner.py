"""What an older tab sends counts for its own student alone, also when somebody else has signed in meanwhile."""

from collections.abc import Callable, Mapping
from typing import Any

import pytest

from services.identity.page_owner import owner_mark
from tests.api.live.browser import LiveBrowser
from tests.api.room import ApiRoom, error_of

REQUESTS: Mapping[str, Mapping[str, Any]] = {
    "/live/messages": {"text": "My own words"},
    "/live/reader/page": {"material": "m", "page": 1},
    "/live/study/quiz/state": {"quiz": "q"},
    "/live/study/review/queue": {},
    "/push/subscriptions": {"endpoint": "https://push.example/a", "keys": {"p256dh": "k", "auth": "a"}},
}


def post(browser: LiveBrowser, path: str, *, page_of: str) -> Any:
    headers = {**browser.headers, "x-page-owner": page_of, "idempotency-key": "a-random-key"}
    return browser.client.post(path, headers=headers, json=REQUESTS[path])


@pytest.mark.parametrize("path", REQUESTS)
def test_a_page_of_somebody_else_sends_nothing_into_this_account(make_api: Callable[..., ApiRoom], path: str) -> None:
    room = make_api()
    diego = LiveBrowser(room.client, room.services, "diego")

    answer = post(diego, path, page_of=owner_mark(room.maya.student.id))

    assert answer.status_code == 401
    assert error_of(answer) == "signed_out"
    assert room.services.conversations.list(room.diego.student.id, None) == []


@pytest.mark.parametrize("path", REQUESTS)
def test_a_page_of_ones_own_does(make_api: Callable[..., ApiRoom], path: str) -> None:
    room = make_api()
    diego = LiveBrowser(room.client, room.services, "diego")

    assert post(diego, path, page_of=owner_mark(room.diego.student.id)).status_code != 401
