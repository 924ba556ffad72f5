"""`GET /tools` to the letter of its document: no context, no tools; a context, only its tools, and only what works."""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx2
import pytest

from services.connections.connection import Health
from services.discovery.contexts import contexts_of
from services.errors import StorageUnavailable
from services.tools.tool import Effect
from tests.api.room import ApiRoom, Program, error_of
from tests.mcp.rooms import hostile
from tests.mcp.rooms import listed as mcp_listed

NOTHING = {
    "filtered": False,
    "originalCount": 0,
    "returnedCount": 0,
    "reductionPercent": 0,
    "reason": "no_context_detected",
}


@pytest.fixture(scope="module")
def room(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ApiRoom]:
    """One room for the requests that change nothing in it."""
    room = ApiRoom(tmp_path_factory.mktemp("discovery"))
    yield room
    room.close()


def listed(answer: httpx2.Response) -> tuple[list[str], dict[str, Any]]:
    """The names, and the metadata without what is particular to one answer, whose form is checked here."""
    assert answer.status_code == 200, answer.text
    metadata = answer.json()["metadata"]
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ", metadata.pop("timestamp"))
    assert re.fullmatch(r"\w+", metadata.pop("requestId"))
    return [tool["name"] for tool in answer.json()["tools"]], metadata


def tools(who: Program, **query: Any) -> tuple[list[str], dict[str, Any]]:
    return listed(who.get("/tools", params=query))


def usable(api: ApiRoom, who: Program) -> list[Any]:
    return list(api.services.agent.get_user_tools(who.student.id))


@pytest.mark.parametrize(
    "query",
    [
        {},
        {"context": ""},
        {"context": " , ,"},
        {"category": "notes"},
        {"userId": ""},
        {"message": ""},
        {"message": "  \n"},
        {"message": "Thanks, that was kind of you!"},
        {"context": "", "message": "hello", "category": ""},
        {"Context": "notes", "contexts": "notes"},
    ],
)
def test_without_a_context_there_is_no_tool(room: ApiRoom, query: dict[str, str]) -> None:
    assert tools(room.maya, **query) == ([], NOTHING)


def test_a_context_brings_its_tools_and_the_documented_metadata(room: ApiRoom) -> None:
    all_of_hers = usable(room, room.maya)
    original = len(all_of_hers)

    names, metadata = tools(room.maya, context="notes")

    assert names == [tool.name for tool in all_of_hers if "notes" in contexts_of(tool)]
    assert {"board_read", "board_pin"} <= set(names)
    assert metadata == {
        "filtered": True,
        "originalCount": original,
        "returnedCount": len(names),
        "reductionPercent": round(100 * (original - len(names)) / original),
        "appliedContext": "notes",
    }


def test_a_tool_is_told_with_its_schema_contexts_and_categories(room: ApiRoom) -> None:
    (told,) = [tool for tool in room.maya.get("/tools?context=notes").json()["tools"] if tool["name"] == "board_read"]
    tool = room.services.tool("board_read")

    assert told == {
        "name": "board_read",
        "description": tool.description,
        "inputSchema": tool.schema,
        "contexts": ["notes"],
        "categories": ["notes", "retrieval"],
    }


@pytest.mark.parametrize(
    "context", ["planner,notes", "%20NOTES%20,Planner,,", "notes,planner,notes", "notes%2Cplanner"]
)
def test_several_contexts_bring_the_tools_of_each_once_in_the_roots_order(room: ApiRoom, context: str) -> None:
    names, metadata = listed(room.maya.get(f"/tools?context={context}"))

    both = [tool.name for tool in usable(room, room.maya) if contexts_of(tool) & {"notes", "planner"}]
    assert names == both
    assert sorted(metadata["appliedContext"].split(",")) == ["notes", "planner"]


def test_a_category_narrows_what_a_context_brings(room: ApiRoom) -> None:
    both, _ = tools(room.maya, context="notes,planner")
    narrowed, metadata = tools(room.maya, context="notes,planner", category="Notes")
    neither, _ = tools(room.maya, context="planner", category="cooking")

    assert set(narrowed) == {name for name in both if name.startswith("board_")} < set(both)
    assert metadata["returnedCount"] == len(narrowed)
    assert neither == []


def test_a_category_of_what_tools_do_narrows_too(room: ApiRoom) -> None:
    reading, metadata = tools(room.maya, context="notes,planner", category="retrieval")
    making, _ = tools(room.maya, context="notes,planner", category="creation")
    asking, _ = tools(room.maya, context="notes,planner", category="communication")

    assert {"board_read", "planner_list_tasks"} <= set(reading)
    assert {"board_pin", "planner_create_task"} <= set(making)
    assert not set(reading) & set(making)
    assert asking == ["planner_ask_student"]
    assert metadata["returnedCount"] == len(reading) < metadata["originalCount"]


def test_only_what_works_for_the_student_now_is_listed_or_counted(api: ApiRoom) -> None:
    hers, before = tools(api.maya, context="notes")
    his, metadata = tools(api.diego, context="notes")
    api.services.store.for_student(api.maya.student.id).compare_and_set(
        "connections", "board", {}, {"health": Health.REVOKED.value}
    )
    left, after = tools(api.maya, context="notes")

    assert "board_read" in hers
    assert not {"board_read", "board_pin"} & {*his, *left}
    assert metadata["originalCount"] == after["originalCount"] == before["originalCount"] - 2


def test_a_message_brings_the_tools_of_what_it_is_about(room: ApiRoom) -> None:
    message = "Which assignments are due this week?"
    (found, *_) = room.services.detector.detect(message)

    names, metadata = tools(room.maya, message=message)
    together, both = tools(room.maya, message=message, context="notes")

    assert found.name == "courses"
    assert "courses" in metadata["appliedContext"].split(",")
    assert names == tools(room.maya, context=metadata["appliedContext"])[0]
    assert both["appliedContext"].split(",")[:2] == ["notes", "courses"]
    assert set(names) | {"board_read"} <= set(together)


def test_where_a_message_asks_for_what_the_student_lacks_what_stands_in_is_listed_and_named(room: ApiRoom) -> None:
    message = "Which assignments are due this week?"
    names, metadata = tools(room.maya, message=message)
    found = room.maya.post("/api/contexts", {"message": message}).json()["contexts"]
    to_the_letter, _ = tools(room.maya, context="courses")
    as_of_a_message, told = tools(room.maya, context="courses", standIns="true")

    sure = found[0]["confidence"]
    assert found == [
        {"name": "courses", "confidence": sure},
        {"name": "planner", "confidence": sure, "stands_in_for": "courses"},
    ]
    assert metadata["appliedContext"] == told["appliedContext"] == "courses,planner"
    assert "planner_list_tasks" in names
    assert names == as_of_a_message
    assert "planner_list_tasks" not in to_the_letter


def test_what_another_student_lacks_is_told_to_admins(api: ApiRoom) -> None:
    admin = api.services.keys.create(api.diego.student, label="Office", scopes=["admin"], by_operator=True).secret
    path, body = f"/api/contexts?userId={api.maya.student.id}", {"message": "Which assignments are due?"}

    refused = api.diego.post(path, body)
    told = api.client.post(path, json=body, headers={"x-api-key": admin})

    assert (refused.status_code, error_of(refused)) == (403, "insufficient_scope")
    assert told.json() == api.maya.post("/api/contexts", body).json()


def test_a_context_that_means_nothing_is_told_beside_those_that_do(room: ApiRoom) -> None:
    names, metadata = tools(room.maya, context="quidditch")
    some, mixed = tools(room.maya, context="quidditch,notes")
    _, of_others = tools(room.diego, context="github")

    assert (names, metadata["filtered"], metadata["returnedCount"], metadata["reductionPercent"]) == ([], True, 0, 100)
    assert metadata["unknownContexts"] == mixed["unknownContexts"] == ["quidditch"]
    assert {"courses", "calendar", "notes"} <= set(metadata["knownContexts"])
    assert "board_read" in some
    assert "unknownContexts" not in of_others


def test_another_student_is_asked_about_by_admins_only(api: ApiRoom) -> None:
    admin = api.services.keys.create(api.diego.student, label="Office", scopes=["admin"], by_operator=True).secret
    hers = {"context": "notes", "userId": api.maya.student.id}

    refused = [api.diego.get(path, params=hers) for path in ("/tools", "/tools/metrics")]
    refused += [api.diego.post(f"/tools/metrics/reset?userId={api.maya.student.id}", {})]
    refused += [api.diego.get("/tools", params={**hers, "userId": "nobody"})]
    own = api.diego.get("/tools", params={**hers, "userId": api.diego.student.id})
    told = api.client.get("/tools", params=hers, headers={"x-api-key": admin})
    nobody = api.client.get("/tools?userId=nobody", headers={"x-api-key": admin})

    assert {(response.status_code, error_of(response)) for response in refused} == {(403, "insufficient_scope")}
    assert len({response.text for response in refused}) == 1, "who exists is told to admins only"
    assert listed(own) == tools(api.diego, context="notes")
    assert listed(told) == tools(api.maya, context="notes")
    assert (nobody.status_code, error_of(nobody)) == (404, "not_found")


def test_a_program_that_has_the_version_is_not_sent_the_tools_again(api: ApiRoom) -> None:
    first = api.maya.get("/tools?context=notes")
    known = {"if-none-match": first.headers["etag"]}

    again = api.maya.get("/tools?context=notes", headers=known)
    of_another_context = api.maya.get("/tools?context=planner")
    api.services.store.for_student(api.maya.student.id).compare_and_set(
        "connections", "board", {}, {"health": Health.REVOKED.value}
    )
    revoked = api.maya.get("/tools?context=notes", headers=known)

    assert first.headers["etag"].startswith('W/"')
    assert (again.status_code, again.content, again.headers["etag"]) == (304, b"", first.headers["etag"])
    assert again.headers["cache-control"] == "private, no-cache"
    assert {name for name in first.headers if name not in ("content-length", "content-type")} <= set(again.headers)
    assert first.headers["vary"] == "authorization, x-api-key, accept-language"
    assert again.headers["vary"] == f"{first.headers['vary']}, accept-encoding"
    assert of_another_context.headers["etag"] == first.headers["etag"]
    assert (revoked.status_code, revoked.headers["etag"] != first.headers["etag"]) == (200, True)


def test_a_key_that_only_reads_is_listed_what_only_reads(api: ApiRoom) -> None:
    reader = api.program(api.maya.student, "read")

    names, metadata = tools(reader, context="notes,planner")
    of_a_writer, whole = tools(api.maya, context="notes,planner")
    first = reader.get("/tools?context=notes")

    writing = {tool.name for tool in usable(api, api.maya) if tool.effect is not Effect.READ}
    assert "board_read" in names
    assert names == [name for name in of_a_writer if name not in writing]
    assert (metadata["originalCount"], metadata["returnedCount"]) == (
        len(usable(api, api.maya)) - len(writing),
        len(names),
    )
    assert whole["originalCount"] == len(usable(api, api.maya))
    assert first.headers["etag"] != api.maya.get("/tools?context=notes").headers["etag"]
    assert int(first.headers["x-all-tools-tokens"]) < int(api.maya.get("/tools").headers["x-all-tools-tokens"])


def test_a_version_of_one_message_is_not_that_of_another(room: ApiRoom) -> None:
    about, nothing = (room.maya.get("/tools", params={"message": m}) for m in ("Which assignments are due?", "Thanks!"))

    assert about.headers["etag"] != nothing.headers["etag"]


def test_each_listing_counts_with_what_it_cost_and_could_have(api: ApiRoom) -> None:
    nothing, notes = api.maya.get("/tools"), api.maya.get("/tools?context=notes")
    told = api.maya.get("/tools/metrics").json()

    whole, part = int(notes.headers["x-all-tools-tokens"]), int(notes.headers["x-listed-tools-tokens"])
    assert (int(nothing.headers["x-listed-tools-tokens"]), 0 < part < whole) == (0, True)
    assert (told["baseline"]["requests"], told["baseline"]["totalTokens"]) == (2, 2 * whole)
    assert (told["filtered"]["requests"], told["filtered"]["totalTokens"]) == (2, part)
    assert told["baseline"]["avgTokensPerRequest"] == whole
    assert told["reduction"] == f"{round(100 * (1 - part / (2 * whole)))}%"
    assert {*told["baseline"]} == {"requests", "totalTokens", "avgTokensPerRequest", "since"}
    assert api.diego.get("/tools/metrics").json()["baseline"]["requests"] == 0


def test_a_reset_begins_anew_for_this_student_only(api: ApiRoom) -> None:
    for who in (api.maya, api.diego):
        who.get("/tools?context=notes")

    answer = api.maya.post("/tools/metrics/reset", {})

    assert (answer.status_code, answer.json()["baseline"]["requests"], answer.json()["reduction"]) == (200, 0, "0%")
    assert api.maya.get("/tools/metrics").json() == answer.json()
    assert api.diego.get("/tools/metrics").json()["baseline"]["requests"] == 1


def test_a_store_that_cannot_be_written_still_lists(api: ApiRoom, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object, **__: object) -> None:
        raise StorageUnavailable("The store does not answer.")

    monkeypatch.setattr(api.services.metrics, "record_tool_list", fail)

    assert "board_read" in tools(api.maya, context="notes")[0]


SEEDS_TOOLS = (
    "create_note",
    "get_jira_issue",
    "search_jira_issues",
    "create_jira_issue",
    "add_jira_comment",
    "get_note",
)
SEEDS_CONTEXTS = {
    "create_note": ["notes", "writing", "document", "text"],
    "get_jira_issue": ["jira", "tickets", "Project Management", "issue tracking"],
}


@pytest.mark.parametrize("hints", [{}, {"annotations": {"readOnlyHint": True, "openWorldHint": False}}])
@pytest.mark.parametrize("contexts", [{}, {"contexts": SEEDS_CONTEXTS}], ids=["guessed", "declared"])
def test_a_server_with_notes_and_jira_in_one_is_found_by_tool_and_what_reads_is_called_retrieval(
    tmp_path: Path, hints: dict[str, Any], contexts: dict[str, Any]
) -> None:
    reads = [mcp_listed(name, **({"annotations": {}} | (hints if "get" in name else {}))) for name in SEEDS_TOOLS]
    (tmp_path / "tools.json").write_text(json.dumps(reads))
    server = {**hostile(tools=str(tmp_path / "tools.json")), "effect": {}, **contexts}
    here = ApiRoom(tmp_path, settings={"HOMEROOM_MCP_SERVERS": json.dumps({"work": server}), "PATH": "/usr/bin:/bin"})
    assert here.services.mcp is not None
    try:
        assert here.services.mcp.ready("work", timeout_s=20)

        reading, metadata = tools(here.maya, context="jira", category="retrieval")
        of_jira, _ = tools(here.maya, context="jira")
        of_notes, _ = tools(here.maya, context="notes", category="creation")
        of_message, found = tools(here.maya, message="I need to check PROJ-123 ticket comments")
        tagged, _ = tools(here.maya, context="project management")
    finally:
        here.services.mcp.close()
        here.close()

    assert {"work__get_jira_issue", "work__search_jira_issues"} == set(reading)
    assert metadata["appliedContext"] == "jira"
    assert "work__create_jira_issue" in of_jira
    assert "work__create_note" not in of_jira
    assert "work__create_note" in of_notes
    assert "work__create_jira_issue" not in of_notes
    assert {"jira", "communication"} <= set(found["appliedContext"].split(","))
    assert {"work__get_jira_issue", "work__add_jira_comment"} <= set(of_message)
    assert "work__create_note" not in of_message
    assert tagged == (["work__get_jira_issue"] if contexts else [])
