"""What the dialog that finds time chooses at first: the work's own length, where there is room for it."""

from datetime import UTC, datetime, timedelta

import pytest

from services.week.free_time import Gap
from ui.week.study_dialog import LENGTHS, USUAL_MINUTES, closest_length_index, roomiest_gap_index

AT = datetime(2026, 11, 23, 9, tzinfo=UTC)


@pytest.mark.parametrize(
    ("work", "gaps", "chosen", "length"),
    [
        (120, (60, 150, 300), 1, 120),
        (45, (60, 150), 0, 60),
        (300, (60, 90), 1, 90),
        (300, (120, 240, 600), 1, 180),
        (0, (60, 300), 0, 60),
    ],
)
def test_a_sitting_is_as_long_as_the_work_in_the_first_gap_that_holds_it(
    work: int, gaps: tuple[int, ...], chosen: int, length: int
) -> None:
    free = [Gap(start=AT, end=AT + timedelta(minutes=minutes)) for minutes in gaps]

    at = roomiest_gap_index(free, work)
    fitting = [minutes for minutes in LENGTHS if minutes <= gaps[at]]

    assert (at, fitting[closest_length_index(fitting, work or USUAL_MINUTES)]) == (chosen, length)
