"""Flashcard as the browser shows it: both sides as sanitised HTML, its source, and what each rating brings."""

import re
from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

from api.live.blocks import blocks_of
from services.i18n import formats, gettext, ngettext
from services.identity.students import Student
from services.runtime.clock import Clock
from services.study.flashcard import Flashcard, ReviewRating
from services.study.review.day_plan import AHEAD
from services.study.review.review_results import ReviewQueue
from services.study.review.study_day import study_day

_PICTURE = re.compile(r"!\[([^\]\n]{0,300})\]\(<?([^()<>\n]{1,300})>?\)")
_MARK = "⟦{number}⟧"
"""Stands for a picture in the HTML: which addresses a picture may have is not for a card to say."""
_OWN_LINK = re.compile(r"(?:https?://[^\s/]+)?/materials\?open=[\w.%~-]{1,300}&page=\d{1,5}(?:#\S{0,2000})?", re.ASCII)
_MONTH, _YEAR = 30.44, 365.25


def card_json(card: Flashcard, intervals: Mapping[ReviewRating, timedelta], *, has_exam: bool) -> Mapping[str, Any]:
    """A card of the queue."""
    source = card.quotation
    return {
        "id": card.id,
        "course": card.course_key,
        "topic": card.topic,
        "front": _side(card, card.front),
        "back": _side(card, card.back),
        "text": {"front": card.front, "back": card.back},
        "source": {"place": source.place, "words": source.words, "url": _own(source.url)} if source else None,
        "is_new": not card.schedule,
        "is_for_exam": card.is_for_exam,
        "has_exam": has_exam,
        "ratings": ratings_json(intervals),
    }


def ratings_json(intervals: Mapping[ReviewRating, timedelta]) -> Mapping[str, Any]:
    """For each rating the words of its button, and the seconds after which the card comes again while one goes on."""
    return {
        str(int(rating)): {"label": interval_label(after), "again_s": again_s(after)}
        for rating, after in intervals.items()
    }


def again_s(after: timedelta) -> int | None:
    """Seconds after which a card comes again in the same session; None where it does not."""
    return max(0, round(after.total_seconds())) if after <= AHEAD else None


def interval_label(after: timedelta) -> str:
    """How long it is until a card comes again, in a few letters."""
    days = after / timedelta(days=1)
    if days < 1 / 24:
        return gettext("{count} min", count=formats.number(max(1, round(days * 24 * 60))))
    if days < 1:
        return gettext("{count} h", count=formats.number(round(days * 24)))
    if days < _MONTH:
        return ngettext("{n} day", "{n} days", round(days))
    if days < _YEAR:
        return gettext("{count} mo", count=formats.number(days / _MONTH, 1))
    return gettext("{count} y", count=formats.number(days / _YEAR, 1))


def queue_json(queue: ReviewQueue, student: Student, clock: Clock) -> Mapping[str, Any]:
    """The queue without its cards, and the sentences of its end."""
    return {
        "due": queue.due,
        "new": queue.new,
        "later": queue.later,
        "has_more": queue.has_more,
        "minutes": queue.minutes,
        "undo": queue.undo,
        "done": queue.done,
        "next": _next(queue, student, clock()),
        "rest": gettext("Other cards of this day are spread over the next days.") if queue.later else "",
    }


def _next(queue: ReviewQueue, student: Student, now: datetime) -> str:
    if queue.next_at is None:
        return ""
    zone = ZoneInfo(student.timezone)
    day = study_day(queue.next_at, zone)
    days = (day - study_day(now, zone)).days
    if days == 0:
        return gettext("The next card comes at {time}.", time=formats.clock(queue.next_at.astimezone(zone)))
    if days == 1:
        return gettext("The next cards come tomorrow.")
    return gettext("The next cards come on {day}.", day=formats.day(day))


def _side(card: Flashcard, text: str) -> Mapping[str, Any]:
    """HTML blocks of a side, its pictures by their marks."""
    names = {picture.name: number for number, picture in enumerate(card.pictures)}
    shown: dict[str, str] = {}

    def mark(found: re.Match[str]) -> str:
        number = names.get(found[2].strip())
        if number is None:
            return found[1] or found[0]
        shown[str(number)] = found[1]
        return _MARK.format(number=number)

    marked = _PICTURE.sub(mark, text.replace("⟦", "[").replace("⟧", "]"))
    blocks = [block for block in blocks_of(marked, frozenset()) if block["kind"] == "html"]
    return {"html": [block["html"] for block in blocks], "pictures": shown}


def _own(url: str) -> str:
    """The address of a page of a material; "" for any other one."""
    return url if _OWN_LINK.fullmatch(url) else ""
