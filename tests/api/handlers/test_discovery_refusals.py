"""Whatever is asked of `GET /tools` and `POST /api/contexts`: what fits is answered, the rest is refused in words."""

import re
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from api.handlers.discovery_models import LONGEST_CONTEXTS, LONGEST_IN_ADDRESS, LONGEST_MESSAGE
from api.key_limits import RequestLimits
from tests.api.room import ApiRoom, error_of


@pytest.fixture(scope="module")
def room(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ApiRoom]:
    """One room for the requests that change nothing in it."""
    room = ApiRoom(tmp_path_factory.mktemp("discovery"))
    yield room
    room.close()


@pytest.mark.parametrize("name", ["context", "category", "userId", "message"])
def test_a_parameter_that_comes_twice_is_refused(room: ApiRoom, name: str) -> None:
    answer = room.maya.get(f"/tools?{name}=notes&context=notes&{name}={room.maya.student.id}")

    assert (answer.status_code, error_of(answer)) == (422, "bad_request")
    assert "once" in answer.json()["error"]["message"]


@pytest.mark.parametrize(
    ("query", "status"),
    [
        ({"message": "x" * LONGEST_IN_ADDRESS}, 200),
        ({"message": "é" * (LONGEST_IN_ADDRESS + 1)}, 413),
        ({"context": "x" * LONGEST_CONTEXTS}, 200),
        ({"context": "x," * LONGEST_CONTEXTS}, 422),
        ({"userId": "x" * 1000}, 422),
    ],
)
def test_what_is_too_long_is_refused_with_the_limit(room: ApiRoom, query: dict[str, str], status: int) -> None:
    answer = room.maya.get("/tools", params=query)

    assert answer.status_code == status
    assert status == 200 or re.search(r"\d", answer.json()["error"]["message"])


@pytest.mark.parametrize(
    "value",
    ["%00", "%ff%fe", "%F0%9F%93%9A", "%ED%A0%80", "%E2%80%AEnotes", "a%0D%0Ab", "*", "{}", "%2525", "__proto__"],
)
@pytest.mark.parametrize("name", ["context", "category", "message", "userId"])
def test_odd_characters_are_words_like_others(room: ApiRoom, name: str, value: str) -> None:
    answer = room.maya.get(f"/tools?{name}={value}&{'category' if name == 'context' else 'context'}=notes")

    assert answer.status_code == (403 if name == "userId" else 200)
    assert answer.headers.get("etag", "").isascii()


def test_contexts_are_found_in_a_message_and_its_history(room: ApiRoom) -> None:
    history = [{"role": "user", "content": "Which assignments are due?"}, {"role": "assistant", "content": "Two."}]

    told = room.maya.post("/api/contexts", {"message": "and next week?", "history": history}).json()
    alone = room.maya.post("/api/contexts", {"message": "Which assignments are due?"}).json()
    none = room.maya.post("/api/contexts", {"message": "", "history": []}).json()

    expected = room.services.detector.detect("and next week?", history, tools=room.services.root_tools.tools())
    found = [context for context in told["contexts"] if "stands_in_for" not in context]
    assert found == [{"name": context.name, "confidence": context.confidence} for context in expected]
    assert [context["name"] for context in alone["contexts"]][:1] == ["courses"]
    assert none == {"contexts": []}


@pytest.mark.parametrize(
    ("body", "status"),
    [
        ({}, 422),
        ({"message": None}, 422),
        ({"message": 7}, 422),
        ({"message": "hello", "text": "x"}, 422),
        ({"message": "hello", "history": {}}, 422),
        ({"message": "hello", "history": ["hi"]}, 422),
        ({"message": "hello", "history": [{"role": "system", "content": "x"}]}, 422),
        ({"message": "hello", "history": [{"role": "user"}]}, 422),
        ({"message": "hello", "history": [{"role": "user", "content": "x", "id": 1}]}, 422),
        ({"message": "hello", "history": [{"role": "user", "content": "x"}] * 51}, 422),
        ({"message": "x" * (LONGEST_MESSAGE + 1)}, 413),
        ({"message": "x", "history": [{"role": "user", "content": "x" * (LONGEST_MESSAGE + 1)}]}, 413),
        ({"message": "\0\u202e\ufdd0 📚" * 50, "history": []}, 200),
    ],
)
def test_a_request_for_contexts_is_strict(room: ApiRoom, body: dict[str, Any], status: int) -> None:
    answer = room.maya.post("/api/contexts", body)

    assert answer.status_code == status
    assert "xxxx" not in answer.text


@pytest.mark.parametrize("path", ["/tools/", "/tools/metrics/", "/tools/nothing", "/tools/_stcore/health"])
@pytest.mark.parametrize("accept", ["application/json", "text/html"])
def test_below_the_route_there_is_json_and_never_a_page(room: ApiRoom, path: str, accept: str) -> None:
    answer = room.maya.get(path, headers={"accept": accept})

    assert (answer.status_code, error_of(answer)) == (404, "not_found")


def test_a_browser_that_comes_without_a_key_gets_json(room: ApiRoom) -> None:
    answer = room.client.get("/tools", headers={"accept": "text/html"})

    assert (answer.status_code, error_of(answer)) == (401, "missing_key")


def test_the_pace_of_a_key_holds_here_too(make_api: Callable[..., ApiRoom]) -> None:
    api = make_api(limits=RequestLimits(burst=2, per_second=0.1))

    assert [api.maya.get("/tools").status_code for _ in range(3)] == [200, 200, 429]
