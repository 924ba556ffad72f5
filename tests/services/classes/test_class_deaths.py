"""A process that dies at any write of what is done with classes: the same click afterwards makes it whole, once."""

from pathlib import Path

import pytest

from tests.operation_deaths import wrong_after_deaths
from tests.soak.operations import LANES

IN_CI = ("join", "publish", "upload", "confirm")
"""A telling part; `tests/soak` kills real processes in all of them."""
OPERATIONS = {**LANES["classes"], **LANES["courses"]}


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=() if name in IN_CI else pytest.mark.soak) for name in OPERATIONS]
)
def test_a_death_at_any_write_leaves_what_the_same_click_makes_whole(name: str, tmp_path: Path) -> None:
    wrong = wrong_after_deaths(OPERATIONS[name], tmp_path)

    assert {at: what for at, what in wrong.items() if what} == {}
    assert len(wrong) > 1
