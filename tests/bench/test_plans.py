"""The table of loading plans: what it measures is what it says."""

from pathlib import Path

from bench.plans import root_tools, tally_of, tools_of
from bench.recorded_conversations import PROJECT, TALKS, USED
from services.prompt.loading_strategy import Strategy


def test_adding_tools_costs_less_than_all_of_them_and_a_search_finds_what_was_missed(tmp_path: Path) -> None:
    tools = tools_of(60, root_tools(tmp_path))

    whole = tally_of(tmp_path / "f", tools, Strategy.FROZEN, talks=[PROJECT])
    added = tally_of(tmp_path / "a", tools, Strategy.APPEND, talks=[PROJECT])

    assert added.cost < 0.95 * whole.cost
    assert added.at_once <= added.after_search == added.needed == whole.at_once
    assert added.cached > 0.9


def test_every_conversation_has_twenty_turns_and_needs_only_what_a_small_deployment_has(tmp_path: Path) -> None:
    assert {len(talk) for talk in TALKS} == {20}
    assert {name for talk in TALKS for _, needed in talk for name in needed} == set(USED)
    assert {tool.name for tool in tools_of(12, root_tools(tmp_path))} == set(USED)
