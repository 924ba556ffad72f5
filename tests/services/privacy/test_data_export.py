"""The archive holds everything of one student, opens without Homeroom, and gives nobody access to anything."""

import io
import json
import re
import zipfile
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from services.approvals.approval import ApprovalStatus
from services.conversations import chat_export
from services.conversations.chat_export import markdown_file_name
from services.conversations.conversation import ConversationSummary
from services.i18n import locale_scope
from services.privacy.data_export import export_archive
from services.privacy.data_inventory import DATA_INVENTORY
from services.storage.documents import Document, Documents, Order, Where
from tests.rooms import Room
from tests.services.privacy.conftest import CANARY, fill
from ui.approvals import approval_card

pytestmark = pytest.mark.any_store

UPDATED = "2026-11-22T03:00:00.000000+00:00"


def unpacked(room: Room) -> dict[str, str]:
    with zipfile.ZipFile(io.BytesIO(export_archive(room.services, room.maya))) as archive:
        return {name: archive.read(name).decode() for name in archive.namelist()}


@pytest.mark.each_store
def test_it_holds_every_document_of_the_student_and_says_what_each_file_is(whole: Room) -> None:
    # What answers cost is written a moment later.
    whole.services.budgets.flush()
    files = unpacked(whole)

    exported = [kept for kept in DATA_INVENTORY if kept.is_exported]
    for kept in exported:
        found = json.loads(files[f"data/{kept.collection}.json"])
        assert found == [
            {name: value for name, value in document.items() if name not in kept.excluded_fields}
            for document in kept.documents(whole.services.store, whole.maya.id)
        ]
        assert f"data/{kept.collection}.json: {kept.title} ({len(found)})" in files["README.txt"]
    assert len([name for name in files if name.startswith("data/")]) == len(exported)
    assert f"Made for {whole.maya.name} on " in files["README.txt"]


def test_each_chat_reads_as_text_with_what_was_looked_up_and_what_was_decided(whole: Room) -> None:
    chats = {name: text for name, text in unpacked(whole).items() if name.startswith("conversations/")}

    assert len(chats) == 2
    answered = next(text for text in chats.values() if "What about" in text)
    assert f"# What about {CANARY}?" in answered
    assert f"## You\n\nWhat about {CANARY}?" in answered
    assert f"There is {CANARY} on the board." in answered
    assert "> Reading the board: " in answered
    assert "https://board.example/1" in answered
    asked = next(text for text in chats.values() if "Pin " in text)
    assert f"> **Pin a note** · Waits for your yes.\n> - Note: Buy {CANARY}" in asked


def test_what_was_decided_is_told_as_the_card_tells_it() -> None:
    on_the_card = {status: words for status, (words, *_) in approval_card.OUTCOMES.items()}

    assert {ApprovalStatus.PENDING: "Waits for your yes", **on_the_card} == chat_export.STATES


def test_a_chat_in_spanish_reads_as_spanish(whole: Room) -> None:
    with locale_scope("es-MX"):
        chats = [text for name, text in unpacked(whole).items() if name.startswith("conversations/")]

    asked = next(text for text in chats if "Pin " in text)
    assert re.search(r"\n\*Último mensaje: (lun|mar|mié|jue|vie|sáb|dom) \d+ [a-z]{3,4} \d{4}, ", asked)
    assert "> **Pin a note** · Espera tu aprobación.\n" in asked


def test_it_holds_no_secret_and_nothing_of_anybody_else(whole: Room) -> None:
    key = whole.services.keys.create(whole.maya, label="another", scopes=["read"])
    diego = whole.sign_in("diego")
    fill(whole, diego)
    mine = whole.services.store.for_student(whole.maya.id)
    secrets = [
        key.secret,
        *(row["hash"] for row in whole.services.store.shared.find("keys", {"student_id": whole.maya.id})),
        *(text for row in mine.find("connections", {}) for text in row["sealed"].values()),
        *(row["digest"] for row in mine.find("approvals", {})),
        *(row["verifier"] for row in mine.find("oauth_states", {})),
        "access-Maya",
        "refresh-Maya",
        diego.id,
    ]

    whole_text = "\n".join(unpacked(whole).values())

    assert len(secrets) >= 9
    assert [secret for secret in secrets if secret in whole_text] == []


def test_a_chat_that_is_deleted_meanwhile_is_left_out(whole: Room) -> None:
    """Its files are looked up one by one, after they were listed."""
    (file,) = whole.services.store.for_student(whole.maya.id).find("files", {})

    def deleting(engine: Documents) -> Documents:
        return _Deleting(engine, lambda: whole.services.conversations.delete(whole.maya.id, file["conversation_id"]))

    archive = export_archive(replace(whole.services, store=whole.services.store.with_engine(deleting)), whole.maya)

    with zipfile.ZipFile(io.BytesIO(archive)) as opened:
        assert [name for name in opened.namelist() if name.startswith("files/")] == []
        assert "README.txt" in opened.namelist()


class _Deleting:
    """An engine on which somebody deletes something right after the files were listed for the second time."""

    def __init__(self, engine: Documents, delete: Callable[[], None]) -> None:
        self._engine, self._delete, self._listed = engine, delete, 0

    def __getattr__(self, name: str) -> Any:
        return getattr(self._engine, name)

    def find(
        self, collection: str, where: Where, *, order: Order = (), limit: int | None = None, skip: int = 0
    ) -> list[Document]:
        found = self._engine.find(collection, where, order=order, limit=limit, skip=skip)
        self._listed += collection == "files"
        if self._listed == 2:
            self._delete()
        return found


def test_a_chats_file_is_named_by_the_students_day_and_as_every_system_takes_it_and_none_twice() -> None:
    titles = ["../../etc/passwd", "Ünïcode & 日本語?", "", "CON", "a" * 500]

    chats = [ConversationSummary(id=f"{n}" * 24, title=title, updated_at=UPDATED) for n, title in enumerate(titles)]
    names = [markdown_file_name(chat, "America/Chicago") for chat in chats]

    assert names[:2] == ["2026-11-21-etc-passwd-00000000.md", "2026-11-21-unicode-11111111.md"]
    assert len(set(names)) == len(titles)
    assert all(len(name) < 100 and "/" not in name for name in names)
