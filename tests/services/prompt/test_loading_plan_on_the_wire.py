"""Loading plans as the requests on the wire show them: the strict demo model, the real client, the real store."""

import json
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from sandbox.model.deferred_tools import loaded_names
from services.conversations.turn_records import TurnStatus
from services.discovery.contexts import FoundContext
from services.discovery.detector import Detector
from services.discovery.relevance.tool_ranker import ToolRanker
from services.discovery.tool_search import FIND
from tests.campus_rooms import CampusRoom, lines, words
from tests.campus_server import CampusServer

ABOUT = {"due": "courses", "doing": "courses", "next week": "courses", "calendar": "calendar"}


@pytest.fixture
def maya(campus: CampusServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[CampusRoom]:
    """What a message is about is told by a word of it: how well that is found out is measured elsewhere."""

    def detect(self: Detector, message: str, history: Any = (), **_: Any) -> tuple[FoundContext, ...]:
        names = sorted({name for word, name in ABOUT.items() if word in message and "/" not in message})
        return tuple(FoundContext(name=name, confidence=0.9) for name in names)

    monkeypatch.setattr(Detector, "detect", detect)
    monkeypatch.setattr(ToolRanker, "implied_contexts", lambda *_: ())
    room = CampusRoom(campus, tmp_path, idle_s=20.0)
    yield room
    campus.clear_faults()
    room.close()


def bodies(maya: CampusRoom) -> list[dict[str, Any]]:
    """What the model was sent, without the cache's marks."""
    sent = [entry["body"] for entry in maya.model_requests()]
    return [_unmarked(json.loads(body) if isinstance(body, str) else body) for body in sent]


def _unmarked(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _unmarked(inner) for key, inner in value.items() if key != "cache_control"}
    return [_unmarked(inner) for inner in value] if isinstance(value, list) else value


def usages(maya: CampusRoom, conversation: str) -> list[dict[str, int]]:
    stored = maya.services.conversations.messages(maya.maya.id, conversation)
    return [message.meta["usage"] for message in stored if "usage" in message.meta]


def total(usage: dict[str, int]) -> int:
    return sum(usage[name] for name in usage if name != "output_tokens")


def test_a_greeting_carries_no_definition_but_the_search(maya: CampusRoom) -> None:
    maya.connect("canvas", "google_calendar")

    _, last = maya.ask("Hi!")

    (sent,) = bodies(maya)
    assert last.status is TurnStatus.DONE
    assert loaded_names(sent) == {FIND}
    assert sent["tools"][0]["name"] == FIND
    assert all(tool["defer_loading"] for tool in sent["tools"][1:])
    assert not [tool for tool in sent["tools"] if "cache_control" in tool]
    assert "your assignments" in words(last)


@pytest.mark.exact_documents
def test_the_beginning_stays_and_is_read_from_the_cache_while_tools_come_and_go(maya: CampusRoom) -> None:
    maya.connect("canvas")
    conversation, _ = maya.ask("Hi!")
    maya.ask("What is due this week?", conversation)
    maya.connect("google_calendar")
    maya.ask("What is in my calendar tomorrow?", conversation)
    maya.services.connections.disconnect(maya.maya.id, "canvas")
    maya.ask("Thanks!", conversation)

    sent = bodies(maya)
    assert {entry["status"] for entry in maya.model_requests()} == {200}
    assert len({json.dumps([body["system"], body["tools"]]) for body in sent}) == 1
    for before, after in pairwise(sent):
        assert after["messages"][: len(before["messages"])] == before["messages"]
    changes = [(b["type"], b["tool"]["name"]) for b in _told(sent[-1]) if "tool" in b]
    assert ("tool_addition", "canvas_list_assignments") in changes
    assert ("tool_addition", "calendar_list_events") in changes
    assert ("tool_removal", "canvas_list_assignments") in changes
    assert "canvas_list_assignments" not in loaded_names(sent[-1])
    used = usages(maya, conversation)
    assert all(after["cache_read_input_tokens"] >= total(before) - 5 for before, after in pairwise(used))


def _told(body: dict[str, Any]) -> list[dict[str, Any]]:
    return [block for message in body["messages"] if message["role"] == "system" for block in message["content"]]


def test_students_with_the_same_accounts_share_what_is_cached_and_kept(maya: CampusRoom) -> None:
    maya.connect("canvas")
    leo = maya.services.students.sign_in(
        issuer="campus", subject="leo", name="Leo Brandt", email="leo@campus.example", timezone="Europe/Berlin"
    )
    maya.ask("Hi!")
    other = maya.services.conversations.create(leo.id)
    maya.services.turns.start_turn(leo, other, "Hi!")
    *_, last = maya.services.turns.follow(leo, other)
    maya.ask("Hello again!")

    kept = json.dumps(maya.services.store.shared.find("prompts", {}))
    assert last.status is TurnStatus.DONE
    # The texts of those with and without Canvas, and one list of definitions for all.
    assert len(maya.services.store.shared.find("prompts", {})) == 3
    assert not [name for name in ("Maya", "Leo", "Chicago", "Berlin") if name in kept]


def test_a_deploy_with_other_words_does_not_touch_a_conversation_that_has_begun(
    maya: CampusRoom, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    maya.connect("canvas")
    conversation, _ = maya.ask("Hi!")
    from services.prompt import prompt_builder

    real = prompt_builder.prompt
    monkeypatch.setattr(prompt_builder, "prompt", lambda name: real(name).replace("Short, warm", "Brief, warm"))
    newer = CampusRoom(maya.server, tmp_path, idle_s=20.0)
    newer.ask("What is due this week?", conversation)
    newer.close()

    first, *later = bodies(maya)
    assert all((body["system"], body["tools"]) == (first["system"], first["tools"]) for body in later)
    assert "Brief, warm" in str(_told(later[-1]))


def test_a_tool_that_was_not_loaded_is_searched_for_and_stays(maya: CampusRoom) -> None:
    maya.connect("canvas", "google_calendar", "notion")
    conversation, found = maya.ask("What are my grades?")
    maya.ask("Thanks!", conversation)

    first, second, *_, later = bodies(maya)
    assert loaded_names(first) == {FIND}
    assert "canvas_get_grades" in loaded_names(second)
    assert loaded_names(later) == loaded_names(second)
    assert lines(found)[0].label == "Looking for the right tool"
    assert [line.name for line in lines(found)[1:]] == ["canvas_get_grades"]
    plans = [
        m.meta["plan"] for m in maya.services.conversations.messages(maya.maya.id, conversation) if "plan" in m.meta
    ]
    assert plans[0]["found"] == []
    assert "canvas_get_grades" in plans[1]["found"]
    assert plans[1]["offered"] > len(plans[1]["loaded"])


def test_per_message_the_strict_model_takes_what_a_search_brings(
    maya: CampusRoom, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    about_mail = (FoundContext(name="mail", confidence=0.9),)
    monkeypatch.setattr(Detector, "detect", lambda *_, **__: about_mail)
    maya.connect("canvas")
    room = CampusRoom(maya.server, tmp_path, idle_s=20.0, HOMEROOM_TOOL_LOADING="per_message")
    conversation, found = room.ask('/call find_tools {"query": "canvas_get_grades"}')
    room.ask("Hi!", conversation)
    room.close()

    offered = [{tool["name"] for tool in body["tools"]} for body in bodies(maya)]
    assert {entry["status"] for entry in maya.model_requests()} == {200}
    assert [line.name for line in lines(found)] == [FIND]
    assert offered == [{FIND, "mail_draft"}, {FIND, "mail_draft", "canvas_get_grades"}, {FIND, "mail_draft"}]


def test_a_tool_that_is_deferred_but_enabled_can_be_called(maya: CampusRoom) -> None:
    maya.connect("canvas")

    _, last = maya.ask("/call canvas_list_courses {}")

    assert [line.success for line in lines(last)] == [True]
    assert loaded_names(bodies(maya)[-1]) == {FIND}


def test_a_model_without_the_features_gets_all_tools_and_nobody_notices(maya: CampusRoom) -> None:
    maya.connect("canvas")
    conversation, _ = maya.ask("What is due this week?")
    maya.server.fault(service="anthropic", fault="no_betas", times=0)
    began = len(maya.model_requests())

    _, last = maya.ask("How am I doing in biology?", conversation)
    _, other = maya.ask("Hi!")

    sent, statuses = bodies(maya)[began:], [entry["status"] for entry in maya.model_requests()[began:]]
    assert (last.status, other.status) == (TurnStatus.DONE, TurnStatus.DONE)
    assert last.notice is None
    assert statuses == [400] + [200] * (len(statuses) - 1)
    for body in sent[1:]:
        assert FIND not in loaded_names(body)
        assert "canvas_get_grades" in loaded_names(body)
        assert {message["role"] for message in body["messages"]} <= {"user", "assistant"}
    assert not [tool for body in sent[1:] for tool in body["tools"] if "defer_loading" in tool]
    plan = [
        m.meta["plan"] for m in maya.services.conversations.messages(maya.maya.id, conversation) if "plan" in m.meta
    ]
    assert [step["strategy"] for step in plan][-1] == "frozen"


def test_what_a_conversation_kept_is_not_needed_to_go_on(maya: CampusRoom) -> None:
    maya.connect("canvas")
    conversation, _ = maya.ask("What is due this week?")
    maya.services.store.shared.delete("prompts", {})

    room = CampusRoom(maya.server, maya.data_dir, idle_s=20.0)
    _, last = room.ask("And next week?", conversation)
    room.close()

    assert last.status is TurnStatus.DONE
    assert {entry["status"] for entry in maya.model_requests()} == {200}
