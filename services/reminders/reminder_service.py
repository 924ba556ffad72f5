"""`ReminderService`: the job that looks for whom something is due and sends it; channels, tests, and what was sent."""

import secrets
import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, wait
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

from services.errors import HomeroomError, UsedTooOften
from services.i18n import formats, gettext, locale_scope
from services.identity.students import Student, Students
from services.reminders.deliveries import PAUSES, Deliveries, Delivery, Outcome
from services.reminders.digest import digest
from services.reminders.message import ReminderMessage
from services.reminders.nudges import nudge_message, nudges
from services.reminders.outbox import Outbox
from services.reminders.preferences import Channel, PreferencesRepository, ReminderPreferences, Topic
from services.reminders.push_subscriptions import NewSubscription, PushSubscription, PushSubscriptions
from services.reminders.timed_reminders import ReminderStatus, TimedReminder, TimedReminders
from services.reminders.unsubscribe import UnsubscribeLinks
from services.runtime.clock import Clock, stamp
from services.runtime.rate_limiter import RateLimiter, SlidingWindow
from services.runtime.thread_pools import DaemonPool
from services.storage.due_queue import ROUND_S, DueQueue, Work
from services.storage.store import OwnedId
from services.week.today import Today
from services.week.week import WeekEntry

DIGEST_WITHIN = timedelta(hours=4)
"""A digest that is later than that is left out: the morning is over."""
LATE_BY = timedelta(hours=6)
"""A reminder that is later than that is missed, and said to be."""
AT_ONCE, AT_ONE_TIME = 4, 100
"""Pieces of work that are done side by side, and taken up in one round."""
AFTER_A_FAILURE = timedelta(minutes=10)
TESTS = SlidingWindow(calls=3, seconds=600)
"""Test messages of one student."""
SHOWN = 20

TodayReader = Callable[[Student], Today]
"""Reads a student's day anew from their services; problems are part of it."""
EntryReader = Callable[[Student, str], WeekEntry | None]
"""Reads the work or event of a key (`WeekEntry.key`) anew; None when it is not found."""


class ReminderService:
    """All of it is idempotent: the ledger lets each message out once, however many replicas run this."""

    def __init__(
        self,
        *,
        preferences: PreferencesRepository,
        reminders: TimedReminders,
        deliveries: Deliveries,
        subscriptions: PushSubscriptions,
        outbox: Outbox,
        links: UnsubscribeLinks,
        students: Students,
        read_today: TodayReader,
        read_entry: EntryReader,
        limiter: RateLimiter,
        clock: Clock,
    ) -> None:
        self.preferences = preferences
        self.reminders = reminders
        self.outbox = outbox
        self.links = links
        self._deliveries = deliveries
        self._subscriptions = subscriptions
        self._students = students
        self._read_today = read_today
        self._read_entry = read_entry
        self._limiter = limiter
        self._clock = clock
        self._pool = DaemonPool("reminders", AT_ONCE)
        self._lock = threading.Lock()
        self._under_way: set[tuple[str, OwnedId]] = set()

    def run_due(self) -> None:
        """Send what is due now, each student in turn; one student's trouble keeps nobody else waiting.

        What takes longer than a round goes on behind. Raises `StorageUnavailable` when the store is away.
        """
        self._deliveries.sweep()
        begun = [*self._begin(self.reminders.queue, self._remind), *self._begin(self.preferences.queue, self._look)]
        ended, _ = wait(begun, ROUND_S)
        for work in ended:
            work.result()

    def _begin(self, queue: DueQueue, work: Work) -> Iterator[Future[None]]:
        """Begin what is due on the pool's threads, but for what still goes on from an earlier round."""
        for record in queue.take(AT_ONE_TIME):
            key = (queue.collection, record)
            with self._lock:
                is_new = key not in self._under_way
                self._under_way.add(key)
            if is_new:
                doing = self._pool.submit_for(record.student, queue.work_on, record, work)
                doing.add_done_callback(lambda _, key=key: self._end(key))  # type: ignore[misc]
                yield doing

    def _end(self, key: tuple[str, OwnedId]) -> None:
        with self._lock:
            self._under_way.discard(key)

    def send_test(self, student: Student, channel: Channel) -> Sequence[Outcome]:
        """Send a test now; its outcomes, none where the channel has an obstacle. Raises `UsedTooOften`."""
        if wait_s := self._limiter.acquire(f"reminder-tests/{student.id}", TESTS):
            raise UsedTooOften(gettext("That is enough tests for now."), retry_after_s=wait_s)
        message = ReminderMessage(
            title=gettext("A test from Homeroom"),
            brief=gettext("Reminders reach you here."),
        )
        key = f"test {secrets.token_hex(8)}"
        return self.outbox.send(student, channel, {key: message.title}, lambda _: message)

    def add_device(self, student: Student, new: NewSubscription, *, session: int) -> PushSubscription:
        """Let a browser take notifications; raises `BadArguments`, `ToolUnavailable` where nothing sends any."""
        push = self.outbox.require_push()
        push.check(new.endpoint)
        added = self._subscriptions.add(student.id, new, session=session, server_key=push.fingerprint)
        if not self.preferences.get(student.id).is_on(Channel.PUSH):
            self.preferences.update(student.id, lambda known: known.with_channel(Channel.PUSH))
        return added

    def remove_device(self, student: Student, id: str) -> None:
        self._subscriptions.remove(student.id, id)

    def remove_endpoint(self, student: Student, endpoint: str) -> None:
        """Remove the browser of this address."""
        self._subscriptions.remove_endpoint(student.id, endpoint)

    def latest(self, student: Student) -> Sequence[Delivery]:
        return self._deliveries.latest(student.id, SHOWN)

    def _look(self, student_id: str, _: str) -> None:
        wanted = self.preferences.take_look(student_id)
        if wanted is None:
            return
        student, now = self._students.get(student_id), self._clock()
        if student is None or student.is_disabled:
            self.preferences.look_again(student_id, None)
            return
        zone = ZoneInfo(student.timezone)
        try:
            with locale_scope(student.locale):
                is_waiting = self._tell(student, wanted, now.astimezone(zone))
        except HomeroomError:
            self.preferences.look_again(student_id, now + AFTER_A_FAILURE)
            raise
        next_look = wanted.next_look(now, zone)
        soon = now + PAUSES[0]
        if is_waiting and (next_look is None or stamp(soon) < stamp(next_look)):
            next_look = soon
        self.preferences.look_again(student_id, next_look)

    def _tell(self, student: Student, wanted: ReminderPreferences, now: datetime) -> bool:
        """Send what is due; whether something is to be tried again soon."""
        usable = [
            channel for channel in Channel if wanted.is_on(channel) and not self.outbox.obstacle(student, channel)
        ]
        key = f"digest {now.date()}"
        digests = [channel for channel in usable if self._is_digest_due(student, wanted, channel, key, now)]
        nudged = [channel for channel in usable if wanted.wanted_nudges(channel) and not wanted.is_quiet(now)]
        if not digests and not nudged:
            return False
        today = replace(self._read_today(student), now=now)
        waiting = [self._send_digest(student, wanted, channel, key, today) for channel in digests]
        waiting += [self._send_nudges(student, wanted, channel, today) for channel in nudged]
        return any(waiting)

    def _is_digest_due(
        self, student: Student, wanted: ReminderPreferences, channel: Channel, key: str, now: datetime
    ) -> bool:
        if not wanted.wants(channel, Topic.DIGEST):
            return False
        due, zone = wanted.digest_moment(now.date(), ZoneInfo(student.timezone)), ZoneInfo("UTC")
        is_time = due.astimezone(zone) <= now.astimezone(zone) < due.astimezone(zone) + DIGEST_WITHIN
        is_older = wanted.since[channel].astimezone(zone) <= due.astimezone(zone)
        return is_time and is_older and bool(self.outbox.unsent(student, channel, [key]))

    def _send_digest(
        self, student: Student, wanted: ReminderPreferences, channel: Channel, key: str, today: Today
    ) -> bool:
        message = digest(today, shows_grades=wanted.shows_grades)
        if message is None:
            return False
        self.outbox.send(student, channel, {key: message.title}, lambda _: message)
        return bool(self.outbox.unsent(student, channel, [key]))

    def _send_nudges(self, student: Student, wanted: ReminderPreferences, channel: Channel, today: Today) -> bool:
        by_key = {nudge.key: nudge for nudge in nudges(today, wanted, channel)}
        open_keys = self.outbox.unsent(student, channel, list(by_key))
        if not open_keys:
            return False
        titles = {key: by_key[key].line for key in open_keys}
        self.outbox.send(student, channel, titles, lambda keys: nudge_message([by_key[key] for key in keys]))
        return bool(self.outbox.unsent(student, channel, open_keys))

    def _remind(self, student_id: str, id: str) -> None:
        reminder = self.reminders.get(student_id, id)
        if reminder is None:
            return
        student, now = self._students.get(student_id), self._clock()
        if student is None or student.is_disabled or now > reminder.remind_at + LATE_BY:
            self.reminders.close(student_id, reminder, ReminderStatus.MISSED)
            return
        if now < reminder.remind_at:
            self._reschedule(student, reminder)
            return
        with locale_scope(student.locale):
            when = formats.moment(reminder.entry_at or reminder.remind_at, ZoneInfo(student.timezone))
            message = ReminderMessage(title=gettext("Reminder: {text}", text=reminder.text), brief=when)
            channel, key = self._open_channel(student, reminder.channel), f"reminder {reminder.id}"
            if channel is None:
                return
            self.outbox.send(student, channel, {key: message.title}, lambda _: message)
            if not self.outbox.unsent(student, channel, [key]):
                self.reminders.close(student_id, reminder, ReminderStatus.SENT)

    def _reschedule(self, student: Student, reminder: TimedReminder) -> None:
        """Move a reminder as far as what it moves with has moved. One that would have come by now comes at once, or
        when the quiet hours are over, where that is still before what it is about.
        """
        if not self.reminders.take_look(student.id, reminder):
            return
        entry = self._read_entry(student, reminder.moves_with)
        if entry is None or entry.is_whole_day or stamp(entry.start) == stamp(reminder.entry_at or entry.start):
            return
        now, start = self._clock(), entry.start.astimezone(UTC)
        remind_at = start - reminder.lead
        if remind_at <= now:
            loud_from = self.preferences.get(student.id).loud_from(now, ZoneInfo(student.timezone)).astimezone(UTC)
            remind_at = loud_from if loud_from < start else now
        self.reminders.move(student.id, reminder, start, remind_at)

    def usable_channels(self, student: Student) -> list[Channel]:
        """Channels that are switched on and have nothing in the way, notifications first: they come at once."""
        wanted = self.preferences.get(student.id)
        order = (Channel.PUSH, Channel.EMAIL)
        return [channel for channel in order if wanted.is_on(channel) and not self.outbox.obstacle(student, channel)]

    def _open_channel(self, student: Student, wanted: Channel) -> Channel | None:
        """The channel of the card; another one when nothing goes out there any more. None when nothing does at all:
        the reminder is then tried again behind what others wait for, until it is too late for it.
        """
        usable = self.usable_channels(student)
        return wanted if wanted in usable else next(iter(usable), None)
