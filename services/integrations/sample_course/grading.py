"""What the sample course's graded work comes to, by weighted group."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from services.integrations.sample_course.course import Work


@dataclass(frozen=True, kw_only=True)
class Group:
    """percent: of the points that are graded. weight: of the whole grade, in per cent."""

    name: str
    percent: float
    weight: int


def graded(work: Sequence[Work], weights: Mapping[str, int]) -> list[Group]:
    """The groups in which something is graded, in the order of the syllabus."""
    found = []
    for name, weight in weights.items():
        mine = [one for one in work if one.group == name and one.score is not None]
        if mine:
            scored = sum(one.score or 0.0 for one in mine)
            found.append(Group(name=name, percent=100 * scored / sum(one.points for one in mine), weight=weight))
    return found


def overall(work: Sequence[Work], weights: Mapping[str, int]) -> float:
    """The grade so far in per cent, over the groups in which something is graded."""
    groups = graded(work, weights)
    return sum(one.percent * one.weight for one in groups) / sum(one.weight for one in groups)
