"""`Ratings`: a student's ratings of answers, stored with the answer itself."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from services.discovery.daily_counters import DailyCounters
from services.errors import ItemNotFound
from services.i18n import gettext
from services.storage.store import Store

LONGEST_NOTE = 1_000


@dataclass(frozen=True, kw_only=True)
class Rating:
    """Rating of an answer. note: in the student's own words; no count and no log holds it."""

    is_good: bool
    note: str = field(default="", repr=False)


class Ratings:
    """Stores ratings in the `meta` of the answer's message, so that they are exported and deleted with it."""

    def __init__(self, store: Store, counters: DailyCounters) -> None:
        self._store = store
        self._counters = counters

    def rate(self, student_id: str, conversation_id: str, seq: int, rating: Rating | None) -> None:
        """Rate the answer at `seq`, or take the rating back; raises `ItemNotFound` when there is no such answer."""
        mine, id = self._store.for_student(student_id), f"{conversation_id}.{seq:06d}"
        message = mine.get("messages", id)
        if message is None or message["role"] != "assistant":
            raise ItemNotFound("Homeroom", gettext("This answer is not here any more."))
        before = rating_of(message["meta"])
        meta = {name: value for name, value in message["meta"].items() if name != "rating"}
        if rating is not None:
            meta["rating"] = {"is_good": rating.is_good, "note": rating.note.strip()[:LONGEST_NOTE]}
        mine.compare_and_set("messages", id, {}, {"meta": meta})
        if rating is not None and (before is None or before.is_good != rating.is_good):
            self._counters.add_amounts(student_id, {"thumbs_up" if rating.is_good else "thumbs_down": 1})


def rating_of(meta: Mapping[str, Any]) -> Rating | None:
    """Read the rating in an answer's `meta`."""
    written = meta.get("rating")
    return None if written is None else Rating(is_good=written["is_good"], note=written["note"])
