"""The table of loading plans: what it measures is what it says."""

import statistics
from datetime import timedelta
from pathlib import Path

import pytest

from bench.plans import ARRIVAL, Use, root_tools, single_questions, tally_of, tools_of
from bench.recorded_conversations import FIRST_QUESTIONS, PROJECT, TALKS, USED
from services.prompt.loading_strategy import Strategy
from training.tool_examples import read_examples

ONE_CHAT = Use(talks=[PROJECT], gap=timedelta(hours=9))


def test_adding_tools_costs_less_than_all_of_them_and_a_search_finds_what_was_missed(tmp_path: Path) -> None:
    tools = tools_of(60, root_tools(tmp_path))

    whole = tally_of(tmp_path / "f", tools, Strategy.FROZEN, ONE_CHAT)
    added = tally_of(tmp_path / "a", tools, Strategy.APPEND, ONE_CHAT)

    assert added.cost < 0.7 * whole.cost, added.cost / whole.cost
    assert added.at_once <= added.after_search == added.needed == whole.at_once
    assert added.cached > 0.9


@pytest.mark.parametrize(("size", "most"), [(30, 0.80), (69, 0.70)])
def test_a_single_question_costs_less_than_with_all_tools_for_many_students_behind_one_key(
    tmp_path: Path, size: int, most: float
) -> None:
    tools = tools_of(size, root_tools(tmp_path))
    use = Use(talks=single_questions(tools, 40), gap=ARRIVAL)

    whole = tally_of(tmp_path / "f", tools, Strategy.FROZEN, use)
    added = tally_of(tmp_path / "a", tools, Strategy.APPEND, use)

    assert added.cost <= most * whole.cost
    assert added.at_once >= 0.95 * added.needed
    assert added.after_search == added.needed
    assert statistics.median(added.brought) <= 4


def test_no_question_of_the_bench_was_trained_on() -> None:
    turns = [*FIRST_QUESTIONS, *(turn for talk in TALKS for turn in talk)]
    asked = {plain(text) for text, _ in turns if " " in text}
    trained = {plain(example.message) for example in read_examples()}

    assert len(trained) > 1_000
    assert sorted(asked & trained) == []


def plain(text: str) -> str:
    """A message as it reads without its marks."""
    return text.lower().strip("?!. ")


def test_every_conversation_has_twenty_turns_and_needs_only_what_a_small_deployment_has(tmp_path: Path) -> None:
    assert {len(talk) for talk in TALKS} == {20}
    assert {name for talk in TALKS for _, needed in talk for name in needed} == set(USED)
    assert {tool.name for tool in tools_of(12, root_tools(tmp_path))} == set(USED)
