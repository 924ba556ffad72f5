"""Time zones in a list, and which of them show the same times."""

from datetime import UTC, datetime

import pytest

from services.identity import time_zones

NOVEMBER = datetime(2026, 11, 21, 23, 40, tzinfo=UTC)


@pytest.mark.parametrize(
    ("zone", "other", "do"),
    [
        ("Europe/Madrid", "Europe/Paris", False),
        ("Asia/Calcutta", "Asia/Kolkata", False),
        ("America/Chicago", "Europe/Madrid", True),
        # Alike in winter alone: Mexico knows no summer time.
        ("America/Chicago", "America/Mexico_City", True),
    ],
)
def test_two_zones_differ_when_times_look_another_way_at_any_time_of_the_year(zone: str, other: str, do: bool) -> None:
    assert time_zones.time_zones_differ(zone, other, NOVEMBER) is do


def test_the_list_says_how_far_each_place_is_from_utc_now() -> None:
    choices = time_zones.time_zone_choices(NOVEMBER)

    assert choices["America/Argentina/Buenos_Aires"] == "America/Argentina/Buenos Aires (UTC-03:00)"
    assert choices["Asia/Kathmandu"] == "Asia/Kathmandu (UTC+05:45)"
    assert choices["UTC"] == "UTC"
    assert len(set(choices.values())) == len(choices) > 400
    assert not {"America/Buenos_Aires", "US/Central", "EST", "Asia/Calcutta"} & set(choices)
    assert (
        time_zones.time_zone_choices(datetime(2026, 7, 1, tzinfo=UTC))["Europe/Madrid"] == "Europe/Madrid (UTC+02:00)"
    )
