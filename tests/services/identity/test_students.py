"""A student is a person behind (issuer, subject): one document, whoever asks first, whatever the e-mail (T12)."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Barrier
from typing import Any

import pytest

from services.errors import BadArguments, SignInRequired
from services.identity.students import Student, Students
from services.storage.documents import Document, Where
from services.storage.sqlite import SqliteDocuments
from services.storage.store import Store
from tests.fakes import FakeClock, FakeDocuments

MAYA = {"issuer": "https://campus.example", "subject": "maya", "name": "Maya Chen", "email": "maya@campus.example"}


@pytest.fixture
def engine() -> FakeDocuments:
    return FakeDocuments()


@pytest.fixture
def students(engine: FakeDocuments) -> Students:
    return Students(Store(engine), FakeClock())


@pytest.fixture
def replicas(tmp_path: Path) -> Iterator[list[Students]]:
    """Four programs' views of one database."""
    engines = [SqliteDocuments(tmp_path / "homeroom.sqlite") for _ in range(4)]
    yield [Students(Store(engine), FakeClock()) for engine in engines]
    for engine in engines:
        engine.close()


def test_signing_in_again_finds_the_same_student(students: Students) -> None:
    first = students.sign_in(**MAYA, timezone="America/Chicago")

    assert students.sign_in(**MAYA) == first
    assert students.get(first.id) == first
    assert (first.name, first.email, first.timezone) == ("Maya Chen", "maya@campus.example", "America/Chicago")


def test_signing_in_again_costs_one_read_and_no_write(students: Students, engine: FakeDocuments) -> None:
    students.sign_in(**MAYA)
    reads, writes = engine.reads, engine.writes
    students.sign_in(**MAYA)

    assert (engine.reads - reads, engine.writes - writes) == (1, 0)


def test_a_changed_name_or_address_changes_no_identity(students: Students) -> None:
    before = students.sign_in(**MAYA)
    after = students.sign_in(**{**MAYA, "name": "Maya Chen-Ruiz", "email": "mchen@campus.example"})

    assert after.id == before.id
    assert students.get(before.id) == after
    assert (after.name, after.email) == ("Maya Chen-Ruiz", "mchen@campus.example")


@pytest.mark.parametrize("change", [{"issuer": "https://other.example"}, {"subject": "someone-else"}])
def test_an_equal_address_is_not_an_equal_person(students: Students, change: dict[str, str]) -> None:
    student, other = students.sign_in(**MAYA), students.sign_in(**{**MAYA, **change})

    assert student.id != other.id


def test_an_address_taken_over_by_somebody_else_gives_them_nothing(students: Students) -> None:
    maya = students.sign_in(**MAYA)
    students.sign_in(**{**MAYA, "email": "maya.new@campus.example"})
    heir = students.sign_in(**{**MAYA, "subject": "another-maya"})

    assert heir.id != maya.id


def test_ids_tell_nothing_about_the_person(students: Students) -> None:
    ids = {students.sign_in(**{**MAYA, "subject": str(n)}).id for n in range(50)}

    assert len(ids) == 50
    assert all(len(id) == 32 and set(id) <= set("0123456789abcdef") for id in ids)


def test_a_first_sign_in_on_four_replicas_at_once_makes_one_student(replicas: list[Students]) -> None:
    for round in range(10):
        start = Barrier(len(replicas))

        def sign_in(students: Students, subject: str = f"s{round}", start: Barrier = start) -> Student:
            start.wait()
            return students.sign_in(**{**MAYA, "subject": subject})

        with ThreadPoolExecutor(len(replicas)) as pool:
            signed_in = list(pool.map(sign_in, replicas))
        assert len({student.id for student in signed_in}) == 1
        assert all(students.get(signed_in[0].id) == signed_in[0] for students in replicas)


def test_who_loses_the_race_gets_the_winners_student() -> None:
    engine = LateDocuments()
    students = Students(Store(engine), FakeClock())
    winner = students.sign_in(**MAYA)
    engine.is_blind_once = True

    assert students.sign_in(**MAYA) == winner


def test_a_disabled_student_is_known_as_such_everywhere_and_stays_so(students: Students) -> None:
    maya = students.sign_in(**MAYA)
    disabled = students.disable(maya.id)

    assert disabled.is_disabled
    assert students.get(maya.id) == disabled
    assert students.sign_in(**MAYA) == disabled
    assert students.sign_in(**{**MAYA, "name": "M"}).is_disabled


@pytest.mark.parametrize("timezone", ["Europe/Berlin", "America/Argentina/Buenos_Aires", "UTC"])
def test_a_student_chooses_a_time_zone_and_keeps_it(students: Students, timezone: str) -> None:
    maya = students.sign_in(**MAYA, timezone="America/Chicago")

    assert students.set_timezone(maya.id, timezone).timezone == timezone
    assert students.sign_in(**MAYA, timezone="America/Chicago").timezone == timezone


@pytest.mark.parametrize(
    "timezone", ["", "Mars/Olympus", "../../etc/passwd", "/etc/localtime", "America", "UTC\0", "é"]
)
def test_a_time_zone_that_does_not_exist_is_refused(students: Students, timezone: str) -> None:
    maya = students.sign_in(**MAYA, timezone=timezone)
    assert maya.timezone == "UTC"
    with pytest.raises(BadArguments) as caught:
        students.set_timezone(maya.id, timezone)

    assert caught.value.field == "timezone"
    assert students.get(maya.id) == maya


def test_nobody_is_changed_who_is_not_there(students: Students) -> None:
    for change in (lambda: students.disable("nobody"), lambda: students.set_timezone("nobody", "UTC")):
        with pytest.raises(SignInRequired):
            change()
    assert students.get("nobody") is None


class LateDocuments(FakeDocuments):
    """Looks for a student a moment before another replica's insert becomes visible."""

    is_blind_once = False

    def find(self, collection: str, where: Where, **how: Any) -> list[Document]:
        if self.is_blind_once:
            self.is_blind_once = False
            return []
        return super().find(collection, where, **how)


@pytest.mark.parametrize("missing", [{"issuer": ""}, {"subject": ""}, {"issuer": "  "}, {"subject": "\t"}])
def test_an_identity_without_issuer_or_subject_opens_no_account(students: Students, missing: dict[str, str]) -> None:
    with pytest.raises(SignInRequired, match="did not say who you are"):
        students.sign_in(**{**MAYA, **missing})

    assert students.with_email(MAYA["email"]) == []


@pytest.mark.parametrize(
    ("name", "email", "called", "greeted"),
    [
        ("Maya Chen", "m@campus.example", "Maya Chen", "Maya"),
        ("  ", "maya.chen@campus.example", "maya.chen", "maya.chen"),
        ("", "", "", "there"),
    ],
)
def test_somebody_without_a_name_is_called_by_their_address_or_just_greeted(
    students: Students, name: str, email: str, called: str, greeted: str
) -> None:
    someone = students.sign_in(**{**MAYA, "name": name, "email": email})

    assert (someone.name, someone.first_name) == (called, greeted)


def test_a_session_that_was_signed_out_counts_no_more_and_the_others_do(students: Students) -> None:
    laptop, phone = students.sign_in(**MAYA, session=100), students.sign_in(**MAYA, session=200)

    students.end_session(laptop.id, 100)

    assert (laptop.is_signed_out, phone.is_signed_out) == (False, False)
    assert students.sign_in(**MAYA, session=100).is_signed_out
    assert not students.sign_in(**MAYA, session=200).is_signed_out


def test_signing_out_everywhere_ends_every_session_so_far_and_none_that_comes_later(students: Students) -> None:
    maya = students.sign_in(**MAYA, session=100)
    students.sign_in(**MAYA, session=200)

    students.end_all_sessions(maya.id)

    assert [students.sign_in(**MAYA, session=s).is_signed_out for s in (100, 200, 201, 0)] == [True, True, False, False]


def test_what_an_open_page_may_fetch_ends_with_its_session(students: Students) -> None:
    maya = students.sign_in(**MAYA, session=10)
    students.sign_in(**MAYA, session=20)
    students.end_session(maya.id, 10)
    assert [students.has_valid_session(maya.id, session) for session in (10, 20, 0)] == [False, True, True]
    students.end_all_sessions(maya.id)
    assert [students.has_valid_session(maya.id, session) for session in (10, 20, 30)] == [False, False, True]
    students.disable(maya.id)
    assert not students.has_valid_session(maya.id, 30)
    students.remove(maya.id)
    assert not students.has_valid_session(maya.id, 0)


def test_a_sign_in_once_more_with_the_same_identity_writes_nothing(students: Students, engine: FakeDocuments) -> None:
    students.sign_in(**MAYA, session=100)
    writes = engine.writes

    students.sign_in(**MAYA, session=100)

    assert engine.writes == writes


def test_a_session_that_was_ended_stays_so_however_many_follow_for_as_long_as_its_cookie_lives() -> None:
    clock, documents = FakeClock(), FakeDocuments()
    students = Students(Store(documents), clock)
    maya = students.sign_in(**MAYA, session=1)

    for session in range(1, 80):
        students.sign_in(**MAYA, session=session)
        students.end_session(maya.id, session)
        clock.advance(hours=8)
    first_days = [session for session in range(1, 80) if students.has_valid_session(maya.id, session)]
    clock.advance(days=32)
    students.end_session(maya.id, 80)

    assert first_days == []
    kept = Store(documents).shared.get("students", maya.id)
    assert kept is not None
    assert list(kept["ended"]) == ["80"]


def test_more_sessions_than_are_remembered_end_all_that_began_before_them(
    students: Students, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("services.identity.sign_in_sessions.MOST_ENDED", 20)
    maya = students.sign_in(**MAYA, session=1)

    for session in range(2, 25):
        students.end_session(maya.id, session)

    assert [session for session in range(1, 26) if students.has_valid_session(maya.id, session)] == [25]


def test_sessions_that_are_ended_at_the_same_time_are_all_ended(replicas: list[Students]) -> None:
    maya = replicas[0].sign_in(**MAYA, session=1)
    together = Barrier(4)

    def end(which: int) -> None:
        together.wait()
        for turn in range(10):
            replicas[which].end_session(maya.id, 100 + which * 10 + turn)

    with ThreadPoolExecutor(4) as pool:
        list(pool.map(end, range(4)))

    assert [session for session in range(100, 140) if replicas[0].has_valid_session(maya.id, session)] == []


def test_the_newest_session_stays_the_newest_when_two_begin_at_once(students: Students, engine: FakeDocuments) -> None:
    maya = students.sign_in(**MAYA, session=100)
    unpaused, begun = engine.compare_and_set, list[int]()

    def slowly(collection: str, id: str, expected: Where, changes: Any) -> Document | None:
        if not begun and changes.get("newest_session") == 101:
            begun.append(102)
            students.sign_in(**MAYA, session=102)
        return unpaused(collection, id, expected, changes)

    engine.compare_and_set = slowly  # type: ignore[method-assign]
    students.sign_in(**MAYA, session=101)
    students.end_all_sessions(maya.id)

    assert [session for session in (100, 101, 102) if students.has_valid_session(maya.id, session)] == []


def test_sessions_that_were_ended_before_their_times_were_kept_stay_ended(
    students: Students, engine: FakeDocuments
) -> None:
    maya = students.sign_in(**MAYA, session=9)
    engine.compare_and_set("students", maya.id, {}, {"ended": [7, 8]})

    students.end_session(maya.id, 9)

    assert [session for session in (7, 8, 9) if students.has_valid_session(maya.id, session)] == []
