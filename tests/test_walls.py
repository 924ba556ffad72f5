"""The walls between the rooms, and what keeps a file readable, as the design and the style page draw them."""

import ast
import re

import pytest

from tests import structure
from tests.structure import ROOMS, ROOT, files, imported_names, nodes, tree

MAY_IMPORT = {
    "app": {"ui", "api", "sandbox"},
    "manage": {"commands", "services"},
    "commands": {"commands", "services"},
    "pages": {"ui", "services"},
    "ui": {"ui", "services"},
    "api": {"api", "services"},
    "services": {"services"},
    "sandbox": {"sandbox"},
    "training": {"training", "services"},
    "bench": {"bench", "services", "sandbox", "training"},
}
ONLY_IN = {
    # bench speaks the websocket's messages, as a browser would; a worker takes the options of Streamlit's server.
    "streamlit": ("app.py", "ui/", "pages/", "bench/", "commands/serve/worker.py"),
    "starlette": ("app.py", "api/", "sandbox/", "bench/"),
    # What serves us takes the signals first, and keeps silent connections: ending well means knowing it.
    "uvicorn": (
        "api/graceful_shutdown.py",
        "api/idle_connections.py",
        "commands/serve/worker.py",
        "sandbox/",
        "bench/",
    ),
    # Searching the web with Claude is the one tool that asks the model itself.
    "anthropic": ("services/llm/", "services/integrations/search/claude.py", "bench/"),
    "pymongo": ("services/storage/",),
    # A package of Anki is an SQLite file of a stranger, which a process of its own reads.
    "sqlite3": ("services/storage/", "services/study/exchange/anki_", "sandbox/"),
}
# Inside services/, lowest first: a room imports only from itself and from the lines before its own.
ORDER = (
    ("i18n",),
    ("errors",),
    ("settings",),
    ("runtime",),
    ("safety", "storage"),
    ("assistants", "connections", "diagrams", "files", "identity", "navigation"),
    ("llm", "materials"),
    ("classes",),
    ("study",),
    ("tools",),
    ("approvals", "week"),
    ("reminders",),
    ("discovery", "integrations"),
    ("conversations", "prompt"),
    ("turns",),
    ("privacy",),
    ("wiring",),
    ("bootstrap",),
)
# Their addresses come from the settings. An address that a user or a model named goes through services/safety/fetch.
HTTP_CLIENTS = (
    "httpx",
    "httpx2",
    "requests",
    "urllib3",
    "httplib2",
    "aiohttp",
    "http.client",
    "urllib.request",
    "feedparser",
)
MAY_CALL_OUT = (
    "services/integrations/",
    "services/llm/anthropic_",
    "services/materials/embeddings/voyage",
    # These two change how requests of others are made, and make none.
    "services/runtime/library_compat",
    "services/runtime/total_timeout",
    # In a student's own program: to the Homeroom that the program names.
    "services/discovery/client_transport",
    "services/safety/fetch",
    "services/tools/mcp/http_transport",
    # The keys of a tool, as a school's system asks for them.
    "sandbox/lti/tool_signatures",
    "bench/",
)
OUTER_DOORS = (
    "api/router.py",
    "api/lti/routes.py",
    "api/live/feed_registry.py",
    "api/mcp/server.py",
    "services/llm/anthropic_wire.py",
    "services/classes/budgets/ledger_repository.py",
    "services/turns/decisions.py",
    "services/storage/leases.py",
    "services/turns/start.py",
    "services/turns/executor.py",
    "services/integrations/extensions.py",
    "services/materials/ingestion/ingester.py",
    "services/materials/ingestion/reading_job.py",
    "services/study/generation/generation_job.py",
    "services/storage/record_guard.py",
    "services/wiring/jobs_loop.py",
    "services/runtime/deferred_work.py",
    "services/runtime/thread_pools.py",
    "services/storage/group_commit.py",
    "services/storage/sqlite_pool.py",
    "services/tools/dispatch.py",
    "services/tools/mcp/connection.py",
    "sandbox/log.py",
    "sandbox/state.py",
    "ui/error_boundary.py",
)
LONGEST_FILE = 400
LONGEST_FUNCTION = 50
MOST_FILES = 25
MOST_CRUMBS = 11


OURS = tuple(path for path in files() if not path.startswith("tests/"))
SERVICES = tuple(path for path in OURS if path.startswith("services/") and path != "services/__init__.py")


def is_of(name: str, package: str) -> bool:
    return name == package or name.startswith(f"{package}.")


def test_a_room_imports_only_the_rooms_it_may() -> None:
    assert {path: strangers for path in OURS if (strangers := _others(path) - MAY_IMPORT[_room(path)])} == {}


def _others(path: str) -> set[str]:
    return {name.split(".")[0] for name in imported_names(path)} & set(ROOMS)


def _room(path: str) -> str:
    return path.split("/")[0].removesuffix(".py")


def test_a_room_of_the_services_imports_only_what_is_below_it() -> None:
    heights = {room: height for height, line in enumerate(ORDER) for room in line}
    needs = {(path, needed) for path in SERVICES for needed in structure.imported_files(path) if needed in SERVICES}

    assert {_room_of_services(path) for path in SERVICES} == set(heights)
    assert [
        (path, needed)
        for path, needed in sorted(needs)
        if (own := _room_of_services(path)) != (other := _room_of_services(needed)) and heights[other] >= heights[own]
    ] == []


def _room_of_services(path: str) -> str:
    return path.split("/")[1].removesuffix(".py")


def test_no_files_import_each_other_in_a_circle_not_even_for_types() -> None:
    assert structure.circles() == []


def test_a_public_class_is_defined_once() -> None:
    assert structure.classes_defined_twice() == {}


def test_a_module_is_named_by_a_noun() -> None:
    assert structure.gerunds() == []


def test_a_value_is_named_by_what_it_is() -> None:
    assert structure.values_named_one() == {}


def test_a_folder_is_seen_at_a_glance() -> None:
    assert [(folder, count) for count, folder in structure.flat_rooms() if count > MOST_FILES] == []


def test_what_is_read_together_is_one_file() -> None:
    assert len(structure.crumbs()) <= MOST_CRUMBS, structure.crumbs()


@pytest.mark.parametrize("package", ONLY_IN)
def test_a_library_stays_in_its_rooms(package: str) -> None:
    strangers = [path for path in OURS if any(is_of(name, package) for name in imported_names(path))]

    assert [path for path in strangers if not path.startswith(ONLY_IN[package])] == []


def test_only_known_places_call_other_hosts() -> None:
    callers = [p for p in OURS if any(is_of(name, client) for name in imported_names(p) for client in HTTP_CLIENTS)]

    assert [path for path in callers if not path.startswith(MAY_CALL_OUT)] == []


def test_only_the_settings_read_the_environment() -> None:
    readers = [path for path in OURS if any(_reads_environment(node) for node in nodes(path))]

    assert readers == ["services/settings/__init__.py"]


def _reads_environment(node: ast.AST) -> bool:
    names = ("environ", "environb", "getenv", "getenvb")
    if isinstance(node, ast.ImportFrom):
        return node.module == "os" and any(alias.name in names for alias in node.names)
    return isinstance(node, ast.Attribute) and node.attr in names and getattr(node.value, "id", "") == "os"


def test_a_file_fits() -> None:
    lengths = {path: structure.lines(path) for path in files()}

    assert {path: lines for path, lines in lengths.items() if lines > LONGEST_FILE} == {}


def test_a_file_says_what_lives_in_it() -> None:
    assert [path for path in OURS if tree(path).body and not ast.get_docstring(tree(path))] == []


def test_a_function_fits_on_a_screen() -> None:
    kinds = ast.FunctionDef | ast.AsyncFunctionDef
    functions = [(path, node) for path in OURS for node in nodes(path) if isinstance(node, kinds)]

    assert [f"{path}: {f.name}" for path, f in functions if _length(f) > LONGEST_FUNCTION] == []


def _length(function: ast.FunctionDef | ast.AsyncFunctionDef) -> int:
    """Lines of code: a tool's signature and docstring are words that the model reads."""
    body = function.body[1:] if ast.get_docstring(function) else function.body
    return (function.end_lineno or 0) - body[0].lineno + 1 if body else 0


def test_only_outer_doors_catch_everything() -> None:
    broad = {path for path in OURS for node in nodes(path) if _catches_everything(node)}

    assert broad <= set(OUTER_DOORS)


def _catches_everything(node: ast.AST) -> bool:
    if not isinstance(node, ast.ExceptHandler):
        return False
    kinds = node.type.elts if isinstance(node.type, ast.Tuple) else [node.type]
    return any(kind is None or getattr(kind, "id", "") in ("Exception", "BaseException") for kind in kinds)


def test_words_for_the_model_live_in_prompts() -> None:
    assert [p for p in (ROOT / "prompts").rglob("*") if p.is_file() and p.suffix not in (".txt", ".md")] == []


def test_a_decision_has_its_context_and_its_consequences() -> None:
    pages = [page for page in (ROOT / "docs" / "decisions").glob("*.md") if page.name != "README.md"]
    headings = {page.name: re.findall(r"^## (.+)", page.read_text(encoding="utf-8"), re.MULTILINE) for page in pages}

    usual = ["Context", "Decision", "Consequences"]
    assert {
        name: of for name, of in headings.items() if [heading for heading in of if heading != "Measured"] != usual
    } == {}
