"""The assistant's configuration: what this student gets, under a version that changes with it."""

from dataclasses import replace
from pathlib import Path

import pytest

from services.assistants.assistant import FollowedFeed, UsefulLink
from services.connections.connection import Health
from services.errors import ModelPaused, ModelUnavailable
from tests.agent_fakes import FakeModel, says
from tests.api.room import ApiRoom, error_of

CONFIG = "/api/assistants/homeroom/config"


def test_it_tells_words_tools_and_limits_of_this_student(api: ApiRoom) -> None:
    config = api.maya.get(CONFIG).json()

    assert config["identity"]["name"] == "Homeroom"
    assert "Maya" in config["system_words"]
    assert config["enabled_actions"] == [tool.name for tool in api.services.agent.get_user_tools(api.maya.student.id)]
    assert config["integrations"]["board"] == {
        "label": "Board",
        "category": "notes",
        "connected": True,
        "health": "healthy",
        "reason": None,
    }
    assert config["limits"]["steps_per_turn"] > 0
    assert config["can_respond"] is True


def test_it_can_respond_until_the_model_refuses_the_key_and_again_when_it_answers(tmp_path: Path) -> None:
    model = FakeModel(says("Hello."), ModelUnavailable("Busy."), ModelPaused("Paused."), says("Back."))
    api = ApiRoom(tmp_path, model=model)
    seen = list[bool]()

    for _ in range(4):
        api.room.ask("Hello?")
        seen.append(api.maya.get(CONFIG).json()["can_respond"])

    assert seen == [True, True, False, True]
    api.services.store.close()


def test_a_process_that_ends_cannot_respond_and_has_another_version(api: ApiRoom) -> None:
    before = api.maya.get(CONFIG).json()

    api.services.turns.drain(0)
    after = api.maya.get(CONFIG).json()

    assert (before["can_respond"], after["can_respond"]) == (True, False)
    assert before["config_version"] != after["config_version"]


def test_the_version_stays_until_something_changes(api: ApiRoom) -> None:
    first, again = api.maya.get(CONFIG), api.maya.get(CONFIG)
    api.services.store.for_student(api.maya.student.id).compare_and_set(
        "connections", "board", {}, {"health": Health.REVOKED.value}
    )
    revoked = api.maya.get(CONFIG)
    api.services.students.set_timezone(api.maya.student.id, "Europe/Madrid")
    moved = api.maya.get(CONFIG)

    versions = [answer.json()["config_version"] for answer in (first, again, revoked, moved)]
    assert versions[0] == versions[1]
    assert len(set(versions)) == 3
    assert revoked.json()["integrations"]["board"]["reason"].startswith("Board must be reconnected")


@pytest.mark.parametrize("form", ["{tag}", "W/{tag}", '"other", {tag}', "*"])
def test_a_known_version_is_not_sent_again(api: ApiRoom, form: str) -> None:
    first = api.maya.get(CONFIG)
    known = {"if-none-match": form.format(tag=first.headers["etag"])}

    answer = api.maya.get(CONFIG, headers=known)

    assert first.headers["etag"] == f'"{first.json()["config_version"]}"'
    assert (answer.status_code, answer.content) == (304, b"")
    assert answer.headers["etag"] == first.headers["etag"]
    assert "no-cache" in answer.headers["cache-control"]
    assert answer.headers["vary"] == f"{first.headers['vary']}, accept-encoding"


def test_another_version_is_sent(api: ApiRoom) -> None:
    first = api.maya.get(CONFIG)

    answer = api.maya.get(CONFIG, headers={"if-none-match": '"0000"'})

    assert (answer.status_code, answer.json()) == (200, first.json())


@pytest.mark.parametrize("id", ["nobody", "HOMEROOM", "..", "é"])
def test_an_unknown_assistant_is_not_found(api: ApiRoom, id: str) -> None:
    answer = api.maya.get(f"/api/assistants/{id}/config")

    assert (answer.status_code, error_of(answer)) == (404, "not_found")


def test_every_field_that_a_program_needs_is_there(api: ApiRoom) -> None:
    """Row B9, field by field."""
    config = api.maya.get("/api/assistants/course_companion/config").json()

    assert set(config) == {
        *("id", "identity", "system_words", "course_knowledge", "integrations", "enabled_actions"),
        *("limits", "can_respond", "config_version"),
    }
    assert set(config["identity"]) == {"name", "description", "integrity", "model"}
    assert all(config["identity"].values())
    assert set(config["limits"]) == {
        *("steps_per_turn", "tool_calls_per_turn", "changes_per_turn", "characters_per_message"),
    }
    assert "Course companion" in config["system_words"] or config["identity"]["description"] in config["system_words"]


def test_the_course_material_of_an_assistant_is_told(api: ApiRoom) -> None:
    before = api.services.assistants.get("homeroom")
    first = api.maya.get(CONFIG).json()
    tutoring = UsefulLink(title="Tutoring", url="https://tutoring.example.edu/", note="Walk in.", topics=("tutoring",))
    news = FollowedFeed(title="News", url="https://news.example.edu/feed")

    api.services.assistants.save(replace(before, links=(tutoring,), feeds=(news,)))
    config = api.maya.get(CONFIG).json()

    assert config["course_knowledge"] == [
        {"kind": "link", "title": "Tutoring", "url": "https://tutoring.example.edu/", "note": "Walk in."},
        {"kind": "feed", "title": "News", "url": "https://news.example.edu/feed", "note": ""},
    ]
    assert config["config_version"] != first["config_version"]


def test_a_rule_that_the_configuration_does_not_tell_changes_its_version_too(api: ApiRoom) -> None:
    first = api.maya.get(CONFIG)
    api.services.assistants.save(replace(api.services.assistants.get("homeroom"), confirm=("board_read",)))

    assert api.maya.get(CONFIG, headers={"if-none-match": first.headers["etag"]}).status_code == 200


def test_an_assistant_enables_what_its_categories_and_switches_and_the_connections_leave(api: ApiRoom) -> None:
    mine = replace(api.services.assistants.get("homeroom"), categories=("notes",), switches={"board_pin": False})
    api.services.assistants.save(mine)

    assert api.maya.get(CONFIG).json()["enabled_actions"] == ["board_read"]
    assert api.diego.get(CONFIG).json()["enabled_actions"] == []
