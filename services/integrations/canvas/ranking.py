"""What to do first: the rule by which work is ranked; it stands in docs/canvas.md too."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from services.i18n.english import elapsed
from services.integrations.canvas.assignments import Assignment

_DAY_S = 86_400
_HOURS_A_DAY = 3
RULE = (
    "Ranked by: share of the course grade in percent plus 1, divided by the days left plus 1. Every 3 hours that the "
    "work is likely to take count as a day less; what is missing but still taken counts as due now."
)


@dataclass(frozen=True, kw_only=True)
class Ranked:
    """share: percent of the whole course grade, None where Canvas does not tell. days_left: 0 when it is past due."""

    item: Assignment
    share: float | None
    days_left: float
    weight: float


def rank(items: Iterable[tuple[Assignment, float | None]], now: datetime) -> list[Ranked]:
    """Work with its share of the grade, the most pressing first; equal ones by due date."""
    ranked = [_ranked(item, share, now) for item, share in items]
    return sorted(ranked, key=lambda ranking: (-ranking.weight, ranking.days_left, ranking.item.title))


def _ranked(item: Assignment, share: float | None, now: datetime) -> Ranked:
    left = max(0.0, elapsed(now, item.due_at).total_seconds() / _DAY_S) if item.due_at else 0.0
    pressing = max(0.0, left - item.minutes / 60 / _HOURS_A_DAY)
    return Ranked(item=item, share=share, days_left=left, weight=((share or 0.0) + 1) / (pressing + 1))
