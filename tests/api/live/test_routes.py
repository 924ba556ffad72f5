"""The live routes as a browser meets them: sending, following, sending again, and being somebody else."""

import threading
from collections.abc import Callable

import pytest

from api.auth import SIGN_IN_COOKIE
from services.conversations.items import AssistantText, UserMessage
from services.i18n import locale_scope
from tests.agent_fakes import FakeModel, Gate, calls, says
from tests.api.live.browser import LiveBrowser, events_of, text_of
from tests.api.room import ApiRoom, error_of

MakeApi = Callable[..., ApiRoom]


def _held(gate: Gate, before: str, after: str) -> list[object]:
    first, second = says(before)[:-1], says(f"{before} {after}")
    return [*first, gate, *second[len(first) :]]


@pytest.fixture
def gate() -> Gate:
    return Gate()


@pytest.fixture
def room(make_api: MakeApi, gate: Gate) -> ApiRoom:
    """A model that pauses in the middle of its first answer."""
    return make_api(model=FakeModel(_held(gate, "One two", "three"), says("Again.")))


@pytest.fixture
def maya(room: ApiRoom) -> LiveBrowser:
    return LiveBrowser(room.client, room.services)


def test_a_message_is_taken_and_its_answer_streamed_to_the_end(room: ApiRoom, maya: LiveBrowser, gate: Gate) -> None:
    taken = maya.send("Count")
    assert taken.status_code == 202
    assert set(taken.json()) == {"conversation_id", "turn_id"}
    gate.reached.wait(5)
    threading.Timer(0.3, gate.open).start()
    answer = maya.follow(taken.json()["conversation_id"])
    assert answer.headers["content-type"].startswith("text/event-stream")
    first, *others = events_of(answer.text)
    assert first.name == "snapshot"
    assert first.data["turn_id"] == taken.json()["turn_id"]
    assert [event.id for event in others] == list(range(first.id + 1, first.id + 1 + len(others)))
    grown = "".join(item["text"] for item in first.data["items"]) + text_of(others)
    assert grown == "One two three"
    *_, block, end = others
    assert block.data["blocks"] == [{"kind": "html", "html": "<p>One two three</p>"}]
    assert (end.name, end.data["status"], end.data["notice"]) == ("end", "done", None)
    items = room.room.items(taken.json()["conversation_id"])
    assert [type(item) for item in items] == [UserMessage, AssistantText]
    assert maya.follow(taken.json()["conversation_id"]).status_code == 204


def test_the_same_key_again_starts_nothing(room: ApiRoom, maya: LiveBrowser, gate: Gate) -> None:
    first = maya.send("Count", key="the-same-key")
    while_it_runs = maya.send("Count", key="the-same-key")
    gate.open()
    room.room.watch(first.json()["conversation_id"])
    afterwards = maya.send("Count", key="the-same-key")
    assert first.json() == while_it_runs.json() == afterwards.json()
    assert {answer.status_code for answer in (first, while_it_runs, afterwards)} == {202}
    assert len(room.room.items(first.json()["conversation_id"])) == 2
    assert len(room.services.conversations.list(room.room.maya.id, None)) == 1
    other = maya.send("Count", key="another-key")
    assert other.json()["conversation_id"] != first.json()["conversation_id"]


def test_the_same_key_again_in_a_chat_starts_nothing(room: ApiRoom, maya: LiveBrowser, gate: Gate) -> None:
    gate.open()
    chat = maya.send("Count").json()["conversation_id"]
    room.room.watch(chat)
    first = maya.send("And then?", chat, key="second-message")
    room.room.watch(chat)
    again = maya.send("And then?", chat, key="second-message")
    assert first.json() == again.json()
    assert sum(isinstance(item, UserMessage) for item in room.room.items(chat)) == 2


def test_a_second_message_while_an_answer_runs_is_refused_in_words(
    room: ApiRoom, maya: LiveBrowser, gate: Gate
) -> None:
    chat = maya.send("Count").json()["conversation_id"]
    busy = maya.send("And then?", chat, key="second-message")
    assert (busy.status_code, error_of(busy)) == (409, "busy")
    assert "still answering" in busy.json()["error"]["message"]
    gate.open()
    room.room.watch(chat)


def test_a_client_that_comes_back_gets_only_what_it_missed(room: ApiRoom, maya: LiveBrowser, gate: Gate) -> None:
    chat = maya.send("Count").json()["conversation_id"]
    gate.reached.wait(5)
    threading.Timer(0.3, gate.open).start()
    whole = events_of(maya.follow(chat).text)
    at = len(whole) - 3
    rest = events_of(maya.follow(chat, **{"last-event-id": str(whole[at].id)}).text)
    assert rest == whole[at + 1 :]
    for unknown in ("0", "99999999999999999999", "-1", "x"):
        assert maya.follow(chat, **{"last-event-id": unknown}).status_code == 204


def test_stop_ends_the_answer_and_keeps_its_text(room: ApiRoom, maya: LiveBrowser, gate: Gate) -> None:
    chat = maya.send("Count").json()["conversation_id"]
    gate.reached.wait(5)
    assert maya.stop(chat).status_code == 204
    assert room.room.watch(chat).status.value == "stopped"
    gate.open()
    assert maya.stop(chat).status_code == 204


def test_strangers_and_other_sites_are_refused(room: ApiRoom, maya: LiveBrowser, gate: Gate) -> None:
    chat = maya.send("Count").json()["conversation_id"]
    nobody = room.client
    assert error_of(nobody.get(f"/live/{chat}")) == "signed_out"
    forged = {"cookie": f"{SIGN_IN_COOKIE}={maya.cookie[:-2]}xx"}
    assert nobody.get(f"/live/{chat}", headers=forged).status_code == 401
    elsewhere = {"cookie": maya.headers["cookie"], "origin": "https://evil.example"}
    assert nobody.get(f"/live/{chat}", headers=elsewhere).status_code == 403
    for missing in ("x-requested-with", "cookie"):
        headers = {name: value for name, value in maya.headers.items() if name != missing}
        refused = nobody.post("/live/messages", headers={**headers, "idempotency-key": "k" * 20}, json={"text": "Hi"})
        assert refused.status_code in (401, 403)
    cross = nobody.post(
        "/live/messages",
        headers={**maya.headers, "sec-fetch-site": "cross-site", "idempotency-key": "k" * 20},
        json={"text": "Hi"},
    )
    assert error_of(cross) == "wrong_origin"
    gate.open()
    room.room.watch(chat)


def test_another_students_chat_is_as_good_as_none(room: ApiRoom, maya: LiveBrowser, gate: Gate) -> None:
    chat = maya.send("Count").json()["conversation_id"]
    diego = LiveBrowser(room.client, room.services, "diego")
    assert diego.follow(chat).status_code == 204
    assert diego.stop(chat).status_code == 204
    refused = diego.send("Mine now", chat)
    assert (refused.status_code, error_of(refused)) == (404, "not_found")
    gate.open()
    assert room.room.watch(chat).status.value == "done"


def test_a_session_that_was_ended_counts_no_more(room: ApiRoom, gate: Gate) -> None:
    old = LiveBrowser(room.client, room.services, session=1_700_000_000)
    room.services.students.sign_in(
        issuer="https://id.example", subject="maya", name="Maya", email="", session=1_700_000_000
    )
    gate.open()
    chat = old.send("Count").json()["conversation_id"]
    room.services.students.end_all_sessions(room.room.maya.id)
    for refused in (old.follow(chat), old.send("And?", chat, key="another-one"), old.stop(chat)):
        assert (refused.status_code, error_of(refused)) == (401, "signed_out")


@pytest.mark.parametrize(
    ("body", "code"),
    [
        ({"text": "   "}, "bad_arguments"),
        ({"text": "x" * 50_001}, "bad_arguments"),
        ({"text": 7}, "bad_request"),
        ({}, "bad_request"),
        ({"text": "Hi", "assistant": "nobody"}, "not_found"),
        ({"text": "Hi", "effort": "enormous"}, "bad_arguments"),
    ],
)
def test_a_bad_message_is_refused_and_nothing_is_stored(
    room: ApiRoom, maya: LiveBrowser, body: dict[str, object], code: str
) -> None:
    assert error_of(maya.send("", json=body)) == code
    assert not room.services.conversations.list(room.room.maya.id, None)


@pytest.mark.parametrize("more", [{}, {"assistant": None, "effort": None}, {"assistant": "", "effort": ""}])
def test_the_default_assistant_answers_who_names_none(
    room: ApiRoom, maya: LiveBrowser, gate: Gate, more: dict[str, object]
) -> None:
    gate.open()
    taken = maya.send("", json={"text": "Count", **more})
    assert taken.status_code == 202, taken.text
    room.room.watch(taken.json()["conversation_id"])


def test_a_message_needs_a_key(room: ApiRoom, maya: LiveBrowser) -> None:
    for key in ("", "with a space in it", "x" * 201):
        assert error_of(maya.send("Hi", key=key)) == "missing_idempotency_key"


def test_files_come_with_a_form(room: ApiRoom, maya: LiveBrowser, gate: Gate) -> None:
    gate.open()
    fields = {"text": "What is this?", "assistant": "homeroom"}
    taken = maya.send("", data=fields, files=[("files", ("list.txt", b"Essay, lab", "text/plain"))])
    assert taken.status_code == 202, taken.text
    chat = taken.json()["conversation_id"]
    room.room.watch(chat)
    question = room.room.items(chat)[0]
    assert isinstance(question, UserMessage)
    assert [file.name for file in question.files] == ["list.txt"]
    refused = maya.send("", data=fields, files=[("files", ("run.exe", b"MZ", "text/plain"))], key="another-one")
    assert refused.status_code == 422
    assert refused.json()["error"]["refused"] == [0]
    assert "run.exe" in refused.json()["error"]["message"]


def test_refusals_are_in_the_students_language(room: ApiRoom, maya: LiveBrowser) -> None:
    room.services.students.set_language(room.room.maya.id, "es")
    message = maya.send("", json={"text": " "}).json()["error"]["message"]
    with locale_scope("es"):
        from services.i18n import gettext

        step = gettext("Write what you want to know, then send it.")
        assert message == f"{gettext('The message is empty.')} {step}"
        assert step.startswith("Escribe")


def test_an_answer_that_waits_for_the_student_ends_with_its_card(make_api: MakeApi) -> None:
    room = make_api(model=FakeModel(calls(("board_pin", {"text": "Essay"}), text="I pin it.")))
    maya, gate = LiveBrowser(room.client, room.services), Gate()
    room.room.model.script[0].insert(1, gate)
    chat = maya.send("Pin it").json()["conversation_id"]
    gate.reached.wait(5)
    threading.Timer(0.3, gate.open).start()
    events = events_of(maya.follow(chat).text)
    card = next(event for event in events if event.name == "card")
    assert card.data["approval_id"] in room.services.approvals.for_conversation(room.room.maya.id, chat)
    assert (events[-1].name, events[-1].data["status"], events[-1].data["redraw_in_ms"]) == ("end", "waiting", 0)


def test_a_follower_on_another_replica_is_served_from_the_store(room: ApiRoom, maya: LiveBrowser, gate: Gate) -> None:
    chat = maya.send("Count").json()["conversation_id"]
    gate.reached.wait(5)
    elsewhere = LiveBrowser(room.replica(), room.services)
    threading.Timer(1.5, gate.open).start()
    events = events_of(elsewhere.follow(chat).text)
    assert events[0].name == "snapshot"
    assert events[-1].data["status"] == "done"
    assert "One two three" in str(events)
