"""Push subscriptions by the sign-in cookie (T29), the service worker, and links that end e-mails and do nothing else
(T28).
"""

import time
from collections.abc import Callable
from typing import Any

import pytest
from itsdangerous import URLSafeTimedSerializer

from services.reminders.preferences import Channel, Topic
from services.reminders.unsubscribe import LIFETIME
from tests.api.live.browser import LiveBrowser
from tests.api.room import ApiRoom

MakeApi = Callable[..., ApiRoom]
KEYS = {
    # Of RFC 8291, appendix A.
    "p256dh": "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4",
    "auth": "BTBZMqHH6r4Tts7J_aSIgg",
}
ENDPOINT = "https://push.example.net/send/abc"


@pytest.fixture
def room(make_api: MakeApi) -> ApiRoom:
    return make_api()


@pytest.fixture
def maya(room: ApiRoom) -> LiveBrowser:
    return LiveBrowser(room.client, room.services)


def subscribe(who: LiveBrowser, *, headers: dict[str, str] | None = None, **more: Any):
    body = {"endpoint": ENDPOINT, "keys": KEYS, **more}
    return who.client.post("/push/subscriptions", json=body, headers={**who.headers, **(headers or {})})


def devices(room: ApiRoom) -> list[str]:
    maya = room.services.students.get(room.maya.student.id)
    assert maya
    return [device.endpoint for device in room.services.reminders.outbox.devices(maya)]


def topics(room: ApiRoom) -> dict[Channel, frozenset[Topic]]:
    return dict(room.services.reminders.preferences.get(room.maya.student.id).topics)


def test_a_browser_is_added_once_and_taken_off(room: ApiRoom, maya: LiveBrowser) -> None:
    assert subscribe(maya).status_code == 201
    assert subscribe(maya).status_code == 201
    added = devices(room)

    body = {"endpoint": ENDPOINT}
    gone = maya.client.request("DELETE", "/push/subscriptions", json=body, headers=maya.headers)

    assert added == [ENDPOINT]
    assert Channel.PUSH in topics(room)
    assert gone.status_code == 204
    assert devices(room) == []


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({"x-requested-with": ""}, 403),
        ({"origin": "https://evil.example"}, 403),
        ({"sec-fetch-site": "cross-site"}, 403),
        ({"cookie": ""}, 401),
    ],
)
def test_another_sites_page_can_subscribe_nobody(
    room: ApiRoom, maya: LiveBrowser, headers: dict[str, str], status: int
) -> None:
    answer = subscribe(maya, headers=headers)

    assert answer.status_code == status
    assert devices(room) == []


@pytest.mark.parametrize(
    "endpoint",
    [
        "http://push.example.net/plain",
        "https://127.0.0.1/latest",
        "https://169.254.169.254/latest/meta-data",
        "https://[::1]/x",
        "https://push.example.net:25/mail",
        "https://localhost/x",
        "file:///etc/passwd",
        "",
    ],
)
def test_an_address_inside_is_no_endpoint(room: ApiRoom, maya: LiveBrowser, endpoint: str) -> None:
    answer = subscribe(maya, endpoint=endpoint)

    assert answer.status_code == 422
    assert devices(room) == []


@pytest.mark.parametrize("keys", [{"p256dh": "AAAA", "auth": KEYS["auth"]}, {**KEYS, "auth": "AAAA"}])
def test_keys_that_seal_nothing_are_refused(room: ApiRoom, maya: LiveBrowser, keys: dict[str, str]) -> None:
    assert subscribe(maya, keys=keys).status_code == 422


def test_a_browser_tells_whoever_switched_it_on_last_and_nobody_else(room: ApiRoom, maya: LiveBrowser) -> None:
    diego = LiveBrowser(room.client, room.services, "diego")
    subscribe(maya)

    subscribe(diego)

    assert devices(room) == []


def test_a_subscription_ends_with_the_sign_in_that_made_it(make_api: MakeApi) -> None:
    room = make_api()
    students = room.services.students
    students.sign_in(issuer="https://id.example", subject="maya", name="Maya", email="", session=7)
    subscribe(LiveBrowser(room.client, room.services, session=7))
    before = devices(room)

    students.end_session(room.maya.student.id, 7)

    assert before == [ENDPOINT]
    assert devices(room) == []


def test_the_service_worker_stands_at_the_root_and_is_asked_for_anew(room: ApiRoom) -> None:
    answer = room.client.get("/service-worker.js")

    assert answer.headers["content-type"].startswith("text/javascript")
    assert answer.headers["cache-control"] == "no-cache"
    assert "showNotification" in answer.text


@pytest.fixture
def link(room: ApiRoom) -> str:
    reminders, id = room.services.reminders, room.maya.student.id
    for channel in Channel:
        reminders.preferences.update(id, lambda known, channel=channel: known.with_channel(channel))  # type: ignore[misc]
    return reminders.links.link(id).removeprefix(room.services.settings.public_url)


@pytest.mark.parametrize("method", ["GET", "HEAD"])
def test_whoever_looks_at_the_link_changes_nothing(room: ApiRoom, link: str, method: str) -> None:
    answer = room.client.request(method, link)

    assert answer.status_code == 200
    assert answer.headers["cache-control"] == "no-store"
    assert "set-cookie" not in answer.headers
    assert set(topics(room)) == set(Channel)
    if method == "GET":
        assert "Stop all e-mails" in answer.text
        assert "Maya" not in answer.text


def test_one_post_ends_the_e_mails_without_a_cookie_and_leaves_the_rest(room: ApiRoom, link: str) -> None:
    first = room.client.post(link, data={"List-Unsubscribe": "One-Click"})
    again = room.client.post(link)

    assert (first.status_code, again.status_code) == (200, 200)
    assert set(topics(room)) == {Channel.PUSH}


def test_a_forged_link_ends_nothing(room: ApiRoom, link: str) -> None:
    path, _, token = link.rpartition("/")
    secret = room.services.settings.cookie_secret
    other = URLSafeTimedSerializer(secret, salt="homeroom/another").dumps(room.maya.student.id)
    forged = [token[:-1] + ("A" if token[-1] != "A" else "B"), token + "x", room.maya.student.id, other, "a" * 2000]

    answers = [room.client.post(f"{path}/{wrong}") for wrong in forged]

    assert {answer.status_code for answer in answers} == {404}
    assert set(topics(room)) == set(Channel)


def test_an_old_link_says_so(room: ApiRoom, link: str, monkeypatch: pytest.MonkeyPatch) -> None:
    later = time.time() + LIFETIME.total_seconds() + 60
    monkeypatch.setattr("itsdangerous.timed.time.time", lambda: later)

    answer = room.client.post(link)

    assert answer.status_code == 410
    assert "This link is too old" in answer.text


def test_a_link_of_somebody_who_left_is_no_error_and_signs_nobody_in(room: ApiRoom, link: str) -> None:
    room.services.account_deletion.delete(room.maya.student.id)

    answer = room.client.post(link)

    assert answer.status_code == 200
    assert "set-cookie" not in answer.headers


def test_diegos_link_does_not_end_mayas_mails(room: ApiRoom, link: str) -> None:
    diegos = room.services.reminders.links.link(room.diego.student.id)

    room.client.post(diegos.removeprefix(room.services.settings.public_url))

    assert Channel.EMAIL in topics(room)
