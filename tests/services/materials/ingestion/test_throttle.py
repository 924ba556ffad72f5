"""A course of 300 files under a throttle: read to its end, each file once, and answers go before it."""

from pathlib import Path

from services.errors import Throttled
from services.materials.material import MaterialPage, MaterialText, PageUnit
from services.materials.results import CourseState
from services.materials.source import MaterialContent
from services.materials.store.text_parts import PackedText, pack_text
from services.storage.sqlite import SqliteDocuments
from tests.fakes import FakeClock
from tests.services.materials.school import BIOLOGY, LibraryRoom

FILES = 300
BURST = 40
"""Requests after which the school wants a minute of quiet."""


def pack(content: MaterialContent, *, is_background: bool) -> PackedText:
    return pack_text(MaterialText(unit=PageUnit.PAGE, pages=[MaterialPage(number=1, text=content.content.decode())]))


def test_three_hundred_files_are_read_in_spite_of_a_throttle(tmp_path: Path) -> None:
    clock = FakeClock()
    engine = SqliteDocuments(tmp_path / "homeroom.sqlite", clock=clock)
    room = LibraryRoom(engine, tmp_path, clock=clock)
    for n in range(FILES - 1):
        room.school.put(BIOLOGY, f"reading-{n}", f"Words of part {n}.".encode())
    room.library._parts.job._reader._pack = pack
    asked: list[float] = []
    refusals = 0

    def throttle(_: str) -> None:
        nonlocal refusals
        now = room.clock().timestamp()
        asked.append(now)
        if sum(now - at < 60 for at in asked) > BURST:
            refusals += 1
            raise Throttled("School", "School asks to slow down.", retry_after_s=60)

    room.school.on_fetch = throttle
    room.library.read_ahead(room.maya, BIOLOGY)
    for _ in range(60):
        room.work()
        room.clock.advance(seconds=61)

    (biology, _) = room.library.courses(room.maya, live=False).courses
    assert (biology.state, biology.read, biology.trouble) == (CourseState.READY, FILES, "")
    assert len(room.school.fetched) == len(set(room.school.fetched)) == FILES
    # The throttle is met once each time, never hammered.
    assert refusals <= FILES // BURST + 1
    engine.close()


def test_a_strained_account_is_left_to_the_answers(room: LibraryRoom) -> None:
    room.library.courses(room.maya)
    connection = room.services.connections.all(room.maya.id)["school"]
    backoff = room.services.connections._backoffs.of(room.maya.id, connection)
    backoff.go_one_by_one()

    room.read_ahead(BIOLOGY)
    assert room.school.fetched == []
    assert room.library.search(room.maya, "osmosis", course_keys=[BIOLOGY]).hits

    room.clock.advance(seconds=40)
    room.school.put(BIOLOGY, "lecture-2", b"# Enzymes\n\nEnzymes are catalysts.\n")
    room.clock.advance(hours=7)
    room.work()

    assert f"{BIOLOGY}.lecture-2" in room.school.fetched
