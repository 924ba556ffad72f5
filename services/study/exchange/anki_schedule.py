"""Schedules and logs of a student's cards in Anki's own terms, written into the collection of an export.

A card has a type (new, learning, review, relearning), a queue, and is due on a day since the collection's first one, or
at a second while it is being learned. What FSRS knows stands in its `data`.
Source: https://github.com/ankidroid/Anki-Android/wiki/Database-Structure and rslib/src/storage/card/data.rs.
"""

import json
import sqlite3
from collections.abc import Mapping, Sequence
from datetime import date, datetime
from zoneinfo import ZoneInfo

from services.study.flashcard import Flashcard, FlashcardState, Review
from services.study.review.scheduler import LEARNING, RELEARNING, REVIEW
from services.study.review.study_day import start_of_day, study_day

FIRST_DAY = date(2020, 1, 1)
"""The same in every export."""
SUSPENDED = -1
LEARNING_STEPS = 2
_IN_LEARNING, _IN_REVIEW = 1, 2
"""Queues: of cards that come back at a second, and on a day."""
_LATEST_SCHEDULER = 2


def write_schedules(
    database: sqlite3.Connection, cards: Sequence[Flashcard], logs: Mapping[str, Sequence[Review]], zone: ZoneInfo
) -> None:
    """Write what is known of each card into its row, by the guid of its note. logs: by the card's id."""
    (written,) = database.execute("SELECT conf FROM col").fetchone()
    conf = {**json.loads(written), "schedVer": _LATEST_SCHEDULER}
    first = int(start_of_day(FIRST_DAY, zone).timestamp())
    database.execute("UPDATE col SET crt = ?, conf = ?", (first, json.dumps(conf)))
    rows = dict(database.execute("SELECT n.guid, c.id FROM cards c JOIN notes n ON n.id = c.nid"))
    taken: set[int] = set()
    for card in cards:
        row = rows[card.guid]
        if card.schedule:
            columns = _columns(card, zone)
            setters = ", ".join(f"{name} = :{name}" for name in columns)
            database.execute(f"UPDATE cards SET {setters} WHERE id = :id", {**columns, "id": row})  # noqa: S608 - ours
        if card.state is FlashcardState.SUSPENDED:
            database.execute("UPDATE cards SET queue = ? WHERE id = ?", (SUSPENDED, row))
        _write_log(database, row, logs.get(card.id, ()), card, taken)


def _columns(card: Flashcard, zone: ZoneInfo) -> dict[str, object]:
    schedule = card.schedule
    state = schedule["state"]
    due, last = datetime.fromisoformat(schedule["due"]), datetime.fromisoformat(schedule["last_review"])
    stability, difficulty = schedule.get("stability") or 0.0, schedule.get("difficulty") or 5.0
    is_learning = state in (LEARNING, RELEARNING)
    steps = LEARNING_STEPS - (schedule.get("step") or 0) if state == LEARNING else 1
    return {
        # The states of FSRS have the numbers of Anki's types.
        "type": state,
        "queue": _IN_LEARNING if is_learning else _IN_REVIEW,
        "due": int(due.timestamp()) if is_learning else (study_day(due, zone) - FIRST_DAY).days,
        "ivl": 0 if state == LEARNING else _days(schedule, zone),
        "factor": round(3_500 - (difficulty - 1) / 9 * 2_200),
        "reps": card.reviews,
        "lapses": card.lapses,
        "left": steps if is_learning else 0,
        "data": json.dumps({"s": stability, "d": difficulty, "lrt": int(last.timestamp())} if stability else {}),
    }


def _days(schedule: Mapping[str, object], zone: ZoneInfo) -> int:
    due, last = (study_day(datetime.fromisoformat(str(schedule[name])), zone) for name in ("due", "last_review"))
    return max(1, (due - last).days)


def _write_log(database: sqlite3.Connection, row: int, log: Sequence[Review], card: Flashcard, taken: set[int]) -> None:
    """Rows of Anki's log; its id is the millisecond, of which each has one."""
    last = 0
    for number, review in enumerate(log):
        after = log[number + 1].before.get("schedule") if number + 1 < len(log) else card.schedule
        before = review.before.get("schedule", {}).get("state")
        days = _days(after, ZoneInfo("UTC")) if after and after.get("state") == REVIEW else 0
        id = int(review.at.timestamp() * 1_000)
        while id in taken:
            id += 1
        taken.add(id)
        kind = {REVIEW: 1, RELEARNING: 2}.get(before, 1 if number and not review.before else 0)
        milliseconds = int(review.seconds * 1_000)
        database.execute(
            "INSERT INTO revlog VALUES (?, ?, -1, ?, ?, ?, 0, ?, ?)",
            (id, row, int(review.rating), days, last, milliseconds, kind),
        )
        last = days
