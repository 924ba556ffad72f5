"""`MaterialLibrary`: what a student is told of their materials, and what never (T30)."""

import threading
from dataclasses import replace

import pytest

from services.errors import ItemNotFound, PermissionMissing, ReconnectRequired, ServiceUnavailable
from services.files.upload import FileRefused, Upload
from services.materials.limits import estimate_read_ahead
from services.materials.results import CourseState, ReadAheadEstimate
from tests.fakes import FakeClock
from tests.file_samples import pdf
from tests.services.materials.school import BIOLOGY, HISTORY, OSMOSIS, ROME, LibraryRoom, SchoolSource, eventually

LECTURE = f"{BIOLOGY}.lecture-1"
OF_OSMOSIS = "where is osmosis defined?"
AWAY = ServiceUnavailable("School", "School does not answer.")


def test_courses_are_listed_live_with_what_is_read_of_them(room: LibraryRoom) -> None:
    room.read_ahead(BIOLOGY)

    found = room.library.courses(room.maya)

    biology, history = found.courses
    assert found.is_live
    assert (biology.course.name, biology.state, biology.materials, biology.read) == ("Biology 201", "ready", 1, 1)
    assert (history.state, history.read) == (CourseState.OFF, 0)


def test_a_material_is_read_in_when_it_is_first_asked_for(room: LibraryRoom) -> None:
    room.library.materials(room.maya, BIOLOGY)

    found = room.library.pages(room.maya, LECTURE)

    assert [page.label for page in found.pages] == ["Osmosis", "Diffusion"]
    assert "movement of water" in found.pages[0].text
    assert room.school.fetched == [LECTURE]


def test_only_the_asked_pages_are_given_and_nothing_is_fetched_twice(room: LibraryRoom) -> None:
    room.library.pages(room.maya, LECTURE)

    again = room.library.pages(room.maya, LECTURE, [2, 9])

    assert [page.number for page in again.pages] == [2]
    assert again.count == 2
    assert room.school.fetched == [LECTURE]


def test_a_question_over_a_course_that_was_never_read_is_answered(room: LibraryRoom) -> None:
    found = room.library.search(room.maya, "where is osmosis defined?", course_keys=[BIOLOGY])

    assert (found.hits[0].material.id, found.hits[0].page.number) == (LECTURE, 1)
    assert "membrane" in found.hits[0].passage
    assert (found.searched, found.unread, found.is_live) == (1, 0, True)


def test_a_question_does_not_wait_for_the_reading_which_goes_on_behind(room: LibraryRoom) -> None:
    released = threading.Event()
    room.school.on_fetch = lambda _: released.wait(30) and None

    found = room.library.search(room.maya, OF_OSMOSIS, course_keys=[BIOLOGY], within_s=0.2)

    assert room.school.fetched == []
    assert (found.hits, found.searched, found.unread, found.reading) == ([], 0, 1, [BIOLOGY])
    assert "1 material is still being read" in " ".join(found.notes)
    released.set()
    room.work()
    eventually(lambda: not room.library.search(room.maya, OF_OSMOSIS, course_keys=[BIOLOGY]).unread)
    again = room.library.search(room.maya, OF_OSMOSIS, course_keys=[BIOLOGY], within_s=0.0)
    assert (len(again.hits), again.reading) == (1, [])


def test_a_question_does_not_wait_for_a_long_listing_and_has_what_it_lists_read_behind(
    room: LibraryRoom, monkeypatch: pytest.MonkeyPatch
) -> None:
    released, listing = threading.Event(), SchoolSource.listing
    room.library.courses(room.maya)
    monkeypatch.setattr(SchoolSource, "listing", lambda *asked: listing(*asked) if released.wait(30) else None)

    found = room.library.search(room.maya, OF_OSMOSIS, course_keys=[BIOLOGY], within_s=0.1)

    assert (found.unread, found.reading) == (0, [BIOLOGY])
    assert "The materials of Biology 201 are still being listed." in " ".join(found.notes)
    released.set()
    room.work()
    assert len(room.library.search(room.maya, OF_OSMOSIS, course_keys=[BIOLOGY], within_s=0.0).hits) == 1


def test_a_question_over_all_courses_reads_all_of_them(room: LibraryRoom) -> None:
    found = room.library.search(room.maya, "when did the republic end?")

    assert found.hits[0].material.id == f"{HISTORY}.reader"
    assert sorted(room.school.fetched) == [LECTURE, f"{HISTORY}.reader"]


def test_what_is_closed_since_is_gone_from_answers_at_once_and_from_the_store(room: LibraryRoom) -> None:
    room.read_ahead(BIOLOGY)
    room.school.closed.add(("Maya", LECTURE))

    found = room.library.search(room.maya, "osmosis", course_keys=[BIOLOGY])

    assert found.hits == []
    assert room.stored("material_texts") == room.stored("material_indexes") == 0
    with pytest.raises((PermissionMissing, ItemNotFound)):
        room.library.pages(room.maya, LECTURE)


def test_what_is_locked_since_is_told_with_its_reason(room: LibraryRoom) -> None:
    room.library.pages(room.maya, LECTURE)
    room.school.lock(LECTURE)
    room.clock.advance(minutes=2)

    with pytest.raises(PermissionMissing, match="Opens on Friday"):
        room.library.pages(room.maya, LECTURE)

    (told,) = room.library.materials(room.maya, BIOLOGY).materials
    assert (told.material.locked, told.is_read) == ("Opens on Friday.", False)
    assert room.stored("material_texts") == 0


def test_a_locked_material_is_never_fetched(room: LibraryRoom) -> None:
    room.school.lock(LECTURE)

    room.read_ahead(BIOLOGY)
    room.library.search(room.maya, "osmosis", course_keys=[BIOLOGY])

    assert room.school.fetched == []


def test_two_students_see_what_each_may_read(room: LibraryRoom) -> None:
    ben = room.sign_in("ben")
    room.school.put(BIOLOGY, "solutions", b"# Solutions\n\nThe answer to osmosis problem three is 4.2.\n")
    room.school.closed.add(("Maya", f"{BIOLOGY}.solutions"))
    room.read_ahead(BIOLOGY, ben)

    his = room.library.search(ben, "osmosis problem", course_keys=[BIOLOGY])
    hers = room.library.search(room.maya, "osmosis problem", course_keys=[BIOLOGY])

    assert f"{BIOLOGY}.solutions" in {hit.material.id for hit in his.hits}
    assert {hit.material.id for hit in hers.hits} == {LECTURE}
    with pytest.raises(ItemNotFound):
        room.library.pages(room.maya, f"{BIOLOGY}.solutions")
    with pytest.raises(ItemNotFound):
        room.library.material(room.maya, f"{BIOLOGY}.solutions")


def test_with_the_source_away_the_library_answers_with_its_date(room: LibraryRoom) -> None:
    room.read_ahead(BIOLOGY)
    read_at = room.clock()
    room.clock.advance(days=1)
    room.school.failure = AWAY

    found = room.library.search(room.maya, "osmosis", course_keys=[BIOLOGY])
    pages = room.library.pages(room.maya, LECTURE)
    listed = room.library.materials(room.maya, BIOLOGY)

    assert [found.is_live, pages.is_live, listed.is_live] == [False] * 3
    assert [found.as_of, pages.as_of, listed.as_of] == [read_at] * 3
    assert found.hits[0].material.id == LECTURE
    assert "School does not answer. This is as of" in pages.notes[0]
    assert [course.course.key for course in room.library.courses(room.maya).courses] == [BIOLOGY, HISTORY]


def test_what_was_never_read_cannot_be_told_while_its_source_is_away(room: LibraryRoom) -> None:
    room.library.materials(room.maya, BIOLOGY)
    room.clock.advance(minutes=5)
    room.school.failure = AWAY

    with pytest.raises(ServiceUnavailable):
        room.library.pages(room.maya, LECTURE)


def test_a_revoked_account_tells_nothing_any_more(room: LibraryRoom) -> None:
    room.read_ahead(BIOLOGY)
    room.school.failure = ReconnectRequired("School", "School ended your access.")

    with pytest.raises(ReconnectRequired):
        room.library.pages(room.maya, LECTURE)
    found = room.library.search(room.maya, "osmosis", course_keys=[BIOLOGY])

    assert found.hits == []
    assert "School ended your access." in " ".join(found.notes)


def test_a_replaced_file_is_read_anew(room: LibraryRoom) -> None:
    room.library.pages(room.maya, LECTURE)
    room.school.put(BIOLOGY, "lecture-1", b"# Osmosis\n\nNow with a tonicity table.\n")
    room.clock.advance(minutes=2)

    found = room.library.pages(room.maya, LECTURE)

    assert "tonicity" in found.pages[0].text
    assert room.stored("material_texts") == room.stored("material_indexes") == 1


def test_an_unchanged_course_is_not_fetched_again(room: LibraryRoom) -> None:
    room.school.put(BIOLOGY, "lecture-2", b"# Enzymes\n\nEnzymes are catalysts.\n")
    room.read_ahead(BIOLOGY)
    room.school.put(BIOLOGY, "lecture-2", b"# Enzymes\n\nEnzymes lower the activation energy.\n")
    room.clock.advance(hours=7)

    room.work()

    assert room.school.fetched.count(LECTURE) == 1
    assert room.school.fetched.count(f"{BIOLOGY}.lecture-2") == 2


def test_a_file_that_cannot_be_read_is_told_and_not_tried_again(room: LibraryRoom) -> None:
    room.school.put(BIOLOGY, "broken", b"%PDF-1.7 nothing follows", ending="pdf")
    room.read_ahead(BIOLOGY)

    told = {listed.material.id: listed for listed in room.library.materials(room.maya, BIOLOGY).materials}
    status = room.library.courses(room.maya).courses[0]

    assert told[f"{BIOLOGY}.broken"].refusal
    assert (status.state, status.read, status.failed) == (CourseState.READY, 1, 1)
    with pytest.raises(FileRefused):
        room.library.pages(room.maya, f"{BIOLOGY}.broken")
    assert room.school.fetched.count(f"{BIOLOGY}.broken") == 1


def test_a_removed_course_leaves_nothing_but_its_uploads(room: LibraryRoom) -> None:
    room.read_ahead(BIOLOGY)
    room.library.add_upload(room.maya, BIOLOGY, Upload(name="notes.md", content=b"# My notes\n\nOsmosis again.\n"))

    room.library.remove(room.maya, BIOLOGY)
    room.work()

    assert room.stored("materials") == room.stored("material_texts") == 1
    (left,) = room.library.materials(room.maya, BIOLOGY, live=False).materials
    assert left.material.title == "notes.md"


def test_a_listing_that_is_not_whole_deletes_nothing_that_can_be_read(room: LibraryRoom) -> None:
    room.school.put(BIOLOGY, "gone", ROME)
    room.read_ahead(BIOLOGY)
    room.school.hidden.add(LECTURE)
    del room.school.materials[f"{BIOLOGY}.gone"]
    room.school.notes = ("The files could not be listed.",)

    room.library.materials(room.maya, BIOLOGY)
    found = room.library.search(room.maya, "osmosis", course_keys=[BIOLOGY])

    assert found.hits[0].material.id == LECTURE
    assert room.stored("material_texts") == 1


def test_what_a_whole_listing_does_not_name_is_gone(room: LibraryRoom) -> None:
    room.read_ahead(BIOLOGY)
    room.school.materials.pop(LECTURE)

    room.library.materials(room.maya, BIOLOGY)

    assert room.stored("materials") == room.stored("material_texts") == 0


def test_a_course_that_is_closed_loses_what_was_read(room: LibraryRoom) -> None:
    room.read_ahead(BIOLOGY)
    del room.school.courses[BIOLOGY]

    with pytest.raises(PermissionMissing):
        room.library.materials(room.maya, BIOLOGY)

    assert room.stored("material_texts") == 0
    assert BIOLOGY not in {course.course.key for course in room.library.courses(room.maya).courses}


def test_what_came_in_a_files_place_is_tried_again_after_a_while(room: LibraryRoom) -> None:
    maintenance = b"<!doctype html><title>Maintenance</title><p>We are back soon.</p>"
    lecture = room.school.put(BIOLOGY, "slides", maintenance, ending="pdf")
    room.library.materials(room.maya, BIOLOGY)
    with pytest.raises(FileRefused, match="a web page came"):
        room.library.pages(room.maya, lecture.id)
    room.school.contents[lecture.id] = pdf("Osmosis")
    with pytest.raises(FileRefused, match="a web page came"):
        room.library.pages(room.maya, lecture.id)
    assert isinstance(room.clock, FakeClock)
    room.clock.advance(minutes=6)

    assert "Osmosis" in room.library.pages(room.maya, lecture.id).pages[0].text


def test_an_unknown_course_is_told_as_such(room: LibraryRoom) -> None:
    for ask in (room.library.materials, room.library.read_ahead, room.library.remove):
        with pytest.raises(ItemNotFound):
            ask(room.maya, "school-none")


def estimate(room: LibraryRoom, *, live: bool = True) -> ReadAheadEstimate:
    listed = room.library.materials(room.maya, BIOLOGY, live=live).materials
    return estimate_read_ahead(listed, room.library.usage(room.maya))


def test_an_estimate_tells_what_reading_ahead_takes(room: LibraryRoom) -> None:
    found = estimate(room)

    assert (found.materials, found.unread, found.unread_bytes, found.fits) == (1, 1, len(OSMOSIS), True)


def test_an_estimate_stands_while_its_source_is_away_for_long(room: LibraryRoom) -> None:
    room.library.materials(room.maya, BIOLOGY)
    room.clock.advance(hours=2)
    room.school.failure = AWAY

    assert estimate(room, live=False).unread == 1


def test_an_estimate_leaves_out_what_is_never_fetched(room: LibraryRoom) -> None:
    recording = room.school.put(BIOLOGY, "recording", b"ftypmp42", ending="mp4")
    room.school.materials[recording.id] = replace(recording, size=412_000_000)

    found = estimate(room)

    assert (found.materials, found.unread, found.unread_bytes) == (2, 1, len(OSMOSIS))
