"""`Quality`: how well found contexts agree with wanted ones, and how far chance could have moved the figures."""

from collections.abc import Callable, Collection, Sequence
from dataclasses import astuple, dataclass, fields

import numpy as np

Pair = tuple[frozenset[str], frozenset[str]]
"""What was wanted for a message, and what was found."""
DRAWS = 400


@dataclass(frozen=True, kw_only=True)
class Quality:
    """right, wrong, missed: contexts over all messages. needless: messages that need none for which some was found."""

    messages: int
    right: int
    wrong: int
    missed: int
    needing_none: int
    needless: int

    @property
    def precision(self) -> float:
        return _share(self.right, self.right + self.wrong)

    @property
    def recall(self) -> float:
        return _share(self.right, self.right + self.missed)

    @property
    def f1(self) -> float:
        return _share(2 * self.right, 2 * self.right + self.wrong + self.missed)

    @property
    def needless_share(self) -> float:
        """Of the messages that need none; 0 when there is no such message."""
        return self.needless / self.needing_none if self.needing_none else 0.0


_FIELDS = [field.name for field in fields(Quality)]


def measure(pairs: Sequence[Pair], among: Collection[str]) -> Quality:
    """Over these messages; contexts that are not `among` those that count are left out on both sides."""
    counted = frozenset(among)
    same = [(wanted & counted, found & counted) for wanted, found in pairs]
    return Quality(
        messages=len(same),
        right=sum(len(wanted & found) for wanted, found in same),
        wrong=sum(len(found - wanted) for wanted, found in same),
        missed=sum(len(wanted - found) for wanted, found in same),
        needing_none=sum(not wanted for wanted, _ in same),
        needless=sum(bool(found) for wanted, found in same if not wanted),
    )


def interval(
    pairs: Sequence[Pair], among: Collection[str], figure: Callable[[Quality], float], *, seed: int = 0
) -> tuple[float, float]:
    """The middle 95 % of a figure over messages drawn anew from these (the percentile bootstrap)."""
    each = np.array([astuple(measure([pair], among)) for pair in pairs], np.int64)
    chance = np.random.default_rng(seed)
    times = (chance.multinomial(len(pairs), np.full(len(pairs), 1 / len(pairs))) for _ in range(DRAWS))
    drawn = sorted(figure(Quality(**dict(zip(_FIELDS, (one @ each).tolist(), strict=True)))) for one in times)
    return drawn[round(0.025 * (DRAWS - 1))], drawn[round(0.975 * (DRAWS - 1))]


def _share(part: int, whole: int) -> float:
    return part / whole if whole else 1.0
