"""What an answer says without a call or a result behind it: a change that never ran, a source that nobody found."""

from typing import Any

import pytest

from services.approvals.approval import ApprovalStatus
from services.conversations.items import AssistantText, NoticeItem
from services.conversations.turn_records import TurnStatus
from services.llm.chat_model import ModelReply, Usage
from services.llm.citations import Citation, Source
from services.turns.stop_reasons import NOTHING_CHANGED
from tests.agent_fakes import calls, instructions, says
from tests.rooms import Room, RoomMaker, eventually
from tests.services.approvals.asking import PIN, asked, decided

pytestmark = pytest.mark.any_store

CLAIM = "Done! I added it to your calendar."
FOUND = "https://board.example/1"


def notices(maya: Room, conversation: str) -> list[str]:
    return [item.sentence for item in maya.items(conversation) if isinstance(item, NoticeItem)]


def cites(*urls: str) -> Any:
    cited = [Citation(at=8, source=Source(title="Page", url=url)) for url in urls]
    content = ({"type": "text", "text": "It is so."},)
    return ["It is so.", ModelReply(content=content, stop_reason="end_turn", usage=Usage(), cited={0: cited})]


def test_a_claimed_change_without_a_call_is_contradicted_and_the_model_is_told(room: RoomMaker) -> None:
    maya = room(says(CLAIM), says("Sorry, here is the card."))

    conversation, last = maya.ask("Add the lab report to my calendar")

    assert NOTHING_CHANGED.notice is not None
    assert last.status is TurnStatus.DONE
    assert notices(maya, conversation) == [NOTHING_CHANGED.notice.sentence]
    eventually(lambda: bool(maya.services.conversations.get(maya.maya.id, conversation).news))

    maya.ask("Where is it?", conversation)

    assert "nothing was changed" in str(maya.model.requests[-1].messages[-1]["content"]) + instructions(
        maya.model.requests[-1]
    )


def test_reading_is_no_change(room: RoomMaker) -> None:
    maya = room(calls(("board_read", {})), says(CLAIM))

    conversation, _ = maya.ask("Add it")

    assert len(notices(maya, conversation)) == 1


def test_a_change_that_ran_is_not_contradicted(room: RoomMaker) -> None:
    maya = room(calls(PIN), says(CLAIM))
    conversation, approval = asked(maya)

    maya.services.turns.decide(maya.maya, approval.id, "approve")

    assert decided(maya, conversation, approval).status is ApprovalStatus.DONE
    assert notices(maya, conversation) == []


def test_a_claim_after_a_declined_card_is_contradicted(room: RoomMaker) -> None:
    maya = room(calls(PIN), says(CLAIM))
    conversation, approval = asked(maya)

    maya.services.turns.decide(maya.maya, approval.id, "decline")
    decided(maya, conversation, approval)

    assert len(notices(maya, conversation)) == 1


def test_only_sources_that_a_result_holds_are_cited(room: RoomMaker) -> None:
    maya = room(calls(("board_read", {})), cites("https://nobody.example/found", FOUND))
    maya.board.notes["first"] = f"- [Bring the book]({FOUND})"

    conversation, _ = maya.ask("What does the board say?")

    (text,) = [item for item in maya.items(conversation) if isinstance(item, AssistantText)]
    assert [citation.source.url for citation in text.citations] == [FOUND]
