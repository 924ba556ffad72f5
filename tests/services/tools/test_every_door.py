"""Row D5: for any connections, assistant and switches, no door runs a tool that resolution excludes there."""

from dataclasses import replace

from hypothesis import given, settings
from hypothesis import strategies as st

from services.assistants.assistant import Assistant
from services.connections.connection import Connection, Health
from services.errors import ConsentRequired
from services.identity.students import Student
from services.identity.tool_switches import ToolSwitches
from services.tools.availability import Exclusion, ExclusionKind
from services.tools.dispatch import Dispatcher
from services.tools.gateway import ToolGateway
from services.tools.providers.local import LocalToolsProvider
from services.tools.tool import Obstacle, Tool
from services.tools.toolbox import Toolboxes
from tests.services.tools.conftest import connection
from tests.tool_roots import CATEGORIES, MAYA, FakeAccounts, FakeAssistants, Root

DOWN = Obstacle(kind=ExclusionKind.SERVER_DOWN, reason="The server does not answer.", next_step="Try again later.")
DISPATCHER = Dispatcher()
SIZE = 16
OFF = ExclusionKind.OFF_FOR_STUDENT
NAMES = [f"tool_{number}" for number in range(SIZE)]

healths = st.dictionaries(st.sampled_from(CATEGORIES), st.sampled_from(Health))
assistants = st.builds(
    Assistant,
    id=st.just("picked"),
    name=st.just("Picked"),
    categories=st.none() | st.lists(st.sampled_from([*CATEGORIES, "planner"])).map(tuple),
    switches=st.dictionaries(st.sampled_from([*NAMES, "never_registered"]), st.booleans(), max_size=6),
    mcp_servers=st.none() | st.sampled_from([(), ("files",), ("library",)]),
    confirm=st.lists(st.sampled_from(NAMES), max_size=3).map(tuple),
)
changes = st.dictionaries(
    st.sampled_from(NAMES),
    st.sampled_from([{"obstacle": DOWN}, {"server": "files"}, {"capabilities": ("notes",)}, {"capabilities": ("x",)}]),
    max_size=5,
)


switches = st.builds(
    ToolSwitches,
    categories=st.frozensets(st.sampled_from(CATEGORIES), max_size=2),
    tools=st.frozensets(st.sampled_from(NAMES), max_size=4),
)


@settings(max_examples=60)
@given(healths=healths, assistant=assistants, changes=changes, off=switches)
def test_no_door_runs_what_is_excluded_there_and_each_exclusion_has_one_reason(
    healths: dict[str, Health], assistant: Assistant, changes: dict[str, dict[str, object]], off: ToolSwitches
) -> None:
    root = Root(SIZE)
    tools = tuple(replace(tool, **changes.get(tool.name, {})) for tool in root.tools)  # type: ignore[arg-type]
    connections: dict[str, Connection] = {id: connection(health, integration=id) for id, health in healths.items()}
    toolboxes = root.toolboxes(FakeAccounts(connections), tools)
    door = ToolGateway(
        root=LocalToolsProvider(tools),
        toolboxes=toolboxes,
        assistants=FakeAssistants(assistant),  # type: ignore[arg-type]
        dispatcher=DISPATCHER,
        approvals=root.approvals,
    )

    for named in (None, assistant):
        resolution = toolboxes.resolution(connections, named, off=off)
        reasons = {tool.name: resolution.reason(tool) for tool in tools}
        for tool in tools:
            _is_bound(root, toolboxes, door, tool, named, reasons[tool.name], replace(MAYA, tools_off=off))
            is_off = tool.name in off.tools or tool.category in off.categories
            assert is_off is (reasons[tool.name] is not None and reasons[tool.name].kind is OFF)  # type: ignore[union-attr]

        assert resolution.names == {name for name, reason in reasons.items() if reason is None}
    with_nobody = toolboxes.resolution(connections)
    choices = (ExclusionKind.CATEGORY_OFF, ExclusionKind.SWITCHED_OFF)
    assert not any(reason.kind in choices for reason in with_nobody.excluded.values())
    assert toolboxes.resolution(connections, assistant).names <= with_nobody.names


def _is_bound(
    root: Root,
    toolboxes: Toolboxes,
    door: ToolGateway,
    tool: Tool,
    named: Assistant | None,
    reason: Exclusion | None,
    student: Student,
) -> None:
    root.ran.clear()
    root.approvals.proposed.clear()
    toolbox = toolboxes.for_student(student, named)
    DISPATCHER.call(toolbox.asking, tool.name, {}, toolbox.context())
    try:
        is_done = door.call(student, tool.name, {}, asked_by="A program", assistant=named and named.id).success
    except ConsentRequired:
        assert reason is not None
        assert reason.kind is ExclusionKind.CONSENT_REQUIRED
        is_done = False

    reached, ran = root.ran + root.approvals.proposed, list(root.ran)
    DISPATCHER.call(toolbox.reading, tool.name, {}, toolbox.context(depth=1))
    within = root.ran[len(ran) :]
    waits = tool.effect.needs_approval or (named is not None and tool.name in named.confirm)
    assert reached == ([] if reason else [tool.name] * 2)
    assert not (waits and ran)
    assert within == ([] if reason or waits else [tool.name])
    assert is_done is (reason is None)
    if reason is not None:
        assert reason.sentence.endswith(".")
        assert reason.next_step
