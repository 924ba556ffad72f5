"""A message that a page's field sends: the tab that sends it draws the answer, and the other tabs are told to."""

from collections.abc import Callable

from services.safety.consent import CHAT
from tests.agent_fakes import FakeModel, FakePage, says
from tests.api.live.browser import LiveBrowser
from tests.api.room import ApiRoom


def test_the_tab_that_sends_a_message_is_not_asked_to_rerun_and_the_others_are(
    make_api: Callable[..., ApiRoom],
) -> None:
    room = make_api(model=FakeModel(says("One."), says("Two.")))
    maya, student = LiveBrowser(room.client, room.services), room.room.maya
    chat = maya.send("Hello").json()["conversation_id"]
    room.room.watch(chat)
    changes = room.services.conversations.changes
    changes.on_watched = lambda: None
    sending, other = FakePage("sending"), FakePage("other")
    for page in (sending, other):
        changes.watch(page, student.id, chat, drawn="")

    sent = maya.send("", chat, key="second-message", json={"text": "And then?", "tab": "sending"})
    room.room.watch(chat)

    assert sent.status_code == 202
    assert (sending.reruns, other.reruns) == (0, 1)


def test_a_message_without_consent_is_refused_and_sent_with_the_same_key_after_it(
    make_api: Callable[..., ApiRoom],
) -> None:
    room = make_api(model=FakeModel(says("One.")))
    maya, student = LiveBrowser(room.client, room.services), room.room.maya
    room.services.consents.withdraw(student, CHAT)

    refused = maya.send("Hello", key="one")
    room.services.consents.agree(student, [room.services.consents.terms.chat()])
    sent = maya.send("Hello", key="one")
    room.room.watch(sent.json()["conversation_id"])

    assert (refused.status_code, refused.json()["error"]["code"]) == (403, "consent_required")
    assert refused.json()["error"]["agree_at"] == f"{room.services.settings.public_url}/"
    assert (sent.status_code, len(room.room.model.requests)) == (202, 1)


def test_a_message_that_an_ending_process_refuses_is_taken_by_the_next_one_with_the_same_key(
    make_api: Callable[..., ApiRoom],
) -> None:
    room = make_api(model=FakeModel(says("One.")))
    maya, draining = LiveBrowser(room.client, room.services), room.services.turns.draining
    draining.set()

    health, refused = room.client.get("/health"), maya.send("Hello", key="one")
    draining.clear()
    sent, again = (maya.send("Hello", key="one") for _ in range(2))
    room.room.watch(sent.json()["conversation_id"])

    assert (health.status_code, refused.status_code, refused.json()["error"]["code"]) == (503, 503, "restarting")
    assert sent.json() == again.json()
    assert (room.client.get("/health").status_code, len(room.room.model.requests)) == (200, 1)
