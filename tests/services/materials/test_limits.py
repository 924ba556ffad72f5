"""Limits of the library: told before they are reached, and kept."""

import pytest

from services.files.upload import Upload
from services.materials.limits import LibraryFull, LibraryLimits, estimate_read_ahead
from services.materials.results import CourseState
from tests.services.materials.school import BIOLOGY, LibraryRoom


def limit(room: LibraryRoom, **bytes_: int) -> None:
    """Give this room's library other limits."""
    meter = room.library._parts.meter
    meter.limits = LibraryLimits(**{"text": 10**6, "uploads": 10**6, "in_all": 10**9} | bytes_)
    meter._counted_at = float("-inf")


def fill(room: LibraryRoom, number: int) -> None:
    for n in range(number):
        room.school.put(BIOLOGY, f"reading-{n}", f"# Part {n}\n\nWords of part {n}.\n".encode())


def test_a_full_library_stops_reading_and_says_why(room: LibraryRoom) -> None:
    fill(room, 9)
    room.read_ahead(BIOLOGY)
    used = room.library.usage(room.maya).text_bytes
    room.library.remove(room.maya, BIOLOGY)
    limit(room, text=used // 2)

    room.read_ahead(BIOLOGY)

    status = room.library.courses(room.maya).courses[0]
    usage = room.library.usage(room.maya)
    assert 0 < status.read < 10
    assert status.state == CourseState.QUEUED
    assert "full" in status.trouble
    assert usage.text_bytes <= used // 2
    assert usage.warning


def test_a_question_over_a_full_library_answers_from_what_is_read(room: LibraryRoom) -> None:
    room.read_ahead(BIOLOGY)
    fill(room, 3)
    limit(room, text=room.library.usage(room.maya).text_bytes)
    room.clock.advance(minutes=20)

    found = room.library.search(room.maya, "osmosis", course_keys=[BIOLOGY])

    assert found.hits
    assert found.unread == 3
    assert any("full" in note for note in found.notes)


def test_the_warning_comes_before_the_limit(room: LibraryRoom) -> None:
    room.read_ahead(BIOLOGY)
    used = room.library.usage(room.maya).text_bytes
    limit(room, text=used * 2)
    assert room.library.usage(room.maya).warning == ""

    limit(room, text=int(used / 0.8))

    assert room.library.usage(room.maya).warning


def test_an_estimate_tells_that_a_course_does_not_fit(room: LibraryRoom) -> None:
    fill(room, 30)
    limit(room, text=500_000)

    listed = room.library.materials(room.maya, BIOLOGY).materials
    found = estimate_read_ahead(listed, room.library.usage(room.maya))

    assert not found.fits
    assert found.warning


@pytest.mark.parametrize(("more", "fits"), [(0, True), (-1, False)])
def test_an_upload_fits_to_the_byte(room: LibraryRoom, more: int, fits: bool) -> None:
    content = b"# Notes\n\n" + b"words " * 50
    limit(room, uploads=len(content) + more)

    if fits:
        room.library.add_upload(room.maya, BIOLOGY, Upload(name="notes.md", content=content))
        assert room.library.usage(room.maya).upload_bytes == len(content)
        with pytest.raises(LibraryFull):
            room.library.add_upload(room.maya, BIOLOGY, Upload(name="more.md", content=b"one more"))
    else:
        with pytest.raises(LibraryFull):
            room.library.add_upload(room.maya, BIOLOGY, Upload(name="notes.md", content=content))
        assert room.stored("material_uploads") == 0


def test_what_all_students_store_has_a_limit_too(room: LibraryRoom) -> None:
    room.read_ahead(BIOLOGY)
    ben = room.sign_in("ben")
    limit(room, in_all=room.library.usage(room.maya).text_bytes)

    with pytest.raises(LibraryFull, match="no room"):
        room.library.pages(ben, room.library.materials(ben, BIOLOGY).materials[0].material.id)

    assert room.stored("material_texts", ben) == 0


def test_removing_makes_room(room: LibraryRoom) -> None:
    room.read_ahead(BIOLOGY)
    limit(room, text=room.library.usage(room.maya).text_bytes - 1)
    with pytest.raises(LibraryFull):
        room.library.read_ahead(room.maya, BIOLOGY)

    room.library.remove(room.maya, BIOLOGY)

    assert room.library.usage(room.maya).text_bytes == 0
    room.library.read_ahead(room.maya, BIOLOGY)
