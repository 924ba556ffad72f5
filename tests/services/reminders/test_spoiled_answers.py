"""A push service that answers something else than that it took a message has not said that it did."""

from datetime import UTC, datetime

import pytest

from services.reminders.deliveries import DeliveryStatus
from services.reminders.push_subscriptions import PushSubscription
from services.reminders.web_push import WebPush
from services.safety.fetch import SafeFetch
from services.settings.secret_keys import new_vapid_key
from tests.services.safety.fetch.raw_server import RawServer, answer
from tests.spoiled_bodies import answer_of, spoiled_bodies

POINT = "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4"


def sent(reply: bytes) -> DeliveryStatus:
    with RawServer(reply) as server:
        device = PushSubscription(
            id="d1",
            endpoint=f"{server.origin}/push",
            p256dh=POINT,
            auth="BTBZMqHH6r4Tts7J_aSIgg",
            name="",
            session=1,
            server_key="",
            created_at=datetime.now(UTC),
        )
        fetch = SafeFetch(allow=frozenset({server.origin}))
        push = WebPush(new_vapid_key(), contact="mailto:homeroom@campus.example", fetch=fetch)
        return push.send(device, b"{}", topic="t", now=datetime.now(UTC)).status


@spoiled_bodies()
def test_no_message_is_sent_by_a_spoiled_answer(body: str) -> None:
    assert sent(answer_of(body)) is DeliveryStatus.UNCLEAR


@pytest.mark.parametrize("status", ["201 Created", "202 Accepted"])
def test_a_message_that_was_taken_is_sent_but_not_by_a_web_page(status: str) -> None:
    assert sent(answer(status=status)) is DeliveryStatus.SENT
    assert sent(answer(b"<h1>Sign in</h1>", status=status, content_type="text/html")) is DeliveryStatus.UNCLEAR
