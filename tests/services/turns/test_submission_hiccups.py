"""The store fails once while a message is taken in (R73): sent again, it is taken, by the process that lives.

No repeat hears that something exists already, and nobody waits for a lease to expire.
"""

from pathlib import Path

import pytest

from services.conversations.items import UserMessage
from services.errors import StorageUnavailable
from services.files.upload import Upload
from services.runtime.clock import utc_now
from services.storage.documents import write_in_order
from services.turns import submissions
from tests.agent_fakes import WAIT_S, FakeModel, says
from tests.fakes import FakeClock, FakeDocuments
from tests.rooms import Room
from tests.services.turns.test_store_hiccups import Hiccup
from tests.telling import telling

LIST = Upload(name="list.txt", content=b"Milk and eggs")
WAYS = [(is_new, files, is_lost) for is_new in (True, False) for files in ((), (LIST,)) for is_lost in (False, True)]


@pytest.mark.parametrize(("is_new", "files", "is_lost"), telling(WAYS, lambda way: not way[1]))
def test_a_message_that_met_a_failing_store_is_taken_at_its_first_repeat(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, is_new: bool, files: tuple[Upload, ...], is_lost: bool
) -> None:
    monkeypatch.setattr(submissions, "UNDER_WAY_S", 2.0)
    at, has_happened = 0, True
    while has_happened:
        clock = FakeClock(utc_now())
        engine = FakeDocuments(clock=clock)
        # As MongoDB, which has no transactions here.
        monkeypatch.setattr(engine, "write_all", lambda writes, engine=engine: write_in_order(engine, writes))
        maya = Room(engine=engine, data_dir=tmp_path, model=FakeModel(*[says("Hello.")] * 4), clock=clock)
        chat, _ = maya.ask("Hi")
        sent = {"key": "one-key", "conversation_id": None if is_new else chat}
        hiccup = Hiccup(engine, at, is_lost=is_lost)
        refused = False
        try:
            maya.services.submissions.submit(maya.maya, "And?", files, **sent)
        except StorageUnavailable:
            refused = True
        has_happened = hiccup.is_over()

        taken = maya.services.submissions.submit(maya.maya, "And?", files, **sent)

        maya.services.turns.drain(WAIT_S)
        asked = [item.text for item in maya.items(taken.conversation_id) if isinstance(item, UserMessage)]
        assert asked == [*([] if is_new else ["Hi"]), "And?"], f"call {at}, refused: {refused}"
        assert taken.conversation_id in {c.id for c in maya.services.conversations.list(maya.maya.id, None)}
        at += 1
    assert at > 3
