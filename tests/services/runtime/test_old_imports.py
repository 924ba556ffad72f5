"""Import paths of the last version still work for those who wrote extensions, and say where the names are now."""

import importlib

import pytest

from services.runtime.old_imports import MOVED, RENAMED
from services.settings import ROOT


@pytest.mark.parametrize(
    ("old", "name", "new"),
    [
        ("services.agent.service", "AgentService", "services.turns.agent_loop.AgentService"),
        ("services.integrations.wording", "clock", "services.i18n.english.clock"),
        ("services.tools.base", "Example", "services.tools.tool.Example"),
        ("services.tools.base", "RatePer", "services.tools.tool.CallRate"),
        ("services.tools.base", "Source", "services.tools.result.Source"),
        ("services.tools.base", "Told", "services.safety.provenance.Provenance"),
        ("services.tools.base", "ToolExecutionContext", "services.tools.context.ToolExecutionContext"),
        ("services.tools.base", "ToolResult", "services.tools.result.ToolResult"),
    ],
)
def test_an_old_import_path_gives_the_moved_name_with_a_warning(old: str, name: str, new: str) -> None:
    module, _, new_name = new.rpartition(".")

    with pytest.warns(DeprecationWarning, match=f"{old}.{name} is now {new}."):
        found = getattr(importlib.import_module(old), name)

    assert found is getattr(importlib.import_module(module), new_name)


@pytest.mark.parametrize("old", MOVED)
def test_a_name_that_never_was_is_refused_as_ever(old: str) -> None:
    with pytest.raises(ImportError, match="no_such_name"):
        exec(f"from {old} import no_such_name", {})


def test_no_old_path_hides_a_module_of_today() -> None:
    assert [name for name in MOVED if (ROOT / f"{name.replace('.', '/')}.py").exists()] == []
    assert {name.rpartition(".")[0] for name in RENAMED} <= set(MOVED)


def test_an_extension_may_still_say_told(recwarn: pytest.WarningsRecorder) -> None:
    from services.safety.provenance import Provenance
    from services.tools.decorator import tool
    from services.tools.result import ToolResult

    @tool(label="Looking", category="research", contexts=(), told=Provenance.PUBLIC)
    def library_hours(context: object) -> ToolResult:
        """Tell the hours."""
        return ToolResult()

    assert library_hours.name == "library_hours"
    assert [str(warning.message) for warning in recwarn] == [
        "@tool(provenance=…) says nothing any more: declare fields where they are read."
    ]
