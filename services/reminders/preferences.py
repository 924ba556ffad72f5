"""`ReminderPreferences`: what a student wants to be told, by which channel and when; all off until they choose it."""

from collections.abc import Callable, Collection, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from datetime import date, datetime, time, timedelta
from enum import StrEnum
from typing import Any
from zoneinfo import ZoneInfo

from services.errors import DuplicateDocument, WriteConflict
from services.runtime.clock import Clock, moment, stamp
from services.storage.documents import Document
from services.storage.due_queue import DueQueue
from services.storage.records import record_reader
from services.storage.store import Store

COLLECTION = "reminder_preferences"
_ID = "preferences"
LOOK_EVERY = timedelta(hours=1)
"""How often it is looked whether something is due, and, outside quiet hours, what the services of a student with nudges
tell; each reading stands in their activity."""
WORK_TIME = timedelta(minutes=5)
"""After so long, the work on one student that never ended is begun anew."""
TRIES = 4


class Channel(StrEnum):
    EMAIL = "email"
    PUSH = "push"


class Topic(StrEnum):
    """What a student can be told. DIGEST: the morning digest. DUE: due tomorrow and not begun."""

    DIGEST = "digest"
    DUE = "due"
    GRADE = "grade"
    ANNOUNCEMENT = "announcement"
    MOVED = "moved"


_CHANNELS, _TOPICS = frozenset(map(str, Channel)), frozenset(map(str, Topic))
NUDGES = frozenset(Topic) - {Topic.DIGEST}
FIRST_TOPICS = {Channel.EMAIL: frozenset({Topic.DIGEST}), Channel.PUSH: frozenset({Topic.DUE, Topic.MOVED})}
"""What a channel brings when it is switched on, until the student chooses."""


@dataclass(frozen=True, kw_only=True)
class ReminderPreferences:
    """topics: what is switched on, by channel; a channel that is on without topics brings reminders at a time only.

    since: when each channel was last switched on: what happened before is no news. quiet_from, quiet_until: hours in
    which no nudge goes out, the same time for none. shows_grades: whether points may stand where a lock screen shows
    them. All times are of the student's own clock.
    """

    topics: Mapping[Channel, frozenset[Topic]] = field(default_factory=dict)
    since: Mapping[Channel, datetime] = field(default_factory=dict)
    digest_at: time = time(7)
    quiet_from: time = time(22)
    quiet_until: time = time(7)
    shows_grades: bool = False

    def is_on(self, channel: Channel) -> bool:
        return channel in self.topics

    def with_channel(self, channel: Channel, topics: Collection[Topic] | None = None) -> "ReminderPreferences":
        """With a channel switched on, for these topics; without any given for its first ones."""
        chosen = FIRST_TOPICS[channel] if topics is None else frozenset(topics)
        return replace(self, topics={**self.topics, channel: chosen})

    def without(self, channel: Channel) -> "ReminderPreferences":
        return replace(self, topics={other: topics for other, topics in self.topics.items() if other != channel})

    def wants(self, channel: Channel, topic: Topic) -> bool:
        return topic in self.topics.get(channel, frozenset())

    def wanted_nudges(self, channel: Channel) -> frozenset[Topic]:
        return self.topics.get(channel, frozenset()) & NUDGES

    def is_quiet(self, local: datetime) -> bool:
        """Whether no nudge may go out now. local: in the student's zone."""
        now = local.time()
        if self.quiet_from <= self.quiet_until:
            return self.quiet_from <= now < self.quiet_until
        return now >= self.quiet_from or now < self.quiet_until

    def loud_from(self, now: datetime, zone: ZoneInfo) -> datetime:
        """The first moment from now on that is not in the quiet hours."""
        return _next(self.quiet_until, now, zone) if self.is_quiet(now.astimezone(zone)) else now

    def digest_moment(self, day: date, zone: ZoneInfo) -> datetime:
        """When the digest of a day is due; one that the clock skips in spring comes an hour later."""
        return datetime.combine(day, self.digest_at, zone)

    def next_look(self, now: datetime, zone: ZoneInfo) -> datetime | None:
        """When there may be something to send next; None as long as nothing is asked for.

        Within the hour also when a digest alone is wanted: a student who travels may have another morning by then.
        """
        if not any(self.topics.values()):
            return None
        looks = [now + LOOK_EVERY]
        if any(self.wants(channel, Topic.DIGEST) for channel in Channel):
            looks.append(_next(self.digest_at, now, zone))
        if any(self.wanted_nudges(channel) for channel in Channel):
            looks.append(_next(self.quiet_until, now, zone))
        return min(looks, key=stamp)


def _next(at: time, now: datetime, zone: ZoneInfo) -> datetime:
    """When a student's clock shows this time next."""
    today = now.astimezone(zone).date()
    found = (datetime.combine(today + timedelta(days=n), at, zone) for n in (0, 1, 2))
    return next(moment for moment in found if stamp(moment) > stamp(now))


class PreferencesRepository:
    """Repository of preferences, one document for each student, and the order of work on them."""

    def __init__(self, store: Store, clock: Clock) -> None:
        self._store, self._clock = store, clock
        self.queue = DueQueue(store=store, job="remind", collection=COLLECTION, due_field="next_look_at", clock=clock)
        """All students whom a look is due for."""

    def get(self, student_id: str) -> ReminderPreferences:
        document = self._document(student_id)
        return ReminderPreferences() if document is None else _read(document)

    def update(
        self, student_id: str, edit: Callable[[ReminderPreferences], ReminderPreferences]
    ) -> ReminderPreferences:
        """Change them by a function of what they are; raises `WriteConflict` when others never stop changing them."""
        documents = self._store.for_student(student_id)
        for _ in range(TRIES):
            document, now = self._document(student_id), self._clock()
            known = ReminderPreferences() if document is None else _read(document)
            edited = edit(known)
            # What was chosen anew brings no news from before.
            edited = replace(edited, since={channel: known.since.get(channel, now) for channel in edited.topics})
            # Looked at once at the next round, which then finds the time of the next look.
            look = stamp(now) if any(edited.topics.values()) else None
            version = 0 if document is None else document["version"]
            fields = {**_written(edited, document or {}), "next_look_at": look, "version": version + 1}
            with suppress(DuplicateDocument):
                if document is None:
                    documents.insert(COLLECTION, {"id": _ID, **fields})
                    return edited
                if documents.compare_and_set(COLLECTION, _ID, {"version": version}, fields):
                    return edited
        raise WriteConflict(COLLECTION)

    def switch_off(self, student_id: str, channel: Channel) -> None:
        """Switch a channel off; nothing happens where it is off."""
        if self.get(student_id).is_on(channel):
            self.update(student_id, lambda known: known.without(channel))

    def take_look(self, student_id: str) -> ReminderPreferences | None:
        """Take the look that is due for a student, for one process alone; call `look_again` when that is done.

        None where another process was first.
        """
        now = self._clock()
        due, later = {"next_look_at": {"$lte": stamp(now)}}, {"next_look_at": stamp(now + WORK_TIME)}
        taken = self._store.for_student(student_id).compare_and_set(COLLECTION, _ID, due, later)
        return None if taken is None else _read(taken)

    def look_again(self, student_id: str, at: datetime | None) -> None:
        """Set the time of the next look; a change of the preferences since then has asked for an earlier one."""
        expected = {"next_look_at": {"$gt": stamp(self._clock())}}
        self._store.for_student(student_id).compare_and_set(
            COLLECTION, _ID, expected, {"next_look_at": stamp(at) if at else None}
        )

    def _document(self, student_id: str) -> Document | None:
        return self._store.for_student(student_id).get(COLLECTION, _ID)


def _written(preferences: ReminderPreferences, stored: Document) -> dict[str, Any]:
    """The fields to store. Channels and topics that only a later version has stay as they are stored."""
    before = stored.get("topics", {})
    topics = {
        str(channel): sorted({*map(str, topics), *(name for name in before.get(channel, ()) if name not in _TOPICS)})
        for channel, topics in preferences.topics.items()
    }
    return {
        "topics": _of_later_channels(before) | topics,
        "since": _of_later_channels(stored.get("since", {}))
        | {str(channel): stamp(at) for channel, at in preferences.since.items()},
        "digest_at": f"{preferences.digest_at:%H:%M}",
        "quiet_from": f"{preferences.quiet_from:%H:%M}",
        "quiet_until": f"{preferences.quiet_until:%H:%M}",
        "shows_grades": preferences.shows_grades,
    }


def _of_later_channels(stored: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in stored.items() if name not in _CHANNELS}


@record_reader(COLLECTION)
def _read(document: Document) -> ReminderPreferences:
    return ReminderPreferences(
        topics={
            Channel(name): frozenset(Topic(topic) for topic in topics if topic in _TOPICS)
            for name, topics in document["topics"].items()
            if name in _CHANNELS
        },
        since={Channel(name): moment(at) for name, at in document["since"].items() if name in _CHANNELS},
        digest_at=time.fromisoformat(document["digest_at"]),
        quiet_from=time.fromisoformat(document["quiet_from"]),
        quiet_until=time.fromisoformat(document["quiet_until"]),
        shows_grades=document["shows_grades"],
    )
