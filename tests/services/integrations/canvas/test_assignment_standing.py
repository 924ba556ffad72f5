"""How an assignment stands: when it was graded, what it counts for, and whether late work is still taken."""

from datetime import datetime
from typing import Any
from zoneinfo import ZoneInfo


def test_what_was_graded_says_when_the_latest_first(call: Any) -> None:
    result = call("canvas_list_assignments", window="graded")

    times = [assignment["graded_at"] for assignment in result.data["assignments"]]
    lines = [line for line in result.output.split("\n") if line.startswith("- ")]
    assert len(times) > 1
    assert times == sorted(times, reverse=True)
    assert all(" — graded on " in line for line in lines)


def test_what_was_graded_is_asked_for_from_a_day_on(call: Any) -> None:
    latest = datetime.fromisoformat(
        call("canvas_list_assignments", window="graded").data["assignments"][0]["graded_at"]
    )
    day = latest.astimezone(ZoneInfo("America/Chicago")).date()

    found = call("canvas_list_assignments", window="graded", start=day.isoformat()).data["assignments"]

    assert found
    assert {
        datetime.fromisoformat(item["graded_at"]).astimezone(ZoneInfo("America/Chicago")).date() for item in found
    } == {day}


def test_an_assignment_says_what_it_counts_for(call: Any) -> None:
    ranked = call("canvas_rank_priorities", course="history", days=30).data["items"]

    for item in [item for item in ranked if item["share_of_grade"]][:3]:
        output = call("canvas_get_assignment", assignment=str(item["id"]), course="history").output
        assert f"- Counts for about {item['share_of_grade']:.2g} % of the course grade" in output


def test_what_is_missing_says_whether_canvas_still_takes_it(call: Any) -> None:
    (missing,) = call("canvas_list_assignments", window="overdue", course="bio").data["assignments"]
    open_ahead = call("canvas_list_assignments", course="bio").data["assignments"][0]

    late, ahead = (
        call("canvas_get_assignment", assignment=str(item["id"]), course="bio").output for item in (missing, open_ahead)
    )

    assert (
        "- Canvas still takes it, and has no closing day for it; whether late work counts is up to the course" in late
    )
    assert "still takes" not in ahead
