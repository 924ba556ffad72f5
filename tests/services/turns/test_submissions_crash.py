"""A message whose process dies at any write and that is sent again is there once, and is not called taken before."""

from contextlib import suppress
from datetime import timedelta
from pathlib import Path

import pytest

from services.conversations.items import UserMessage
from services.errors import HomeroomError
from services.files.upload import Upload
from services.runtime.clock import utc_now
from services.turns import submissions
from tests.agent_fakes import FakeModel, Gate, says
from tests.fakes import FakeClock, FakeDocuments
from tests.rooms import Room
from tests.services.privacy.dying import Dead, DyingDocuments
from tests.telling import telling

LIST = Upload(name="list.txt", content=b"Milk and eggs")
WHEN_SENT_AGAIN = (timedelta(0), timedelta(minutes=2))


@pytest.mark.parametrize(
    ("is_new", "files", "later"),
    telling(
        [(new, files, later) for new in (True, False) for files in ((), (LIST,)) for later in WHEN_SENT_AGAIN],
        lambda row: row in ((True, (), WHEN_SENT_AGAIN[0]), (False, (), WHEN_SENT_AGAIN[1])),
    ),
)
def test_it_is_stored_once_wherever_its_process_died(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, is_new: bool, files: tuple[Upload, ...], later: timedelta
) -> None:
    monkeypatch.setattr(submissions, "UNDER_WAY_S", 0.02)
    deaths = 0
    while _dies(tmp_path, before=deaths, is_new=is_new, files=files, later=later):
        deaths += 1

    assert deaths >= 3


def _dies(data_dir: Path, *, before: int, is_new: bool, files: tuple[Upload, ...], later: timedelta) -> bool:
    """Whether the process dies at this write while it takes the message; sent again, the message is there once."""
    clock, gate = FakeClock(utc_now()), Gate()
    frail = DyingDocuments(FakeDocuments(clock=clock))
    model = FakeModel(says("Hello."), [gate, *says("One.")], [gate, *says("Two.")])
    maya = Room(engine=frail, data_dir=data_dir, model=model, clock=clock)
    chat, _ = maya.ask("Hi")
    conversation = None if is_new else chat
    doomed = maya.replica(clock=clock)
    frail.dies_at = before
    try:
        doomed.services.submissions.submit(maya.maya, "And?", files, key="one-key", conversation_id=conversation)
        has_died = frail.dies_at == 0
    except Dead:
        has_died = True
    frail.dies_at = None
    clock.advance(seconds=later.total_seconds())
    next_one = maya.replica(clock=clock)
    taken = None
    for _ in range(3):
        with suppress(HomeroomError):
            taken = next_one.services.submissions.submit(
                maya.maya, "And?", files, key="one-key", conversation_id=conversation
            )
            break
        clock.advance(minutes=2)
        next_one.services.turns.recover()

    assert taken is not None, "it is never taken"
    clock.advance(minutes=2)
    next_one.services.turns.recover()
    asked = [item.text for item in next_one.items(taken.conversation_id) if isinstance(item, UserMessage)]
    assert asked == [*([] if is_new else ["Hi"]), "And?"], before
    assert taken.conversation_id in {c.id for c in next_one.services.conversations.list(maya.maya.id, None)}
    gate.open()
    return has_died
