"""Role matrix of routes and tools: what is a class's reaches its members alone, whoever asks where (T41, T42)."""

import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

import httpx2
import pytest

from services import bootstrap
from services.files.upload import Upload
from services.identity.students import Student
from services.wiring.container import ServiceContainer
from tests.agent_fakes import FakeModel, says
from tests.api.every_tool import root
from tests.api.live.browser import LiveBrowser
from tests.api.room import Program, door
from tests.api.test_two_students import COVERED
from tests.fakes import FakeClock, FakeDocuments
from tests.rooms import demo_settings

CLASS, INSTRUCTORS = "periwinkle", "oxalis"
"""In all that members of the class may see, and in what its instructors alone may."""
MEMBER = "member"
NAMES = {"student": "ana", MEMBER: "maya", "instructor of another class": "ben", "operator": "otto"}
ASKED = f"the {CLASS} class"
NAMING_IT: dict[str, dict[str, Any]] = {
    "materials_list": {"course": ASKED},
    "materials_read": {"material": f"{CLASS}.txt", "course": ASKED},
    "materials_search": {"query": "green leaves", "course": ASKED},
    "study_make_quiz": {"materials": [f"{CLASS}.txt"], "course": ASKED, "count": 1},
    "study_make_cards": {"materials": [f"{CLASS}.txt"], "course": ASKED, "count": 1},
}
"""Tools that tell of a class's files, asked for them; others get their first example."""
RPC = {"host": "localhost:8501", "accept": "application/json, text/event-stream"}


@dataclass(frozen=True)
class Taught:
    """A class of Anne's with an assistant, a file and a chat of hers, and programs and browsers of everybody else."""

    services: ServiceContainer
    people: dict[str, Student]
    assistant_id: str
    material_id: str
    chat_id: str
    programs: dict[str, Program]
    browsers: dict[str, LiveBrowser]

    def call(self, who: str, tool: str, arguments: Mapping[str, Any]) -> str:
        """All that a tool gives somebody."""
        return str(self.services.gateway.call(self.people[who], tool, arguments, asked_by="the test"))


@pytest.fixture(scope="module")
def taught(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Taught]:
    clock = FakeClock()
    named = {"HOMEROOM_INSTRUCTORS": f"{_email('anne')} {_email('ben')}", "HOMEROOM_OPERATORS": _email("otto")}
    services = bootstrap.build(
        demo_settings(tmp_path_factory.mktemp("roles"), **named),
        clock=clock,
        model=FakeModel(*[says("Hello.")] * 20),
        engine=FakeDocuments(clock=clock),
    )
    people = {
        name: services.students.sign_in(
            issuer="https://id.example", subject=name, name=name, email=_email(name), is_email_verified=True
        )
        for name in ("anne", *NAMES.values())
    }
    anne, classroom = people["anne"], services.classroom
    classroom.classes.create(people["ben"], name="Another class")
    made = classroom.classes.create(anne, name=f"The {CLASS} class")
    classroom.memberships.join(people["maya"], made.join_code)
    tutor = classroom.assistants.create(anne, made.id, f"The {CLASS} tutor", request_id="0123456789abcdef")
    record = classroom.assistants.save(anne, replace(tutor.draft, words=f"Know {CLASS}."), seen=1)
    record = classroom.assistants.publish(anne, record.id, seen=record.draft_version)
    classroom.assistants.save(anne, replace(record.draft, words=f"Think of {INSTRUCTORS}."), seen=record.draft_version)
    file = Upload(name=f"{CLASS}.txt", content=f"Flowers of the {CLASS} are blue. Its leaves are green.".encode())
    client = door(services)
    yield Taught(
        services=services,
        people=people,
        assistant_id=record.id,
        material_id=classroom.materials.add(anne, made.id, file).id,
        chat_id=services.conversations.create(anne.id, assistant=record.id),
        programs={name: Program(client, services, people[name], *_scopes(name)) for name in NAMES.values()},
        browsers={name: LiveBrowser(client, services, name) for name in NAMES.values()},
    )
    services.turns.drain(5)


def _email(name: str) -> str:
    return f"{name}@campus.example"


def _scopes(name: str) -> list[str]:
    return ["read", "write", "open", "approve", *(["admin"] if name == "otto" else [])]


Ask = Callable[[Taught, str], httpx2.Response]


def executed(tool: str, **arguments: Any) -> Ask:
    return lambda it, who: it.programs[who].post(
        f"/api/tools/execute/{tool}", {"arguments": arguments, "assistant": it.assistant_id}
    )


def posted(path: str, **body: Any) -> Ask:
    """As a page of ours would; names in braces are of the class."""

    def ask(it: Taught, who: str) -> httpx2.Response:
        ids = {"{assistant}": it.assistant_id, "{material}": it.material_id, "{chat}": it.chat_id}
        filled = {name: ids.get(value, value) for name, value in body.items()}
        headers = {**it.browsers[who].headers, "idempotency-key": f"a-random-key-of-{who}"}
        address = path.replace("{chat}", it.chat_id)
        return it.browsers[who].client.post(address, headers=headers, json=filled)

    return ask


def rpc(method: str, **params: Any) -> Ask:
    body = {"jsonrpc": "2.0", "id": 1, "method": method, "params": params}
    return lambda it, who: it.programs[who].call("POST", "/mcp", json=body, headers=RPC)


def got(path: str, **query: str) -> Ask:
    return lambda it, who: it.programs[who].get(path.format(assistant=it.assistant_id), params=query)


SEARCH = {"query": f"{CLASS} flowers"}
ECHO = json.dumps(SEARCH["query"])[1:-1]
"""What an answer repeats of the question."""
ROUTES: dict[tuple[str, str], tuple[Ask, int, int]] = {
    ("GET", "/api/assistants/{id}/config"): (got("/api/assistants/{assistant}/config"), 200, 404),
    ("GET", "/api/tools"): (got("/api/tools"), 200, 200),
    ("POST", "/api/tools/execute/{tool_name}"): (executed("materials_search", **SEARCH), 200, 404),
    ("GET", "/tools"): (got("/tools", message="What do the files of the class say?"), 200, 200),
    ("POST", "/api/contexts"): (
        lambda it, who: it.programs[who].post("/api/contexts", {"message": "What do the files of the class say?"}),
        200,
        200,
    ),
    ("GET", "/api/approvals"): (got("/api/approvals"), 200, 200),
    ("*", "/mcp"): (rpc("tools/call", name="materials_search", arguments=SEARCH), 200, 200),
    ("POST", "/live/messages"): (
        posted("/live/messages", text="Hello", assistant="{assistant}", effort=None),
        202,
        404,
    ),
    ("POST", "/live/{conversation_id}/messages"): (
        posted("/live/{chat}/messages", text="Hello", assistant=None, effort=None),
        404,
        404,
    ),
    ("POST", "/live/{conversation_id}/stop"): (lambda it, who: it.browsers[who].stop(it.chat_id), 204, 204),
    ("GET", "/live/{conversation_id}"): (lambda it, who: it.browsers[who].follow(it.chat_id), 204, 204),
    ("POST", "/live/reader/page"): (posted("/live/reader/page", material="{material}", page=1), 200, 404),
    ("POST", "/live/reader/picture"): (posted("/live/reader/picture", material="{material}", page=1), 422, 404),
}
"""For each: the request, what a member gets, and what everybody else does; the chat is of the instructor."""
TELLS = {
    *(("GET", "/api/assistants/{id}/config"), ("POST", "/api/tools/execute/{tool_name}"), ("*", "/mcp")),
    ("POST", "/live/reader/page"),
}
"""Routes that tell a member what is the class's."""
OF_NO_CLASS = {
    *(("POST", "/api/approvals/{id}"), ("GET", "/tools/metrics"), ("POST", "/tools/metrics/reset")),
    *(("GET", "/api/openapi.json"), ("GET", "/join"), ("GET", "/join/{code}"), ("GET", "/service-worker.js")),
    *(("*", path) for path in ("/health", "/ready", "/metrics", "/api", "/push/subscriptions", "/unsubscribe/{token}")),
    *((method, path) for method, path in COVERED if path.startswith(("/lti/", "/live/study/"))),
}
"""What nobody can name a class or anything of one to, by whatever id; `/lti/` has a matrix of its own."""


def test_every_route_is_in_the_matrix_or_knows_of_no_class() -> None:
    assert {*ROUTES} | OF_NO_CLASS == COVERED
    assert {*ROUTES} & OF_NO_CLASS == set()


@pytest.mark.parametrize("role", NAMES)
@pytest.mark.parametrize("route", ROUTES, ids=" ".join)
def test_a_route_gives_of_a_class_what_the_role_in_it_gives(taught: Taught, route: tuple[str, str], role: str) -> None:
    ask, of_member, of_others = ROUTES[route]
    answer = ask(taught, NAMES[role])

    assert answer.status_code == (of_member if role == MEMBER else of_others), answer.text[:300]
    told = f"{answer.text} {answer.headers}".casefold().replace(ECHO, "")
    assert INSTRUCTORS not in told
    assert (CLASS in told) == (role == MEMBER and route in TELLS)


@pytest.mark.parametrize("role", NAMES)
def test_a_tool_gives_of_a_class_what_the_role_in_it_gives(taught: Taught, role: str) -> None:
    told = {}
    for tool in root().values():
        given = NAMING_IT.get(tool.name, tool.examples[0].arguments)
        told[tool.name] = taught.call(NAMES[role], tool.name, given).casefold().replace(ASKED, "")

    assert [name for name, words in told.items() if INSTRUCTORS in words] == []
    telling = {name for name, words in told.items() if CLASS in words}
    assert telling & {*NAMING_IT} == ({*NAMING_IT} if role == MEMBER else set())
    # Questions that a member made from these files are theirs.
    assert telling - {*NAMING_IT} <= ({"study_next_question"} if role == MEMBER else set())
