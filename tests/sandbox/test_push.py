"""The campus's push service, as strict as real ones, and Homeroom's sender in front of it."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest
from py_vapid import Vapid02

from services.reminders.deliveries import DeliveryStatus, Outcome
from services.reminders.push_subscriptions import PushSubscription
from services.reminders.web_push import WebPush
from services.safety.fetch import SafeFetch
from services.safety.fetch.errors import dns_unavailable
from services.settings.secret_keys import new_vapid_key
from tests.campus_server import CampusServer


def device(campus: CampusServer) -> PushSubscription:
    made = campus.http.post(f"{campus.url}/push/devices").json()
    return PushSubscription(
        id="d1",
        endpoint=made["endpoint"],
        p256dh=made["keys"]["p256dh"],
        auth=made["keys"]["auth"],
        name=made["name"],
        session=1,
        server_key="",
        created_at=datetime.now(UTC),
    )


def sender(campus: CampusServer, key: str = "", *, is_allowed: bool = True) -> WebPush:
    origin = campus.url.removesuffix("/sandbox")
    fetch = SafeFetch(allow=frozenset({origin}) if is_allowed else frozenset())
    return WebPush(key or new_vapid_key(), contact="mailto:homeroom@campus.example", fetch=fetch)


def send(push: WebPush, to: PushSubscription, text: str = '{"title": "Grüße"}', *, ago: float = 0) -> Outcome:
    return push.send(to, text.encode(), topic="t" * 40, now=datetime.now(UTC) - timedelta(hours=ago))


def messages(campus: CampusServer) -> list[dict[str, str]]:
    devices = campus.http.get(f"{campus.url}/push/devices.json").json()["devices"]
    return [message for device in devices for message in device["messages"]]


def test_a_message_arrives_and_only_the_devices_own_key_opens_it(campus: CampusServer) -> None:
    outcome = send(sender(campus), device(campus))

    (message,) = messages(campus)
    (request,) = campus.log(service="push", method="POST")[1:]
    assert outcome.status is DeliveryStatus.SENT
    assert message["payload"] == '{"title": "Grüße"}'
    assert int(message["ttl"]) > 0
    assert len(message["topic"]) == 32
    assert "Grüße" not in str(request["body"])


def test_the_signature_is_one_that_another_library_accepts(campus: CampusServer) -> None:
    push = sender(campus)

    authorization = push._authorization("https://push.example.net", datetime.now(UTC))

    assert Vapid02.verify(authorization)


def test_a_device_that_is_switched_off_answers_that_it_is_gone(campus: CampusServer) -> None:
    to = device(campus)
    campus.http.delete(f"{campus.url}/push/devices/{to.endpoint.rpartition('/')[2]}")

    outcome = send(sender(campus), to)

    assert outcome.status is DeliveryStatus.FAILED
    assert "any more" in outcome.reason


@pytest.mark.parametrize("ago", [13, -13])
def test_a_token_of_another_time_is_refused(campus: CampusServer, ago: float) -> None:
    outcome = send(sender(campus), device(campus), ago=ago)

    assert (outcome.status, messages(campus)) == (DeliveryStatus.FAILED, [])


def test_a_device_takes_messages_of_one_sender_only(campus: CampusServer) -> None:
    to = device(campus)
    send(sender(campus), to)

    outcome = send(sender(campus), to)

    assert (outcome.status, len(messages(campus))) == (DeliveryStatus.FAILED, 1)


def test_a_busy_service_is_tried_again_and_a_cut_line_is_not(campus: CampusServer) -> None:
    to, push = device(campus), sender(campus)
    campus.fault(service="push", fault="status", status=429, times=1)
    busy = send(push, to)
    campus.clear_faults()
    campus.fault(service="push", fault="lose_response", times=1)
    cut = send(push, to)

    assert (busy.status, cut.status) == (DeliveryStatus.WAITING, DeliveryStatus.UNCLEAR)
    assert len(messages(campus)) == 1


def test_a_name_that_cannot_be_looked_up_now_is_tried_again(campus: CampusServer) -> None:
    def silent(host: str, timeout_s: float) -> list[str]:
        raise dns_unavailable(host)

    push = WebPush(new_vapid_key(), contact="mailto:h@campus.example", fetch=SafeFetch(resolve=silent))
    to = replace(device(campus), endpoint="https://push.example.net/send/1")

    assert send(push, to).status is DeliveryStatus.WAITING


def test_an_endpoint_inside_the_operators_network_is_never_asked(campus: CampusServer) -> None:
    outcome = send(sender(campus, is_allowed=False), device(campus))

    assert outcome.status is DeliveryStatus.FAILED
    assert messages(campus) == []
