"""Preferences: kept whole, changed by several at once, and the time of the next look."""

from datetime import UTC, datetime, time, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from services.reminders.preferences import LOOK_EVERY, Channel, PreferencesRepository, ReminderPreferences, Topic
from services.storage.documents import Documents
from services.storage.store import Store
from tests.fakes import FakeClock

pytestmark = pytest.mark.any_store

times = st.times(max_value=time(23, 45)).map(
    lambda at: at.replace(minute=at.minute // 15 * 15, second=0, microsecond=0)
)
zones = st.sampled_from(["America/Chicago", "Europe/Madrid", "Asia/Kolkata", "Australia/Lord_Howe", "UTC"])
moments = st.datetimes(datetime(2026, 1, 1), datetime(2027, 12, 31)).map(lambda at: at.replace(tzinfo=UTC))
ALL = {Channel.EMAIL: frozenset(Topic)}


@given(times, times, moments, zones)
def test_the_next_look_is_at_the_digest_at_the_end_of_quiet_hours_or_within_the_hour(
    digest_at: time, quiet_until: time, now: datetime, zone: str
) -> None:
    wanted = ReminderPreferences(topics=ALL, digest_at=digest_at, quiet_until=quiet_until)

    look = wanted.next_look(now, ZoneInfo(zone))

    assert look
    assert timedelta(0) < look.astimezone(UTC) - now <= LOOK_EVERY
    if look.astimezone(UTC) - now < LOOK_EVERY:
        assert look.time() in (digest_at, quiet_until)


@given(times, moments, zones)
def test_a_student_with_a_digest_is_looked_for_at_its_time_each_day(at: time, now: datetime, zone: str) -> None:
    wanted, look = ReminderPreferences(topics={Channel.EMAIL: frozenset({Topic.DIGEST})}, digest_at=at), now
    looks = []
    for _ in range(30):
        look = wanted.next_look(look, ZoneInfo(zone)) or now
        looks.append(look.astimezone(ZoneInfo(zone)))

    days = {found.date() for found in looks}
    # An hour that the clocks skip has no such time; the digest then comes with the moment that stands for it.
    assert any(found.time() == at or found.utcoffset() != looks[0].utcoffset() for found in looks)
    assert len(days) >= 2


@pytest.mark.parametrize(
    ("quiet_from", "quiet_until", "now", "is_quiet"),
    [
        (time(22), time(7), time(23), True),
        (time(22), time(7), time(6, 59), True),
        (time(22), time(7), time(7), False),
        (time(22), time(7), time(21, 59), False),
        (time(12), time(14), time(13), True),
        (time(12), time(14), time(14), False),
        (time(7), time(7), time(7), False),
    ],
)
def test_quiet_hours_reach_over_midnight(quiet_from: time, quiet_until: time, now: time, is_quiet: bool) -> None:
    wanted = ReminderPreferences(quiet_from=quiet_from, quiet_until=quiet_until)

    assert wanted.is_quiet(datetime.combine(datetime(2026, 11, 23), now)) is is_quiet


def test_what_is_chosen_is_read_again(engine: Documents, clock: FakeClock) -> None:
    preferences = PreferencesRepository(Store(engine), clock)

    saved = preferences.update(
        "maya",
        lambda _: ReminderPreferences(
            topics=ALL, digest_at=time(6, 30), quiet_from=time(21), quiet_until=time(8), shows_grades=True
        ),
    )

    assert preferences.get("maya") == saved
    assert preferences.get("diego") == ReminderPreferences()


def test_a_change_of_one_thing_never_undoes_another_that_came_between(engine: Documents, clock: FakeClock) -> None:
    preferences = PreferencesRepository(Store(engine), clock)
    preferences.update("maya", lambda known: known.with_channel(Channel.EMAIL).with_channel(Channel.PUSH))
    came_between = []

    def edit(known: ReminderPreferences) -> ReminderPreferences:
        if not came_between:
            came_between.append(True)
            preferences.switch_off("maya", Channel.EMAIL)
        return known.with_channel(Channel.PUSH, {Topic.GRADE})

    preferences.update("maya", edit)

    assert preferences.get("maya").topics == {Channel.PUSH: frozenset({Topic.GRADE})}


@pytest.mark.each_store
def test_a_look_is_given_to_one_process_alone(engine: Documents, clock: FakeClock) -> None:
    first, second = (PreferencesRepository(Store(engine), clock) for _ in range(2))
    first.update("maya", lambda known: known.with_channel(Channel.EMAIL))
    clock.advance(seconds=1)

    due = [[record.student for record in replica.queue.take(10)] for replica in (first, second)]
    taken = [replica.take_look("maya") is not None for replica in (first, second)]

    assert (due, taken) == ([["maya"], ["maya"]], [True, False])


def test_nobody_is_looked_for_who_switched_everything_off(engine: Documents, clock: FakeClock) -> None:
    preferences = PreferencesRepository(Store(engine), clock)
    preferences.update("maya", lambda known: known.with_channel(Channel.EMAIL))
    preferences.switch_off("maya", Channel.EMAIL)
    clock.advance(seconds=3600)

    assert preferences.queue.take(10) == []
