"""The walls between the rooms, and what keeps a file readable, as the design and the style page draw them."""

import ast
import re
from collections.abc import Iterator
from functools import cache
from graphlib import TopologicalSorter
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
ROOMS = ("app", "manage", "pages", "ui", "api", "services", "sandbox", "bench", "tests")
MAY_IMPORT = {
    "app": {"ui", "api", "sandbox"},
    "manage": {"services"},
    "pages": {"ui", "services"},
    "ui": {"ui", "services"},
    "api": {"api", "services"},
    "services": {"services"},
    "sandbox": {"sandbox"},
    "bench": {"bench", "services", "sandbox"},
}
ONLY_IN = {
    # bench speaks the websocket's messages, as a browser would.
    "streamlit": ("app.py", "ui/", "pages/", "bench/"),
    "starlette": ("app.py", "api/", "sandbox/"),
    # What serves us takes the signals first, and keeps silent connections: ending well means knowing it.
    "uvicorn": ("api/graceful_shutdown.py", "api/idle_connections.py", "sandbox/", "bench/"),
    "anthropic": ("services/agent/", "bench/"),
    "pymongo": ("services/storage/",),
    "sqlite3": ("services/storage/", "sandbox/"),
}
# Inside services/, lowest first: a file imports from its own line and the lines before it. What is not named stands
# below all of them. A longer name is a file that stands lower than its room: a noun that other rooms share.
ORDER = (
    ("logs", "prompt_files", "settings", "tools.mcp.servers"),
    ("diagrams", "safety", "storage"),
    ("devices", "files", "keys", "replicas", "students"),
    ("assistants.assistant", "connections.connection", "connections.pace"),
    ("tools.tool", "tools.context", "tools.result"),
    ("integrations.base", "integrations.wording"),
    ("approvals.activity", "assistants", "connections"),
    ("tools",),
    ("approvals", "integrations"),
    ("agent", "discovery"),
    ("week",),
    ("container", "jobs", "privacy"),
    ("wiring",),
    ("bootstrap",),
    ("operating",),
)
AGAINST_THE_ORDER = {
    # Searching the web with Claude takes the client library, which only the agent may import.
    ("services/integrations/search/engines.py", "services/integrations/search/claude.py"),
    ("services/integrations/search/engines.py", "services/llm/chat_model.py"),
    ("services/integrations/search/tools.py", "services/llm/chat_model.py"),
    # A command of its own, which writes the page of all tools.
    ("services/commands/tool_docs.py", "services/integrations/catalog.py"),
    ("services/commands/tool_docs.py", "services/integrations/extensions.py"),
}
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
    "services/agent/anthropic_",
    # In a student's own program: to the Homeroom that the program names.
    "services/discovery/client_transport",
    "services/safety/fetch",
    "services/tools/mcp/http_transport",
    "bench/",
)
OUTER_DOORS = (
    "api/router.py",
    "api/mcp/server.py",
    "services/turns/decisions.py",
    "services/turns/leases.py",
    "services/turns/start.py",
    "services/turns/leases.py",
    "services/turns/executor.py",
    "services/integrations/extensions.py",
    "services/jobs/loop.py",
    "services/runtime/thread_pools.py",
    "services/storage/group_commit.py",
    "services/storage/sqlite_pool.py",
    "services/tools/dispatch.py",
    "services/tools/mcp/connection.py",
    "sandbox/log.py",
    "sandbox/state.py",
    "ui/error_boundary.py",
)
LONGEST_FILE = 300
LONGEST_FUNCTION = 50


@cache
def files() -> tuple[str, ...]:
    """Every Python file of the rooms, as a path from the root."""
    found = [path for room in ROOMS for path in ((ROOT / room).rglob("*.py"), [ROOT / f"{room}.py"])]
    return tuple(sorted(p.relative_to(ROOT).as_posix() for group in found for p in group if p.is_file()))


OURS = tuple(path for path in files() if not path.startswith("tests/"))
ALL = frozenset(OURS)
SERVICES = tuple(path for path in OURS if path.startswith("services/") and path != "services/__init__.py")


@cache
def tree(path: str) -> ast.Module:
    return ast.parse((ROOT / path).read_text(encoding="utf-8"), path)


@cache
def imports(path: str) -> frozenset[str]:
    """The dotted names that a file imports, anywhere in it."""
    return frozenset(_imported(path))


def _imported(path: str) -> Iterator[str]:
    for node in ast.walk(tree(path)):
        yield from _named(node)
        if isinstance(node, ast.ImportFrom):
            yield f"{node.module}"


@cache
def needed_by(path: str) -> frozenset[str]:
    """Our files that a file imports when it runs, at once or in a function: not those of which it knows only types."""
    for_types = {inner for node in ast.walk(tree(path)) if _is_for_types(node) for inner in ast.walk(node)}
    names = {name for node in ast.walk(tree(path)) if node not in for_types for name in _named(node)}
    return frozenset(found for name in names if (found := _file(name))) - {path}


def _named(node: ast.AST) -> Iterator[str]:
    if isinstance(node, ast.Import):
        yield from (alias.name for alias in node.names)
    elif isinstance(node, ast.ImportFrom):
        yield from (f"{node.module}.{alias.name}" for alias in node.names)


def _is_for_types(node: ast.AST) -> bool:
    return isinstance(node, ast.If) and getattr(node.test, "id", "") == "TYPE_CHECKING"


def _file(name: str) -> str:
    """The file of a dotted name, or of the module that brings it; "" for what is not ours."""
    while name:
        stem = name.replace(".", "/")
        if found := {f"{stem}.py", f"{stem}/__init__.py"} & ALL:
            return found.pop()
        name = name.rpartition(".")[0]
    return ""


def is_of(name: str, package: str) -> bool:
    return name == package or name.startswith(f"{package}.")


def test_a_room_imports_only_the_rooms_it_may() -> None:
    assert {path: strangers for path in OURS if (strangers := _others(path) - MAY_IMPORT[_room(path)])} == {}


def _others(path: str) -> set[str]:
    return {name.split(".")[0] for name in imports(path)} & set(ROOMS)


def _room(path: str) -> str:
    return path.split("/")[0].removesuffix(".py")


def test_a_room_of_the_services_imports_only_what_is_below_it() -> None:
    needs = {(path, needed) for path in SERVICES for needed in needed_by(path)}

    assert {(path, needed) for path, needed in needs if _height(needed) > _height(path)} == AGAINST_THE_ORDER


def _height(path: str) -> int:
    """The line of the order that a file stands in: by its own name, else by its room's."""
    name = path.removeprefix("services/").removesuffix(".py").removesuffix("/__init__").replace("/", ".")
    standing = [(len(room), height) for height, line in enumerate(ORDER) for room in line if is_of(name, room)]
    return max(standing, default=(0, -1))[1]


def test_no_two_files_need_each_other() -> None:
    order = TopologicalSorter({path: needed_by(path) for path in OURS})

    order.prepare()


@pytest.mark.parametrize("package", ONLY_IN)
def test_a_library_stays_in_its_rooms(package: str) -> None:
    strangers = [path for path in OURS if any(is_of(name, package) for name in imports(path))]

    assert [path for path in strangers if not path.startswith(ONLY_IN[package])] == []


def test_only_known_places_call_other_hosts() -> None:
    callers = [p for p in OURS if any(is_of(name, client) for name in imports(p) for client in HTTP_CLIENTS)]

    assert [path for path in callers if not path.startswith(MAY_CALL_OUT)] == []


def test_only_the_settings_read_the_environment() -> None:
    readers = [path for path in OURS if any(_reads_environment(node) for node in ast.walk(tree(path)))]

    assert readers == ["services/settings/__init__.py"]


def _reads_environment(node: ast.AST) -> bool:
    names = ("environ", "environb", "getenv", "getenvb")
    if isinstance(node, ast.ImportFrom):
        return node.module == "os" and any(alias.name in names for alias in node.names)
    return isinstance(node, ast.Attribute) and node.attr in names and getattr(node.value, "id", "") == "os"


def test_a_file_fits() -> None:
    lengths = {path: len((ROOT / path).read_text(encoding="utf-8").splitlines()) for path in files()}

    assert {path: lines for path, lines in lengths.items() if lines > LONGEST_FILE} == {}


def test_a_file_says_what_lives_in_it() -> None:
    assert [path for path in OURS if tree(path).body and not ast.get_docstring(tree(path))] == []


def test_a_function_fits_on_a_screen() -> None:
    kinds = ast.FunctionDef | ast.AsyncFunctionDef
    functions = [(path, node) for path in OURS for node in ast.walk(tree(path)) if isinstance(node, kinds)]

    assert [f"{path}: {f.name}" for path, f in functions if _length(f) > LONGEST_FUNCTION] == []


def _length(function: ast.FunctionDef | ast.AsyncFunctionDef) -> int:
    """Lines of code: a tool's signature and docstring are words that the model reads."""
    body = function.body[1:] if ast.get_docstring(function) else function.body
    return (function.end_lineno or 0) - body[0].lineno + 1 if body else 0


def test_only_outer_doors_catch_everything() -> None:
    broad = {path for path in OURS for node in ast.walk(tree(path)) if _catches_everything(node)}

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
