"""`Retention`: what nobody uses, and what crashes and lost accounts left, is deleted in time."""

from services.files.upload import Upload
from tests.services.materials.school import BIOLOGY, ROME, LibraryRoom


def lose(room: LibraryRoom, **changes: str) -> None:
    """Leave a part of a text as a process does that dies before it names it."""
    where = {"id": "lost.y.000", "material_id": "lost", "reading": "y", "at": "2026-11-23T14:59:00.000000+00:00"}
    room.services.store.for_student(room.maya.id).insert("material_texts", {**where, "data": "", **changes})


def test_what_nobody_asked_for_in_half_a_year_goes(room: LibraryRoom) -> None:
    room.read_ahead(BIOLOGY)
    room.clock.advance(days=170)
    room.services.material_retention.tidy_due()
    assert room.stored("material_texts") == 1

    room.clock.advance(days=20)
    room.services.material_retention.tidy_due()

    assert room.stored("material_texts") == room.stored("materials") == room.stored("material_courses") == 0


def test_what_is_asked_for_stays(room: LibraryRoom) -> None:
    room.read_ahead(BIOLOGY)
    for _ in range(4):
        room.clock.advance(days=100)
        room.library.search(room.maya, "osmosis", course_keys=[BIOLOGY])
        room.services.material_retention.tidy_due()

    assert room.stored("material_texts") == 1


def test_uploads_stay_for_as_long_as_their_student_wants(room: LibraryRoom) -> None:
    added = room.library.add_upload(room.maya, BIOLOGY, Upload(name="rome.md", content=ROME))
    room.clock.advance(days=800)

    room.services.material_retention.tidy_due()

    assert room.library.pages(room.maya, added.id).pages[0].label == "Rome"


def test_what_a_dead_process_left_goes_and_what_is_being_stored_stays(room: LibraryRoom) -> None:
    room.read_ahead(BIOLOGY)
    lose(room)
    lose(room, id="now.y.000", material_id="now", at="2026-11-24T15:30:00.000000+00:00")
    room.clock.advance(days=1, hours=1)

    room.services.material_retention.tidy_due()

    assert room.stored("material_texts") == 2
    assert room.library.pages(room.maya, f"{BIOLOGY}.lecture-1").pages


def test_a_disconnection_that_a_dead_process_left_halfway_is_finished(room: LibraryRoom) -> None:
    room.read_ahead(BIOLOGY)
    room.services.store.for_student(room.maya.id).delete("connections", {"id": "school"})
    room.clock.advance(days=2)

    room.services.material_retention.tidy_due()

    assert room.stored("material_texts") == room.stored("materials") == 0


def test_a_library_is_looked_at_once_a_day(room: LibraryRoom) -> None:
    room.read_ahead(BIOLOGY)
    room.clock.advance(days=1, minutes=1)

    looked = [room.services.material_retention.tidy_due() for _ in range(3)]

    assert looked == [1, 0, 0]
