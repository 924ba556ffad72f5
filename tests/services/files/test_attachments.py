"""Files are kept once in their chat, whole and for their student alone, and go with it."""

import logging

import pytest

from services.errors import ItemNotFound
from services.files import attachments as kept
from services.files.attachments import Attachment
from services.files.upload import FilesRefused, Upload
from tests import file_samples as samples
from tests.rooms import Room, RoomMaker

pytestmark = pytest.mark.any_store

SECRET = "marmalade"
TEXT = Upload(name="plan.txt", content=f"Buy {SECRET}".encode())
PDF = Upload(name="notes.pdf", content=samples.pdf("Onion cells"))


def attach(room: Room, *uploads: Upload, conversation: str = "c") -> list[Attachment]:
    files = room.services.conversations.files
    return files.store_files(room.maya.id, conversation, files.check_uploads(room.maya.id, uploads))


def rows(room: Room) -> dict[str, int]:
    mine = room.services.store.for_student(room.maya.id)
    return {name: len(mine.find(name, {})) for name in (kept.COLLECTION, kept.PARTS)}


@pytest.mark.each_store
def test_a_file_comes_back_whole_however_many_parts_it_is_kept_in(
    room: RoomMaker, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(kept, "PART", 300)
    home = room()

    (file,) = attach(home, PDF)

    files = home.services.conversations.files
    assert rows(home)[kept.PARTS] == -(-len(PDF.content) // 300) > 1
    assert files.read_original(home.maya.id, "c", file.id) == PDF.content
    assert files.read_for_model(home.maya.id, "c", file)


def test_the_same_file_is_kept_once_in_a_chat(room: RoomMaker) -> None:
    home = room()
    attach(home, TEXT)
    before = rows(home)

    attach(home, TEXT, Upload(name="again.txt", content=TEXT.content))

    assert rows(home) == before


def test_another_student_and_another_chat_do_not_reach_it(room: RoomMaker) -> None:
    home = room()
    (file,) = attach(home, TEXT)
    files, diego = home.services.conversations.files, home.sign_in("diego")

    for student_id, conversation in ((diego.id, "c"), (home.maya.id, "d")):
        with pytest.raises(ItemNotFound):
            files.read_original(student_id, conversation, file.id)
        assert files.read_for_model(student_id, conversation, file) is None


def test_a_deleted_chat_takes_its_files_along_and_leaves_those_of_others(room: RoomMaker) -> None:
    home = room()
    here, there = (home.services.conversations.create(home.maya.id) for _ in range(2))
    attach(home, TEXT, PDF, conversation=here)
    (left,) = attach(home, TEXT, conversation=there)

    home.services.conversations.delete(home.maya.id, here)

    assert home.services.conversations.files.read_original(home.maya.id, there, left.id) == TEXT.content
    assert rows(home) == {kept.COLLECTION: 1, kept.PARTS: 2}


def test_a_student_has_only_so_much_room(room: RoomMaker, monkeypatch: pytest.MonkeyPatch) -> None:
    home = room()
    attach(home, TEXT)
    monkeypatch.setattr(kept, "MOST_KEPT", len(TEXT.content) + 1)

    with pytest.raises(FilesRefused, match="are the most") as refused:
        attach(home, PDF)

    assert "Delete chats" in refused.value.next_step


def test_neither_name_nor_content_is_in_logs_and_reprs(room: RoomMaker, caplog: pytest.LogCaptureFixture) -> None:
    home = room()
    caplog.set_level(logging.DEBUG, logger="services")
    upload = Upload(name=f"{SECRET}.txt", content=TEXT.content)
    files = home.services.conversations.files

    checked = files.check_uploads(home.maya.id, [upload])
    attached = files.store_files(home.maya.id, "c", checked)

    assert SECRET not in f"{caplog.text}{upload!r}{checked!r}{attached!r}"
