"""`TopicMastery`: how well a topic is known so far, and how sure that estimate is."""

from dataclasses import dataclass, field


@dataclass(frozen=True, kw_only=True)
class TopicMastery:
    """Estimate from answers and reviews. share: of what is asked about it, what is known; from 0 to 1, None while
    nothing was answered. low, high: where it lies with 90 % probability. answers: what it rests on.
    """

    course_key: str
    topic: str = field(repr=False)
    share: float | None = None
    low: float = 0.0
    high: float = 1.0
    answers: int = 0
    cards: int = 0
