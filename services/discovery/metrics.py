"""Metrics: what loading only the needed tools cost and saved, as the pages, routes and commands ask for it."""

from collections.abc import Mapping
from datetime import UTC, date, datetime
from typing import Any

from services.discovery.daily_counters import KEPT_DAYS, DailyCounters, summed
from services.discovery.insights import Insights

BASELINE, FILTERED = "all_tools", "tools"
"""Tokens of tool definitions: of every enabled tool, and of those that were sent. Both are estimates."""


class Metrics:
    """Reader and resetter of the daily counters: one document a day, however many turns."""

    def __init__(self, counters: DailyCounters) -> None:
        self._counters = counters

    def documented_shape(self, student_id: str) -> dict[str, Any]:
        """The answer of `GET /tools/metrics` as the dynamic tool discovery documents it, since the last reset.

        A request is one to the model, or one of `GET /tools`. No number is older than `KEPT_DAYS`.
        """
        sums = summed(self._counters.last_days(KEPT_DAYS, student_id))
        since = _written(self._counters.since(student_id))
        baseline, filtered = _side(sums, BASELINE, since), _side(sums, FILTERED, since)
        return {"baseline": baseline, "filtered": filtered, "reduction": _reduction(baseline, filtered)}

    def for_student(self, student_id: str, days: int) -> Insights:
        """This student's numbers of these days, today included by their own calendar; one read."""
        return Insights(self._counters.last_days(days, student_id))

    def for_everyone(self, days: int) -> Insights:
        """All students together, without anything that names one, by UTC; one read."""
        return Insights(self._counters.last_days(days))

    def today(self, student_id: str | None = None) -> date:
        """The last of these days."""
        return self._counters.today(student_id)

    def record_tool_list(self, student_id: str, *, baseline_tokens: int, filtered_tokens: int) -> None:
        """Count an answer of `GET /tools`: the definitions it could have held, and those it held."""
        amounts = {
            "listings": 1,
            f"listed_{BASELINE}": baseline_tokens,
            f"listed_{FILTERED}": filtered_tokens,
        }
        self._counters.add_amounts(student_id, amounts)

    def reset(self, student_id: str) -> None:
        """Reset this student's numbers, those on the Insights page too."""
        self._counters.reset(student_id)


def _side(sums: Mapping[str, int], number: str, since: str) -> dict[str, Any]:
    requests = sums.get("requests", 0) + sums.get("listings", 0)
    tokens = sums.get(number, 0) + sums.get(f"listed_{number}", 0)
    return {
        "requests": requests,
        "totalTokens": tokens,
        "avgTokensPerRequest": round(tokens / requests) if requests else 0,
        "since": since,
    }


def _reduction(baseline: Mapping[str, Any], filtered: Mapping[str, Any]) -> str:
    """In whole per cent; below zero when filtering has cost more than it saved."""
    whole = baseline["totalTokens"]
    return f"{round(100 * (1 - filtered['totalTokens'] / whole)) if whole else 0}%"


def _written(since: datetime) -> str:
    return since.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
