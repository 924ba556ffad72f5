"""Free wording, English and Spanish, and the calls it must lead to."""

from typing import Any

import pytest

from tests.sandbox.model_thoughts import Row, fits, messages, rows, turn
from tests.sandbox.model_tools import OTHER_TOOLS, TOOLS, answer

TUNED = rows("tuned.txt")
HELD_OUT = rows("held_out.txt")
LEAST_HELD_OUT = 34


def named(table: list[Row]) -> Any:
    return pytest.mark.parametrize(("text", "tool", "arguments"), table, ids=[row[0] for row in table])


@named(TUNED)
def test_a_paraphrase_leads_to_the_right_call(text: str, tool: str, arguments: dict[str, Any]) -> None:
    calls, said = turn([text], TOOLS, answer)

    assert calls, said
    assert fits(calls[-1], tool, arguments), calls


def test_messages_that_nothing_was_tuned_on_are_mostly_understood() -> None:
    missed = []
    for text, tool, arguments in HELD_OUT:
        calls, said = turn([text], TOOLS, answer)
        if not calls or not fits(calls[-1], tool, arguments):
            missed.append((text, calls or said[:80]))

    assert len(HELD_OUT) == 40
    assert len(HELD_OUT) - len(missed) >= LEAST_HELD_OUT, missed


@pytest.mark.parametrize("line", messages("several.txt"))
def test_a_message_may_ask_for_several_things(line: str) -> None:
    text, _, tools = line.partition(" => ")
    calls, _ = turn([text], TOOLS, answer)

    assert {name for name, _ in calls} == set(tools.split())
    assert len(calls) == 2


@pytest.mark.parametrize("text", messages("no_tool.txt"))
def test_talk_needs_no_tool(text: str) -> None:
    calls, said = turn([text], TOOLS, answer)

    assert calls == []
    assert said.startswith(("(demo model)", "(modelo de demostración)"))


@named(rows("other_names.txt"))
def test_tools_with_other_names_and_schemas_are_understood_as_well(
    text: str, tool: str, arguments: dict[str, Any]
) -> None:
    calls, said = turn([text], OTHER_TOOLS, lambda name, given: "No items.", most=1)

    assert calls, said
    assert fits(calls[-1], tool, arguments), calls


def test_the_table_is_wide_enough() -> None:
    spanish = [row for row in TUNED if any(mark in row[0] for mark in "¿áéíóúñ")]

    assert len(TUNED) >= 120
    assert len(spanish) >= 25
