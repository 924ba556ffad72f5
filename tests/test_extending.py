"""The page on extensions: its very code, brought as a folder and as a package, works from every door."""

import importlib
import re
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

import services.integrations
from services import bootstrap, settings
from services.errors import SettingsError
from services.identity.students import Student
from services.tools.availability import ExclusionKind
from services.wiring.container import ServiceContainer
from tests.agent_fakes import FakeModel, says
from tests.api.room import Program, door

PAGE = Path(__file__).parents[1] / "docs" / "extending.md"
SET = {"LIBRARY_HOURS": "Mon 8am-10pm; Sat 10am-4pm", "LIBRARY_URL": "https://library.campus.example/hours"}
MOST_LINES = 60

Build = Callable[..., ServiceContainer]


def block(language: str) -> str:
    """The page's only block in this language."""
    (found,) = re.findall(rf"```{language}\n(.*?)```", PAGE.read_text(encoding="utf-8"), flags=re.DOTALL)
    return str(found)


def as_folder(at: Path, code: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Beside the folders that ship, as a checkout would have it."""
    _write(at / "integrations" / "library", code)
    found = [*services.integrations.__path__, str(at / "integrations")]
    monkeypatch.setattr(services.integrations, "__path__", found)


def as_package(at: Path, code: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """As an installer would leave it: the package, and a note of what it is and what it offers."""
    _write(at / "homeroom_library", code)
    note = at / "homeroom_library-1.0.dist-info"
    note.mkdir()
    (note / "METADATA").write_text("Metadata-Version: 2.1\nName: homeroom-library\nVersion: 1.0\n")
    group, entry = re.findall(r'entry-points\."(.*?)"\]\n(.*)', block("toml"))[0]
    (note / "entry_points.txt").write_text(f"[{group}]\n{entry.replace(chr(34), '')}\n")
    monkeypatch.syspath_prepend(at)


def _write(folder: Path, code: str) -> None:
    folder.mkdir(parents=True)
    (folder / "__init__.py").write_text(code, encoding="utf-8")
    (folder / "library.txt").write_text(block("text"), encoding="utf-8")


@pytest.fixture(params=[as_folder, as_package])
def bring(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[str], None]:
    """Bring this code, in each of the two ways."""
    return lambda code: request.param(tmp_path / "brought", code, monkeypatch)


@pytest.fixture
def build(tmp_path: Path) -> Iterator[Build]:
    """Start a Homeroom with these settings; at the end it is as if the library had never been imported."""
    made: list[ServiceContainer] = []

    def start(**given: str) -> ServiceContainer:
        importlib.invalidate_caches()
        read = settings.read({"HOMEROOM_DEMO": "1", "HOMEROOM_DATA_DIR": str(tmp_path / "data"), **given})
        made.append(bootstrap.build(read, model=FakeModel(says("Hello."))))
        return made[-1]

    yield start
    for container in made:
        container.store.close()
    for name in [name for name in sys.modules if name in ("homeroom_library", "services.integrations.library")]:
        del sys.modules[name]


def maya(services: ServiceContainer) -> Student:
    return services.students.sign_in(issuer="https://id.example", subject="maya", name="Maya", email="")


def test_the_example_is_short() -> None:
    assert len([line for line in block("python").splitlines() if line.strip()]) < MOST_LINES


def test_the_example_works_from_the_tools_and_over_http(bring: Callable[[str], None], build: Build) -> None:
    bring(block("python"))
    services = build(**SET)
    student = maya(services)
    program = Program(door(services), services, student)

    by_door = services.gateway.call(student, "library_hours", {"day": "Sat"}, asked_by="Laptop")
    by_http = program.execute("library_hours", {"day": "Sat"}).json()
    listed = {tool["name"]: tool for tool in program.get("/api/tools").json()["tools"]}
    closed = program.execute("library_hours", {"day": "Sun"}).json()

    assert by_door.output.startswith("The library is open from 10:00 AM to 4:00 PM on Sat (Library, as of ")
    assert by_http["output"] == by_door.output
    assert by_http["sources"] == [{"title": "Library hours", "url": SET["LIBRARY_URL"]}]
    assert listed["library_hours"]["available"] is True
    assert closed["error"] == "The library is closed on Sun. Ask for another day."
    assert "library_hours" in {tool.name for tool in services.agent.get_user_tools(student.id)}
    assert "library_hours knows the usual week only" in str(services.configs.config(student, "homeroom").system_words)


def test_without_its_settings_it_is_shown_as_not_set_up(bring: Callable[[str], None], build: Build) -> None:
    bring(block("python"))
    services = build()

    (offer,) = [offer for offer in services.gateway.list_tools(maya(services).id) if offer.tool.name == "library_hours"]

    assert offer.reason is not None
    assert offer.reason.kind is ExclusionKind.NOT_SET_UP
    assert offer.reason.sentence == "Library is not set up here."
    assert offer.reason.next_step == "Whoever runs Homeroom can set it up."
    assert offer.reason.setup.startswith("Set LIBRARY_HOURS")


@pytest.mark.parametrize(
    ("given", "names"),
    [({"LIBRARY_URL": SET["LIBRARY_URL"]}, "LIBRARY_HOURS"), ({**SET, "LIBRARY_URL": "here"}, "LIBRARY_URL")],
)
def test_wrong_settings_stop_the_start_by_their_name(
    bring: Callable[[str], None], build: Build, given: dict[str, str], names: str
) -> None:
    bring(block("python"))

    with pytest.raises(SettingsError) as refused:
        build(**given)

    assert refused.value.name == names


def test_without_its_package_it_is_not_offered_and_says_which(
    bring: Callable[[str], None], build: Build, caplog: pytest.LogCaptureFixture
) -> None:
    bring(block("python").replace('"dateutil"', '"nobody_has_this"'))
    services = build(**SET)

    reasons = {offer.tool.name: offer.reason for offer in services.gateway.list_tools(maya(services).id)}

    reason = reasons["library_hours"]
    assert reason is not None
    assert (reason.kind, "the package nobody_has_this" in reason.sentence) == (ExclusionKind.PACKAGE_MISSING, True)
    assert reasons["planner_list_tasks"] is None
    assert "integration_package_missing integration=library package=nobody_has_this" in caplog.text


@pytest.mark.parametrize("fault", ["import nobody_has_this_either\n", "1 / 0\n", "def broken(:\n"])
def test_what_cannot_be_loaded_costs_only_its_own_tools(
    bring: Callable[[str], None], build: Build, caplog: pytest.LogCaptureFixture, fault: str
) -> None:
    bring(fault + block("python"))
    services = build(**SET)

    (library,) = [extension for extension in services.extensions if extension.id == "library"]
    names = {tool.name for tool in services.agent.get_user_tools(maya(services).id)}

    assert library.obstacle is not None
    assert "planner_list_tasks" in names
    assert "library_hours" not in names
    assert "integration=library" in caplog.text


def test_a_tool_of_a_taken_name_stops_the_start_and_names_both(bring: Callable[[str], None], build: Build) -> None:
    bring(block("python").replace("library_hours", "planner_list_tasks"))

    with pytest.raises(SettingsError) as refused:
        build(**SET)

    assert re.search(
        r"planner_list_tasks: is a tool of the folder planner and of the (folder library|package homeroom-library 1.0)",
        str(refused.value).replace(
            "folder library and of the folder planner", "folder planner and of the folder library"
        ),
    )


def test_two_extensions_of_one_name_stop_the_start(
    tmp_path: Path, build: Build, monkeypatch: pytest.MonkeyPatch
) -> None:
    as_folder(tmp_path / "one", block("python"), monkeypatch)
    as_package(tmp_path / "two", block("python"), monkeypatch)

    with pytest.raises(SettingsError, match="library: is an integration of the folder library and of the package"):
        build(**SET)


def test_a_setting_of_somebody_else_cannot_be_asked_for(bring: Callable[[str], None], build: Build) -> None:
    """An extension sees what begins with its own name, and so says what it wants under that name."""
    bring(block("python").replace('env="LIBRARY_URL"', 'env="HOMEROOM_VAULT_KEYS"'))
    services = build(**SET)

    (library,) = [extension for extension in services.extensions if extension.id == "library"]

    assert library.obstacle is not None
    assert library.tools == ()
