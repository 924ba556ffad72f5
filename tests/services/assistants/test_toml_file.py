"""The operator's file of assistants: what is shown can be loaded, and a file with a fault changes nothing."""

import pytest

from services.assistants.assistant import DEFAULT_ASSISTANT, Assistant, CalendarChoice, FollowedFeed, UsefulLink
from services.assistants.registry import AssistantRegistry
from services.assistants.toml_file import KnownNames, dump_assistants, load_assistants
from services.errors import BadArguments, ItemNotFound
from services.settings import ROOT
from services.storage.store import Store
from tests.fakes import FakeDocuments

KNOWN = KnownNames(
    tools=["web_search", "calendar_delete_event", "github_api"],
    categories=[
        "courses",
        "calendar",
        "notes",
        "planner",
        "research",
        "github",
        "documents",
        "writing",
        "mail",
        "study",
    ],
    servers=["files"],
    calendars=["google_calendar", "calendar_feed"],
)
FULL = Assistant(
    id="club",
    name="Club",
    summary='For the "chess" club — ♔',
    words='Be kind.\nSay """hello""" \\ and \x7f so on.',
    categories=(),
    switches={"web_search": True, "files__read": False},
    mcp_servers=("files",),
    confirm=("github_api",),
    model="thorough",
    max_steps=3,
    feeds=(FollowedFeed(title="News", url="https://club.example/feed"),),
    links=(UsefulLink(title="Board", url="https://club.example", topics=("chess",)),),
    calendar=CalendarChoice(provider="calendar_feed"),
)


@pytest.fixture
def registry() -> AssistantRegistry:
    return AssistantRegistry(Store(FakeDocuments()))


def test_what_is_shown_loads_again_as_it_was(registry: AssistantRegistry) -> None:
    registry.save(FULL)
    before = registry.all()

    done = load_assistants(dump_assistants(before), registry, KNOWN)

    assert set(done.values()) == {"as it was"}
    assert len(done) == len(before) == 5
    assert registry.all() == before


def test_a_table_is_the_whole_assistant_and_the_others_stay(registry: AssistantRegistry) -> None:
    research = registry.get("research")

    done = load_assistants(
        f'[{DEFAULT_ASSISTANT}]\nname = "Tutor"\ncategories = ["courses"]\n[new]\nname = "New"\n', registry, KNOWN
    )

    assert done == {DEFAULT_ASSISTANT: "changed", "new": "new"}
    assert (registry.get(DEFAULT_ASSISTANT).name, registry.get(DEFAULT_ASSISTANT).integrity) == ("Tutor", "")
    assert registry.get("research") == research
    load_assistants(f'[{DEFAULT_ASSISTANT}]\nname = "Tutor"\n', registry, KNOWN)
    assert registry.get(DEFAULT_ASSISTANT).categories is None


def test_words_that_are_left_out_are_those_that_ship(registry: AssistantRegistry) -> None:
    load_assistants('[research]\nname = "Finder"\n', registry, KNOWN)

    assert registry.get("research").words.startswith("In this chat you are Research")


@pytest.mark.parametrize(
    ("table", "told"),
    [
        ("name = 'x'", "name: each assistant is a table"),
        ("[a", "This is not TOML: "),
        ("", "There is no assistant in it."),
        ("[A]\nname = 'x'", "A: id: "),
        (f"[{'a' * 5_000}]\nname = 'x'", "a…: id: "),
        ("['../../etc']\nname = 'x'", "../../etc: id: "),
        (f"a = {'[' * 3_000}{']' * 3_000}", "Something in it is nested too deeply."),
        (f"[a]\nname = 'x'\nx = {'{a=' * 2_000}1{'}' * 2_000}", "Something in it is nested too deeply."),
        ("[a]\nsummary = 'x'", "a: name: "),
        ("[a]\nname = 'x'\nid = 'b'", "a: id: this is not set here"),
        ("[a]\nname = 'x'\nversion = '1'", "a: version: this is not set here"),
        ("[a]\nname = 'x'\ncolour = 'red'", "a: An assistant has no field named colour."),
        ("[a]\nname = 'x'\nmax_steps = 99", "a: max_steps: "),
        ("[a]\nname = 'x'\nmodel = 'best'", "a: model: "),
        ("[a]\nname = 'x'\n[[a.links]]\ntitle = 'x'\nurl = 'javascript:alert(1)'", "a: links.0.url: "),
        ("[a]\nname = 'x'\n[[a.links]]\ntitle = 'x'\nurl = 'https://x.example'\ntopcs = []", "a: links.0.topcs: "),
        (
            "[a]\nname = 'x'\nconfirm = ['web_serch']",
            "a: confirm: web_serch is not known here. Did you mean web_search?",
        ),
        ("[a]\nname = 'x'\nswitches = {other__read = true}", "a: switches: other__read is not known here."),
        ("[a]\nname = 'x'\ncategories = ['sports']", "a: categories: sports is not known here. There is calendar, "),
        ("[a]\nname = 'x'\nmcp_servers = ['fils']", "a: mcp_servers: fils is not known here. Did you mean files?"),
        ("[a]\nname = 'x'\ncalendar = {provider = 'outlook'}", "a: calendar.provider: outlook is not known here."),
    ],
)
def test_a_fault_is_named_with_its_place_and_nothing_is_changed(
    registry: AssistantRegistry, table: str, told: str
) -> None:
    before = registry.all()
    fine = "" if table == "" else '\n[fine]\nname = "Fine"\n'

    with pytest.raises(BadArguments) as refused:
        load_assistants(table + fine, registry, KNOWN)

    assert told in str(refused.value)
    assert "Nothing was changed." in refused.value.next_step
    assert registry.all() == before


def test_every_fault_of_a_file_is_told_at_once(registry: AssistantRegistry) -> None:
    with pytest.raises(BadArguments) as refused:
        load_assistants(
            "[a]\nname = 'x'\ncolour = 1\n[b]\nname = 'y'\nconfirm = ['nothing', 'no_tool']\n", registry, KNOWN
        )

    assert [line.partition(":")[0] for line in str(refused.value).splitlines()] == ["a", "b", "b"]


def test_the_example_of_the_documentation_loads_and_sets_every_field(registry: AssistantRegistry) -> None:
    written = (ROOT / "docs" / "assistants.example.toml").read_text(encoding="utf-8")

    assert load_assistants(written, registry, KNOWN) == {"biology_lab": "new"}

    made, bare = registry.get("biology_lab"), Assistant(id="biology_lab", name="x")
    usual = {"model", "max_steps", "mcp_servers"}
    assert {name for name in Assistant.__dataclass_fields__ if getattr(made, name) == getattr(bare, name)} <= usual | {
        "id",
        "class_id",
    }
    assert all(f"\n{name} = " in written for name in usual)


def test_what_was_loaded_can_be_taken_back(registry: AssistantRegistry) -> None:
    shipped = registry.get("research")
    load_assistants('[research]\nname = "Finder"\n[club]\nname = "Club"\n', registry, KNOWN)

    assert registry.remove("research") == shipped == registry.get("research")
    assert registry.remove("club") is None
    with pytest.raises(ItemNotFound):
        registry.get("club")
    with pytest.raises(ItemNotFound):
        registry.remove("club")
