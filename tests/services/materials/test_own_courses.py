"""Uploads, courses of the student's own, and what stays when an account goes."""

import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from services.errors import BadArguments, ItemNotFound, ServiceUnavailable
from services.files.upload import FileRefused, Upload
from services.materials import own_courses as own_courses_module
from services.materials.ingestion.ingester import pack_document
from services.materials.limits import MOST_OWN_COURSES, LibraryFull, LibraryLimits
from services.materials.source import MaterialContent
from services.materials.store.text_parts import PackedText
from tests.services.materials.school import BIOLOGY, ROME, LibraryRoom


def test_uploads_are_found_without_any_account(room: LibraryRoom) -> None:
    zoe = room.sign_in("zoe", connected=False)
    shelf = room.library.add_own_course(zoe, "Reading group")
    assert not room.library.has_anything(zoe.id)

    added = room.library.add_upload(zoe, shelf.key, Upload(name="rome.md", content=ROME))
    found = room.library.search(zoe, "republic")

    assert room.library.has_anything(zoe.id)
    assert [hit.material.id for hit in found.hits] == [added.id]
    assert found.is_live
    room.library.remove_upload(zoe, added.id)
    assert room.stored("material_uploads", zoe) == room.stored("material_texts", zoe) == 0


def test_the_same_upload_twice_is_one(room: LibraryRoom) -> None:
    for _ in range(2):
        room.library.add_upload(room.maya, BIOLOGY, Upload(name="rome.md", content=ROME))

    assert room.stored("material_uploads") == room.stored("materials") == 1


def test_nothing_stays_of_a_file_whose_course_is_removed_while_it_is_read(
    room: LibraryRoom, monkeypatch: pytest.MonkeyPatch
) -> None:
    shelf, shelves = room.library.add_own_course(room.maya, "Reading group"), room.library._parts.own_courses
    pack = shelves._pack

    def removed_meanwhile(content: MaterialContent, *, is_background: bool) -> PackedText:
        room.library.remove_own_course(room.maya, shelf.key)
        return pack(content, is_background=is_background)

    monkeypatch.setattr(shelves, "_pack", removed_meanwhile)
    with pytest.raises(ItemNotFound):
        room.library.add_upload(room.maya, shelf.key, Upload(name="rome.md", content=ROME))

    assert room.stored("materials") == room.stored("material_uploads") == room.stored("material_texts") == 0


def test_two_files_at_once_do_not_pass_the_limit_together_whatever_replica_they_come_to(
    room: LibraryRoom, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = LibraryRoom(room.engine, tmp_path, school=room.school, clock=room.clock)
    shelf, both = room.library.add_own_course(room.maya, "Reading group"), threading.Barrier(2)

    def at_once(content: MaterialContent, *, is_background: bool) -> PackedText:
        packed = pack_document(content, is_background=is_background)
        both.wait(30)
        return packed

    def slowly(add: Callable[..., None], *arguments: Any) -> None:
        time.sleep(0.1)
        add(*arguments)

    def upload(replica: LibraryRoom, content: bytes) -> bool:
        try:
            replica.library.add_upload(room.maya, shelf.key, Upload(name="rome.md", content=content))
        except LibraryFull:
            return False
        return True

    for replica in (room, other):
        shelves = replica.library._parts.own_courses
        replica.library._parts.meter.limits = LibraryLimits(in_all=10**9, uploads=len(ROME) + 10)
        monkeypatch.setattr(shelves, "_pack", at_once)
        monkeypatch.setattr(shelves._uploads, "add", partial(slowly, shelves._uploads.add))
    with ThreadPoolExecutor(2) as threads:
        added = list(threads.map(upload, (room, other), (ROME, ROME + b" Again.")))

    assert sorted(added) == [False, True]
    assert room.stored("material_uploads") == 1


def test_a_file_waits_for_one_that_is_being_stored_and_not_for_a_replica_that_has_died(
    room: LibraryRoom, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(own_courses_module, "WAIT_S", 0.0)
    other = LibraryRoom(room.engine, tmp_path, school=room.school, clock=room.clock)
    shelf, file = room.library.add_own_course(room.maya, "Reading group"), Upload(name="rome.md", content=ROME)
    stores = other.library._parts.own_courses._storing_alone(room.maya.id)
    stores.__enter__()

    with pytest.raises(ServiceUnavailable):
        room.library.add_upload(room.maya, shelf.key, file)
    room.clock.advance(minutes=1)
    added = room.library.add_upload(room.maya, shelf.key, file)

    assert room.library.pages(room.maya, added.id).count == 1


def test_another_ones_upload_is_not_there(room: LibraryRoom) -> None:
    ben = room.sign_in("ben")
    added = room.library.add_upload(ben, BIOLOGY, Upload(name="rome.md", content=ROME))

    with pytest.raises(ItemNotFound):
        room.library.pages(room.maya, added.id)
    with pytest.raises(ItemNotFound):
        room.library.remove_upload(room.maya, added.id)


def test_disconnecting_removes_what_was_read_and_keeps_uploads_on_a_shelf(room: LibraryRoom) -> None:
    room.read_ahead(BIOLOGY)
    added = room.library.add_upload(room.maya, BIOLOGY, Upload(name="rome.md", content=ROME))

    room.services.connections.disconnect(room.maya.id, "school")

    (kept,) = room.library.courses(room.maya).courses
    assert (kept.course.name, kept.uploads, kept.pages) == ("Biology 201", 1, 0)
    assert room.stored("materials") == room.stored("material_texts") == 1
    assert room.library.pages(room.maya, added.id).pages[0].label == "Rome"


def test_another_account_finds_nothing_of_the_first(room: LibraryRoom) -> None:
    room.read_ahead(BIOLOGY)

    room.connect(room.maya, as_whom="Ben")

    assert room.library.courses(room.maya).courses[0].read == 0
    assert room.stored("material_texts") == 0


def test_reconnecting_the_same_account_keeps_what_was_read(room: LibraryRoom) -> None:
    room.read_ahead(BIOLOGY)
    room.clock.advance(hours=2)

    room.connect(room.maya)

    assert room.library.courses(room.maya).courses[0].read == 1


def test_a_file_that_cannot_be_read_is_not_kept(room: LibraryRoom) -> None:
    with pytest.raises(FileRefused):
        room.library.add_upload(room.maya, BIOLOGY, Upload(name="scan.pdf", content=b"%PDF-1.4 cut off"))

    assert room.stored("material_uploads") == room.stored("materials") == 0


def test_a_file_that_cannot_be_read_is_to_be_saved_anew_as_it_is_the_original(room: LibraryRoom) -> None:
    shelf = room.library.add_own_course(room.maya, "Reading group")

    with pytest.raises(FileRefused) as refused:
        room.library.add_upload(room.maya, shelf.key, Upload(name="slides.pdf", content=b"%PDF-1.7 torn"))

    assert refused.value.next_step == "Save it as a PDF, and add that."


def test_a_course_takes_only_so_many_files(room: LibraryRoom, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(own_courses_module, "MOST_OWN_FILES", 2)
    shelf = room.library.add_own_course(room.maya, "Reading group")
    for name in ("one", "two"):
        room.library.add_upload(room.maya, shelf.key, Upload(name=f"{name}.md", content=f"# {name}".encode()))

    with pytest.raises(LibraryFull):
        room.library.add_upload(room.maya, shelf.key, Upload(name="three.md", content=b"# three"))


@pytest.mark.parametrize("name", ["", "  \u200b ", "reading GROUP"])
def test_a_shelf_needs_a_name_of_its_own(room: LibraryRoom, name: str) -> None:
    room.library.add_own_course(room.maya, "Reading group")

    with pytest.raises(BadArguments):
        room.library.add_own_course(room.maya, name)


def test_there_are_only_so_many_shelves(room: LibraryRoom) -> None:
    for n in range(MOST_OWN_COURSES):
        room.library.add_own_course(room.maya, f"Shelf {n}")

    with pytest.raises(BadArguments):
        room.library.add_own_course(room.maya, "One more")


def test_a_removed_shelf_takes_its_files_along(room: LibraryRoom) -> None:
    shelf = room.library.add_own_course(room.maya, "Reading group")
    room.library.add_upload(room.maya, shelf.key, Upload(name="rome.md", content=ROME))

    room.library.remove_own_course(room.maya, shelf.key)

    assert room.stored("materials") == room.stored("material_texts") == room.stored("material_uploads") == 0


def test_a_course_of_the_school_is_no_shelf_to_remove(room: LibraryRoom) -> None:
    room.library.courses(room.maya)

    with pytest.raises(ItemNotFound):
        room.library.remove_own_course(room.maya, BIOLOGY)
