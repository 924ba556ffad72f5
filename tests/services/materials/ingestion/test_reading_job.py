"""`ReadingJob`: courses read ahead, in turn, by whichever replica is free (R77)."""

import threading

import pytest

from services.errors import PermissionMissing, ReconnectRequired, ServiceUnavailable, Throttled, TooLarge
from services.materials.ingestion import reading_job
from services.materials.ingestion.reading_job import KIND, reading_lease
from services.materials.results import CourseState, CourseStatus
from tests.services.materials.school import BIOLOGY, HISTORY, LibraryRoom, eventually


def status(room: LibraryRoom, key: str = BIOLOGY) -> CourseStatus:
    found = room.library.courses(room.maya, live=False).courses
    return next(course for course in found if course.course.key == key)


def fill(room: LibraryRoom, number: int) -> None:
    for n in range(number):
        room.school.put(BIOLOGY, f"reading-{n}", f"# Part {n}\n\nWords of part {n}.\n".encode())


def test_a_paused_course_is_not_read_until_it_is_resumed(room: LibraryRoom) -> None:
    room.library.courses(room.maya)
    room.library.read_ahead(room.maya, BIOLOGY)
    room.library.pause(room.maya, BIOLOGY)
    room.work()
    assert (status(room).state, room.school.fetched) == (CourseState.PAUSED, [])

    room.library.resume(room.maya, BIOLOGY)
    room.work()

    assert (status(room).state, status(room).read) == (CourseState.READY, 1)


def test_a_pause_ends_a_reading_between_two_materials(room: LibraryRoom) -> None:
    fill(room, 5)
    room.school.on_fetch = lambda id: room.library.pause(room.maya, BIOLOGY) if "reading-1" in id else None

    room.read_ahead(BIOLOGY)

    assert status(room).state == CourseState.PAUSED
    assert status(room).read == len(room.school.fetched) == 3


def test_a_removal_ends_a_reading_and_nothing_comes_back(room: LibraryRoom) -> None:
    fill(room, 5)
    room.school.on_fetch = lambda id: room.library.remove(room.maya, BIOLOGY) if "reading-1" in id else None

    room.read_ahead(BIOLOGY)

    assert status(room).state == CourseState.OFF
    assert room.stored("materials") == room.stored("material_texts") == room.stored("material_indexes") == 0


def test_courses_take_turns_when_a_slice_is_over(room: LibraryRoom, monkeypatch: pytest.MonkeyPatch) -> None:
    fill(room, 3)
    for n in range(3):
        room.school.put(HISTORY, f"source-{n}", b"# Letter\n\nA letter of the time.\n")
    # Each look at this clock takes a second, so that a slice has time for one material.
    monkeypatch.setattr(reading_job, "SLICE_S", 1.5)
    monkeypatch.setattr(room.services.material_reading, "_monotonic", iter(range(1000)).__next__)
    ben = room.sign_in("ben")
    for student, course in ((room.maya, BIOLOGY), (ben, HISTORY)):
        room.library.read_ahead(student, course)
        room.clock.advance(seconds=1)

    while room.services.material_reading.run_once():
        room.clock.advance(seconds=1)

    assert [id.partition(".")[0] for id in room.school.fetched] == [BIOLOGY, HISTORY] * 4


def test_a_throttled_service_is_left_alone_for_as_long_as_it_asks(room: LibraryRoom) -> None:
    room.library.courses(room.maya)
    room.school.failure = Throttled("School", "School asks to slow down.", retry_after_s=600)
    room.read_ahead(BIOLOGY)
    room.school.failure = None
    room.clock.advance(seconds=590)
    room.work()
    assert room.school.fetched == []

    room.clock.advance(seconds=20)
    room.work()

    assert status(room).read == 1


def test_a_service_that_is_away_is_asked_less_and_less_often_and_that_is_told(room: LibraryRoom) -> None:
    room.library.courses(room.maya)
    room.school.failure = ServiceUnavailable("School", "School does not answer.")
    room.read_ahead(BIOLOGY)
    asked = 0
    for _ in range(120):
        room.clock.advance(minutes=1)
        asked += room.services.material_reading.run_once()

    assert 5 <= asked <= 10
    assert (status(room).state, status(room).trouble) == (CourseState.QUEUED, "School does not answer.")
    room.school.failure = None
    room.clock.advance(hours=1)
    room.work()
    assert (status(room).state, status(room).trouble) == (CourseState.READY, "")


def test_a_revoked_account_is_told_with_the_course(room: LibraryRoom) -> None:
    room.library.courses(room.maya)
    room.school.failure = ReconnectRequired("School", "School ended your access.")

    room.read_ahead(BIOLOGY)

    assert status(room).trouble == "School ended your access."
    assert not room.services.connections.all(room.maya.id)["school"].health.offers_tools


def test_what_a_dead_process_began_is_finished_by_another(room: LibraryRoom) -> None:
    fill(room, 3)
    room.library.read_ahead(room.maya, BIOLOGY)
    leases = room.services.turns._leases
    dead = reading_lease(room.maya.id, BIOLOGY)
    leases.acquire(dead)
    leases.abandon(dead)
    room.work()
    assert room.school.fetched == []

    room.clock.advance(seconds=60)
    room.work()

    assert status(room).read == 4
    assert room.stored("material_texts") == 4
    assert room.services.store.shared.find("leases", {"kind": KIND}) == []


def test_one_account_is_read_by_one_reading_at_a_time(room: LibraryRoom) -> None:
    room.library.courses(room.maya)
    began, go_on = threading.Event(), threading.Event()

    def hold(_: str) -> None:
        began.set()
        go_on.wait(10)

    room.school.on_fetch = hold
    room.library.read_ahead(room.maya, BIOLOGY)
    room.library.read_ahead(room.maya, HISTORY)
    reading = threading.Thread(target=room.services.material_reading.run_once)
    reading.start()
    began.wait(10)

    has_begun_another = room.services.material_reading.run_once()

    go_on.set()
    reading.join()
    assert not has_begun_another


def test_a_course_nobody_asks_for_is_not_looked_at_again_until_its_student_is_back(room: LibraryRoom) -> None:
    room.read_ahead(BIOLOGY)
    room.clock.advance(days=30)
    room.work()
    room.school.listings = 0
    room.clock.advance(days=1)
    room.work()
    assert room.school.listings == 0

    room.library.materials(room.maya, BIOLOGY, live=False)
    room.work()

    assert room.school.listings == 1


def test_the_threads_read_what_is_switched_on_and_end(room: LibraryRoom) -> None:
    room.library.courses(room.maya)
    room.services.material_reading.start()
    try:
        room.library.read_ahead(room.maya, BIOLOGY)
        eventually(lambda: status(room).state == CourseState.READY)
    finally:
        room.services.material_reading.stop()

    assert not [thread for thread in threading.enumerate() if thread.name.startswith("material-reading")]


def test_one_material_that_fails_for_the_moment_holds_up_no_other(room: LibraryRoom) -> None:
    fill(room, 4)
    failing = ["school-bio.reading-0"]

    def fail(id: str) -> None:
        if id in failing:
            raise ServiceUnavailable("School", "School could not send this.")

    room.school.on_fetch = fail
    room.read_ahead(BIOLOGY)
    assert status(room).read == 4
    failing.clear()
    room.clock.advance(hours=1)

    room.work()

    assert (status(room).state, status(room).read) == (CourseState.READY, 5)


def test_what_its_source_does_not_give_out_is_noted_and_not_asked_for_again(room: LibraryRoom) -> None:
    fill(room, 2)
    asked: list[str] = []

    def refuse(id: str) -> None:
        asked.append(id)
        if id == "school-bio.reading-0":
            raise TooLarge("School", "This file is too large.", next_step="Open it there.")

    room.school.on_fetch = refuse
    room.read_ahead(BIOLOGY)
    room.clock.advance(hours=7)
    room.work()

    listed = room.library.materials(room.maya, BIOLOGY, live=False).materials
    refusals = {found.material.id: found.refusal for found in listed if found.refusal}
    assert refusals == {"school-bio.reading-0": "This file is too large."}
    assert asked.count("school-bio.reading-0") == 1
    assert status(room).state == CourseState.READY


def test_a_withdrawn_consent_ends_a_reading_between_two_materials_and_a_new_one_goes_on(room: LibraryRoom) -> None:
    fill(room, 5)
    consents = room.services.consents
    room.school.on_fetch = lambda id: consents.withdraw(room.maya, "school") if "reading-1" in id else None

    room.read_ahead(BIOLOGY)
    room.clock.advance(hours=7)
    room.work()

    withheld = status(room)
    assert (withheld.state, withheld.read, len(room.school.fetched)) == (CourseState.PAUSED, 3, 3)
    assert "not agreed" in withheld.trouble

    room.school.on_fetch = lambda id: None
    consents.agree(room.maya, [consents.terms.account(room.services.integrations["school"])])
    room.work()

    assert (status(room).state, status(room).read, status(room).trouble) == (CourseState.READY, 6, "")


def test_a_withdrawn_consent_ends_what_a_question_began(room: LibraryRoom, monkeypatch: pytest.MonkeyPatch) -> None:
    fill(room, 5)
    room.library.search(room.maya, "osmosis", course_keys=[BIOLOGY], within_s=0.0)
    room.services.consents.withdraw(room.maya, "school")
    fetched = len(room.school.fetched)

    room.work()

    assert (status(room).state, len(room.school.fetched)) == (CourseState.OFF, fetched)


def test_without_consent_to_its_account_no_course_can_be_read_ahead(room: LibraryRoom) -> None:
    room.library.courses(room.maya)
    room.services.consents.withdraw(room.maya, "school")

    for begin in (room.library.read_ahead, room.library.resume):
        with pytest.raises(PermissionMissing, match="not agreed"):
            begin(room.maya, BIOLOGY)

    assert status(room).state == CourseState.OFF
