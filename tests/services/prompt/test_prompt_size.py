"""Size of what the model reads before a student's first word: each character is paid for by everybody."""

from collections.abc import Sequence

import pytest

from bench.plans import root_tools
from bench.words import absent_sizes, definitions_size, system_size
from services.prompt.loading_strategy import Strategy
from services.tools.tool import Tool

MOST_SYSTEM_TEXT = 10_850
"""Of these 450 came with Study and the assistant that guides."""
MOST_IN_FULL = 12_600
"""With the hints of every optional tool."""
MOST_DEFINITIONS = 64_500
"""Of these 7,100 are Study's eight tools, which make, ask, mark, review and plan; all others take 57,500."""
MOST_ABSENT = 300


@pytest.fixture(scope="module")
def tools(tmp_path_factory: pytest.TempPathFactory) -> Sequence[Tool]:
    return root_tools(tmp_path_factory.mktemp("root"))


@pytest.mark.parametrize("strategy", Strategy)
def test_the_system_text_stays_short_with_every_account(tools: Sequence[Tool], strategy: Strategy) -> None:
    size = system_size(tools, strategy)

    assert size <= (MOST_IN_FULL if strategy is Strategy.FROZEN else MOST_SYSTEM_TEXT)


def test_the_definitions_of_all_tools_stay_short(tools: Sequence[Tool]) -> None:
    size = definitions_size(tools)

    assert size <= MOST_DEFINITIONS


def test_what_is_not_connected_is_said_in_few_words() -> None:
    too_long = {id: size for id, size in absent_sizes().items() if size > MOST_ABSENT}

    assert not too_long
