"""However large the root and however many the assistants: what one student's turn costs stays the same."""

import json
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from services.assistants.assistant import Assistant
from services.tools import availability
from services.tools.toolbox import Toolbox
from tests.services.tools.conftest import connection
from tests.tool_roots import CATEGORIES, MAYA, FakeAccounts, Root

SIZE = 2_000
ASSISTANTS = tuple(
    Assistant(id=f"a{number}", name=f"A{number}", version="1", categories=CATEGORIES[: number % 4] or None)
    for number in range(10)
)


class Counted:
    """How often the reason of one tool is worked out."""

    def __init__(self, of: Callable[..., Any]) -> None:
        self._of, self.times = of, 0

    def __call__(self, *arguments: Any) -> Any:
        self.times += 1
        return self._of(*arguments)


@pytest.fixture
def reasons(monkeypatch: pytest.MonkeyPatch) -> Counted:
    counted = Counted(availability.exclusion_of)
    monkeypatch.setattr(availability, "exclusion_of", counted)
    return counted


@pytest.fixture(scope="module")
def root() -> Root:
    return Root(SIZE)


@pytest.fixture
def accounts() -> FakeAccounts:
    return FakeAccounts({id: connection(integration=id) for id in CATEGORIES})


def definitions(toolbox: Toolbox) -> str:
    return json.dumps([tool.definition() for tool in toolbox.asking.tools()])


def test_a_view_takes_one_pass_when_it_is_new_and_none_after(
    root: Root, accounts: FakeAccounts, reasons: Counted
) -> None:
    toolboxes = root.toolboxes(accounts)

    for assistant in ASSISTANTS:
        toolboxes.for_student(MAYA, assistant)
    cold, reads = reasons.times, accounts.reads
    for assistant in (*ASSISTANTS, *ASSISTANTS):
        toolboxes.for_student(MAYA, assistant)

    assert (cold, reads) == (SIZE * len(ASSISTANTS), len(ASSISTANTS))
    assert reasons.times == cold
    assert accounts.reads == reads + 2 * len(ASSISTANTS)


def test_another_student_in_the_same_state_costs_one_read_and_no_pass(
    root: Root, accounts: FakeAccounts, reasons: Counted
) -> None:
    toolboxes = root.toolboxes(accounts)
    first = toolboxes.for_student(MAYA, ASSISTANTS[1])
    before = reasons.times, accounts.reads

    second = toolboxes.for_student(replace(MAYA, id="diego"), ASSISTANTS[1])

    assert (reasons.times, accounts.reads) == (before[0], before[1] + 1)
    assert second.resolution is first.resolution


def test_one_tool_more_costs_one_reason_more(accounts: FakeAccounts, root: Root, reasons: Counted) -> None:
    root.toolboxes(accounts, root.tools[:1_000]).for_student(MAYA, ASSISTANTS[0])
    half = reasons.times
    root.toolboxes(accounts, root.tools[:1_001]).for_student(MAYA, ASSISTANTS[0])

    assert reasons.times - half == half + 1


def test_the_same_set_of_tools_is_the_same_to_the_byte(root: Root, accounts: FakeAccounts) -> None:
    """The prompt's cache depends on it."""
    here, there = root.toolboxes(accounts), root.toolboxes(accounts)

    written = {definitions(toolboxes.for_student(MAYA, ASSISTANTS[4])) for toolboxes in (here, there, here)}

    assert len(written) == 1
