"""A student sees where they are signed in, roughly, and a session that was ended is not there any more."""

import pytest

from services.identity.browser_names import browser_name
from services.identity.sign_in_sessions import MOST, SIGN_IN_ACCEPTED_FOR
from services.identity.students import Student, Students
from services.storage.documents import Documents
from services.storage.store import Store
from tests.fakes import FakeClock, FakeDocuments
from tests.room_fixtures import engine, engine_clock  # noqa: F401 - fixtures

FIREFOX = "Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:128.0) Gecko/20100101 Firefox/128.0"


def sign_in(students: Students, session: int, browser: str = "Firefox on Windows") -> Student:
    who = {"issuer": "https://id.example", "subject": "maya", "name": "Maya", "email": ""}
    return students.sign_in(**who, session=session, browser=browser)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("user_agent", "name"),
    [
        (FIREFOX, "Firefox on Windows"),
        ("Mozilla/5.0 (X11; CrOS x86_64) AppleWebKit/537.36 Chrome/126.0 Safari/537.36", "Chrome on ChromeOS"),
        ("Mozilla/5.0 (Windows NT 10.0) AppleWebKit/537.36 Chrome/126.0 Safari/537.36 Edg/126.0", "Edge on Windows"),
        ("Mozilla/5.0 (Linux; Android 14; SM-S901B) Chrome/126 Mobile Safari/537.36", "Chrome on Android"),
        ("Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) Version/17.5 Safari/604.1", "Safari on an iPhone"),
        ("Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) Version/17.5 Safari/605.1.15", "Safari on a Mac"),
        ("curl/8.5.0", "A browser"),
        ("", "A browser"),
    ],
)
def test_a_browser_is_named_no_closer_than_by_its_kind(user_agent: str, name: str) -> None:
    assert browser_name(user_agent) == name


def test_each_session_is_listed_once_with_its_beginning_and_when_it_was_seen(engine: Documents) -> None:  # noqa: F811
    clock = FakeClock()
    students = Students(Store(engine), clock)
    began = clock()
    sign_in(students, 100)
    clock.advance(minutes=30)
    sign_in(students, 200, "Safari on an iPhone")
    clock.advance(minutes=5)
    maya = sign_in(students, 100)

    newest, other = students.sign_in_sessions(maya.id)

    assert (newest.session, newest.browser, newest.began_at, newest.seen_at) == (
        100,
        "Firefox on Windows",
        began,
        clock(),
    )
    assert other.session == 200


def test_within_ten_minutes_a_page_run_writes_nothing() -> None:
    clock, documents = FakeClock(), FakeDocuments()
    students = Students(Store(documents), clock)
    sign_in(students, 100)
    before = (documents.reads, documents.writes)
    clock.advance(minutes=9)

    sign_in(students, 100)

    assert (documents.reads - before[0], documents.writes - before[1]) == (1, 0)


def test_a_session_that_was_ended_is_out_and_not_listed(engine: Documents) -> None:  # noqa: F811
    students = Students(Store(engine), FakeClock())
    maya = sign_in(students, 100)
    sign_in(students, 200)

    students.end_session(maya.id, 200)

    assert sign_in(students, 200).is_signed_out
    assert [device.session for device in students.sign_in_sessions(maya.id)] == [100]
    students.end_all_sessions(maya.id)
    assert students.sign_in_sessions(maya.id) == []


def test_what_was_not_seen_for_long_is_forgotten_and_the_list_does_not_grow_without_end() -> None:
    clock = FakeClock()
    students = Students(Store(FakeDocuments()), clock)
    sign_in(students, 1)
    clock.advance(seconds=SIGN_IN_ACCEPTED_FOR.total_seconds() + 1)
    for session in range(2, MOST + 4):
        maya = sign_in(students, session)

    sessions = [device.session for device in students.sign_in_sessions(maya.id)]

    assert len(sessions) == MOST
    assert 1 not in sessions
    assert students.sign_in_sessions("nobody") == []
