"""A process that dies at any write of an import: the same file afterwards brings the rest, and nothing twice."""

from pathlib import Path

import pytest

from tests.operation_deaths import wrong_after_deaths
from tests.services.study.exchange.import_operations import IMPORTS


@pytest.mark.soak
@pytest.mark.parametrize("name", IMPORTS)
def test_a_death_at_any_write_leaves_what_the_same_file_makes_whole(name: str, tmp_path: Path) -> None:
    wrong = wrong_after_deaths(IMPORTS[name], tmp_path)

    assert {at: what for at, what in wrong.items() if what} == {}
    assert len(wrong) > 1
