"""The OpenAPI document is the door: every route is in it, and what it says holds for whatever is sent."""

from collections.abc import Iterator
from pathlib import Path

import pytest
import schemathesis
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from schemathesis import GenerationMode
from schemathesis.checks import positive_data_acceptance
from starlette.applications import Starlette

from api.endpoint import Endpoint
from api.key_limits import RequestLimits
from api.routes import endpoints, routes
from tests.api.room import ApiRoom
from tests.telling import telling


@pytest.fixture(scope="module")
def room(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ApiRoom]:
    """One room for all examples: what one leaves behind is the next one's surroundings."""
    room = ApiRoom(tmp_path_factory.mktemp("openapi"))
    yield room
    room.close()


@pytest.fixture(scope="module")
def described(room: ApiRoom) -> schemathesis.BaseSchema:
    """The document, with names in the path that lead somewhere: random ones only ever find nothing."""
    app = Starlette(routes=routes(room.services, limits=RequestLimits(burst=1_000_000, at_once=100)))
    document = room.client.get("/api/openapi.json").json()
    waiting = room.maya.ask_to_pin("what the examples decide on")
    known = {
        "/api/tools/execute/{tool_name}": ["board_read", "board_pin", "planner_list_tasks", "planner_create_task", "x"],
        "/api/approvals/{id}": [waiting, "x"],
        "/api/assistants/{id}/config": ["homeroom", "x"],
    }
    for path, names in known.items():
        for operation in document["paths"][path].values():
            operation["parameters"][0]["schema"]["enum"] = names
    schema = schemathesis.openapi.from_dict(document)
    schema.app = app
    return schema


SENT = [(endpoint, GenerationMode.POSITIVE) for endpoint in endpoints()] + [
    (endpoint, GenerationMode.NEGATIVE) for endpoint in endpoints() if endpoint.body or endpoint.query
]


@pytest.mark.parametrize(
    ("endpoint", "mode"), telling(SENT, SENT[::2].__contains__), ids=lambda part: getattr(part, "name", "")
)
@settings(suppress_health_check=list(HealthCheck), database=None)
@given(data=st.data())
def test_the_door_keeps_to_its_document(
    described: schemathesis.BaseSchema, room: ApiRoom, endpoint: Endpoint, mode: GenerationMode, data: st.DataObject
) -> None:
    """A body that fits the document may still be refused: the arguments have the schema of their tool."""
    operation = described[endpoint.path][endpoint.method]

    case = data.draw(operation.as_strategy(generation_mode=mode))

    bearer = {"Authorization": f"Bearer {room.maya.key.secret}"}
    case.call_and_validate(headers=bearer, excluded_checks=[positive_data_acceptance] if endpoint.body else [])


def test_the_document_lists_every_route_with_its_scopes_and_needs_no_key(room: ApiRoom) -> None:
    document = room.client.get("/api/openapi.json").json()

    listed = {(method.upper(), path) for path, methods in document["paths"].items() for method in methods}
    assert document["openapi"].startswith("3.1")
    assert listed == {(endpoint.method, endpoint.path) for endpoint in endpoints()}
    for endpoint in endpoints():
        operation = document["paths"][endpoint.path][endpoint.method.lower()]
        assert operation["x-scopes"] == sorted(endpoint.scopes)
        assert bool(operation["security"]) != endpoint.is_public


def test_only_the_document_itself_is_open() -> None:
    assert [endpoint.path for endpoint in endpoints() if endpoint.is_public] == ["/api/openapi.json"]


def test_the_document_is_the_same_each_time_and_names_no_student(room: ApiRoom, tmp_path: Path) -> None:
    first, again = (room.client.get("/api/openapi.json").text for _ in range(2))

    assert first == again
    assert "Maya" not in first
    assert str(tmp_path) not in first
