"""What a deployment has not set up is shown with a reason: calm words for students, the setting for instructors."""

import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from commands.assistants import known_in
from services import bootstrap, settings
from services.assistants import toml_file
from services.assistants.assistant import DEFAULT_ASSISTANT, UsefulLink
from services.errors import SettingsError
from services.identity.students import Student
from services.integrations import catalog
from services.tools.availability import Exclusion, ExclusionKind
from services.wiring.container import ServiceContainer
from tests.agent_fakes import FakeModel, says
from tests.api.room import Program, door

INSTRUCTOR = "okafor@campus.example"
BARE = {
    "ANTHROPIC_API_KEY": "k",
    "OIDC_METADATA_URL": "https://sign-in.example/.well-known/openid-configuration",
    "OIDC_CLIENT_ID": "id",
    "OIDC_CLIENT_SECRET": "secret",
    "HOMEROOM_PUBLIC_URL": "https://homeroom.example",
    "HOMEROOM_COOKIE_SECRET": "c" * 32,
    "HOMEROOM_VAULT_KEYS": settings.new_vault_key(),
    "HOMEROOM_INSTRUCTORS": INSTRUCTOR,
    "SEARCH_PROVIDER": "none",
    "HOMEROOM_CONSENT": "given",
}
Build = Callable[..., ServiceContainer]


@pytest.fixture
def build(tmp_path: Path) -> Iterator[Build]:
    """A deployment in which nothing is set but what must be, and what a test adds."""
    made: list[ServiceContainer] = []

    def start(model: FakeModel | None = None, **more: str) -> ServiceContainer:
        read = settings.read({**BARE, "HOMEROOM_DATA_DIR": str(tmp_path), **more})
        made.append(bootstrap.build(read, model=model or FakeModel(says("Hello."))))
        return made[-1]

    yield start
    for container in made:
        container.store.close()


def signed_in(services: ServiceContainer, email: str = "maya@campus.example") -> Student:
    who = {"name": email.partition("@")[0], "email": email, "is_email_verified": True}
    return services.students.sign_in(issuer="https://id.example", subject=email, **who)


def reasons(services: ServiceContainer) -> dict[str, Exclusion | None]:
    return {offer.tool.name: offer.reason for offer in services.gateway.list_tools(signed_in(services).id)}


@pytest.mark.parametrize(
    ("tool", "service", "setting"),
    [
        ("canvas_list_courses", "Canvas", "CANVAS_BASE_URL"),
        ("calendar_create_event", "Google Calendar", "GOOGLE_CLIENT_ID"),
        ("notion_search", "Notion", "NOTION_CLIENT_SECRET"),
        ("documents_create", "Notion", "NOTION_CLIENT_ID"),
        ("github_api", "GitHub", "GITHUB_TOKEN"),
        ("web_search", "Web search", "SEARCH_PROVIDER"),
        ("static_links", "Campus links", "CAMPUS_LINKS"),
    ],
)
def test_each_tool_of_what_is_not_set_up_names_the_service_and_for_instructors_the_setting(
    build: Build, tool: str, service: str, setting: str
) -> None:
    reason = reasons(build())[tool]

    assert reason is not None
    assert (reason.kind, reason.sentence) == (ExclusionKind.NOT_SET_UP, f"{service} is not set up here.")
    assert reason.next_step == "Whoever runs Homeroom can set it up."
    assert setting in reason.setup


def test_no_setting_is_named_to_a_student_and_to_an_instructor_it_is(build: Build) -> None:
    services = build()
    told = {
        email: Program(door(services), services, signed_in(services, email)).get("/api/tools")
        for email in ("maya@campus.example", INSTRUCTOR)
    }
    listed = {tool["name"]: tool for tool in told[INSTRUCTOR].json()["tools"]}

    assert not [
        name for name in ("NOTION_", "GOOGLE_", "GITHUB_", "CANVAS_") if name in told["maya@campus.example"].text
    ]
    assert "set NOTION_CLIENT_ID and NOTION_CLIENT_SECRET" in listed["notion_search"]["reason"]["setup"]


def test_the_model_is_told_what_kind_of_thing_this_homeroom_cannot_do(build: Build) -> None:
    model = FakeModel(says("Hello."))
    services = build(model)
    student = signed_in(services)
    conversation = services.conversations.create(student.id)

    services.turns.start_turn(student, conversation, "Start a document for my letter.")
    list(services.turns.follow(student, conversation))

    (line,) = [
        line
        for block in model.requests[0].system
        for line in str(block["text"]).splitlines()
        if line.startswith("Not set up in this Homeroom:")
    ]
    assert {"Notes", "Documents"} <= set(re.findall(r"\w+", line.partition(".")[0]))
    assert "Planner" not in line


def test_the_model_is_never_told_of_tools_that_are_not_set_up(build: Build) -> None:
    model = FakeModel(says("Hello."))
    services = build(model, HOMEROOM_TOOL_LOADING="append")
    student = signed_in(services)
    conversation = services.conversations.create(student.id)

    services.turns.start_turn(student, conversation, "What is due this week?")
    list(services.turns.follow(student, conversation))

    sent = {tool["name"] for tool in model.requests[0].tools}
    assert "planner_list_tasks" in sent
    assert not [name for name in sent if name.startswith(("canvas_", "notion_", "documents_", "github_"))]


def test_links_of_an_assistant_are_enough_to_look_links_up(build: Build) -> None:
    services = build()
    own = services.assistants.get(DEFAULT_ASSISTANT)
    tutoring = UsefulLink(title="Tutoring", url="https://campus.example/tutoring")

    assert reasons(services)["static_links"] is not None
    services.assistants.save(replace(own, links=(tutoring,)))

    assert reasons(services)["static_links"] is None
    answer = services.gateway.call(signed_in(services), "static_links", {}, asked_by="Laptop")
    assert "[open](https://campus.example/tutoring)" in answer.output


def test_an_assistant_may_name_what_is_not_set_up(build: Build) -> None:
    example = (settings.ROOT / "docs" / "assistants.example.toml").read_text(encoding="utf-8")
    services = build()

    assert toml_file.load_assistants(example, services.assistants, known_in(services)) == {"biology_lab": "new"}


@pytest.mark.parametrize(
    ("given", "missing"),
    [
        ("GOOGLE_CLIENT_ID", "GOOGLE_CLIENT_SECRET"),
        ("GOOGLE_CLIENT_SECRET", "GOOGLE_CLIENT_ID"),
        ("NOTION_CLIENT_ID", "NOTION_CLIENT_SECRET"),
        ("NOTION_CLIENT_SECRET", "NOTION_CLIENT_ID"),
        ("CANVAS_CLIENT_ID", "CANVAS_CLIENT_SECRET"),
        ("CANVAS_CLIENT_SECRET", "CANVAS_CLIENT_ID"),
    ],
)
def test_half_a_client_stops_the_start_with_the_name_of_the_other_half(given: str, missing: str) -> None:
    more = {"CANVAS_BASE_URL": "https://canvas.example"} if given.startswith("CANVAS") else {}

    with pytest.raises(SettingsError) as refused:
        catalog.load_catalog(settings.read({**BARE, given: "canary", **more}))

    assert refused.value.name == missing
    assert "canary" not in f"{refused.value} {refused.value.next_step}"


@pytest.mark.parametrize(
    ("given", "wrong"),
    [
        ({"CANVAS_BASE_URL": "canvas.example"}, "CANVAS_BASE_URL"),
        ({"CANVAS_BASE_URL": "https://me:pw@canvas.example"}, "CANVAS_BASE_URL"),
        ({"GOOGLE_CLIENT_ID": "x", "GOOGLE_CLIENT_SECRET": "y", "GOOGLE_API_BASE_URL": "x"}, "GOOGLE_API_BASE_URL"),
        ({"NOTION_CLIENT_ID": "x", "NOTION_CLIENT_SECRET": "y", "NOTION_API_BASE_URL": "x"}, "NOTION_API_BASE_URL"),
        ({"GITHUB_TOKEN": "t", "GITHUB_API_BASE_URL": "not an address"}, "GITHUB_API_BASE_URL"),
        ({"SEARCH_PROVIDER": "altavista"}, "SEARCH_PROVIDER"),
        ({"SEARCH_PROVIDER": "searxng", "SEARCH_BASE_URL": "searx"}, "SEARCH_BASE_URL"),
        ({"FEEDS_URLS": "campus news"}, "FEEDS_URLS"),
    ],
)
def test_a_wrong_setting_of_a_service_stops_the_start_by_its_name(given: dict[str, str], wrong: str) -> None:
    with pytest.raises(SettingsError) as refused:
        catalog.load_catalog(settings.read({**BARE, **given}))

    assert refused.value.name == wrong


def test_every_setting_of_a_service_in_the_example_is_declared_by_it() -> None:
    example = (settings.ROOT / ".env.example").read_text(encoding="utf-8").partition("--- Services")[2]
    declared = {
        field.env for found in catalog.load_catalog(settings.read(BARE)).extensions for field in found.configuration
    }

    assert set(re.findall(r"^([A-Z_]+)=", example, flags=re.MULTILINE)) == declared
