"""Results of `Reviews`: the queue, counts, and a card after its rating."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from services.study.flashcard import Flashcard, Review, ReviewRating


@dataclass(frozen=True, kw_only=True)
class ReviewQueue:
    """Cards to review now, in their order. due, new: how many of today's portion are left, also beyond `cards`.

    later: due cards that come on another day. has_more: whether there is more to do for who wants to go on. done: cards
    reviewed today. next_at: when the next one comes, where none is left. undo: id of the review that can be taken back,
    "" for none. for_exam: ids of those for which an exam is coming.
    """

    cards: tuple[Flashcard, ...]
    due: int
    new: int
    later: int
    has_more: bool
    done: int
    minutes: int
    next_at: datetime | None
    undo: str
    intervals: Mapping[str, Mapping[ReviewRating, timedelta]] = field(default_factory=dict, repr=False)
    for_exam: frozenset[str] = frozenset()


@dataclass(frozen=True, kw_only=True)
class ReviewCount:
    """What of a course is to be reviewed today."""

    due: int
    new: int
    minutes: int


@dataclass(frozen=True, kw_only=True)
class RatedCard:
    """A card after a rating or an undo. undo: id of the review that can be taken back next, "" for none."""

    card: Flashcard
    review: Review
    undo: str = ""
